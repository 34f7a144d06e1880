package paint

import (
	"image"
	"strings"
	"unicode/utf8"

	"golang.org/x/image/vector"
)

// Piece is a part of a text. A highlighted piece has a background of its own.
type Piece struct {
	Text        string
	Highlighted bool
}

// PlainPieces returns a text as one piece without highlight.
func PlainPieces(s string) []Piece { return []Piece{{Text: s}} }

// MarkPieces splits a text into pieces; those with marked bytes are highlighted.
func MarkPieces(text string, marks []bool) []Piece {
	var pieces []Piece
	from := 0
	for i := 1; i <= len(text); i++ {
		if i == len(text) || marks[i] != marks[from] {
			pieces = append(pieces, Piece{Text: text[from:i], Highlighted: marks[from]})
			from = i
		}
	}
	return pieces
}

// Highlight splits a text into pieces with all occurrences of the words, which are in lower case, highlighted. It
// returns nil if the text contains no word.
func Highlight(text string, words ...string) []Piece {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return nil
	}
	var marks []bool
	for _, w := range words {
		for from := 0; w != ""; {
			index := strings.Index(lower[from:], w)
			if index < 0 {
				break
			}
			if marks == nil {
				marks = make([]bool, len(text))
			}
			for k := range len(w) {
				marks[from+index+k] = true
			}
			from += index + len(w)
		}
	}
	if marks == nil {
		return nil
	}
	return MarkPieces(text, marks)
}

