// Package font reads TrueType and OpenType files: a sheet of their glyphs, and lines of text set in several sizes.
package font

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"assay/model"
)

const (
	maxFileSize = 64 << 20
	maxGlyphs   = 1024 // on the sheet
	columns     = 16   // as many fit in a preview of usual width at a readable size
	sheetSize   = 28   // pixels of a glyph on the sheet
	maxLine     = 400
)

var lineSizes = []float64{12, 16, 24, 36, 48, 72}

// Recognize returns the kind of a font file by its first bytes, or "".
func Recognize(head []byte) string {
	for magic, name := range map[string]string{"\x00\x01\x00\x00\x00": "TrueType", "true\x00": "TrueType",
		"OTTO\x00": "OpenType", "ttcf\x00": "TrueType collection"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return name
		}
	}
	return ""
}

// Open reads a font file. The view is a sheet of its glyphs that sets lines of text.
func Open(ctx context.Context, src *model.Source) (p model.Picture, err error) {
	defer model.Recover(&err, "the font cannot be read")
	f, fonts, err := read(src)
	if err != nil {
		return p, err
	}
	sheet, boxes, err := sheetOf(ctx, f)
	if err != nil {
		return p, err
	}
	name, _ := f.Name(nil, sfnt.NameIDFull)
	p = model.Picture{Image: sheet, Drawn: true, Boxes: boxes,
		Format: fmt.Sprintf("%s · %d glyphs", name, f.NumGlyphs())}
	if fonts > 1 {
		p.Format += fmt.Sprintf(" · the first of %d fonts", fonts)
	}
	p.Lines = func(ctx context.Context, text string) ([]model.Line, error) { return lines(ctx, f, text) }
	return p, nil
}

// read reads the first font of a file, and returns the number of fonts in it.
func read(src *model.Source) (f *opentype.Font, fonts int, err error) {
	if src.Size() > maxFileSize {
		return nil, 0, fmt.Errorf("the font is too large to display (%d bytes)", src.Size())
	}
	b, err := src.Bytes(model.Span{Size: src.Size()})
	if err != nil {
		return nil, 0, err
	}
	collection, err := opentype.ParseCollection(b)
	if err != nil {
		return nil, 0, err
	}
	f, err = collection.Font(0)
	return f, collection.NumFonts(), err
}

// Sample sets two letters of a font file, as large as a square of side pixels holds them.
func Sample(ctx context.Context, src *model.Source, side int) (img *image.Alpha, err error) {
	defer model.Recover(&err, "the font cannot be read")
	f, _, err := read(src)
	if err != nil {
		return nil, err
	}
	text, err := letters(ctx, f)
	if err != nil {
		return nil, err
	}
	const trialSize = 64
	img, _, err = setLine(f, text, trialSize)
	if err != nil {
		return nil, err
	}
	large := max(img.Rect.Dx(), img.Rect.Dy())
	img, _, err = setLine(f, text, trialSize*float64(side)/float64(large+1))
	return img, err
}

// letters returns two letters of a font: Ag, else its first.
func letters(ctx context.Context, f *opentype.Font) (string, error) {
	var buf sfnt.Buffer
	has := func(r rune) bool {
		g, err := f.GlyphIndex(&buf, r)
		return err == nil && g != 0
	}
	if has('A') && has('g') {
		return "Ag", nil
	}
	found := ""
	for r := range characters(ctx) {
		if has(r) {
			if found += string(r); utf8.RuneCountInString(found) == 2 {
				break
			}
		}
	}
	return found, ctx.Err()
}

// characters returns the characters that a font may draw, until ctx ends.
func characters(ctx context.Context) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for r := rune(0x21); r < 0x30000; r++ {
			if r%0x1000 == 0 && ctx.Err() != nil {
				return
			}
			if unicode.IsGraphic(r) && !unicode.IsSpace(r) && !yield(r) {
				return
			}
		}
	}
}

