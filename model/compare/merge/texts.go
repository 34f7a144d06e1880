package merge

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
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

// stateOf returns who changed a hunk.
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

// endsInCRLF reports whether the lines of mine end so.
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
