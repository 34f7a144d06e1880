package verbs

import (
	"context"
	"fmt"

	"assay/model"
	"assay/model/compare"
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

// Diff compares two files and prints what differs. The status is that of diff and cmp: 0 if nothing differs, 1 if
// something does, 2 if they could not be compared.
func (r *Runner) Diff(ctx context.Context, old, new string, form DiffForm, colour bool, options compare.Options) int {
	a, err := r.Open(ctx, old)
	if err != nil {
		return r.trouble(err)
	}
	defer a.Source.Close()
	b, err := r.Open(ctx, new)
	if err != nil {
		return r.trouble(err)
	}
	defer b.Source.Close()
	c, err := compare.Documents(ctx, a, b, options, nil)
	if err == nil {
		err = writeComparison(r, c, form, colour)
	}
	for _, d := range []*model.Document{a, b} {
		if err == nil {
			err = d.Source.Changed()
		}
	}
	if err != nil {
		return r.trouble(err)
	}
	if c.Note != "" {
		fmt.Fprintf(r.Err, "assay: %s\n", c.Note)
	}
	if c.Same() {
		return Fine
	}
	return Bad
}

func writeComparison(r *Runner, c *compare.Comparison, form DiffForm, colour bool) error {
	switch form {
	case DiffJSON:
		return c.WriteJSON(r.Out)
	case DiffMarkdown:
		return c.WriteMarkdown(r.Out)
	case DiffHTML:
		return c.WriteHTML(r.Out)
	}
	return c.WriteText(r.Out, colour)
}
