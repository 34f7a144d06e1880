package finding

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/graph"
	"assay/model/modeltest"
	"assay/model/search"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// askingWindow is a window that records its calls.
type askingWindow struct {
	host.None
	opened []string
	hit    search.Hit
	saved  strings.Builder
	menu   *fyne.Menu
}

func (w *askingWindow) OpenHit(path string, hit search.Hit) {
	w.opened, w.hit = append(w.opened, filepath.Base(path)), hit
}
func (w *askingWindow) ShowInFolder(string)                { w.opened = append(w.opened, "folder") }
func (w *askingWindow) Menu(m *fyne.Menu, _ fyne.Position) { w.menu = m }
func (w *askingWindow) Save(_ string, write func(out io.Writer) error) {
	w.saved.Reset()
	_ = write(&w.saved)
}

// openFile opens a text with a line for each file that it refers to.
func openFile(_ context.Context, src *model.Source) (*model.Document, error) {
	all, err := src.Bytes(model.Span{Size: src.Size()})
	if err != nil {
		return nil, err
	}
	root := &model.Node{Type: "Text", Span: model.Span{Size: src.Size()}}
	var lines model.List
	for i, name := range strings.Fields(string(all)) {
		lines = append(lines, &model.Node{Name: "line", Parent: root, Index: i, Span: model.Span{Offset: int64(i), Size: 1},
			Link: &model.Link{File: name}})
	}
	root.SetChildren(lines)
	return model.NewDocument(src, "made", "", root), nil
}

// tab returns the dependencies in a folder: a.made refers to b.made and to a missing file, b.made to c.bin, which has a
// duplicate.
func tab(t *testing.T) (*Uses, *askingWindow) {
	t.Helper()
	test.NewTempApp(t)
	root := modeltest.Folder(t, map[string]string{"a.made": "b.made gone.png", "b.made": "c.bin", "c.bin": "xyz", "d.bin": "xyz"})
	w := new(askingWindow)
	u := NewUses(w, root, UsesOptions{Style: paint.NewStyle(), Group: work.Inline(t.Context()), Open: openFile,
		OpenFile: func(ctx context.Context, path string) (*model.Document, error) {
			return model.OpenDocument(ctx, path, "", openFile)
		},
		Opens: func(name string) bool { return filepath.Ext(name) == ".made" }})
	t.Cleanup(u.Close)
	return u, w
}

// cells returns the texts of the first two columns, and of titles.
func cells(n int, cell func(row, column int) rows.Cell) (all []string) {
	for i := range n {
		text := cell(i, 0).Text
		if cell(i, 0).Span == 0 {
			text = strings.TrimSpace(text + " " + cell(i, 1).Text)
		}
		all = append(all, text)
	}
	return all
}

func (u *Uses) listed() []string { return cells(u.list.Len(), u.list.Cell) }

func (u *Uses) beside() []string { return cells(u.neighbors.list.Len(), u.neighbors.list.Cell) }

func TestActivatingSelectsTheItem(t *testing.T) {
	u, w := tab(t)
	u.Begin("")
	assert.Equal(t, []string{"gone.png – used by 1 item", "a.made 1"}, u.listed()[:2], "missing items come first")
	assert.Len(t, test.WidgetRenderer(u.list.Table).Objects()[0].(*rows.Rows).Columns(), 2, "no column is empty")
	assert.Equal(t, []string{"Uses 2 items", "b.made /line", "gone.png missing, /line", "Used by no items"}, u.beside())
	u.neighbors.activate(u.neighbors.list.Items[2])
	assert.Equal(t, []string{"a.made"}, w.opened, "at the reference to the missing item")
	assert.Equal(t, model.Span{Offset: 1, Size: 1}, w.hit.Span)

	u.neighbors.activate(u.neighbors.list.Items[1])
	assert.Equal(t, "b.made", u.graph.Title(u.neighbors.item))
	assert.Equal(t, allSection, u.section.SelectedIndex(), "it is not missing")
	assert.Equal(t, []string{"Uses 1 item", "c.bin /line", "Used by 1 item", "a.made /line"}, u.beside())
	u.neighbors.activate(u.neighbors.list.Items[1])
	assert.Equal(t, []string{"Uses no items", "Used by 1 item", "b.made /line", "Identical to 1 item", "d.bin"},
		u.beside())
	u.Back()
	assert.Equal(t, "b.made", u.graph.Title(u.neighbors.item))
	u.Back()
	assert.Equal(t, "a.made", u.graph.Title(u.neighbors.item))
	u.Back()
	u.Forward()
	assert.Equal(t, "b.made", u.graph.Title(u.neighbors.item))
}

