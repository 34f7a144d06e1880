package expression

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testScope has a few names of each kind.
type testScope struct{}

type testEnum map[int64]string

func (e testEnum) Symbol(n Value) (string, bool) { s, ok := e[n.n]; return s, ok }

type testObject map[string]Value

var animals = testEnum{7: "cat"}

func (testScope) Spend(int64, int64) error { return nil }

func (testScope) Name(id string) (Value, error) {
	v, ok := map[string]Value{
		"seven": IntValue(7),
		"big":   UintValue(1<<64 - 1),
		"word":  TextValue("größe"),
		"bytes": BytesValue([]byte{3, 1, 2}),
		"list":  ListValue(Values{FloatValue(2.5), IntValue(1)}),
		"_io":   StreamValue(&testObject{"size": IntValue(20), "pos": IntValue(3), "eof": BoolValue(false)}),
		"o":     ObjectValue(&testObject{"inner": ObjectValue(&testObject{"x": IntValue(5)})}),
		"gone":  {},
		"pet":   {Kind: Int, n: 7, Enum: animals},
		"nan":   FloatValue(math.NaN()),
		"many":  ListValue(Values{ObjectValue(&testObject{"f": ObjectValue(&testObject{"_sizeof": IntValue(0)})})}),
	}[id]
	if !ok {
		return v, errors.New("no name " + id)
	}
	return v, nil
}

func (testScope) Field(of Value, id string) (Value, error) {
	v, ok := (*of.Pointer().(*testObject))[id]
	if !ok {
		return v, errors.New("no field " + id)
	}
	return v, nil
}

func (testScope) Member(path []string) (Value, error) {
	if strings.Join(path, "::") != "zoo::animal::cat" {
		return Value{}, errors.New("no member")
	}
	return Value{Kind: Int, n: 7, Enum: animals}, nil
}

func (testScope) SizeOf(typ string) (int64, error) {
	if typ != "a::b" {
		return 0, errors.New("no size")
	}
	return 33, nil
}

func (testScope) AttributeSize(of Value, id string) (int64, bool) {
	n, ok := map[string]int64{"seven": 3, "inner": 17}[id]
	return n, ok && (of.Kind == Object) == (id == "inner")
}

