package merge

import (
	"maps"
	"math"
	"slices"
	"strings"

	"assay/model/compare/align"
)

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