// TestReferencesToPartsOpenThePart reads a file that refers to two parts of another.
func TestReferencesToPartsOpenThePart(t *testing.T) {
	u, w := tab(t)
	u.Begin("")
	for i := range u.graph.Uses {
		if f := &u.graph.Uses[i]; f.To != graph.Missing {
			f.Keys = []string{"floor", "wall"}
		}
	}
	u.Select(u.graph.FileAt(0))
	assert.Equal(t, []string{"Uses 2 items", "b.made /line", "#floor", "#wall", "gone.png missing, /line", "Used by no items"},
		u.beside())
	u.neighbors.activate(u.neighbors.list.Items[3])
	assert.Equal(t, []string{"b.made"}, w.opened)
	assert.Equal(t, "wall", w.hit.Node)
}

func TestSectionsAndFiltersSelectItems(t *testing.T) {
	u, w := tab(t)
	u.Begin("")
	assert.Equal(t, []string{"Missing (1)", "Unused (2)", "Duplicates (1)", "All (4)"}, u.section.Options)
	u.section.SetSelectedIndex(unusedSection)
	assert.Equal(t, []string{"a.made 2", "d.bin 0"}, u.listed())
	u.section.SetSelectedIndex(duplicatesSection)
	assert.Equal(t, []string{"2 identical copies of 3 B (removing the others saves 3 B)", "c.bin 0", "d.bin 0"}, u.listed())
	assert.Equal(t, "c.bin", u.graph.Title(u.neighbors.item), "a title is not selected")
	u.section.SetSelectedIndex(allSection)
	for text, want := range map[string][]string{"needs > 0": {"a.made 2", "b.made 1"}, "*.bin": {"c.bin 0", "d.bin 0"},
		"used by = 1 *.made": {"b.made 1"}, "size < 4 B not c": {"d.bin 0"}, "nothing": nil} {
		u.filter.Field.SetText(text)
		assert.Equal(t, want, u.listed(), text)
	}
	u.filter.Field.SetText("size >")
	assert.NotEmpty(t, u.filter.Problem()+strings.Join(u.filter.Completions(), ""), "the filter is incomplete")

	u.filter.Field.SetText("")
	u.menu(row{item: u.graph.FileAt(0)}, fyne.Position{})
	require.NotNil(t, w.menu)
	w.menu.Items[0].Action()
	assert.Equal(t, []string{"a.made"}, w.opened)
	u.SaveDOT()
	assert.Contains(t, w.saved.String(), "digraph")
	u.SaveJSON()
	assert.Contains(t, w.saved.String(), `"missing"`)
}

func TestUsesAreRestored(t *testing.T) {
	u, _ := tab(t)
	u.Begin(filepath.Join(u.Root(), "b.made"))
	assert.Equal(t, "b.made", u.graph.Title(u.neighbors.item))
	saved := u.Saved()
	u.Reload()
	assert.Equal(t, "b.made", u.graph.Title(u.neighbors.item), "the displayed item stays")
	again, _ := tab(t)
	again.root = u.root
	again.Restore(saved)
	assert.Equal(t, "b.made", again.graph.Title(again.neighbors.item))
	assert.Zero(t, again.graph.UserCount(graph.Missing)-1)
	again.Restore([]byte("[]"))
	assert.Len(t, again.graph.Paths, 4, "an invalid state is ignored")
}