func TestExpressionsHaveTheValuesOfTheLanguage(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"1 + 2 * 3", "7"},
		{"(1 + 2) * 3", "9"},
		{"10 - 3 - 2", "5"},
		{"-7 / 2", "-4"},
		{"-7 % 3", "2"},
		{"7 / -2", "-4"},
		{"7 % -3", "-2"},
		{"7.0 / 2", "3.5"},
		{"-7.5 % 2.0", "0.5"},
		{"0xffff_ffff_ffff_ffff", "18446744073709551615"},
		{"big - 1", "18446744073709551614"},
		{"-9223372036854775808", "-9223372036854775808"},
		{"9223372036854775807 + 1", "9223372036854775808"},
		{"-9223372036854775808 / -1", "9223372036854775808"},
		{"4294967296 * 4294967295", "18446744069414584320"},
		{"0b1010_1 + 0o17", "36"},
		{"1 << 40 | 1", "1099511627777"},
		{"1 << 63", "9223372036854775808"},
		{"-8 >> 1", "-4"},
		{"~5 & 0xf", "10"},
		{"5 ^ 1 | 8", "12"},
		{"1 + 1 == 2 and not 2 < 1", "true"},
		{"5 & 1 == 1", "true"},
		{"false and 1 / 0 == 1", "false"},
		{"true or 1 / 0 == 1", "true"},
		{"seven > 5 ? 'more' : \"less\"", "more"},
		{"false ? 1 : true ? 2 : 3", "2"},
		{"\"a\\tb\\u00a3\\101\\\"\"", "a\tb£A\""},
		{"'a\\n' + 'b'", "a\\nb"},
		{"word.length", "5"},
		{"word.reverse", "eßörg"},
		{"word.substring(1, 3)", "rö"},
		{"'-72'.to_i", "-72"},
		{"'ff'.to_i(16)", "255"},
		{"'18446744073709551615'.to_i", "18446744073709551615"},
		{"seven.to_s + '!'", "7!"},
		{"2.9.to_i", "2"},
		{"(0-2.9).to_i", "-2"},
		{"true.to_i", "1"},
		{"1e3", "1000"},
		{"1.5e-1", "0.15"},
		{"[1, 2, 255]", "01 02 ff"},
		{"[1, 2, 0x100].size", "3"},
		{"[seven, 2].as<bytes>", "07 02"},
		{"[seven, 2] == [7, 2]", "true"},
		{"bytes == [3, 1, 2]", "true"},
		{"bytes != [3, 1]", "true"},
		{"bytes[1] + bytes.first + bytes.last", "6"},
		{"bytes.min + bytes.max", "4"},
		{"list.min", "1"},
		{"list[0]", "2.5"},
		{"[0x41, 0x42].to_s('ASCII')", "AB"},
		{"[0x82, 0xa0].to_s('SJIS') + [0x82, 0xa0].to_s('Shift-JIS')", "ああ"},
		{"[0xe9].to_s('iso8859-1') + [0x80].to_s('CP1252') + [0xe9, 0].to_s('utf16le')", "é€é"},
		{"[0xb0].to_s('IBM437')", "░"},
		{"'é'.to_b('UTF-16LE')", "e9 00"},
		{"_io.size - _io.pos", "17"},
		{"_io.eof", "false"},
		{"o.inner.x", "5"},
		{"o.as<thing>.inner.as<a::b[]>.x", "5"},
		{"seven.as<f4> / 2", "3.5"},
		{"'a\\0' == \"a\\\\0\" and \"\\0\".length == 1", "true"},
		{"sizeof<a::b>", "5"},
		{strings.Repeat("many[", 150) + "0" + strings.Repeat("].f._sizeof", 150), "0"}, // each is evaluated once
		{"seven._sizeof + o.inner._sizeof", "4"},
		{"bitsizeof<a::b>", "33"},
		{"zoo::animal::cat == pet", "true"},
		{"pet.to_i", "7"},
		{"gone == gone", "true"},
		{"'b' > 'a' and [2] > [1, 9]", "true"},
		{"nan < 1 or nan <= 1 or nan > 1 or nan >= 1 or 1 < nan or 1 >= nan", "false"},
		{"nan <= nan or nan >= nan or nan == nan or [nan, 1] == [nan, 1]", "false"},
		{"nan != nan", "true"},
		{"[nan, 2.0, nan, 1.0].min + [nan, 2.0, 1.0, nan].max", "3"},
		{"[nan, nan].min == 1", "false"},
		{"1 + \\\n 2 * \\\n3", "7"},
		{"f\"{seven + 1} and {'}'}\"", "8 and }"},
		{"\"\\ud83d\\ude00\" + \"\\ud83dx\"", "😀\ufffdx"},
		{"(1,2)", ""},
		{".5 + 1. + [2.][0] + 3. ", "6.5"},
		{"4.to_s + 2 . to_s", "42"},
		{"'a\\' \"\\t\" 'b'", "a\\\tb"},
		{"sizeof < a :: b > + bitsizeof <a::b>", "38"},
	} {
		e, err := Parse(test.text)
		if test.want == "" {
			assert.Error(t, err, test.text)
			continue
		}
		require.NoError(t, err, test.text)
		v, err := e.Eval(testScope{})
		require.NoError(t, err, test.text)
		assert.Equal(t, test.want, v.String(), test.text)
	}
}

func TestEncodingsHaveOneNameInAllSpellings(t *testing.T) {
	for want, spelled := range map[string]string{
		"ascii":        "ASCII US-ASCII us_ascii csASCII IBM367 cp367 iso-ir-6",
		"utf-8":        "UTF-8 utf8 UTF_8 ISO-10646/UTF-8 ISO-10646/UTF8 csUTF8 cp65001 unicode-1-1-utf-8 unicode-2-0-utf-8",
		"utf-16le":     "UTF-16LE UTF16LE UTF16-LE UTF-16-LE UTF_16LE UTF16_LE UTF_16_LE csUTF16LE",
		"utf-16be":     "UTF-16BE UTF_16_BE csUTF16BE",
		"utf-32le":     "UTF-32LE UTF32LE UTF_32_LE csUTF32LE",
		"utf-32be":     "UTF-32BE UTF32-BE csUTF32BE",
		"iso-8859-1":   "ISO-8859-1 ISO8859-1 ISO_8859_1 ISO88591 8859_1 8859-1 88591 windows-28591",
		"iso-8859-2":   "iso-8859-2 IBM1111 windows-28592",
		"iso-8859-11":  "ISO-8859-11 ISO885911 thai csTIS620 TIS-620",
		"iso-8859-13":  "ISO_8859-13 latin7 latin-7 L7 windows-28603",
		"iso-8859-15":  "ISO8859_15 latin9 latin_9 L9 windows-28605",
		"iso-8859-16":  "ISO885916",
		"latin1":       "latin1 latin-1 latin_1",
		"latin10":      "latin10 latin-10",
		"windows-1252": "windows-1252 CP1252",
		"ibm437":       "IBM437",
		"cp437":        "cp437",
		"ibm866":       "IBM866",
		"shift_jis":    "Shift_JIS Shift-JIS ShiftJIS S-JIS S_JIS SJIS PCK CP932",
		"big5":         "Big5",
		"euc-kr":       "EUC-KR EUCKR EUC_KR korean iso-ir-149",
	} {
		for name := range strings.FieldsSeq(spelled) {
			got, err := EncodingOf(name)
			require.NoError(t, err)
			assert.Equal(t, want, got.Name, name)
			_, err = got.Decode([]byte("abcd"))
			assert.NoError(t, err, name)
		}
	}
	_, err := EncodingOf("UTF-9")
	assert.EqualError(t, err, "unknown encoding \"UTF-9\"")
	for name, want := range map[string]int{"UTF8": 1, "UTF-16BE": 2, "UTF-16": 2, "csUTF16": 2, "UTF32LE": 4} {
		e, err := EncodingOf(name)
		require.NoError(t, err)
		assert.Equal(t, want, e.Unit(), name)
	}
}

