package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"assay/model"
	"assay/model/content"
	"assay/model/find"
)

type treeCommand struct {
	formatFlag
	File string `arg:"" help:"The file."`
	TreeOptions
}

// TreeOptions are the flags of tree.
type TreeOptions struct {
	Depth     int    `default:"-1" help:"Maximum depth. Default: all levels."`
	NoOffsets bool   `help:"Omit offsets and sizes, so that two outlines can be compared as text."`
	Only      string `predictor:"path" placeholder:"FILTER" help:"Print only matching nodes and their children: a path (/header/version), a key, or a filter such as 'class ~ texture' (see assay help filters)."`
}

func (c *treeCommand) Run(s *session) error {
	if err := c.apply(s); err != nil {
		return err
	}
	s.status = s.runner.Tree(s.ctx, c.File, c.TreeOptions)
	return nil
}

type dumpCommand struct {
	formatFlag
	File string `arg:"" help:"The file."`
	Only string `predictor:"path" placeholder:"FILTER" help:"Print these nodes only, one after the other: a path of names (/header/version), a key of the file, or a filter such as 'class ~ texture' (assay help filters)."`
}

func (c *dumpCommand) Run(s *session) error {
	if err := c.apply(s); err != nil {
		return err
	}
	s.status = s.runner.Dump(s.ctx, c.File, c.Only)
	return nil
}

// Tree prints the outline of a file.
func (r *Runner) Tree(ctx context.Context, file string, o TreeOptions) int {
	return r.withDocument(ctx, file, func(d *model.Document, report *model.Report) error {
		options := model.OutlineOptions{Depth: o.Depth, NoOffsets: o.NoOffsets}
		if o.Only == "" && o.NoOffsets && d.Format == model.UnknownFormat && content.KindOf(d.Source).Text {
			// A text with the extension of a format, but of another program: a text diff has to compare the text
			// itself.
			_, err := io.Copy(r.Out, d.Source.Reader(model.Span{Size: d.Source.Size()}))
			return err
		}
		if o.Only == "" {
			err := d.Outline(ctx, r.Out, report, options)
			if err == nil && o.NoOffsets && o.Depth < 0 {
				err = r.writeAssets(ctx, d)
			}
			return err
		}
		return eachMatch(ctx, d, report, o.Only, func(n *model.Node) error {
			return d.OutlineNode(ctx, r.Out, n, options)
		})
	})
}

// Dump prints the decoded content of a file as JSON, or only the nodes that match a filter, one after another.
func (r *Runner) Dump(ctx context.Context, file, only string) int {
	return r.withDocument(ctx, file, func(d *model.Document, report *model.Report) error {
		if only == "" {
			return d.Dump(ctx, r.Out, report)
		}
		return eachMatch(ctx, d, report, only, func(n *model.Node) error { return model.DumpNode(ctx, r.Out, n) })
	})
}

// eachMatch calls do with the node at a path (which begins with a slash) or with a key, else with each node that
// matches a filter, but not with nodes below a match.
func eachMatch(ctx context.Context, d *model.Document, report *model.Report, where string,
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
	q, parseErr := find.NewQuery(where)
	switch {
	case parseErr != nil:
		return parseErr
	case q.Filter().IsPlain() && strings.HasPrefix(where, "/"):
		return fmt.Errorf("%w; run assay tree to list paths (in names, ~1 means /)", err)
	case q.Filter().IsPlain():
		return fmt.Errorf("no key %s in the file. Use a key, a path from assay tree (starting with /), or a filter (see assay help filters)",
			model.OneLine(where, 200))
	}
	defer d.ReadUntil(ctx)()
	matched := false
	err = model.Walk(d.Root(), func(n *model.Node) (descend bool, err error) {
		if n.Parent == nil || !q.Match(n) {
			return true, ctx.Err()
		}
		matched = true
		return false, do(n)
	}, nil)
	if err == nil && !matched {
		err = fmt.Errorf("no matches for %s (see assay help filters)", model.OneLine(where, 200))
	}
	return err
}
