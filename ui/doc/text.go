package doc

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"assay/model"
)

// sentence is an error as a sentence: with a capital and a full stop.
func sentence(err error) string {
	s := model.OneLine(err.Error(), 600)
	if s == "" {
		return s
	}
	if r, n := utf8.DecodeRuneInString(s); !hasDot(s) {
		s = string(unicode.ToUpper(r)) + s[n:]
	}
	if last := s[len(s)-1]; last != '.' && last != '!' && last != '?' {
		s += "."
	}
	return s
}

// hasDot reports whether the first word is a file's name, whose letters stay as they are.
func hasDot(s string) bool {
	for _, r := range s {
		switch r {
		case ' ':
			return false
		case '.':
			return true
		}
	}
	return false
}

// grouped writes a number with its thousands apart.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}
