package window

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	"github.com/moby/sys/atomicwriter"

	"assay/model"
	"assay/ui/comparison"
	"assay/ui/host"
	"assay/ui/notice"
	"assay/ui/quick"
	"assay/ui/wording"
)

// comparing is a tab with a comparison in it: of two files, of a series of them, of two folders.
type comparing interface {
	Tab
	comparison() *comparison.Comparison
}

type comparisonTab struct{ *comparison.Comparison }

func (t comparisonTab) comparison() *comparison.Comparison { return t.Comparison }

type seriesTab struct{ *comparison.Series }

func (t seriesTab) comparison() *comparison.Comparison { return t.Present() }

// comparisonOf is the comparison in a tab, or nil.
func comparisonOf(t Tab) *comparison.Comparison {
	if t, ok := t.(comparing); ok {
		return t.comparison()
	}
	return nil
}

func hasComparison(t Tab) bool { return comparisonOf(t) != nil }

// comparison is the present tab's, or nil.
func (w *Window) comparison() *comparison.Comparison { return comparisonOf(w.Present()) }

// Compare shows two sides next to each other in a tab.
func (w *Window) Compare(old, new comparison.Side) {
	t := &comparisonTab{}
	t.Comparison = comparison.New(w.deps(func() Tab { return t }), old, new)
	w.notices.Remove(together)
	w.Add(t)
}

// together is the notice about files that were opened together.
const together = "together"

// deps is what a comparison is made with.
func (w *Window) deps(tab func() Tab) comparison.Deps {
	return comparison.Deps{Style: w.style, Group: w.group.Under(), Host: comparisonHost{keys{w: w}, tab}}
}

// keys is the window as the widgets of a tab see it.
type keys struct {
	host.None
	w *Window
}

// Key does what a key without a modifier means.
func (h keys) Key(k *fyne.KeyEvent, shift bool) bool { return h.w.key(k, shift) }

// Copy copies a text.
func (h keys) Copy(text string) {
	h.w.copy(text)
	h.w.hint("Copied: " + model.OneLine(text, 80))
}

// Tell shows a text in the status line.
func (h keys) Tell(text string) { h.w.hint(text) }

// Menu opens a menu.
func (h keys) Menu(menu *fyne.Menu, at fyne.Position) { h.w.popUpMenu(menu, at) }

// Notify shows a notice.
func (h keys) Notify(n notice.Notice) { h.w.Notify(n) }

// Reveal brings a node into view.
func (h keys) Reveal(d *model.Document, n *model.Node) { h.w.showNode(d, n) }

// comparisonHost is the window as a comparison sees it.
type comparisonHost struct {
	keys
	tab func() Tab
}

// Busy shows that work is going on in the tab.
func (h comparisonHost) Busy(what string, share float64, stop func()) {
	h.w.setBusy(h.tab(), what, share, stop)
}

// Changed shows the title and the status of the tab.
func (h comparisonHost) Changed() {
	h.w.retitle()
	if h.w.Present() == h.tab() {
		h.w.restatus()
	}
}

// Save asks for a file.
func (h comparisonHost) Save(name string, write func(w io.Writer) error) { h.w.askSave(name, write) }

// Open shows a side as a document.
func (h comparisonHost) Open(s comparison.Side, at model.Path) { h.w.openSide(s, at) }

// Compare opens a comparison.
func (h comparisonHost) Compare(old, new comparison.Side) { h.w.Compare(old, new) }

// Export adds nodes to what is exported.
func (h comparisonHost) Export(d *model.Document, nodes []*model.Node) {
	h.w.exporting.Add(d, func(context.Context) ([]*model.Node, bool, error) { return nodes, false, nil })
}

// openSide shows a side of a comparison as a document, at a node.
func (w *Window) openSide(s comparison.Side, at model.Path) {
	if i := w.tabOf(s.Path); i >= 0 {
		w.Show(i)
	} else {
		w.open(&docTab{title: s.Title, path: s.Path}, s.Open)
	}
	if p := w.pane(); p != nil && at != nil {
		p.Select(at)
	}
}

