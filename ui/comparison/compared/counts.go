package compared

import (
	"strings"

	"assay/model/compare"
	"assay/ui/host"
)

// Plural returns the word for one, or that for any other number.
func Plural(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// brief is the numbers of changes below a pair with their signs.
func brief(c compare.Counts) string {
	return eachCount(c, "  ", func(st compare.Status, n string) string { return Sign(st) + n })
}

// CountsInWords is the numbers of changes below a pair in words.
func CountsInWords(c compare.Counts) string {
	return eachCount(c, ", ", func(st compare.Status, n string) string { return n + " " + st.String() })
}

func eachCount(c compare.Counts, between string, text func(st compare.Status, n string) string) string {
	var s []string
	for st, n := range c.Each() {
		s = append(s, text(st, host.Number(n)))
	}
	return strings.Join(s, between)
}

// Signed is a number with its sign.
func Signed(n int64) string {
	if n > 0 {
		return "+" + host.Number(n)
	}
	return host.Number(n)
}