// sheetOf draws the characters that the font has, in the order of their codes.
func sheetOf(ctx context.Context, f *opentype.Font) (*image.Gray, []model.Box, error) {
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: sheetSize, DPI: 72})
	if err != nil {
		return nil, nil, err
	}
	defer face.Close()
	var runes []rune
	var buf sfnt.Buffer
	for r := range characters(ctx) {
		if g, err := f.GlyphIndex(&buf, r); err == nil && g != 0 {
			if runes = append(runes, r); len(runes) == maxGlyphs {
				break
			}
		}
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	m := face.Metrics()
	cell := image.Pt(sheetSize*3/2, max(8, min((m.Ascent+m.Descent).Ceil()+4, 4*sheetSize)))
	rows := max(1, (len(runes)+columns-1)/columns)
	img := image.NewGray(image.Rect(0, 0, columns*cell.X, rows*cell.Y))
	var boxes []model.Box
	for i, r := range runes {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		origin := image.Pt(i%columns*cell.X, i/columns*cell.Y)
		box := image.Rectangle{Min: origin, Max: origin.Add(cell)}
		boxes = append(boxes, model.Box{Rectangle: box, Name: fmt.Sprintf("%c U+%04X", r, r)})
		advance, _ := face.GlyphAdvance(r)
		pen := fixed.Point26_6{X: fixed.I(origin.X+cell.X/2) - advance/2, Y: fixed.I(origin.Y+2) + m.Ascent}
		if glyphRect, mask, maskAt, _, ok := face.Glyph(pen, r); ok {
			part := glyphRect.Intersect(box)
			draw.DrawMask(img, part, image.NewUniform(color.White), image.Point{}, mask,
				maskAt.Add(part.Min.Sub(glyphRect.Min)), draw.Over)
		}
	}
	return img, boxes, nil
}

// lines sets a text in some sizes.
func lines(ctx context.Context, f *opentype.Font, text string) (lines []model.Line, err error) {
	defer model.Recover(&err, "cannot lay out the text")
	if r := []rune(text); len(r) > maxLine {
		text = string(r[:maxLine])
	}
	for _, size := range lineSizes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		img, missing, err := setLine(f, text, size)
		if err != nil {
			return nil, err
		}
		lines = append(lines, model.Line{Name: fmt.Sprintf("%g px", size), Alpha: img, Missing: missing})
	}
	return lines, nil
}

// setLine sets a text in a size in pixels, with a placeholder for each character that the font does not have. It
// returns these characters, each once.
func setLine(f *opentype.Font, text string, size float64) (line *image.Alpha, missing []rune, err error) {
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		return nil, nil, err
	}
	defer face.Close()
	var buf sfnt.Buffer
	isMissing := func(r rune) bool {
		g, err := f.GlyphIndex(&buf, r)
		return err != nil || g == 0
	}
	m := face.Metrics()
	height := max(1, min((m.Ascent+m.Descent).Ceil()+2, 1024))
	box := placeholderSize(int(size))
	var pieces []string // a missing character is a piece of its own
	width := fixed.I(0)
	for from := 0; from < len(text); {
		to := from + strings.IndexFunc(text[from:], isMissing)
		if to < from {
			to = len(text)
		}
		if to > from {
			width += font.MeasureString(face, text[from:to])
		} else {
			r, n := utf8.DecodeRuneInString(text[from:])
			missing = addMissing(missing, r)
			to += n
			width += fixed.I(box.X)
		}
		pieces = append(pieces, text[from:to])
		from = to
	}
	line = image.NewAlpha(image.Rect(0, 0, min(max(width.Ceil(), 1), 1<<14)+4, height))
	d := font.Drawer{Dst: line, Src: image.Opaque, Face: face,
		Dot: fixed.Point26_6{X: fixed.I(2), Y: fixed.I(1) + m.Ascent}}
	for _, piece := range pieces {
		if r, _ := utf8.DecodeRuneInString(piece); !isMissing(r) {
			d.DrawString(piece)
			continue
		} else if !unicode.IsSpace(r) {
			drawPlaceholder(line, image.Pt(d.Dot.X.Round(), d.Dot.Y.Round()-box.Y), box)
		}
		d.Dot.X += fixed.I(box.X)
	}
	return line, missing, nil
}

// addMissing adds a character to those that a font does not have, each once. Spaces need no glyph.
func addMissing(missing []rune, r rune) []rune {
	if unicode.IsSpace(r) || slices.Contains(missing, r) {
		return missing
	}
	return append(missing, r)
}

// placeholderSize returns the size of the placeholder of a character that a font of a size in pixels does not have. The
// width includes the gap to the next character.
func placeholderSize(size int) image.Point { return image.Pt(max(4, size*5/8), max(3, size*5/8)) }

// drawPlaceholder draws the outline of a box for a character that the font does not have.
func drawPlaceholder(line *image.Alpha, origin, size image.Point) {
	outline := image.Rectangle{Min: origin, Max: origin.Add(size)}
	outline.Min.X += max(1, size.X/8)
	outline.Max.X -= max(1, size.X/8)
	inner := outline.Inset(max(1, size.Y/14))
	draw.Draw(line, outline, image.Opaque, image.Point{}, draw.Src)
	draw.Draw(line, inner, image.Transparent, image.Point{}, draw.Src)
}

