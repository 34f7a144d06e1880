package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/report"
	"assay/model/find"
)

// DiffForm is how a comparison is printed.
type DiffForm string

// The forms of a comparison.
const (
	DiffText     DiffForm = "text"
	DiffJSON     DiffForm = "json"
	DiffMarkdown DiffForm = "markdown"
	DiffHTML     DiffForm = "html"
)

// DiffOptions are how diff goes.
type DiffOptions struct {
	Form    DiffForm
	Report  report.Options // of text and Markdown
	Compare compare.Options
}

// Diff compares two files, or the files of two folders, and prints what differs. The status is that of diff and cmp: 0
// if nothing differs, 1 if something does, 2 if they could not be compared.
func (r *Runner) Diff(ctx context.Context, old, new string, o DiffOptions) int {
	folders := isFolder(old)
	if folders != isFolder(new) {
		return r.trouble(r.unlike(ctx, old, new))
	}
	var same bool
	var err error
	if folders {
		same, err = r.diffFolders(ctx, old, new, o)
	} else {
		same, err = r.diffFiles(ctx, old, new, func(c *compare.Comparison) error {
			r.warnOfUnknown(c, o.Compare.Names)
			for _, s := range c.Notes() {
				fmt.Fprintf(r.Err, "assay: %s\n", s)
			}
			return writeComparison(ctx, r.Out, c, o)
		}, o.Compare)
	}
	switch {
	case err != nil:
		return r.trouble(err)
	case same:
		return Fine
	}
	return Bad
}

// unlike says why a folder and what is not a folder cannot be compared.
func (r *Runner) unlike(ctx context.Context, old, new string) error {
	file, folder := old, new
	if isFolder(old) {
		file, folder = new, old
	}
	d, err := r.open(ctx, file, nameAFile)
	if err != nil {
		return err
	}
	d.Source.Close()
	return fmt.Errorf("cannot compare a folder (%s) with a file (%s)", given(folder), given(file))
}

func isFolder(path string) bool {
	return path != Stdin && model.IsFolder(path)
}

// diffFiles compares two files, and hands the comparison on while they are open. It reports whether nothing differs.
func (r *Runner) diffFiles(ctx context.Context, old, new string, do func(*compare.Comparison) error,
	options compare.Options) (bool, error) {
	docs, err := r.openEach(ctx, nameAFile, old, new)
	if err != nil {
		return false, err
	}
	defer model.CloseDocuments(docs...)
	c, err := compare.Documents(ctx, docs[0], docs[1], options, nil)
	if err == nil {
		err = c.FindRanges(ctx, nil)
	}
	if err == nil {
		err = do(c)
	}
	if err != nil {
		return false, err
	}
	return c.Same(), errors.Join(unsettled(docs[0]), unsettled(docs[1]))
}

func writeComparison(ctx context.Context, out io.Writer, c *compare.Comparison, o DiffOptions) error {
	switch o.Form {
	case DiffJSON:
		return report.JSON(ctx, c, out)
	case DiffMarkdown:
		return report.Markdown(ctx, c, out, o.Report)
	case DiffHTML:
		return report.HTML(ctx, c, out)
	}
	return report.Text(ctx, c, out, o.Report)
}

// warnOfUnknown warns of fields that are to be ignored and that neither file seems to have.
func (r *Runner) warnOfUnknown(c *compare.Comparison, ignored []string) {
	if len(ignored) == 0 {
		return
	}
	names := append(find.FieldNames(c.Old), find.FieldNames(c.New)...)
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range ignored {
		if slices.Contains(names, name) {
			continue
		}
		meant := ""
		if similar := model.SimilarNames(name, names); len(similar) > 0 {
			meant = "; did you mean " + strings.Join(similar, " or ") + "?"
		}
		fmt.Fprintf(r.Err, "assay: --ignore: no field named %s%s\n", model.OneLine(name, 100), meant)
	}
}
