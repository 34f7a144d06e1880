package paint

import (
	"image"
	"slices"
	"strings"
	"unicode/utf8"
)

// Recording is what a frame shows, besides its pixels: for tests, which read it as text.
type Recording struct {
	Clip    image.Rectangle // the frame
	Inks    []Ink
	Grounds []Ground
}

// Ink is a text or a named shape that was painted, as far as it can be seen.
type Ink struct {
	Box   image.Rectangle // from the pen to the pen, from the top of a capital letter to the baseline
	Text  string          // as it stands there: cut, and escaped
	Shape string          // the name of the shape; empty for a text
	Face  Face
	Color Color
}

// Ground is a rectangle that was filled. Later ones lie over earlier ones.
type Ground struct {
	Box   image.Rectangle
	Color Color
	After int // how many inks were there before
}

// Record has the frames that are painted from now on recorded; nil ends that.
func (s *Style) Record(r *Recording) { s.recording = r }

// text records a text whose pen went from x to end on a baseline.
func (r *Recording) text(c *Canvas, g *glyphs, x, end, y int, s string, col Color) {
	box := image.Rect(x, y-g.cap, end, y)
	if s == "" || !box.Overlaps(c.Clip) {
		return
	}
	if n := len(r.Inks); n > 0 { // a text may be painted one character at a time
		last := &r.Inks[n-1]
		if last.Shape == "" && last.Box.Max == image.Pt(x, y) && last.Face == g.face && last.Color == col {
			last.Text += s
			last.Box.Max.X = end
			return
		}
	}
	r.Inks = append(r.Inks, Ink{Box: box, Text: s, Face: g.face, Color: col})
}

func (r *Recording) shape(c *Canvas, box image.Rectangle, name string, col Color) {
	if box.Overlaps(c.Clip) {
		r.Inks = append(r.Inks, Ink{Box: box, Shape: name, Color: col})
	}
}

func (r *Recording) ground(box image.Rectangle, col Color) {
	r.Grounds = append(r.Grounds, Ground{Box: box, Color: col, After: len(r.Inks)})
}

// Ground returns the colour that lies under an ink.
func (r *Recording) Ground(ink int) Color {
	var col Color
	box := r.Inks[ink].Box
	middle := box.Min.Add(box.Max).Div(2)
	for _, g := range r.Grounds {
		if g.After <= ink && middle.In(g.Box) {
			col = g.Color
		}
	}
	return col
}

// Visible returns the inks that are not covered by what was painted later.
func (r *Recording) Visible() []Ink {
	var seen []Ink
	for i, ink := range r.Inks {
		covers := func(g Ground) bool { return g.After > i && g.Color.A == 0xff && ink.Box.In(g.Box) }
		if !slices.ContainsFunc(r.Grounds, covers) {
			seen = append(seen, ink)
		}
	}
	return seen
}

// escaped returns a text as it is painted.
func escaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if e := escape(r, s[i:i+n]); e != "" {
			b.WriteString(e)
		} else if !hidden(r) {
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}
