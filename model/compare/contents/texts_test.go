package contents

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/compare"
	"assay/model/text"
)

func (r Row) String() string {
	side := func(line int, pieces []Piece) string {
		var b strings.Builder
		for _, p := range pieces {
			if p.Highlighted {
				fmt.Fprintf(&b, "[%s]", p.Text)
			} else {
				b.WriteString(p.Text)
			}
		}
		return fmt.Sprintf("%d %s", line, b.String())
	}
	return r.Status.Sign() + " " + side(r.Old, r.OldText) + " | " + side(r.New, r.NewText)
}

func TestTextsAreComparedLineByLine(t *testing.T) {
	old := "one\ntwo\nthe quick fox\nfour\nfive\nsix\nseven\neight\nnine\n"
	new := "one\ntwo\nthe slow brown fox\nfour\nfive\nsix\nseven\neight\nnine\nten\n"
	c := compareTexts(old, new)
	assert.Equal(t, compare.Counts{Same: 8, Changed: 1, Added: 1}, c.Counts)
	var all []string
	for i := range c.Len() {
		all = append(all, c.Row(i).String())
	}
	assert.Equal(t, "~ 3 the [quick] fox | 3 the [slow brown] fox", all[2])
	assert.Equal(t, "+ 0  | 10 ten", all[9])
	assert.Equal(t, []int{2, 9, -1}, []int{c.Next(-1), c.Next(2), c.Next(9)})

	var hunks []string
	require.NoError(t, c.Hunks(2, func(r Row, first bool) error {
		if first {
			hunks = append(hunks, "@@")
		}
		hunks = append(hunks, r.String()[:3])
		return nil
	}))
	assert.Equal(t, []string{"@@", "= 1", "= 2", "~ 3", "= 4", "= 5", "@@", "= 8", "= 9", "+ 0"}, hunks)

	assert.Equal(t, compare.Counts{Removed: 1}, compareTexts("a\n", "").Counts)
	assert.Zero(t, compareTexts("", "").Len())
}

// A text without an end of its last line is not the same as one with it, unless the rules ignore line ends.
func TestLastLineEndIsCompared(t *testing.T) {
	at := func(s string) *text.Text { return text.Decode([]byte(s), "") }
	d := CompareTexts(t.Context(), at("a\nb"), at("a\nb\n"), compare.TextRules{Indentation: true})
	assert.False(t, d.IsSame())
	assert.Equal(t, []string{"LF (none after the last line)", "LF"}, []string{d.OldEnds, d.NewEnds})
	d = CompareTexts(t.Context(), at("a\r\n"), at("a"), compare.TextRules{})
	assert.Equal(t, []string{"CR LF", "none"}, []string{d.OldEnds, d.NewEnds})
	assert.True(t, CompareTexts(t.Context(), at("a\nb"), at("a\nb\n"), compare.TextRules{LineEnds: true}).IsSame())
	assert.True(t, CompareTexts(t.Context(), at("a"), at("a"), compare.TextRules{}).IsSame())
}

func compareTexts(old, new string) *Diff {
	return CompareTexts(context.Background(), &text.Text{Text: old}, &text.Text{Text: new}, compare.TextRules{})
}

// ordered is the text of a material.
const ordered = "material m\n{\n    a = 1\n    b = 2\n\n    pass x\n    {\n        // why\n        c = 3\n    }\n}\n"

func TestTextRulesIgnoreLines(t *testing.T) {
	none := compare.TextRules{}
	for name, tt := range map[string]struct {
		new   string
		rules compare.TextRules
		want  compare.Counts // without Same
	}{
		"equal":            {ordered, none, compare.Counts{}},
		"indented":         {"material m\n{\n\ta = 1\n  b = 2  \n\n pass x\n{\n// why\nc = 3\n}\n}\n", compare.TextRules{Indentation: true}, compare.Counts{}},
		"indented, counts": {"material m\n{\n\ta = 1\n    b = 2\n\n    pass x\n    {\n        // why\n        c = 3\n    }\n}\n", none, compare.Counts{Changed: 1}},
		"blank lines":      {"material m\n\n{\n    a = 1\n    b = 2\n    pass x\n    {\n        // why\n\n\n        c = 3\n    }\n}\n", compare.TextRules{BlankLines: true}, compare.Counts{}},
		"comments":         {"// new\nmaterial m\n{\n    a = 1 // one\n    b = 2\n\n    pass x\n    {\n        c = 3\n    }\n}\n", compare.TextRules{Comments: true}, compare.Counts{}},
		"comment, counts":  {"// new\n" + ordered, none, compare.Counts{Added: 1}},
		"order":            {"material m\n{\n    b = 2\n    a = 1\n\n    pass x\n    {\n        // why\n        c = 3\n    }\n}\n", compare.TextRules{Order: true}, compare.Counts{}},
		"another block":    {"material m\n{\n    a = 1\n    b = 2\n    c = 3\n\n    pass x\n    {\n        // why\n    }\n}\n", compare.TextRules{Order: true}, compare.Counts{Added: 1, Removed: 1}},
		"a value": {"material m\n{\n  b = 2\n  a = 7\n  pass x\n  {\n    c = 3 // was\n  }\n}\n",
			compare.TextRules{Indentation: true, BlankLines: true, Comments: true, Order: true},
			compare.Counts{Changed: 1}},
	} {
		old, new := text.Decode([]byte(ordered), "m.material"), text.Decode([]byte(tt.new), "m.material")
		found := CompareTexts(t.Context(), old, new, tt.rules)
		got := found.Counts
		got.Same = 0
		differ := tt.want.Differences()
		if name == "a value" { // the pairing of lines is not tested
			assert.NotZero(t, got.Differences(), name)
			continue
		}
		assert.Equal(t, tt.want, got, name)
		assert.Equal(t, differ, got.Differences(), name)
		seen := [2]int{}
		for i := range found.Len() {
			r := found.Row(i)
			for side, n := range []int{r.Old, r.New} {
				if n > 0 {
					seen[side]++
					assert.Equal(t, seen[side], n, "%s: each line once, in order", name)
				}
			}
		}
		assert.Equal(t, [2]int{len(text.Lines(old.Text)), len(text.Lines(new.Text))}, seen, name)
	}
	lf, crlf := text.Decode([]byte("a\nb\n"), "x"), text.Decode([]byte("a\r\nb\r\n"), "x")
	found := CompareTexts(t.Context(), lf, crlf, none)
	assert.Equal(t, []string{"LF", "CR LF"}, []string{found.OldEnds, found.NewEnds})
	assert.Zero(t, found.Counts.Differences())
	assert.Empty(t, CompareTexts(t.Context(), lf, crlf, compare.TextRules{LineEnds: true}).NewEnds)
}

func TestPreviousReturnsTheStartOfARun(t *testing.T) {
	d := compareTexts("a\nb\nc\nd\ne\nf\n", "a\nB\nc\nd\nE\nF\n")
	assert.Equal(t, []int{1, 4, -1}, []int{d.Next(-1), d.Next(1), d.Next(4)})
	assert.Equal(t, []int{4, 4, 1, -1}, []int{d.Previous(d.Len()), d.Previous(5), d.Previous(4), d.Previous(1)})
}
