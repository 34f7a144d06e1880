package compare_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/compare"
	"assay/model/compare/comparetest"
)

func TestMerges(t *testing.T) {
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
	all, whole, err := compare.Merges(t.Context(), comparetest.Compared(t, base, mine, compare.Options{}), comparetest.Compared(t, base, theirs, compare.Options{}))
	require.NoError(t, err)
	assert.True(t, whole)
	var got []string
	for _, m := range all {
		got = append(got, fmt.Sprint(m.State, " ", m.Path))
	}
	assert.Equal(t, []string{"mine /items/0/value", "conflict /items/1/value", "conflict /items/3 new", "both alike /items/4 both", "theirs /items/2/value"}, got)
}

func TestAChangeBelowWhatTheOtherRemovedIsAConflict(t *testing.T) {
	item := func(key string, v int) tree { return node("", "Item", key, leaf("value", uint64(v))) }
	base := document("1", node("", "File", "", list("items", "Item", item("one", 1), item("two", 2))))
	mine := document("1", node("", "File", "", list("items", "Item", item("one", 1))))
	theirs := document("1", node("", "File", "", list("items", "Item", item("one", 1), item("two", 22))))
	all, _, err := compare.Merges(t.Context(), comparetest.Compared(t, base, mine, compare.Options{}), comparetest.Compared(t, base, theirs, compare.Options{}))
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, m := range all {
		assert.Equal(t, compare.Conflict, m.State, m.Path)
	}
}
