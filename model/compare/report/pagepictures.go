package report

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/image/draw"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/model/render"
	"assay/model/scene"
)

const (
	pagePicture  = 480 // edge of the pictures of both sides, in pixels
	thingPicture = 240 // of those of things
	pictureTime  = 20 * time.Second
	pageLines    = 200 // of a text on a page
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

// image embeds a picture; nil is none.
func (w *page) image(name string, img image.Image) {
	if img == nil {
		return
	}
	var b bytes.Buffer
	if png.Encode(&b, img) != nil {
		return
	}
	w.put("<img alt=\"%s\" src=\"data:image/png;base64,%s\">", escaped(name),
		base64.StdEncoding.EncodeToString(b.Bytes()))
}

// scenes draws the scenes of both files in the colors of what changed; nothing if they are not two scenes that differ.
func (w *page) scenes(ctx context.Context) (both [2]image.Image) {
	ctx, cancel := context.WithTimeout(ctx, pictureTime)
	defer cancel()
	var of [2]*scene.Scene
	for i, d := range []*model.Document{w.c.Old, w.c.New} {
		if d.View == nil {
			return both
		}
		v, err := d.View(ctx, d.Root())
		s, is := v.(*scene.Scene)
		if err != nil || !is {
			return both
		}
		of[i] = s
	}
	found, err := contents.CompareScenes(ctx, w.c, of[0], of[1])
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
	w.found = found
	return both
}

// legend says what the colors of the scenes mean.
func (w *page) legend() {
	s := w.found
	if s == nil {
		return
	}
	hex := func(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
	w.put("<p class=\"legend\">")
	for status, n := range s.Counts.Each() {
		w.put("<span><i style=\"background:%s\"></i>%s %s</span>", hex(status.Color(compare.OnScene)), humanize.Comma(n),
			status)
	}
	if s.Vertices > 0 {
		w.put("<span><i class=\"ramp\" style=\"background:linear-gradient(90deg,%s,%s,%s)\"></i>%s moved, up to %.3g</span>",
			hex(contents.DistanceColor(0)), hex(contents.DistanceColor(.5)), hex(contents.DistanceColor(1)),
			model.Count(s.Vertices, "position"), s.Furthest)
	}
	w.put("</p>\n")
}

// contents shows what both versions of something look like: pictures with their difference, the lines of texts.
func (w *page) contents(old, new any) {
	if t := contents.TextsOf(old, new); t != nil {
		w.texts(t)
		return
	}
	a, b := pictureOf(old), pictureOf(new)
	if a == nil && b == nil {
		return
	}
	w.put("<div class=\"looks\">")
	one := func(caption string, img image.Image) {
		if img == nil {
			return
		}
		w.pictures--
		w.put("<figure>")
		w.image(caption, scaledDown(img))
		w.put("<figcaption>%s</figcaption></figure>", caption)
	}
	one("old", a)
	one("new", b)
	if a != nil && b != nil {
		d, pixels := contents.Difference(a, b, 4)
		if pixels.Changed > 0 {
			outline(d, pixels.Region)
			one("difference (amplified 4×)", d)
		}
	}
	w.put("</div>")
}

// samePixels reports whether there are two pictures that do not differ.
func samePixels(a, b image.Image) bool {
	x, is := a.(*image.NRGBA)
	y, both := b.(*image.NRGBA)
	return is && both && x.Rect == y.Rect && bytes.Equal(x.Pix, y.Pix)
}

func pictureOf(v any) image.Image {
	p, ok := v.(model.Picture)
	if !ok || p.Image == nil {
		return nil
	}
	return p.Image
}

// outline draws the edges of the region that changed, as thick as is seen when the picture is made small.
func outline(img *image.NRGBA, r image.Rectangle) {
	thick := max(1, max(img.Rect.Dx(), img.Rect.Dy())/thingPicture)
	line := image.NewUniform(color.NRGBA{0x3f, 0xa0, 0xff, 0xff})
	for _, side := range []image.Rectangle{
		image.Rect(r.Min.X-thick, r.Min.Y-thick, r.Max.X+thick, r.Min.Y),
		image.Rect(r.Min.X-thick, r.Max.Y, r.Max.X+thick, r.Max.Y+thick),
		image.Rect(r.Min.X-thick, r.Min.Y, r.Min.X, r.Max.Y), image.Rect(r.Max.X, r.Min.Y, r.Max.X+thick, r.Max.Y)} {
		draw.Draw(img, side.Intersect(img.Rect), line, image.Point{}, draw.Src)
	}
}

// scaledDown makes a picture as small as those of things are. One of few pixels is made larger, pixel by pixel.
func scaledDown(img image.Image) image.Image {
	size := img.Bounds().Size()
	long := max(size.X, size.Y, 1)
	w, h := max(1, size.X*thingPicture/long), max(1, size.Y*thingPicture/long)
	var scale draw.Scaler = draw.ApproxBiLinear
	if long <= thingPicture {
		times := max(1, thingPicture/long)
		w, h, scale = size.X*times, size.Y*times, draw.NearestNeighbor
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	scale.Scale(out, out.Rect, img, img.Bounds(), draw.Src, nil)
	return out
}

// texts writes what differs between two texts as a table.
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
			marked(r.OldText, escaped))
		w.put("<td class=\"number\">%s</td><td class=\"code\">%s</td></tr>\n", number(r.New), marked(r.NewText, escaped))
		return nil
	})
	w.put("</tbody></table>\n")
}
