package comparison

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/ui/paint"
)

func TestListsAreOneTable(t *testing.T) {
	from := shelf("from", "1", box{"a", 1, "one", "x"}, box{"b", 2, "two", "y"}, box{"c", 3, "three", "z"})
	to := shelf("to", "1", box{"a", 1, "one", "x"}, box{"c", 30, "three", "z"}, box{"d", 4, "four", ""})
	c, _, _ := opened(t, from, to)
	assert.True(t, c.head.table.Disabled(), "the whole file is not a list")
	var changed *compare.Pair
	for p := c.c.Root().Next(); p != nil; p = p.Next() {
		if p.Status == compare.Changed && p.Leaf() {
			changed = p
		}
	}
	c.goTo(changed.Path())
	assert.False(t, c.head.table.Disabled())
	c.ToggleTable()
	assert.Equal(t, c.tables.sheet.Content(), c.below.Objects[0])
	require.NotNil(t, c.tables.table)
	assert.Equal(t, compare.Counts{Same: 1, Changed: 1, Added: 1, Removed: 1}, c.tables.table.Counts)
	v := &versions{c.tables.table, "/boxes"}
	var lines [][]string
	for row := range c.tables.table.Rows {
		number, cell := v.Number(row), v.Cell(row, 1)
		lines = append(lines, []string{number.String(), cell.String()})
	}
	assert.Equal(t, [][]string{{"0", "1"}, {"− 1", "2"}, {"~ 2 → 1", "3 → 30"}, {"+ 2", "4"}}, lines)
	assert.Equal(t, []paint.Piece{{Text: "3"}, {Text: " → "}, {Text: "30", Lit: true}}, v.Cell(2, 1).Pieces)
	assert.Equal(t, "1 changed, 1 added, 1 removed in /boxes", v.Summary())

	var removed model.Path
	for row := range c.tables.table.Rows {
		if c.tables.table.Status(row) == compare.Removed {
			removed = c.tables.table.Path(row)
		}
	}
	c.tables.goTo(removed)
	assert.Equal(t, removed, c.selected, "the tree follows")
	c.goTo(model.Path{})
	assert.Equal(t, tableBelow, c.shown, "what was chosen stays")
	c.ToggleTable()
	assert.NotEqual(t, tableBelow, c.shown)
	assert.True(t, c.head.table.Disabled())
}
