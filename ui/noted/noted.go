// Package noted shows notes: their flags and sentences, the list of them, and the fields that one is written in.
package noted

import (
	"image"
	"strings"

	"golang.org/x/image/vector"

	"assay/model"
	"assay/model/notes"
	"assay/ui/details"
	"assay/ui/hex"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Tone is the tone of a color.
func Tone(c notes.Color) paint.Tone { return paint.Yellow + paint.Tone(c) }

// Flag is the sign of a note.
func Flag(c notes.Color) rows.Mark { return rows.Mark{Paint: flag, Tone: Tone(c)} }

// flag paints a pole with a pennant.
func flag(c *paint.Canvas, r image.Rectangle, col paint.Color) {
	c.Shape(r, "noted.flag", col, func(z *vector.Rasterizer, w, h float32) {
		line := func(points ...float32) {
			z.MoveTo(points[0]*w, points[1]*h)
			for i := 2; i < len(points); i += 2 {
				z.LineTo(points[i]*w, points[i+1]*h)
			}
			z.ClosePath()
		}
		line(.1, 0, .26, 0, .26, 1, .1, 1)
		line(.26, .04, 1, .04, .78, .33, 1, .62, .26, .62)
	})
}

// Row returns the flag of the last note of a node, and the sentences of all of them.
func Row(on []notes.Placed) (flag rows.Mark, tip string) {
	var texts []string
	for _, n := range on {
		flag = Flag(n.Color)
		texts = append(texts, Sentence(n))
	}
	return flag, strings.Join(texts, "   ")
}

// Sentence is what a note says, in one line.
func Sentence(n notes.Placed) string {
	if n.Text == "" {
		return "Bookmark (" + n.Color.String() + ")"
	}
	return model.OneLine(n.Text, notes.TextMost)
}

// Lines are notes as lines of details; edit, if not nil, is called with one that the user chose.
func Lines(on []notes.Placed, edit func(n notes.Placed)) (lines []details.Line) {
	for _, n := range on {
		l := details.Fact(n.Color.String(), rows.Cell{Text: Sentence(n)})
		l.Cells[0].Flag = Flag(n.Color)
		if edit != nil {
			l.On = func() { edit(n) }
		}
		lines = append(lines, l)
	}
	return lines
}

// Marks are the marks of the notes that have bytes of a range, but for those on all of a document.
func Marks(p *notes.Placement, size int64, span model.Span) (marks []hex.Mark) {
	for _, n := range p.In(span) {
		if n.At.Size < size || n.OnBytes {
			marks = append(marks,
				hex.Mark{Offset: n.At.Offset, Length: n.At.Size, Kind: hex.Noted, Tone: Tone(n.Color)})
		}
	}
	return marks
}

// Byte is what notes say of a byte, the one with the fewest bytes first; empty if there is none.
func Byte(p *notes.Placement, offset int64) string {
	var texts []string
	for _, n := range p.In(model.Span{Offset: offset, Size: 1}) {
		texts = append([]string{Sentence(n)}, texts...)
	}
	return strings.Join(texts, " · ")
}
