package exporting

import (
	"fmt"
	"strconv"
	"strings"

	"assay/model"
)

// sentence is a text with a full stop.
func sentence(s string) string {
	s = model.OneLine(strings.TrimSpace(s), 600)
	if s == "" {
		return s
	}
	if first, _, _ := strings.Cut(s, " "); !strings.Contains(first, ".") { // a file's name keeps its letters
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if !strings.ContainsAny(s[len(s)-1:], ".!?") {
		s += "."
	}
	return s
}

// number is a number with its thousands apart.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count is a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return number(n) + " " + what + "s"
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// size is a number of bytes for people.
func size(n int64) string {
	if n < 0 {
		return "?"
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, unit := float64(n), 0
	for f >= 999.5 && unit < 6 {
		f, unit = f/1000, unit+1
	}
	digits := 0
	if f < 99.5 {
		digits = 1
	}
	return fmt.Sprintf("%.*f %cB", digits, f, " kMGTPE"[unit])
}
