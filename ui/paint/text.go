package paint

import (
	"encoding/binary"
	"fmt"
	"image"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Align is the alignment of a label in its rectangle.
type Align uint8

// The alignments of a label.
const (
	AlignLeft Align = iota
	AlignCenter
	AlignRight
)

const ellipsis = '…'

// Text paints a string with its baseline at y and returns the painted width in pixels. A string wider than width is
// truncated and ends in an ellipsis; a width of 0 or less means no limit.
func (c *Canvas) Text(x, y int, s string, f Face, col Color, width int) int {
	g := c.faces[f]
	limit := int32(1<<31 - 1)
	if width > 0 && width < 1<<24 {
		limit = int32(width) << 6
		if g.measure(s, limit) > limit {
			limit -= g.glyphOf(ellipsis, 0).advance
			pen := c.run(g, x, y, s, col, max(0, limit))
			pen += c.run(g, x+int(pen>>6), y, string(ellipsis), col, 1<<30)
			return int(pen+63) >> 6
		}
	}
	return int(c.run(g, x, y, s, col, limit)+63) >> 6
}

// Label paints a string on the middle line of a rectangle, cut to its width, and returns the width painted.
func (c *Canvas) Label(r image.Rectangle, s string, f Face, col Color, align Align) int {
	if r.Dx() <= 0 || s == "" {
		return 0
	}
	x := r.Min.X
	if align != AlignLeft {
		if free := r.Dx() - c.MeasureUpTo(s, f, r.Dx()); free > 0 {
			if align == AlignCenter {
				free /= 2
			}
			x += free
		}
	}
	return c.Text(x, c.Baseline(r, f), s, f, col, r.Max.X-x)
}

// LabelMiddle is Label with AlignLeft, but truncates a long string in the middle: names that begin with the same
// text differ at the end.
func (c *Canvas) LabelMiddle(r image.Rectangle, s string, f Face, col Color) int {
	if r.Dx() <= 0 || c.MeasureUpTo(s, f, r.Dx()) <= r.Dx() {
		return c.Label(r, s, f, col, AlignLeft)
	}
	g, y := c.faces[f], c.Baseline(r, f)
	limit := max(0, int32(r.Dx())<<6-g.glyphOf(ellipsis, 0).advance)
	tail := g.tail(s, limit*3/5) // names often differ only at the end
	pen := c.run(g, r.Min.X, y, s, col, limit-g.measure(tail, limit))
	pen += c.run(g, r.Min.X+int(pen>>6), y, string(ellipsis), col, 1<<30)
	x := r.Min.X + int(pen+32)>>6
	return x - r.Min.X + int(c.run(g, x, y, tail, col, limit)+63)>>6
}

// tail returns the longest end of a string that fits into limit (26.6).
func (g *glyphs) tail(s string, limit int32) string {
	for start := len(s); ; {
		_, n := utf8.DecodeLastRuneInString(s[:start])
		if limit -= g.measure(s[start-n:start], limit); n == 0 || limit < 0 {
			return s[start:]
		}
		start -= n
	}
}

// Baseline returns the y of a baseline that puts text on the middle line of a rectangle.
func (c *Canvas) Baseline(r image.Rectangle, f Face) int {
	return r.Min.Y + (r.Dy()+c.faces[f].cap+1)/2
}

// Measure returns the width of a string in pixels.
func (c *Canvas) Measure(s string, f Face) int {
	return int(c.faces[f].measure(s, 1<<31-1)+63) >> 6
}

// MeasureUpTo returns the width of a string in pixels, or any value above limit if it is wider.
func (c *Canvas) MeasureUpTo(s string, f Face, limit int) int {
	return int(c.faces[f].measure(s, int32(min(limit, 1<<24))<<6)+63) >> 6
}

// CellWidth returns the width of one character of the mono face.
func (c *Canvas) CellWidth() int { return int(c.faces[Mono].glyphOf('0', 0).advance >> 6) }

// Rune paints one character with its pen at x and its baseline at y, and returns the pen's next x.
func (c *Canvas) Rune(x, y int, r rune, f Face, col Color) int {
	pen := int32(0)
	c.glyph(c.faces[f], x, y, r, &pen, col)
	end := x + int(pen+32)>>6
	if c.record != nil {
		c.record.text(c, c.faces[f], x, end, y, string(r), col)
	}
	return end
}

// measure returns the width of a string in 26.6 pixels, or limit+1 if it is wider than limit.
func (g *glyphs) measure(s string, limit int32) int32 {
	pen := int32(0)
	for i := 0; i < len(s); {
		if b := s[i]; b >= 0x20 && b < 0x7f {
			pen += g.glyphOf(rune(b), 0).advance
			i++
		} else {
			r, n := utf8.DecodeRuneInString(s[i:])
			if e := escape(r, s[i:i+n]); e != "" {
				for j := range len(e) {
					pen += g.glyphOf(rune(e[j]), 0).advance
				}
			} else if !isInvisible(r) {
				pen += g.glyphOf(r, 0).advance
			}
			i += n
		}
		if pen > limit || pen < 0 {
			return limit + 1
		}
	}
	return pen
}

// run paints as many whole characters as fit into limit (26.6) and returns the position of the pen.
func (c *Canvas) run(g *glyphs, x, y int, s string, col Color, limit int32) int32 {
	pen, n := c.characters(g, x, y, s, col, limit)
	if c.record != nil {
		c.record.text(c, g, x, x+int(pen+32)>>6, y, escapeAll(s[:n]), col)
	}
	return pen
}

// characters paints a string up to limit and returns its width and the number of painted bytes.
func (c *Canvas) characters(g *glyphs, x, y int, s string, col Color, limit int32) (pen int32, i int) {
	faint := col
	for i < len(s) && x+int(pen>>6) < c.Clip.Max.X {
		if b := s[i]; b >= 0x20 && b < 0x7f {
			gl := g.glyphOf(rune(b), pen)
			if pen+gl.advance > limit {
				return pen, i
			}
			c.blit(x+int(pen>>6)+gl.x, y+gl.y, &gl.stencil, col)
			pen += gl.advance
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if e := escape(r, s[i:i+n]); e != "" {
			faint.A = uint8(uint32(col.A) * 150 / 255)
			if pen+g.measure(e, limit) > limit {
				return pen, i
			}
			for j := range len(e) {
				c.glyph(g, x, y, rune(e[j]), &pen, faint)
			}
		} else if !isInvisible(r) {
			if pen+g.glyphOf(r, pen).advance > limit {
				return pen, i
			}
			c.glyph(g, x, y, r, &pen, col)
		}
		i += n
	}
	return pen, i
}

func (c *Canvas) glyph(g *glyphs, x, y int, r rune, pen *int32, col Color) {
	gl := g.glyphOf(r, *pen)
	c.blit(x+int(*pen>>6)+gl.x, y+gl.y, &gl.stencil, col)
	*pen += gl.advance
}

// blit blends a shape into the image. This is the inner loop of every page.
func (c *Canvas) blit(x, y int, s *stencil, col Color) {
	clip := c.Clip
	if c.Img == nil || x >= clip.Max.X || y >= clip.Max.Y || x+s.w <= clip.Min.X || y+s.h <= clip.Min.Y {
		return
	}
	inside := x >= clip.Min.X && y >= clip.Min.Y && x+s.w <= clip.Max.X && y+s.h <= clip.Max.Y
	base := uint((y-c.Img.Rect.Min.Y)*c.Img.Stride + (x-c.Img.Rect.Min.X)*4)
	src := toLanes(uint32(col.R) | uint32(col.G)<<8 | uint32(col.B)<<16 | 0xff<<24)
	alpha, stride, pix := uint64(col.A)+uint64(col.A>>7), uint(c.Img.Stride), c.Img.Pix
	for _, d := range s.dots {
		if !inside && !(image.Point{X: x + d.x(), Y: y + d.y()}).In(clip) {
			continue
		}
		at := base + uint(d>>20)*stride + uint(d>>6&0x3ffc)
		a := (uint64(d&0xff) + uint64(d>>7&1)) * alpha >> 8
		p := pix[at : at+4 : at+4]
		v := (src*a + toLanes(binary.LittleEndian.Uint32(p))*(256-a)) >> 8 & lanes
		binary.LittleEndian.PutUint32(p, uint32(v)|uint32(v>>24))
	}
}

// All four channels of a pixel are blended in one word: red, blue, green and alpha in lanes of 16 bits.
const lanes = 0x00ff00ff00ff00ff

func toLanes(p uint32) uint64 { return (uint64(p) | uint64(p)<<24) & lanes }

// escape returns the escape sequence of a character that must have no effect (controls, format and bidi characters,
// line and paragraph separators, noncharacters and bytes that are not UTF-8), or "" for any other.
func escape(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r == 0:
		return `\0`
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x300:
		if r == 0xad {
			return `\xad`
		}
		return ""
	case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp), r&0xfffe == 0xfffe:
		if r > 0xffff {
			return fmt.Sprintf(`\U%08x`, r)
		}
		return fmt.Sprintf(`\u%04x`, r)
	}
	return ""
}

// isInvisible reports whether r is a variation selector: it selects another form of the previous glyph and has none
// itself.
func isInvisible(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// escapeAll returns s as it is painted, with escape sequences.
func escapeAll(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if e := escape(r, s[i:i+n]); e != "" {
			b.WriteString(e)
		} else if !isInvisible(r) {
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}
