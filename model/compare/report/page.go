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
	pagePicture = 480 // edge of the pictures of both sides, in pixels
	itemPicture = 240 // edge of the pictures of items
	pictureTime = 20 * time.Second
	pageLines   = 200 // lines of a text on a page at most
)

// documentPicture draws a document; nil if there is nothing to draw in it.
func documentPicture(ctx context.Context, d *model.Document) image.Image {
	ctx, cancel := context.WithTimeout(ctx, pictureTime)
	defer cancel()
	img, err := (&render.Painter{Size: pagePicture}).Thumbnail(ctx, d)
	if err != nil {
		return nil
	}
	return img
}

// image embeds a picture unless it is nil.
func (w *page) image(name string, img image.Image) {
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

// scenes draws the scenes of both files colored by their changes, or returns nil if they are not two scenes that
// differ.
func (w *page) scenes(ctx context.Context) (both [2]image.Image) {
	ctx, cancel := context.WithTimeout(ctx, pictureTime)
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
		img := image.NewNRGBA(image.Rect(0, 0, pagePicture, pagePicture))
		r := render.Renderer{Samples: 2, Soft: true}
		if r.Draw(ctx, img, m, render.ThreeQuarter) == nil {
			both[i] = img
		}
	}
	w.marked = found
	return both
}

// legend writes the meaning of the colors of the scenes.
func (w *page) legend() {
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
	if s.Vertices > 0 {
		w.put("<span><i class=\"ramp\" style=\"background:linear-gradient(90deg,%s,%s,%s)\"></i>%s moved, by up to %.3g</span>",
			hex(contents.DistanceColor(0)), hex(contents.DistanceColor(.5)), hex(contents.DistanceColor(1)),
			model.Count(s.Vertices, "position"), s.Furthest)
	}
	w.put("</p>\n")
}

