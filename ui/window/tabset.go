package window

import (
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/ui/doc"
	"assay/ui/paint"
	"assay/ui/tabs"
)

type tabSet struct {
	all      []Tab
	selected int // index of the selected tab; -1 without tabs

	closed  closedTabs
	origins map[Tab]Tab // the tab of the folder, search, or package of each tab of a file or an asset
	forward map[Tab]Tab // the tab from which the user went back to each origin

	row    *tabs.Tabs
	labels []tabs.Tab
	strip  *fyne.Container // the row of tabs; empty without tabs
	body   *fyne.Container
	empty  fyne.CanvasObject // displayed without tabs

	onLeave func(t Tab) // called before t, which may be nil, is hidden
	onShow  func(t Tab) // called after t, which may be nil, is displayed
	onTitle func(title string)
	onClose func(t Tab) // called after t was closed
	// confirmClose reports whether t needs a confirmation before it is closed. If so, it asks the user, and calls leave
	// when the user agrees. It may be nil.
	confirmClose func(t Tab, leave func()) bool
}

func newTabSet(style *paint.Style) *tabSet {
	s := &tabSet{selected: -1, origins: map[Tab]Tab{}, forward: map[Tab]Tab{}, row: tabs.New(style),
		strip: container.NewStack(), body: container.NewStack()}
	s.row.Closable = true
	s.row.OnSelect = s.show
	s.row.OnClose = func(i int) { s.close(s.all[i]) }
	return s
}

// current returns the selected tab, or nil.
func (s *tabSet) current() Tab {
	if s.selected < 0 {
		return nil
	}
	return s.all[s.selected]
}

// find returns the first tab for which matches returns true, or nil.
func (s *tabSet) find(matches func(t Tab) bool) Tab {
	if i := slices.IndexFunc(s.all, matches); i >= 0 {
		return s.all[i]
	}
	return nil
}

// put appends a tab.
func (s *tabSet) put(t Tab) {
	s.all = append(s.all, t)
	s.retitle()
}

// add appends a tab, or replaces placeholder by it if that is not nil, and selects it.
func (s *tabSet) add(t, placeholder Tab) {
	if placeholder != nil {
		s.replace(placeholder, t)
		return
	}
	s.put(t)
	s.show(len(s.all) - 1)
}

// insert adds a tab at an index, or at the end if there are fewer tabs, and selects it.
func (s *tabSet) insert(t Tab, i int) {
	i = min(i, len(s.all))
	if s.all = slices.Insert(slices.Clone(s.all), i, t); i <= s.selected {
		s.selected++
	}
	s.show(i)
}

// reveal selects a tab. It does nothing if the tab has been closed.
func (s *tabSet) reveal(t Tab) {
	if i := slices.Index(s.all, t); i >= 0 {
		s.show(i)
	}
}

// show selects the tab with index i. With -1 it displays the empty page.
func (s *tabSet) show(i int) {
	s.onLeave(s.current())
	s.selected = i
	s.body.Objects = []fyne.CanvasObject{s.empty}
	t := s.current()
	if t != nil {
		s.body.Objects[0] = t.Content()
	}
	s.retitle()
	s.onShow(t)
	s.body.Refresh()
	if t != nil && t == s.current() { // onShow may have replaced t
		t.Focus()
	}
}

// withHiddenTabs calls do with the contents of all tabs in the window: the toolkit applies a theme only to displayed
// objects, and icons in a hidden tab would keep the colors of the previous theme.
func (s *tabSet) withHiddenTabs(do func()) {
	displayed := s.body.Objects
	for i, t := range s.all {
		if i != s.selected {
			s.body.Objects = append(slices.Clip(s.body.Objects), t.Content())
		}
	}
	do()
	s.body.Objects = displayed
}

// close closes a tab and selects its neighbor, after a confirmation if necessary.
func (s *tabSet) close(t Tab) {
	if s.confirmClose == nil || !s.confirmClose(t, func() { s.remove(t) }) {
		s.remove(t)
	}
}

// remove closes a tab and selects its neighbor.
func (s *tabSet) remove(t Tab) {
	i := slices.Index(s.all, t)
	if i < 0 {
		return
	}
	s.closed.add(t, i)
	s.replaceOrigin(t, nil)
	s.onLeave(s.current())
	s.all = slices.Delete(slices.Clone(s.all), i, i+1)
	next := s.selected
	if i < next || next >= len(s.all) {
		next--
	}
	s.selected = -1 // show must not call onLeave for the closed tab
	s.show(next)
	t.Close()
	if s.onClose != nil {
		s.onClose(t)
	}
}

// closeOthers closes all tabs but one.
func (s *tabSet) closeOthers(t Tab) {
	for _, other := range slices.Backward(slices.Clone(s.all)) {
		if other != t {
			s.close(other)
		}
	}
}

