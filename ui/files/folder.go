// Package files contains the tabs that list files: Folder lists the files of one folder, Pair compares two folders.
// Each is a list of the assets of a document, which determines the columns.
package files

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/archive"
	"assay/model/folder"
	"assay/ui/assets"
	"assay/ui/comparison/compared"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/tabs"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// Folder is the tab of the files below a folder: of supported formats and, if switched on, all.
type Folder struct {
	Host
	FolderOptions
	root        string
	scanLane    *work.Lane
	slot        Slot
	readLane    *work.Lane // reads the files, one after the other
	previewLane *work.Lane // opens the selected file
	addLane     *work.Lane
	list        *list
	previewPane *preview.Preview
	content     fyne.CanvasObject

	facts       *folder.Facts
	readWith    sync.Map        // the resource folder with which each file was read, by path
	scanned     []folder.File   // files of the last complete scan; nil before it
	found       []folder.File   // files of the latest scan, without export folders
	exportFiles int             // number of files in export folders, which are not among found
	files       []folder.File   // listed files
	assets      *archive.Shared // files as the assets of the list
	report      *model.Report   // the problems of the files; nil before they are read
	allFiles    *control.Check  // lists files of unknown format too
	previewed   *model.Document // in the preview
	state       string
}

// Host is the host of a list of files.
type Host interface {
	host.Host
	// OpenFile opens the file at a path in a tab.
	OpenFile(path string)
	// ComparePaths opens a comparison of two files; the old one has the earlier modification time.
	ComparePaths(a, b string)
	// ShowUses displays the references to a file in a folder.
	ShowUses(root, path string)
	// ShowInFolder opens the system's file manager at a file.
	ShowInFolder(path string)
	// AskResources asks for the resource folder of a document's project.
	AskResources(d *model.Document)
	// SetListsOthers stores whether folders list files of unknown format.
	SetListsOthers(on bool)
}

// Slot is a container of the export list, which moves there on Take.
type Slot interface {
	Content() fyne.CanvasObject
	Take()
}

// FolderOptions are the settings of the list of a folder.
type FolderOptions struct {
	Style      *paint.Style
	Group      *work.Group     // closed by the list
	Opener     compared.Opener // opens the file at a path
	Recognize  func(src *model.Source) string
	Pictures   thumbnail.Options
	Resources  func(path string) string // the resource folder of the project of a file; empty if not chosen
	ListOthers bool                     // list files of unknown format too
	Export     Exporter
	// NewSlot returns the slot of the export list for the files of the folder.
	NewSlot   func(o exporting.Offer) Slot
	Documents *folder.DocumentCache
}

// NewFolder lists the files below a folder.
func NewFolder(h Host, root string, o FolderOptions) *Folder {
	t := &Folder{Host: h, FolderOptions: o, root: root, facts: folder.NewFacts()}
	t.scanLane, t.readLane, t.previewLane = t.Group.Lane(), t.Group.Lane(), t.Group.Lane()
	t.addLane = t.Group.Lane()
	t.allFiles = control.NewCheck(t.Key, "", func(on bool) {
		h.SetListsOthers(on)
		t.listFound(t.found)
	})
	t.allFiles.Checked = o.ListOthers
	t.allFiles.Hide()
	pictures := o.Pictures
	pictures.File = t.open
	t.previewPane = preview.New(t, o.Style, t.Group, pictures)
	t.previewPane.SetWord(func(d *model.Document) string {
		if d == t.list.document {
			return "file"
		}
		return "asset"
	})
	t.previewPane.OnAsset, t.previewPane.OnDrag = t.reveal, o.Export.Drag
	t.previewPane.OnResources = h.AskResources
	t.previewPane.Assets = func() *archive.Shared {
		if t.previewed != nil {
			return nil
		}
		return t.assets
	}
	t.previewPane.ShowPlaceholder("Select a file to preview it.")
	t.list = newList(t, o.Style, t.Group, o.Export, t.document(nil), assets.Options{Options: pictures,
		Read: func() *archive.Shared { return t.assets }, OnSelect: t.selectFile, OnGroup: t.selectFolder,
		OnUp: t.selectNone, OnOpen: t.openSelected, Beside: t.allFiles, Tone: t.tone, Keep: keptColumns},
		t.menu)
	t.previewPane.OnKind = t.list.ShowKind
	t.previewPane.OnProblem = func(p model.Problem) {
		t.list.Step(-1, 1, func(i int) bool { return t.files[i].Name == p.Path })
	}
	t.previewPane.OnProblems = func() { t.list.SetFilter("problems > 0") }
	t.slot = t.NewSlot(t.offer())
	side := container.NewVSplit(t.previewPane.Content(), t.slot.Content())
	side.SetOffset(0.55)
	split := container.NewHSplit(t.list.Content(), side)
	split.SetOffset(0.68)
	t.content = split
	return t
}

