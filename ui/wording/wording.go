// Package wording is how the window puts things for people: numbers, how many there are of something, and errors.
package wording

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"assay/model"
)

// Number is a number with its thousands apart.
func Number[N ~int | ~int64](n N) string { return humanize.Comma(int64(n)) }

// Count is a number of things; what is the word for one of them.
func Count[N ~int | ~int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Number(n) + " " + what + "s"
}

// sentenceMost is how many bytes of an error are shown.
const sentenceMost = 600

// Sentence is an error as a sentence: with a capital and a full stop.
func Sentence(err error) string {
	if errors.Is(err, context.Canceled) {
		return "That was cancelled."
	}
	return SentenceOf(err.Error())
}

// SentenceOf is a text as a sentence.
func SentenceOf(text string) string {
	s := model.OneLine(strings.TrimSpace(text), sentenceMost)
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