// sideOf is what a tab shows, to be compared.
func (w *Window) sideOf(tab Tab) (s comparison.Side, ok bool) {
	t, ok := tab.(*docTab)
	switch {
	case !ok:
		return s, false
	case t.path != "":
		return side(w.file(t.path)), true
	case t.pane != nil:
		return comparison.DocumentSide(t.pane.Document(), t.title, t.title), true
	}
	return s, false
}

func (w *Window) canCompare(t Tab) bool {
	_, ok := w.sideOf(t)
	return ok
}

// onSide is an action on what a tab shows, to be compared.
func (w *Window) onSide(do func(s comparison.Side)) action {
	return action{can: w.canCompare, do: func(t Tab) {
		s, _ := w.sideOf(t)
		do(s)
	}}
}

// side is a file that is to be compared.
func side(c compared) comparison.Side {
	hint := c.path
	if hint == "" {
		hint = c.title
	}
	return comparison.Side{Title: c.title, Hint: hint, Path: c.path, Open: c.open}
}

// compareTwo compares two files, or two folders.
func (w *Window) compareTwo(old, new compared) {
	if !w.openFolders(old.path, new.path) {
		w.Compare(side(old), side(new))
	}
}

// openFolders compares two paths if they are folders, and says whether they are.
func (w *Window) openFolders(old, new string) bool {
	if !isFolder(old) || !isFolder(new) {
		return false
	}
	w.compareFolders(absolute(old), absolute(new))
	return true
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return path != "" && err == nil && info.IsDir()
}

// offerSeries offers to step through three or more files that were opened together.
func (w *Window) offerSeries(files []string) {
	if len(files) < 3 {
		return
	}
	var sides []comparison.Side
	for _, f := range files {
		if isFolder(f) {
			return
		}
		sides = append(sides, side(w.file(absolute(f))))
	}
	w.Notify(notice.Notice{ID: together, Text: fmt.Sprintf("%d files were opened together.", len(files)), Actions: []notice.Action{{Label: "Step through these", On: func() {
		w.notices.Remove(together)
		w.compareSeries(sides)
	}}}})
}

// compareWithPresent compares a tab with the present one.
func (w *Window) compareWithPresent(t Tab) {
	other, _ := w.sideOf(t)
	present, _ := w.sideOf(w.Present())
	w.compareInOrder(other, present)
}

// compareInOrder compares two sides; the file that was changed first is the old one.
func (w *Window) compareInOrder(a, b comparison.Side) {
	if changedAfter(a.Path, b.Path) {
		a, b = b, a
	}
	w.Compare(a, b)
}

func changedAfter(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && x.ModTime().After(y.ModTime())
}

// askCompare asks for the file that a side is compared with.
func (w *Window) askCompare(s comparison.Side) {
	w.askFile(func(path string) { w.compareInOrder(s, side(w.file(path))) })
}

// compareTabs compares the present document with that of another tab: the only other one, or one that is chosen.
func (w *Window) compareTabs(present comparison.Side) {
	var others []comparison.Side
	for i, t := range w.all {
		if s, ok := w.sideOf(t); ok && i != w.present {
			others = append(others, s)
		}
	}
	switch len(others) {
	case 0:
		w.hint("There is no other file open: open or drop one, or use Compare with File.")
	case 1:
		w.compareInOrder(present, others[0])
	default:
		w.list = quick.Show(w.win.Canvas(), w.style, w.group, "Compare "+present.Title+" with", func(_ context.Context, query string, show func([]quick.Item)) {
			var items []quick.Item
			for _, s := range others {
				if strings.Contains(strings.ToLower(s.Title+" "+s.Path), strings.ToLower(strings.TrimSpace(query))) {
					items = append(items, quick.Item{Name: s.Title, Where: s.Path, On: func() { w.compareInOrder(present, s) }})
				}
			}
			show(items)
		})
	}
}

