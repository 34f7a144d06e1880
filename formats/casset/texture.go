package casset

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"slices"

	"assay/model"
	"assay/model/picture"
)

// texture is the picture in an object of a texture class.
type texture struct {
	width, height int
	layers        int // number of pictures in the pixels: elements of an array, sides of a cube
	format        picture.Format
	blob          model.Blob // the pixels, rows from the top
}

const (
	maxTexturePixels = 64 << 20 // the maximum of a drawn picture
	maxTextureLayers = 4096     // the maximum number of pictures of one size
)

// textureFields has the fields of an object that describe its picture.
type textureFields struct {
	source        model.Blob // Source is nil if it is absent
	width, height number
	dimension     number
	arrayCount    number
	pixelFormat   number
	compression   number // sourceCompressionFormat

	// In 2023 the source was a struct.
	sourceRaw         model.Blob
	sourceFormat      number
	sourceCompression number

	// The assets of the engine's rendering have these instead of pixelFormat and arrayCount.
	format, arrayLayers number
}

// number is the value of a field, if the object has it.
type number struct {
	value int64
	isSet bool
}

// fieldPath is the name of a field, and of a member of it if it is a struct.
type fieldPath [2]string

// textureNumbers are the numbers of a texture. Fields are found by their names, as in the engine.
var textureNumbers = map[fieldPath]func(t *textureFields) *number{
	{"width"}:                       func(t *textureFields) *number { return &t.width },
	{"height"}:                      func(t *textureFields) *number { return &t.height },
	{"dimension"}:                   func(t *textureFields) *number { return &t.dimension },
	{"arrayCount"}:                  func(t *textureFields) *number { return &t.arrayCount },
	{"arrayLayers"}:                 func(t *textureFields) *number { return &t.arrayLayers },
	{"pixelFormat"}:                 func(t *textureFields) *number { return &t.pixelFormat },
	{"format"}:                      func(t *textureFields) *number { return &t.format },
	{"sourceCompressionFormat"}:     func(t *textureFields) *number { return &t.compression },
	{"source", "sourcePixelFormat"}: func(t *textureFields) *number { return &t.sourceFormat },
	{"source", "sourceCompression"}: func(t *textureFields) *number { return &t.sourceCompression },
}

func (t *textureFields) setNumber(names []string, form model.NumberForm, bits uint64) {
	var path fieldPath
	copy(path[:], names)
	field := textureNumbers[path]
	if field == nil || len(names) > len(path) {
		return
	}
	switch v := form.Value(bits).(type) {
	case uint64:
		if v < 1<<62 {
			*field(t) = number{int64(v), true}
		}
	case int64:
		*field(t) = number{v, true}
	}
}

func (t *textureFields) setBlob(names []string, b model.Blob) {
	switch {
	case slices.Equal(names, []string{"source"}):
		t.source = b
	case slices.Equal(names, []string{"source", "rawData"}):
		t.sourceRaw = b
	}
}

// texture returns the texture of the i-th object, and false if it is not a texture.
func (f *file) texture(i int) (texture, bool) {
	q := f.quiet()
	if h, ok := f.head(q, i); !ok || !f.isTextureClass(h) {
		return texture{}, false
	}
	t := textureFields{}
	f.visit(q, i, &visitor{number: t.setNumber, blob: t.setBlob})
	return t.texture()
}

// isTextureClass reports whether objects of a class may be textures: by the schema in 3.0; before, every class may be,
// and the fields decide.
func (f *file) isTextureClass(h head) bool {
	if f.layout.generation != bundle3 || int64(h.schemaIndex) >= int64(len(f.schema.entries)) {
		return true
	}
	class := &f.schema.entries[h.schemaIndex]
	return class.hasField("source") && class.hasField("width") && class.hasField("height")
}

// texture returns the texture with these fields, and false if they are incomplete.
func (t *textureFields) texture() (texture, bool) {
	blob, format, table, packing := t.source, t.pixelFormat, formats2024, t.compression
	switch {
	case t.sourceRaw.Source != nil:
		blob, format, table, packing = t.sourceRaw, t.sourceFormat, formats2023, t.sourceCompression
	case !format.isSet:
		format, table = t.format, formatsRPI
	}
	w, h := t.width.value, t.height.value
	if blob.Source == nil || w < 1 || h < 1 || w > maxTexturePixels || h > maxTexturePixels/w {
		return texture{}, false
	}
	out := texture{width: int(w), height: int(h), layers: t.layers(), blob: blob}
	if packing.value != 0 {
		out.format = out.formatOfSize(formatsPacked[packing.value])
		return out, out.format != picture.Unknown
	}
	if format.isSet {
		out.format = out.formatOfSize(table[format.value])
	}
	return out, format.isSet
}

