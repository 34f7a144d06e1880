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

func TestTextsLineByLine(t *testing.T) {
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

	var told []string
	require.NoError(t, c.Hunks(2, func(r Row, first bool) error {
		if first {
			told = append(told, "@@")
		}
		told = append(told, r.String()[:3])
		return nil
	}))
	assert.Equal(t, []string{"@@", "= 1", "= 2", "~ 3", "= 4", "= 5", "@@", "= 8", "= 9", "+ 0"}, told)

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
