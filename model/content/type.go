package content

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"

	"assay/model"
	"assay/model/picture"
	"assay/model/text"
)

// Type is what a content is to other programs.
type Type struct {
	Media     string // "image/png", "application/octet-stream"
	Extension string // with its dot; empty for bytes of which nothing is known
}

// unknown is the type of bytes of which nothing is known.
var unknown = Type{Media: "application/octet-stream"}

// marks are how the files begin that Assay opens.
var marks []mark

type mark struct {
	begins []byte
	of     Type
}

// Know has TypeOf recognise files of types that Assay opens, where a mark at their beginning says what they are. It is
// called before any other function of the package.
func Know(types []model.FileType) {
	for _, t := range types {
		for _, m := range t.Magic {
			if !t.IsText() && m.From == 0 && len(m.And) == 0 {
				marks = append(marks, mark{m.Bytes, Type{t.MIME, t.Extensions()[0]}})
			}
		}
	}
}

// TypeOf returns the type of a content by its first bytes. What is recorded elsewhere, or promised by a name, plays no
// part in it.
func TypeOf(head []byte) Type {
	for i := range marks {
		if bytes.HasPrefix(head, marks[i].begins) {
			return marks[i].of
		}
	}
	found := mimetype.Detect(head)
	short := shortMarks[found.String()]
	switch media := found.String(); {
	case short != nil && !short(head):
		return unknown
	case media == unknown.Media, media == "image/x-icon": // it takes two bytes for an icon, which TGAs begin with, too
		if media, extension := picture.TypeOf(head); media != "" {
			return Type{media, extension}
		}
	case isPlain(found) && !isText(head, found):
		return unknown
	}
	return Type{found.String(), found.Extension()}
}

const (
	// leastForeign is how many bytes without one that no text has are a text, whatever their encoding: of random
	// bytes, one such run in a thousand is as long.
	leastForeign = 64
	// foreignMost is how many of the characters of a shorter one, one in so many, may be of another encoding.
	foreignMost = 8
)

// isPlain reports whether a type is that of texts of which no more is known. MIME.Is takes longer than finding the
// type.
func isPlain(m *mimetype.MIME) bool { return strings.HasPrefix(m.String(), "text/plain") }

// isText reports whether bytes are a text: of UTF-8 or with a mark, else of an encoding that is guessed, for which
// there must be enough of it.
func isText(head []byte, found *mimetype.MIME) bool {
	for ; !isPlain(found); found = found.Parent() {
		if found.Parent() == nil {
			return false
		}
	}
	if len(head) >= leastForeign || text.Encoded(head) {
		return true
	}
	foreign := 0
	for _, c := range head {
		if c >= utf8.RuneSelf {
			foreign++
		}
	}
	return foreign*foreignMost <= len(head)
}
