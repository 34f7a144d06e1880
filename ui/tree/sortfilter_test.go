package tree

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/find"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// chosenTree shows nodes a, b, c; the last two have children one and two.
func chosenTree(t *testing.T) *Tree {
	t.Helper()
	test.NewTempApp(t)
	root := &model.Node{Type: "File"}
	var list model.List
	for _, name := range []string{"a", "b", "c"} {
		n := &model.Node{Name: name, Type: "Item"}
		if name != "a" {
			n.SetChildren(model.List{{Name: "one", Type: "u32"}, {Name: "two", Type: "u32"}})
		}
		list = append(list, n)
	}
	root.SetChildren(list)
	tree := New(host.None{}, paint.NewStyle(), work.Inline(context.Background()))
	tree.SetRoot("made", root, nil)
	return tree
}

func chosen(t *Tree, limit int) (names []string, more bool) {
	nodes, more := t.TopSelected(limit)
	for _, n := range nodes {
		names = append(names, n.PathText())
	}
	return names, more
}

func TestTopSelectedOmitsDescendants(t *testing.T) {
	tree := chosenTree(t)
	tree.Reveal(model.Path{1, 0})
	var all rows.Intervals
	all.Add(0, tree.RowCount())
	tree.view.Rows.SetSelection(all)
	names, more := chosen(tree, 10)
	assert.Equal(t, []string{"/"}, names)
	assert.False(t, more)
	var some rows.Intervals
	some.Add(1, tree.RowCount())
	tree.view.Rows.SetSelection(some)
	names, _ = chosen(tree, 10)
	assert.Equal(t, []string{"/a", "/b", "/c"}, names)
	names, more = chosen(tree, 2)
	assert.Equal(t, []string{"/a", "/b"}, names)
	assert.True(t, more)
}

func TestFilterSelectsMatchedNodes(t *testing.T) {
	tree := chosenTree(t)
	shown, more := tree.MatchedNodes(10)
	require.Len(t, shown, 1)
	assert.Equal(t, "/", shown[0].PathText())
	assert.False(t, more)
	f, err := find.Filter(context.Background(), tree.root, filterOf(t, "two").Match, 100, find.FilterProgress{})
	require.NoError(t, err)
	tree.SetFilter(&f)
	var all rows.Intervals
	all.Add(0, tree.RowCount())
	tree.view.Rows.SetSelection(all)
	names, _ := chosen(tree, 10)
	assert.Equal(t, []string{"/b/two", "/c/two"}, names, "what matches, not what it is in")
	var paths []string
	shown, _ = tree.MatchedNodes(10)
	for _, n := range shown {
		paths = append(paths, n.PathText())
	}
	assert.Equal(t, names, paths)
	_, more = tree.MatchedNodes(1)
	assert.True(t, more)
	tree.view.Rows.SetCurrent(0)
	names, _ = chosen(tree, 10)
	assert.Equal(t, []string{"/"}, names, "the only selected node counts even if it does not match")
	none, err := find.Filter(context.Background(), tree.root, filterOf(t, "nothing").Match, 100, find.FilterProgress{})
	require.NoError(t, err)
	tree.SetFilter(&none)
	shown, _ = tree.MatchedNodes(10)
	assert.Empty(t, shown)
}

func TestFilterWordsAreHighlighted(t *testing.T) {
	tree := chosenTree(t)
	query := filterOf(t, "W u3")
	f, err := find.Filter(context.Background(), tree.root, query.Match, 100, find.FilterProgress{})
	require.NoError(t, err)
	lit := func() (texts []string) {
		for row := range tree.RowCount() {
			for _, c := range (*source)(tree).Describe(tree.view.At(row)).Cells {
				for _, p := range c.Pieces {
					if p.Highlighted {
						texts = append(texts, p.Text)
					}
				}
			}
		}
		return texts
	}
	tree.SetFilter(&f, query.Words()...)
	assert.Equal(t, []string{"w", "u3", "w", "u3"}, lit(), "in names and in types")
	tree.SetFilter(nil)
	assert.Empty(t, lit())
}

// filterOf parses a filter.
func filterOf(t *testing.T, text string) *find.Query {
	t.Helper()
	q, err := find.NewQuery(text)
	require.NoError(t, err)
	return q
}

func TestTipCountsHiddenSeparators(t *testing.T) {
	tree := chosenTree(t)
	n := &model.Node{Name: "field", Span: model.Span{Offset: 16, Size: 3}}
	space := &model.Node{Name: "separator", Role: model.RoleSpacing}
	n.SetChildren(model.List{space, {Name: "value"}})
	assert.Equal(t, "A field.\n1 separator hidden", strings.Split(tree.withLocation(n, "A field."), "\nOffset")[0])
	n.SetChildren(model.List{space, space})
	assert.Equal(t, "A field.", strings.Split(tree.withLocation(n, "A field."), "\nOffset")[0], "there is nothing else")
}
