// Package content reads the content of files that are not in Assay's own formats: pictures, sounds, texts, fonts, and
// bytes of unknown type.
//
// Assets of a package that are files themselves can be exported in the forms of such files, without being unpacked
// before.
package content

import (
	"bytes"
	"context"
	"encoding/binary"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"

	"assay/model"
	"assay/model/font"
	"assay/model/picture"
	"assay/model/sound"
	"assay/model/text"
)

// Kind is a kind of content.
type Kind struct {
	Name string // "PNG picture", "JSON text"; empty if unknown
	Text bool
	// Markup reports whether a picture is written as text, as SVG is.
	Markup bool
	view   func(ctx context.Context, src *model.Source) (model.View, error)
}

// IsKnown reports whether the content is of a kind that has a view.
func (k Kind) IsKnown() bool { return k.Name != "" }

// viewOf returns a function that reads a file, and returns no view with an error.
func viewOf[V model.View](open func(ctx context.Context, src *model.Source) (V, error),
) func(ctx context.Context, src *model.Source) (model.View, error) {
	return func(ctx context.Context, src *model.Source) (model.View, error) {
		v, err := open(ctx, src)
		if err != nil {
			return nil, err
		}
		return v, nil
	}
}

// minText is the minimum number of bytes of a detected text: two versions of a text may be a letter each.
const minText = 1

// headSize is the number of bytes of a file that determine its type.
const headSize = 4096

// KindOf returns the kind of a file's content.
func KindOf(src *model.Source) Kind {
	head := make([]byte, min(headSize, src.Size()))
	n, _ := src.ReadAt(head, 0)
	head = head[:n]
	if format := picture.Recognize(src); format != "" {
		return Kind{Name: format + " picture", Markup: format == "SVG", view: viewOf(picture.Open)}
	}
	if format := font.Recognize(head); format != "" {
		return Kind{Name: format + " font", view: viewOf(font.Open)}
	}
	if format := sound.Recognize(head); format != "" {
		return Kind{Name: format + " sound", view: viewOf(sound.Open)}
	}
	if len(head) >= minText && isText(head, mimetype.Detect(head)) {
		name := "plain text"
		if l := text.Decode(head, path.Base(src.Name())).Language; l != "" {
			name = l + " text"
		}
		return Kind{Name: name, Text: true, view: viewOf(text.Open)}
	}
	return Kind{}
}

// View returns the view of a file: by its kind, else its bytes. Damaged content is displayed as bytes, with an error
// that explains why; of a damaged PNG, the intact rows are displayed.
func View(ctx context.Context, src *model.Source) (model.View, error) {
	var broken error
	if k := KindOf(src); k.IsKnown() {
		v, err := k.view(ctx, src)
		if err == nil || ctx.Err() != nil {
			return v, err
		}
		if p, err := picture.OpenDamaged(ctx, src, err); err == nil {
			return p, nil
		}
		broken = err
	}
	b, err := ReadBytes(ctx, src, model.Span{Size: src.Size()})
	if err != nil {
		return nil, err
	}
	b.Broken = broken
	return b, nil
}

// HasView reports whether content of a media type has a view.
func HasView(mediaType string) bool {
	kind, _, _ := strings.Cut(mediaType, "/")
	return slices.Contains([]string{"image", "text", "audio", "font"}, kind) ||
		strings.HasPrefix(mediaType, "application/json") || strings.HasPrefix(mediaType, "application/ogg")
}

// Type is the type of a content for other programs.
type Type struct {
	Media     string // "image/png", "application/octet-stream"
	Extension string // with its dot; empty if unknown
}

// unknownType is the type of unrecognized bytes.
var unknownType = Type{Media: "application/octet-stream"}

// signatures are how the files begin that Assay opens.
var signatures []signature

type signature struct {
	magic []byte
	typ   Type
}

