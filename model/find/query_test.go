package find_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/find"
)

// tree returns a root with a header and a list of n items of two fields each.
func tree(n int) *model.Node {
	root := &model.Node{Type: "File", Span: model.Span{Size: int64(n) * 8}}
	items := &model.Node{Name: "items", Type: "Item[]"}
	items.SetChildren(&model.Elements{Count: n, Make: func(i int) *model.Node {
		item := &model.Node{Type: "Item", Key: "key" + model.IndexName(i), Parent: items}
		item.SetChildren(model.List{
			{Name: "id", Type: "u32", Value: uint64(i)},
			{Name: "label", Type: "string", Value: "Label of " + model.IndexName(i)},
		})
		return item
	}})
	root.SetChildren(model.List{{Name: "magic", Type: "bytes"}, items})
	return root
}

func TestQueryMatchesNameTypeKeyAndValue(t *testing.T) {
	n := &model.Node{Name: "vertexCount", Type: "u32", Key: "#Torus", Value: uint64(1024),
		Symbols: model.Symbol("TRIANGLES")}
	for text, want := range map[string]bool{
		"vertex": true, "VERTEXC": true, "u32": true, "torus": true, "1024": true, "triang": true, "vertex 1024": true,
		"": false, "duck": false, "vertex duck": false, "10245": false,
	} {
		assert.Equal(t, want, mustQuery(text).Match(n), text)
	}
	assert.True(t, mustQuery("größe").Match(&model.Node{Name: "GRÖßE"}))
}

func TestConditionsCompareFieldsAndColumns(t *testing.T) {
	texture := &model.Node{Name: "3", Type: "Object", Key: "#7", Span: model.Span{Offset: 0x100, Size: 2_000_000}}
	class := &model.Node{Name: "Class", Type: "u16", Value: uint64(4), Symbols: model.Symbol("Texture")}
	data := &model.Node{Name: "data", Type: "bytes", Value: model.Blob{Span: model.Span{Size: 1 << 20}}}
	sum := &model.Node{Name: "adler32", Type: "u32", Value: uint64(7)}
	sum.AddProblems(model.Problem{Severity: model.Warning, Message: "the checksum differs"})
	texture.SetChildren(model.List{class, {Name: "width", Type: "u32", Value: uint64(1024)},
		{Name: "size", Type: "u32", Value: uint64(12)}, data, sum})
	root := &model.Node{}
	objects := &model.Node{Name: "objects", Type: "Object[]"}
	objects.SetChildren(model.List{texture})
	root.SetChildren(model.List{objects})
	for text, want := range map[string]bool{
		"class = texture":               true,
		"class = Tex*":                  true,
		"class = 4":                     true,
		"class != Texture":              false,
		"class = Mesh or width = 1024":  true,
		"class = texture width > 1 KB":  true,
		"class = texture not width < 9": true,
		"size > 1 MB":                   true,
		"size = 12":                     true, // of the field
		"size > 2 MB":                   false,
		"offset >= 0x100":               true,
		"name = #7":                     true,
		"type = object #7":              true,
		"data > 1 MB":                   true,
		"problem ~ checksum":            false, // of a field
		"height > 0":                    false,
		"/objects":                      true,
		"/objects/3 width > 0":          true,
		"/objects/4":                    false,
	} {
		assert.Equal(t, want, mustQuery(text).Match(texture), text)
	}
	for text, want := range map[string]bool{"value = texture": true, "class = texture": false,
		"value = 4 name = class": true, "/objects/*/Class": true} {
		assert.Equal(t, want, mustQuery(text).Match(class), text)
	}
	assert.True(t, mustQuery("problem ~ checksum").Match(sum))
	assert.True(t, mustQuery("problem = warning").Match(sum))
	_, err := find.NewQuery("size > big")
	assert.Error(t, err)
}

func TestFilterKeepsAncestors(t *testing.T) {
	f, err := find.Filter(context.Background(), tree(5000), mustQuery("label of 4321").Match, 100, find.FilterProgress{})
	require.NoError(t, err)
	assert.Equal(t, 1, f.Matches)
	require.NotNil(t, f.Tree)
	assert.Equal(t, []int32{1}, f.Tree.Index)
	items := f.Tree.Below[1]
	assert.Equal(t, []int32{4321}, items.Index)
	assert.Equal(t, []int32{1}, items.Below[4321].Index)
	assert.Nil(t, items.Below[4321].Below)
}

func TestFilterReportsResultsSoFar(t *testing.T) {
	var steps []find.Filtered
	f, err := find.Filter(context.Background(), tree(200_000), mustQuery("label of").Match, 1_000_000,
		find.FilterProgress{Found: func(f find.Filtered) { steps = append(steps, f) }})
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(steps), 3)
	whole := f.Tree.Below[1].Index
	assert.Len(t, whole, 200_000)
	for i, s := range append(steps, f) {
		part := s.Tree.Below[1].Index
		assert.Equal(t, whole[:len(part)], part, "the first matches, in order, unchanged by later ones")
		assert.InDelta(t, s.Matches, len(part), 1) // the last item may not be finished
		assert.NotNil(t, s.Tree.Below[1].Below[0])
		if i > 0 {
			assert.Greater(t, s.Matches, steps[i-1].Matches)
		}
	}

	steps = nil
	_, err = find.Filter(context.Background(), tree(200_000), mustQuery("nothing of it").Match, 10,
		find.FilterProgress{Found: func(f find.Filtered) { steps = append(steps, f) }})
	require.NoError(t, err)
	assert.Empty(t, steps)
}

func TestFilterIsBounded(t *testing.T) {
	f, err := find.Filter(context.Background(), tree(5000), mustQuery("label").Match, 10, find.FilterProgress{})
	require.NoError(t, err)
	assert.True(t, f.Truncated)
	assert.Equal(t, 10, f.Matches)
	assert.Len(t, f.Tree.Below[1].Index, 10)
}

func BenchmarkFilterMillion(b *testing.B) {
	root := tree(1_000_000)
	q := mustQuery("label of 999999")
	b.ResetTimer()
	for b.Loop() {
		find.Filter(context.Background(), root, q.Match, 1000, find.FilterProgress{})
	}
}

func TestFieldsCanBeCompleted(t *testing.T) {
	d := model.NewDocument(source(nil), "test", "1", tree(10))
	assert.Equal(t, []string{"id", "items", "label", "magic"}, find.FieldNames(d))
	var offered []string
	for _, c := range find.ColumnsOf(d).Complete("duck la", 7) {
		offered = append(offered, c.Text)
	}
	assert.Equal(t, []string{"label = "}, offered)
	assert.Len(t, find.ColumnsOf(d).Columns, len(find.Columns().Columns)+4)
}

// mustQuery is find.NewQuery for a valid filter.
func mustQuery(text string) *find.Query {
	q, err := find.NewQuery(text)
	if err != nil {
		panic(err)
	}
	return q
}
