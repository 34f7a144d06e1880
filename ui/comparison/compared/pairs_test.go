package compared

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/ui/paint"
)

func TestDiffer(t *testing.T) {
	mark := func(p []paint.Piece) string {
		var b strings.Builder
		for _, q := range p {
			if q.Highlighted {
				b.WriteString("<" + q.Text + ">")
			} else {
				b.WriteString(q.Text)
			}
		}
		return b.String()
	}
	for _, tt := range []struct{ old, new, a, b string }{
		{"same", "same", "same", "same"},
		{"[1, 0, 5]", "[1, -2.5, 5]", "[1, <0>, 5]", "[1, <-2.5>, 5]"},
		{"a red fox", "a big red fox", "a red fox", "a< big> red fox"},
		{"", "x", "", "<x>"},
		{"a\xffb", "a\xffc", "a\xff<b>", "a\xff<c>"},
		{"日本", "日韓", "<日本>", "<日韓>"},
	} {
		a, b := MarkDifferences(tt.old, tt.new, false)
		assert.Equal(t, tt.a, mark(a))
		assert.Equal(t, tt.b, mark(b))
		assert.Equal(t, tt.old, paint.JoinPieces(a))
		assert.Equal(t, tt.new, paint.JoinPieces(b))
	}
	a, b := MarkDifferences("one two three four five six seven eight nine ten",
		"one two three four five six seven eight nine eleven", true)
	assert.Equal(t, "… ight nine <ten>", mark(a))
	assert.Equal(t, "… ight nine <eleven>", mark(b))
}
