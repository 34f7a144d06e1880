package files

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/archive"
	"assay/model/folder"
	"assay/model/modeltest"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// folderFiles are two files of a known format, and one of another.
var folderFiles = map[string]string{"a.bin": "first", "deep/b.bin": "second", "notes.txt": "x"}

// window is a window that records its calls.
type window struct {
	host.None
	exports
	opened []string
	others bool
	offer  exporting.Offer
	last   *model.Document // the file that was opened last
	then   func()          // called after a file was opened; nil: nothing
	bare   string          // name of a file without assets
	hints  []string        // hints and notices
}

func (w *window) ShowHint(text string) { w.hints = append(w.hints, text) }
func (w *window) Notify(n host.Notice) { w.hints = append(w.hints, n.Text) }

func (w *window) OpenFile(path string)         { w.opened = append(w.opened, path) }
func (w *window) ComparePaths(string, string)  {}
func (w *window) ShowUses(string, string)      {}
func (w *window) ShowInFolder(string)          {}
func (w *window) AskResources(*model.Document) {}
func (w *window) SetListsOthers(on bool)       { w.others = on }
func (w *window) Content() fyne.CanvasObject   { return container.NewStack() }
func (w *window) Take()                        {}

// exports is an export list.
type exports struct{}

func (*exports) Drag(*model.Document, doc.Nodes, ...string) rows.Drag { return nil }
func (*exports) CopyFiles(*model.Document, doc.Nodes, ...string)      {}
func (*exports) CopyNames(*model.Document, doc.Nodes)                 {}

func (*exports) SaveSheet(*model.Document, doc.Nodes, thumbnail.Options) {}

func (*exports) AddFiles(_ string, all []*model.Document) (assets int) {
	for _, d := range all {
		assets += d.Payloads.Len()
	}
	return assets
}

// open opens a file as one asset.
func (w *window) open(_ context.Context, path string) (*model.Document, error) {
	src, err := model.OpenFile(path)
	if err != nil {
		return nil, err
	}
	w.last = model.NewDocument(src, "made", "1.0", &model.Node{Type: "Bytes", Span: model.Span{Size: src.Size()}})
	if src.Name() != w.bare {
		w.last.Payloads = model.PayloadList{{Name: "all"}}
	}
	if src.Name() == "b.bin" {
		w.last.Description = new(model.Description)
	}
	if w.then != nil {
		w.then()
	}
	return w.last, nil
}

// listed lists a folder with folderFiles.
func listed(t *testing.T) (*Folder, *window) {
	t.Helper()
	test.NewTempApp(t)
	w := &window{others: true}
	group := work.Inline(t.Context())
	f := NewFolder(w, modeltest.Folder(t, folderFiles), FolderOptions{Style: paint.NewStyle(), Group: group,
		Opener: w.open,
		Recognize: func(src *model.Source) string {
			if filepath.Ext(src.Name()) == ".bin" {
				return "binary"
			}
			return ""
		},
		Resources: func(string) string { return "" }, ListOthers: true, Export: w,
		NewSlot: func(o exporting.Offer) Slot {
			w.offer = o
			return w
		}, Documents: folder.NewDocumentCache(w.open)})
	t.Cleanup(f.Close)
	test.NewTempWindow(t, f.Content())
	f.Scan()
	return f, w
}

// first returns the first listed nodes.
func (f *Folder) first(n int) doc.Nodes {
	return func(context.Context) (all []*model.Node, more bool, err error) {
		for i := range n {
			all = append(all, f.list.document.Root().Child(i))
		}
		return all, false, nil
	}
}

func TestFoldersHaveOneSlash(t *testing.T) {
	assert.Equal(t, "files/", FolderTitle(filepath.Join("some", "files")))
	assert.Equal(t, "/", FolderTitle("/"))
}

func TestAFolderListsItsFiles(t *testing.T) {
	f, w := listed(t)
	require.Len(t, f.files, 3)
	assert.Equal(t, "deep/b.bin", f.files[1].Name)
	assert.Equal(t, "2 files supported, 1 other", f.state)
	table, err := f.list.document.Tables[0].Open(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "1.0", table.Cell(0, 0))
	assert.Nil(t, table.Cell(1, 0), "a described format has no version")
	assert.Equal(t, paint.Dim, f.tone(2), "files of unknown formats are dim")
	assert.Equal(t, paint.Normal, f.tone(1))
	assert.Equal(t, "Other files (1)", f.allFiles.Text)
	f.allFiles.SetChecked(false)
	require.Len(t, f.files, 2)
	assert.True(t, f.allFiles.Visible(), "it has the number of hidden files")
	assert.False(t, w.others, "the choice is saved")

	f.list.OnSelect(model.Path{1}, f.first(2))
	require.NotNil(t, f.previewed)
	assert.Equal(t, "b.bin", f.previewed.Source.Name())
	f.openSelected()
	assert.Equal(t, []string{f.files[0].Path, f.files[1].Path}, w.opened)
	f.AddToExport(f.supportedPaths())
	assert.Equal(t, filepath.Base(f.root)+"/", f.Title())
}

func TestFilesWithoutAssetsAreNamed(t *testing.T) {
	f, w := listed(t)
	w.bare = "a.bin"
	extract := func(paths ...string) string {
		f.AddToExport(paths)
		return w.hints[len(w.hints)-1]
	}
	a, b := f.files[0].Path, f.files[1].Path
	assert.Equal(t, "Added 1 asset from 1 file to the export list.", extract(b))
	assert.Equal(t, "Added 1 asset from 1 file to the export list; 1 file without assets.", extract(a, b))
	assert.Contains(t, extract(a), "1 selected file without assets. To export whole files, drag them")
}

