package expression

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Kind is the kind of a Value.
type Kind uint8

// The kinds of values. None is an absent optional attribute.
const (
	None Kind = iota
	Bool
	Int
	Float
	Text
	Bytes
	List
	Object
	Stream
)

var kindNames = [...]string{"nothing", "a boolean", "a whole number", "a number", "a text", "bytes", "a list", "an object", "a stream"}

// String names the kind as part of a sentence: "a text".
func (k Kind) String() string { return kindNames[k] }

// Value is the result of an expression. The zero Value is None.
type Value struct {
	Kind  Kind
	large bool // n holds the bits of an unsigned number above the largest int64
	// Enum is the enumeration that a whole number belongs to, or nil.
	Enum Enum

	n   int64 // of Int; 0 or 1 of Bool; the bits of Float
	s   string
	ref any // []byte, Elements, or the pointer that is an object or a stream
}

// Enum gives numbers names.
type Enum interface {
	// Symbol returns the name of a whole number, and false if it has none.
	Symbol(n Value) (string, bool)
}

// Elements is the content of a list. At may read a file.
type Elements interface {
	Len() int
	At(i int) (Value, error)
}

// BoolValue returns a boolean.
func BoolValue(b bool) Value {
	if b {
		return Value{Kind: Bool, n: 1}
	}
	return Value{Kind: Bool}
}

// IntValue returns a whole number.
func IntValue(n int64) Value { return Value{Kind: Int, n: n} }

// UintValue returns a whole number of 64 bits without a sign.
func UintValue(n uint64) Value { return Value{Kind: Int, n: int64(n), large: int64(n) < 0} }

// FloatValue returns a number with a fraction.
func FloatValue(f float64) Value { return Value{Kind: Float, n: int64(math.Float64bits(f))} }

// TextValue returns a text.
func TextValue(s string) Value { return Value{Kind: Text, s: s} }

// BytesValue returns bytes, which must not be changed afterwards.
func BytesValue(b []byte) Value { return Value{Kind: Bytes, ref: b} }

// ListValue returns a list.
func ListValue(l Elements) Value { return Value{Kind: List, ref: l} }

// ObjectValue returns an object value: a pointer whose fields the Scope resolves.
func ObjectValue(o any) Value { return Value{Kind: Object, ref: o} }

// StreamValue returns a stream value: a pointer whose fields the Scope resolves.
func StreamValue(s any) Value { return Value{Kind: Stream, ref: s} }

// Truth returns a boolean, or an error for another kind of value. An absent value is false.
func (v Value) Truth() (bool, error) {
	if v.Kind != Bool && v.Kind != None {
		return false, v.kindError(Bool)
	}
	return v.n != 0, nil
}

// Int returns a whole number as an int64, or an error for another kind of value or one out of range.
func (v Value) Int() (int64, error) {
	switch {
	case v.Kind != Int:
		return 0, v.kindError(Int)
	case v.large:
		return 0, fmt.Errorf("%d is too large", uint64(v.n))
	}
	return v.n, nil
}

// Size returns a number of bytes or of elements, or a position, as Int does. An absent value, or a value computed from
// one, is 0, as in programs of the language's compiler.
func (v Value) Size() (int64, error) {
	if v.Kind == None || v.Kind == Float && math.IsNaN(v.Float()) {
		return 0, nil
	}
	return v.Int()
}

// IntBits returns the bits of a whole number and whether they are unsigned, above the largest int64.
func (v Value) IntBits() (n int64, large bool) { return v.n, v.large }

// WithoutEnum returns a whole number without its enumeration, so that equal numbers are equal with ==.
func (v Value) WithoutEnum() Value { return Value{Kind: v.Kind, large: v.large, n: v.n} }

// Float returns a number, whole or not.
func (v Value) Float() float64 {
	switch {
	case v.Kind == Float:
		return math.Float64frombits(uint64(v.n))
	case v.large:
		return float64(uint64(v.n))
	}
	return float64(v.n)
}

// Text returns the text of a Text, "" of other kinds.
func (v Value) Text() string { return v.s }

