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
	previewed   *model.Document // document in the preview
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
	f := &Folder{Host: h, FolderOptions: o, root: root, facts: folder.NewFacts()}
	f.scanLane, f.readLane, f.previewLane = f.Group.Lane(), f.Group.Lane(), f.Group.Lane()
	f.addLane = f.Group.Lane()
	f.allFiles = control.NewCheck(f.Key, "", func(on bool) {
		h.SetListsOthers(on)
		f.listFound(f.found)
	})
	f.allFiles.Checked = o.ListOthers
	f.allFiles.Hide()
	pictures := o.Pictures
	pictures.File = f.open
	f.previewPane = preview.New(f, o.Style, f.Group, pictures)
	f.previewPane.SetWord(func(d *model.Document) string {
		if d == f.list.document {
			return "file"
		}
		return "asset"
	})
	f.previewPane.OnAsset, f.previewPane.OnDrag = f.reveal, o.Export.Drag
	f.previewPane.OnResources = h.AskResources
	f.previewPane.Assets = func() *archive.Shared {
		if f.previewed != nil {
			return nil
		}
		return f.assets
	}
	f.previewPane.ShowPlaceholder("Select a file to preview it.")
	f.list = newList(f, o.Style, f.Group, o.Export, f.document(nil), assets.Options{Options: pictures,
		Read: func() *archive.Shared { return f.assets }, OnSelect: f.selectFile, OnGroup: f.selectFolder,
		OnUp: f.selectNone, OnOpen: f.openSelected, Beside: f.allFiles, Tone: f.tone, Keep: keptColumns},
		f.menu)
	f.previewPane.OnKind = f.list.ShowKind
	f.previewPane.OnProblem = func(p model.Problem) {
		f.list.Step(-1, 1, func(i int) bool { return f.files[i].Name == p.Path })
	}
	f.previewPane.OnProblems = func() { f.list.SetFilter("problems > 0") }
	f.slot = f.NewSlot(f.offer())
	side := container.NewVSplit(f.previewPane.Content(), f.slot.Content())
	side.SetOffset(0.55)
	split := container.NewHSplit(f.list.Content(), side)
	split.SetOffset(0.68)
	f.content = split
	return f
}

// keptColumns is the number of columns that stay in view: those up to the number of problems.
const keptColumns = 6

// Root returns the path of the folder.
func (f *Folder) Root() string { return f.root }

// List returns the list of the files.
func (f *Folder) List() *assets.Panel { return f.list.Panel }

// CopyFiles copies the selected files to the clipboard.
func (f *Folder) CopyFiles() { f.list.CopyFiles() }

// CopyNames copies the names of the selected files to the clipboard.
func (f *Folder) CopyNames() { f.list.CopyNames() }

// SaveSheet saves an image with thumbnails of the selected files.
func (f *Folder) SaveSheet() { f.list.SaveSheet() }

// document returns a document whose assets are the files, and shares its list of assets.
func (f *Folder) document(files []folder.File) *model.Document {
	d := folder.Document(filepath.Base(f.root), files, f.facts.Table(files))
	f.assets = archive.NewShared(d, f.Group.Run)
	return d
}

// reveal selects a listed file, or opens an asset in it.
func (f *Folder) reveal(d *model.Document, n *model.Node) {
	if d != f.list.document {
		f.Reveal(d, n)
		return
	}
	f.list.Step(-1, 1, func(i int) bool { return i == n.Index })
}

// tone returns the tone of a file's name: files of unknown format are dim.
func (f *Folder) tone(i int) paint.Tone {
	if i < len(f.files) && f.files[i].IsUnknown() {
		return paint.Dim
	}
	return paint.Normal
}

// Preview returns the preview of the selected file.
func (f *Folder) Preview() *preview.Preview { return f.previewPane }

// Document returns the previewed document. It may be nil.
func (f *Folder) Document() *model.Document { return f.previewed }

// Title returns the title of the folder.
func (f *Folder) Title() string { return FolderTitle(f.root) }

// FolderTitle returns the title of a folder.
func FolderTitle(path string) string {
	return strings.TrimRight(filepath.ToSlash(model.FileName(path)), "/") + "/"
}

// Hint returns the path of the folder.
func (f *Folder) Hint() string { return model.OneLine(f.root, 600) }

// Content returns the list and the preview.
func (f *Folder) Content() fyne.CanvasObject { return f.content }

// Found returns the files found so far, also of unlisted formats.
func (f *Folder) Found() []folder.File { return f.found }