// JoinPieces returns the text of all pieces.
func JoinPieces(pieces []Piece) string {
	if len(pieces) == 1 {
		return pieces[0].Text
	}
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Pieces paints pieces side by side on the middle line of a rectangle, truncated to its width, and returns the painted
// width.
func (c *Canvas) Pieces(r image.Rectangle, pieces []Piece, f Face, col, highlight Color) int {
	g, y, pad := c.faces[f], c.Baseline(r, f), c.Px(2)
	edges := []int{r.Min.X}
	pen := int32(0) // 26.6, so that many pieces are as wide as one
	for i := 0; i < len(pieces) && edges[i] < r.Max.X; i++ {
		pen += g.measure(pieces[i].Text, int32(r.Dx()+1)<<6)
		edges = append(edges, r.Min.X+int(pen+32)>>6)
	}
	last := len(edges) - 1
	c.Clipped(r, func() {
		for i, p := range pieces[:last] { // all backgrounds first: they extend below the adjacent texts
			if p.Highlighted {
				c.Round(image.Rect(edges[i]-pad, r.Min.Y+pad, min(edges[i+1], r.Max.X)+pad, r.Max.Y-pad), c.Px(3),
					highlight)
			}
		}
		for i, p := range pieces[:last] {
			ink := col
			if p.Highlighted {
				ink = c.Colors.Legible(col, highlight)
			}
			c.Text(edges[i], y, p.Text, f, ink, r.Max.X-edges[i]+1)
		}
	})
	return min(edges[last], r.Max.X) - r.Min.X
}

// Wrap splits pieces into lines of at most width pixels: at line ends of the text, else between words if possible.
func (c *Canvas) Wrap(pieces []Piece, f Face, width int) [][]Piece {
	parts := make([]Piece, len(pieces))
	for i, p := range pieces {
		parts[i] = Piece{expandTabs.Replace(p.Text), p.Highlighted}
	}
	var lines [][]Piece
	for _, l := range c.faces[f].wrap(JoinPieces(parts), int32(min(width, 1<<24))<<6) {
		lines = append(lines, cut(parts, l.from, l.to))
	}
	return lines
}

var expandTabs = strings.NewReplacer("\r\n", "\n", "\t", "    ")

// cut returns the pieces of a range of the text, in bytes.
func cut(pieces []Piece, from, to int) []Piece {
	var out []Piece
	start := 0
	for _, p := range pieces {
		if a, b := max(from, start), min(to, start+len(p.Text)); a < b {
			out = append(out, Piece{p.Text[a-start : b-start], p.Highlighted})
		}
		start += len(p.Text)
	}
	return out
}

// span is a line's range of bytes in a text.
type span struct{ from, to int }

// mayBreak reports whether a line may end before byte i of s. It must not end within a number with commas or after a
// minus sign, but may end after a hyphen between words or groups of a UUID.
func mayBreak(s string, i int) bool {
	digit := func(index int) bool { return index >= 0 && index < len(s) && '0' <= s[index] && s[index] <= '9' }
	letter := func(index int) bool { return index >= 0 && 'a' <= s[index]|0x20 && s[index]|0x20 <= 'z' }
	switch s[i-1] {
	case ' ', ';', '/':
		return true
	case ',':
		return !digit(i)
	case '-':
		exponent := i >= 3 && (s[i-2] == 'e' || s[i-2] == 'E') && digit(i-3)
		return (digit(i-2) || letter(i-2)) && !exponent
	}
	return false
}

// wrap splits a text into lines of at most limit (26.6) width. Each line has at least one character.
func (g *glyphs) wrap(s string, limit int32) []span {
	var lines []span
	from, used := 0, int32(0)
	space, width := 0, int32(0) // index after the last possible line break, and the width up to there
	end := func(to, next int) { lines, from, space = append(lines, span{from, to}), next, 0 }
	for i := 0; i < len(s); {
		if s[i] == '\n' {
			end(i, i+1)
			used = 0
			i++
			continue
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		wide := g.measure(s[i:i+n], limit)
		if used+wide > limit && i > from {
			if s[i] == ' ' { // a space at the end of a line is not painted
				end(i, i+1)
				used = 0
				i++
				continue
			}
			if space > from && width > limit/3 {
				next := space
				for next < i && s[next] == ' ' {
					next++
				}
				end(len(strings.TrimRight(s[:space], " ")), next)
				used = g.measure(s[from:i], limit)
			} else {
				end(i, i)
				used = 0
			}
		}
		used += wide
		i += n
		if mayBreak(s, i) {
			space, width = i, used
		}
	}
	return append(lines, span{from, len(s)})
}

// Mask is a shape rasterized once, painted in any color.
type Mask struct{ stencil }

type maskKey struct {
	name string
	w, h int
}

// Pen draws a shape of a width and a height in a rasterizer.
type Pen struct {
	Z    *vector.Rasterizer
	W, H float32
}

// Polygon draws a polygon. corners are the coordinates x and y of each corner in the unit square.
func (p Pen) Polygon(corners ...float32) {
	p.Z.MoveTo(corners[0]*p.W, corners[1]*p.H)
	for i := 2; i+1 < len(corners); i += 2 {
		p.Z.LineTo(corners[i]*p.W, corners[i+1]*p.H)
	}
	p.Z.ClosePath()
}

// Mask returns the named shape at a size in pixels. draw is called if the shape is not in the atlas. A name must always
// refer to the same shape.
func (a *Atlas) Mask(name string, w, h int, draw func(p Pen)) *Mask {
	key := maskKey{name, w, h}
	m := a.masks[key]
	if m == nil {
		m = &Mask{}
		if w > 0 && h > 0 {
			a.raster.Reset(w, h)
			draw(Pen{&a.raster, float32(w), float32(h)})
			m.stencil = stencilFrom(&a.raster)
		}
		a.masks[key] = m
	}
	return m
}

// Mask paints a mask with its top left corner at x, y.
func (c *Canvas) Mask(x, y int, m *Mask, col Color) {
	if m != nil && c.Img != nil {
		c.blit(x, y, &m.stencil, col)
	}
}

// Shape paints the named shape of Atlas.Mask into a rectangle.
func (c *Canvas) Shape(r image.Rectangle, name string, col Color, draw func(p Pen)) {
	c.Mask(r.Min.X, r.Min.Y, c.faces[Regular].atlas.Mask(name, r.Dx(), r.Dy(), draw), col)
	if c.record != nil {
		c.record.shape(c, r, name, col)
	}
}

// Dot paints a dot half as large as a square, in its middle.
func (c *Canvas) Dot(r image.Rectangle, col Color) {
	c.Shape(Centered(r, image.Pt(r.Dx()/2, r.Dx()/2)), "paint.disc", col, disc)
}

// Swatch returns a func that paints a square of a color as a mark. If the color is transparent, its right half is
// blended with the background.
func Swatch(col Color) func(c *Canvas, r image.Rectangle, _ Color) {
	return func(c *Canvas, r image.Rectangle, _ Color) {
		solid := col
		solid.A = 255
		c.Fill(r, solid)
		if col.A < 255 {
			half := r
			half.Min.X += r.Dx() / 2
			c.Fill(half, c.Colors.Background)
			c.Fill(half, col)
		}
		c.Frame(r, max(1, int(c.Scale)), c.Colors.Faint)
	}
}

// Direction is the direction of a triangle.
type Direction uint8

// The directions of a triangle.
const (
	PointRight Direction = iota
	PointDown
	PointUp
	PointLeft
)

// Triangle paints a small triangle in the middle of a rectangle: closed and opened rows, sorted columns.
func (c *Canvas) Triangle(r image.Rectangle, d Direction, col Color) {
	side := min(r.Dx(), r.Dy())
	t := triangles[d]
	c.Shape(Centered(r, image.Pt(side, side)), t.name, col, func(p Pen) { p.Polygon(t.corners...) })
}

var triangles = [...]struct {
	name    string
	corners []float32
}{
	PointRight: {"paint.right", []float32{0.3, 0.12, 0.82, 0.5, 0.3, 0.88}},
	PointLeft:  {"paint.left", []float32{0.7, 0.12, 0.18, 0.5, 0.7, 0.88}},
	PointDown:  {"paint.down", []float32{0.12, 0.3, 0.88, 0.3, 0.5, 0.82}},
	PointUp:    {"paint.up", []float32{0.12, 0.7, 0.88, 0.7, 0.5, 0.18}},
}

// Round paints a rectangle with round ends or corners: scroll bar thumbs, badges. The radius is in pixels.
func (c *Canvas) Round(r image.Rectangle, radius int, col Color) {
	radius = min(radius, r.Dx()/2, r.Dy()/2)
	if radius < 1 {
		c.Fill(r, col)
		return
	}
	m := c.faces[Regular].atlas.Mask("paint.disc", 2*radius, 2*radius, disc)
	corner := func(x, y, cx, cy int) {
		c.Clipped(image.Rect(cx, cy, cx+radius, cy+radius), func() { c.Mask(x, y, m, col) })
	}
	corner(r.Min.X, r.Min.Y, r.Min.X, r.Min.Y)
	corner(r.Max.X-2*radius, r.Min.Y, r.Max.X-radius, r.Min.Y)
	corner(r.Min.X, r.Max.Y-2*radius, r.Min.X, r.Max.Y-radius)
	corner(r.Max.X-2*radius, r.Max.Y-2*radius, r.Max.X-radius, r.Max.Y-radius)
	c.Fill(image.Rect(r.Min.X+radius, r.Min.Y, r.Max.X-radius, r.Max.Y), col)
	c.Fill(image.Rect(r.Min.X, r.Min.Y+radius, r.Min.X+radius, r.Max.Y-radius), col)
	c.Fill(image.Rect(r.Max.X-radius, r.Min.Y+radius, r.Max.X, r.Max.Y-radius), col)
}

func disc(p Pen) {
	const k = 0.5523 // a quarter of a circle as a cubic
	z, w, h := p.Z, p.W, p.H
	x, y := w/2, h/2
	z.MoveTo(w, y)
	z.CubeTo(w, y+y*k, x+x*k, h, x, h)
	z.CubeTo(x-x*k, h, 0, y+y*k, 0, y)
	z.CubeTo(0, y-y*k, x-x*k, 0, x, 0)
	z.CubeTo(x+x*k, 0, w, y-y*k, w, y)
	z.ClosePath()
}
