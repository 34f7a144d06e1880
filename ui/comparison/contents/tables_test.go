package contents

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/comparisontest"
	"assay/ui/paint"
)

func TestChangedCellsHaveTheOldValue(t *testing.T) {
	from := shelf("from", "1", box("a", 1, "one", "x"), box("b", 2, "two", "y"), box("c", 3, "three", "z"))
	to := shelf("to", "1", box("a", 1, "one", "x"), box("c", 30, "three", "z"), box("d", 4, "four", ""))
	found := comparisontest.Compare(t, from, to)
	made, err := contents.TableOf(t.Context(), found, found.At(model.Path{1}))
	require.NoError(t, err)
	assert.Equal(t, compare.Counts{Same: 1, Changed: 1, Added: 1, Removed: 1}, made.Counts)
	v := &versions{Table: made, path: "/boxes"}
	var lines [][]string
	for row := range made.Rows {
		number, cell := v.Number(row), v.Cell(row, 1)
		lines = append(lines, []string{number.String(), cell.String()})
	}
	assert.Equal(t, [][]string{{"0", "1"}, {"− 1", "2"}, {"~ 2 → 1", "3 → 30"}, {"+ 2", "4"}}, lines)
	assert.Equal(t, []paint.Piece{{Text: "3"}, {Text: " → "}, {Text: "30", Highlighted: true}}, v.Cell(2, 1).Pieces)
	assert.Equal(t, "1 changed, 1 added, 1 removed in /boxes", v.Summary())
}

func TestRowsOfItemsThatOnlyMovedAreMoved(t *testing.T) {
	from := shelf("from", "1", box("a", 1, "one", "x"), box("b", 2, "two", "y"))
	to := shelf("to", "1", box("a", 7, "one", "x"), box("b", 2, "other", "y"))
	for _, d := range []*model.Document{from, to} {
		d.Item = func(n *model.Node) (model.Item, bool) {
			return model.Item{Kind: "box", IsLocation: func(leaf *model.Node) bool { return leaf.Name == "number" }},
				n.Type == "Box"
		}
	}
	found := comparisontest.Compare(t, from, to)
	overview, err := changes.Collect(t.Context(), found)
	require.NoError(t, err)
	list := model.Path{1}
	made, err := contents.TableOf(t.Context(), found, found.At(list))
	require.NoError(t, err)
	v := &versions{Table: made, path: "/boxes", list: list}
	assert.Equal(t, "2 changed in /boxes", v.Summary(), "not collected yet")
	v.items = compared.ItemsOf(found, overview)
	assert.Equal(t, compare.Moved, v.Status(0))
	assert.Equal(t, compare.Changed, v.Status(1))
	assert.Equal(t, "1 changed, 1 moved in /boxes", v.Summary())
}
