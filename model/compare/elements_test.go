package compare_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
)

func TestRunsJoinPairsOfOneStatus(t *testing.T) {
	var old []asset
	for i := range byte(200) {
		old = append(old, asset{i, i, i})
	}
	changed := slices.Clone(old)
	changed[50].sum, changed[50].content = 250, 250
	changed = append(changed, asset{230, 230, 230})
	made := 0
	c, err := compare.Documents(context.Background(), archive("a", old, &made), archive("b", changed, &made),
		compare.Options{}, nil)
	require.NoError(t, err)
	list := c.Root().Child(0)
	require.True(t, list.Ready())
	var got []compare.Run
	made = 0
	list.Runs(func(r compare.Run) bool { got = append(got, r); return true })
	assert.Zero(t, made, "runs make no elements")
	require.Len(t, got, 4)
	assert.Equal(t, compare.Run{First: 0, N: 50, Status: compare.Same, Counts: compare.Counts{Same: 50}, Known: true},
		got[0])
	assert.Equal(t, compare.Changed, got[1].Status)
	assert.Equal(t, compare.Run{First: 200, N: 1, Old: -1, New: 200, Status: compare.Added,
		Counts: compare.Counts{Added: 1}, Known: true}, got[3])
	same := list.Child(3)
	assert.False(t, same.Ready())
	same.Runs(func(r compare.Run) bool { assert.Equal(t, compare.Same, r.Status); return true })
	assert.True(t, same.Ready())
}

// shelf is a document of keyed boxes with one value each.
func shelf(values ...byte) *model.Document {
	src := model.NewSource("shelf", bytes.NewReader(values), int64(len(values)))
	root := &model.Node{Type: "Shelf", Span: model.Span{Size: int64(len(values))}}
	var boxes model.List
	for i, v := range values {
		span := model.Span{Offset: int64(i), Size: 1}
		box := &model.Node{Name: fmt.Sprint(i), Type: "Box", Key: fmt.Sprint("k", i), Span: span}
		box.SetChildren(model.List{{Name: "value", Type: "byte", Span: span, Value: uint64(v)}})
		boxes = append(boxes, box)
	}
	root.SetChildren(boxes)
	return model.NewDocument(src, "made", "1", root)
}

func TestGoroutinesHaveTheirOwnPairs(t *testing.T) {
	c, err := compare.Documents(context.Background(), shelf(1, 2, 3, 4), shelf(1, 9, 3, 8), compare.Options{}, nil)
	require.NoError(t, err)
	var all sync.WaitGroup
	rows := make([]int, 4)
	for i := range rows {
		all.Go(func() {
			for p := c.Root().Next(); p != nil; p = p.Next() {
				rows[i]++
				p.Parent().Len()
			}
		})
	}
	all.Wait()
	assert.Equal(t, []int{4, 4, 4, 4}, rows)
}

func TestTheRootIsOpenedOnce(t *testing.T) {
	c, err := compare.Documents(context.Background(), shelf(1, 2, 3), shelf(1, 2, 3), compare.Options{}, nil)
	require.NoError(t, err)
	require.True(t, c.Identical)
	assert.False(t, c.Root().Ready(), "identical files need no look inside")
	assert.Equal(t, 3, c.Root().Len())
	assert.True(t, c.Root().Ready())
}
