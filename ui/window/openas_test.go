package window

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui"
	"assay/ui/ask"
	"assay/ui/comparison/compared"
	"assay/ui/desktop"
)

// withFormats gives a window two formats: pairs, whose files are one node, and one with an error.
func withFormats(w *Window) {
	w.options.Formats = func(string) []ui.Format {
		return []ui.Format{{ID: "pairs", Title: "Pairs of bytes", From: "part of a test"},
			{ID: "/broken.ksy", Title: "broken", From: "/broken.ksy", Problem: "broken.ksy:3: a key is expected"}}
	}
	w.options.As = func(id string) (model.Opener, error) {
		if id != "pairs" {
			return nil, errors.New(id + ":3: a key is expected")
		}
		return func(_ context.Context, src *model.Source) (*model.Document, error) {
			return model.NewDocument(src, id, "", &model.Node{Type: "Pairs", Span: model.Span{Size: src.Size()}}), nil
		}, nil
	}
}

// itemNamed returns the listed item with a name.
func itemNamed(t *testing.T, w *Window, name string) ask.Item {
	t.Helper()
	for _, i := range w.list.Items() {
		if i.Name == name {
			return i
		}
	}
	require.Fail(t, "it is not offered: "+name)
	return ask.Item{}
}

func TestOpenAsReplacesTheTabInTheChosenFormat(t *testing.T) {
	w := makeWindow(t)
	path := write(t, t.TempDir(), "one.bin", "1111")
	w.openFile(path)
	before := w.tabs.current().(*docTab)
	assert.False(t, w.canOpenAs(before), "there is nothing to choose from")
	withFormats(w)
	w.commands.Run("file.open-as", before)
	require.Len(t, w.list.Items(), 4)
	broken := itemNamed(t, w, "broken")
	assert.True(t, broken.Dim)
	assert.Equal(t, "broken.ksy:3: a key is expected", broken.Where)

	itemNamed(t, w, "Pairs of bytes").On()
	now := w.tabs.current().(*docTab)
	assert.NotSame(t, before, now)
	assert.Equal(t, "pairs", now.pane.Document().Format)
	assert.Equal(t, []string{"one.bin"}, titles(w), "it is opened in its place")
	kept, ok := now.savedTab(false)
	assert.True(t, ok)
	assert.Equal(t, "pairs", kept.As)

	now.reload()
	assert.Equal(t, "pairs", now.pane.Document().Format, "it stays so when it is read again")
	d, err := w.Side(path).Open(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "pairs", d.Format, "and in a comparison")
	require.NoError(t, d.Source.Close())

	now.openAs("/broken.ksy")
	assert.Same(t, now, w.tabs.current(), "what cannot be opened leaves what there was")
}

func TestTheFormatOfATabComesBack(t *testing.T) {
	a := test.NewTempApp(t)
	w := windowWith(t, a, ui.Options{})
	withFormats(w)
	path := write(t, t.TempDir(), "one.bin", "1111")
	tab := &suspendedTab{saved: desktop.Tab{Files: []string{path}, As: "pairs"}}
	w.tabs.put(tab)
	w.tabs.show(0)
	assert.Equal(t, "pairs", w.tabs.current().(*docTab).pane.Document().Format)
}

func TestAnAssetIsOpenedAs(t *testing.T) {
	w := makeWindow(t)
	withFormats(w)
	w.opener.openSample(w.options.Samples[0])
	w.tabs.current().(*docTab).openAs("pairs")
	d := w.tabs.current().(*docTab).pane.Document()
	assert.Equal(t, "pairs", d.Format)
	b, err := d.Source.Bytes(model.Span{Size: 6})
	require.NoError(t, err)
	assert.Equal(t, "sample", string(b))
}

