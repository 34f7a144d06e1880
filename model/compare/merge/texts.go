package merge

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"assay/model/compare/align"
)

// hunk is lines that either of two versions of a text changed.
type hunk struct {
	lines [3]span // of the base, mine and theirs
	state State
}

// span is the lines from one to before another.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// textMerge is a base text and two versions of it.
type textMerge struct {
	lines [3][]string // with their ends
	added bool        // there was no base
	hunks []hunk
	gaps  map[int]string // the user's text for the lines before a hunk, or after the last one
}

// mergeTexts finds the changes of two versions of a text. Adjacent changes are one hunk. If the base is empty, because
// both texts were added, their common lines serve as the base, and every hunk is a conflict.
func mergeTexts(base, mine, theirs []byte) *textMerge {
	t := &textMerge{}
	for v, text := range [][]byte{base, mine, theirs} {
		for line := range bytes.Lines(text) {
			t.lines[v] = append(t.lines[v], string(line))
		}
	}
	if t.added = len(base) == 0; t.added {
		t.lines[0] = commonLines(t.lines[1], t.lines[2])
	}
	edits := [2][]lcs.Diff{lcs.DiffLines(t.lines[0], t.lines[1]), lcs.DiffLines(t.lines[0], t.lines[2])}
	var ahead [2]int // number of lines that each version has more than the base before the current line
	for len(edits[0])+len(edits[1]) > 0 {
		h, changed := hunk{lines: [3]span{{-1, -1}}}, [2]bool{}
		was := ahead
		for grown := true; grown; {
			grown = false
			for side := range edits {
				for len(edits[side]) > 0 && h.touches(edits[side][0], edits[1-side]) {
					e := edits[side][0]
					if edits[side] = edits[side][1:]; h.lines[0].from < 0 {
						h.lines[0].from = e.Start
					}
					h.lines[0].to = max(h.lines[0].to, e.End)
					ahead[side] += (e.ReplEnd - e.ReplStart) - (e.End - e.Start)
					changed[side], grown = true, true
				}
			}
		}
		for side := range edits {
			h.lines[side+1] = span{h.lines[0].from + was[side], h.lines[0].to + ahead[side]}
		}
		h.state = t.stateOf(&h, changed)
		t.hunks = append(t.hunks, h)
	}
	return t
}

// commonLines returns the common lines of two texts, in order.
func commonLines(mine, theirs []string) (common []string) {
	index := 0
	for _, d := range lcs.DiffLines(mine, theirs) {
		common = append(common, mine[index:d.Start]...)
		index = d.End
	}
	return append(common, mine[index:]...)
}

// touches reports whether an edit belongs to a hunk, or begins one before all that are left on the other side.
func (h *hunk) touches(e lcs.Diff, others []lcs.Diff) bool {
	if h.lines[0].from < 0 {
		return len(others) == 0 || e.Start <= others[0].Start
	}
	return e.Start <= h.lines[0].to
}

// stateOf returns which versions changed a hunk.
func (t *textMerge) stateOf(h *hunk, changed [2]bool) State {
	switch {
	case t.added:
		return Conflict
	case !changed[1]:
		return OnlyMine
	case !changed[0]:
		return OnlyTheirs
	case t.text(1, h.lines[1]) == t.text(2, h.lines[2]):
		return BothSame
	}
	return Conflict
}

func (t *textMerge) text(version int, s span) string {
	return strings.Join(t.lines[version][s.from:s.to], "")
}

// choice is the resolution of a hunk: a version, or the user's text.
type choice struct {
	resolution Resolution
	edited     string
}

// mergedText returns the text with the resolution of each hunk.
func (t *textMerge) mergedText(choices []choice) []byte {
	var out bytes.Buffer
	for i := range t.hunks {
		out.WriteString(t.gap(i))
		out.WriteString(t.chosenLines(&t.hunks[i], choices[i]))
	}
	out.WriteString(t.gap(len(t.hunks)))
	return out.Bytes()
}

// gap returns the text before a hunk, or after the last one.
func (t *textMerge) gap(i int) string {
	if text, ok := t.gaps[i]; ok {
		return text
	}
	from, to := 0, len(t.lines[0])
	if i > 0 {
		from = t.hunks[i-1].lines[0].to
	}
	if i < len(t.hunks) {
		to = t.hunks[i].lines[0].from
	}
	return t.text(0, span{from, to})
}

// chosenLines returns the lines that a resolution selects.
func (t *textMerge) chosenLines(h *hunk, c choice) string {
	mine, theirs := t.text(1, h.lines[1]), t.text(2, h.lines[2])
	switch c.resolution {
	case TakeMine:
		return mine
	case TakeTheirs:
		return theirs
	case TakeEdited:
		return c.edited
	case TakeBoth:
		if mine != "" && theirs != "" && !strings.HasSuffix(mine, "\n") {
			mine += "\n"
		}
		return mine + theirs
	}
	return ""
}

// endsInCRLF reports whether the first line of mine ends in CR LF.
func (t *textMerge) endsInCRLF() bool {
	return len(t.lines[1]) > 0 && strings.HasSuffix(t.lines[1][0], "\r\n")
}

// maxContext is the number of lines that are displayed before and after a hunk.
const maxContext = 3