// Status returns the path of the folder, the file in the preview with its worst problem, and the state of the list.
func (f *Folder) Status() (path, facts []tabs.Segment) {
	path = []tabs.Segment{{Text: f.Hint()}}
	if f.previewed != nil {
		if worst := f.facts.Worst(f.previewed.Source.Path()); worst != "" {
			facts = append(facts, tabs.Segment{Text: host.SentenceOf(model.OneLine(worst, 160)), Tone: paint.Warning})
		}
		if name, err := filepath.Rel(f.root, f.previewed.Source.Path()); err == nil {
			path = append(path, tabs.Segment{Text: model.OneLine(filepath.ToSlash(name), 600)})
		}
	}
	return path, append(facts, tabs.Segment{Text: f.state, Tone: paint.Dim})
}

// Focus gives the keyboard focus to the list.
func (f *Folder) Focus() { f.list.Focus() }

// Close ends all work of the tab and closes its documents.
func (f *Folder) Close() {
	f.Group.Close()
	f.show(nil)
}

// open opens the i-th file of a listing. It returns nil for the asset of another document.
func (f *Folder) open(ctx context.Context, listing *model.Document, i int) (*model.Document, error) {
	path := folder.PathOf(listing, i)
	if path == "" {
		return nil, nil
	}
	return f.Opener(ctx, path)
}

// selectFile previews the selected file.
func (f *Folder) selectFile(path model.Path, _ doc.Nodes) {
	if len(path) != 1 || path[0] >= len(f.files) {
		return
	}
	f.previewLane.Stop() // stops opening the file selected before
	switch file := f.files[path[0]]; {
	case file.Problem != "":
		f.showFailed(file.Problem)
	case f.previewed == nil || f.previewed.Source.Path() != file.Path:
		f.preview(file.Path)
	}
}

// selectFolder displays thumbnails of the files in a folder that is selected instead of a file.
func (f *Folder) selectFolder(d *model.Document, _ string, all []int, _ archive.Facts) {
	f.previewLane.Stop()
	f.show(nil)
	f.previewPane.ShowAssets(d, all)
}

// selectNone displays the overview of all files.
func (f *Folder) selectNone() {
	f.list.selected = nil
	f.previewLane.Stop()
	f.show(nil)
	f.showOverview()
}

// previewDelay is the time after which the current file is previewed: rows that the user only passes are not.
const previewDelay = 120 * time.Millisecond

func (f *Folder) preview(path string) {
	f.previewLane.Open(func(ctx context.Context) (done, dropped func()) {
		if !f.Group.Pause(ctx, previewDelay) {
			return nil, nil
		}
		d, err := f.Opener(ctx, path)
		if err != nil {
			return func() { f.showFailed(host.Sentence(err)) }, nil
		}
		return func() { f.show(d) }, func() { model.CloseDocuments(d) }
	})
}

// showFailed displays the reason why the selected file has no preview.
func (f *Folder) showFailed(reason string) {
	f.previewPane.ShowPlaceholder(reason)
	f.show(nil)
}

// show previews a document and closes the previous one.
func (f *Folder) show(d *model.Document) {
	previous := f.previewed
	if f.previewed = d; d != nil {
		f.previewPane.Select(doc.Selection{Document: d, Node: d.Root()})
	}
	f.Changed()
	model.CloseDocuments(previous)
}

// Paths calls done with the paths of the selected files that can be opened.
func (f *Folder) Paths(done func(paths []string)) {
	f.list.withSelected(func(files []int) {
		var paths []string
		for _, i := range files {
			if file := f.files[i]; file.Problem == "" {
				paths = append(paths, file.Path)
			}
		}
		if len(paths) > 0 {
			done(paths)
		}
	})
}

// maxOpened is the maximum number of files that one command opens.
const maxOpened = 20

func (f *Folder) openSelected() {
	f.Paths(func(paths []string) {
		if len(paths) > maxOpened {
			f.ShowHint(fmt.Sprintf("Opened the first %d files.", maxOpened))
			paths = paths[:maxOpened]
		}
		for _, p := range paths {
			f.OpenFile(p)
		}
	})
}

// AddToExport adds the assets of files to the export list.
func (f *Folder) AddToExport(paths []string) {
	f.slot.Take()
	f.addLane.Open(func(ctx context.Context) (done, dropped func()) {
		opened := f.openAll(ctx, paths, f.Group.Progress(ctx, func(done, total int64) {
			f.Busy("Finding assets", float64(done)/float64(max(1, total)), f.stopAdding)
		}))
		return func() {
			f.Busy("", 0, nil)
			f.addAssets(opened, len(paths))
		}, func() { model.CloseDocuments(opened...) }
	})
}