// layers returns the number of pictures in a texture, without mip levels.
func (t *textureFields) layers() int {
	layers := max(1, t.arrayCount.value)
	if n := t.arrayLayers.value; n > 1 {
		layers = n
	}
	if d := t.dimension.value; (d == cube || d == cubeArray) && layers < 6 {
		layers = 6
	}
	return int(min(layers, maxTextureLayers))
}

// The engine's numbers of dimensions of textures with six sides.
const (
	cube      = 3
	cubeArray = 5
)

// formatOfSize returns the format that gives all pictures, or else the first one, the size of the blob.
func (t texture) formatOfSize(formats []picture.Format) picture.Format {
	for _, pictures := range []int{t.layers, 1} {
		for _, f := range formats {
			if f.Size(t.width, t.height)*int64(pictures) == t.blob.Span.Size {
				return f
			}
		}
	}
	if len(formats) == 0 {
		return picture.Unknown
	}
	return formats[0]
}

// size returns the number of bytes of the first level of the picture; 0 if the format cannot be drawn.
func (t texture) size() int64 { return t.format.Size(t.width, t.height) }

// isDrawable reports whether the format is supported and all pixels are present.
func (t texture) isDrawable() bool { return t.size() > 0 && t.size() <= t.blob.Span.Size }

// load reads the pixels of the first picture.
func (t texture) load(ctx context.Context) (image.Image, error) {
	if !t.isDrawable() {
		return nil, fmt.Errorf("casset: a texture of %d × %d pixels in format %s cannot be drawn from %d bytes",
			t.width,
			t.height, t.format, t.blob.Span.Size)
	}
	b, err := t.blob.Source.Bytes(model.Span{Offset: t.blob.Span.Offset, Size: t.size()})
	if err != nil {
		return nil, err
	}
	return picture.Decode(ctx, t.format, t.width, t.height, b)
}

// parts lists the pictures of a texture that contains several and no other data, by their layers. The order of layers
// and mip levels together is undocumented.
func (t texture) parts() (parts []model.Part) {
	if t.layers < 2 || t.size()*int64(t.layers) != t.blob.Span.Size {
		return nil
	}
	for i := range t.layers {
		layer := t
		layer.blob.Span.Offset += int64(i) * t.size()
		layer.blob.Span.Size = t.size()
		parts = append(parts, model.Part{Name: fmt.Sprintf("layer %d of %d", i+1, t.layers), Load: layer.load})
	}
	return parts
}

// exportForms returns the ways to write the texture: as PNG, as OpenEXR if its channels are floats, and as its bytes,
// which no other program reads.
func (t texture) exportForms() []model.Form {
	forms := []model.Form{{Name: "png", Extension: ".png", MediaType: "image/png", Write: t.writePNG}}
	if t.format.HasFloats() {
		forms = append(forms, model.Form{Name: "exr", Extension: ".exr", MediaType: "image/x-exr", Write: t.writeEXR})
	}
	if parts := t.parts(); len(parts) > 0 {
		forms = append(forms, picture.PartsForm(func(context.Context) ([]model.Part, error) { return parts, nil }))
	}
	return append(forms, model.Form{Name: "raw"})
}

// writePNG writes 8 bits per channel, or 16 if there are more. Data that PNG cannot hold is a Loss.
func (t texture) writePNG(ctx context.Context, w io.Writer) error {
	img, err := t.load(ctx)
	if err != nil {
		return err
	}
	if err := png.Encode(w, img); err != nil {
		return err
	}
	loss := t.loss()
	if deep, ok := img.(*picture.Deep); ok {
		if n := deep.CountOutOfRange(); n > 0 {
			loss = append(loss,
				"clamped "+model.Count(n, "pixel")+" outside 0 to 1; export as exr to keep the values")
		}
	}
	return errorOf(loss)
}

