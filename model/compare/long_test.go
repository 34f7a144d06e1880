package compare_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/compare"
	"assay/model/modeltest"
)

// asset is an entry of a made archive: what it is called, what its recorded sum says, what it holds.
type asset struct{ key, sum, content byte }

// archive is a document with one long list that describes itself in bulk. Its elements are made when looked at.
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
		{"called otherwise", change(func(a []asset) []asset { a[7].key = 220; return a }), compare.Recorded,
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
	// More than 8 MiB would not be searched for gaps; these are, so only the second comparison is counted.
	a, b := archive("a", many, &made), archive("b", other, &made)
	assert.Len(t, modeltest.Rows(t, modeltest.Compare(t, a, b, compare.Options{})), 2)
	first := made
	c := modeltest.Compare(t, a, b, compare.Options{})
	assert.EqualValues(t, 1, c.Counts().Changed-1)
	assert.LessOrEqual(t, made-first, 100_000+100,
		"the search for gaps makes each node once, the comparison hardly any")
}
