package casset

import (
	"strings"

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

const (
	texturePixels = 64 << 20 // bounds a picture that is drawn
	textureLayers = 4096     // and how many there can be of one size
)

// textureFields are the fields of an object that say what its picture is. The engine finds fields by their names, and
// so does this.
type textureFields struct {
	width, height, dimension, arrayCount, arrayLayers int64

	source                           *model.Blob
	pixelFormat, format, compression *int64

	// In 2023 the source was a struct of these.
	rawData                              *model.Blob
	sourcePixelFormat, sourceCompression *int64
}

// take takes the value of a field. Numbers that no field of a texture has are ignored.
func (t *textureFields) take(names []string, value any) {
	name := strings.Join(names, ".")
	switch v := value.(type) {
	case model.Blob:
		switch name {
		case "source":
			t.source = &v
		case "source.rawData":
			t.rawData = &v
		}
	case uint64:
		if v < 1<<62 {
			t.number(name, int64(v))
		}
	case int64:
		t.number(name, v)
	}
}

func (t *textureFields) number(name string, v int64) {
	switch name {
	case "width":
		t.width = v
	case "height":
		t.height = v
	case "dimension":
		t.dimension = v
	case "arrayCount":
		t.arrayCount = v
	case "arrayLayers":
		t.arrayLayers = v
	case "pixelFormat":
		t.pixelFormat = &v
	case "format":
		t.format = &v
	case "sourceCompressionFormat":
		t.compression = &v
	case "source.sourcePixelFormat":
		t.sourcePixelFormat = &v
	case "source.sourceCompression":
		t.sourceCompression = &v
	}
}

// texture returns what the i-th object says of its picture; false if it is not a texture.
func (f *file) texture(i int) (t Texture, ok bool) {
	var fields textureFields
	f.visit(f.quiet(), i, fields.take)
	return fields.texture()
}

func (t *textureFields) texture() (Texture, bool) {
	w, h := t.width, t.height
	blob, number, table, packing := t.source, t.pixelFormat, formats2024, t.compression
	switch {
	case t.rawData != nil:
		blob, number, table, packing = t.rawData, t.sourcePixelFormat, formats2023, t.sourceCompression
	case t.pixelFormat == nil:
		number, table = t.format, formatsRPI
	}
	if blob == nil || w < 1 || h < 1 || w > texturePixels || h > texturePixels/w {
		return Texture{}, false
	}
	out := Texture{Width: int(w), Height: int(h), Layers: t.layers(), Blob: *blob}
	switch {
	case packing != nil && *packing != 0:
		out.Format = out.fitting(formatsPacked[*packing])
		return out, out.Format != pixels.Unknown
	case number == nil:
		return out, false
	}
	out.Format = out.fitting(table[*number])
	return out, true
}

// layers returns how many pictures a texture has, mip levels aside.
func (t *textureFields) layers() int {
	layers := min(max(1, t.arrayCount), textureLayers)
	if t.arrayLayers > 1 {
		layers = min(t.arrayLayers, textureLayers)
	}
	if (t.dimension == 3 || t.dimension == 5) && layers < 6 {
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
