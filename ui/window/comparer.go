package window

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/ui/ask"
	"assay/ui/comparison"
	"assay/ui/comparison/compared"
	"assay/ui/desktop"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/files"
	"assay/ui/host"
	"assay/ui/opening"
)

// comparer compares the documents of tabs, and offers to compare files that were opened together.
type comparer struct {
	*opening.Comparer
	w           *Window
	openingPair []string // two files being opened together; nil once both are open
	// offeredFiles are the files that a notice offers to compare, as long as at least minOpenFiles of them are open.
	offeredFiles []string
	minOpenFiles int
}

// comparisonTab is a tab with a comparison and a slot for the export panel beside it.
type comparisonTab struct {
	Tab
	slot       *exporting.Slot
	body       *fyne.Container
	host       *comparisonHost
	comparison func() *comparison.Comparison // returns the visible comparison, or nil
	saved      desktop.Tab
}

func (t *comparisonTab) savedTab(bool) (desktop.Tab, bool) {
	switch pair, folders := t.Tab.(*files.Pair); { // the user may have swapped the sides
	case folders:
		t.saved.Files = pair.Folders()
	case t.saved.Kind == opening.FilesKind:
		old, new := t.comparison().Sides()
		t.saved.Files = []string{old.Path, new.Path}
	}
	return t.saved, len(t.saved.Files) > 0 && !slices.Contains(t.saved.Files, "")
}

// Content returns the comparison, and the export panel beside it if something was exported from it.
func (t *comparisonTab) Content() fyne.CanvasObject { return t.body }

// showExport shows or hides the export panel.
func (t *comparisonTab) showExport(visible bool) {
	content := t.Tab.Content()
	if visible {
		split := container.NewHSplit(content, t.slot.Content())
		split.SetOffset(0.68)
		content = split
	}
	t.body.Objects = []fyne.CanvasObject{content}
	t.body.Refresh()
}

func (t *comparisonTab) showsExport() bool { return t.body.Objects[0] != t.Tab.Content() }

func (t *comparisonTab) Close() {
	t.host.Watch()
	t.Tab.Close()
}

// changedOnDisk notifies the comparison if path is one of its files.
func (t *comparisonTab) changedOnDisk(path string) {
	c, ok := t.Tab.(interface{ FilesChanged() })
	if ok && slices.ContainsFunc(t.host.files, func(f *opening.File) bool { return f.HasPath(path) }) {
		c.FilesChanged()
	}
}

// restoreTab restores a tab of the last session, other than a document, at its index.
func (c *comparer) restoreTab(placeholder *suspendedTab) {
	kind, paths := placeholder.saved.Kind, placeholder.saved.Files
	if len(paths) == 1 {
		switch kind {
		case folderTabKind:
			c.w.openFolder(paths[0], placeholder)
			return
		case searchTabKind:
			c.w.findFiles(paths[0], placeholder).Restore(placeholder.saved.View)
			return
		case usesTabKind:
			c.w.newUses(paths[0], placeholder).Restore(placeholder.saved.View)
			return
		}
	}
	maker := c.Restore(kind, paths)
	if maker == nil { // saved by another version of Assay
		c.w.tabs.close(placeholder)
		c.w.Notify(host.Notice{Level: host.Warning, Text: fmt.Sprintf("A tab from the last session could not be restored: this version "+
			"of Assay does not support %q tabs (%s, %s).", model.OneLine(kind, 20), host.Count(len(paths), "file"),
			placeholder.Title())})
		return
	}
	c.w.addComparison(placeholder.saved, placeholder, maker)
}

// parts implements composed.
func (t *comparisonTab) parts() []any {
	all := []any{t.Tab, t.slot}
	if t.comparison != nil {
		if c := t.comparison(); c != nil {
			all = append([]any{c}, all...)
		}
	}
	return all
}

type comparisonHost struct {
	tabHost
	files []*opening.File // watched files
}

// Watch watches the files at paths for the tab, instead of the files watched before.
func (h *comparisonHost) Watch(paths ...string) {
	h.files = nil
	for _, path := range paths {
		if path != "" {
			h.files = append(h.files, opening.NewFile(path))
		}
	}
	h.w.watching.Set(h.w.group, h.tab, h.files...)
}

