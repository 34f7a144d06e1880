package casset

import (
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

// pixelsOf returns the blob that a texture has its pixels in.
func pixelsOf(object *model.Node) (model.Blob, bool) {
	source := object.Named("fields").Named("source")
	if source != nil && !source.Leaf() {
		if raw := source.Named("rawData"); raw != nil {
			source = raw
		}
	}
	if source == nil {
		return model.Blob{}, false
	}
	b, ok := source.Value.(model.Blob)
	return b, ok
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
