package casset

import (
	"assay/model"
	"assay/model/picture"
)

// Texture is what an object of a texture class says of its picture.
type Texture struct {
	Width, Height int
	Layers        int // pictures of that size that the pixels are for: elements of an array, sides of a cube
	Format        picture.Format
	Blob          model.Blob // the pixels, rows from the top
}

const (
	texturePixels = 64 << 20 // bounds a picture that is drawn
	textureLayers = 4096     // and how many there can be of one size
)

// textureFields are the fields of an object that say what its picture is.
type textureFields struct {
	source        model.Blob // Source is nil if there is none
	width, height number
	dimension     number
	arrayCount    number
	pixelFormat   number
	packing       number // sourceCompressionFormat

	// In 2023 the source was a struct.
	sourceRaw     model.Blob
	sourceFormat  number
	sourcePacking number

	// The assets of the engine's rendering have these in place of pixelFormat and arrayCount.
	format, arrayLayers number
}

// number is the value of a field, if the object has it.
type number struct {
	value int64
	known bool
}

// field returns the number that a field of those names is; nil if textures have none. The engine finds fields by their
// names, and so does this.
func (t *textureFields) field(names []string) *number {
	switch {
	case len(names) == 1:
		switch names[0] {
		case "width":
			return &t.width
		case "height":
			return &t.height
		case "dimension":
			return &t.dimension
		case "arrayCount":
			return &t.arrayCount
		case "pixelFormat":
			return &t.pixelFormat
		case "sourceCompressionFormat":
			return &t.packing
		case "format":
			return &t.format
		case "arrayLayers":
			return &t.arrayLayers
		}
	case len(names) == 2 && names[0] == "source":
		switch names[1] {
		case "sourcePixelFormat":
			return &t.sourceFormat
		case "sourceCompression":
			return &t.sourcePacking
		}
	}
	return nil
}

// takeNumber takes a number of the object.
func (t *textureFields) takeNumber(names []string, form model.Number, bits uint64) {
	field := t.field(names)
	if field == nil {
		return
	}
	switch v := form.Value(bits).(type) {
	case uint64:
		if v < 1<<62 {
			*field = number{int64(v), true}
		}
	case int64:
		*field = number{v, true}
	}
}

// takeBlob takes a blob of the object.
func (t *textureFields) takeBlob(names []string, b model.Blob) {
	switch {
	case len(names) == 1 && names[0] == "source":
		t.source = b
	case len(names) == 2 && names[0] == "source" && names[1] == "rawData":
		t.sourceRaw = b
	}
}

// texture returns what the i-th object says of its picture; false if it is not a texture.
func (f *file) texture(i int) (Texture, bool) {
	q := f.quiet()
	if h, ok := f.head(q, i); !ok || !f.isTextureClass(h) {
		return Texture{}, false
	}
	t := textureFields{}
	f.visit(q, i, &visitor{number: t.takeNumber, blob: t.takeBlob})
	return t.texture()
}

// isTextureClass reports whether objects of a class may be textures: by the schema in 3.0; before, only their own
// fields tell.
func (f *file) isTextureClass(h head) bool {
	if f.lay.generation != bundle3 || int64(h.schema) >= int64(len(f.schema.entries)) {
		return true
	}
	class := &f.schema.entries[h.schema]
	return class.has("source") && class.has("width") && class.has("height")
}

// texture returns the texture that the fields make; false if they make none.
func (t *textureFields) texture() (Texture, bool) {
	blob, format, table, packing := t.source, t.pixelFormat, formats2024, t.packing
	switch {
	case t.sourceRaw.Source != nil:
		blob, format, table, packing = t.sourceRaw, t.sourceFormat, formats2023, t.sourcePacking
	case !format.known:
		format, table = t.format, formatsRPI
	}
	w, h := t.width.value, t.height.value
	if blob.Source == nil || w < 1 || h < 1 || w > texturePixels || h > texturePixels/w {
		return Texture{}, false
	}
	out := Texture{Width: int(w), Height: int(h), Layers: t.layers(), Blob: blob}
	if packing.value != 0 {
		out.Format = out.fitting(formatsPacked[packing.value])
		return out, out.Format != picture.Unknown
	}
	if format.known {
		out.Format = out.fitting(table[format.value])
	}
	return out, format.known
}

// layers returns how many pictures a texture has, mip levels aside.
func (t *textureFields) layers() int {
	layers := max(1, t.arrayCount.value)
	if n := t.arrayLayers.value; n > 1 {
		layers = n
	}
	if d := t.dimension.value; (d == cube || d == cubeArray) && layers < 6 {
		layers = 6
	}
	return int(min(layers, textureLayers))
}

// The engine's numbers of dimensions in which a texture has six sides.
const (
	cube      = 3
	cubeArray = 5
)

// fitting chooses the format in which all pictures, or else the first one, take as many bytes as there are; the first
// format if there is none.
func (t Texture) fitting(formats []picture.Format) picture.Format {
	for _, pictures := range []int{t.Layers, 1} {
		for _, f := range formats {
			if f.Size(t.Width, t.Height)*int64(pictures) == t.Blob.Span.Size {
				return f
			}
		}
	}
	if len(formats) == 0 {
		return picture.Unknown
	}
	return formats[0]
}
