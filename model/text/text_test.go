package text_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/text"
)

func TestEncodingIsFoundOrGuessed(t *testing.T) {
	for _, c := range []struct {
		bytes, text, encoding string
		guessed               bool
	}{
		{"plain", "plain", "ASCII", false},
		{"H\u00e4", "H\u00e4", "UTF-8", false},
		{"\xef\xbb\xbfa", "a", "UTF-8 with a byte order mark", false},
		{"\xff\xfea\x00b\x00", "ab", "UTF-16, little-endian", false},
		{"\xfe\xff\x00a\x00b", "ab", "UTF-16, big-endian", false},
		{"a\x00b\x00c\x00d\x00", "abcd", "UTF-16, little-endian", true},
		{"\x00a\x00b\x00c\x00d", "abcd", "UTF-16, big-endian", true},
		{"", "", "ASCII", false},
	} {
		got := text.Decode([]byte(c.bytes), "a.txt")
		assert.Equal(t, c.text, got.Text, c.encoding)
		assert.Equal(t, c.encoding, got.Encoding, c.bytes)
		assert.Equal(t, c.guessed, got.Guessed, c.bytes)
	}
	old := text.Decode([]byte("Gr\xfc\xdfe aus K\xf6ln, sch\xf6ne Gr\xfc\xdfe und viele \xc4pfel"), "a.txt")
	assert.True(t, old.Guessed)
	assert.Contains(t, old.Text, "Gr\u00fc\u00dfe aus K\u00f6ln")
	assert.Equal(t, "a", text.Decode([]byte("a\xc3"), "").Text[:1], "the character at the end is cut")
}

func TestLineEndingsAreNamedAndReplaced(t *testing.T) {
	for in, want := range map[string]string{"a": "", "a\nb": "LF", "a\r\nb\r\n": "CR LF", "a\rb": "CR",
		"a\nb\r\n": "mixed"} {
		got := text.Decode([]byte(in), "")
		assert.Equal(t, want, got.Ends, in)
		assert.NotContains(t, got.Text, "\r")
	}
}

func TestLanguageIsFoundByNameOrContent(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a.frag": {"", text.Shader}, "a.vert.txt": {"", text.Shader}, "a.lua": {"", text.Lua},
		"a.material": {"", text.Properties},
		"b":          {`{"a": 1}`, text.JSON}, "c": {"<?xml version=\"1.0\"?>", text.XML},
		"d": {"void main(void) {}", text.Shader}, "e": {"words", ""},
	} {
		assert.Equal(t, c.want, text.Decode([]byte(c.text), name).Language, name)
	}
}

func TestJSONAndXMLAreIndented(t *testing.T) {
	s, err := text.Decode([]byte(`{"a":[1,2],"b":{}}`), "a.json").Indent()
	require.NoError(t, err)
	assert.Equal(t, "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}", s)
	s, err = text.Decode([]byte(`<?xml version="1.0"?><x:a b="1"><!--c--><d>text</d></x:a>`), "a.xml").Indent()
	require.NoError(t, err)
	assert.Equal(t, "<?xml version=\"1.0\"?>\n<x:a b=\"1\">\n  <!--c-->\n  <d>text</d>\n</x:a>", s)
	_, err = text.Decode([]byte(`{"a":`), "a.json").Indent()
	assert.ErrorContains(t, err, "not valid JSON")
	_, err = text.Decode([]byte("a"), "").Indent()
	assert.ErrorIs(t, err, text.ErrNotIndented)
}

func TestColoredKeepsTheTextAndItsKinds(t *testing.T) {
	for language, c := range map[string]struct {
		text, word string
		want       text.Kind
	}{
		text.JSON:       {`{"a": "b", "c": true}`, `"b"`, text.String},
		text.XML:        {"<a b='c'>\n<!-- d\n --></a>", "<!-- d", text.Comment},
		text.Shader:     {"uniform vec4 c; // d\nvoid main() {}", "uniform", text.Keyword},
		text.Lua:        {"local a = 42 -- b", "42", text.Number},
		text.Properties: {"material a\n{\n  u_b = 1.5\n  technique {\n  }\n}", "technique", text.Keyword},
	} {
		lines := text.Colored(t.Context(), language, c.text)
		require.NotNil(t, lines, language)
		var all []string
		found := false
		for _, line := range lines {
			s := ""
			for _, p := range line {
				s += p.Text
				found = found || strings.TrimSpace(p.Text) == c.word && p.Kind == c.want
			}
			all = append(all, s)
		}
		assert.Equal(t, c.text, strings.TrimSuffix(strings.Join(all, "\n"), "\n"), language)
		assert.True(t, found, "%s: %v", language, lines)
	}
	assert.Nil(t, text.Colored(t.Context(), "", "a"))
}

func TestColoredFirstColorsTheFirstLines(t *testing.T) {
	const line = "return 1.5\n"
	assert.Equal(t, text.Colored(t.Context(), text.Lua, line), text.ColoredFirst(t.Context(), text.Lua, line))
	lines := text.ColoredFirst(t.Context(), text.Lua, strings.Repeat(line, 10_000))
	require.Greater(t, len(lines), 500)
	assert.Less(t, len(lines), 1000)
	assert.Equal(t, text.Keyword, lines[len(lines)-2][0].Kind)
	assert.Empty(t, text.ColoredFirst(t.Context(), text.JSON, strings.Repeat("[1]", 10_000))[0], "the only line is longer than the limit")
	assert.Nil(t, text.ColoredFirst(t.Context(), text.Lua, strings.Repeat(line, 100_000)), "a text beyond the limit is not colored")
}

func TestOffsetAndIndexAtAreInverse(t *testing.T) {
	utf16 := func(s string, big bool) string {
		var b []byte
		for _, u := range utf16.Encode([]rune(s)) {
			if big {
				b = append(b, byte(u>>8), byte(u))
			} else {
				b = append(b, byte(u), byte(u>>8))
			}
		}
		return string(b)
	}
	for name, bytes := range map[string]string{
		"ascii":    "one\ntwo\nthree",
		"crlf":     "one\r\ntwo\r\n\r\nthree",
		"utf-8":    "grüß\n日本\nend",
		"mark":     "\xef\xbb\xbfgrüß\r\n日本\rend",
		"broken":   "\xef\xbb\xbfone\xff\xfe two\nthree\xe6",
		"utf-16":   "\xff\xfe" + utf16("one\r\n日😀x\nend", false),
		"no mark":  utf16("one line\nand another\r\nend", true),
		"latin":    "Gr\xfc\xdfe aus K\xf6ln,\r\nsch\xf6ne Gr\xfc\xdfe und viele \xc4pfel\nend",
		"japanese": "\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x4c\x83\x58\x83\x67\r\n\x82\xc5\x82\xb7\x81\x42end",
	} {
		got := text.Decode([]byte(bytes), "a.txt")
		last := int64(-1)
		for at := range got.Text {
			offset := got.Offset(at)
			assert.Greater(t, offset, last, "%s: %q at %d", name, got.Text, at)
			assert.Equal(t, at, got.IndexAt(offset), "%s: %q at %d", name, got.Text, at)
			last = offset
		}
		if word := strings.Index(got.Text, "end"); word >= 0 {
			assert.EqualValues(t, 'e', strings.Trim(bytes[got.Offset(word):], "\x00")[0], name)
		}
		assert.Equal(t, len(got.Text), got.IndexAt(int64(len(bytes))), name)
	}
}