// keptColumns is the number of columns that stay in view: those up to the number of problems.
const keptColumns = 6

// Root returns the path of the folder.
func (t *Folder) Root() string { return t.root }

// List returns the list of the files.
func (t *Folder) List() *assets.Panel { return t.list.Panel }

// CopyFiles copies the selected files to the clipboard.
func (t *Folder) CopyFiles() { t.list.CopyFiles() }

// CopyNames copies the names of the selected files to the clipboard.
func (t *Folder) CopyNames() { t.list.CopyNames() }

// SaveSheet saves an image with thumbnails of the selected files.
func (t *Folder) SaveSheet() { t.list.SaveSheet() }

// document returns a document whose assets are the files, and shares its list of assets.
func (t *Folder) document(files []folder.File) *model.Document {
	d := folder.Document(filepath.Base(t.root), files, t.facts.Table(files))
	t.assets = archive.NewShared(d, t.Group.Run)
	return d
}

// reveal selects a listed file, or opens an asset in it.
func (t *Folder) reveal(d *model.Document, n *model.Node) {
	if d != t.list.document {
		t.Reveal(d, n)
		return
	}
	t.list.Step(-1, 1, func(i int) bool { return i == n.Index })
}

// tone returns the tone of a file's name: files of unknown format are dim.
func (t *Folder) tone(i int) paint.Tone {
	if i < len(t.files) && t.files[i].IsUnknown() {
		return paint.Dim
	}
	return paint.Normal
}

// Preview returns the preview of the selected file.
func (t *Folder) Preview() *preview.Preview { return t.previewPane }

// Document returns the previewed document. It may be nil.
func (t *Folder) Document() *model.Document { return t.previewed }

// Title returns the title of the folder.
func (t *Folder) Title() string { return FolderTitle(t.root) }

// FolderTitle returns the title of a folder.
func FolderTitle(path string) string {
	return strings.TrimRight(filepath.ToSlash(model.FileName(path)), "/") + "/"
}

// Hint returns the path of the folder.
func (t *Folder) Hint() string { return model.OneLine(t.root, 600) }

// Content returns the list and the preview.
func (t *Folder) Content() fyne.CanvasObject { return t.content }

// Found returns the files found so far, also of unlisted formats.
func (t *Folder) Found() []folder.File { return t.found }

// Status returns the path of the folder, the file in the preview with its worst problem, and the state of the list.
func (t *Folder) Status() (path, facts []tabs.Segment) {
	path = []tabs.Segment{{Text: t.Hint()}}
	if t.previewed != nil {
		if worst := t.facts.Worst(t.previewed.Source.Path()); worst != "" {
			facts = append(facts, tabs.Segment{Text: host.SentenceOf(model.OneLine(worst, 160)), Tone: paint.Warning})
		}
		if name, err := filepath.Rel(t.root, t.previewed.Source.Path()); err == nil {
			path = append(path, tabs.Segment{Text: model.OneLine(filepath.ToSlash(name), 600)})
		}
	}
	return path, append(facts, tabs.Segment{Text: t.state, Tone: paint.Dim})
}

// Focus gives the keyboard focus to the list.
func (t *Folder) Focus() { t.list.Focus() }

// Close ends all work of the tab and closes its documents.
func (t *Folder) Close() {
	t.Group.Close()
	t.show(nil)
}

