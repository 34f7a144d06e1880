package contents

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// Piece is a part of a text; Lit marks what differs from the other side.
type Piece struct {
	Text string
	Lit  bool
}

// wordsMost is how many words of a text are compared one by one.
const wordsMost = 4000

// Words marks what differs between two texts, word by word.
func Words(old, new string) (a, b []Piece) {
	if old == new {
		return []Piece{{Text: old}}, []Piece{{Text: new}}
	}
	x, y := words(old), words(new)
	if max(len(x), len(y)) > wordsMost {
		return betweenEnds(x, y)
	}
	if len(x) == len(y) {
		for i := range x {
			a, b = appendPiece(a, x[i], x[i] != y[i]), appendPiece(b, y[i], x[i] != y[i])
		}
		return a, b
	}
	from, to := 0, 0
	put := func(p []Piece, list []string, lit bool) []Piece {
		for _, w := range list {
			p = appendPiece(p, w, lit)
		}
		return p
	}
	for _, d := range lcs.DiffLines(x, y) {
		a, b = put(a, x[from:d.Start], false), put(b, y[to:d.ReplStart], false)
		a, b = put(a, x[d.Start:d.End], true), put(b, y[d.ReplStart:d.ReplEnd], true)
		from, to = d.End, d.ReplEnd
	}
	return put(a, x[from:], false), put(b, y[to:], false)
}

// words cuts a text into words, numbers and single other characters.
func words(s string) []string {
	var out []string
	from := 0
	for i, r := range s {
		if isWordRune(r) {
			continue
		}
		if i > from {
			out = append(out, s[from:i])
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		from = i + n
		out = append(out, s[i:from])
	}
	if from < len(s) {
		out = append(out, s[from:])
	}
	return out
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.' || r == '-' || r == '+'
}

// betweenEnds marks everything between the words that are alike at both ends.
func betweenEnds(x, y []string) (a, b []Piece) {
	from, to := 0, 0
	for from < min(len(x), len(y)) && x[from] == y[from] {
		from++
	}
	for to < min(len(x), len(y))-from && x[len(x)-1-to] == y[len(y)-1-to] {
		to++
	}
	parts := func(w []string) []Piece {
		var p []Piece
		for i, part := range [][]string{w[:from], w[from : len(w)-to], w[len(w)-to:]} {
			if len(part) > 0 {
				p = append(p, Piece{Text: strings.Join(part, ""), Lit: i == 1})
			}
		}
		return p
	}
	return parts(x), parts(y)
}

func appendPiece(p []Piece, text string, lit bool) []Piece {
	if n := len(p); n > 0 && p[n-1].Lit == lit {
		p[n-1].Text += text
		return p
	}
	return append(p, Piece{Text: text, Lit: lit})
}
