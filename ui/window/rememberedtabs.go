package window

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/git"
	"assay/ui/control"
	"assay/ui/desktop"
	"assay/ui/doc"
	"assay/ui/files"
	"assay/ui/finding"
	"assay/ui/host"
	"assay/ui/opening"
	"assay/ui/tabs"
	"assay/ui/work"
)

// rememberedTabs saves the tabs for the next session.
type rememberedTabs struct {
	w          *Window
	lane       *work.Lane
	memory     *desktop.Memory // nil: this window does not save its tabs
	reopened   bool            // reopen was called
	latest     atomic.Pointer[openTabs]
	writeMutex sync.Mutex
}

// openTabs holds the open tabs and the index of the selected one.
type openTabs struct {
	all      []desktop.Tab
	selected int
}

type savable interface {
	// savedTab returns the saved form of the tab, or false if it cannot be restored. Without all, a tab that is still
	// being opened is marked: if its file crashes the program, the next start must not open it again.
	savedTab(all bool) (desktop.Tab, bool)
}

// snapshot copies the state of the open tabs. It returns false if tabs are not saved.
func (r *rememberedTabs) snapshot(all bool) bool {
	if r.memory == nil || !r.reopened {
		return false
	}
	open := new(openTabs)
	for i, t := range r.w.tabs.all {
		if k, ok := t.(savable); ok {
			if tab, ok := k.savedTab(all); ok {
				if open.all = append(open.all, tab); i == r.w.tabs.selected {
					open.selected = len(open.all) - 1
				}
			}
		}
	}
	r.latest.Store(open)
	return true
}

func (r *rememberedTabs) save() {
	if r.snapshot(false) {
		r.lane.Go(func(context.Context) func() {
			err := r.write()
			return func() { r.w.cannotRemember(err) }
		})
	}
}

// write saves the copied state.
func (r *rememberedTabs) write() error {
	r.writeMutex.Lock()
	defer r.writeMutex.Unlock()
	open := r.latest.Load()
	if open == nil {
		return nil
	}
	return r.memory.SetTabs(open.all, open.selected)
}

// end saves the tabs of a closing window.
func (r *rememberedTabs) end() {
	if r.snapshot(true) {
		_ = r.write() // the window is closed, so an error cannot be displayed
		r.memory.EndDrawings()
	}
}

// reopen restores the tabs of the last session, and returns the selected one. Tabs open when they are selected.
func (r *rememberedTabs) reopen() Tab {
	if r.memory == nil {
		return nil
	}
	r.w.cannotRemember(r.memory.Recover())
	open, selected, dropped := r.memory.Tabs()
	if dropped > 0 {
		r.w.Notify(host.Notice{Level: host.Warning,
			Text: host.Count(dropped, "tab") + " from the last session could not be restored."})
	}
	var first Tab
	for i, saved := range open {
		t := r.newSuspended(saved)
		if i == selected {
			first = t
		}
		r.w.tabs.put(t)
		r.closeIfMissing(t)
	}
	return first
}

// newSuspended returns a tab that opens when it is selected.
func (r *rememberedTabs) newSuspended(saved desktop.Tab) *suspendedTab {
	t := &suspendedTab{saved: saved}
	t.open = func() {
		t.saved.Opening = false
		r.w.openTab(t)
	}
	return t
}

// closeIfMissing closes a tab if one of its files no longer exists. It sends no notice for temporary files of git.
func (r *rememberedTabs) closeIfMissing(t *suspendedTab) {
	r.w.group.Go(func(context.Context) func() {
		for _, path := range t.saved.Files {
			if _, err := os.Stat(path); err != nil {
				text := fmt.Sprintf("could not reopen %s: the file no longer exists", path)
				return func() {
					if r.w.tabs.close(t); git.IsTemporary(path) {
						return
					}
					r.w.Notify(host.Notice{Level: host.Warning, Text: host.SentenceOf(text)})
				}
			}
		}
		return nil
	})
}

// suspendedTab is a tab of the last session that opens when it is selected. If its file may have crashed the program,
// it opens when the user confirms.
type suspendedTab struct {
	saved desktop.Tab
	open  func()
}

var _ Tab = (*suspendedTab)(nil)

func (t *suspendedTab) Title() string {
	var names []string
	for _, path := range t.saved.Files {
		name := model.FileName(path)
		switch t.saved.Kind {
		case opening.FoldersKind, folderTabKind:
			name = files.FolderTitle(path)
		case searchTabKind:
			name = finding.Title(path, t.saved.View)
		case usesTabKind:
			name = "Uses: " + name
		case opening.HeadKind:
			names = append(names, name+" (HEAD)")
		}
		names = append(names, name)
	}
	if len(names) > 2 {
		names = []string{names[0] + " … " + names[len(names)-1]}
	}
	return strings.Join(names, " : ")
}

func (t *suspendedTab) Hint() string {
	return model.OneLine(strings.Join(t.saved.Files, "  →  "), 600)
}

// Content returns an empty object, or a button that opens the file.
func (t *suspendedTab) Content() fyne.CanvasObject {
	if !t.saved.Opening {
		return container.NewStack()
	}
	text := widget.NewLabelWithStyle("Assay ended while it was opening or drawing this file. "+
		"The file stays closed until you open it.", fyne.TextAlignCenter, fyne.TextStyle{})
	return container.NewCenter(container.NewVBox(text, container.NewCenter(control.NewButton(nil, "Open "+model.OneLine(
		t.Title(), 60), nil, t.open))))
}

func (t *suspendedTab) Status() (path, facts []tabs.Segment) { return nil, nil }

