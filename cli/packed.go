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
	contents "assay/model/content"
	"assay/model/text"
)

// What a package is printed with below its outline, so that git shows what changed in its assets.
const (
	packedMost  = 1 << 14  // assets
	packedBytes = 16 << 20 // of one of them, expanded
	packedTotal = 64 << 20 // and of all
	packedLines = 2000     // lines of one
)

// writePacked prints the assets of a package as what they are, in the order of their names: the lines of a text, the
// outline of a file of a known format, the kind and size of a picture. Their digests are in the outline of the package.
func (r *Runner) writePacked(ctx context.Context, d *model.Document) error {
	if !d.Stacks || d.Payloads == nil {
		return nil
	}
	type asset struct {
		name string
		at   int
	}
	var assets []asset
	left := int64(packedTotal)
	for i := range min(d.Payloads.Len(), packedMost) {
		p := d.Payloads.At(i)
		if p.Problem != "" || p.Open == nil || p.Size > packedBytes {
			continue
		}
		if left -= max(p.Size, p.Stored.Size); left < 0 {
			break
		}
		assets = append(assets, asset{cmp.Or(p.Name, p.Key), i})
	}
	slices.SortStableFunc(assets, func(a, b asset) int { return strings.Compare(a.name, b.name) })
	out := bufio.NewWriterSize(r.Out, 64<<10)
	for _, a := range assets {
		if err := r.writeAsset(ctx, out, d, d.Payloads.At(a.at), a.name); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeAsset prints a block for an asset: a heading at the margin, and below it what it is.
func (r *Runner) writeAsset(ctx context.Context, out *bufio.Writer, d *model.Document, p *model.Payload,
	name string) error {
	src, err := d.Nested(ctx, p, packedBytes)
	if err != nil {
		return ctx.Err() // the outline has its problem
	}
	defer src.Close()
	in := &indented{out: &limited{out: out, lines: packedLines}, start: true}
	kind := contents.Of(src)
	if !kind.Known() {
		return r.writeBundle(ctx, out, in, src, name)
	}
	heading := fmt.Sprintf("[Content] %s: %s", model.OneLine(name, 400), kind.Name)
	view, err := contents.View(ctx, src)
	if err != nil {
		return ctx.Err()
	}
	switch v := view.(type) {
	case *text.Text:
		fmt.Fprintln(out, heading)
		_, err := io.WriteString(in, strings.TrimSuffix(v.Text, "\n")+"\n")
		return cmp.Or(ctx.Err(), ignoreLimit(err))
	case model.Picture:
		if size := v.Image.Bounds().Size(); strings.HasSuffix(kind.Name, " picture") { // not a font
			heading += fmt.Sprintf(", %d × %d pixels", size.X, size.Y)
		}
	}
	fmt.Fprintln(out, heading)
	return ctx.Err()
}

// writeBundle prints the outline of an asset that is a file of a known format. Of any other its digest says all.
func (r *Runner) writeBundle(ctx context.Context, out *bufio.Writer, in io.Writer, src *model.Source,
	name string) error {
	if r.OpenSource == nil {
		return nil
	}
	inner, err := r.OpenSource(ctx, src)
	if err != nil || inner.Format == model.UnknownFormat {
		return ctx.Err()
	}
	fmt.Fprintf(out, "[Content] %s: %s\n", model.OneLine(name, 400), inner.Kind())
	err = inner.OutlineNode(ctx, in, inner.Root(), model.OutlineOptions{Depth: -1, NoOffsets: true})
	return cmp.Or(ctx.Err(), ignoreLimit(err))
}

// errLines ends what is printed of an asset.
var errLines = fmt.Errorf("an asset has more than %d lines", packedLines)

func ignoreLimit(err error) error {
	if err == errLines {
		return nil
	}
	return err
}

// limited writes the first lines, and then says that there are more.
type limited struct {
	out   io.Writer
	lines int
}

// Write implements io.Writer; it fails with errLines after the last line.
func (l *limited) Write(b []byte) (int, error) {
	if l.lines == 0 {
		return 0, errLines
	}
	n, err := l.out.Write(b)
	if strings.HasSuffix(string(b), "\n") {
		if l.lines--; l.lines == 0 && err == nil {
			_, err = io.WriteString(l.out, "  …\n")
		}
	}
	return n, err
}
