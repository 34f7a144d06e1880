package model

import (
	"strconv"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// Count is a number of things in words, with its thousands apart; what is the word for one of them.
func Count[N ~int | ~int64](n N, what string) string {
	return humanize.Comma(int64(n)) + " " + plural(n, what)
}

// PlainCount is Count in a message of a decoder or a verb, where all numbers are plain digits.
func PlainCount[N ~int | ~int64](n N, what string) string {
	return strconv.FormatInt(int64(n), 10) + " " + plural(n, what)
}

// plural is the word for n things.
func plural[N ~int | ~int64](n N, what string) string {
	return english.PluralWord(int(min(n, 2)), what, "")
}
