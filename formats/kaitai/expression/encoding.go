package expression

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// encodings are read differently from the registry of golang.org/x/text, or are not in it: ASCII as UTF-8, UTF-16 and
// UTF-32 without a byte order mark, GB 2312 as its superset GBK.
var encodings = map[string]encoding.Encoding{
	"ascii":       unicode.UTF8,
	"utf-8":       unicode.UTF8,
	"utf-16le":    unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be":    unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"utf-32le":    utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	"utf-32be":    utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
	"iso-8859-11": charmap.Windows874,
	"shift_jis":   japanese.ShiftJIS,
	"gb2312":      simplifiedchinese.GBK,
}

// spellings are the encoding names of the language's own list that the registry does not have, in lower case, and their
// registered names.
var spellings = []struct {
	pattern *regexp.Regexp
	name    string
}{
	{regexp.MustCompile(`^(?:cs|us[-_])?ascii$|^(?:ibm|cp)367$|^iso-ir-6$`), "ascii"},
	{regexp.MustCompile(`^(?:cs|iso-10646/)?utf[-_]?8$|^cp65001$|^unicode-[12]-[01]-utf-8$`), "utf-8"},
	{regexp.MustCompile(`^(?:cs)?utf[-_]?(16|32)[-_]?([bl]e)$`), "utf-$1$2"},
	{regexp.MustCompile(`^csutf16$`), "utf-16"},
	{regexp.MustCompile(`^ibm1111$`), "iso-8859-2"},
	{regexp.MustCompile(`^(?:thai|cstis620|tis-620)$`), "iso-8859-11"},
	{regexp.MustCompile(`^l(?:atin[-_]?)?7$|^windows-28603$`), "iso-8859-13"},
	{regexp.MustCompile(`^l(?:atin[-_]?)?9$|^windows-28605$`), "iso-8859-15"},
	{regexp.MustCompile(`^(?:iso[-_]?)?8859[-_]?([0-9]+)$|^windows-2859([1-9])$`), "iso-8859-$1$2"},
	{regexp.MustCompile(`^latin[-_]([0-9]+)$`), "latin$1"},
	{regexp.MustCompile(`^cp125([0-8])$`), "windows-125$1"},
	{regexp.MustCompile(`^s(?:hift)?[-_]?jis$|^pck$|^cp932$`), "shift_jis"},
	{regexp.MustCompile(`^euc[-_]?kr$|^korean$|^iso-ir-149$`), "euc-kr"},
}

// Encoding is how texts are stored.
type Encoding struct {
	Name   string            // the one name of an encoding that may be spelled in many ways
	coding encoding.Encoding // nil if it is unknown
}

// EncodingOf returns the encoding of a name: any spelling on the language's own page, or a name in the Internet's
// registry that golang.org/x/text knows. An unknown encoding decodes nothing.
func EncodingOf(name string) (Encoding, error) {
	if len(name) > maxStated { // longer than all of them
		return Encoding{}, fmt.Errorf("unknown encoding %q", name[:maxStated]+"...")
	}
	lower := strings.ToLower(name)
	for i := 0; encodings[lower] == nil && i < len(spellings); i++ {
		if s := spellings[i]; s.pattern.MatchString(lower) {
			lower = s.pattern.ReplaceAllString(lower, s.name)
			break
		}
	}
	if e := encodings[lower]; e != nil {
		return Encoding{lower, e}, nil
	}
	if e, err := ianaindex.IANA.Encoding(lower); err == nil && e != nil {
		return Encoding{lower, e}, nil
	}
	return Encoding{Name: name}, fmt.Errorf("unknown encoding %q", name)
}

// Decode returns the text of bytes. Invalid bytes of the encoding become U+FFFD.
func (e Encoding) Decode(b []byte) (string, error) {
	if e.coding == nil {
		return "", fmt.Errorf("unknown encoding %q", e.Name)
	}
	text, err := e.coding.NewDecoder().Bytes(b)
	if err != nil {
		return "", fmt.Errorf("the bytes are not text in %s: %w", e.Name, err)
	}
	return string(text), nil
}

// Unit returns the number of bytes of a unit of the encoding, and of its terminator: 2 in UTF-16, 4 in UTF-32, else 1.
func (e Encoding) Unit() int {
	switch {
	case strings.HasPrefix(e.Name, "utf-16"):
		return 2
	case strings.HasPrefix(e.Name, "utf-32"):
		return 4
	}
	return 1
}
