package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func vertices(n int) *model.Node {
	root, list := &model.Node{}, &model.Node{Name: "vertices", Type: "Vertex[]"}
	list.SetChildren(&model.Elements{First: model.List{{Name: "count", Value: uint64(n), Role: model.RoleCount}},
		Count: n, Make: func(i int) *model.Node {
			v := &model.Node{Name: model.IndexName(i), Parent: list}
			info := &model.Node{Name: "info"}
			info.SetChildren(model.List{{Name: "weight", Value: float32(i) / 2}})
			v.SetChildren(model.List{{Name: "position",
				Value: model.Scalars{float32(i), float32(2 * i), float32(3 * i)}},
				{Name: "id", Value: uint64(i)}, {Name: "data", Value: model.Blob{Span: model.Span{Size: 5}}}, info})
			return v
		}})
	root.SetChildren(model.List{list})
	return root
}

func TestTableOfAListHasAColumnForEachField(t *testing.T) {
	root := vertices(1000)
	list := root.Child(0)
	part := list.Child(8).Child(1)
	require.Same(t, list, model.ListOf(part))
	assert.Same(t, list, model.ListOf(list))
	assert.Nil(t, model.ListOf(root))
	tab := model.NodeTable(list)
	var names []string
	for _, c := range tab.Columns {
		names = append(names, c.Name)
	}
	assert.Equal(t, []string{"position.x", "position.y", "position.z", "id", "data", "weight"}, names)
	assert.EqualValues(t, 1000, tab.Rows)
	assert.Equal(t, float32(14), tab.Cell(7, 1))
	assert.Equal(t, "5 bytes", tab.Cell(7, 4))
	assert.Equal(t, float32(3.5), tab.Cell(7, 5))
	assert.Equal(t, model.Path{0, 8}, tab.Path(7))
	sum := float32(0)
	require.NoError(t, tab.Scan(t.Context(), []int{0},
		func(_ int64, cells []any) error { sum += cells[0].(float32); return nil }))
	assert.Equal(t, float32(499500), sum)
}

func TestTableOfALongArrayHasOneColumn(t *testing.T) {
	root, array := &model.Node{}, &model.Node{Name: "times", Type: "uint[]"}
	numbers := make(model.Scalars, 10_000)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	array.Value = numbers
	root.SetChildren(model.List{array})
	require.Same(t, array, model.ListOf(array))
	tab := model.NodeTable(array)
	assert.True(t, tab.Columns[0].Numeric)
	assert.Equal(t, uint64(9999), tab.Cell(9999, 0))
	assert.Equal(t, uint64(3), tab.Cell(3, 0))
	short := &model.Node{Name: "color", Value: model.Scalars{1.0, 2.0}, Parent: root}
	assert.Nil(t, model.ListOf(short))
}

func TestNamesOfElementsAreAColumn(t *testing.T) {
	root := vertices(3)
	list := root.Child(0)
	makeElement := list.Children().(*model.Elements).Make
	list.Children().(*model.Elements).Make = func(i int) *model.Node {
		n := makeElement(i)
		n.Key = "key" + model.IndexName(i)
		return n
	}
	tab := model.NamedTable(list)
	assert.Equal(t, "name", tab.Columns[0].Name)
	assert.Equal(t, "key2", tab.Cell(2, 0))
	assert.Equal(t, float32(4), tab.Cell(2, 2))
	assert.Equal(t, "position.x", model.NodeTable(list).Columns[0].Name, "only NamedTable has the names")
}

func TestListOfOneElementIsATable(t *testing.T) {
	leaf := &model.Node{Name: "x", Type: "u8", Value: uint64(1)}
	element := &model.Node{Name: model.IndexName(0), Type: "Mesh"}
	element.SetChildren(model.List{leaf})
	list := &model.Node{Name: "meshes", Type: "Mesh[]"}
	list.SetChildren(model.List{element})
	root := &model.Node{Type: "Root"}
	root.SetChildren(model.List{list})
	list = root.Child(0)
	assert.Equal(t, list, model.ListOf(list))
	assert.Nil(t, model.ListOf(list.Child(0)))
}
