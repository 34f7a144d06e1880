package finding

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/find"
	"assay/model/modeltest"
	"assay/model/search"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// window is a window that records its calls.
type window struct {
	host.None
	opened []string
	hits   []search.Hit
	hint   string
	saved  strings.Builder
	menus  []*fyne.Menu
	copied string
}

func (w *window) OpenHit(path string, hit search.Hit) {
	w.opened, w.hits = append(w.opened, path), append(w.hits, hit)
}
func (w *window) ShowInFolder(string)                { w.hint = "shown" }
func (w *window) ShowHint(text string)               { w.hint = text }
func (w *window) Copy(text string)                   { w.copied = text }
func (w *window) Menu(m *fyne.Menu, _ fyne.Position) { w.menus = append(w.menus, m) }
func (w *window) Save(_ string, write func(out io.Writer) error) {
	_ = write(&w.saved)
}

func open(_ context.Context, src *model.Source) (*model.Document, error) {
	return model.NewDocument(src, "made", "", &model.Node{Type: "Bytes", Span: model.Span{Size: src.Size()}}), nil
}

// finder returns a search in a folder of three files and a broken link.
func finder(t *testing.T) (*Finder, *window) {
	t.Helper()
	test.NewTempApp(t)
	root := modeltest.Folder(t, map[string]string{"a.txt": "duck one\nduck two", "b.txt": "a goose", "c.txt": "a duck"})
	modeltest.Symlink(t, "nowhere", root+"/broken")
	w := new(window)
	f := NewFinder(w, root, Options{Style: paint.NewStyle(), Group: work.Inline(t.Context()), Open: open,
		OpenFile: func(ctx context.Context, path string) (*model.Document, error) {
			return model.OpenDocument(ctx, path, "", open)
		}})
	t.Cleanup(f.Close)
	test.NewTempWindow(t, f.Content()).Resize(fyne.NewSize(800, 400))
	return f, w
}

// listed returns the rows as text.
func (f *Finder) listed() []string {
	var all []string
	for row := range f.results.Len() {
		var cells []string
		for column := 0; column < 3; column++ {
			c := f.results.Cell(row, column)
			cells = append(cells, c.String()+c.Hint)
			column += c.Span
		}
		all = append(all, strings.TrimSpace(strings.Join(cells, "|")))
	}
	return all
}

func TestMatchesAreListedByFile(t *testing.T) {
	f, w := finder(t)
	f.FocusField(f.Content())
	f.form.field.Field.SetText("DUCK")
	f.form.field.Field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, []string{"a.txt2 matches", "duck one||0x0", "duck two||0x9", "broken",
		"Is a link to nowhere, which does not exist.", "c.txt1 match", "a duck||0x2"}, f.listed())
	assert.Equal(t, "3 matches in 2 files, 1 problem · 3 files, 30 B searched, packed assets included", f.form.summary.Text)
	assert.Equal(t, "Find: DUCK", f.Title())

	require.NotNil(t, f.previewed.node, "the first is previewed")
	assert.Equal(t, "a.txt", f.previewed.documents[0].Source.Name())
	assert.True(t, f.previewed.text, "of a match, its text")
	f.list.OnCurrent(0)
	assert.False(t, f.previewed.text, "of a file, its view")
	f.list.OnCurrent(6)
	assert.Equal(t, "c.txt", f.previewed.documents[0].Source.Name())
	f.list.OnCurrent(4)
	assert.Equal(t, "c.txt", f.previewed.documents[0].Source.Name(), "unreadable files are not previewed")

	f.list.OnActivate(2)
	f.list.OnActivate(0)
	require.Len(t, w.hits, 2)
	assert.Equal(t, model.Span{Offset: 9, Size: 4}, w.hits[0].Span)
	assert.True(t, strings.HasSuffix(w.opened[0], "a.txt"))
	assert.Negative(t, w.hits[1].Span.Size, "the row of a file opens the file")

	f.fold(2, true)
	assert.Equal(t, []string{"a.txt2 matches", "broken"}, f.listed()[:2])
	assert.Equal(t, int64(0), f.list.Current())
	f.list.OnClick(0)
	assert.Len(t, f.listed(), 7, "a click opens it again")

	f.SaveCSV()
	assert.Equal(t, 4, strings.Count(w.saved.String(), "\n"))
	f.menu(1, fyne.Position{})
	require.Len(t, w.menus, 1)
	w.menus[0].Items[3].Action()
	assert.True(t, strings.HasSuffix(w.copied, "a.txt at 0x0"), w.copied)
}

