package changes_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/modeltest"
)

// points returns a file of n items with positions.
func points(n int, place func(i int) [3]uint64) *model.Document {
	var all []tree
	for i := range n {
		p := place(i)
		all = append(all, node("", "Thing", fmt.Sprint("t", i), leaf("x", p[0]), leaf("y", p[1]), leaf("z", p[2]),
			leaf("mass", uint64(i))))
	}
	d := document("1", node("", "File", "", list("things", "Thing", all...)))
	d.Item = func(n *model.Node) (model.Item, bool) {
		return model.Item{Kind: "thing", Uniform: true,
			IsLocation: func(n *model.Node) bool { return strings.Contains("xyz", n.Name) }}, n.Type == "Thing"
	}
	return d
}

func TestCommonMotionIsReported(t *testing.T) {
	const count = 5000 // more than an earlier limit
	at := func(by ...[3]uint64) func(i int) [3]uint64 {
		return func(i int) [3]uint64 {
			d := by[i%len(by)]
			return [3]uint64{uint64(i) + d[0], 7 + d[1], d[2]}
		}
	}
	for want, by := range map[string][][3]uint64{
		"5,000 things moved by (1, 0, 0)": {{1, 0, 0}},
		"5,000 things moved":              {{1, 0, 0}, {0, 1, 0}},
		"2,500 things moved by (0, 2, 0)": {{0, 2, 0}, {0, 0, 0}},
	} {
		c := modeltest.Compare(t, points(count, at([3]uint64{})), points(count, at(by...)), compare.Options{})
		o, err := changes.Collect(context.Background(), c)
		require.NoError(t, err)
		assert.Equal(t, want, o.Headline())
		assert.Equal(t, c.Counts().Parents, o.Total(c.Counts()).Moved, "each thing is the parent of what changed")
	}
}

// Items at another offset of the file, and at the same position, have no common motion.
func TestItemsInAnotherOrderAreAtAnotherOffset(t *testing.T) {
	at := func(order []int) *model.Document {
		var all []tree
		for _, i := range order {
			all = append(all, node("", "Thing", fmt.Sprint("t", i), leaf("x", uint64(i)), leaf("mass", uint64(i))))
		}
		d := document("1", node("", "File", "", list("things", "Thing", all...)))
		d.Item = func(n *model.Node) (model.Item, bool) {
			return model.Item{Kind: "thing", IsLocation: func(n *model.Node) bool { return n.Name == "x" }}, n.Type == "Thing"
		}
		return d
	}
	c := modeltest.Compare(t, at([]int{0, 1, 2, 3}), at([]int{3, 2, 1, 0}), compare.Options{})
	o, err := changes.Collect(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, "4 things at another offset", o.Headline())
	assert.Equal(t, "was number 3, is 0", o.Items[0].Changes.Texts()[0], "the words of the row")
	assert.Equal(t, "was number 3, is 0", changes.ChangeOf(c.At(o.Items[0].Path), nil).Short())
}

func TestRecordsInReversedOrderMoved(t *testing.T) {
	file := func(order ...int) *model.Document {
		var all []tree
		for _, i := range order {
			all = append(all, node("", "Record", "", leaf("name", fmt.Sprint("record ", i)), leaf("weight", uint64(100+i))))
		}
		return document("1", node("", "File", "", list("records", "Record", all...)))
	}
	c := modeltest.Compare(t, file(0, 1, 2, 3), file(3, 2, 1, 0), compare.Options{})
	n := c.Counts()
	assert.Equal(t, int64(4), n.Moved, "each is at another index")
	assert.Zero(t, n.Added+n.Removed+n.Changed)
	modeltest.CheckMirror(t, c)
}

// An asset without parts that was renamed and edited is paired, and its changes are listed.
func TestRenamedAndEditedAssetIsPaired(t *testing.T) {
	file := func(key, content string) *model.Document {
		d := document("1", node("", "File", "", list("things", "Thing", node("", "Thing", key, leaf("data", content)).Children[0])))
		n := d.Root().Child(0).Child(1)
		n.Key, n.Type = key, "Thing"
		n.Value = model.Blob{Source: d.Source, Span: model.Span{Offset: n.Offset, Size: int64(len(content))}}
		d.Item = func(n *model.Node) (model.Item, bool) { return model.Item{Kind: "thing"}, n.Type == "Thing" }
		return d
	}
	text := "the quick brown fox jumps over the lazy dog, and so does the cat of the house next door"
	c := modeltest.Compare(t, file("alpha", text), file("omega", strings.Replace(text, "quick", "slow", 1)),
		compare.Options{})
	o, err := changes.Collect(context.Background(), c)
	require.NoError(t, err)
	require.Len(t, o.Items, 1)
	assert.Equal(t, compare.Changed, o.Items[0].Status)
	assert.Equal(t, "alpha", o.Items[0].OldName)
	assert.Equal(t, "omega", o.Items[0].Name)
}

func TestAnElementOfSeveralTypesHasItsType(t *testing.T) {
	file := func(types ...string) *model.Document {
		var members []tree
		for _, typ := range types {
			members = append(members, node("", typ, "", leaf("text", typ)))
		}
		all := list("members", "Member", members...)
		for i, typ := range types {
			all.Children[1+i].Type = typ
		}
		return document("1", node("", "File", "", all))
	}
	c := modeltest.Compare(t, file("Rule"), file("Rule", "Comment"), compare.Options{})
	o, err := changes.Collect(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, "members[1] (Comment) added", o.Sentence())
}
