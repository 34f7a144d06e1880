// Package noted displays user notes. List is the list of the notes of a document, and Editor the form for one note. The
// functions return flags, tooltips and marks for other views.
package noted

import (
	"context"
	"image"
	"slices"
	"strings"

	"assay/model"
	"assay/model/notes"
	"assay/ui/details"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/text"
)

// Tone returns the tone of a color.
func Tone(c notes.Color) paint.Tone { return paint.Yellow + paint.Tone(c) }

// Flag returns the mark of a note.
func Flag(c notes.Color) rows.Mark { return rows.Mark{Paint: flag, Tone: Tone(c)} }

// flag paints a pole with a pennant.
func flag(c *paint.Canvas, r image.Rectangle, col paint.Color) {
	c.Shape(r, "noted.flag", col, func(p paint.Pen) {
		p.Polygon(.1, 0, .26, 0, .26, 1, .1, 1)
		p.Polygon(.26, .04, 1, .04, .78, .33, 1, .62, .26, .62)
	})
}

// RowFlag returns the flag of the last note of a node, and the text of its notes.
func RowFlag(notes []notes.PlacedNote) (flag rows.Mark, tip string) {
	if len(notes) > 0 {
		flag = Flag(notes[len(notes)-1].Color)
	}
	return flag, sentences(notes)
}

// The maximum numbers of notes in a tooltip and in the details.
const (
	maxTipNotes    = 5
	maxDetailLines = 100
)

// sentences returns the texts of the first notes and the number of omitted ones, in one line.
func sentences(all []notes.PlacedNote) string {
	var texts []string
	for _, n := range all[:min(len(all), maxTipNotes)] {
		texts = append(texts, Sentence(n))
	}
	if omitted := len(all) - maxTipNotes; omitted > 0 {
		texts = append(texts, "and "+host.Count(int64(omitted), "more note"))
	}
	return strings.Join(texts, " · ")
}

// Sentence returns the text of a note in one line.
func Sentence(n notes.PlacedNote) string {
	if n.Text == "" {
		return "Bookmark (" + n.Color.String() + ")"
	}
	return model.OneLine(n.Text, notes.MaxText)
}

// Lines returns notes as lines of details. edit, if not nil, is called with a note that the user chose.
func Lines(noted []notes.PlacedNote, edit func(n notes.PlacedNote)) (lines []details.Line) {
	for _, n := range noted[:min(len(noted), maxDetailLines)] {
		l := details.Fact(n.Color.String(), rows.Cell{Text: Sentence(n)})
		l.Cells[0].Flag = Flag(n.Color)
		if edit != nil {
			l.On = func() { edit(n) }
		}
		lines = append(lines, l)
	}
	return lines
}

// InText returns the notes on parts of a text, for the view of the text.
func InText(p *notes.Placement, size int64) (all []text.Note) {
	for _, n := range p.InSpan(model.Span{Size: size}) {
		if n.Bytes.Size < size || n.OnBytes {
			all = append(all, text.Note{Span: n.Bytes, Sign: Flag(n.Color), Text: Sentence(n)})
		}
	}
	return all
}

// Marks returns the marks of the notes on bytes in a span, except of notes on a whole document of that size.
func Marks(p *notes.Placement, size int64, span model.Span) (marks []hex.Mark) {
	for _, n := range p.InSpan(span) {
		if n.Bytes.Size < size || n.OnBytes {
			marks = append(marks,
				hex.Mark{Offset: n.Bytes.Offset, Length: n.Bytes.Size, Kind: hex.Noted, Tone: Tone(n.Color)})
		}
	}
	return marks
}

// ByteTip returns the text of the notes on a byte, the shortest span first, or "" if it has no notes.
func ByteTip(p *notes.Placement, offset int64) string {
	noted := p.InSpan(model.Span{Offset: offset, Size: 1})
	slices.Reverse(noted)
	return sentences(noted)
}

// Placer finds notes.
type Placer interface {
	// PlaceNotes finds the notes of a document, as notes.Place does. It may be called on any goroutine.
	PlaceNotes(ctx context.Context, d *model.Document, old *notes.Placement) (*notes.Placement, error)
}

// Host is the host of a part that displays notes.
type Host interface {
	Placer
	// EditNote and DeleteNote are called with a note that the user chose.
	EditNote(n notes.PlacedNote)
	DeleteNote(n notes.PlacedNote)
	// CarryNotes copies the notes on an earlier version of the file to the current version.
	CarryNotes()
}