func TestFormHasTheFieldsOfItsKind(t *testing.T) {
	f, w := finder(t)
	assert.True(t, f.form.matchCase.Visible())
	assert.False(t, f.form.order.Visible())
	f.form.kind.SetSelected("Bytes")
	assert.False(t, f.form.matchCase.Visible())
	f.form.interpretation.SetSelected("Integer 16 bit")
	assert.True(t, f.form.order.Visible())
	f.form.order.SetSelected("Big endian")
	f.form.field.Field.SetText("0x6475")
	f.Search()
	assert.Equal(t, search.Terms{Kind: search.Bytes, Text: "0x6475", Interpretation: "int16", Order: find.BigEndian},
		f.form.terms())
	assert.Equal(t, 3, f.results.hits)

	f.form.kind.SetSelected("Names")
	assert.False(t, f.form.interpretation.Visible() && f.form.interpretationBox.Visible())
	f.FocusField(f.Content())
	f.form.field.Field.CursorColumn = 2
	f.form.field.Field.SetText("si")
	assert.Contains(t, f.form.field.Completions(), "size > ", "columns are completed")
	f.form.field.Field.SetText("sise > 3")
	f.Search()
	assert.Contains(t, w.hint, "sise", "the error is displayed")
	assert.Equal(t, 3, f.results.hits, "the results stay")
	f.form.field.Field.SetText("*.txt size > 6")
	f.Search()
	assert.Equal(t, []string{"a.txt1 match", "a.txtFile", "b.txt1 match", "b.txtFile", "broken"},
		strings.Split(strings.ReplaceAll(strings.Join(f.listed()[:5], ";"), "||", ""), ";"))
}

func TestConditionsAreNotSearchedAsText(t *testing.T) {
	f, _ := finder(t)
	f.form.field.Field.SetText("size > 6")
	f.Search()
	assert.Equal(t, "No text matches. To search names, sizes, or fields, choose Names or Values.", f.form.summary.Text)
	f.form.field.Field.SetText("size goose")
	f.Search()
	assert.Equal(t, "No matches, 1 problem · 3 files, 30 B searched, packed assets included", f.form.summary.Text)
}

func TestTabGoesThroughTheFormAsItIsRead(t *testing.T) {
	f, _ := finder(t)
	c := fyne.CurrentApp().Driver().CanvasForObject(f.Content())
	c.Focus(f.form.field.Field)
	c.FocusPrevious()
	assert.Same(t, f.form.kind, c.Focused(), "the kind is before the text")
	c.FocusNext()
	c.FocusNext()
	assert.Same(t, f.form.findButton, c.Focused())
	c.FocusNext()
	assert.Same(t, f.form.interpretation, c.Focused())
}

func TestSpaceAroundTheTextIsMentioned(t *testing.T) {
	f, _ := finder(t)
	f.form.set(search.Terms{Kind: search.Text, Text: "goose "})
	f.Search()
	assert.Contains(t, f.form.summary.Text, "ends with a space")
}

func TestSearchIsRestored(t *testing.T) {
	f, _ := finder(t)
	f.form.set(search.Terms{Kind: search.Text, Text: "goose", Interpretation: "utf-8", MatchCase: true, Only: "*.txt"})
	again, _ := finder(t)
	again.Restore(f.Saved())
	assert.Equal(t, f.form.terms(), again.form.terms())
	assert.Equal(t, 1, again.results.hits)
	again.Restore([]byte(`{"kind":`))
	assert.Equal(t, 1, again.results.hits, "an invalid state is ignored")
	assert.Equal(t, "Find: goose", Title("/x", f.Saved()))
	assert.Equal(t, "Find in x", Title("/x", nil))

	again.Search()
	third, _ := finder(t)
	third.Restore(again.Saved())
	assert.Equal(t, 1, third.results.hits, "stored results are not searched again")
	assert.Contains(t, third.form.summary.Text, "Press Find to search again")
}

func TestCopiesInExportFoldersAreNotSearched(t *testing.T) {
	f, _ := finder(t)
	require.NoError(t, os.Mkdir(f.root+"/a export", 0o755))
	require.NoError(t, os.WriteFile(f.root+"/a export/a.txt", []byte("duck one"), 0o644))
	f.form.field.Field.SetText("duck")
	f.form.field.Field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, "3 matches in 2 files, 1 problem · 3 files, 30 B searched, packed assets included · 1 file in export folders skipped",
		f.form.summary.Text)
}
