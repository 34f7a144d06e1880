package gpb

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
)

// writeBMFont describes the characters of one size of a font as BMFont text (angelcode.com/products/bmfont), for the
// picture in the file page. The format has no ascent and no kerning: rows are as high as the size.
func writeBMFont(out io.Writer, f *Font, s *FontSize, page string) error {
	glyphs, err := s.Glyphs.All()
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	bold, italic := f.Style == 1 || f.Style == 4, f.Style == 2 || f.Style == 4
	fmt.Fprintf(w,
		"info face=%s size=%d bold=%d italic=%d charset=\"\" unicode=1 stretchH=100 smooth=1 aa=1 padding=0,0,0,0 "+
			"spacing=1,1 outline=0\n",
		quoted(f.Family), s.Size, bit(bold), bit(italic))
	fmt.Fprintf(w, "common lineHeight=%d base=%d scaleW=%d scaleH=%d pages=1 packed=0\n", s.Size, s.Size, s.Width,
		s.Height)
	fmt.Fprintf(w, "page id=0 file=%s\n", quoted(page))
	fmt.Fprintf(w, "chars count=%d\n", len(glyphs))
	for i := range glyphs {
		g := &glyphs[i]
		left, top := pixel(g.UV[0], s.Width), pixel(g.UV[1], s.Height)
		right, bottom := pixel(g.UV[2], s.Width), pixel(g.UV[3], s.Height)
		fmt.Fprintf(w, "char id=%d x=%d y=%d width=%d height=%d xoffset=%d yoffset=0 xadvance=%d page=0 chnl=15\n",
			g.Index, left, top, max(right-left, 0), max(bottom-top, 0), g.BearingX, s.advance(g))
	}
	return w.Flush()
}

// pixel turns a fraction of a picture into pixels; what is outside of it becomes its edge.
func pixel(fraction float32, size uint32) int {
	f := float64(fraction)
	if math.IsNaN(f) {
		return 0
	}
	return int(math.Round(min(max(f, 0), 1) * float64(size)))
}

// quoted is a value that may have spaces; the format knows no escapes.
func quoted(s string) string {
	return `"` + strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' {
			return '_'
		}
		return r
	}, s) + `"`
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
