package casset

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"

	"assay/model"
	"assay/model/pixels"
)

// Texture is what an object of a texture class says of its picture.
type Texture struct {
	Width, Height int
	Layers        int // pictures of that size that the pixels are for: elements of an array, sides of a cube
	Format        pixels.Format
	Blob          model.Blob // the pixels, rows from the top
}

// The engine's numberings of pixel formats: since February 2024, the one before, and that of its rendering assets. Of
// the formats in a row, the first is what the number says, and the others are what importers have put under it: three
// channels for four, halves for floats. The length of the pixels tells. Nobody says which of 51 and 52 of the
// rendering's has signs; it is taken to be the second, as in the lists of Direct3D and Vulkan.
var (
	formats2024 = map[int64][]pixels.Format{
		1: {pixels.RGBA8, pixels.RGB8}, 2: {pixels.BGRA8, pixels.BGR8}, 3: {pixels.RGB8}, 4: {pixels.BGR8},
		5: {pixels.RGB565},
		6: {pixels.R8}, 7: {pixels.R16}, 8: {pixels.RG8}, 9: {pixels.RG16}, 10: {pixels.RHalf}, 11: {pixels.RGHalf},
		12: {pixels.RGBAHalf, pixels.RGBHalf},
		13: {pixels.RFloat, pixels.RHalf}, 14: {pixels.RGFloat, pixels.RGHalf},
		15: {pixels.RGBAFloat, pixels.RGBFloat, pixels.RGBAHalf, pixels.RGBHalf},
		16: {pixels.BC1}, 17: {pixels.BC3}, 18: {pixels.BC4}, 19: {pixels.BC5}, 20: {pixels.BC6H}, 21: {pixels.BC7},
	}
	formats2023 = map[int64][]pixels.Format{
		1: {pixels.RGBA8, pixels.RGB8}, 2: {pixels.BGRA8, pixels.BGR8}, 3: {pixels.ARGB8}, 4: {pixels.RGB8},
		5: {pixels.ARGB4444}, 6: {pixels.RGB565},
		7: {pixels.R8}, 8: {pixels.R16}, 9: {pixels.RG8, pixels.RG16}, 10: {pixels.RG16}, 11: {pixels.RHalf},
		12: {pixels.RGHalf}, 13: {pixels.RGBAHalf, pixels.RGBHalf},
		14: {pixels.RFloat, pixels.RHalf}, 15: {pixels.RGFloat, pixels.RGHalf},
		16: {pixels.RGBAFloat, pixels.RGBFloat, pixels.RGBAHalf, pixels.RGBHalf},
		17: {pixels.BC1}, 18: {pixels.BC3}, 19: {pixels.BC4}, 20: {pixels.BC5}, 21: {pixels.BC6H}, 22: {pixels.BC7},
	}
	formatsRPI = map[int64][]pixels.Format{
		1: {pixels.R8}, 3: {pixels.R8}, 4: {pixels.RG8}, 6: {pixels.RGBA8}, 7: {pixels.RGBA8}, 9: {pixels.BGRA8},
		10: {pixels.BGRA8}, 12: {pixels.RGB8}, 15: {pixels.BGR8},
		18: {pixels.RGB565}, 20: {pixels.R16}, 22: {pixels.RHalf}, 28: {pixels.RGBAHalf}, 31: {pixels.RFloat},
		35: {pixels.RGBAFloat},
		41: {pixels.BC1Opaque}, 42: {pixels.BC1Opaque}, 43: {pixels.BC1}, 44: {pixels.BC1}, 45: {pixels.BC3},
		46: {pixels.BC3},
		47: {pixels.BC4}, 48: {pixels.BC5}, 49: {pixels.BC7}, 50: {pixels.BC7}, 51: {pixels.BC6H},
		52: {pixels.BC6HSigned},
	}
	// formatsPacked is the numbering of sourceCompressionFormat: 1 to 4 are whole picture files.
	formatsPacked = map[int64][]pixels.Format{5: {pixels.BC1}, 6: {pixels.BC3}, 7: {pixels.BC4}, 8: {pixels.BC5},
		9: {pixels.BC6H}, 10: {pixels.BC7}}
)

const (
	texturePixels = 64 << 20 // bounds a picture that is drawn
	textureLayers = 4096     // and how many there can be of one size
)

// textureOf reads the description of a texture whose pixels are at span. The engine finds fields by name, and so does
// this.
func textureOf(object *model.Node, span model.Span) (t Texture, ok bool) {
	if object == nil {
		return t, false
	}
	fields := object.Named("fields")
	if fields == nil {
		return t, false
	}
	w, okW := wholeNumber(fields, "width")
	h, okH := wholeNumber(fields, "height")
	source := fields.Named("source")
	if !okW || !okH || source == nil || w < 1 || h < 1 || w > texturePixels || h > texturePixels/w {
		return t, false
	}
	names, table, packing := "pixelFormat", formats2024, "sourceCompressionFormat"
	at := fields
	switch {
	case source.Type == "struct" || source.Type == "map":
		at, names, table, packing = source, "sourcePixelFormat", formats2023, "sourceCompression"
		source = source.Named("rawData")
	case fields.Named("pixelFormat") == nil:
		names, table = "format", formatsRPI
	}
	if source == nil {
		return t, false
	}
	b, isBlob := source.Value.(model.Blob)
	if !isBlob || b.Span != span {
		return t, false
	}
	t = Texture{Width: int(w), Height: int(h), Layers: layersOf(fields), Blob: b}
	if p, there := wholeNumber(at, packing); there && p != 0 {
		t.Format = t.fitting(formatsPacked[p])
		return t, t.Format != pixels.Unknown
	}
	f, there := wholeNumber(at, names)
	t.Format = t.fitting(table[f])
	return t, there
}