func TestAssetsOfAFileAreNotListedFiles(t *testing.T) {
	f, _ := listed(t)
	d, err := f.open(t.Context(), f.list.document, 1)
	require.NoError(t, err)
	assert.Equal(t, "b.bin", d.Source.Name())
	part, err := f.open(t.Context(), d, 0)
	require.NoError(t, err)
	assert.Nil(t, part, "its thumbnail is drawn from the file itself")
	require.NoError(t, d.Source.Close())
}

func TestAFolderInAFolderIsNotShownAsItsFirstFile(t *testing.T) {
	f, _ := listed(t)
	f.selectFile(model.Path{0}, nil)
	require.NotNil(t, f.previewed)
	f.selectFolder(f.list.document, "deep", []int{1}, archive.Facts{})
	assert.Nil(t, f.previewed)
	f.selectFile(model.Path{0}, nil)
	require.NotNil(t, f.previewed)
	f.list.OnUp()
	assert.Nil(t, f.previewed, "the overview is displayed")
	f.selectFile(model.Path{1}, nil)
	require.NotNil(t, f.previewed)
	assert.Equal(t, "b.bin", f.previewed.Source.Name())
}

func TestTheAssetsOfFilesAreOfferedForExport(t *testing.T) {
	f, w := listed(t)
	assert.Equal(t, f.root, w.offer.Folder)
	none, _, err := w.offer.Selected()(t.Context())
	require.NoError(t, err)
	assert.Empty(t, none, "nothing is selected at first")
	f.list.OnSelect(model.Path{1}, f.first(2))
	some, _, err := w.offer.Selected()(t.Context())
	require.NoError(t, err)
	assert.Len(t, some, 2)
	_, _, ok := w.offer.Filtered()
	assert.False(t, ok)
	f.list.SetFilter("b.bin")
	_, files, ok := w.offer.Filtered()
	require.True(t, ok)
	all, err := w.offer.Open(t.Context(), w.offer.Document(), files)
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, "b.bin", all[0].Source.Name())
	model.CloseDocuments(all...)
	ctx, cancel := context.WithCancel(t.Context())
	w.then = cancel
	_, err = w.offer.Open(ctx, w.offer.Document(), []int{0, 1})
	require.Error(t, err)
	assert.False(t, w.last.Source.IsIntact())
}

func TestExportFoldersAreNotListed(t *testing.T) {
	f, _ := listed(t)
	out := filepath.Join(f.root, "deep", "b export")
	require.NoError(t, os.Mkdir(out, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(out, "b.bin"), []byte("x"), 0o600))
	f.Scan()
	assert.Len(t, f.files, 3)
	assert.Equal(t, "2 files supported, 1 other, 1 in export folders not listed", f.state)
}

func TestAFolderIsScannedAgain(t *testing.T) {
	f, _ := listed(t)
	before := f.list.document
	f.LookForChanges()
	assert.Same(t, before, f.list.document, "nothing changed")
	f.selectFile(model.Path{1}, nil)
	shown := f.previewed
	require.NoError(t, os.WriteFile(filepath.Join(f.root, "deep", "b.bin"), []byte("longer than before"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(f.root, "c.bin"), []byte("third"), 0o600))
	f.LookForChanges()
	assert.Len(t, f.files, 4)
	assert.NotSame(t, shown, f.previewed, "the displayed file changed")
	f.scanned = nil // it is being scanned
	require.NoError(t, os.Remove(filepath.Join(f.root, "c.bin")))
	f.LookForChanges()
	assert.Len(t, f.files, 4)
	f.Scan()
	assert.Len(t, f.files, 3)
	for _, file := range f.files {
		require.NoError(t, os.Remove(file.Path))
	}
	f.LookForChanges()
	assert.Empty(t, f.files)
	require.NoError(t, os.WriteFile(filepath.Join(f.root, "only.bin"), []byte("first"), 0o600))
	f.show(nil)
	f.LookForChanges()
	require.NotNil(t, f.previewed, "the only file is displayed")
	assert.Equal(t, "only.bin", f.previewed.Source.Name())
}

func TestFilesOfCanceledCommandsAreClosed(t *testing.T) {
	f, w := listed(t)
	f.selectFile(model.Path{0}, f.first(0))
	require.True(t, w.last.Source.IsIntact())
	w.then = f.previewLane.Stop
	f.selectFile(model.Path{1}, f.first(0))
	assert.False(t, w.last.Source.IsIntact(), "another one was selected meanwhile")

	w.then = f.stopAdding
	f.AddToExport([]string{f.files[0].Path})
	assert.False(t, w.last.Source.IsIntact(), "looking for assets was stopped")
}

// Another file is selected while one is opened.
func TestThePreviewIsOfTheSelectedFile(t *testing.T) {
	f, w := listed(t)
	f.selectFile(model.Path{0}, nil)
	w.then = func() {
		w.then = nil
		f.selectFile(model.Path{0}, nil)
	}
	f.selectFile(model.Path{1}, nil)
	require.NotNil(t, f.previewed)
	assert.Equal(t, "a.bin", f.previewed.Source.Name())
}

func TestUnreadableFileHasItsReason(t *testing.T) {
	f, _ := listed(t)
	f.selectFile(model.Path{0}, nil)
	require.NoError(t, os.Remove(f.files[1].Path))
	f.selectFile(model.Path{1}, nil)
	assert.Nil(t, f.previewed, "the previous preview is gone")
	f.selectFile(model.Path{0}, nil)
	require.NotNil(t, f.previewed)
	f.files[1].Problem = "permission denied"
	f.selectFile(model.Path{1}, nil)
	assert.Nil(t, f.previewed)
}
