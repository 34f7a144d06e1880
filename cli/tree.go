package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/model"
	"assay/model/content"
	"assay/model/find"
	"assay/model/text"
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

// Limits of the assets that tree prints below the outline of a package, so that git shows their changes.
const (
	maxPackedAssets    = 1 << 14  // maximum number of assets
	maxPackedAssetSize = 16 << 20 // maximum size of an expanded asset, in bytes
	maxPackedTotal     = 64 << 20 // maximum size of all expanded assets, in bytes
	maxPackedLines     = 2000     // maximum number of lines of an asset
)

// writeAssets prints the assets of a package in the order of their names, each according to its type: the lines of a
// text, the outline of a file of a supported format, the type and size of a picture. The outline above has the digests
// of all assets.
func (r *Runner) writeAssets(ctx context.Context, d *model.Document) error {
	if !d.IsLayered || d.Payloads == nil {
		return nil
	}
	type asset struct {
		name  string
		index int
	}
	var assets []asset
	budget := int64(maxPackedTotal)
	for i := range min(d.Payloads.Len(), maxPackedAssets) {
		p := d.Payloads.At(i)
		if p.Problem != "" || p.Open == nil || p.Size > maxPackedAssetSize {
			continue
		}
		if budget -= max(p.Size, p.Stored.Size); budget < 0 {
			break
		}
		assets = append(assets, asset{cmp.Or(p.Name, p.Key), i})
	}
	slices.SortStableFunc(assets, func(a, b asset) int { return strings.Compare(a.name, b.name) })
	out := bufio.NewWriterSize(r.Out, 64<<10)
	for _, a := range assets {
		if err := r.writeAsset(ctx, out, d, d.Payloads.At(a.index), a.name); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeAsset prints an asset: a heading, and its content indented below.
func (r *Runner) writeAsset(ctx context.Context, out *bufio.Writer, d *model.Document, p *model.Payload,
	name string) error {
	src, err := d.Nested(ctx, p, maxPackedAssetSize)
	if err != nil {
		return ctx.Err() // the outline has the problem
	}
	defer src.Close()
	indent := &indented{out: &lineLimiter{out: out, lines: maxPackedLines}, atLineStart: true}
	kind := content.KindOf(src)
	if !kind.IsKnown() {
		return r.writeInnerFile(ctx, out, indent, src, name)
	}
	heading := fmt.Sprintf("[Content] %s: %s", model.OneLine(name, 400), kind.Name)
	view, err := content.View(ctx, src)
	if err != nil {
		return ctx.Err()
	}
	switch v := view.(type) {
	case *text.Text:
		fmt.Fprintln(out, heading)
		_, err := io.WriteString(indent, strings.TrimSuffix(v.Text, "\n")+"\n")
		return cmp.Or(ctx.Err(), ignoreLimit(err))
	case model.Picture:
		if size := v.Image.Bounds().Size(); strings.HasSuffix(kind.Name, " picture") { // not a font
			heading += fmt.Sprintf(", %d × %d pixels", size.X, size.Y)
		}
	}
	fmt.Fprintln(out, heading)
	return ctx.Err()
}

// writeInnerFile prints the outline of an asset that is a file of a supported format. For other assets the digest
// suffices.
func (r *Runner) writeInnerFile(ctx context.Context, out *bufio.Writer, outline io.Writer,
	src *model.Source, name string) error {
	if r.OpenSource == nil {
		return nil
	}
	inner, err := r.OpenSource(ctx, src)
	if err != nil || inner.Format == model.UnknownFormat {
		return ctx.Err()
	}
	fmt.Fprintf(out, "[Content] %s: %s\n", model.OneLine(name, 400), inner.Kind())
	err = inner.OutlineNode(ctx, outline, inner.Root(), model.OutlineOptions{Depth: -1, NoOffsets: true})
	return cmp.Or(ctx.Err(), ignoreLimit(err))
}

// errTooManyLines is the error of lineLimiter after the last line.
var errTooManyLines = fmt.Errorf("an asset has more than %d lines", maxPackedLines)

func ignoreLimit(err error) error {
	if err == errTooManyLines {
		return nil
	}
	return err
}

// lineLimiter writes at most lines lines, and then an ellipsis. Each call of Write must pass one line or a part of one,
// as those of indented do.
type lineLimiter struct {
	out   io.Writer
	lines int
}

// Write implements io.Writer; it fails with errTooManyLines after the last line.
func (l *lineLimiter) Write(b []byte) (int, error) {
	if l.lines == 0 {
		return 0, errTooManyLines
	}
	n, err := l.out.Write(b)
	if strings.HasSuffix(string(b), "\n") {
		if l.lines--; l.lines == 0 && err == nil {
			_, err = io.WriteString(l.out, "  …\n")
		}
	}
	return n, err
}
