package contents

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
)

// keys returns a table of a time and a value.
func keys(all ...[2]float32) *model.Table {
	return &model.Table{Columns: []model.Column{{Name: "time", Numeric: true}, {Name: "value", Numeric: true}},
		Rows: int64(len(all)), Cell: func(row int64, column int) any { return all[row][column] }}
}

func TestRowsAreAligned(t *testing.T) {
	lines := func(old, new *model.Table) (all []string) {
		table := joinTables(old, new)
		require.NoError(t, table.align(t.Context()))
		for row := range table.Rows {
			i, j := table.SideRows(row)
			all = append(all, fmt.Sprint(table.Status(row), " ", i, " ", j))
		}
		return all
	}
	old := keys([2]float32{0, 0}, [2]float32{1, 5}, [2]float32{2, 0}, [2]float32{3, 7})
	assert.Equal(t, []string{"same 0 0", "added -1 1", "changed 1 2", "same 2 3", "same 3 4"},
		lines(old, keys([2]float32{0, 0}, [2]float32{.5, 1}, [2]float32{1, 6}, [2]float32{2, 0}, [2]float32{3, 7})),
		"rows are matched by time")
	assert.Equal(t, []string{"same 0 0", "changed 1 1", "changed 2 2", "same 3 3"},
		lines(old, keys([2]float32{0, 0}, [2]float32{1.5, 5}, [2]float32{2.5, 0}, [2]float32{3, 7})),
		"with equally many rows, by index")
	assert.Equal(t, []string{"same 0 0", "removed 1 -1", "removed 2 -1", "same 3 1"},
		lines(old, keys([2]float32{0, 0}, [2]float32{3, 7})))
	assert.Equal(t, []string{"added -1 0"}, lines(&model.Table{}, keys([2]float32{0, 0})))
	assert.Empty(t, lines(&model.Table{}, &model.Table{}))
}

func TestColumnsOfOneFileAreKept(t *testing.T) {
	old, new := keys([2]float32{1, 2}), keys([2]float32{1, 2})
	old.Columns[1].Name = "was"
	table := joinTables(old, new)
	require.NoError(t, table.align(t.Context()))
	assert.Equal(t, []string{"time", "value", "was"}, []string{table.Title(0), table.Title(1), table.Title(2)})
	assert.Equal(t, compare.Same, table.Status(0), "a column of one file only does not change rows")
	assert.Equal(t, float32(2), table.Cell(0, 2))
}