// AddTypes makes TypeOf recognize files of types that Assay opens, if they begin with a magic number. It is called
// before any other function of the package.
func AddTypes(types []model.FileType) {
	for _, t := range types {
		for _, m := range t.Magic {
			if !t.IsText() && m.From == 0 && len(m.And) == 0 {
				signatures = append(signatures, signature{m.Bytes, Type{t.MIME, t.Extensions()[0]}})
			}
		}
	}
}

// TypeOf returns the type of a content by its first bytes. It ignores any recorded type and the name.
func TypeOf(head []byte) Type {
	for i := range signatures {
		if bytes.HasPrefix(head, signatures[i].magic) {
			return signatures[i].typ
		}
	}
	found := mimetype.Detect(head)
	shortCheck := extraChecks[found.String()]
	switch media := found.String(); {
	case shortCheck != nil && !shortCheck(head):
		return unknownType
	case media == unknownType.Media, media == "image/x-icon": // it takes two bytes for an icon, which TGAs begin with, too
		if media, extension := picture.TypeOf(head); media != "" {
			return Type{media, extension}
		}
	case isTextual(found) && !isText(head, found):
		return unknownType
	}
	return Type{found.String(), found.Extension()}
}

const (
	// minForeignText is the number of bytes from which a text in an unknown encoding is accepted, if it has white
	// space. One random run of bytes that can be text in a thousand is as long.
	minForeignText = 64
	// minBytesPerForeign is the number of bytes of a shorter text in which at most one is not ASCII.
	minBytesPerForeign = 8
)

// isPlain reports whether a type is plain text of no special type. MIME.Is takes longer than finding the type.
func isPlain(m *mimetype.MIME) bool { return strings.HasPrefix(m.String(), "text/plain") }

// isTextual reports whether a type is a text's.
func isTextual(m *mimetype.MIME) bool { return m != nil && (isPlain(m) || isTextual(m.Parent())) }

// isText reports whether bytes are a text: of UTF-8, with a mark, or enough text to guess its encoding.
func isText(head []byte, found *mimetype.MIME) bool {
	switch {
	case !isTextual(found):
		return false
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return isWide(head, binary.BigEndian)
	case bytes.HasPrefix(head, []byte("\xff\xfe")) && !bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")):
		return isWide(head, binary.LittleEndian)
	case text.IsText(head):
		return true
	case len(head) >= minForeignText:
		return bytes.ContainsAny(head, " \t\r\n") // between words or lines of any script
	}
	foreignBytes := 0
	for _, c := range head {
		if c >= utf8.RuneSelf {
			foreignBytes++
		}
	}
	return foreignBytes*minBytesPerForeign <= len(head)
}

// Properties is the view of a node that is not drawn: a table of its fields.
type Properties struct {
	Node    *model.Node
	Current int // the field that is selected; -1: the node itself is
}

// ViewKind implements model.View.
func (*Properties) ViewKind() model.ViewKind { return model.PropertiesView }

const (
	maxTableString = 64 // bytes of a text that a table shows
	maxTableArray  = 16 // numbers of an array that it shows
	maxTableFields = 1 << 30
)

// PropertiesOf returns the table of a node's fields, or the table with the node as a field; nil for bytes, and for
// values that do not fit into a table.
func PropertiesOf(n *model.Node) *Properties {
	switch {
	case n.Len() > maxTableFields:
		return nil
	case !n.Leaf():
		return &Properties{Node: n, Current: -1}
	case n.Parent == nil || n.Parent.Len() > maxTableFields:
		return nil
	}
	switch v := n.Value.(type) {
	case nil:
		if n.Symbol() == "" && n.Size > 0 {
			return nil
		}
	case string:
		if len(v) > maxTableString || strings.ContainsAny(v, "\r\n") {
			return nil
		}
	case model.Array:
		if v.Len() > maxTableArray {
			return nil
		}
	}
	return &Properties{Node: n.Parent, Current: n.Index}
}
