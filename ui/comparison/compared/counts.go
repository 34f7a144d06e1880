package compared

import (
	"strings"

	"assay/model/compare"
	"assay/ui/wording"
)

// Plural returns the word for one, or that for any other number.
func Plural(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// brief is the numbers of rows below a pair with their signs; own says that one of them is the pair itself.
func brief(c compare.Counts, own bool) string {
	return eachCount(c, own, "  ", func(st compare.Status, n string) string { return Sign(st) + n })
}

// CountsInWords is the numbers of rows below a pair in words.
func CountsInWords(c compare.Counts, own bool) string {
	return eachCount(c, own, ", ", func(st compare.Status, n string) string { return n + " " + st.String() })
}

func eachCount(c compare.Counts, own bool, between string, text func(st compare.Status, n string) string) string {
	if own && c.Changed > 0 {
		c.Changed--
	}
	var s []string
	for st, n := range c.Each() {
		s = append(s, text(st, wording.Number(n)))
	}
	return strings.Join(s, between)
}

// Signed is a number with its sign.
func Signed(n int64) string {
	if n > 0 {
		return "+" + wording.Number(n)
	}
	return wording.Number(n)
}