// Bitmap is one size of a font whose characters are parts of a picture.
type Bitmap struct {
	Size    int         // pixels
	Picture *image.Gray // the opacity of the characters, or, of a distance field, the distance from their outlines
	// DistanceField reports whether the outlines are at half of the picture's highest value.
	DistanceField bool
	Glyphs        map[rune]Glyph
}

// Glyph is a character of a Bitmap, in pixels.
type Glyph struct {
	Box     image.Rectangle // in the picture; empty for a character that is not drawn
	Bearing int             // from the origin of the character to the left of its box
	Advance int             // from the origin of the character to the next one's
}

// The bounds of a line that is set, in pixels.
const (
	maxBitmapWidth  = 1 << 14
	maxBitmapHeight = 1024
	bitmapBearing   = 512
)

// Line sets a text: each character at its bearing, the next one after its advance. A character that the font does not
// have has a placeholder. Line also returns these characters, each once.
func (b *Bitmap) Line(text string) (line *image.Alpha, missing []rune) {
	size := max(0, min(b.Size, maxBitmapHeight))
	box := placeholderSize(size)
	var runes []rune
	width, height := 0, 1
	for _, r := range text {
		if width > maxBitmapWidth {
			break
		}
		runes = append(runes, r)
		g, ok := b.Glyphs[r]
		if ok {
			width += g.Advance
			height = max(height, g.Box.Dy())
			continue
		}
		missing = addMissing(missing, r)
		width += box.X
		height = max(height, box.Y)
	}
	line = image.NewAlpha(image.Rect(0, 0, min(width, maxBitmapWidth)+min(b.Size, bitmapBearing),
		min(height, maxBitmapHeight)))
	x := 0
	for _, r := range runes {
		if g, ok := b.Glyphs[r]; ok {
			b.draw(line, g.Box, x+max(-bitmapBearing, min(g.Bearing, bitmapBearing)))
			x += g.Advance
			continue
		} else if !unicode.IsSpace(r) {
			drawPlaceholder(line, image.Pt(x, (line.Rect.Dy()-box.Y)/2), box)
		}
		x += box.X
	}
	return line, missing
}

// draw draws a part of the picture at x.
func (b *Bitmap) draw(out *image.Alpha, box image.Rectangle, x int) {
	for dy := range min(box.Dy(), out.Rect.Dy()) {
		for dx := range box.Dx() {
			if x+dx < 0 || x+dx >= out.Rect.Dx() {
				continue
			}
			v := b.Picture.Pix[(box.Min.Y+dy)*b.Picture.Stride+box.Min.X+dx]
			if b.DistanceField {
				v = uint8(max(0, min(255, (int(v)-112)*8)))
			}
			offset := dy*out.Stride + x + dx
			out.Pix[offset] = max(out.Pix[offset], v)
		}
	}
}

// regular is the font of labels. It has the letters of Latin, Greek and Cyrillic.
var regular = sync.OnceValues(func() (*opentype.Font, error) { return opentype.Parse(goregular.TTF) })

// Label is how labels on pictures are written.
type Label struct {
	font.Face
	glyphs *opentype.Font
}

// NewLabel returns the font of labels in a size in pixels.
func NewLabel(size float64) (Label, error) {
	f, err := regular()
	if err != nil {
		return Label{}, err
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	return Label{face, f}, err
}

// Has reports whether the font has every letter of a text.
func (l Label) Has(text string) bool {
	for _, r := range text {
		if i, err := l.glyphs.GlyphIndex(nil, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

// Fit returns a text that is at most width pixels wide: if needed with an ellipsis in its middle, preceded by two
// thirds of the remaining text. Line ends become spaces.
func (l Label) Fit(text string, width int) string {
	limit := fixed.I(width)
	if len(text) > maxMeasuredBytes {
		text = strings.ToValidUTF8(text[:maxMeasuredBytes/2]+text[len(text)-maxMeasuredBytes/2:], "")
	}
	text = strings.Join(strings.Fields(text), " ")
	if font.MeasureString(l, text) <= limit {
		return text
	}
	letters := []rune(text)
	before, after := len(letters)*2/3, len(letters)/3
	cut := func() string { return string(letters[:before]) + "…" + string(letters[len(letters)-after:]) }
	for before+after > 2 && font.MeasureString(l, cut()) > limit {
		if before > 2*after {
			before--
		} else {
			after--
		}
	}
	return cut()
}

// maxMeasuredBytes is the maximum number of bytes of a text that are measured.
const maxMeasuredBytes = 200 * utf8.UTFMax