func TestAssetsOfATypeAreOpenedAs(t *testing.T) {
	w := makeWindow(t)
	withFormats(w)
	w.options.Memory = desktop.OpenMemory(filepath.Join(t.TempDir(), "memory.json"))
	path := write(t, t.TempDir(), "one.bin", "1111")
	w.options.Open = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", func(ctx context.Context, src *model.Source) (*model.Document, error) {
			d, err := made(ctx, src)
			p := model.SpanPayload(d, model.Span{Size: 4})
			p.Name, p.Type, p.Node = "asset.bin", "mesh", d.Root().Child(0)
			d.Payloads = model.PayloadList{p}
			return d, err
		})
	}
	w.openFile(path)
	tab := w.tabs.current().(*docTab)
	tab.pane.Select(model.Path{0})
	format := func() string {
		d := paneOf(w.tabs.current()).Document()
		w.closeTab(w.tabs.current())
		return d.Format
	}
	tab.pane.OpenInside()
	assert.Equal(t, "made", format())
	w.commands.Run("go.open-asset-as", tab)
	itemNamed(t, w, "Pairs of bytes").On()
	assert.Equal(t, "pairs", format())
	tab.pane.OpenInside()
	assert.Equal(t, "pairs", format(), "it is remembered")
	d := tab.pane.Document()
	src, err := d.Nested(context.Background(), d.Payloads.At(0), 100)
	require.NoError(t, err)
	inside, err := w.thumbnails().Open(context.Background(), src)
	require.NoError(t, err)
	assert.Equal(t, "pairs", inside.Format, "pictures of assets are drawn of what they are opened as")
	w.commands.Run("go.open-asset-as", tab)
	itemNamed(t, w, "Detect automatically").On()
	format()
	tab.pane.OpenInside()
	assert.Equal(t, "made", format(), "and forgotten")
}

// An unrecognized file is opened in the format of the file with which it is compared.
func TestComparedFilesShareAFormat(t *testing.T) {
	w := makeWindow(t)
	withFormats(w)
	w.options.Recognize = func(src *model.Source) string {
		if filepath.Ext(src.Name()) == ".made" {
			return "made"
		}
		return ""
	}
	folder := t.TempDir()
	one := write(t, folder, "one.bin", "1111")
	w.openFile(one)
	w.tabs.current().(*docTab).openAs("pairs")
	assert.Contains(t, w.extensions(), ".bin", "files of its kind are offered")
	for name, format := range map[string]string{"two.bin": "pairs", "two.made": "made"} {
		sides := []compared.Side{w.Side(one), w.Side(write(t, folder, name, "2222"))}
		w.UseSameFormat(sides)
		for i, want := range []string{"pairs", format} {
			d, err := sides[i].Open(context.Background())
			require.NoError(t, err)
			assert.Equal(t, want, d.Format, sides[i].Title)
			require.NoError(t, d.Source.Close())
		}
	}
}

// atLine is an error in a description.
type atLine struct{ file string }

func (e atLine) Error() string                     { return e.file + ":2: a key is expected" }
func (e atLine) Location() (file string, line int) { return e.file, 2 }

// described makes a window decode files with the description at a path, whose text is the name of the format.
func described(w *Window, rules string) {
	w.options.As = func(id string) (model.Opener, error) {
		return func(_ context.Context, src *model.Source) (*model.Document, error) {
			text, err := os.ReadFile(id)
			if err != nil || string(text) == "wrong" {
				return nil, atLine{id}
			}
			root := &model.Node{Type: string(text), Span: model.Span{Size: src.Size()}}
			root.SetChildren(model.List{{Name: "a", Span: model.Span{Size: 1}, Value: uint64(1)},
				{Name: "b", Span: model.Span{Offset: 1, Size: 1}, Value: uint64(2)}})
			d := model.NewDocument(src, string(text), "", root)
			d.Description = &model.Description{Files: []string{id}, Text: func(string) string { return string(text) },
				Rule: func(*model.Node) (string, int, bool) { return id, 1, true }}
			return d, nil
		}, nil
	}
}

func TestAChangedDescriptionReadsItsFilesAgain(t *testing.T) {
	for _, name := range []string{"one.bin", ""} {
		w := makeWindow(t)
		folder := t.TempDir()
		rules := write(t, folder, "rules.ksy", "first")
		described(w, rules)
		if name != "" {
			w.openFile(write(t, folder, name, "1111"))
		} else {
			w.opener.openSample(w.options.Samples[0])
		}
		present := func() *docTab { return w.tabs.current().(*docTab) }
		assert.Nil(t, present().description)
		present().openAs(rules)
		tab := present()
		require.NotNil(t, tab.description)
		assert.Contains(t, tab.WatchedPaths(), rules)
		w.commands.Run("go.description", tab)
		assert.Equal(t, "Description", tab.pane.Center.Panel().Title())
		tab.pane.Select(model.Path{1})

		write(t, folder, "rules.ksy", "second")
		w.changedOnDisk(rules)
		assert.Same(t, tab, present())
		assert.Equal(t, "second", tab.pane.Document().Format)
		assert.Equal(t, "b", tab.pane.Selection().Node.Name, "the place is kept")

		write(t, folder, "rules.ksy", "wrong")
		w.changedOnDisk(rules)
		assert.Equal(t, "second", tab.pane.Document().Format, "what was read stays")
		require.Len(t, w.notices.Texts(), 1)
		assert.Contains(t, w.notices.Texts()[0], "rules.ksy:2: a key is expected. Showing the version loaded earlier.")

		write(t, folder, "rules.ksy", "third")
		w.changedOnDisk(rules)
		assert.Equal(t, "third", tab.pane.Document().Format)
		assert.Empty(t, w.notices.Texts())
		_, err := tab.pane.Document().Source.Bytes(model.Span{Size: 2})
		assert.NoError(t, err, "the file is still open")
	}
}

