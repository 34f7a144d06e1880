package hex

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Form is a form in which bytes are copied as text.
type Form uint8

// The text forms of bytes.
const (
	AsHex Form = iota
	AsText
	AsCArray
	AsBase64
)

// String returns the name of a form for a menu.
func (f Form) String() string {
	return [...]string{AsHex: "Hex", AsText: "Text", AsCArray: "C array", AsBase64: "Base64"}[f]
}

// Forms returns all forms in the order of a menu.
func Forms() []Form { return []Form{AsHex, AsText, AsCArray, AsBase64} }

// MaxCopy is the maximum number of bytes that are copied.
const MaxCopy = 16 << 20

// Format reads a range and writes it as text. It is safe to call off the UI thread.
func Format(data io.ReaderAt, offset, length int64, form Form) (string, error) {
	switch {
	case length <= 0:
		return "", errors.New("select bytes first")
	case length > MaxCopy:
		return "", fmt.Errorf("the selection is %d bytes; at most %d can be copied. Export it as a file instead",
			length, MaxCopy)
	}
	bytes := make([]byte, length)
	if n, err := data.ReadAt(bytes, offset); n < len(bytes) {
		if err == nil || errors.Is(err, io.EOF) {
			err = errors.New("the file ends there")
		}
		return "", fmt.Errorf("cannot read bytes from offset %#x: %w", offset+int64(n), err)
	}
	if m, ok := data.(Mapped); ok {
		bytes = withoutGaps(m, offset, bytes)
	}
	switch form {
	case AsText:
		return text(bytes), nil
	case AsCArray:
		return cArray(bytes), nil
	case AsBase64:
		return base64.StdEncoding.EncodeToString(bytes), nil
	}
	return hexLines(bytes), nil
}

// withoutGaps removes the bytes in gaps from bytes, which were read at offset.
func withoutGaps(m Mapped, offset int64, bytes []byte) []byte {
	existing := bytes[:0]
	for i := int64(0); i < int64(len(bytes)); {
		_, n, exists := m.FileOffset(offset + i)
		to := min(int64(len(bytes)), i+max(1, n))
		if exists {
			existing = append(existing, bytes[i:to]...)
		}
		i = to
	}
	return existing
}

// hexLines returns bytes as hexadecimal digits, 16 bytes in a line.
func hexLines(bytes []byte) string {
	var b strings.Builder
	b.Grow(3 * len(bytes))
	for line := range slices.Chunk(bytes, 16) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "% x", line)
	}
	return b.String()
}

// text converts bytes to UTF-8. Control characters and invalid bytes become the replacement character: a NUL would end
// the text on the clipboard.
func text(bytes []byte) string {
	var b strings.Builder
	b.Grow(len(bytes))
	for len(bytes) > 0 {
		r, n := utf8.DecodeRune(bytes)
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		bytes = bytes[n:]
	}
	return b.String()
}

func cArray(bytes []byte) string {
	var b strings.Builder
	b.Grow(6*len(bytes) + 64)
	fmt.Fprintf(&b, "const unsigned char data[%d] = {", len(bytes))
	for i, v := range bytes {
		if i%12 == 0 {
			b.WriteString("\n    ")
		} else {
			b.WriteByte(' ')
		}
		b.WriteString("0x")
		b.WriteByte(digits[v>>4])
		b.WriteByte(digits[v&15])
		if i < len(bytes)-1 {
			b.WriteByte(',')
		}
	}
	b.WriteString("\n};\n")
	return b.String()
}
