package main

import (
	"runtime/debug"

	"assay/model/compare"
	"assay/model/verbs"
)

type diffCommand struct {
	formatFlag
	Old       string   `arg:"" help:"The old file or folder."`
	New       string   `arg:"" help:"The new file or folder."`
	JSON      bool     `name:"json" help:"Print JSON; the same as --as json."`
	As        string   `enum:"text,json,markdown,html" default:"text" help:"Form of the report: ${enum}."`
	Tolerance float64  `help:"How far two floats may be apart, absolute or as a share of the larger one."`
	Ignore    []string `placeholder:"FIELD" help:"Names of fields to ignore."`
	Times     bool     `help:"Ignore timestamps."`
	Contents  string   `enum:"automatic,recorded,full" default:"automatic" help:"Whether contents with a recorded checksum are read: ${enum}."`
}

func (c *diffCommand) Run(s *session) error {
	if err := c.use(s); err != nil {
		return err
	}
	form := verbs.DiffForm(c.As)
	if c.JSON {
		form = verbs.DiffJSON
	}
	// Nodes nested 50,000 deep in both files are 270 MB: without a limit, garbage would take as much again.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(340 << 20))
	options := compare.Options{Tolerance: c.Tolerance, Names: c.Ignore, Times: c.Times,
		Contents: map[string]compare.Reading{"recorded": compare.Recorded, "full": compare.Full}[c.Contents]}
	s.status = s.runner.Diff(s.ctx, c.Old, c.New, verbs.DiffOptions{Form: form, Colour: s.colour, Compare: options})
	return nil
}