// wholeNumber is the value of a field; values that no field of a texture has count as none.
func wholeNumber(in *model.Node, name string) (int64, bool) {
	n := in.Named(name)
	if n == nil {
		return 0, false
	}
	switch v := n.Value.(type) {
	case uint64:
		return int64(v), v < 1<<62
	case int64:
		return v, true
	}
	return 0, false
}

// layersOf says how many pictures a texture has, mip levels aside.
func layersOf(fields *model.Node) int {
	layers := int64(1)
	for _, name := range []string{"arrayCount", "arrayLayers"} {
		if n, ok := wholeNumber(fields, name); ok && n > 1 {
			layers = min(n, textureLayers)
		}
	}
	if d, ok := wholeNumber(fields, "dimension"); ok && (d == 3 || d == 5) && layers < 6 {
		layers = 6
	}
	return int(layers)
}

// fitting chooses the format that the pixels are as many bytes of as there are, else the first.
func (t Texture) fitting(formats []pixels.Format) pixels.Format {
	for _, f := range formats {
		if size := f.Size(t.Width, t.Height); size == t.Blob.Span.Size || size*int64(t.Layers) == t.Blob.Span.Size {
			return f
		}
	}
	if len(formats) == 0 {
		return pixels.Unknown
	}
	return formats[0]
}

// size is the number of bytes of the first level of the picture; 0 if the format cannot be drawn.
func (t Texture) size() int64 { return t.Format.Size(t.Width, t.Height) }

// Drawable reports whether the format is one that can be drawn and all pixels are there.
func (t Texture) Drawable() bool { return t.size() > 0 && t.size() <= t.Blob.Span.Size }

// Image reads the pixels of the first picture.
func (t Texture) Image(ctx context.Context) (image.Image, error) {
	if !t.Drawable() {
		return nil, fmt.Errorf("casset: a texture of %d × %d pixels in format %s cannot be drawn from %d bytes",
			t.Width,
			t.Height, t.Format, t.Blob.Span.Size)
	}
	b, err := t.Blob.Source.Bytes(model.Span{Offset: t.Blob.Span.Offset, Size: t.size()})
	if err != nil {
		return nil, err
	}
	return pixels.Decode(ctx, t.Format, t.Width, t.Height, b)
}

// Forms are the ways to write the texture: as its bytes, as PNG and, if its channels are floats, as OpenEXR.
func (t Texture) Forms() []model.Form {
	forms := []model.Form{{Name: "raw"}, {Name: "png", Extension: ".png", MediaType: "image/png", Write: t.writePNG}}
	if t.Format.Floats() {
		forms = append(forms, model.Form{Name: "exr", Extension: ".exr", MediaType: "image/x-exr", Write: t.writeEXR})
	}
	return forms
}

// writePNG writes 8 bits a channel, or 16 where there are more. What PNG cannot hold is a Loss.
func (t Texture) writePNG(ctx context.Context, w io.Writer) error {
	img, err := t.Image(ctx)
	if err != nil {
		return err
	}
	if err := png.Encode(w, img); err != nil {
		return err
	}
	loss := t.rest()
	if deep, ok := img.(*pixels.Deep); ok {
		if n := deep.Beyond(); n > 0 {
			loss = append(loss,
				fmt.Sprintf("%d of its pixels have values below 0 or above 1, which PNG cannot hold; the form exr keeps them", n))
		}
	}
	return orNil(loss)
}

func (t Texture) writeEXR(ctx context.Context, w io.Writer) error {
	img, err := t.Image(ctx)
	if err != nil {
		return err
	}
	deep, ok := img.(*pixels.Deep)
	if !ok {
		return fmt.Errorf("casset: a texture in format %s is not written as OpenEXR", t.Format)
	}
	if err := deep.WriteEXR(ctx, w); err != nil {
		return err
	}
	return orNil(t.rest())
}

// rest says what of the texture is not in its picture.
func (t Texture) rest() model.Loss {
	size := t.size()
	left := t.Blob.Span.Size - size
	switch {
	case left == 0:
		return nil
	case t.Layers > 1 && left == size*int64(t.Layers-1):
		return model.Loss{fmt.Sprintf("the picture is the first of the %d that the texture has", t.Layers)}
	}
	return model.Loss{fmt.Sprintf("%d bytes after the first picture are not in it", left)}
}

func orNil(l model.Loss) error {
	if len(l) == 0 {
		return nil
	}
	return l
}
