package kaitai

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"slices"
	"strings"

	"assay/model"
	"assay/model/picture"
)

// pictureView are pixels without a header that other programs read.
type pictureView struct {
	Data   operand `key:"data"`
	Width  operand `key:"width"`
	Height operand `key:"height"`

	// Format is the name of a pixel format, or an attribute with one; Formats are the names for its values. Instead,
	// pixels may have Bits and Masks of red, green, blue and alpha, or be indices of 8 bits into a palette.
	Format  operand   `key:"format"`
	Formats choices   `key:"formats"`
	Bits    operand   `key:"bits"`
	Masks   []operand `key:"masks"`

	Palette       operand `key:"palette"`
	PaletteFormat operand `key:"palette-format"` // rgba8 if left out

	Stride operand `key:"stride"` // bytes from row to row
	Rows   operand `key:"rows"`   // top-down or bottom-up
	Mips   operand `key:"mips"`
	Faces  operand `key:"faces"` // 6: a cube
	Layers operand `key:"layers"`
}

// Words of a picture view.
const (
	topDown  = "top-down"
	bottomUp = "bottom-up"
	indexed8 = "indexed8"
)

func (v *pictureView) read(r *yamlReader, e entry) error {
	if err := r.keys(e, v); err != nil {
		return err
	}
	v.Rows.words = []string{topDown, bottomUp}
	for _, o := range []*operand{&v.Format, &v.PaletteFormat} {
		if name := strings.ToLower(o.text); name == indexed8 || picture.FormatNamed(o.text) != picture.Unknown {
			o.words = []string{name}
		}
	}
	switch {
	case !v.Data.isSet() || !v.Width.isSet() || !v.Height.isSet():
		return e.fail("a picture needs data, width and height")
	case v.Format.isSet() == (len(v.Masks) > 0):
		return e.fail("a picture needs either a format, or masks and bits")
	case len(v.Masks) > 0 && (len(v.Masks) > 4 || !v.Bits.isSet()):
		return e.fail("masks are up to four numbers, and need the bits of a pixel")
	}
	for _, name := range v.Formats {
		if name != indexed8 && picture.FormatNamed(name) == picture.Unknown {
			return e.fail("unknown pixel format %q", short(name))
		}
	}
	return nil
}

func (v *pictureView) operands() []operand {
	return append([]operand{v.Data, v.Width, v.Height, v.Format, v.Bits, v.Palette, v.PaletteFormat, v.Stride, v.Rows,
		v.Mips, v.Faces, v.Layers}, v.Masks...)
}

// surface returns the description of the pixels, and whether they are indices of a palette.
func (v *pictureView) surface(n *model.Node) (s picture.Surface, indexed bool, err error) {
	for _, each := range []struct {
		source operand
		to     *int
	}{{v.Width, &s.Width}, {v.Height, &s.Height}, {v.Mips, &s.Levels}, {v.Faces, &s.Sides}, {v.Layers, &s.Layers}} {
		value, err := each.source.numberOr(n, 1)
		if err != nil {
			return s, false, err
		}
		if value < 0 || value > 1<<20 {
			return s, false, fmt.Errorf("%s is %d, which is not possible", short(each.source.text), value)
		}
		*each.to = int(value)
	}
	if len(v.Masks) > 0 {
		return v.withMasks(s, n)
	}
	name, err := v.Format.word(n)
	if err != nil {
		return s, false, err
	}
	name = cmp.Or(v.Formats[name], name)
	if indexed = strings.EqualFold(name, indexed8); indexed {
		name, err = "rgba8", nil
		if v.PaletteFormat.isSet() {
			name, err = v.PaletteFormat.word(n)
		}
	}
	if s.Format = picture.FormatNamed(name); err == nil && s.Format == picture.Unknown {
		err = fmt.Errorf("pixels in the format %s are not supported", short(name))
	}
	return s, indexed, err
}

func (v *pictureView) withMasks(s picture.Surface, n *model.Node) (picture.Surface, bool, error) {
	for i, o := range v.Masks {
		mask, err := o.number(n)
		if err != nil {
			return s, false, err
		}
		s.Masks[i] = uint32(mask)
	}
	bits, err := v.Bits.number(n)
	if err == nil {
		s.Format, err = picture.MaskedFormat(int(min(bits, 64)), s.Masks)
	}
	return s, false, err
}

// file returns the pixels as a DDS file.
func (v *pictureView) file(src *model.Source, n *model.Node) (*model.Source, error) {
	s, indexed, err := v.surface(n)
	if err != nil {
		return nil, err
	}
	head, err := s.DDSHeader()
	if err != nil {
		return nil, err
	}
	pixels, err := v.pixels(src, n, s, indexed)
	if err != nil {
		return nil, err
	}
	return sourceOf(n.Name+".dds", head, pixels), nil
}

