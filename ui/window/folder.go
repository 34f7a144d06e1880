package window

import (
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/ui/desktop"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/files"
	"assay/ui/host"
	"assay/ui/opening"
	"assay/ui/tabs"
	"assay/ui/window/stack"
)

// folderTabKind is the saved kind of a folder tab.
const folderTabKind = "folder"

// folderTab lists the files of a folder, with a slot for the export panel.
type folderTab struct {
	*files.Folder
	slot *exporting.Slot
}

var _ Tab = (*folderTab)(nil)

func (t *folderTab) savedTab(bool) (desktop.Tab, bool) {
	return desktop.Tab{Kind: folderTabKind, Files: []string{t.Root()}}, true
}

var _ files.Host = (*tabHost)(nil)

func (h *tabHost) OpenFile(path string) { h.w.openFile(path) }

// ComparePaths compares two files. The one with the earlier modification time is the old one.
func (h *tabHost) ComparePaths(a, b string) {
	h.w.comparer.CompareByTime(h.w.Side(a), h.w.Side(b))
}

// ShowUses displays the dependencies of a file in a folder.
func (h *tabHost) ShowUses(root, path string) { h.w.showUses(root, path) }

// AskResources asks for the resource folder of a document's project.
func (h *tabHost) AskResources(d *model.Document) { h.w.askResources(d) }

// SetListsOthers saves whether files of unknown formats are listed.
func (h *tabHost) SetListsOthers(on bool) { h.w.prefs.setListsOthers(on) }

// openFolder opens the tab of a folder. The tab replaces placeholder, which may be nil.
func (w *Window) openFolder(root string, placeholder Tab) {
	root = absolute(root)
	if existing := w.folderTabOf(root); existing != nil && placeholder == nil {
		w.tabs.reveal(existing)
		return
	}
	t := &folderTab{}
	t.Folder = files.NewFolder(&tabHost{w, w, t}, root, files.FolderOptions{Style: w.style, Group: w.group.Subgroup(),
		Opener: w.options.Open, Recognize: w.options.Recognize, Pictures: w.thumbnails(),
		Resources: opening.ResourcesOf, ListOthers: w.prefs.listsOthers(),
		Export: w.exporting, NewSlot: func(o exporting.Offer) files.Slot {
			t.slot = w.exporting.NewDocumentSlot(o)
			return t.slot
		}, Documents: w.folderDocuments})
	t.Preview().Viewport().Assigner = w.viewportAssigner()
	w.tabs.add(t, placeholder)
	t.Scan()
	w.rememberedTabs.save()
	if placeholder == nil {
		w.recents.addFolder(root)
	}
}

// folderTabOf returns the tab of a folder, loaded or suspended, or nil.
func (w *Window) folderTabOf(root string) Tab {
	return w.tabs.find(func(t Tab) bool {
		switch t := t.(type) {
		case *folderTab:
			return t.Root() == root
		case *suspendedTab:
			return t.saved.Kind == folderTabKind && t.saved.Files[0] == root
		}
		return false
	})
}

// askFolder asks for the folder to list.
func (w *Window) askFolder() {
	w.ask.Folder("Choose the folder to open", w.folder(), func(path string) {
		w.prefs.setFolder(filepath.Dir(path))
		w.openFolder(path, nil)
	})
}

// parts implements composed.
func (t *folderTab) parts() []any {
	all := []any{t.List(), t.Preview(), t.slot}
	if d := t.Document(); d != nil {
		all = append(all, d)
	}
	return all
}

// canReferToFiles reports whether a tab has a file that can refer to other files.
func canReferToFiles(t Tab) bool {
	d := partOf[*model.Document](t)
	return d != nil && d.Project != "" && d.Source.Home() != ""
}

// hasResources reports whether a tab has a file with a resource folder.
func hasResources(t Tab) bool {
	d := partOf[*model.Document](t)
	return d != nil && d.Source.Resources() != ""
}

// askResources asks for the resource folder of a document's project.
func (w *Window) askResources(d *model.Document) {
	project := host.ProjectOf(d)
	if project == "" {
		return
	}
	folder := d.Source.Resources()
	if folder == "" {
		folder = project
	}
	w.ask.Folder("Choose the folder with materials and textures", folder, func(path string) {
		opening.Resources.Set(project, path)
		w.rereadResources()
	})
}

// forgetResources removes the chosen resource folder of a document, and reloads the documents that depend on it.
func (w *Window) forgetResources(d *model.Document) {
	opening.Resources.Forget(d.Source.Home())
	w.rereadResources()
}

// rereadResources reloads the open files with a changed resource folder.
func (w *Window) rereadResources() {
	for _, t := range w.tabs.all {
		switch t := t.(type) {
		case *docTab:
			if !opening.HasCurrentResources(t.pane.Document().Source) {
				t.reload()
			}
		case *folderTab:
			t.ResourcesChanged()
		}
	}
}

// stackTab displays a stack of documents, with a slot for the export panel.
type stackTab struct {
	tabHost
	pane    *stack.Pane
	slot    *exporting.Slot
	content fyne.CanvasObject
}

var (
	_ Tab        = (*stackTab)(nil)
	_ stack.Host = (*stackTab)(nil)
)

func (t *stackTab) Title() string { return "Load Order" }

func (t *stackTab) Hint() string { return "Shows which file provides each asset" }

func (t *stackTab) Content() fyne.CanvasObject { return t.content }

func (t *stackTab) Status() (path, facts []tabs.Segment) { return t.pane.Status() }

func (t *stackTab) Focus() { t.pane.Focus() }

// Close releases the documents.
func (t *stackTab) Close() { t.pane.Close() }

// Export adds assets to the export list.
func (t *stackTab) Export(d *model.Document, positions []int) { t.w.exporting.AddIndexes(d, positions) }

// showStack displays the load order of the open packages in the order of their tabs.
func (w *Window) showStack() { w.openSuspended(w.openStack) }

func (w *Window) openStack() {
	var docs []*model.Document
	for _, t := range w.tabs.all {
		if p := partOf[*doc.Pane](t); p != nil && p.Document().IsLayered {
			docs = append(docs, p.Document())
		}
	}
	if len(docs) < 2 {
		w.Notify(host.Notice{ID: "stack", Text: "Load Order needs at least two open packages of the same format. Open them in the order in which the game loads them."})
		return
	}
	if t := w.tabs.find(func(t Tab) bool {
		s, ok := t.(*stackTab)
		return ok && sameDocuments(s.pane.Documents(), docs)
	}); t != nil {
		w.tabs.reveal(t)
		return
	}
	t := &stackTab{slot: w.exporting.NewSlot()}
	t.tabHost = tabHost{w, w, t}
	t.pane = stack.New(t, w.style, w.group.Subgroup(), docs)
	split := container.NewHSplit(t.pane.Content(), t.slot.Content())
	split.SetOffset(0.68)
	t.content = split
	w.tabs.add(t, nil)
	t.pane.Begin()
}

// sameDocuments reports whether a and b contain the same documents in any order.
func sameDocuments(a, b []*model.Document) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(d *model.Document) bool { return !slices.Contains(b, d) })
}

// parts implements composed.
func (t *stackTab) parts() []any { return []any{t.slot} }
