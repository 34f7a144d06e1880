package expression

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// method is an attribute or a method of a kind of value, after a point.
type method struct {
	arguments, optional int
	call                func(v Value, args []Value) (Value, error)
}

// methods are the methods of the language, by the kind of the value before the point.
var methods = map[Kind]map[string]method{
	Int: {
		"to_s": {call: func(v Value, _ []Value) (Value, error) { return TextValue(v.String()), nil }},
		"to_i": {call: func(v Value, _ []Value) (Value, error) { v.Enum = nil; return v, nil }},
	},
	Bool: {
		"to_i": {call: func(v Value, _ []Value) (Value, error) { return IntValue(v.n), nil }},
	},
	Float: {
		"to_i": {call: func(v Value, _ []Value) (Value, error) { return truncate(v.Float()) }},
	},
	Text: {
		"length":    {call: length},
		"reverse":   {call: reverse},
		"substring": {arguments: 2, call: substring},
		"to_i":      {optional: 1, call: parseInt},
		"to_b":      {arguments: 1, call: encode},
	},
	Bytes: {
		"to_s":   {arguments: 1, call: decode},
		"length": listMethods["length"], "size": listMethods["size"],
		"first": listMethods["first"], "last": listMethods["last"], "min": listMethods["min"], "max": listMethods["max"],
	},
	List: listMethods,
}

// listMethods are the methods of lists and of bytes.
var listMethods = map[string]method{
	"size":   {call: length},
	"length": {call: length},
	"first":  {call: func(v Value, _ []Value) (Value, error) { return existingElement(v, 0) }},
	"last":   {call: last},
	"min":    {call: func(v Value, _ []Value) (Value, error) { return extreme(v, -1) }},
	"max":    {call: func(v Value, _ []Value) (Value, error) { return extreme(v, 1) }},
}

func call(v Value, id string, args []Value) (Value, error) {
	m, ok := methods[v.Kind][id]
	switch {
	case !ok && v.Kind == None:
		return Value{}, fmt.Errorf("%s of an absent attribute", id)
	case !ok:
		return Value{}, fmt.Errorf("%v has no %q", v.Kind, id)
	case len(args) >= m.arguments && len(args) <= m.arguments+m.optional:
		return m.call(v, args)
	case m.optional > 0:
		return Value{}, fmt.Errorf("%s takes %d to %d arguments, not %d", id, m.arguments, m.arguments+m.optional, len(args))
	}
	return Value{}, fmt.Errorf("%s takes %d arguments, not %d", id, m.arguments, len(args))
}

func length(v Value, _ []Value) (Value, error) {
	n, _ := lengthOf(v)
	return IntValue(n), nil
}

func truncate(f float64) (Value, error) {
	if f = math.Trunc(f); !(f >= math.MinInt64 && f < math.MaxInt64) {
		return Value{}, fmt.Errorf("%v is not a whole number of 64 bits", f)
	}
	return IntValue(int64(f)), nil
}

func reverse(v Value, _ []Value) (Value, error) {
	runes := []rune(v.s)
	slices.Reverse(runes)
	return TextValue(string(runes)), nil
}

// substring returns the characters from one position up to another, both counted from 0.
func substring(v Value, args []Value) (Value, error) {
	from, err := args[0].Int()
	if err != nil {
		return Value{}, err
	}
	to, err := args[1].Int()
	if err != nil {
		return Value{}, err
	}
	runes := []rune(v.s)
	if from < 0 || to < from || to > int64(len(runes)) {
		return Value{}, fmt.Errorf("%d to %d is not within %d characters", from, to, len(runes))
	}
	return TextValue(string(runes[from:to])), nil
}

// maxStated is the maximum number of bytes of a text in an error.
const maxStated = 80

// parseInt parses a text as a whole number, in base 10 or the given base.
func parseInt(v Value, args []Value) (Value, error) {
	base := int64(10)
	if len(args) == 1 {
		var err error
		if base, err = args[0].Int(); err != nil {
			return Value{}, err
		}
	}
	if base < 2 || base > 36 {
		return Value{}, fmt.Errorf("a base must be from 2 to 36, not %d", base)
	}
	if n, err := strconv.ParseInt(v.s, int(base), 64); err == nil {
		return IntValue(n), nil
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(v.s, "+"), int(base), 64)
	if err != nil {
		return Value{}, fmt.Errorf("%q is not a whole number in base %d", v.s[:min(len(v.s), maxStated)], base)
	}
	return UintValue(n), nil
}

// encode returns the bytes of a text in an encoding.
func encode(v Value, args []Value) (Value, error) {
	e, err := EncodingOf(args[0].s)
	if err != nil {
		return Value{}, err
	}
	b, err := e.coding.NewEncoder().Bytes([]byte(v.s))
	return BytesValue(b), err
}

// decode returns the text that bytes are in an encoding.
func decode(v Value, args []Value) (Value, error) {
	e, err := EncodingOf(args[0].s)
	if err != nil {
		return Value{}, err
	}
	s, err := e.Decode(v.Bytes())
	return TextValue(s), err
}

func last(v Value, _ []Value) (Value, error) {
	n, _ := lengthOf(v)
	return existingElement(v, n-1)
}

// existingElement returns element i of bytes or of a list, or an error if it is empty. Otherwise i must be valid.
func existingElement(v Value, i int64) (Value, error) {
	if n, _ := lengthOf(v); n == 0 {
		return Value{}, errors.New("the list is empty")
	}
	return elementOf(v, i)
}

// extreme returns the smallest (-1) or largest (1) element of a list, or the first one if elements have no order.
func extreme(v Value, side int) (Value, error) {
	best, err := existingElement(v, 0)
	n, _ := lengthOf(v)
	for i := int64(1); i < n && err == nil; i++ {
		var e Value
		if e, err = elementOf(v, i); err != nil {
			break
		}
		var order int
		var ordered bool
		if order, ordered, err = compare(e, best); ordered && order == side || !ordered && isNaN(best) && !isNaN(e) {
			best = e
		}
	}
	return best, err
}

func isNaN(v Value) bool { return v.Kind == Float && math.IsNaN(v.Float()) }

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

// maxEncodingName is the maximum number of bytes of the name of an encoding: more than any known one has.
const maxEncodingName = 80

// EncodingOf returns the encoding of a name: any spelling on the language's own page, or a name in the Internet's
// registry that golang.org/x/text knows. An unknown encoding decodes nothing.
func EncodingOf(name string) (Encoding, error) {
	if len(name) > maxEncodingName {
		return Encoding{}, fmt.Errorf("unknown encoding %q", name[:maxEncodingName]+"...")
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
