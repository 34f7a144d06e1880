package merge

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// lined returns a text with a line for each character.
func lined(s string) []byte {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(string(r) + "\n")
	}
	return []byte(b.String())
}

func TestTextsAreMergedLineByLine(t *testing.T) {
	for _, test := range []struct {
		base, mine, theirs string
		states             string // of hunks, by their first letters; B: same in both
		want               string // with conflicts taken from both
	}{
		{"abc", "abc", "abc", "", "abc"},
		{"abcdef", "aBcdef", "abcdEf", "mt", "aBcdEf"},
		{"abcdef", "abcdEf", "aBcdef", "tm", "aBcdEf"},
		{"abcdef", "aXcdef", "aYcdef", "c", "aXYcdef"},
		{"abcdef", "aXcdef", "aXcdef", "B", "aXcdef"},
		{"abcdef", "aXcdef", "abYdef", "c", "aXcbYdef"},   // no line between them
		{"abcdef", "acdef", "abcdefg", "mt", "acdefg"},    // one removes, one appends
		{"abcdef", "adef", "abXcdef", "c", "abXcdef"},     // an insertion into removed lines
		{"abcdef", "abcXdef", "abcYdef", "c", "abcXYdef"}, // insertions at one place
		{"abcdefgh", "XbcdefgX", "abYdeYgh", "mttm", "XbYdeYgX"},
		{"abcdefgh", "aXXXXXgh", "abYdYfgh", "c", "aXXXXXbYdYfgh"}, // one over several
		{"", "ab", "cd", "c", "abcd"},
		{"", "axbyc", "aXbYc", "cc", "axXbyYc"}, // added by both: only the lines that differ
		{"", "abc", "abcd", "c", "abcd"},
		{"ab", "", "ab", "m", ""},
		{"ab", "", "ac", "c", "ac"},
	} {
		m := mergeTexts(lined(test.base), lined(test.mine), lined(test.theirs))
		var states strings.Builder
		takes := make([]Resolution, len(m.hunks))
		mine, theirs := make([]Resolution, len(m.hunks)), make([]Resolution, len(m.hunks))
		for i, h := range m.hunks {
			letter := h.state.String()[:1]
			switch takes[i] = TakeMine; h.state {
			case BothSame:
				letter = "B"
			case OnlyTheirs:
				takes[i] = TakeTheirs
			case Conflict:
				takes[i] = TakeBoth
			}
			states.WriteString(letter)
			mine[i], theirs[i] = TakeMine, TakeTheirs
		}
		name := test.base + " " + test.mine + " " + test.theirs
		assert.Equal(t, test.states, states.String(), name)
		assert.Equal(t, string(lined(test.mine)), string(m.mergedText(chosen(mine))), name)
		assert.Equal(t, string(lined(test.theirs)), string(m.mergedText(chosen(theirs))), name)
		if test.want != "" {
			assert.Equal(t, string(lined(test.want)), string(m.mergedText(chosen(takes))), name)
		}
	}
	last := mergeTexts([]byte("a"), []byte("b"), []byte("c"))
	assert.Equal(t, "b\nc", string(last.mergedText(chosen([]Resolution{TakeBoth}))), "the last line has no end")
}

func FuzzMergedTexts(f *testing.F) {
	f.Add("abcdef", "aBcdef", "abcdEf")
	f.Fuzz(func(t *testing.T, base, mine, theirs string) {
		m := mergeTexts(lined(base), lined(mine), lined(theirs))
		all := [3][]Resolution{}
		at := 0
		for _, h := range m.hunks {
			assert.GreaterOrEqual(t, h.lines[0].from, at)
			at = h.lines[0].to
			all[1], all[2] = append(all[1], TakeMine), append(all[2], TakeTheirs)
		}
		assert.Equal(t, string(lined(mine)), string(m.mergedText(chosen(all[1]))))
		assert.Equal(t, string(lined(theirs)), string(m.mergedText(chosen(all[2]))))
	})
}

// chosen returns the choices of versions.
func chosen(takes []Resolution) (all []choice) {
	for _, t := range takes {
		all = append(all, choice{resolution: t})
	}
	return all
}

func TestHunksHaveContextLines(t *testing.T) {
	m := mergeTexts(lined("abcdefgh"), lined("abcdXfgh"), lined("abcdYfgh"))
	assert.Equal(t, "   2   b\n   3   c\n   4   d\n   5 > X\n   6   f\n   7   g\n   8   h\n", m.contextLines(1, m.hunks[0].lines[1]))
}

// written returns the merged text of a piece, for editing.
func written(t *testing.T, m *Merging, piece int) string {
	t.Helper()
	text, _, ok := m.Text(piece)
	require.True(t, ok)
	return text
}

