package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"assay/model"
	contents "assay/model/content"
	"assay/model/find"
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
	// OpenSource opens a file inside of a file; OpenStream the bytes of the standard input or of a pipe.
	OpenSource, OpenStream func(ctx context.Context, src *model.Source) (*model.Document, error)

	In  io.Reader // the standard input; nil once it is read
	Out io.Writer
	Err io.Writer
}

// TreeOptions are what Tree prints.
type TreeOptions struct {
	Depth     int    // levels below the node that it begins with; all of them if negative
	NoOffsets bool   // leave out where things are
	Only      string // the path or the key of the node to begin with, or a filter of nodes; empty for the whole file
}

// Tree prints the outline of a file.
func (r *Runner) Tree(ctx context.Context, file string, o TreeOptions) int {
	return r.with(ctx, file, func(d *model.Document, report *model.Report) error {
		options := model.OutlineOptions{Depth: o.Depth, NoOffsets: o.NoOffsets}
		if o.Only == "" && o.NoOffsets && d.Format == model.UnknownFormat && contents.Of(d.Source).Text {
			// A text of another program with the same extension: what a text diff compares is the text.
			_, err := io.Copy(r.Out, d.Source.Reader(model.Span{Size: d.Source.Size()}))
			return err
		}
		if o.Only == "" {
			err := d.Outline(ctx, r.Out, report, options)
			if err == nil && o.NoOffsets && o.Depth < 0 {
				err = r.writePacked(ctx, d)
			}
			return err
		}
		return located(ctx, d, report, o.Only, func(n *model.Node) error {
			return d.OutlineNode(ctx, r.Out, n, options)
		})
	})
}

// Dump prints the whole decoded content of a file as JSON, or that of the nodes which only finds, one after another.
func (r *Runner) Dump(ctx context.Context, file, only string) int {
	return r.with(ctx, file, func(d *model.Document, report *model.Report) error {
		if only == "" {
			return d.Dump(ctx, r.Out, report)
		}
		return located(ctx, d, report, only, func(n *model.Node) error { return model.DumpNode(ctx, r.Out, n) })
	})
}

// located calls do with the node that has a path, which begins with a slash, or a key; else with each node that a
// filter finds, and not with those below it.
func located(ctx context.Context, d *model.Document, report *model.Report, where string,
	do func(n *model.Node) error) error {
	d.ShowGaps(report)
	n, err := d.Find(where)
	switch {
	case strings.HasPrefix(where, "/") && err == nil:
		return do(n)
	case d.FindKey != nil:
		if p, ok := d.FindKey(where); ok {
			if n := d.At(p); n != nil {
				return do(n)
			}
		}
	}
	q, wrong := find.NewQuery(where)
	switch {
	case wrong != nil:
		return wrong
	case q.Filter().Plain() && strings.HasPrefix(where, "/"):
		return fmt.Errorf("%w; run assay tree to list paths (~1 stands for / in names)", err)
	case q.Filter().Plain():
		return fmt.Errorf("no key %s in the file. Use a key, a path from assay tree (starting with /), or a filter (see assay help filters)",
			model.OneLine(where, 200))
	}
	any := false
	err = model.Walk(d.Root(), func(n *model.Node) (below bool, err error) {
		if n.Parent == nil || !q.Match(n) {
			return true, ctx.Err()
		}
		any = true
		return false, do(n)
	}, nil)
	if err == nil && !any {
		err = fmt.Errorf("no matches for %s (see assay help filters)", model.OneLine(where, 200))
	}
	return err
}

// with opens a file, looks at the whole of it, and hands both on.
func (r *Runner) with(ctx context.Context, file string, do func(*model.Document, *model.Report) error) int {
	d, err := r.open(ctx, file, nameAFile)
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
	return max(r.settled(d, file), status(report))
}

// settled says whether the bytes of a file could be read to the end, as they were when it was opened, and returns the
// status.
func (r *Runner) settled(d *model.Document, path string) int {
	if err := unsettled(d); err != nil {
		fmt.Fprintf(r.Err, "assay: %s: %v\n", given(path), err)
		return Bad
	}
	return Fine
}

func unsettled(d *model.Document) error {
	if err := d.Source.Changed(); err != nil {
		return err
	}
	return d.Source.Failed()
}

func (r *Runner) trouble(err error) int {
	if out, ok := r.Out.(*Output); ok && out.Err() != nil && errors.Is(err, out.Err()) {
		return Trouble // whoever runs the verb reports it
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	fmt.Fprintf(r.Err, "assay: %v\n", err)
	return Trouble
}

func status(report *model.Report) int {
	if report.Bad() {
		return Bad
	}
	return Fine
}