// A tab of the last session reports the error of its description, and is decoded once that is corrected.
func TestATabStaysWhenItsDescriptionIsBroken(t *testing.T) {
	w := windowWith(t, test.NewTempApp(t), ui.Options{})
	folder := t.TempDir()
	rules := write(t, folder, "rules.ksy", "wrong")
	described(w, rules)
	saved := desktop.Tab{Files: []string{write(t, folder, "one.bin", "1111")}, As: rules}
	tab := &suspendedTab{saved: saved}
	w.tabs.put(tab)
	w.tabs.show(0)
	now := w.tabs.current().(*docTab)
	require.Len(t, w.notices.Texts(), 1)
	assert.Contains(t, w.notices.Texts()[0], "rules.ksy:2: a key is expected. Showing the file without its description.")
	assert.NotNil(t, now.description, "the description is beside the bytes")
	kept, ok := now.savedTab(false)
	assert.True(t, ok)
	assert.Equal(t, rules, kept.As)

	write(t, folder, "rules.ksy", "mended")
	w.changedOnDisk(rules)
	assert.Equal(t, "mended", now.pane.Document().Format)
	assert.Empty(t, w.notices.Texts())
}

// shelves are description folders.
type shelves struct {
	all []string
	err error
}

func (s *shelves) All() []string { return s.all }
func (s *shelves) Watched(files []string) []string {
	all := slices.Clone(s.all)
	for _, f := range files {
		all = append(all, filepath.Join(filepath.Dir(f), "project"))
	}
	return all
}
func (s *shelves) Add(folder string) error {
	s.all = append(s.all, folder)
	return s.err
}
func (s *shelves) Remove(folder string) error {
	s.all = slices.DeleteFunc(s.all, func(f string) bool { return f == folder })
	return s.err
}

// The window passes on the chosen folder, and reports the result.
func TestFoldersOfDescriptionsAreAddedAndRemoved(t *testing.T) {
	w := makeWindow(t)
	folders := &shelves{all: []string{"/own"}, err: errors.New("the list cannot be written")}
	w.options.DescriptionFolders = folders
	w.addDescriptions("/published", func() {})
	assert.Equal(t, []string{"/own", "/published"}, folders.all)
	assert.Contains(t, w.notices.Texts()[0], "The list cannot be written.")
	folders.err = nil
	w.addDescriptions("/mine", func() {})
	assert.Contains(t, w.notices.Texts()[0], "/mine are now used to recognize files")

	w.commands.Run("file.remove-descriptions", nil)
	assert.Len(t, w.list.Items(), 2, "the program's own stays")
	itemNamed(t, w, "/published").On()
	assert.Equal(t, []string{"/own", "/mine"}, folders.all)
	assert.Contains(t, w.notices.Texts()[0], "/published are no longer used")
}

// A file of an unknown format is reopened in its tab when a description for it is added to a description folder.
func TestNewDescriptionReopensUnrecognizedFiles(t *testing.T) {
	w := makeWindow(t)
	withFormats(w)
	folder, title, format := t.TempDir(), "", "bytes"
	w.options.Recognize = func(*model.Source) string { return title }
	w.options.OpenSource = func(_ context.Context, src *model.Source) (*model.Document, error) {
		return model.NewDocument(src, format, "", &model.Node{Type: "Root", Span: model.Span{Size: src.Size()}}), nil
	}
	w.options.Open = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", w.options.OpenSource)
	}
	w.options.DescriptionFolders = &shelves{all: []string{folder}}
	w.watchDescriptions()
	w.openFile(write(t, t.TempDir(), "one.bin", "1111"))
	tab := w.tabs.current().(*docTab)
	w.changedOnDisk(folder)
	assert.Equal(t, "bytes", tab.pane.Document().Format, "it is still not known")
	title, format = "Pairs", "pairs"
	w.changedOnDisk(t.TempDir())
	assert.Equal(t, "bytes", tab.pane.Document().Format, "that is another folder")
	w.changedOnDisk(filepath.Join(filepath.Dir(tab.pane.Document().Source.Path()), "project"))
	assert.Same(t, tab, w.tabs.current())
	assert.Equal(t, "pairs", tab.pane.Document().Format)
	assert.False(t, tab.unrecognized)
}