func (t *suspendedTab) Focus() {}

func (t *suspendedTab) Close() {}

func (t *suspendedTab) savedTab(bool) (desktop.Tab, bool) { return t.saved, true }

func (t *suspendedTab) HasPath(path string) bool {
	return t.saved.Kind == "" && t.saved.Files[0] == path
}

// openTab replaces a suspended tab by its document.
func (w *Window) openTab(t *suspendedTab) {
	files := t.saved.Files
	if t.saved.Kind != "" {
		w.comparer.restoreTab(t)
		return
	}
	opens := w.opener.OpenerAs(files[0], t.saved.As)
	var failure error // error of the description that the file was opened with
	done := func(d *docTab) {
		restoreView(d.pane, t.saved.View)
		if failure != nil {
			d.reportReloadError(failure, " Showing the file without its description.")
		}
	}
	r := request{title: model.FileName(files[0]), Path: files[0], format: t.saved.As, restored: true, done: done}
	r.open = func(ctx context.Context) (*model.Document, error) {
		d, err := opens(ctx)
		if file := brokenDescription(err); file != "" {
			failure = err
			if d, err = w.opener.OpenerAs(files[0], "")(ctx); err == nil {
				d.Description = unreadableDescription(file)
			}
		}
		if err != nil {
			err = fmt.Errorf("could not reopen a tab from the last session: %w", err)
		}
		return d, err
	}
	w.opener.begin(r, t)
}

// brokenDescription returns the file of the description that has an error, or "" for other errors.
func brokenDescription(err error) string {
	var location model.LocationError
	if !errors.As(err, &location) {
		return ""
	}
	file, _ := location.Location()
	return file
}

// unreadableDescription returns a description for a file that cannot be parsed. It is displayed and watched, but
// decodes nothing.
func unreadableDescription(file string) *model.Description {
	return &model.Description{Files: []string{file},
		Text: func(file string) string {
			text, _ := model.ReadText(file, model.MaxDescription)
			return string(text)
		},
		Rule: func(*model.Node) (string, int, bool) { return "", 0, false }}
}

// openSuspended opens the files of all suspended tabs, and calls done once they are open.
func (w *Window) openSuspended(done func()) {
	waiting := 1
	opened := func(*docTab) {
		if waiting--; waiting == 0 {
			done()
		}
	}
	for _, t := range slices.Clone(w.tabs.all) {
		if t, ok := t.(*suspendedTab); ok && t.saved.Kind == "" && !t.saved.Opening {
			waiting++
			w.openTab(t)
			w.opener.whenOpen(t.saved.Files[0], opened)
		}
	}
	opened(nil)
}

// maxClosedTabs is the number of closed tabs that can be reopened.
const maxClosedTabs = 20

// closedTabs holds the tabs that were closed, the latest one last, for Reopen Closed Tab.
type closedTabs []closedTab

type closedTab struct {
	saved desktop.Tab
	index int // position among the tabs
}

// add records a tab at an index that is about to be closed, if it can be restored.
func (c *closedTabs) add(t Tab, index int) {
	k, ok := t.(savable)
	if !ok {
		return
	}
	if saved, ok := k.savedTab(true); ok {
		*c = append(*c, closedTab{saved, index})
		*c = slices.Delete(*c, 0, max(0, len(*c)-maxClosedTabs))
	}
}

// reopenClosed opens the tab that was closed last at its former index, or selects a tab that has its file.
func (w *Window) reopenClosed() {
	closed := &w.tabs.closed
	if len(*closed) == 0 {
		return
	}
	last := (*closed)[len(*closed)-1]
	*closed = (*closed)[:len(*closed)-1]
	t := w.rememberedTabs.newSuspended(last.saved)
	if t.saved.Kind == "" {
		if existing := w.opener.tabOf(t.saved.Files[0]); existing != nil {
			w.tabs.reveal(existing)
			return
		}
	}
	w.tabs.insert(t, last.index)
	w.rememberedTabs.closeIfMissing(t)
}

// maxOpenRows is the maximum number of expanded rows of a tree that are restored.
const maxOpenRows = 100

// maxViewSize is the maximum size of a saved view, in bytes.
const maxViewSize = 8 << 10

// view is the saved view of a document.
type view struct {
	State        doc.State
	Centre, Side string // titles of the panels
}

// viewOf encodes the view of a document. It returns nil if the root is selected or the view is too long to save.
func viewOf(p *doc.Pane) json.RawMessage {
	v := view{p.State(), p.Center.Panel().Title(), p.Side.Panel().Title()}
	if n := p.Selection().Node; n == nil || n.Parent == nil {
		return nil
	}
	v.State.Tree.Open = v.State.Tree.Open[:min(len(v.State.Tree.Open), maxOpenRows)]
	b, err := json.Marshal(v)
	if err != nil || len(b) > maxViewSize {
		return nil
	}
	return b
}

// restoreView restores a saved view of a document. It ignores invalid data.
func restoreView(p *doc.Pane, saved json.RawMessage) {
	var v view
	if len(saved) == 0 || json.Unmarshal(saved, &v) != nil {
		return
	}
	p.Restore(v.State)
	p.Center.ShowTitled(v.Centre)
	p.Side.ShowTitled(v.Side)
}

// cannotRemember notifies the user, once, that recent files and tabs cannot be saved.
func (w *Window) cannotRemember(err error) {
	if err != nil {
		w.Notify(host.Notice{ID: "memory", Level: host.Warning,
			Text: host.SentenceOf("Cannot save recent files and tabs: " + err.Error())})
	}
}
