package document

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"path"
	"strings"

	"assay/formats/gpb"
	"assay/model"
)

// describeFontSize returns one size of a font: its picture, or a description of its characters for that picture.
func (p *payloads) describeFontSize(f *gpb.Font, s *gpb.FontSize, n *model.Node) *model.Payload {
	key := cmp.Or(f.ID, f.Family)
	if len(f.Sizes) > 1 {
		key += fmt.Sprintf("-%d", s.Size)
	}
	if s.Span != f.Span {
		n = nodeAt(n, s.Span, gpb.FontSizeType)
	}
	return p.objectPayload(n, key,
		model.Form{Name: "png", Extension: ".png", MediaType: "image/png",
			Write: func(_ context.Context, w io.Writer) error {
				return writeFontPNG(w, s, coverage)
			}},
		model.Form{Name: "png-alpha", Extension: ".png", MediaType: "image/png",
			Write: func(_ context.Context, w io.Writer) error {
				return writeFontPNG(w, s, opacity)
			}},
		model.Form{Name: "fnt", Extension: ".fnt", MediaType: mediaText, Extensions: []string{".fnt", ".png"},
			WriteFiles: func(_ context.Context, w io.Writer, file int, names []string) error {
				if file == 1 {
					return writeFontPNG(w, s, opacity)
				}
				return writeBMFont(w, f, s, path.Base(names[1]))
			}})
}

// fontColors is how the picture of a font becomes a picture of colors.
type fontColors bool

const (
	coverage fontColors = false // the values as they are
	opacity  fontColors = true  // white, with the values as opacity: what BMFont programs expect
)

// writeFontPNG writes the picture of one size of a font.
func writeFontPNG(w io.Writer, s *gpb.FontSize, colors fontColors) error {
	picture, err := s.Picture()
	if err != nil {
		return err
	}
	if colors == coverage {
		return png.Encode(w, picture)
	}
	out := image.NewNRGBA(picture.Rect)
	for i, v := range picture.Pix {
		copy(out.Pix[4*i:], []uint8{255, 255, 255, v})
	}
	return png.Encode(w, out)
}

// writeBMFont describes the characters of one size of a font as BMFont text (angelcode.com/products/bmfont), for the
// picture in the file page. A font of a bundle has no ascent and no kerning: rows are as high as the size.
func writeBMFont(out io.Writer, f *gpb.Font, s *gpb.FontSize, page string) error {
	glyphs, err := s.Glyphs.All()
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	bold, italic := f.Style == gpb.Bold || f.Style == gpb.BoldItalic, f.Style == gpb.Italic || f.Style == gpb.BoldItalic
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
		box := s.Box(g)
		fmt.Fprintf(w, "char id=%d x=%d y=%d width=%d height=%d xoffset=%d yoffset=0 xadvance=%d page=0 chnl=15\n",
			g.Index, box.Min.X, box.Min.Y, box.Dx(), box.Dy(), g.BearingX, s.Advance(g))
	}
	return w.Flush()
}

// quoted returns a value in quotes. The format has no escapes, so quotes in the value become underscores.
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
