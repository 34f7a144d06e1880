package formats

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/content"
	"assay/model/picture"
)

const rawHeadSize = 4096

// OpenRaw returns src as plain bytes. expected is the title of the format of the file's extension, or empty. altered is
// the message of a format that almost recognizes the file, or empty; if set, it is the only message.
func OpenRaw(src *model.Source, expected, altered string) (*model.Document, error) {
	head, err := src.Bytes(model.Span{Size: min(rawHeadSize, src.Size())})
	if err != nil && len(head) == 0 {
		return nil, err
	}
	root := &model.Node{Type: "Bytes", Span: model.Span{Size: src.Size()}}
	kind := content.KindOf(src)
	d := model.NewDocument(src, model.UnknownFormat, "unknown format", root)
	d.View = func(ctx context.Context, _ *model.Node) (model.View, error) { return content.View(ctx, src) }
	if kind.IsKnown() && expected == "" && altered == "" {
		d.Variant, d.Why, d.Content = kind.Name, "detected from its content", true
		span := model.Span{Size: src.Size()}
		root.SetChildren(model.List{{Name: "content", Type: kind.Name, Span: span,
			Value: model.Blob{Source: src, Span: span}}})
		return d, nil
	}
	sentence := "unknown format"
	if expected != "" {
		sentence = fmt.Sprintf("not a valid %s, despite its extension", expected)
	}
	if guess := guessType(head, src.Size()); guess != "" {
		sentence += "; " + guess
	}
	if altered != "" {
		sentence = altered
	}
	root.Warnf(model.Warning, root.Span, "%s", sentence)
	return d, nil
}

// guessType returns the likely type of a file that begins with head, or "".
func guessType(head []byte, size int64) string {
	switch {
	case size == 0:
		return "it is empty"
	case size < 4:
		return "only " + model.PlainCount(size, "byte") + ", too short to be recognized"
	}
	kind := content.TypeOf(head)
	switch {
	case kind.Media == "application/octet-stream":
		return ""
	case strings.HasPrefix(kind.Media, "text/plain") && utf8.Valid(head):
		return "it looks like plain text"
	case strings.HasPrefix(kind.Media, "text/"):
		return "it looks like text of the type " + kind.Media
	case kind.Extension == "":
		return "it looks like a file of the type " + kind.Media
	}
	return fmt.Sprintf("it looks like a file of the type %s (%s)", kind.Media, kind.Extension)
}

// addPictureAsset adds a picture of any format to the assets of its document, with the forms raw and PNG.
func addPictureAsset(d *model.Document, src *model.Source) {
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