// Open opens a side as a document and selects a node.
func (h *comparisonHost) Open(s compared.Side, path model.Path) {
	h.w.opener.open(request{title: s.Title, Path: s.Path, open: s.Open, done: func(t *docTab) {
		if path != nil {
			t.pane.Select(path)
		}
	}})
}

// AddToExport adds nodes of d to the export list.
func (h *comparisonHost) AddToExport(d *model.Document, nodes []*model.Node) {
	h.w.exporting.Add(d, func(context.Context) ([]*model.Node, bool, error) { return nodes, false, nil })
}

// Compare opens a comparison of two sides in a tab.
func (h *comparisonHost) Compare(old, new compared.Side) { h.w.comparer.CompareSides(old, new) }

// addComparison adds the tab of a comparison and selects it. The tab replaces placeholder, which may be nil.
func (w *Window) addComparison(saved desktop.Tab, placeholder Tab, maker opening.Maker) {
	t := &comparisonTab{saved: saved, slot: w.exporting.NewSlot()}
	t.host = &comparisonHost{tabHost: tabHost{w, w, t}}
	t.Tab, t.comparison = maker(compared.Deps{Host: t.host, Style: w.style, Group: w.group.Subgroup(),
		OpenSource: w.options.OpenSource})
	t.body = container.NewStack(t.Tab.Content())
	w.notices.Remove(togetherNotice)
	w.tabs.add(t, placeholder)
}

// AddComparison opens a comparison in a new tab.
func (w *Window) AddComparison(kind opening.Kind, files []string, maker opening.Maker) {
	w.addComparison(desktop.Tab{Kind: kind, Files: files}, nil, maker)
}

// Side returns the file at a path as a side of a comparison.
func (w *Window) Side(path string) compared.Side {
	s := compared.Side{Title: model.FileName(path), Hint: path, Path: path, Open: w.opener.openerOf(path)}
	if i := slices.Index(w.options.Files, path); i >= 0 && i < len(w.options.Titles) {
		s.Title = w.options.Titles[i]
	}
	if v := w.options.Versions[path]; v != nil {
		s.Open = func(ctx context.Context) (*model.Document, error) { return w.openVersion(ctx, path, v) }
	}
	s.Open = w.recordOpening(path, s.Open)
	return s
}

// recordOpening returns a func that opens a file of a comparison. While it is opened, and while its views are made, it
// is recorded as being drawn: a file that ends the program is not opened again.
func (w *Window) recordOpening(path string, open func(context.Context) (*model.Document, error)) func(context.Context) (
	*model.Document, error) {
	memory := w.rememberedTabs.memory
	if memory == nil {
		return open
	}
	return func(ctx context.Context) (*model.Document, error) {
		defer memory.Drawing(path)()
		d, err := open(ctx)
		if err == nil && d.View != nil {
			view := d.View
			d.View = func(ctx context.Context, n *model.Node) (model.View, error) {
				defer memory.Drawing(path)()
				return view(ctx, n)
			}
		}
		return d, err
	}
}

// openVersion opens the file at path as a version of another file: it resolves references beside that file.
func (w *Window) openVersion(ctx context.Context, path string, v *model.FileVersion) (*model.Document, error) {
	src, err := model.OpenFile(path)
	if err != nil {
		return nil, err
	}
	src.SetVersion(v)
	return model.OpenSource(ctx, src, w.ReaderOf(path))
}

// UseSameFormat opens sides of unrecognized formats as the format that the user chose for another side.
func (w *Window) UseSameFormat(sides []compared.Side) {
	for _, side := range sides {
		format := w.opener.formatOf(side.Path)
		if format == "" {
			continue
		}
		for i, s := range sides {
			if s.Path != "" && w.opener.formatOf(s.Path) == "" {
				sides[i].Open = w.recordOpening(s.Path, w.opener.OpenerOfUnknown(s.Path, format))
			}
		}
		return
	}
}

// ReaderOf returns a func that opens a source in the format that the user chose for path, or in the recognized one.
func (w *Window) ReaderOf(path string) model.Opener {
	read := w.opener.Decoder(w.opener.formatOf(path))
	return func(ctx context.Context, src *model.Source) (*model.Document, error) {
		if home := src.Home(); home != "" {
			src.SetResources(opening.ResourcesOf(home))
		}
		return read(ctx, src)
	}
}

// AskFile asks for the path of an existing file.
func (w *Window) AskFile(title string, done func(path string)) {
	w.ask.Supported(title, w.folder(), w.extensions(), done)
}

