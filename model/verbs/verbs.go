// Package verbs runs one command on files without a display: tree, dump, verify, extract, diff, thumbnail. The result
// goes to Out, the talk to Err, and the exit status is 0 if all is fine, 1 if a file has errors or warnings (what can be
// read is printed) or nothing in it has the form that Extract is asked for, 2 if nothing could be read or the command
// makes no sense; Diff has a status of its own. Nothing that is printed depends on the time or, but for the paths that
// Verify repeats, on where a file lies.
package verbs

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"assay/model"
)

// The exit statuses.
const (
	Fine    = 0
	Bad     = 1
	Trouble = 2
)

// Runner has what all verbs need.
type Runner struct {
	Open func(ctx context.Context, path string) (*model.Document, error)
	// OpenSource opens a file inside of a file.
	OpenSource func(ctx context.Context, src *model.Source) (*model.Document, error)
	Out        io.Writer
	Err        io.Writer
}

// Tree prints the outline of a file, depth levels below the root, all of them if depth is negative.
func (r *Runner) Tree(ctx context.Context, file string, depth int) int {
	return r.with(ctx, file, func(d *model.Document, report *model.Report) error {
		return d.Outline(ctx, r.Out, report, depth)
	})
}

// Dump prints the whole decoded content of a file as JSON.
func (r *Runner) Dump(ctx context.Context, file string) int {
	return r.with(ctx, file, func(d *model.Document, report *model.Report) error {
		return d.Dump(ctx, r.Out, report)
	})
}

// with opens a file, looks at the whole of it, and hands both on.
func (r *Runner) with(ctx context.Context, file string, do func(*model.Document, *model.Report) error) int {
	d, err := r.Open(ctx, file)
	if err != nil {
		return r.trouble(err)
	}
	defer d.Source.Close()
	report, err := d.Check(ctx, nil)
	if err != nil {
		return r.trouble(err)
	}
	if err := do(d, report); err != nil {
		return r.trouble(err)
	}
	if err := d.Source.Changed(); err != nil {
		fmt.Fprintf(r.Err, "assay: %v\n", err)
		return Bad
	}
	return status(report)
}

func (r *Runner) trouble(err error) int {
	fmt.Fprintf(r.Err, "assay: %v\n", err)
	return Trouble
}

func status(report *model.Report) int {
	if report.Bad() {
		return Bad
	}
	return Fine
}

// name is a file's name in output: its base name, whatever folder it lies in.
func name(file string) string { return model.OneLine(filepath.Base(file), 200) }
