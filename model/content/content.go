// Package content reads the content of files that are not in Assay's own formats: pictures, sounds, texts, fonts, and
// bytes of unknown type.
//
// Assets of a package that are files themselves can be exported in the forms of such files, without being unpacked
// before.
package content

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
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

// minText is the minimum number of bytes of a detected text: one, as a version of a text may be a single letter.
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
	extraCheck := extraChecks[found.String()]
	switch media := found.String(); {
	case extraCheck != nil && !extraCheck(head):
		return unknownType
	// mimetype recognizes an icon by four bytes, with which TGAs may begin.
	case media == unknownType.Media, media == "image/x-icon":
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
	// space. Of a thousand random runs of bytes that can be text, one is as long.
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

// extraChecks are further checks of the first bytes, for types whose files begin with a mark of less than four bytes:
// of a million random files, fifteen begin with a mark of two. A bare JPEG XL has only the mark and arbitrary bits, so
// it is recognized only in its container.
var extraChecks = map[string]func(head []byte) bool{
	"application/gzip":   isGzip,
	"application/cbor":   func(head []byte) bool { return len(head) > 3 && (head[3]>>5 == 4 || head[3]>>5 == 5) },
	"application/zlib":   func(head []byte) bool { return isDeflated(head[2:]) },
	"application/x-cpio": isOldCPIO,
	"application/x-ndjson": func(head []byte) bool {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		return json.Valid(line)
	},
	"application/vnd.microsoft.portable-executable": isExecutable,
	"application/x-bzip2":                           isBzip2,
	"application/x-shockwave-flash":                 isFlash,
	"audio/aac":                                     isADTS,
	"audio/mpeg":                                    func(head []byte) bool { return sound.Recognize(head) != "" },
	"image/jpeg":                                    isJPEG,
	"image/jxl":                                     func(head []byte) bool { return !bytes.HasPrefix(head, []byte("\xff\x0a")) },
}

// isWide reports whether a text of UTF-16 has whole characters, which are defined or for private use, and are controls
// only between lines.
func isWide(head []byte, order binary.ByteOrder) bool {
	units := make([]uint16, len(head)/2)
	for i := range units {
		units[i] = order.Uint16(head[2*i:])
	}
	if n := len(units); utf16.IsSurrogate(rune(units[n-1])) { // the second half may be cut off
		units = units[:n-1]
	}
	return len(head)%2 == 0 && !slices.ContainsFunc(utf16.Decode(units[1:]), func(c rune) bool {
		return c == utf8.RuneError ||
			!unicode.IsPrint(c) && !unicode.IsSpace(c) && !unicode.In(c, unicode.Cf, unicode.Co)
	})
}

// isGzip checks the header of RFC 1952: one method, no reserved flags, defined values of level and system.
func isGzip(h []byte) bool {
	return len(h) >= 10 && h[2] == 8 && h[3]&0xe0 == 0 && (h[8] == 0 || h[8] == 2 || h[8] == 4) &&
		(h[9] <= 13 || h[9] == 255)
}

// minInflated is the number of compressed bytes that must be valid if they do not end within the first ones of a
// file.
const minInflated = 64

// isDeflated reports whether bytes are valid by RFC 1951, as far as they go.
func isDeflated(b []byte) bool {
	_, err := io.CopyN(io.Discard, flate.NewReader(bytes.NewReader(b)), 1<<16)
	return err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && len(b) >= minInflated
}

// isOldCPIO checks the length of the first name, which ends with a zero; new archives begin with six digits.
func isOldCPIO(h []byte) bool {
	const head = 26
	if bytes.HasPrefix(h, []byte("0707")) {
		return true
	}
	if len(h) < head {
		return false
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if h[0] == 0x71 {
		order = binary.BigEndian
	}
	n := int(order.Uint16(h[20:]))
	return n > 1 && head+n <= len(h) && bytes.IndexByte(h[head:], 0) == n-1
}

// isExecutable checks the offset of the newer header, and the header if it is within the first bytes.
func isExecutable(h []byte) bool {
	const headerOffset = 0x3c
	if len(h) < headerOffset+4 {
		return false
	}
	to := int64(binary.LittleEndian.Uint32(h[headerOffset:]))
	if to+4 <= int64(len(h)) {
		return bytes.HasPrefix(h[to:], []byte("PE\x00\x00"))
	}
	return to < 1<<16
}

// isBzip2 checks the marks of the first block, or of the end.
func isBzip2(h []byte) bool {
	return len(h) >= 10 && h[3] >= '1' && h[3] <= '9' &&
		(string(h[4:10]) == "1AY&SY" || string(h[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// isFlash checks the version and the length of the whole.
func isFlash(h []byte) bool {
	return len(h) >= 9 && h[3] > 0 && h[3] <= 60 && binary.LittleEndian.Uint32(h[4:]) >= 9 && h[7] < 0x10
}

// isADTS checks that another frame is behind the first one.
func isADTS(h []byte) bool {
	if len(h) < 7 || h[1]&6 != 0 || h[2]>>2&15 > 12 {
		return false
	}
	size := int(h[3]&3)<<11 | int(h[4])<<3 | int(h[5])>>5
	return size >= 7 && size+2 <= len(h) && h[size] == 0xff && h[size+1] == h[1]
}

// isJPEG checks the first segment.
func isJPEG(h []byte) bool {
	return len(h) >= 6 && (h[3] >= 0xc0 && h[3] <= 0xfe) && h[3]&0xf8 != 0xd0 && binary.BigEndian.Uint16(h[4:]) >= 2
}
