package picture

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"io"

	"assay/model"
)

// pngMark is how a PNG begins.
const pngMark = "\x89PNG\r\n\x1a\n"

// WritePNG writes a picture file as PNG: one that is a PNG is copied, another is converted. It may return a model.Loss.
func WritePNG(ctx context.Context, w io.Writer, src *model.Source) error {
	head, err := src.Bytes(model.Span{Size: min(int64(len(pngMark)), src.Size())})
	if err != nil {
		return err
	}
	if bytes.Equal(head, []byte(pngMark)) {
		_, err := io.Copy(w, src.Reader(model.Span{Size: src.Size()}))
		return err
	}
	shown, err := Open(ctx, src)
	if err != nil {
		return err
	}
	if err := png.Encode(w, shown.Image); err != nil {
		return err
	}
	if n := len(shown.Parts); n > 1 {
		return model.Loss{fmt.Sprintf("the picture is the first of the %d in it", n)}
	}
	return nil
}