// Bytes returns the bytes of a Bytes, nil of other kinds.
func (v Value) Bytes() []byte {
	b, _ := v.ref.([]byte)
	return b
}

// ToBytes returns the bytes of a Bytes value, or of a List of numbers from 0 to 255.
func (v Value) ToBytes() ([]byte, error) {
	switch v.Kind {
	case Bytes:
		return v.Bytes(), nil
	case List:
		return bytesOf(v.Elements())
	}
	return nil, v.kindError(Bytes)
}

// Elements returns the content of a List, or nil for other kinds.
func (v Value) Elements() Elements {
	l, _ := v.ref.(Elements)
	return l
}

// Pointer returns the pointer that ObjectValue or StreamValue was called with.
func (v Value) Pointer() any { return v.ref }

// String formats the value for users and for f-strings: a number in decimal, a text unchanged.
func (v Value) String() string {
	switch v.Kind {
	case Bool:
		return strconv.FormatBool(v.n != 0)
	case Int:
		if v.large {
			return strconv.FormatUint(uint64(v.n), 10)
		}
		return strconv.FormatInt(v.n, 10)
	case Float:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case Text:
		return v.s
	case Bytes:
		return fmt.Sprintf("% x", v.Bytes())
	}
	return v.Kind.String()
}

// big returns a whole number of any size.
func (v Value) big() *big.Int {
	if v.large {
		return new(big.Int).SetUint64(uint64(v.n))
	}
	return big.NewInt(v.n)
}

// fromBig returns the value of a number that has at most 64 bits.
func fromBig(n *big.Int) (Value, error) {
	switch {
	case n.IsInt64():
		return IntValue(n.Int64()), nil
	case n.IsUint64():
		return UintValue(n.Uint64()), nil
	}
	return Value{}, fmt.Errorf("the result has more than 64 bits")
}

func (v Value) kindError(want Kind) error { return fmt.Errorf("%v is needed, not %v", want, v.Kind) }

// Values are the elements of a list in memory.
type Values []Value

// Len returns the number of elements.
func (l Values) Len() int { return len(l) }

// At returns the i-th element.
func (l Values) At(i int) (Value, error) { return l[i], nil }

// lengthOf returns the number of characters, bytes or elements, and false for values without a length.
func lengthOf(v Value) (int64, bool) {
	switch v.Kind {
	case Text:
		return int64(utf8.RuneCountInString(v.s)), true
	case Bytes:
		return int64(len(v.Bytes())), true
	case List:
		return int64(v.Elements().Len()), true
	}
	return 0, false
}

// Costs of values: the memory of one in bytes, and the bytes that an operator processes in a step.
const (
	valueSize    = 64
	bytesPerStep = 16
	// Steps of longer operations: to create a list, and to read an element of one.
	stepsOfArray   = 4
	stepsOfElement = 4
)

// weight returns the number of bytes or elements that an operator or a method may process.
func weight(v Value) int64 {
	switch v.Kind {
	case Text:
		return int64(len(v.s))
	case Bytes, List:
		n, _ := lengthOf(v)
		return n
	}
	return 0
}

// StepsToCompare returns the steps of comparing two values; none for numbers.
func StepsToCompare(a, b Value) int64 {
	if isList(a) && isList(b) && (a.Kind == List || b.Kind == List) {
		return min(weight(a), weight(b)) * stepsOfElement
	}
	return (weight(a) + weight(b)) / bytesPerStep
}

// indexable returns an error if bytes or a list have no element i.
func indexable(v Value, i int64) error {
	n, ok := lengthOf(v)
	switch {
	case !ok || v.Kind == Text:
		return fmt.Errorf("%v has no elements", v.Kind)
	case i < 0 || i >= n:
		return fmt.Errorf("element %d of %d does not exist", i, n)
	}
	return nil
}

// elementOf returns element i of bytes or of a list, which indexable allows.
func elementOf(v Value, i int64) (Value, error) {
	if v.Kind == Bytes {
		return IntValue(int64(v.Bytes()[i])), nil
	}
	return v.Elements().At(int(i))
}

// encodings are the encodings that are not in the Internet registry, or that the registry reads with a byte order mark.
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