func TestErrorsHaveTheirColumn(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "an operand is expected before the end (column 1)"},
		{"1 +", "an operand is expected before the end (column 4)"},
		{"1 2", "the expression ends before 2 (column 3)"},
		{"a..b", "a name is expected before \".\" (column 3)"},
		{"(1", "\")\" is expected before the end (column 3)"},
		{"'a", "the text has no closing quote (column 1)"},
		{"1 $ 2", "'$' is not part of the expression language (column 3)"},
		{"1 \\+ \\2", "'\\\\' is not part of the expression language (column 3)"},
		{"1 + 2\\", "'\\\\' is not part of the expression language (column 6)"},
		{"99999999999999999999", "99999999999999999999 has more than 64 bits (column 1)"},
		{"12ab", "a number is followed by 'a' (column 3)"},
		{"f\"{1 +}\"", "an operand is expected before the end (column 7)"},
		{"1 / 0", "division by zero (column 3)"},
		{"big * 2", "the result has more than 64 bits (column 5)"},
		{"1 << 64", "the result has more than 64 bits (column 3)"},
		{"1 and true", "a boolean is needed, not a whole number (column 3)"},
		{"'a' + 1", "\"+\" cannot be applied to a text and a whole number (column 5)"},
		{"'a' == 1", "a text cannot be compared with a whole number (column 5)"},
		{"bytes[3]", "element 3 of 3 does not exist (column 6)"},
		{"word[0]", "a text has no elements (column 5)"},
		{"word.foo", "a text has no \"foo\" (column 5)"},
		{"'x'.to_i", "\"x\" is not a whole number in base 10 (column 4)"},
		{"(seven + 1)._sizeof", "a whole number has no \"_sizeof\" (column 12)"},
		{"'1'.to_i(2, 3)", "to_i takes 0 to 1 arguments, not 2 (column 4)"},
		{"word.substring(1)", "substring takes 2 arguments, not 1 (column 5)"},
		{"bytes.to_s('none')", "unknown encoding \"none\" (column 6)"},
		{"gone.size", "size of an absent attribute (column 5)"},
		{"1e400.to_i", "1e400 is not a number (column 1)"},
		{"word.substring(3, 9)", "3 to 9 is not within 5 characters (column 5)"},
	} {
		e, err := Parse(test.text)
		if err == nil {
			_, err = e.Eval(testScope{})
		}
		assert.EqualError(t, err, test.want, test.text)
	}
}

func TestDeepAndLongExpressionsAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"parentheses": strings.Repeat("(", 1e6) + "1",
		"signs":       strings.Repeat("-", 1e6) + "1",
		"conditions":  strings.Repeat("1 ? ", 1e5),
		"operators":   "1" + strings.Repeat("+1", 1e5),
		"points":      "a" + strings.Repeat(".a", 1e5),
		"f-strings":   strings.Repeat(`f"{`, 1e5),
		"length":      strings.Repeat(" ", 2<<20),
	} {
		_, err := Parse(text)
		var e *Error
		assert.ErrorAs(t, err, &e, name)
	}
}

func TestExpressionWithNamesIsNotConstant(t *testing.T) {
	e, err := Parse("2 * 8")
	require.NoError(t, err)
	v, ok := e.Constant()
	require.True(t, ok)
	assert.Equal(t, IntValue(16), v)
	e, err = Parse("2 * seven")
	require.NoError(t, err)
	_, ok = e.Constant()
	assert.False(t, ok)
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"1 + 2", "a.b[3].as<c::d[]>", "f\"{x}\"", "not a ? 'b' : \"\\u0041\"", "::a::b", "sizeof<u4>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			var known *Error
			require.ErrorAs(t, err, &known)
			assert.GreaterOrEqual(t, known.Offset, 0)
			assert.LessOrEqual(t, known.Offset, len(text))
			return
		}
		_, _ = e.Eval(testScope{})
	})
}
