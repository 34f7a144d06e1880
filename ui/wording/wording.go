// Package wording is how the window puts things for people: numbers, how many there are of something, errors.
package wording

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/model"
)

// Number is a number with its thousands apart.
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count is a number of things; what is the word for one of them.
func Count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Number(n) + " " + what + "s"
}

// sentenceMost is how many bytes of an error are shown.
const sentenceMost = 600

// Sentence is an error as a sentence: with a capital and a full stop.
func Sentence(err error) string {
	s := model.OneLine(err.Error(), sentenceMost)
	if s == "" {
		return s
	}
	if first, _, _ := strings.Cut(s, " "); !strings.Contains(first, ".") { // a file's name keeps its letters
		r, n := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(r)) + s[n:]
	}
	if !strings.ContainsAny(s[len(s)-1:], ".!?") {
		s += "."
	}
	return s
}
