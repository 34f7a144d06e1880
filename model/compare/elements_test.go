package compare_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/modeltest"
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

// shelf returns a document of keyed boxes with one value each.
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
	assert.False(t, c.Root().Ready(), "identical files are not decoded")
	assert.Equal(t, 3, c.Root().Len())
	assert.True(t, c.Root().Ready())
}

// asset is an entry of an archive: its key, its recorded checksum, and its content.
type asset struct{ key, sum, content byte }

// archive returns a document with one long list with summaries. made counts the elements that are created.
func archive(name string, assets []asset, made *int) *model.Document {
	var data []byte
	for _, a := range assets {
		data = append(data, a.key, a.sum, a.content)
	}
	src := model.NewSource(name, bytes.NewReader(data), int64(len(data)))
	root := &model.Node{Type: "Archive", Span: model.Span{Size: int64(len(data))}}
	items := &model.Node{Name: "assets", Type: "Asset[]", Span: root.Span}
	span := func(i int) model.Span { return model.Span{Offset: int64(3 * i), Size: 3} }
	items.SetChildren(&model.Elements{Count: len(assets),
		Make: func(i int) *model.Node {
			*made++
			n := &model.Node{Type: "Asset", Key: fmt.Sprint("k", assets[i].key), Span: span(i), Parent: items}
			field := func(k int64, name string) *model.Node {
				return &model.Node{Name: name, Type: "byte", Span: model.Span{Offset: span(i).Offset + k, Size: 1},
					Value: uint64(data[3*int64(i)+k])}
			}
			n.SetChildren(model.List{field(0, "key"), field(1, "sum"), field(2, "content")})
			return n
		},
		Sums: &model.Summaries{Keyed: true, Recorded: true, Distinct: true,
			Fill: func(_ context.Context, first int, out []model.Summary) error {
				for i := range out {
					a := assets[first+i]
					out[i] = model.Summary{Key: uint64(a.key), Digest: uint64(a.sum), Span: span(first + i)}
				}
				return nil
			}},
	})
	root.SetChildren(model.List{items})
	return model.NewDocument(src, "made", "1", root)
}

func TestLongListsAreCompared(t *testing.T) {
	var old []asset
	for i := range byte(200) {
		old = append(old, asset{i, i, i})
	}
	change := func(f func(a []asset) []asset) []asset { return f(slices.Clone(old)) }
	tests := []struct {
		name     string
		new      []asset
		contents compare.Reading
		want     []string
		checksum bool
	}{
		{"changed", change(func(a []asset) []asset { a[5].sum, a[5].content = 250, 250; return a }), compare.Automatic,
			[]string{"~ /assets/5 k5", "~ /assets/5/sum", "~ /assets/5/content"}, false},
		{"removed", change(func(a []asset) []asset { return slices.Delete(a, 100, 102) }), compare.Automatic,
			[]string{"- /assets/100 k100", "- /assets/101 k101"}, false},
		{"moved", change(func(a []asset) []asset { return append(slices.Delete(a, 9, 10), old[9]) }), compare.Automatic,
			[]string{"> /assets/199 k9"}, false},
		{"moved far", change(func(a []asset) []asset { return slices.Concat(a[90:], a[:90]) }), compare.Automatic, nil,
			false},
		{"renamed", change(func(a []asset) []asset { a[7].key = 220; return a }), compare.Recorded,
			[]string{"> /assets/7 k220"}, true},
		{"content without its sum", change(func(a []asset) []asset { a[5].content = 250; return a }), compare.Automatic,
			[]string{"~ /assets/5 k5", "~ /assets/5/content"}, false},
		{"content without its sum, by checksum",
			change(func(a []asset) []asset { a[5].content, a[6].sum = 250, 251; return a }), compare.Recorded,
			[]string{"~ /assets/6 k6", "~ /assets/6/sum"}, true},
		{"a key twice", change(func(a []asset) []asset { a[11].key = 10; return a }), compare.Full,
			[]string{"~ /assets/11 k10", "~ /assets/11/key"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var made int
			c := modeltest.Compare(t, archive("a", old, &made), archive("b", test.new, &made),
				compare.Options{Contents: test.contents})
			assert.Equal(t, test.checksum, c.ByChecksum)
			assert.Less(t, made, 1000)
			got := modeltest.Rows(t, c)
			if test.want != nil {
				assert.Equal(t, test.want, got)
			} else {
				assert.Len(t, got, 90)
			}
			modeltest.CheckMirror(t, c)
			checkSteps(t, c)
		})
	}
}

func TestSameElementsMakeNoNodes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var many []asset
	for range 50_000 {
		many = append(many, asset{byte(r.IntN(256)), byte(r.IntN(256)), 0})
		many[len(many)-1].content = many[len(many)-1].sum
	}
	other := slices.Clone(many)
	other[40_000].content++
	var made int
	// Files of this size are searched for gaps, which creates each node: only the second comparison is counted.
	a, b := archive("a", many, &made), archive("b", other, &made)
	assert.Len(t, modeltest.Rows(t, modeltest.Compare(t, a, b, compare.Options{})), 2)
	first := made
	c := modeltest.Compare(t, a, b, compare.Options{})
	assert.EqualValues(t, 1, c.Counts().Changed-1)
	assert.LessOrEqual(t, made-first, 100_000+100,
		"the search for gaps makes each node once, the comparison hardly any")
}
