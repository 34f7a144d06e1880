package report

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/image/draw"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
	"assay/model/render"
	"assay/model/scene"
)

const (
	pictureSize     = 480 // edge of the pictures of both sides, in pixels
	itemPictureSize = 240 // edge of the pictures of items
	pictureTimeout  = 20 * time.Second
	maxPageLines    = 200 // lines of a text on a page at most
)

// documentPicture draws a document; nil if there is nothing to draw in it.
func documentPicture(ctx context.Context, d *model.Document) image.Image {
	ctx, cancel := context.WithTimeout(ctx, pictureTimeout)
	defer cancel()
	img, err := (&render.Painter{Size: pictureSize}).Thumbnail(ctx, d)
	if err != nil {
		return nil
	}
	return img
}

// writeImage embeds a picture unless it is nil.
func (w *page) writeImage(name string, img image.Image) {
	if img == nil {
		return
	}
	var b bytes.Buffer
	if png.Encode(&b, img) != nil {
		return
	}
	w.put("<img alt=\"%s\" src=\"data:image/png;base64,%s\">", escape(name),
		base64.StdEncoding.EncodeToString(b.Bytes()))
}

// drawScenes draws the scenes of both files colored by their changes, or returns nil if they are not two scenes that
// differ.
func (w *page) drawScenes(ctx context.Context) (both [2]image.Image) {
	ctx, cancel := context.WithTimeout(ctx, pictureTimeout)
	defer cancel()
	var scenes [2]*scene.Scene
	for i, d := range []*model.Document{w.c.Old, w.c.New} {
		if d.View == nil {
			return both
		}
		v, err := d.View(ctx, d.Root())
		s, ok := v.(*scene.Scene)
		if err != nil || !ok {
			return both
		}
		scenes[i] = s
	}
	found, err := contents.CompareScenes(ctx, w.c, scenes[0], scenes[1])
	if err != nil || found.Counts.Differences() == 0 {
		return both
	}
	a, err := render.Load(ctx, found.Old)
	if err != nil {
		return both
	}
	b, err := render.Load(ctx, found.New)
	if err != nil {
		return both
	}
	a.FrameWith(b)
	b.FrameWith(a)
	for i, m := range []*render.Model{a, b} {
		img := image.NewNRGBA(image.Rect(0, 0, pictureSize, pictureSize))
		r := render.Renderer{Samples: 2, Soft: true}
		if r.Draw(ctx, img, m, render.ThreeQuarter) == nil {
			both[i] = img
		}
	}
	w.marked = found
	return both
}

