package merge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
)

// lined is a text with a line for each character.
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
		{"abcdef", "adef", "abXcdef", "c", "abXcdef"},     // an insertion into what is removed
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
		assert.Equal(t, string(lined(test.mine)), string(m.merged(chosen(mine))), name)
		assert.Equal(t, string(lined(test.theirs)), string(m.merged(chosen(theirs))), name)
		if test.want != "" {
			assert.Equal(t, string(lined(test.want)), string(m.merged(chosen(takes))), name)
		}
	}
	last := mergeTexts([]byte("a"), []byte("b"), []byte("c"))
	assert.Equal(t, "b\nc", string(last.merged(chosen([]Resolution{TakeBoth}))), "the last line has no end")
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
		assert.Equal(t, string(lined(mine)), string(m.merged(chosen(all[1]))))
		assert.Equal(t, string(lined(theirs)), string(m.merged(chosen(all[2]))))
	})
}

// chosen are choices of versions.
func chosen(takes []Resolution) (all []choice) {
	for _, t := range takes {
		all = append(all, choice{take: t})
	}
	return all
}

func TestLinesAroundAHunkAreShown(t *testing.T) {
	m := mergeTexts(lined("abcdefgh"), lined("abcdXfgh"), lined("abcdYfgh"))
	assert.Equal(t, "   2   b\n   3   c\n   4   d\n   5 > X\n   6   f\n   7   g\n   8   h\n", m.around(1, m.hunks[0].lines[1]))
}

func TestHunksAreWrittenByHand(t *testing.T) {
	m := &Merging{text: mergeTexts([]byte("a\r\nb\r\n"), []byte("a\r\nX\r\n"), []byte("a\r\nY\r\n"))}
	m.addHunks(m.text, none)
	lines, ok := m.Merged(0)
	assert.True(t, ok)
	assert.Empty(t, lines, "undecided")
	m.Edit(0, "X and Y\nmore")
	assert.Zero(t, m.Undecided())
	lines, _ = m.Merged(0)
	assert.Equal(t, "X and Y\nmore\n", lines)
	b, _ := m.merged()
	assert.Equal(t, "a\r\nX and Y\r\nmore\r\n", string(b))
	m.Pieces[0].Take = TakeTheirs
	b, _ = m.merged()
	assert.Equal(t, "a\r\nY\r\n", string(b))
	_, word := ParseResolution("edited")
	assert.False(t, word, "it cannot be asked for by name")
}

// TestPiecesAreFoundByID holds that the ID of an asset stands for all of its hunks and for no other asset, and that the
// IDs of all pieces are made once for all that is taken.
func TestPiecesAreFoundByID(t *testing.T) {
	keys, made := []string{"a", "a:x", "b"}, 0
	m := &Merging{archive: &model.ArchiveMerge{Key: func(i int) string { made++; return keys[i] }}, Pieces: []Piece{
		{asset: 0, hunk: 0, CanBoth: true}, {asset: 0, hunk: 1}, {asset: 1, hunk: none}, {asset: 2, hunk: none},
		{asset: none, hunk: none}}}
	assert.False(t, m.TakeAll("none", TakeMine))
	assert.True(t, m.TakeAll("a", TakeMine))
	assert.True(t, m.TakeAll("a:1", TakeBoth))
	assert.False(t, m.TakeAll("a:2", TakeBoth))
	assert.True(t, m.TakeAll("metadata", TakeTheirs))
	first := made
	for range 100 {
		m.TakeAll("b", TakeTheirs)
	}
	assert.Equal(t, first, made)
	assert.Equal(t, []Resolution{TakeBoth, TakeMine, Undecided, TakeTheirs, TakeTheirs}, taken(m))
}

// taken returns what is taken of each piece.
func taken(m *Merging) (all []Resolution) {
	for _, p := range m.Pieces {
		all = append(all, p.Take)
	}
	return all
}