func TestAMergedTextIsEdited(t *testing.T) {
	m := &Merging{text: mergeTexts([]byte("a\r\nb\r\nc\r\nd\r\ne"), []byte("a\r\nX\r\nc\r\nD\r\ne"),
		[]byte("a\r\nY\r\nc\r\nd\r\ne"))}
	m.addHunks(m.text, none)
	const both = "a\n<<<<<<< mine\nX\n=======\nY\n>>>>>>> theirs\nc\nD\ne"
	text, line, ok := m.Text(1)
	assert.True(t, ok)
	assert.Equal(t, both, text)
	assert.Equal(t, 7, line)
	edit := func(old, new string) (undo func()) {
		t.Helper()
		text := written(t, m, 0)
		require.Contains(t, text, old)
		undo = m.Edit(0, strings.Replace(text, old, new, 1))
		assert.Equal(t, strings.Replace(text, old, new, 1), written(t, m, 0))
		return undo
	}
	edit("<<<<<<< mine\n", "")
	assert.Equal(t, []Resolution{Undecided, TakeMine}, resolutions(m), "a marker is left")
	edit("=======\nY\n>>>>>>> theirs\n", "and Y\n")
	assert.Equal(t, []Resolution{TakeEdited, TakeMine}, resolutions(m))
	edit("a\n", "first\na\n")
	edit("e", "e\nlast")
	b, _ := m.mergedBytes()
	assert.Equal(t, "first\r\na\r\nX\r\nand Y\r\nc\r\nD\r\ne\r\nlast", string(b))
	undo := edit("and Y\nc\nD\ne", "END")
	assert.Equal(t, []Resolution{TakeEdited, TakeEdited}, resolutions(m), "an edit over several hunks")
	b, _ = m.mergedBytes()
	assert.Equal(t, "first\r\na\r\nX\r\nEND\r\nlast", string(b))
	undo()
	assert.Equal(t, []Resolution{TakeEdited, TakeMine}, resolutions(m))
	m.Pieces[0].Resolution = TakeTheirs
	assert.Equal(t, "first\na\nY\nc\nD\ne\nlast", written(t, m, 0))
	_, word := ParseResolution("edited")
	assert.False(t, word, "users cannot choose it")
}

func TestALongMergedTextIsNotEdited(t *testing.T) {
	line := []byte(strings.Repeat("x", 1000) + "\n")
	base := bytes.Repeat(line, 300)
	m := &Merging{text: mergeTexts(base, append([]byte("mine\n"), base...), append([]byte("theirs\n"), base...))}
	m.addHunks(m.text, none)
	_, _, ok := m.Text(0)
	assert.False(t, ok)

	m = &Merging{text: mergeTexts([]byte("a\n"), []byte("b\n"), []byte("c\n"))}
	m.addHunks(m.text, none)
	m.Edit(0, string(base))
	m.Edit(0, string(base)+"more")
	b, _ := m.mergedBytes()
	assert.Equal(t, string(base)+"more", string(b), "a text that grows beyond the limit is kept")
}

// FuzzEditedTexts tests that the merged text is the edited one, and after undo the previous one.
func FuzzEditedTexts(f *testing.F) {
	f.Add("abc", "aXc", "aYcd", "aZ")
	f.Fuzz(func(t *testing.T, base, mine, theirs, text string) {
		if strings.Contains(base+mine+theirs+text, "\r") {
			return
		}
		m := &Merging{text: mergeTexts([]byte(base), []byte(mine), []byte(theirs))}
		m.addHunks(m.text, none)
		if len(m.Pieces) == 0 {
			return
		}
		before := written(t, m, 0)
		undo := m.Edit(0, text)
		assert.Equal(t, text, written(t, m, 0))
		undo()
		assert.Equal(t, before, written(t, m, 0))
	})
}

// TestPiecesAreFoundByID tests that the ID of an asset selects all of its hunks and no other asset, and that the IDs of
// the pieces are created once.
func TestPiecesAreFoundByID(t *testing.T) {
	keys, made := []string{"a", "a:x", "b"}, 0
	m := &Merging{archive: &model.ArchiveMerge{Key: func(i int) string { made++; return keys[i] }}, Pieces: []Piece{
		{asset: 0, hunk: 0, CanTakeBoth: true}, {asset: 0, hunk: 1}, {asset: 1, hunk: none}, {asset: 2, hunk: none},
		{asset: none, hunk: none}}}
	assert.False(t, m.Resolve("none", TakeMine))
	assert.True(t, m.Resolve("a", TakeMine))
	assert.True(t, m.Resolve("a:1", TakeBoth))
	assert.False(t, m.Resolve("a:2", TakeBoth))
	assert.True(t, m.Resolve("metadata", TakeTheirs))
	first := made
	for range 100 {
		m.Resolve("b", TakeTheirs)
	}
	assert.Equal(t, first, made)
	assert.Equal(t, []Resolution{TakeBoth, TakeMine, Undecided, TakeTheirs, TakeTheirs}, resolutions(m))
}

// resolutions returns the resolution of each piece.
func resolutions(m *Merging) (all []Resolution) {
	for _, p := range m.Pieces {
		all = append(all, p.Resolution)
	}
	return all
}