// writeLegend writes the meaning of the colors of the scenes.
func (w *page) writeLegend() {
	s := w.marked
	if s == nil {
		return
	}
	hex := func(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
	w.put("<p class=\"legend\">")
	for status, n := range s.Counts.Each() {
		w.put("<span><i style=\"background:%s\"></i>%s %s</span>", hex(status.Color(compare.OnScene)), model.FormatCount(n),
			status)
	}
	if s.MovedVertices > 0 {
		w.put("<span><i class=\"ramp\" style=\"background:linear-gradient(90deg,%s,%s,%s)\"></i>%s moved, by up to %.3g</span>",
			hex(contents.DistanceColor(0)), hex(contents.DistanceColor(.5)), hex(contents.DistanceColor(1)),
			model.Count(s.MovedVertices, "position"), s.MaxDistance)
	}
	w.put("</p>\n")
}

// writeContents writes both versions of a content: pictures with their difference, the lines of texts.
func (w *page) writeContents(old, new any) {
	if t := contents.DiffOf(old, new, w.c.Options.Texts); t != nil {
		w.writeTexts(t)
		return
	}
	a, b := pictureOf(old), pictureOf(new)
	if a == nil && b == nil {
		return
	}
	w.put("<div class=\"looks\">")
	figure := func(caption string, img image.Image) {
		if img == nil {
			return
		}
		w.pictures--
		w.put("<figure>")
		w.writeImage(caption, scaleToItem(img))
		w.put("<figcaption>%s</figcaption></figure>", caption)
	}
	figure("old", a)
	figure("new", b)
	if a != nil && b != nil {
		d, pixels := contents.Difference(a, b, 4)
		if pixels.Changed > 0 {
			outline(d, pixels.Region)
			figure("difference (amplified 4×)", d)
		}
	}
	w.put("</div>")
}

// samePixels reports whether there are two pictures that do not differ.
func samePixels(a, b image.Image) bool {
	x, ok := a.(*image.NRGBA)
	y, both := b.(*image.NRGBA)
	return ok && both && x.Rect == y.Rect && bytes.Equal(x.Pix, y.Pix)
}

func pictureOf(v any) image.Image {
	p, ok := v.(model.Picture)
	if !ok || p.Image == nil {
		return nil
	}
	return p.Image
}

// outline draws the edges of the changed region, thick enough to be visible when the picture is reduced.
func outline(img *image.NRGBA, r image.Rectangle) {
	width := max(1, max(img.Rect.Dx(), img.Rect.Dy())/itemPictureSize)
	line := image.NewUniform(color.NRGBA{0x3f, 0xa0, 0xff, 0xff})
	for _, side := range []image.Rectangle{
		image.Rect(r.Min.X-width, r.Min.Y-width, r.Max.X+width, r.Min.Y),
		image.Rect(r.Min.X-width, r.Max.Y, r.Max.X+width, r.Max.Y+width),
		image.Rect(r.Min.X-width, r.Min.Y, r.Min.X, r.Max.Y), image.Rect(r.Max.X, r.Min.Y, r.Max.X+width, r.Max.Y)} {
		draw.Draw(img, side.Intersect(img.Rect), line, image.Point{}, draw.Src)
	}
}

// scaleToItem scales a picture to the size for items: a small one by a whole factor, pixel by pixel.
func scaleToItem(img image.Image) image.Image {
	size := img.Bounds().Size()
	long := max(size.X, size.Y, 1)
	w, h := max(1, size.X*itemPictureSize/long), max(1, size.Y*itemPictureSize/long)
	var scale draw.Scaler = draw.ApproxBiLinear
	if long <= itemPictureSize {
		times := max(1, itemPictureSize/long)
		w, h, scale = size.X*times, size.Y*times, draw.NearestNeighbor
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	scale.Scale(out, out.Rect, img, img.Bounds(), draw.Src, nil)
	return out
}

// writeTexts writes the differences between two texts as a table.
func (w *page) writeTexts(t *contents.Diff) {
	if t.Counts.Differences() == 0 {
		return
	}
	w.put("<table class=\"lines\"><tbody>\n")
	remaining := maxPageLines
	_ = t.Hunks(textContext, func(r contents.Row, first bool) error {
		if remaining--; remaining < 0 {
			w.put("<tr><td></td><td>…</td><td></td><td>…</td></tr>\n")
			return io.EOF
		}
		if first && remaining < maxPageLines-1 {
			w.put("<tr class=\"gap\"><td colspan=\"4\"></td></tr>\n")
		}
		number := func(n int) string {
			if n == 0 {
				return ""
			}
			return fmt.Sprint(n)
		}
		w.put("<tr class=\"%s\"><td class=\"number\">%s</td><td class=\"code\">%s</td>", r.Status, number(r.Old),
			withMarks(r.OldText, escape))
		w.put("<td class=\"number\">%s</td><td class=\"code\">%s</td></tr>\n", number(r.New), withMarks(r.NewText, escape))
		return nil
	})
	w.put("</tbody></table>\n")
}

const (
	maxOpenRows = 60   // rows that are visible at once; more are folded
	maxPageRows = 3000 // rows that the page lists
	maxItemRows = 100  // rows of one item, such as a mesh, besides rows of items in it
)

// writeRows writes the rows, up to a limit for each item and for all, and then the ranges of bytes.
func (w *page) writeRows(ctx context.Context) error {
	c := w.c
	open := ""
	if c.Counts().Differences() <= maxOpenRows {
		open = " open"
	}
	w.put("<details%s><summary>All changes: %s</summary>\n", open, escape(changes.Summary(c)))
	w.put("<table class=\"rows\"><thead><tr><th><th>Where<th>Old<th>New</thead><tbody>\n")
	listed := rowList{page: w}
	err := c.Changes(func(p *compare.Pair) error { listed.add(p); return ctx.Err() })
	listed.closeFrom(0)
	if err != nil {
		return err
	}
	for e := range changes.Ranges(c) {
		w.writeRange(changes.RangeLine(e, changes.BlockOf(c.Old), changes.BlockOf(c.New)), changes.StatusOfRange(e))
	}
	w.put("</tbody></table>\n")
	if listed.omitted > 0 {
		w.put("<p class=\"note\">%s not listed. For all rows, save the report as text, Markdown, or JSON: "+
			"<code>assay diff --as text OLD NEW</code></p>\n", model.Count(listed.omitted, "row"))
	}
	w.put("</details>\n")
	return nil
}

// rowList writes rows, and for each item the number of omitted rows.
type rowList struct {
	*page
	paths   compare.RowPaths
	items   []itemRows // the items that contain the current row, the outermost first
	listed  int
	omitted int64
}

// itemRows counts the rows of an item.
type itemRows struct {
	node    *model.Node
	name    string
	listed  int
	omitted int64
}

// add writes a row, or counts it if there are too many.
func (l *rowList) add(p *compare.Pair) {
	if l.listed == maxPageRows {
		if !p.IsParent() {
			l.omitted++
		}
		return
	}
	for len(l.items) > 0 && !contains(l.items[len(l.items)-1].node, p) {
		l.closeFrom(len(l.items) - 1)
	}
	if t, ok := l.c.ItemOf(p); ok {
		name := strings.TrimSpace(t.Kind + " " + changes.NameOf(p.Node()))
		l.items = append(l.items, itemRows{node: p.Node(), name: name})
	}
	if p.IsParent() {
		l.writeRow(p, l.paths.PathOf(p))
		return
	}
	if k := len(l.items) - 1; k >= 0 {
		if t := &l.items[k]; t.listed == maxItemRows {
			t.omitted++
			l.omitted++
			return
		}
		l.items[k].listed++
	}
	l.listed++
	l.writeRow(p, l.paths.PathOf(p))
}

// closeFrom ends the items from index first on, and writes the numbers of omitted rows.
func (l *rowList) closeFrom(first int) {
	for _, t := range l.items[first:] {
		if t.omitted > 0 && l.listed < maxPageRows {
			l.put("<tr class=more><td><td colspan=3>and %s more in %s\n", model.FormatCount(t.omitted), escape(t.name))
		}
	}
	l.items = l.items[:first]
}

// contains reports whether the pair of n contains p.
func contains(n *model.Node, p *compare.Pair) bool {
	for ; p != nil; p = p.Parent() {
		if p.Node() == n {
			return true
		}
	}
	return false
}

func (w *page) writeRow(p *compare.Pair, path string) {
	l := changes.LineWithPath(p, path, &w.blocks)
	status := p.Status.String()
	if p.IsParent() {
		status = ""
	}
	w.put("<tr class=%s><td>%s<td>%s <i>%s</i>", cmp.Or(status, "parent"), status, breakable(l.Path), escape(l.What))
	if l.Part.From != "" {
		w.put("<br>%s", breakable(l.Part.From))
	}
	l.Part.From = ""
	w.writeValues(p.Status, l.Part)
	w.put("\n")
}

// writeRange writes a range of bytes that differs.
func (w *page) writeRange(l changes.Line, st compare.Status) {
	w.put("<tr class=%s><td>%s<td>%s %s<td colspan=2>%s\n", st, st, escape(l.Path), escape(l.What), escape(l.Change))
}

// writeValues writes the old and the new value of a change, with the differences highlighted, or the change as one
// text.
func (w *page) writeValues(status compare.Status, part contents.PartChange) {
	isTransform := func(part contents.PartChange) bool { return part.How == contents.ValueChanged }
	switch {
	case status == compare.Added:
		w.put("<td><td>%s", breakable(part.Value()))
	case status == compare.Removed:
		w.put("<td>%s<td>", breakable(part.Value()))
	case slices.ContainsFunc(part.Inside, isTransform):
		w.writeTransform(part.Inside)
	case part.Old != "" && part.New != "":
		a, b := contents.MarkWords(part.Old, part.New)
		w.put("<td>%s<td>%s", withMarks(a, breakable), withMarks(b, breakable))
	default:
		w.put("<td colspan=2>%s", breakable(part.Value()))
	}
}

// writeTransform writes the parts of a transform that differ.
func (w *page) writeTransform(parts []contents.PartChange) {
	for side := range 2 {
		w.put("<td><dl>")
		for _, t := range parts {
			a, b := contents.MarkWords(t.Old, t.New)
			w.put("<dt>%s<dd>%s", t.Field, withMarks([2][]contents.Piece{a, b}[side], breakable))
		}
		w.put("</dl>")
	}
}
