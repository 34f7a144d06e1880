package window

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
	"github.com/google/renameio/v2"

	"assay/model"
	"assay/ui/comparison"
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

// comparison is the present tab's, or nil.
func (w *Window) comparison() *comparison.Comparison {
	if t, ok := w.Present().(comparing); ok {
		return t.comparison()
	}
	return nil
}

// onComparison runs an action on the present comparison.
func (w *Window) onComparison(do func(c *comparison.Comparison)) func() {
	return func() {
		if c := w.comparison(); c != nil {
			do(c)
		}
	}
}

func (w *Window) compareActions() []action {
	on := w.onComparison
	all := []action{
		{menu: "Compare", label: "Compare with File…", key: fyne.KeyD, mod: ctrl, needs: true, do: w.AskCompare},
		{menu: "Compare", label: "Compare with Another Tab…", key: fyne.KeyD, mod: ctrl | shift, needs: true, do: w.CompareTabs},
	}
	if _, err := exec.LookPath("git"); err == nil {
		all = append(all, action{menu: "Compare", label: "Compare with Git HEAD", key: fyne.KeyH, mod: ctrl | shift, needs: true, do: w.CompareHead})
	}
	return append(all,
		action{menu: "Compare", label: "Compare Folders…", do: w.AskFolders},
		action{menu: "Compare", label: "Step through Open Tabs", do: w.CompareSeries},
		action{menu: "Compare", label: "Next Change", key: fyne.KeyF8, typed: true, do: on((*comparison.Comparison).NextChange), line: true},
		action{menu: "Compare", label: "Previous Change", key: fyne.KeyF7, typed: true, do: on((*comparison.Comparison).PreviousChange)},
		action{menu: "Compare", label: "Find in Both", shown: "Ctrl+F in a comparison", do: on((*comparison.Comparison).Find)},
		action{menu: "Compare", label: "One Tree or Two", key: fyne.KeyT, mod: ctrl | shift, do: on((*comparison.Comparison).ToggleLayout), line: true},
		action{menu: "Compare", label: "Swap Old and New", key: fyne.KeyX, mod: ctrl | shift, do: on((*comparison.Comparison).Swap)},
		action{menu: "Compare", label: "Compare Again", shown: "F5 in a comparison", do: on((*comparison.Comparison).Again)},
		action{menu: "Compare", label: "Verify Contents", do: on((*comparison.Comparison).VerifyContents)},
		action{menu: "Compare", label: "Add New and Changed Assets to Export", do: on((*comparison.Comparison).ExportChanged)},
		action{menu: "Compare", label: "Rules…", do: on((*comparison.Comparison).ShowRules)},
		action{menu: "Compare", label: "Copy Report as", sub: w.reportItems("", (*comparison.Comparison).CopyReport), line: true},
		action{menu: "Compare", label: "Save Report as", sub: w.reportItems("…", (*comparison.Comparison).SaveReport)},
	)
}

func (w *Window) reportItems(dots string, do func(c *comparison.Comparison, form int)) func() []*fyne.MenuItem {
	return func() []*fyne.MenuItem {
		var items []*fyne.MenuItem
		for i, name := range comparison.ReportForms() {
			items = append(items, fyne.NewMenuItem(name+dots, w.onComparison(func(c *comparison.Comparison) { do(c, i) })))
		}
		return items
	}
}

// Compare shows two sides next to each other in a tab.
func (w *Window) Compare(old, new comparison.Side) {
	t := &comparisonTab{}
	t.Comparison = comparison.New(w.deps(func() Tab { return t }), old, new)
	w.notices.Remove(together)
	w.Add(t)
}

// together is the notice about files that were opened together.
const together = "together"

// deps is what a comparison needs of the window.
func (w *Window) deps(tab func() Tab) comparison.Deps {
	return comparison.Deps{Style: w.style, Group: w.group.Under(), Events: comparison.Events{
		OnStatus: func() {
			if w.Present() == tab() {
				w.restatus()
			}
		},
		OnTitle:   w.retitle,
		OnBusy:    func(what string, share float64, stop func()) { w.setBusy(tab(), what, share, stop) },
		OnHint:    w.hint,
		OnCopy:    w.copy,
		OnKey:     func(k *fyne.KeyEvent) bool { return w.key(k, false) },
		OnSave:    w.askSave,
		OnOpen:    w.openSide,
		OnCompare: w.Compare,
		OnExport: func(d *model.Document, nodes []*model.Node) {
			w.exporting.Add(d, func(context.Context) ([]*model.Node, bool, error) { return nodes, false, nil })
		},
	}}
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
func (w *Window) sideOf(t *docTab) (s comparison.Side, ok bool) {
	switch {
	case t.path != "":
		return side(w.file(t.path)), true
	case t.pane != nil:
		return comparison.DocumentSide(t.pane.Document(), t.title, t.title), true
	}
	return s, false
}

// side is a file that is to be compared.
func side(c compared) comparison.Side {
	hint := c.path
	if hint == "" {
		hint = c.title
	}
	return comparison.Side{Title: c.title, Hint: hint, Path: c.path, Open: c.open}
}

// presentSide is the document in view.
func (w *Window) presentSide() (s comparison.Side, ok bool) {
	if t, isDoc := w.Present().(*docTab); isDoc {
		return w.sideOf(t)
	}
	return s, false
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

// compareItems are what the menu of a tab offers to compare it with: the document in view.
func (w *Window) compareItems(i int) []*fyne.MenuItem {
	t, isDoc := w.all[i].(*docTab)
	if !isDoc || i == w.present {
		return nil
	}
	present, ok := w.presentSide()
	other, also := w.sideOf(t)
	if !ok || !also {
		return nil
	}
	return []*fyne.MenuItem{fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Compare with "+present.Title, func() { w.compareInOrder(other, present) })}
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

// AskCompare asks for the file that the present one is compared with.
func (w *Window) AskCompare() {
	present, ok := w.presentSide()
	if !ok {
		return
	}
	w.askFile(func(path string) { w.compareInOrder(present, side(w.file(path))) })
}

// CompareTabs compares the present document with that of another tab: the only other one, or one that is chosen.
func (w *Window) CompareTabs() {
	present, ok := w.presentSide()
	if !ok {
		return
	}
	var others []comparison.Side
	for i, t := range w.all {
		if d, isDoc := t.(*docTab); isDoc && i != w.present {
			if s, ok := w.sideOf(d); ok {
				others = append(others, s)
			}
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

// CompareHead compares the present file with its version in git's HEAD.
func (w *Window) CompareHead() {
	present, ok := w.presentSide()
	if !ok {
		return
	}
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
	slices.SortStableFunc(sides, func(a, b comparison.Side) int { return wording.ByName(a.Title, b.Title) })
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
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
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
