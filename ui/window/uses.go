package window

import (
	"path/filepath"

	"assay/model"
	"assay/ui/desktop"
	"assay/ui/finding"
)

// ofUses is the kind of a tab of who uses what that comes back.
const ofUses = "uses"

// usesTab is who uses what below a folder.
type usesTab struct{ *finding.Uses }

var _ Tab = (*usesTab)(nil)

func (t *usesTab) keep(bool) (desktop.Tab, bool) {
	return desktop.Tab{Kind: ofUses, Files: []string{t.Root()}, View: t.Saved()}, true
}

// newUses makes the tab of a folder, in the place of another tab or after all.
func (w *Window) newUses(root string, in Tab) *usesTab {
	t := new(usesTab)
	t.Uses = finding.NewUses(&tabHost{w, w, t}, absolute(root),
		finding.UsesOptions{Style: w.style, Group: w.group.Under(),
			Open: w.options.OpenSource, OpenFile: w.options.Open, Opens: w.options.Searched.Opens})
	w.tabs.add(t, in)
	w.rememberedTabs.keep()
	return t
}

// whoUses shows who uses what below a folder, and first what is around a file in it; the path of that may be empty.
func (w *Window) whoUses(root, file string) {
	root = absolute(root)
	there, _ := w.tabs.find(func(t Tab) bool {
		u, ok := t.(*usesTab)
		return ok && u.Root() == root
	}).(*usesTab)
	if there == nil {
		w.newUses(root, nil).Begin(file)
		return
	}
	w.tabs.reveal(there)
	if file != "" {
		there.GoFile(file)
	}
}

// whoUsesFrom does so from a tab: below its folder, or below the project's of its file. It asks for the folder if there
// is none.
func (w *Window) whoUsesFrom(t Tab) {
	if root := folderOf(t); root != "" {
		w.whoUses(root, "")
		return
	}
	if d, ok := t.(*docTab); ok && d.Path != "" {
		root := filepath.Dir(d.Path)
		if project := d.pane.Document().Project; project != "" && model.IsFolder(project) {
			root = project
		}
		w.whoUses(root, absolute(d.Path))
		return
	}
	w.ask.Folder("Choose the folder to analyze", w.folder(), func(path string) { w.whoUses(path, "") })
}

// or is an action that does something else in tabs of a kind.
func or[T Tab](a action, do func(t T)) action {
	can, other := a.Can, a.Do
	a.Can = func(t Tab) bool { _, is := t.(T); return is || can(t) }
	a.Do = func(t Tab) {
		if of, is := t.(T); is {
			do(of)
			return
		}
		other(t)
	}
	return a
}
