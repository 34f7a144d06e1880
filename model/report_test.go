package model_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestCheckCountsOwnedBytesGapsAndOverlaps(t *testing.T) {
	for _, c := range []struct {
		name      string
		kids      []*model.Node
		accounted int64
		gaps      []model.Span
		overlaps  []model.Span
	}{
		{"nothing", nil, 0, []model.Span{{Offset: 0, Size: 100}}, nil},
		{"everything", []*model.Node{leaf("a", 0, 40, nil), leaf("b", 40, 60, nil)}, 100, nil, nil},
		{"order changed", []*model.Node{leaf("b", 40, 60, nil), leaf("a", 0, 40, nil)}, 100, nil, nil},
		{"only leaves own", []*model.Node{tree("a", 0, 100, leaf("b", 10, 10, nil))}, 10,
			[]model.Span{{Offset: 0, Size: 10}, {Offset: 20, Size: 80}}, nil},
		{"twice", []*model.Node{leaf("a", 0, 60, nil), leaf("b", 50, 50, nil)}, 100, nil,
			[]model.Span{{Offset: 50, Size: 10}}},
		{"one inside of another", []*model.Node{leaf("a", 0, 100, nil), leaf("b", 50, 10, nil), leaf("c", 55, 10, nil)},
			100, nil, []model.Span{{Offset: 50, Size: 15}}},
		{"a gap owns nothing", []*model.Node{leaf("a", 0, 10, nil), {Name: "g", Type: model.Gap,
			Span: model.Span{Offset: 10, Size: 90}}}, 10, []model.Span{{Offset: 10, Size: 90}}, nil},
		{"beyond the file", []*model.Node{leaf("a", 90, 100, nil)}, 10, []model.Span{{Offset: 0, Size: 90}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := check(t, document(100, c.kids...))
			assert.Equal(t, c.accounted, r.Accounted)
			assert.Equal(t, c.gaps, r.Gaps)
			assert.Equal(t, c.overlaps, r.Overlaps)
		})
	}
}

func TestManySpansInAnyOrderAreCountedExactly(t *testing.T) {
	const n = 200_000 // more than are kept unsorted
	kids := make([]*model.Node, 0, n)
	for i := range int64(n) {
		kids = append(kids, leaf("x", i*7919%n*2, 1, nil))
	}
	r := check(t, document(2*n, kids...))
	assert.EqualValues(t, n, r.Accounted)
	assert.Len(t, r.Gaps, n)
	assert.Empty(t, r.Overlaps)
}

func TestSolidListsAreNotWalked(t *testing.T) {
	list := &model.Node{Name: "list", Type: "R[]", Span: model.Span{Size: 1 << 40}}
	list.SetChildren(&model.Elements{Count: 1 << 37, Solid: true, Make: func(int) *model.Node {
		t.Error("a solid list was walked")
		return &model.Node{}
	}})
	src := model.NewSource("big", bytes.NewReader(nil), 1<<40)
	root := tree("", 0, 1<<40, list)
	r := check(t, model.NewDocument(src, "test", "1", root))
	assert.EqualValues(t, int64(1<<40), r.Accounted)
}

func TestProblemsAreBounded(t *testing.T) {
	kids := make([]*model.Node, 30_000)
	for i := range kids {
		kids[i] = leaf(fmt.Sprint(i), int64(i), 1, nil)
		kids[i].Warnf(model.Error, kids[i].Span, "wrong")
	}
	r := check(t, document(30_000, kids...))
	assert.Len(t, r.Problems, 10_000)
	assert.Equal(t, 20_000, r.Omitted)
	assert.True(t, r.Bad())
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	kids := make([]*model.Node, 10_000)
	for i := range kids {
		kids[i] = leaf("x", int64(i), 1, nil)
	}
	_, err := document(10_000, kids...).Check(ctx, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

// Each of many levels has a problem; their full paths would take gigabytes.
func TestProblemsOfDeepNodesHaveBoundedPaths(t *testing.T) {
	const depth = 20_000
	root := &model.Node{Type: "Root", Span: model.Span{Size: 1}}
	for n, i := root, 0; i < depth; i++ {
		k := &model.Node{Name: "child", Span: root.Span}
		k.Warnf(model.Note, k.Span, "here")
		n.SetChildren(model.List{k})
		n = k
	}
	d := model.NewDocument(model.NewSource("deep", strings.NewReader("x"), 1), "f", "", root)
	r, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	require.NotEmpty(t, r.Problems)
	bytes := 0
	for _, p := range r.Problems {
		bytes += len(p.Path)
	}
	assert.Less(t, bytes, 8<<20)
	assert.Equal(t, depth, len(r.Problems)+r.Omitted, "those that are not listed are counted")
	assert.Equal(t, "/child/child", r.Problems[1].Path)
}