func (t texture) writeEXR(ctx context.Context, w io.Writer) error {
	img, err := t.load(ctx)
	if err != nil {
		return err
	}
	deep, ok := img.(*picture.Deep)
	if !ok {
		return fmt.Errorf("casset: textures in format %s cannot be written as OpenEXR", t.format)
	}
	if err := deep.WriteEXR(ctx, w); err != nil {
		return err
	}
	return errorOf(t.loss())
}

// loss returns the loss for the data of the texture that are not in its picture.
func (t texture) loss() model.Loss {
	size := t.size()
	left := t.blob.Span.Size - size
	switch {
	case left == 0:
		return nil
	case t.layers > 1 && left == size*int64(t.layers-1):
		return model.Loss{fmt.Sprintf("exported only the first of the texture's %d pictures; export as png-all for all of them", t.layers)}
	}
	return model.Loss{fmt.Sprintf("exported without the %d bytes after the first picture", left)}
}

func errorOf(l model.Loss) error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// The engine's numberings of pixel formats: since February 2024, before, and in its rendering assets. The first format
// in a row is the documented one; importers have stored the others with the same number: three channels for four,
// halves for floats. The size of the pixels decides. It is not documented whether 51 or 52 of the rendering's is
// signed; the second is assumed, as in the lists of Direct3D and Vulkan.
var (
	formats2024 = map[int64][]picture.Format{
		1: {picture.RGBA8, picture.RGB8}, 2: {picture.BGRA8, picture.BGR8}, 3: {picture.RGB8}, 4: {picture.BGR8},
		5: {picture.RGB565},
		6: {picture.R8}, 7: {picture.R16}, 8: {picture.RG8}, 9: {picture.RG16}, 10: {picture.RHalf},
		11: {picture.RGHalf},
		12: {picture.RGBAHalf, picture.RGBHalf},
		13: {picture.RFloat, picture.RHalf}, 14: {picture.RGFloat, picture.RGHalf},
		15: {picture.RGBAFloat, picture.RGBFloat, picture.RGBAHalf, picture.RGBHalf},
		16: {picture.BC1}, 17: {picture.BC3}, 18: {picture.BC4}, 19: {picture.BC5}, 20: {picture.BC6H},
		21: {picture.BC7},
	}
	formats2023 = map[int64][]picture.Format{
		1: {picture.RGBA8, picture.RGB8}, 2: {picture.BGRA8, picture.BGR8}, 3: {picture.ARGB8}, 4: {picture.RGB8},
		5: {picture.ARGB4444}, 6: {picture.RGB565},
		7: {picture.R8}, 8: {picture.R16}, 9: {picture.RG8, picture.RG16}, 10: {picture.RG16}, 11: {picture.RHalf},
		12: {picture.RGHalf}, 13: {picture.RGBAHalf, picture.RGBHalf},
		14: {picture.RFloat, picture.RHalf}, 15: {picture.RGFloat, picture.RGHalf},
		16: {picture.RGBAFloat, picture.RGBFloat, picture.RGBAHalf, picture.RGBHalf},
		17: {picture.BC1}, 18: {picture.BC3}, 19: {picture.BC4}, 20: {picture.BC5}, 21: {picture.BC6H},
		22: {picture.BC7},
	}
	formatsRPI = map[int64][]picture.Format{
		1: {picture.R8}, 3: {picture.R8}, 4: {picture.RG8}, 6: {picture.RGBA8}, 7: {picture.RGBA8}, 9: {picture.BGRA8},
		10: {picture.BGRA8}, 12: {picture.RGB8}, 15: {picture.BGR8},
		18: {picture.RGB565}, 20: {picture.R16}, 22: {picture.RHalf}, 28: {picture.RGBAHalf}, 31: {picture.RFloat},
		35: {picture.RGBAFloat},
		41: {picture.BC1Opaque}, 42: {picture.BC1Opaque}, 43: {picture.BC1}, 44: {picture.BC1}, 45: {picture.BC3},
		46: {picture.BC3},
		47: {picture.BC4}, 48: {picture.BC5}, 49: {picture.BC7}, 50: {picture.BC7}, 51: {picture.BC6H},
		52: {picture.BC6HSigned},
	}
	// formatsPacked is the numbering of sourceCompressionFormat: 1 to 4 are whole picture files.
	formatsPacked = map[int64][]picture.Format{5: {picture.BC1}, 6: {picture.BC3}, 7: {picture.BC4}, 8: {picture.BC5},
		9: {picture.BC6H}, 10: {picture.BC7}}
)
