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
	"sync"

	"assay/formats/gpb"
	"assay/model"
	"assay/model/font"
)

// maxGlyphs is the maximum number of glyphs of a size. One with more has no boxes, and no text is set in it.
const maxGlyphs = 20_000

// fontView returns some sizes of a font: their pictures with the boxes of their glyphs, and a function that sets text
// in them.
func fontView(sizes ...*gpb.FontSize) (model.View, error) {
	if len(sizes) == 0 {
		return nil, nil
	}
	first := sizes[0]
	picture, err := first.Picture()
	for _, s := range sizes[1:] { // a damaged one does not hide the others
		if err == nil {
			break
		}
		if valid, e := s.Picture(); e == nil {
			first, picture, err = s, valid, nil
		}
	}
	if err != nil {
		return nil, err
	}
	p := model.Picture{Image: picture, Format: glyphCount(sizes) + " · " + pixelFormat(first),
		Boxes: boxes(first), Lines: textLines(sizes)}
	if len(sizes) > 1 {
		for _, s := range sizes {
			p.Parts = append(p.Parts, model.Part{Name: fmt.Sprintf("%d px, %d × %d", s.Size, s.Width, s.Height),
				Boxes: boxes(s), Load: func(context.Context) (image.Image, error) {
					img, err := s.Picture()
					if err != nil {
						return nil, err
					}
					return img, nil
				}})
		}
	}
	return p, nil
}

// textLines returns a function that sets a text in each size of a font, which is read once.
func textLines(sizes []*gpb.FontSize) func(ctx context.Context, text string) ([]model.Line, error) {
	var bitmaps []func() (*font.Bitmap, error)
	for _, s := range sizes {
		bitmaps = append(bitmaps, sync.OnceValues(func() (*font.Bitmap, error) { return bitmap(s) }))
	}
	return func(ctx context.Context, text string) (lines []model.Line, err error) {
		for i, s := range sizes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			b, err := bitmaps[i]()
			l := model.Line{Name: fmt.Sprintf("%d px", s.Size)}
			if err != nil {
				l.Name += ": " + strings.TrimPrefix(err.Error(), "gpb: ")
				l.Alpha = image.NewAlpha(image.Rect(0, 0, 1, 1))
			} else {
				l.Alpha, l.Missing = b.Line(text)
			}
			lines = append(lines, l)
		}
		return lines, nil
	}
}

func pixelFormat(s *gpb.FontSize) string {
	if s.Format == gpb.DistanceField {
		return "distance field, 8 bits"
	}
	return "coverage, 8 bits"
}

// glyphCount returns the number of glyphs of each size of a font, or the smallest and the largest number.
func glyphCount(sizes []*gpb.FontSize) string {
	fewest, most := sizes[0].Glyphs.Count, sizes[0].Glyphs.Count
	for _, s := range sizes {
		fewest, most = min(fewest, s.Glyphs.Count), max(most, s.Glyphs.Count)
	}
	if fewest < most {
		return model.FormatCount(fewest) + " to " + model.Count(most, "glyph")
	}
	return model.Count(most, "glyph")
}

// boxes returns the boxes of the glyphs that are in the picture.
func boxes(s *gpb.FontSize) (boxes []model.Box) {
	if s.Glyphs.Count > maxGlyphs {
		return nil
	}
	glyphs, err := s.Glyphs.All()
	if err != nil {
		return nil
	}
	for i := range glyphs {
		if r := s.Box(&glyphs[i]); !r.Empty() {
			boxes = append(boxes, model.Box{Rectangle: r, Name: gpb.Character(glyphs[i].Index), Span: s.Glyphs.Span(i)})
		}
	}
	return boxes
}

// bitmap returns a size of a font for setting text in it.
func bitmap(s *gpb.FontSize) (*font.Bitmap, error) {
	picture, err := s.Picture()
	if err != nil {
		return nil, err
	}
	if s.Glyphs.Count > maxGlyphs {
		return nil, fmt.Errorf("%d glyphs are too many", s.Glyphs.Count)
	}
	glyphs, err := s.Glyphs.All()
	if err != nil {
		return nil, err
	}
	b := &font.Bitmap{Size: int(s.Size), Picture: picture, DistanceField: s.Format == gpb.DistanceField,
		Glyphs: make(map[rune]font.Glyph, len(glyphs))}
	for i := range glyphs {
		g := &glyphs[i]
		b.Glyphs[rune(g.Index)] = font.Glyph{Box: s.Box(g), Bearing: int(g.BearingX), Advance: s.Advance(g)}
	}
	return b, nil
}

// describeFontSize returns one size of a font: its picture, or a description of its characters in that picture.
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

// fontColors selects how the picture of a font becomes a picture of colors.
type fontColors bool

const (
	coverage fontColors = false // the values as they are
	opacity  fontColors = true  // white, with the values as opacity, as BMFont programs expect
)

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
		quote(f.Family), s.Size, bit(bold), bit(italic))
	fmt.Fprintf(w, "common lineHeight=%d base=%d scaleW=%d scaleH=%d pages=1 packed=0\n", s.Size, s.Size, s.Width,
		s.Height)
	fmt.Fprintf(w, "page id=0 file=%s\n", quote(page))
	fmt.Fprintf(w, "chars count=%d\n", len(glyphs))
	for i := range glyphs {
		g := &glyphs[i]
		box := s.Box(g)
		fmt.Fprintf(w, "char id=%d x=%d y=%d width=%d height=%d xoffset=%d yoffset=0 xadvance=%d page=0 chnl=15\n",
			g.Index, box.Min.X, box.Min.Y, box.Dx(), box.Dy(), g.BearingX, s.Advance(g))
	}
	return w.Flush()
}

// quote returns a value in quotes. The format has no escapes, so quotes and control characters in the value become
// underscores.
func quote(s string) string {
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

// describeFontFile returns the TrueType file that a font holds.
func (p *payloads) describeFontFile(f *gpb.Font, n *model.Node) *model.Payload {
	name := cmp.Or(f.ID, f.Family, "font") + ".ttf"
	return &model.Payload{Key: name, Name: name, Type: n.Type, MediaType: "font/ttf", Node: n,
		Size: f.File.Span.Size, Stored: f.File.Span, Open: p.open(f.File.Span), Forms: []model.Form{{Name: "raw"}}}
}
