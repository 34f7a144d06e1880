package contents

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/compare"
	"assay/model/text"
)

// ordered, indented and commented are texts of one material.
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
		if name == "a value" { // which row stands beside which is not what this is about
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
