package cli

import (
	"fmt"
	"runtime/debug"

	"assay/model/compare"
	"assay/model/compare/report"
)

type diffCommand struct {
	formatFlag
	Old       string   `arg:"" help:"The old file or folder."`
	New       string   `arg:"" help:"The new file or folder."`
	JSON      bool     `name:"json" help:"Print JSON; the same as --as json."`
	As        string   `enum:"text,json,markdown,html" default:"text" help:"Report format: ${enum}."`
	Summary   bool     `help:"Print one line per changed item instead of all rows."`
	Limit     int      `xor:"rows" placeholder:"N" help:"Maximum number of rows per file in text or Markdown. Default: 200."`
	All       bool     `xor:"rows" help:"List all rows."`
	Tolerance float64  `help:"Float tolerance, absolute or relative to the larger value."`
	Ignore    []string `predictor:"field" placeholder:"FIELD" help:"Names of fields to ignore."`
	Times     bool     `help:"Ignore timestamps."`
	Contents  string   `enum:"automatic,recorded,full" default:"automatic" help:"How to compare contents that have a recorded checksum: ${enum}."`
}

// Validate refuses a limit that leaves nothing.
func (c *diffCommand) Validate() error {
	if c.Limit < 0 {
		return fmt.Errorf("--limit must be 1 or more, not %d", c.Limit)
	}
	return nil
}

// Run compares, and prints what differs.
func (c *diffCommand) Run(s *session) error {
	if err := c.use(s); err != nil {
		return err
	}
	form := DiffForm(c.As)
	if c.JSON {
		form = DiffJSON
	}
	// Nodes nested 50,000 deep in both files are 270 MB: without a limit, garbage would take as much again.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(340 << 20))
	options := compare.Options{Tolerance: c.Tolerance, Names: c.Ignore, Times: c.Times,
		Contents: map[string]compare.Reading{"recorded": compare.Recorded, "full": compare.Full}[c.Contents]}
	s.status = s.runner.Diff(s.ctx, c.Old, c.New, DiffOptions{Form: form, Compare: options,
		Report: report.Options{Colour: s.colour, Limit: c.Limit, All: c.All, Summary: c.Summary}})
	return nil
}
