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

// encodings are those that the registry of the Internet does not have, or reads with a byte order mark.
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

// spellings are the names of the language's own list that the registry does not have, in lower case, and what they
// mean.
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

// EncodingName returns the one name of an encoding that may be spelled in many ways; an error if it is not known.
func EncodingName(name string) (string, error) {
	one, _, err := find(name)
	return one, err
}

// find returns the encoding of a name: one that the language's own page lists, in each of its spellings, or one of the
// Internet's registry that golang.org/x/text knows.
func find(name string) (string, encoding.Encoding, error) {
	if e := encodings[name]; e != nil {
		return name, e, nil
	}
	one := strings.ToLower(name)
	for _, s := range spellings {
		if s.pattern.MatchString(one) {
			one = s.pattern.ReplaceAllString(one, s.name)
			break
		}
	}
	if e := encodings[one]; e != nil {
		return one, e, nil
	}
	if e, err := ianaindex.IANA.Encoding(one); err == nil && e != nil {
		return one, e, nil
	}
	return "", nil, fmt.Errorf("the encoding %q is not known", name)
}

// Decode returns the text of bytes in an encoding. Bytes that mean nothing in it become U+FFFD.
func Decode(b []byte, name string) (string, error) {
	_, e, err := find(name)
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
// The name is one of EncodingName.
func Unit(name string) int {
	switch {
	case strings.HasPrefix(name, "utf-16"):
		return 2
	case strings.HasPrefix(name, "utf-32"):
		return 4
	}
	return 1
}
