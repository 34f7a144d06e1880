package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/report"
	"assay/model/find"
)

type diffCommand struct {
	formatFlag
	Old string `arg:"" help:"The old file or folder."`
	New string `arg:"" help:"The new file or folder."`
	DiffOptions
}

// DiffOptions are the flags of diff.
type DiffOptions struct {
	JSON      bool     `name:"json" help:"Print JSON; the same as --as json."`
	Form      DiffForm `name:"as" enum:"text,json,markdown,html" default:"text" help:"Report format: ${enum}."`
	Summary   bool     `help:"Print one line per changed item instead of all rows."`
	Limit     int      `xor:"rows" placeholder:"N" help:"Maximum number of rows per file in text or Markdown. Default: 200."`
	All       bool     `xor:"rows" help:"List all rows."`
	Tolerance float64  `help:"Float tolerance, absolute or relative to the larger value."`
	Ignore    []string `predictor:"field" placeholder:"FIELD" help:"Names of fields to ignore; in texts also indentation, blank, eol, comments, and order (of properties)."`
	Times     bool     `help:"Ignore timestamps."`
	Contents  string   `enum:"automatic,recorded,full" default:"automatic" help:"How to compare contents that have a recorded checksum: ${enum}."`
}

// textRules are the words of --ignore that are rules for texts.
var textRules = []string{"indentation", "blank", "eol", "comments", "order"}

// Validate rejects a negative limit.
func (c *diffCommand) Validate() error {
	if c.Limit < 0 {
		return fmt.Errorf("--limit must be 1 or more, not %d", c.Limit)
	}
	return nil
}

// Run compares two files or folders and prints the changes.
func (c *diffCommand) Run(s *session) error {
	if err := c.apply(s); err != nil {
		return err
	}
	// Nodes nested 50,000 deep in both files take 270 MB: without a limit, garbage would double that.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(340 << 20))
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // 15 % less CPU time; the memory limit still holds
	s.status = s.runner.Diff(s.ctx, c.Old, c.New, c.DiffOptions)
	return nil
}

// compareOptions returns the options of a comparison.
func (o *DiffOptions) compareOptions() compare.Options {
	ignores := func(rule string) bool { return slices.Contains(o.Ignore, rule) }
	return compare.Options{Tolerance: o.Tolerance, Names: o.Ignore, Times: o.Times,
		Texts: compare.TextRules{Indentation: ignores("indentation"), BlankLines: ignores("blank"),
			LineEnds: ignores("eol"), Comments: ignores("comments"), Order: ignores("order")},
		Contents: map[string]compare.Reading{"recorded": compare.Recorded, "full": compare.Full}[o.Contents]}
}

// reportOptions returns the options of reports as text and Markdown.
func (r *Runner) reportOptions(o *DiffOptions) report.Options {
	return report.Options{Color: r.color, Limit: o.Limit, All: o.All, Summary: o.Summary}
}

// DiffForm is the format of a printed comparison.
type DiffForm string

// The formats of a printed comparison.
const (
	DiffText     DiffForm = "text"
	DiffJSON     DiffForm = "json"
	DiffMarkdown DiffForm = "markdown"
	DiffHTML     DiffForm = "html"
)

// Diff compares two files or two folders, and prints the changes. The status is as for diff and cmp: 0 without
// differences, 1 with differences, 2 if the comparison failed.
func (r *Runner) Diff(ctx context.Context, old, new string, o DiffOptions) int {
	if o.JSON {
		o.Form = DiffJSON
	}
	folders := isFolder(old)
	if folders != isFolder(new) {
		return r.reportError(r.mixedKindsError(ctx, old, new))
	}
	var same bool
	var err error
	if folders {
		same, err = r.diffFolders(ctx, old, new, &o)
	} else {
		same, err = r.diffFiles(ctx, old, new, func(c *compare.Comparison) error {
			r.warnUnknownFields(c, o.Ignore)
			for _, s := range c.Notes() {
				fmt.Fprintf(r.Err, "assay: %s\n", s)
			}
			return r.writeComparison(ctx, c, &o)
		}, o.compareOptions())
	}
	switch {
	case err != nil:
		return r.reportError(err)
	case same:
		return ExitOK
	}
	return ExitProblems
}

// mixedKindsError returns the error of comparing a folder with a file.
func (r *Runner) mixedKindsError(ctx context.Context, old, new string) error {
	file, folder := old, new
	if isFolder(old) {
		file, folder = new, old
	}
	d, err := r.open(ctx, file, adviceFile)
	if err != nil {
		return err
	}
	d.Source.Close()
	return fmt.Errorf("cannot compare a folder (%s) with a file (%s)", displayPath(folder), displayPath(file))
}

func isFolder(path string) bool {
	return path != Dash && model.IsFolder(path)
}

// diffFiles compares two files, and calls do with the comparison while they are open. It reports whether they have no
// differences.
func (r *Runner) diffFiles(ctx context.Context, old, new string, do func(*compare.Comparison) error,
	options compare.Options) (bool, error) {
	docs, err := r.openEach(ctx, adviceFile, old, new)
	if err != nil {
		return false, err
	}
	defer model.CloseDocuments(docs...)
	c, err := changes.CompareDocuments(ctx, docs[0], docs[1], options, nil)
	if err == nil {
		err = c.FindRanges(ctx, nil)
	}
	if err == nil {
		err = do(c)
	}
	if err != nil {
		return false, err
	}
	if !c.Identical {
		err = errors.Join(incompleteError(docs[0]), incompleteError(docs[1]))
	}
	return c.Same(), errors.Join(err, sourceError(docs[0]), sourceError(docs[1]))
}

// incompleteError returns an error if a file was read only in part, so that the rest of it was not compared.
func incompleteError(d *model.Document) error {
	if p := d.Stopped(); p != nil {
		return fmt.Errorf("%s was not compared whole: %s: %s", displayPath(d.Source.Path()), model.OneLine(p.Path, 200), p.Message)
	}
	return nil
}

func (r *Runner) writeComparison(ctx context.Context, c *compare.Comparison, o *DiffOptions) error {
	switch o.Form {
	case DiffJSON:
		return report.JSON(ctx, c, r.Out)
	case DiffMarkdown:
		return report.Markdown(ctx, c, r.Out, r.reportOptions(o))
	case DiffHTML:
		return report.HTML(ctx, c, r.Out)
	}
	return report.Text(ctx, c, r.Out, r.reportOptions(o))
}

// warnUnknownFields prints a warning for each name after --ignore that is not a field of either file.
func (r *Runner) warnUnknownFields(c *compare.Comparison, ignored []string) {
	if len(ignored) == 0 {
		return
	}
	names := append(find.FieldNames(c.Old), find.FieldNames(c.New)...)
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range ignored {
		if slices.Contains(names, name) || slices.Contains(textRules, name) {
			continue
		}
		suggestion := ""
		if similar := model.SimilarNames(name, names); len(similar) > 0 {
			suggestion = "; did you mean " + strings.Join(similar, " or ") + "?"
		}
		fmt.Fprintf(r.Err, "assay: --ignore: no field named %s%s\n", model.OneLine(name, 100), suggestion)
	}
}
