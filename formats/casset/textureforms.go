package casset

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"

	"assay/model"
	"assay/model/picture"
)

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
	return picture.Decode(ctx, t.Format, t.Width, t.Height, b)
}

// parts lists the pictures of a texture that has several and nothing else, by their layers. Where it has mip levels
// too, no document says in which order all stand.
func (t Texture) parts() (parts []model.Part) {
	if t.Layers < 2 || t.size()*int64(t.Layers) != t.Blob.Span.Size {
		return nil
	}
	for i := range t.Layers {
		layer := t
		layer.Blob.Span.Offset += int64(i) * t.size()
		layer.Blob.Span.Size = t.size()
		parts = append(parts, model.Part{Name: fmt.Sprintf("layer %d of %d", i+1, t.Layers), Load: layer.Image})
	}
	return parts
}

// Forms are the ways to write the texture: as PNG, as OpenEXR if its channels are floats, and as its bytes, which no
// other program reads.
func (t Texture) Forms() []model.Form {
	forms := []model.Form{{Name: "png", Extension: ".png", MediaType: "image/png", Write: t.writePNG}}
	if t.Format.Floats() {
		forms = append(forms, model.Form{Name: "exr", Extension: ".exr", MediaType: "image/x-exr", Write: t.writeEXR})
	}
	return append(forms, model.Form{Name: "raw"})
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
	if deep, ok := img.(*picture.Deep); ok {
		if n := deep.Beyond(); n > 0 {
			loss = append(loss,
				fmt.Sprintf("%d pixels are outside 0 to 1 and were clamped; export as exr to keep them", n))
		}
	}
	return orNil(loss)
}

func (t Texture) writeEXR(ctx context.Context, w io.Writer) error {
	img, err := t.Image(ctx)
	if err != nil {
		return err
	}
	deep, ok := img.(*picture.Deep)
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