// extensions returns the supported extensions and the current file's, for the file dialog.
func (w *Window) extensions() []string {
	if t, ok := w.tabs.current().(*docTab); ok {
		return append(slices.Clone(w.ask.Extensions), strings.ToLower(filepath.Ext(t.Path)))
	}
	return w.ask.Extensions
}

// isSupported reports whether a file is of a supported format by its content, as the tab of a folder counts it.
func (w *Window) isSupported(path string) bool {
	src, err := model.OpenFile(path)
	if err != nil {
		return false
	}
	defer src.Close()
	return w.options.Recognize(src) != ""
}

// AskFolder asks for the path of a folder.
func (w *Window) AskFolder(title string, done func(path string)) {
	w.ask.Folder(title, w.folder(), done)
}

// AskNew asks for the path of an output file.
func (w *Window) AskNew(title, name string, done func(path string)) {
	w.ask.NewFile(title, w.folder(), name, done)
}

// OpenPath opens a file in a tab.
func (w *Window) OpenPath(path string) { w.openFile(path) }

// Shows reports whether a tab shows the file at a path.
func (w *Window) Shows(path string) bool { return w.opener.tabOf(path) != nil }

// MergeTarget returns the output file of the three-way merge that the program was started for. written closes the
// window.
func (w *Window) MergeTarget() (path string, written func()) {
	return w.options.Merge, func() {
		w.options.OnMerged()
		w.quit()
	}
}

// side returns the document of a tab as a side of a comparison, or false if the tab has no document.
func (c *comparer) side(tab Tab) (s compared.Side, ok bool) {
	switch t := tab.(type) {
	case *suspendedTab:
		return c.w.Side(t.saved.Files[0]), t.saved.Kind == ""
	case *docTab:
		if t.Path == "" {
			return compared.Document(t.pane.Document(), t.title, t.title), true
		}
		return c.w.Side(t.Path), true
	}
	return s, false
}

func (c *comparer) canCompare(t Tab) bool {
	_, ok := c.side(t)
	return ok
}

// onSide returns an action that calls do with the document of a tab as a side.
func (c *comparer) onSide(do func(s compared.Side)) action {
	return action{IsEnabled: c.canCompare, Do: func(t Tab) {
		s, _ := c.side(t)
		do(s)
	}}
}

// RevealComparison selects the tab of an existing comparison of these files. It reports whether there is one. Tabs of
// the last session count.
func (w *Window) RevealComparison(kind opening.Kind, files ...string) bool {
	t := w.tabs.find(func(t Tab) bool {
		var saved desktop.Tab
		switch t := t.(type) {
		case *comparisonTab:
			saved, _ = t.savedTab(true)
		case *suspendedTab:
			saved = t.saved
		}
		return saved.Kind == kind && slices.Equal(saved.Files, files)
	})
	if t == nil || slices.Contains(files, "") {
		return false
	}
	w.tabs.reveal(t)
	return true
}

// RevealSides selects the tab of an existing comparison of two sides. It reports whether there is one.
func (w *Window) RevealSides(old, new compared.Side) bool {
	t := w.tabs.find(func(t Tab) bool {
		current := partOf[*comparison.Comparison](t)
		if current == nil || t.(*comparisonTab).saved.Kind == opening.SeriesKind {
			return false
		}
		a, b := current.Sides()
		return a.IsSame(old) && b.IsSame(new)
	})
	if t != nil {
		w.tabs.reveal(t)
	}
	return t != nil
}

// compareTabs compares the files of all tabs as a series.
func (c *comparer) compareTabs() {
	var sides []compared.Side
	for _, t := range c.w.tabs.all {
		if s, ok := c.side(t); ok && s.Path != "" {
			sides = append(sides, s)
		}
	}
	c.CompareSeries(sides)
}

// askTab compares a side with another tab: the only one, or the user's choice.
func (c *comparer) askTab(current compared.Side) {
	var others []compared.Side
	for i, t := range c.w.tabs.all {
		if s, ok := c.side(t); ok && i != c.w.tabs.selected {
			others = append(others, s)
		}
	}
	switch len(others) {
	case 0:
		c.w.ShowHint("No other file is open. Open or drop one, or use Compare > Compare with File.")
	case 1:
		c.CompareByTime(current, others[0])
	default:
		c.w.Choose("Compare "+current.Title+" with", "", func(_ context.Context, query string, show func([]ask.Item)) {
			var items []ask.Item
			for _, s := range others {
				if ask.ContainsWords(query, s.Title, s.Path) {
					items = append(items,
						ask.Item{Name: s.Title, Where: s.Path, On: func() { c.CompareByTime(current, s) }})
				}
			}
			show(items)
		})
	}
}