// pixels returns the pixels as they are in a DDS file: rows without gaps, from the top, and without a palette.
func (v *pictureView) pixels(src *model.Source, n *model.Node, s picture.Surface, indexed bool) ([]byte, error) {
	stored := s.Size()
	pixelSize := int(s.Format.Size(1, 1)) // bytes of a pixel, or of a block
	wide, rows := s.Width, s.Height
	if indexed {
		stored /= int64(pixelSize)
	} else if s.Format.HasBlocks() {
		wide, rows = (wide+3)/4, (rows+3)/4
	}
	row := int64(wide)
	if !indexed {
		row *= int64(pixelSize)
	}
	stride, err := v.Stride.numberOr(n, row)
	order := topDown
	if err == nil && v.Rows.isSet() {
		order, err = v.Rows.word(n)
	}
	if err != nil {
		return nil, err
	}
	isPlain := stride == row && order != bottomUp
	switch {
	case isPlain:
	case s.Levels > 1 || s.Sides > 1 || s.Layers > 1:
		return nil, fmt.Errorf("rows of pictures with several parts begin at the top, without gaps")
	case stride < row:
		return nil, fmt.Errorf("a stride of %d bytes is less than a row of %d bytes", stride, row)
	default:
		stored = stride*int64(rows-1) + row
	}
	b, err := v.Data.bytes(src, n, stored)
	if err != nil {
		return nil, err
	}
	if int64(len(b)) < stored {
		return nil, fmt.Errorf("%d × %d pixels need %d bytes, but there are %d", s.Width, s.Height, stored, len(b))
	}
	if !isPlain {
		b = unpadRows(b, stride, row, rows, order == bottomUp)
	}
	if indexed {
		return v.applyPalette(src, n, b, pixelSize)
	}
	return b, nil
}

// unpadRows returns rows without the bytes between them, from the top.
func unpadRows(b []byte, stride, row int64, rows int, reversed bool) []byte {
	out := make([]byte, 0, row*int64(rows))
	for y := range rows {
		if reversed {
			y = rows - 1 - y
		}
		out = append(out, b[int64(y)*stride:][:row]...)
	}
	return out
}

// applyPalette returns the colors of indices into the palette, whose colors have a number of bytes. An index past its
// end is a color of zeros.
func (v *pictureView) applyPalette(src *model.Source, n *model.Node, indices []byte, colorSize int) ([]byte, error) {
	palette, err := v.Palette.bytes(src, n, 256*int64(colorSize))
	if err != nil {
		return nil, err
	}
	palette = append(slices.Clip(palette), make([]byte, 256*colorSize-len(palette))...)
	out := make([]byte, 0, len(indices)*colorSize)
	for _, i := range indices {
		out = append(out, palette[int(i)*colorSize:][:colorSize]...)
	}
	return out, nil
}

func (v *pictureView) view(ctx context.Context, src *model.Source, n *model.Node) (model.View, error) {
	file, err := v.file(src, n)
	if err != nil {
		return nil, err
	}
	return picture.Open(ctx, file)
}

// addContent makes the asset a PNG, which also has the forms of its DDS file.
func (v *pictureView) addContent(src *model.Source, n *model.Node, to *model.Payload) {
	to.Name, to.MediaType = viewName(n, ".png"), "image/png"
	to.Open = openerOf(func(ctx context.Context) (*model.Source, error) {
		view, err := v.view(ctx, src, n)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		if err := png.Encode(&out, view.(model.Picture).Image); err != nil {
			return nil, err
		}
		return sourceOf(to.Name, out.Bytes()), nil
	})
	dds := model.Form{Name: "dds", Extension: ".dds", MediaType: "image/vnd.ms-dds",
		Write: func(_ context.Context, w io.Writer) error {
			file, err := v.file(src, n)
			if err != nil {
				return err
			}
			_, err = io.Copy(w, file.Reader(model.Span{Size: file.Size()}))
			return err
		}}
	to.Forms = []model.Form{{Name: "raw"}, dds}
	if s, _, err := v.surface(n); err == nil && (s.Levels > 1 || s.Sides > 1 || s.Layers > 1) {
		to.Forms = append(to.Forms, picture.PartsForm(func(ctx context.Context) ([]model.Part, error) {
			view, err := v.view(ctx, src, n)
			if err != nil {
				return nil, err
			}
			p := view.(model.Picture)
			if len(p.Parts) == 0 {
				return []model.Part{{Load: func(context.Context) (image.Image, error) { return p.Image, nil }}}, nil
			}
			return p.Parts, nil
		}))
	}
}
