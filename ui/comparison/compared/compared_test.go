package compared

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/compare"
	"assay/ui/paint"
)

func TestFilesOfOneNameShowTheFoldersInWhichTheyDiffer(t *testing.T) {
	for _, tt := range []struct{ a, b, wantA, wantB string }{
		{"/p/v1/duck.gpb", "/p/v2/duck.gpb", "v1/duck.gpb", "v2/duck.gpb"},
		{"/p/v1/res/duck.gpb", "/p/v2/res/duck.gpb", "v1/…/duck.gpb", "v2/…/duck.gpb"},
		{"/p/duck.gpb", "/p/old/duck.gpb", "p/duck.gpb", "old/duck.gpb"},
		{"/duck.gpb", "/p/duck.gpb", "/duck.gpb", "p/duck.gpb"},
		{"/p/a.gpb", "/q/b.gpb", "a.gpb", "b.gpb"},
		{"/p/a.gpb", "/p/a.gpb", "a.gpb", "a.gpb"},
	} {
		var sides []Side
		for _, path := range []string{tt.a, tt.b} {
			path = filepath.FromSlash(path)
			sides = append(sides, File(path, filepath.Base(path), nil))
		}
		assert.Equal(t, []string{tt.wantA, tt.wantB}, Names(sides))
	}
	assert.Equal(t, []string{"v1/…/res", "v2/…/res"}, FolderNames([]string{"/p/v1/x/res", "/p/v2/x/res"}))
	head := Side{Title: "duck.gpb (HEAD)"}
	assert.Equal(t, []string{"duck.gpb (HEAD)", "duck.gpb"}, Names([]Side{head, File("/p/duck.gpb", "duck.gpb", nil)}))
}

func TestChipsCountRowsWithoutItems(t *testing.T) {
	c := NewChips(nil, nil)
	c.counts, c.rows = compare.Counts{Changed: 1}, compare.Counts{Changed: 3, Moved: 2}
	assert.Equal(t, "~  1 changed", c.text(compare.Changed))
	assert.Equal(t, ">  2 moved", c.text(compare.Moved))
	assert.Equal(t, "+  0 added", c.text(compare.Added))
	assert.Equal(t, "=  same", c.text(compare.Same))
}

func TestDifferentWordsAreMarked(t *testing.T) {
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