// open opens the i-th file of a listing. It returns nil for the asset of another document.
func (t *Folder) open(ctx context.Context, listing *model.Document, i int) (*model.Document, error) {
	path := folder.PathOf(listing, i)
	if path == "" {
		return nil, nil
	}
	return t.Opener(ctx, path)
}

// selectFile previews the selected file.
func (t *Folder) selectFile(path model.Path, _ doc.Nodes) {
	if len(path) != 1 || path[0] >= len(t.files) {
		return
	}
	t.previewLane.Stop() // stops opening the file selected before
	switch f := t.files[path[0]]; {
	case f.Problem != "":
		t.showFailed(f.Problem)
	case t.previewed == nil || t.previewed.Source.Path() != f.Path:
		t.preview(f.Path)
	}
}

// selectFolder displays thumbnails of the files in a folder that is selected instead of a file.
func (t *Folder) selectFolder(d *model.Document, _ string, all []int, _ archive.Facts) {
	t.previewLane.Stop()
	t.show(nil)
	t.previewPane.ShowAssets(d, all)
}

// selectNone displays the overview of all files.
func (t *Folder) selectNone() {
	t.list.selected = nil
	t.previewLane.Stop()
	t.show(nil)
	t.showOverview()
}

// previewDelay is the time after which the current file is previewed: rows that the user only passes are not.
const previewDelay = 120 * time.Millisecond

func (t *Folder) preview(path string) {
	t.previewLane.Open(func(ctx context.Context) (done, dropped func()) {
		if !t.Group.Pause(ctx, previewDelay) {
			return nil, nil
		}
		d, err := t.Opener(ctx, path)
		if err != nil {
			return func() { t.showFailed(host.Sentence(err)) }, nil
		}
		return func() { t.show(d) }, func() { model.CloseDocuments(d) }
	})
}

// showFailed displays the reason why the selected file has no preview.
func (t *Folder) showFailed(reason string) {
	t.previewPane.ShowPlaceholder(reason)
	t.show(nil)
}

// show previews a document and closes the previous one.
func (t *Folder) show(d *model.Document) {
	previous := t.previewed
	if t.previewed = d; d != nil {
		t.previewPane.Select(doc.Selection{Document: d, Node: d.Root()})
	}
	t.Changed()
	model.CloseDocuments(previous)
}

// Paths calls done with the paths of the selected files that can be opened.
func (t *Folder) Paths(done func(paths []string)) {
	t.list.withSelected(func(files []int) {
		var paths []string
		for _, i := range files {
			if f := t.files[i]; f.Problem == "" {
				paths = append(paths, f.Path)
			}
		}
		if len(paths) > 0 {
			done(paths)
		}
	})
}

// maxOpened is the maximum number of files that one command opens.
const maxOpened = 20

func (t *Folder) openSelected() {
	t.Paths(func(paths []string) {
		if len(paths) > maxOpened {
			t.ShowHint(fmt.Sprintf("Opened the first %d files.", maxOpened))
			paths = paths[:maxOpened]
		}
		for _, p := range paths {
			t.OpenFile(p)
		}
	})
}

// AddToExport adds the assets of files to the export list.
func (t *Folder) AddToExport(paths []string) {
	t.slot.Take()
	t.addLane.Open(func(ctx context.Context) (done, dropped func()) {
		opened := t.openAll(ctx, paths, t.Group.Progress(ctx, func(done, total int64) {
			t.Busy("Finding assets", float64(done)/float64(max(1, total)), t.stopAdding)
		}))
		return func() {
			t.Busy("", 0, nil)
			t.addAssets(opened, len(paths))
		}, func() { model.CloseDocuments(opened...) }
	})
}

// openAll opens files and returns those with assets, until ctx ends. The caller closes them.
func (t *Folder) openAll(ctx context.Context, paths []string, progress func(done, total int64)) []*model.Document {
	var opened []*model.Document
	for i, p := range paths {
		progress(int64(i), int64(len(paths)))
		if ctx.Err() != nil {
			break
		}
		d, err := t.Opener(ctx, p)
		if err != nil {
			continue
		}
		if d.Payloads == nil || d.FindPayloads(ctx) != nil {
			d.Source.Close()
			continue
		}
		opened = append(opened, t.Documents.Detach(d))
	}
	return opened
}