// contents writes both versions of a content: pictures with their difference, the lines of texts.
func (w *page) contents(old, new any) {
	if t := contents.TextsOf(old, new, w.c.Options.Texts); t != nil {
		w.texts(t)
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
		w.image(caption, scaledDown(img))
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
	thick := max(1, max(img.Rect.Dx(), img.Rect.Dy())/itemPicture)
	line := image.NewUniform(color.NRGBA{0x3f, 0xa0, 0xff, 0xff})
	for _, side := range []image.Rectangle{
		image.Rect(r.Min.X-thick, r.Min.Y-thick, r.Max.X+thick, r.Min.Y),
		image.Rect(r.Min.X-thick, r.Max.Y, r.Max.X+thick, r.Max.Y+thick),
		image.Rect(r.Min.X-thick, r.Min.Y, r.Min.X, r.Max.Y), image.Rect(r.Max.X, r.Min.Y, r.Max.X+thick, r.Max.Y)} {
		draw.Draw(img, side.Intersect(img.Rect), line, image.Point{}, draw.Src)
	}
}

// scaledDown reduces a picture to the size for items. A picture of few pixels is enlarged, pixel by pixel.
func scaledDown(img image.Image) image.Image {
	size := img.Bounds().Size()
	long := max(size.X, size.Y, 1)
	w, h := max(1, size.X*itemPicture/long), max(1, size.Y*itemPicture/long)
	var scale draw.Scaler = draw.ApproxBiLinear
	if long <= itemPicture {
		times := max(1, itemPicture/long)
		w, h, scale = size.X*times, size.Y*times, draw.NearestNeighbor
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	scale.Scale(out, out.Rect, img, img.Bounds(), draw.Src, nil)
	return out
}

// texts writes the differences between two texts as a table.
func (w *page) texts(t *contents.Diff) {
	if t.Counts.Differences() == 0 {
		return
	}
	w.put("<table class=\"lines\"><tbody>\n")
	left := pageLines
	_ = t.Hunks(textContext, func(r contents.Row, first bool) error {
		if left--; left < 0 {
			w.put("<tr><td></td><td>…</td><td></td><td>…</td></tr>\n")
			return io.EOF
		}
		if first && left < pageLines-1 {
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
	rowsOpen   = 60   // rows that are visible at once; more are folded
	rowsOnPage = 3000 // rows that the page lists
	rowsOfItem = 100  // rows of one item, such as a mesh, besides rows of items in it
)

// rows writes the rows, and every range of bytes, up to a limit for each item and for all.
func (w *page) rows(ctx context.Context) error {
	c := w.c
	open := ""
	if c.Counts().Differences() <= rowsOpen {
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
		w.byteRange(changes.RangeLine(e, changes.BlockOf(c.Old), changes.BlockOf(c.New)), changes.StatusOf(e))
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
	within  []rowsOf // the items that contain the current row, the outermost first
	listed  int
	omitted int64
}

// rowsOf counts the rows of an item.
type rowsOf struct {
	node    *model.Node
	name    string
	listed  int
	omitted int64
}

// add writes a row, or counts it if there are too many.
func (l *rowList) add(p *compare.Pair) {
	if l.listed == rowsOnPage {
		if !p.IsParent() {
			l.omitted++
		}
		return
	}
	for len(l.within) > 0 && !isIn(l.within[len(l.within)-1].node, p) {
		l.closeFrom(len(l.within) - 1)
	}
	if t, ok := l.c.ItemOf(p); ok {
		name := strings.TrimSpace(t.Kind + " " + changes.NameOf(p.Node()))
		l.within = append(l.within, rowsOf{node: p.Node(), name: name})
	}
	if p.IsParent() {
		l.row(p, l.paths.PathOf(p))
		return
	}
	if k := len(l.within) - 1; k >= 0 {
		if t := &l.within[k]; t.listed == rowsOfItem {
			t.omitted++
			l.omitted++
			return
		}
		l.within[k].listed++
	}
	l.listed++
	l.row(p, l.paths.PathOf(p))
}

// closeFrom ends the items from index first on, and writes the numbers of omitted rows.
func (l *rowList) closeFrom(first int) {
	for _, t := range l.within[first:] {
		if t.omitted > 0 && l.listed < rowsOnPage {
			l.put("<tr class=more><td><td colspan=3>and %s more in %s\n", model.FormatCount(t.omitted), escape(t.name))
		}
	}
	l.within = l.within[:first]
}

// isIn reports whether the pair of n contains p.
func isIn(n *model.Node, p *compare.Pair) bool {
	for ; p != nil; p = p.Parent() {
		if p.Node() == n {
			return true
		}
	}
	return false
}

func (w *page) row(p *compare.Pair, path string) {
	l := changes.LineAt(p, path, &w.blocks)
	status := p.Status.String()
	if p.IsParent() {
		status = ""
	}
	w.put("<tr class=%s><td>%s<td>%s <i>%s</i>", cmp.Or(status, "parent"), status, breakable(l.Path), escape(l.What))
	if l.Part.From != "" {
		w.put("<br>%s", breakable(l.Part.From))
	}
	l.Part.From = ""
	w.values(p.Status, l.Part)
	w.put("\n")
}

// byteRange writes a range of bytes that differs.
func (w *page) byteRange(l changes.Line, st compare.Status) {
	w.put("<tr class=%s><td>%s<td>%s %s<td colspan=2>%s\n", st, st, escape(l.Path), escape(l.What), escape(l.Change))
}

// values writes the old and the new value of a change, with the differences highlighted, or the change as one text.
func (w *page) values(status compare.Status, part contents.PartChange) {
	isTransform := func(part contents.PartChange) bool { return part.How == contents.ValueChanged }
	switch {
	case status == compare.Added:
		w.put("<td><td>%s", breakable(part.Value()))
	case status == compare.Removed:
		w.put("<td>%s<td>", breakable(part.Value()))
	case slices.ContainsFunc(part.Inside, isTransform):
		w.transform(part.Inside)
	case part.Old != "" && part.New != "":
		a, b := contents.Words(part.Old, part.New)
		w.put("<td>%s<td>%s", withMarks(a, breakable), withMarks(b, breakable))
	default:
		w.put("<td colspan=2>%s", breakable(part.Value()))
	}
}

// transform writes the parts of a transform that differ.
func (w *page) transform(parts []contents.PartChange) {
	for side := range 2 {
		w.put("<td><dl>")
		for _, t := range parts {
			a, b := contents.Words(t.Old, t.New)
			w.put("<dt>%s<dd>%s", t.Field, withMarks([2][]contents.Piece{a, b}[side], breakable))
		}
		w.put("</dl>")
	}
}
