package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/merge"
	"assay/model/modeltest"
)

type tree = modeltest.Tree

var (
	leaf            = modeltest.Leaf
	node, list      = modeltest.Node, modeltest.List
	document, items = modeltest.Document, modeltest.Items
)

func TestChangesListsBothVersions(t *testing.T) {
	file := func(a, b, c int, extra ...tree) tree {
		items := append([]tree{
			node("", "Item", "one", leaf("value", uint64(a)), leaf("same", "text")),
			node("", "Item", "two", leaf("value", uint64(b)), leaf("same", "text")),
			node("", "Item", "three", leaf("value", uint64(c)), leaf("same", "text")),
		}, extra...)
		return node("", "File", "", list("items", "Item", items...))
	}
	added := func(key string, v int) tree {
		return node("", "Item", key, leaf("value", uint64(v)), leaf("same", "text"))
	}
	base := document("1", file(1, 2, 3))
	mine := document("1", file(10, 20, 3, added("new", 1), added("both", 7)))
	theirs := document("1", file(1, 21, 30, added("new", 2), added("both", 7)))
	all, complete, err := merge.Changes(t.Context(), modeltest.Compare(t, base, mine, compare.Options{}),
		modeltest.Compare(t, base, theirs, compare.Options{}))
	require.NoError(t, err)
	assert.True(t, complete)
	var got []string
	for _, m := range all {
		got = append(got, fmt.Sprint(m.State, " ", m.Path))
	}
	assert.Equal(t, []string{"mine /items/0/value", "conflict /items/1/value", "conflict /items/3 new",
		"same in both /items/4 both", "theirs /items/2/value"}, got)
}

func TestChangeBelowARemovedNodeIsAConflict(t *testing.T) {
	item := func(key string, v int) tree {
		return node("", "Item", key, leaf("value", uint64(v)))
	}
	base := document("1", node("", "File", "", list("items", "Item", item("one", 1), item("two", 2))))
	mine := document("1", node("", "File", "", list("items", "Item", item("one", 1))))
	theirs := document("1", node("", "File", "", list("items", "Item", item("one", 1), item("two", 22))))
	all, _, err := merge.Changes(t.Context(), modeltest.Compare(t, base, mine, compare.Options{}),
		modeltest.Compare(t, base, theirs, compare.Options{}))
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, m := range all {
		assert.Equal(t, merge.Conflict, m.State, m.Path)
	}
}

func TestItemsListsBothVersions(t *testing.T) {
	file := func(values ...[3]int) *model.Document {
		d := document("1", node("", "File", "", list("things", "Thing", items(values...)...)))
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "thing"}, n.Type == "Thing" }
		return d
	}
	base := file([3]int{1, 1, 1}, [3]int{2, 2, 2}, [3]int{3, 3, 3}, [3]int{4, 4, 4})
	mine := file([3]int{1, 9, 1}, [3]int{2, 9, 2}, [3]int{3, 3, 9}, [3]int{4, 4, 4})
	theirs := file([3]int{1, 1, 1}, [3]int{2, 8, 2}, [3]int{3, 8, 3}, [3]int{4, 8, 8})
	all, _, err := merge.Items(t.Context(), modeltest.Compare(t, base, mine, compare.Options{}),
		modeltest.Compare(t, base, theirs, compare.Options{}))
	require.NoError(t, err)
	var got []string
	for _, m := range all {
		got = append(got, fmt.Sprint(m.State, " ", m.Type, " ", m.Key))
	}
	assert.Equal(t, []string{"mine thing t1", "conflict thing t2", "both thing t3", "theirs thing t4"}, got)
	assert.Equal(t, "mass 3 → 9 (+6)", all[2].Lines[model.Mine].Change)
	assert.Equal(t, "x 3 → 8 (+5)", all[2].Lines[model.Theirs].Change)
}

func TestItemsListsFilesWithoutABase(t *testing.T) {
	file := func(exporter string, values ...[3]int) *model.Document {
		var entries []tree
		for _, v := range values {
			entries = append(entries, node("", "Entry", fmt.Sprint("t", v[0]), leaf("size", uint64(v[0]))))
		}
		d := document("1", node("", "File", "", leaf("exporter", exporter), list("index", "Entry", entries...),
			list("things", "Thing", items(values...)...)))
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "thing"}, n.Type == "Thing" }
		return d
	}
	nothing := model.NewDocument(model.NewSource("base", strings.NewReader(""), 0), "bytes", "",
		&model.Node{Type: "bytes"})
	list := func(mine, theirs *model.Document) (got []string) {
		all, complete, err := merge.Items(t.Context(), modeltest.Compare(t, nothing, mine, compare.Options{}),
			modeltest.Compare(t, nothing, theirs, compare.Options{}))
		require.NoError(t, err)
		assert.True(t, complete)
		for _, m := range all {
			got = append(got, fmt.Sprint(m.State, " ", m.Type, " ", m.Key))
		}
		return got
	}
	mine := file("one", [3]int{1, 1, 1}, [3]int{2, 2, 2}, [3]int{3, 3, 3})
	theirs := file("two", [3]int{1, 1, 1}, [3]int{2, 2, 9}, [3]int{4, 40, 40})
	assert.Equal(t, []string{"same in both thing t1", "conflict thing t2", "mine thing t3", "theirs thing t4",
		"conflict string "}, list(mine, theirs))
	assert.Equal(t, []string{"same in both thing t1", "same in both thing t2", "same in both thing t3"}, list(mine, mine))
	raw := func(data string) *model.Document {
		return model.NewDocument(model.NewSource("raw", strings.NewReader(data), int64(len(data))), "bytes", "",
			&model.Node{Type: "bytes", Span: model.Span{Size: int64(len(data))}})
	}
	assert.Equal(t, []string{"conflict file "}, list(raw("\x00one"), raw("\x00two")))
	assert.Equal(t, []string{"same in both file "}, list(raw("\x00one"), raw("\x00one")))
}
