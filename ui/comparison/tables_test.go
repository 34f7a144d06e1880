package comparison

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/compare"
)

func TestListsAreOneTable(t *testing.T) {
	from := shelf("from", "1", box("a", 1, "one", "x"), box("b", 2, "two", "y"), box("c", 3, "three", "z"))
	to := shelf("to", "1", box("a", 1, "one", "x"), box("c", 30, "three", "z"), box("d", 4, "four", ""))
	c, _, _ := opened(t, from, to)
	assert.True(t, c.header.table.Disabled(), "the whole file is not a list")
	var changed *compare.Pair
	for p := c.result.Root().Next(); p != nil; p = p.Next() {
		if p.Status == compare.Changed && p.Leaf() {
			changed = p
		}
	}
	c.goTo(changed.Path())
	assert.False(t, c.header.table.Disabled())
	c.ToggleTable()
	assert.Equal(t, c.tables.Sheet.Content(), c.lower.Objects[0])
	var removed model.Path
	for p := c.result.Root().Next(); p != nil; p = p.Next() {
		if p.Status == compare.Removed {
			removed = p.Path()
		}
	}
	c.tables.Sheet.OnPath(removed)
	assert.Equal(t, removed, c.selected, "the tree follows")
	c.goTo(model.Path{})
	assert.Equal(t, tableBelow, c.lowerShown, "what was chosen stays")
	c.ToggleTable()
	assert.NotEqual(t, tableBelow, c.lowerShown)
	assert.True(t, c.header.table.Disabled())
}
