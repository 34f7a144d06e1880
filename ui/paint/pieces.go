package paint

import (
	"image"
	"strings"
	"unicode/utf8"
)

// Piece is a part of a text. A lit piece stands on a ground of its own.
type Piece struct {
	Text string
	Lit  bool
}

// Plain returns a text as one piece that is not lit.
func Plain(s string) []Piece { return []Piece{{Text: s}} }

// Marked cuts a text into pieces that are lit where its bytes are marked.
func Marked(text string, marks []bool) []Piece {
	var pieces []Piece
	from := 0
	for i := 1; i <= len(text); i++ {
		if i == len(text) || marks[i] != marks[from] {
			pieces = append(pieces, Piece{Text: text[from:i], Lit: marks[from]})
			from = i
		}
	}
	return pieces
}

// Lit cuts a text into pieces of which the words, in lower case, are lit wherever they stand; nil if none is there.
func Lit(text string, words ...string) []Piece {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return nil
	}
	var marks []bool
	for _, w := range words {
		for from := 0; w != ""; {
			at := strings.Index(lower[from:], w)
			if at < 0 {
				break
			}
			if marks == nil {
				marks = make([]bool, len(text))
			}
			for k := range len(w) {
				marks[from+at+k] = true
			}
			from += at + len(w)
		}
	}
	if marks == nil {
		return nil
	}
	return Marked(text, marks)
}

// Joined returns the text of all pieces.
func Joined(pieces []Piece) string {
	if len(pieces) == 1 {
		return pieces[0].Text
	}
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Pieces paints pieces one after the other on the middle line of a rectangle, cut to its width, and returns the width
// painted.
func (c *Canvas) Pieces(r image.Rectangle, pieces []Piece, f Face, col, ground Color) int {
	g, y, pad := c.faces[f], c.Baseline(r, f), c.Px(2)
	edges := []int{r.Min.X}
	pen := int32(0) // 26.6, so that many pieces are as wide as one
	for i := 0; i < len(pieces) && edges[i] < r.Max.X; i++ {
		pen += g.measure(pieces[i].Text, int32(r.Dx()+1)<<6)
		edges = append(edges, r.Min.X+int(pen+32)>>6)
	}
	last := len(edges) - 1
	c.Clipped(r, func() {
		for i, p := range pieces[:last] { // all grounds first: they reach below the texts beside them
			if p.Lit {
				c.Round(image.Rect(edges[i]-pad, r.Min.Y+pad, min(edges[i+1], r.Max.X)+pad, r.Max.Y-pad), c.Px(3),
					ground)
			}
		}
		for i, p := range pieces[:last] {
			ink := col
			if p.Lit {
				ink = c.Colors.Legible(col, ground)
			}
			c.Text(edges[i], y, p.Text, f, ink, r.Max.X-edges[i]+1)
		}
	})
	return min(edges[last], r.Max.X) - r.Min.X
}

// Wrap cuts pieces into lines that are at most width pixels wide: at the text's own line ends, else between words where
// that is possible.
func (c *Canvas) Wrap(pieces []Piece, f Face, width int) [][]Piece {
	whole := make([]Piece, len(pieces))
	for i, p := range pieces {
		whole[i] = Piece{unfolded.Replace(p.Text), p.Lit}
	}
	var lines [][]Piece
	for _, l := range c.faces[f].wrap(Joined(whole), int32(min(width, 1<<24))<<6) {
		lines = append(lines, cut(whole, l.from, l.to))
	}
	return lines
}

var unfolded = strings.NewReplacer("\r\n", "\n", "\t", "    ")

// cut returns a range of the text of pieces.
func cut(pieces []Piece, from, to int) []Piece {
	var out []Piece
	at := 0
	for _, p := range pieces {
		if a, b := max(from, at), min(to, at+len(p.Text)); a < b {
			out = append(out, Piece{p.Text[a-at : b-at], p.Lit})
		}
		at += len(p.Text)
	}
	return out
}

// span is a line's range of bytes in a text.
type span struct{ from, to int }

// endsLine reports whether a line may end before a byte of a text: not within a number with commas.
func endsLine(s string, i int) bool {
	return strings.IndexByte(" ,;/", s[i-1]) >= 0 && !(s[i-1] == ',' && i < len(s) && '0' <= s[i] && s[i] <= '9')
}

// wrap finds the lines of a text; limit is their width (26.6). A line holds one character at least.
func (g *glyphs) wrap(s string, limit int32) []span {
	var lines []span
	from, used := 0, int32(0)
	space, before := 0, int32(0) // after the last character that a line may end with, and the width up to there
	end := func(to, next int) { lines, from, space = append(lines, span{from, to}), next, 0 }
	for i := 0; i < len(s); {
		if s[i] == '\n' {
			end(i, i+1)
			used = 0
			i++
			continue
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		wide := g.measure(s[i:i+n], limit)
		if used+wide > limit && i > from {
			if s[i] == ' ' { // it stays at the end, unseen
				end(i, i+1)
				used = 0
				i++
				continue
			}
			if space > from && before > limit/3 {
				next := space
				for next < i && s[next] == ' ' {
					next++
				}
				end(len(strings.TrimRight(s[:space], " ")), next)
				used = g.measure(s[from:i], limit)
			} else {
				end(i, i)
				used = 0
			}
		}
		used += wide
		i += n
		if endsLine(s, i) {
			space, before = i, used
		}
	}
	return append(lines, span{from, len(s)})
}