// offer returns the listed files, whose assets can be exported without the export list.
func (t *Folder) offer() exporting.Offer {
	return exporting.Offer{Folder: t.root, Document: func() *model.Document { return t.list.document },
		Selected: func() doc.Nodes { return t.list.nodes() },
		Filtered: func() (doc.Nodes, []int, bool) {
			files, ok := t.list.Filtered()
			return nil, files, ok
		},
		Open: func(ctx context.Context, listed *model.Document, files []int) ([]*model.Document, error) {
			var paths []string
			for _, i := range files {
				paths = append(paths, folder.PathOf(listed, i))
			}
			opened := t.openAll(ctx, paths, func(int64, int64) {})
			if ctx.Err() != nil {
				model.CloseDocuments(opened...)
			}
			return opened, ctx.Err()
		}}
}

func (t *Folder) stopAdding() {
	t.addLane.Stop()
	t.Busy("", 0, nil)
}

// addAssets adds the assets of opened files to the export list. selected is the number of selected files, some of which
// may have no assets.
func (t *Folder) addAssets(all []*model.Document, selected int) {
	t.Notify(host.Notice{ID: "no assets"}) // the notice is outdated
	if len(all) == 0 {
		t.Notify(host.Notice{ID: "no assets", Level: host.Warning, Text: host.Count(selected, "selected file") +
			" without assets. To export whole files, drag them to the export list."})
		return
	}
	added := t.Export.AddFiles(t.root, all)
	model.CloseDocuments(all...)
	text := fmt.Sprintf("Added %s from %s to the export list", host.Count(added, "asset"), host.Count(len(all), "file"))
	if without := selected - len(all); without > 0 {
		text += fmt.Sprintf("; %s without assets", host.Count(without, "file"))
	}
	t.ShowHint(text + ".")
}

// supportedPaths returns the paths of all files of supported formats.
func (t *Folder) supportedPaths() []string {
	var paths []string
	for _, f := range t.found {
		if f.Format != "" {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// menu opens the menu of the selected files.
func (t *Folder) menu(pos fyne.Position) {
	t.Paths(func(paths []string) {
		compare := fyne.NewMenuItem("Compare",
			func() { t.ComparePaths(paths[0], paths[1]) })
		compare.Disabled = len(paths) != 2
		t.Menu(fyne.NewMenu("", fyne.NewMenuItem("Open", t.openSelected), compare, fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem("Add Assets of Selected Files to Export List", func() { t.AddToExport(paths) }),
			fyne.NewMenuItem("Add All Assets to Export List", func() { t.AddToExport(t.supportedPaths()) }),
			fyne.NewMenuItem("Save Contact Sheet…", t.SaveSheet),
			fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem("Show Where Used", func() { t.ShowUses(t.root, paths[0]) }),
			fyne.NewMenuItem("Show in Folder", func() { t.ShowInFolder(paths[0]) }),
			fyne.NewMenuItem("Copy as Files", t.CopyFiles),
			fyne.NewMenuItem("Copy Name", t.CopyNames),
			fyne.NewMenuItem("Copy Path", func() { t.Copy(paths[0]) })), pos)
	})
}

// ProjectChanged draws the thumbnails again, and reloads the previewed document if it belongs to the project.
func (t *Folder) ProjectChanged(project string) {
	t.list.Redraw()
	if t.previewed != nil && t.previewed.Project == project {
		t.previewPane.ExpectReload()
		t.preview(t.previewed.Source.Path())
	}
}

// ResourcesChanged reads the files again if the resource folder of their project changed.
func (t *Folder) ResourcesChanged() {
	t.list.Redraw()
	t.readAll()
	if t.previewed != nil && t.Resources(t.previewed.Source.Home()) != t.previewed.Source.Resources() {
		t.preview(t.previewed.Source.Path())
	}
}
