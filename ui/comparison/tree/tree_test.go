package tree

import (
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/compare"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/comparisontest"
)

func TestLongListsAreOneSegment(t *testing.T) {
	const n = 100_000
	test.NewTempApp(t)
	w := comparisontest.NewWindow()
	tree := New(w, w.Style, w.Deps().Group)
	tree.OnSelect = func(*compare.Pair) {}
	tree.Set(comparisontest.Compare(t, comparisontest.LongList("a", n, nil),
		comparisontest.LongList("b", n, map[int]byte{7: 1, 90_000: 2})))
	tree.setFilter(filter{statuses: compared.AllStatuses})
	items, _ := tree.View.Find(model.Path{0})
	assert.Len(t, items.Open.Level.segments, 1)
}
