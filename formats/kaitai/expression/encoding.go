package expression

import (
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// encodings are those whose names the registry of the Internet does not have, or reads with a byte order mark.
var encodings = map[string]encoding.Encoding{
	"ascii":    unicode.UTF8,
	"utf-8":    unicode.UTF8,
	"utf8":     unicode.UTF8,
	"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	"utf-32be": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
	"utf16le":  unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf16be":  unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"sjis":     japanese.ShiftJIS,
	"cp932":    japanese.ShiftJIS,
	"gb2312":   simplifiedchinese.GBK,
}

// spellings are those of the names in descriptions that the registry does not have.
var spellings = strings.NewReplacer("iso8859-", "iso-8859-", "cp125", "windows-125", "shift-jis", "shift_jis")

// Encoding returns the encoding of that name: what the language's own page lists, and every name of the Internet's
// registry that golang.org/x/text knows.
func Encoding(name string) (encoding.Encoding, error) {
	lower := spellings.Replace(strings.ToLower(name))
	if e := encodings[lower]; e != nil {
		return e, nil
	}
	if e, err := ianaindex.IANA.Encoding(lower); err == nil && e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("the encoding %q is not known", name)
}

// Decode returns the text of bytes in an encoding. Bytes that mean nothing in it become U+FFFD.
func Decode(b []byte, name string) (string, error) {
	e, err := Encoding(name)
	if err != nil {
		return "", err
	}
	text, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return "", fmt.Errorf("the bytes are not text in %s: %w", name, err)
	}
	return string(text), nil
}

// Unit returns how many bytes the units of an encoding have, and so its terminator: 2 in UTF-16, 4 in UTF-32, else 1.
func Unit(name string) int {
	switch name = strings.ToLower(name); {
	case strings.HasPrefix(name, "utf-16"), strings.HasPrefix(name, "utf16"):
		return 2
	case strings.HasPrefix(name, "utf-32"):
		return 4
	}
	return 1
}
