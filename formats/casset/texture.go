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

// textureFields are the fields of an object that say what its picture is, by their names: the engine finds fields by
// their names, and so does this.
type textureFields struct {
	numbers map[string]int64
	blobs   map[string]model.Blob
}

// textureNames are the names of these fields. In 2023 the source was a struct; of format and arrayLayers, the assets of
// the engine's rendering are.
var textureNames = map[string]bool{"source": true, "width": true, "height": true, "dimension": true, "arrayCount": true,
	"pixelFormat": true, "sourceCompressionFormat": true,
	"source.rawData": true, "source.sourcePixelFormat": true, "source.sourceCompression": true,
	"format": true, "arrayLayers": true}

// take takes the value of a field. Numbers that no field of a texture has are ignored.
func (t *textureFields) take(names []string, value any) {
	name := strings.Join(names, ".")
	if !textureNames[name] {
		return
	}
	switch v := value.(type) {
	case model.Blob:
		t.blobs[name] = v
	case uint64:
		if v < 1<<62 {
			t.numbers[name] = int64(v)
		}
	case int64:
		t.numbers[name] = v
	}
}

// texture returns what the i-th object says of its picture; false if it is not a texture.
func (f *file) texture(i int) (t Texture, ok bool) {
	fields := textureFields{make(map[string]int64), make(map[string]model.Blob)}
	f.visit(f.quiet(), i, fields.take)
	return fields.texture()
}

func (t *textureFields) texture() (Texture, bool) {
	blob, known := t.blobs["source"]
	format, table, packing := "pixelFormat", formats2024, t.numbers["sourceCompressionFormat"]
	if raw, ok := t.blobs["source.rawData"]; ok {
		blob, known = raw, true
		format, table, packing = "source.sourcePixelFormat", formats2023, t.numbers["source.sourceCompression"]
	} else if _, ok := t.numbers[format]; !ok {
		format, table = "format", formatsRPI
	}
	w, h := t.numbers["width"], t.numbers["height"]
	if !known || w < 1 || h < 1 || w > texturePixels || h > texturePixels/w {
		return Texture{}, false
	}
	out := Texture{Width: int(w), Height: int(h), Layers: t.layers(), Blob: blob}
	if packing != 0 {
		out.Format = out.fitting(formatsPacked[packing])
		return out, out.Format != pixels.Unknown
	}
	number, known := t.numbers[format]
	if known {
		out.Format = out.fitting(table[number])
	}
	return out, known
}

// layers returns how many pictures a texture has, mip levels aside.
func (t *textureFields) layers() int {
	layers := max(1, t.numbers["arrayCount"])
	if n := t.numbers["arrayLayers"]; n > 1 {
		layers = n
	}
	if d := t.numbers["dimension"]; (d == 3 || d == 5) && layers < 6 {
		layers = 6
	}
	return int(min(layers, textureLayers))
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
