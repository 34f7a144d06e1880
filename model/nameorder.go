package model

import (
	"cmp"
	"strings"
)

// CompareNames orders names as people do: without case, and numbers in them by their value, so that t2 comes before
// T10. Keys of hex digits that names begin with, such as UUIDs, come first and by their digits: 0000000A before
// 00000010.
func CompareNames(a, b string) int {
	n, m := hexKey(a), hexKey(b)
	if n == 0 || m == 0 {
		if n != m {
			return cmp.Compare(m, n)
		}
	} else if c := compareLower(a[:n], b[:m]); c != 0 {
		return c
	}
	x, y := a[n:], b[m:]
	for x != "" && y != "" {
		m, n := digits(x), digits(y)
		if m > 0 && n > 0 {
			p, q := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
			if c := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); c != 0 {
				return c
			}
			x, y = x[m:], y[n:]
			continue
		}
		if c := cmp.Compare(lower(x[0]), lower(y[0])); c != 0 {
			return c
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

// compareLower orders texts byte by byte, without case.
func compareLower(a, b string) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(lower(a[i]), lower(b[i])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// hexLeast is how many hex digits a key has at least: fewer may be a word or a number.
const hexLeast = 16

// hexKey returns the length of the key that a name begins with, of hex digits and hyphens; 0 if it begins with none.
func hexKey(s string) int {
	n, digits := 0, 0
	for n < len(s) && (s[n] == '-' || s[n] >= '0' && s[n] <= '9' || lower(s[n]) >= 'a' && lower(s[n]) <= 'f') {
		if s[n] != '-' {
			digits++
		}
		n++
	}
	if digits < hexLeast {
		return 0
	}
	return n
}

// digits returns the number of digits that a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}
