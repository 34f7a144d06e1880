package ask

import (
	"slices"
	"strings"
	"unicode/utf8"

	"assay/ui/paint"
)

// Has reports whether texts have all words of a query in them, in any case.
func Has(query string, texts ...string) bool {
	all := strings.ToLower(strings.Join(texts, " "))
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(query)),
		func(word string) bool { return !strings.Contains(all, word) })
}

// lit returns a text in pieces of which those are lit that a query was found by: the query as a whole, its words, or
// its letters one after the other; nil if it was not found by this text.
func lit(text, query string) []paint.Piece {
	lower := strings.ToLower(text)
	query = strings.ToLower(strings.TrimSpace(query))
	if query == "" || len(lower) != len(text) {
		return nil
	}
	marks := make([]bool, len(text))
	if !markWords(marks, lower, []string{query}) && !markWords(marks, lower, strings.Fields(query)) &&
		!markLetters(marks, lower, query) {
		return nil
	}
	return paint.Marked(text, marks)
}

// markWords marks words; false if one of them is not there, and nothing is marked then.
func markWords(marks []bool, lower string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(lower, w) {
			return false
		}
	}
	for _, w := range words {
		mark(marks, strings.Index(lower, w), len(w))
	}
	return true
}

// markLetters marks the letters of a query in their order; false if one is missing, and nothing is marked then.
func markLetters(marks []bool, lower, query string) bool {
	at := 0
	var places []int
	for _, r := range query {
		i := strings.IndexRune(lower[at:], r)
		if i < 0 {
			return false
		}
		places = append(places, at+i)
		at += i + utf8.RuneLen(r)
	}
	for _, place := range places {
		_, n := utf8.DecodeRuneInString(lower[place:])
		mark(marks, place, n)
	}
	return true
}

func mark(marks []bool, at, n int) {
	for i := at; i < min(at+n, len(marks)); i++ {
		marks[i] = true
	}
}