// replace replaces a tab by another one and keeps its index. If old was closed, it closes t.
func (s *tabSet) replace(old, t Tab) {
	i := slices.Index(s.all, old)
	if i < 0 {
		t.Close()
		return
	}
	s.all[i] = t
	s.replaceOrigin(old, t)
	if i == s.selected {
		s.selected = -1
		s.show(i)
	}
	s.retitle()
}

// replaceOrigin replaces old by t in the tabs for Back and Forward, or removes old if t is nil.
func (s *tabSet) replaceOrigin(old, t Tab) {
	for _, links := range []map[Tab]Tab{s.origins, s.forward} {
		for from, to := range links {
			switch {
			case from != old && to != old:
				continue
			case t == nil:
			case from == old:
				links[t] = to
			default:
				links[from] = t
				continue
			}
			delete(links, from)
		}
	}
}

// selectBeside selects the tab step positions to the right of the current one, and wraps around.
func (s *tabSet) selectBeside(step int) {
	if n := len(s.all); n > 0 {
		s.show((s.selected + step + n) % n)
	}
}

// maxTitleFolders is the maximum number of folders added to the titles of tabs with equal names.
const maxTitleFolders = 8

// label returns the title of a tab, with the end of its folder if another open file has that name.
func (s *tabSet) label(t Tab) string {
	title, path := t.Title(), t.Hint()
	var others []string
	for _, o := range s.all {
		if o != t && o.Title() == title && o.Hint() != path && filepath.IsAbs(o.Hint()) {
			others = append(others, filepath.Dir(o.Hint()))
		}
	}
	if len(others) == 0 || !filepath.IsAbs(path) {
		return title
	}
	mine := filepath.Dir(path)
	n := 1
	for n < maxTitleFolders && slices.ContainsFunc(others, func(o string) bool {
		return lastFolders(o, n) == lastFolders(mine, n)
	}) {
		n++
	}
	return title + " – " + lastFolders(mine, n)
}

// lastFolders returns the last n names of a path.
func lastFolders(path string, n int) string {
	names := strings.Split(filepath.ToSlash(path), "/")
	return strings.Join(names[max(0, len(names)-n):], "/")
}

// retitle updates the titles of the tabs and of the window.
func (s *tabSet) retitle() {
	var row []tabs.Tab
	title := ""
	for i, t := range s.all {
		tab := tabs.Tab{Title: s.label(t), Hint: t.Hint()}
		if d, ok := t.(*docTab); ok {
			tab.Badge = d.Change.Badge
		}
		row = append(row, tab)
		if i == s.selected {
			title = tab.Title
			if tab.Badge != "" {
				title += " (" + tab.Badge + ")"
			}
		}
	}
	if !slices.Equal(row, s.labels) {
		s.labels = row
		s.row.SetTabs(row)
	}
	if s.row.Selected() != s.selected {
		s.row.SetSelected(s.selected)
	}
	if hasTabs := len(row) > 0; hasTabs != (len(s.strip.Objects) > 0) {
		s.strip.Objects = nil
		if hasTabs {
			s.strip.Objects = []fyne.CanvasObject{s.row}
		}
		s.strip.Refresh()
		s.row.Refresh() // changes while it was in no window were not painted
	}
	s.onTitle(title)
}

// backAction returns the action that goes to the node or the folder that was visited before; before the first node, to
// the tab from which the file was opened.
func (w *Window) backAction() action {
	a := forTab(forTab(forTab(onPart((*doc.Pane).Back), (*usesTab).Back), (*manualTab).Back),
		func(t *folderTab) { t.List().Back() })
	general := a.Do
	a.Do = func(t Tab) {
		origin := w.tabs.origins[t]
		if origin == nil || !partOf[*doc.Pane](t).AtStart() {
			general(t)
			return
		}
		w.tabs.forward[origin] = t
		w.tabs.reveal(origin)
		if t, ok := origin.(*docTab); ok && t.assets != nil && t.pane.Center.Panel() == doc.Panel(t.assets) {
			t.assets.Focus() // where the asset was opened
		}
	}
	return a
}

// forwardAction returns the action that reverts Back.
func (w *Window) forwardAction() action {
	inTab := forTab(forTab(onPart((*doc.Pane).Forward), (*usesTab).Forward), (*manualTab).Forward)
	return action{
		IsEnabled: func(t Tab) bool { return inTab.IsEnabled(t) || w.tabs.forward[t] != nil || has[*folderTab](t) },
		Do: func(t Tab) {
			p := partOf[*doc.Pane](t)
			f, isFolder := t.(*folderTab)
			switch next := w.tabs.forward[t]; {
			case isFolder && f.List().Forward():
			case next != nil && (p == nil || p.AtEnd()):
				w.tabs.reveal(next)
			case inTab.IsEnabled(t):
				inTab.Do(t)
			}
		},
	}
}
