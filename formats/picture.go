package formats

import (
	"context"
	"io"
	"path"
	"strings"

	"assay/model"
	"assay/model/picture"
)

// asPicture adds a picture of any format to the assets of its document, with the forms raw and PNG.
func asPicture(d *model.Document, src *model.Source) {
	format := picture.Recognize(src)
	if format == "" {
		return
	}
	span := model.Span{Size: src.Size()}
	payload := &model.Payload{Key: src.Name(), Name: src.Name(), Type: strings.TrimPrefix(path.Ext(src.Name()), "."),
		Node: d.Root(), Size: span.Size, Stored: span,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(src.Reader(span)), nil },
		Forms: append([]model.Form{{Name: "raw"}}, picture.Forms(format,
			func(_ context.Context, use func(*model.Source) error) error { return use(src) })...)}
	if d.Payloads == nil {
		d.Payloads = model.PayloadList{payload}
		return
	}
	d.Payloads = &pictureFirst{payload, d.Payloads}
}

// pictureFirst is the assets of a picture: the picture, then its parts.
type pictureFirst struct {
	payload *model.Payload
	model.Payloads
}

// Len implements model.Payloads.
func (p *pictureFirst) Len() int { return 1 + p.Payloads.Len() }

// At implements model.Payloads.
func (p *pictureFirst) At(i int) *model.Payload {
	if i == 0 {
		return p.payload
	}
	return p.Payloads.At(i - 1)
}
