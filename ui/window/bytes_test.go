package window

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui"
	"assay/ui/control"
)

// lines is a Describer whose descriptions have a field in each line.
type lines map[string][]byte

func (l lines) Skeleton(name string, _ []byte) string { return "first\n" }

func (l lines) Draft(path string, text []byte) {
	if l[path] = text; text == nil {
		delete(l, path)
	}
}

func (l lines) Complete(string, int, string) []string { return nil }

func (l lines) Fields(text, _ string, _ *model.Source, at model.Span) ([]ui.Field, error) {
	return []ui.Field{{Title: "u4 = 12", Why: "the size of the file", Text: text + "added\n"}}, nil
}

// as returns a func that opens a file with a description.
func (l lines) as(file string) (model.Opener, error) {
	return func(_ context.Context, src *model.Source) (*model.Document, error) {
		text, isDraft := l[file]
		if !isDraft {
			var err error
			if text, err = os.ReadFile(file); err != nil {
				return nil, err
			}
		}
		root := &model.Node{Type: "Described", Span: model.Span{Size: src.Size()}}
		var fields model.List
		for name := range strings.Lines(string(text)) {
			fields = append(fields, &model.Node{Name: strings.TrimSpace(name), Type: "field"})
		}
		root.SetChildren(fields)
		d := model.NewDocument(src, "described", "", root)
		d.Description = &model.Description{Files: []string{file}, Text: func(string) string { return string(text) },
			Rule: func(*model.Node) (string, int, bool) { return file, 1, true }}
		return d, nil
	}, nil
}

func TestAFileIsDescribedInTheWindow(t *testing.T) {
	w := makeWindow(t)
	described := lines{}
	withFormats(w)
	w.options.As, w.options.Describer = described.as, described
	folder := t.TempDir()
	path, file := write(t, folder, "a.dat", "PAK1\x0c\x00\x00\x00rest"), filepath.Join(folder, "a.ksy")
	w.openFile(path)
	before := w.tabs.current().(*docTab)
	assert.True(t, w.canDescribe(before))
	w.describeBytes(before.pane, model.Span{Offset: 4, Size: 4})
	assert.Nil(t, w.list, "there is no description yet")

	w.writeDescription(file, func() (string, error) { return described.Skeleton("a.dat", nil), nil }, func() {
		before.openAsThen(file, func(now *docTab) {
			now.description.Select(now.pane.Selection())
			now.description.Edit()
		})
	})
	now := w.tabs.current().(*docTab)
	require.NotNil(t, now.description)
	require.NotNil(t, now.pane.Document().Root().ChildNamed("first"))
	bytes := now.pane.Center.Panel()
	w.describeBytes(now.pane, model.Span{Offset: 4, Size: 4})
	item := itemNamed(t, w, "u4 = 12")
	assert.Equal(t, "the size of the file", item.Where)
	w.list.Close()
	item.On()
	require.NotNil(t, now.pane.Document().Root().ChildNamed("added"), "the tree has the field at once")
	assert.Same(t, bytes, now.pane.Center.Panel(), "the bytes stay in view")
	changes, _ := unsavedIn(now)
	assert.NotEmpty(t, changes)
	w.commands.Run("edit.undo", now)
	assert.Nil(t, now.pane.Document().Root().ChildNamed("added"))
	changes, _ = unsavedIn(now)
	assert.Empty(t, changes)
	assert.False(t, w.commands.Actions["edit.undo"].Enabled(now))
	now.addField(ui.Field{Title: "u4 = 12", Text: "first\nadded\n"}, model.Span{Offset: 4, Size: 4})
	on, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "first\n", string(on), "the file changes when it is saved")
	now.openAs("pairs")
	assert.Same(t, now, w.tabs.current(), "it asks first")
	require.True(t, w.ask.Dismiss())
	assert.False(t, w.canDescribe(now))

	w.commands.Run("go.description", now)
	assert.IsType(t, &control.Field{}, w.win.Canvas().Focused(), "one may type at once")
	w.commands.Run("file.save-description", now)
	changes, _ = unsavedIn(now)
	assert.Empty(t, changes)
	on, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "first\nadded\n", string(on))

	now.addField(ui.Field{Title: "u4 = 12", Text: "first\nadded\nagain\n"}, model.Span{Offset: 4, Size: 4})
	w.tabs.close(now)
	assert.Same(t, now, w.tabs.current())
	save, ok := w.win.Canvas().Focused().(*control.Button)
	require.True(t, ok, "Enter saves")
	save.Tapped(nil)
	on, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "first\nadded\nagain\n", string(on))
	assert.NotContains(t, w.tabs.all, Tab(now))
	assert.False(t, w.commands.Actions["edit.undo"].Enabled(w.tabs.current()), "the description is closed")
	assert.Empty(t, described, "the draft is gone")
}

func TestQuitAsksForEachUnsavedDescription(t *testing.T) {
	w := makeWindow(t)
	described := lines{}
	w.options.As, w.options.Describer = described.as, described
	ended := 0
	w.options.OnEnded = func(error, func()) { ended++ }
	folder := t.TempDir()
	for _, name := range []string{"a", "b"} {
		w.openFile(write(t, folder, name+".dat", "data"))
		w.tabs.current().(*docTab).openAsThen(write(t, folder, name+".ksy", "first\n"), func(now *docTab) {
			now.description.Select(now.pane.Selection())
			now.addField(ui.Field{Text: "first\nadded\n"}, model.Span{Size: 1})
		})
	}
	answer := func(label string) { test.Tap(inDialog(w.win.Canvas().Overlays().Top(), label)) }
	w.quit()
	assert.Equal(t, "a.dat", w.tabs.current().Title())
	answer("Don't Save")
	assert.Equal(t, "b.dat", w.tabs.current().Title())
	assert.Zero(t, ended)
	answer("Save")
	assert.Equal(t, 1, ended)
	for file, want := range map[string]string{"a.ksy": "first\n", "b.ksy": "first\nadded\n"} {
		content, err := os.ReadFile(filepath.Join(folder, file))
		require.NoError(t, err)
		assert.Equal(t, want, string(content))
	}
}