// openAll opens files and returns those with assets, until ctx ends. The caller closes them.
func (f *Folder) openAll(ctx context.Context, paths []string, progress func(done, total int64)) []*model.Document {
	var opened []*model.Document
	for i, p := range paths {
		progress(int64(i), int64(len(paths)))
		if ctx.Err() != nil {
			break
		}
		d, err := f.Opener(ctx, p)
		if err != nil {
			continue
		}
		if d.Payloads == nil || d.FindPayloads(ctx) != nil {
			d.Source.Close()
			continue
		}
		opened = append(opened, f.Documents.Detach(d))
	}
	return opened
}

// offer returns the listed files, whose assets can be exported without the export list.
func (f *Folder) offer() exporting.Offer {
	return exporting.Offer{Folder: f.root, Document: func() *model.Document { return f.list.document },
		Selected: func() doc.Nodes { return f.list.nodes() },
		Filtered: func() (doc.Nodes, []int, bool) {
			files, ok := f.list.Filtered()
			return nil, files, ok
		},
		Open: func(ctx context.Context, listed *model.Document, files []int) ([]*model.Document, error) {
			var paths []string
			for _, i := range files {
				paths = append(paths, folder.PathOf(listed, i))
			}
			opened := f.openAll(ctx, paths, func(int64, int64) {})
			if ctx.Err() != nil {
				model.CloseDocuments(opened...)
			}
			return opened, ctx.Err()
		}}
}

func (f *Folder) stopAdding() {
	f.addLane.Stop()
	f.Busy("", 0, nil)
}

// addAssets adds the assets of opened files to the export list. selected is the number of selected files, some of which
// may have no assets.
func (f *Folder) addAssets(all []*model.Document, selected int) {
	f.Notify(host.Notice{ID: "no assets"}) // the notice is outdated
	if len(all) == 0 {
		f.Notify(host.Notice{ID: "no assets", Level: host.Warning, Text: host.Count(selected, "selected file") +
			" without assets. To export whole files, drag them to the export list."})
		return
	}
	added := f.Export.AddFiles(f.root, all)
	model.CloseDocuments(all...)
	text := fmt.Sprintf("Added %s from %s to the export list", host.Count(added, "asset"), host.Count(len(all), "file"))
	if without := selected - len(all); without > 0 {
		text += fmt.Sprintf("; %s without assets", host.Count(without, "file"))
	}
	f.ShowHint(text + ".")
}

// supportedPaths returns the paths of all files of supported formats.
func (f *Folder) supportedPaths() []string {
	var paths []string
	for _, file := range f.found {
		if file.Format != "" {
			paths = append(paths, file.Path)
		}
	}
	return paths
}

// menu opens the menu of the selected files.
func (f *Folder) menu(pos fyne.Position) {
	f.Paths(func(paths []string) {
		compare := fyne.NewMenuItem("Compare",
			func() { f.ComparePaths(paths[0], paths[1]) })
		compare.Disabled = len(paths) != 2
		f.Menu(fyne.NewMenu("", fyne.NewMenuItem("Open", f.openSelected), compare, fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem("Add Assets of Selected Files to Export List", func() { f.AddToExport(paths) }),
			fyne.NewMenuItem("Add All Assets to Export List", func() { f.AddToExport(f.supportedPaths()) }),
			fyne.NewMenuItem("Save Contact Sheet…", f.SaveSheet),
			fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem("Show Where Used", func() { f.ShowUses(f.root, paths[0]) }),
			fyne.NewMenuItem("Show in Folder", func() { f.ShowInFolder(paths[0]) }),
			fyne.NewMenuItem("Copy as Files", f.CopyFiles),
			fyne.NewMenuItem("Copy Name", f.CopyNames),
			fyne.NewMenuItem("Copy Path", func() { f.Copy(paths[0]) })), pos)
	})
}

// ProjectChanged draws the thumbnails again, and reloads the previewed document if it belongs to the project.
func (f *Folder) ProjectChanged(project string) {
	f.list.Redraw()
	if f.previewed != nil && f.previewed.Project == project {
		f.previewPane.ExpectReload()
		f.preview(f.previewed.Source.Path())
	}
}

// ResourcesChanged reads the files again if the resource folder of their project changed.
func (f *Folder) ResourcesChanged() {
	f.list.Redraw()
	f.readAll()
	if f.previewed != nil && f.Resources(f.previewed.Source.Home()) != f.previewed.Source.Resources() {
		f.preview(f.previewed.Source.Path())
	}
}