// compare compares two files or folders, or three files. It calls open, which may be nil, once they are open or cannot
// be opened.
func (c *comparer) compare(files []string, open func()) {
	if open == nil {
		open = func() {}
	}
	c.ComparePaths(absolutes(files), open)
}

// compareWithCurrent compares a tab with the current one.
func (c *comparer) compareWithCurrent(t Tab) {
	other, _ := c.side(t)
	current, _ := c.side(c.w.tabs.current())
	c.CompareByTime(other, current)
}

// maxFilesAtOnce is the maximum number of files that a drop or a command line opens.
const maxFilesAtOnce = 200

// togetherNotice is the ID of the notice about files that were opened together.
const togetherNotice = "together"

// openFiles opens files in tabs, or compares them if they are two folders, or if compare is true and they are two or
// three. After it opened two files, it offers to compare them; after more files without folders, it offers to compare
// them as a series if they have one extension or are too many to open.
func (c *comparer) openFiles(files []string, compare bool) {
	n := len(files)
	if n == 2 && (compare || model.IsFolder(files[0]) && model.IsFolder(files[1])) || n == 3 && compare {
		c.compare(files, nil)
		return
	}
	all := absolutes(files)
	if c.openingPair = nil; n == 2 {
		c.openingPair = all
	}
	first := files[:min(n, maxFilesAtOnce)]
	folders := false
	for _, f := range first {
		if model.IsFolder(f) {
			folders = true
			c.w.openFolder(f, nil)
			continue
		}
		c.w.opener.openFile(f, func(*docTab) { c.offerPair() })
	}
	if n < 3 || folders || len(first) == n && !oneExtension(files) {
		return
	}
	text := fmt.Sprintf("Opened %d files.", n)
	if len(first) < n {
		text = fmt.Sprintf("Opened the first %d of %s. Open their folder to see all of them.", len(first),
			host.Count(n, "file"))
	}
	c.offer(text, "Compare as Series", all, 3, func() {
		var sides []compared.Side
		for _, f := range all {
			sides = append(sides, c.w.Side(f))
		}
		c.CompareSeries(sides)
	})
}

// oneExtension reports whether all files have the same extension.
func oneExtension(files []string) bool {
	return !slices.ContainsFunc(files, func(f string) bool {
		return !strings.EqualFold(filepath.Ext(f), filepath.Ext(files[0]))
	})
}

// offerPair offers to compare the two files that were opened together, once both are open.
func (c *comparer) offerPair() {
	if c.openingPair == nil {
		return
	}
	a, b := c.w.opener.tabOf(c.openingPair[0]), c.w.opener.tabOf(c.openingPair[1])
	if !has[*doc.Pane](a) || !has[*doc.Pane](b) {
		return
	}
	pair := c.openingPair
	if c.openingPair = nil; a != b && oneExtension(pair) {
		c.offer("Opened "+model.FileName(pair[0])+" and "+model.FileName(pair[1])+".", "Compare",
			pair, 2, func() { c.compare(pair, nil) })
	}
}

// offer offers to compare files as long as at least minOpen of them are open.
func (c *comparer) offer(text, label string, files []string, minOpen int, do func()) {
	c.offeredFiles, c.minOpenFiles = files[:min(len(files), maxFilesAtOnce)], minOpen
	c.w.Notify(host.Notice{ID: togetherNotice, Text: text, Actions: []host.Action{{Label: label, On: func() {
		c.w.notices.Remove(togetherNotice)
		do()
	}}}})
}

// tabClosed removes the offer to compare files once fewer than c.minOpenFiles of the files are open.
func (c *comparer) tabClosed() {
	open := 0
	for _, f := range c.offeredFiles {
		if c.w.opener.tabOf(f) != nil {
			if open++; open == c.minOpenFiles {
				return
			}
		}
	}
	c.offeredFiles = nil
	c.w.notices.Remove(togetherNotice)
}
