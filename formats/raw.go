package formats

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/model"
	"assay/model/content"
)

const rawHeadSize = 4096

// OpenRaw returns src as plain bytes. expected is the title of the format that the file's name promises, or empty.
// altered is a sentence about a file that a format almost recognises, or empty; it is then all that is said.
func OpenRaw(src *model.Source, expected, altered string) (*model.Document, error) {
	head := make([]byte, min(rawHeadSize, src.Size()))
	n, err := src.ReadAt(head, 0)
	if n == 0 && err != nil && src.Size() > 0 {
		return nil, err
	}
	root := &model.Node{Type: "Bytes", Span: model.Span{Size: src.Size()}}
	kind := content.Of(src)
	d := model.NewDocument(src, model.UnknownFormat, "unknown format", root)
	d.View = func(ctx context.Context, _ *model.Node) (model.View, error) { return content.View(ctx, src) }
	if kind.Known() && expected == "" && altered == "" {
		d.Variant, d.Why, d.Content = kind.Name, "detected from its content", true
		span := model.Span{Size: src.Size()}
		root.SetChildren(model.List{{Name: "content", Type: kind.Name, Span: span,
			Value: model.Blob{Source: src, Span: span}}})
		return d, nil
	}
	sentence := "unknown format; " + seems(head[:n], src.Size())
	if expected != "" {
		sentence = fmt.Sprintf("not a valid %s, despite its extension; %s", expected, seems(head[:n], src.Size()))
	}
	if altered != "" {
		sentence = altered
	}
	root.Warn(model.Warning, model.Span{Size: min(src.Size(), int64(n))}, "%s", sentence)
	return d, nil
}

// seems says what a file that begins with head looks like.
func seems(head []byte, size int64) string {
	switch {
	case size == 0:
		return "it is empty"
	case size < 4:
		return fmt.Sprintf("only %d bytes, too short to be recognized", size)
	}
	kind := content.TypeOf(head)
	switch {
	case kind.Media == "application/octet-stream":
		return "it looks like unknown binary data"
	case strings.HasPrefix(kind.Media, "text/plain") && utf8.Valid(head):
		return "it looks like plain text"
	case strings.HasPrefix(kind.Media, "text/"):
		return "it looks like text of the type " + kind.Media
	case kind.Extension == "":
		return "it looks like a file of the type " + kind.Media
	}
	return fmt.Sprintf("it looks like a file of the type %s (%s)", kind.Media, kind.Extension)
}