// contextLines returns lines of a version with their numbers, and their neighbors, which have no sign.
func (t *textMerge) contextLines(version int, s span) string {
	var b strings.Builder
	lines := t.lines[version]
	if version == 0 && t.added {
		lines = nil // it only has lines of both others
	}
	for i := max(0, s.from-maxContext); i < min(len(lines), s.to+maxContext); i++ {
		sign := ' '
		if i >= s.from && i < s.to {
			sign = '>'
		}
		fmt.Fprintf(&b, "%4d %c %s\n", i+1, sign, strings.TrimRight(lines[i], "\r\n"))
	}
	return b.String()
}

// maxEdit is the size in bytes of the largest merged text that can be edited: an entry measures all of its lines at
// each key.
const maxEdit = 256 << 10

// The lines around a conflict in a merged text, as git writes them.
const (
	beforeMine   = "<<<<<<< mine\n"
	beforeTheirs = "=======\n"
	afterTheirs  = ">>>>>>> theirs\n"
)

// Text returns the merged text that a piece is a hunk of, with line feeds only, and the number of the hunk's first
// line, from 0. An undecided hunk has the lines of both versions between markers. It returns false for a piece that is
// not a hunk, and for a text that is too long to be edited.
func (m *Merging) Text(piece int) (text string, line int, ok bool) {
	t, _ := m.textOf(piece)
	if t == nil {
		return "", 0, false
	}
	parts := m.parts(piece, maxEdit)
	if parts == nil {
		return "", 0, false
	}
	before := parts[:2*m.Pieces[piece].hunk+1]
	return strings.Join(parts, ""), strings.Count(strings.Join(before, ""), "\n"), true
}

// firstPiece returns the first piece of the text that a piece is a hunk of.
func (m *Merging) firstPiece(piece int) int { return piece - int(m.Pieces[piece].hunk) }

// parts returns the merged text that a piece is a hunk of, with line feeds only: the text before the first hunk, that
// hunk, and so on, to the text after the last. It returns nil for a text of more than limit bytes.
func (m *Merging) parts(piece, limit int) (parts []string) {
	t, _ := m.textOf(piece)
	first, size := m.firstPiece(piece), 0
	add := func(part string) bool {
		parts = append(parts, strings.ReplaceAll(part, "\r\n", "\n"))
		size += len(part)
		return size <= limit
	}
	for i := range t.hunks {
		if !add(t.gap(i)) || !add(m.hunkText(t, first+i)) {
			return nil
		}
	}
	if !add(t.gap(len(t.hunks))) {
		return nil
	}
	return parts
}

// hunkText returns the merged text of a piece of a text, with markers while it is undecided.
func (m *Merging) hunkText(t *textMerge, piece int) string {
	h := &t.hunks[m.Pieces[piece].hunk]
	if m.Pieces[piece].Resolution != Undecided {
		return t.chosenLines(h, choice{m.Pieces[piece].Resolution, m.edited[piece]})
	}
	if text, ok := m.edited[piece]; ok {
		return text
	}
	mine, theirs := terminate(t.text(1, h.lines[1])), terminate(t.text(2, h.lines[2]))
	return beforeMine + mine + beforeTheirs + theirs + afterTheirs
}

// terminate returns text with a line feed at its end, unless it is empty.
func terminate(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// Edit replaces the merged text that a piece is a hunk of by an edited one, with line feeds only. The edited part
// becomes the user's text, with the line ends of mine: a hunk is edited then, or undecided while it has a marker. undo
// restores the text before.
func (m *Merging) Edit(piece int, text string) (undo func()) {
	t, _ := m.textOf(piece)
	undo = m.restore(piece)
	if m.edited == nil {
		m.edited = make(map[int]string)
	}
	if t.gaps == nil {
		t.gaps = make(map[int]string)
	}
	for i, part := range splice(m.parts(piece, math.MaxInt), text) {
		marked := strings.Contains(part, beforeMine) || strings.Contains(part, afterTheirs)
		if t.endsInCRLF() {
			part = strings.ReplaceAll(part, "\n", "\r\n")
		}
		if i%2 == 0 {
			t.gaps[i/2] = part
			continue
		}
		index := m.firstPiece(piece) + i/2
		m.edited[index] = part
		if m.Pieces[index].Resolution = TakeEdited; marked {
			m.Pieces[index].Resolution = Undecided
		}
	}
	return undo
}

// restore returns a func that restores the present resolutions and texts of all hunks of a piece's text.
func (m *Merging) restore(piece int) func() {
	t, _ := m.textOf(piece)
	first := m.firstPiece(piece)
	pieces := m.Pieces[first : first+len(t.hunks)]
	before, gaps, edited := slices.Clone(pieces), maps.Clone(t.gaps), maps.Clone(m.edited)
	return func() {
		copy(pieces, before)
		t.gaps, m.edited = gaps, edited
	}
}

// splice returns the parts of a text that differ in an edited text, by index. The edit is the part between the common
// beginning and the common end of both texts: the first part that it touches gets the new text.
func splice(parts []string, edited string) map[int]string {
	old := strings.Join(parts, "")
	from, end := align.CommonEnds([]byte(old), []byte(edited))
	to, text := len(old)-end, edited[from:len(edited)-end]
	found := make(map[int]string)
	if from == to && text == "" {
		return found
	}
	index := 0
	for i, part := range parts {
		begins, ends := index, index+len(part)
		index = ends
		switch {
		case from < to && (ends <= from || begins >= to): // outside of the replaced text
			continue
		case from == to && (ends < from || begins > from || len(found) > 0):
			continue
		case from == to && i%2 == 1 && (begins == from || ends == from): // beside a hunk, not in it
			continue
		}
		found[i] = part[:max(0, from-begins)] + text + part[min(len(part), max(0, to-begins)):]
		text = ""
	}
	return found
}
