package host

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"assay/model"
)

// Number returns a number with thousands separators.
func Number[N ~int | ~int64](n N) string { return model.FormatCount(n) }

// Value returns the value of a node in one line. Integers have thousands separators, except checksums; sizes have their
// unit.
func Value(n *model.Node) string {
	text := integer(n.Value)
	switch {
	case n.Role == model.RoleSum || n.Symbol() != "" || text == "":
		return n.ValueText()
	case n.Role == model.RoleSize && text == "1":
		return text + " byte"
	case n.Role == model.RoleSize:
		return text + " bytes"
	}
	return text
}

// FormatValue returns a value in one line. Integers have thousands separators.
func FormatValue(v any) string { return cmp.Or(integer(v), model.FormatValue(v)) }

// integer returns an integer with thousands separators, or "" for another value.
func integer(v any) string {
	switch v := v.(type) {
	case int64:
		return Number(v)
	case uint64:
		return model.FormatUnsigned(v)
	}
	return ""
}

// Size returns a number of bytes in short form, such as "210 KB".
func Size(n int64) string { return strings.Replace(humanize.Bytes(uint64(max(0, n))), "kB", "KB", 1) }

// Count returns a number with a noun; unit is the noun in the singular.
func Count[N ~int | ~int64](n N, unit string) string { return model.Count(n, unit) }

// ASCII returns printable ASCII characters of b, with dots for all other bytes, as the text column of a hex view does.
func ASCII(b []byte) string {
	out := make([]byte, len(b))
	for i, c := range b {
		if c < 0x20 || c > 0x7e {
			c = '.'
		}
		out[i] = c
	}
	return string(out)
}

// maxSentence is the maximum length of an error that is displayed, in bytes.
const maxSentence = 600

// Sentence returns an error as a sentence, with a capital and a full stop.
func Sentence(err error) string {
	if errors.Is(err, context.Canceled) {
		return "Canceled."
	}
	text := err.Error()
	var failure *model.OpenError
	named := errors.As(err, &failure) && strings.HasPrefix(text, model.FileName(failure.Path)+" ")
	return sentence(text, !named)
}

// SentenceOf returns a text as a sentence, as Sentence does with an error.
func SentenceOf(text string) string { return sentence(text, true) }

// sentence returns a text with a full stop and, if capital, with a capital first letter, unless it begins with a file
// name.
func sentence(text string, capital bool) string {
	s := model.OneLine(strings.TrimSpace(text), maxSentence)
	if s == "" {
		return s
	}
	if first, _, _ := strings.Cut(s, " "); capital && !strings.Contains(first, ".") {
		r, n := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(r)) + s[n:]
	}
	if !strings.ContainsAny(s[len(s)-1:], ".!?") {
		s += "."
	}
	return s
}

// NoMatches is the text in place of the rows of a list without matches of its filter.
const NoMatches = "No matches. Press Escape in the filter to clear it."