// compareHead compares a file with its version in git's HEAD.
func (w *Window) compareHead(present comparison.Side) {
	if present.Path == "" {
		w.hint("This is no file of its own that git could know.")
		return
	}
	w.Compare(comparison.HeadSide(present.Path, w.options.OpenSource), present)
}

// CompareSeries steps through the open files, by their names.
func (w *Window) CompareSeries() {
	var sides []comparison.Side
	for _, t := range w.all {
		if d, ok := t.(*docTab); ok && d.path != "" {
			sides = append(sides, side(w.file(d.path)))
		}
	}
	w.compareSeries(sides)
}

func (w *Window) compareSeries(sides []comparison.Side) {
	if len(sides) < 3 {
		w.hint("A series has three files or more: open or drop them together.")
		return
	}
	slices.SortStableFunc(sides, func(a, b comparison.Side) int { return model.CompareNames(a.Title, b.Title) })
	t := &seriesTab{}
	t.Series = comparison.NewSeries(w.deps(func() Tab { return t }), sides)
	w.Add(t)
}

// AskFolders asks for two folders and compares their files.
func (w *Window) AskFolders() {
	w.askFolder(func(old string) {
		w.hint("Now choose the folder with the newer files.")
		w.askFolder(func(new string) { w.compareFolders(old, new) })
	})
}

func (w *Window) compareFolders(old, new string) {
	var t *comparison.Folder
	t = comparison.NewFolder(w.deps(func() Tab { return t }), old, new, w.options.Open)
	w.Add(t)
}

func (w *Window) askFolder(do func(path string)) {
	d := dialog.NewFolderOpen(func(l fyne.ListableURI, err error) {
		w.dialog = nil
		if err == nil && l != nil {
			do(l.Path())
		}
	}, w.win)
	w.showFileDialog(d)
}

func (w *Window) askFile(do func(path string)) {
	d := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		w.dialog = nil
		if err == nil && r != nil {
			path := r.URI().Path()
			r.Close()
			do(path)
		}
	}, w.win)
	w.showFileDialog(d)
}

// askSave asks for a file and has write fill it, off the UI thread; the file is there as a whole or not at all.
func (w *Window) askSave(name string, write func(out io.Writer) error) {
	d := dialog.NewFileSave(func(f fyne.URIWriteCloser, err error) {
		w.dialog = nil
		if err != nil {
			w.Notify(notice.Notice{Level: notice.Error, Text: wording.Sentence(err)})
		}
		if err != nil || f == nil {
			return
		}
		path := f.URI().Path()
		f.Close()
		w.save(path, write)
	}, w.win)
	d.SetFileName(name)
	w.showFileDialog(d)
}

// save writes a file.
func (w *Window) save(path string, write func(out io.Writer) error) {
	w.group.Go(func(context.Context) func() {
		err := saved(path, write)
		return func() {
			if err != nil {
				w.Notify(notice.Notice{Level: notice.Error, Text: wording.SentenceOf("Could not write " + filepath.Base(path) + ": " + err.Error())})
				return
			}
			w.hint("Saved " + filepath.Base(path) + ".")
		}
	})
}

func saved(path string, write func(out io.Writer) error) error {
	var whole bytes.Buffer // an unfinished report must not replace a finished one
	if err := write(&whole); err != nil {
		return err
	}
	return atomicwriter.WriteFile(path, whole.Bytes(), 0o644)
}

// showFileDialog shows a dialog in the folder that was used last.
func (w *Window) showFileDialog(d *dialog.FileDialog) {
	if f := w.folder(); f != "" {
		if l, err := storage.ListerForURI(storage.NewFileURI(f)); err == nil {
			d.SetLocation(l)
		}
	}
	w.dialog = d
	d.Show() // a dialog has no size before it is shown
	size := w.win.Canvas().Size()
	d.Resize(fyne.NewSize(min(900, size.Width-60), min(620, size.Height-60)))
}
