package window

import (
	"fmt"
	"os/exec"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/ui/assets"
	"assay/ui/comparison"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/hex"
	"assay/ui/look"
	"assay/ui/menu"
)

// menus in the order of the bar.
var menus = []string{"File", "Edit", "View", "Go", "Compare", "Help"}

// table lists everything that the user can do, in the order of the menus.
func (w *Window) table() []command {
	var all []command
	for _, part := range [][]command{
		w.fileCommands(), w.editCommands(), w.viewCommands(), w.goCommands(), w.compareCommands(), w.helpCommands(),
		w.tabCommands(), w.letterCommands(),
	} {
		all = append(all, part...)
	}
	return all
}

// always is an action that has nothing to do with the tab.
func always(do func()) action { return action{do: func(Tab) { do() }} }

// onFile is an action on a document that is a file.
func onFile(do func(t *docTab)) action {
	return action{
		can: func(t Tab) bool { d, ok := t.(*docTab); return ok && d.path != "" },
		do:  func(t Tab) { do(t.(*docTab)) },
	}
}

// onPane is an action on a document that is open.
func onPane(do func(p *doc.Pane)) action {
	return action{can: hasPane, do: func(t Tab) { do(paneOf(t)) }}
}

// onAssets is an action on a document whose assets are listed; in a context menu, where the list is in view.
func onAssets(do func(t *docTab)) action {
	return action{
		can: func(t Tab) bool { d, ok := t.(*docTab); return ok && d.assets != nil },
		fit: func(t Tab) bool { d := t.(*docTab); return d.pane.Centre.Panel() == doc.Panel(d.assets) },
		do:  func(t Tab) { do(t.(*docTab)) },
	}
}

// listOf is the list of assets, or of files, in a tab, or nil.
func listOf(t Tab) *assets.Panel {
	switch t := t.(type) {
	case *docTab:
		return t.assets
	case *folderTab:
		return t.list
	}
	return nil
}

// filterAssets puts the keyboard into the filter of a tab's list.
func filterAssets(t Tab) {
	if t, ok := t.(*docTab); ok {
		t.pane.Centre.Show(t.assets)
	}
	listOf(t).FocusFilter()
}

// onNode is one that is offered only where the selected node is fit for it.
func onNode(do func(p *doc.Pane), fit func(d *model.Document, n *model.Node) bool) action {
	a := onPane(do)
	a.fit = func(t Tab) bool {
		s := paneOf(t).Selection()
		return s.Node != nil && fit(s.Document, s.Node)
	}
	return a
}

// onChosen is an action on the selected nodes of a document.
func onChosen(do func(d *model.Document, nodes doc.Nodes)) action {
	return onPane(func(p *doc.Pane) { do(p.Document(), p.Chosen()) })
}

// onFiles is an action on the selected nodes of a document, or on the selected files of a folder.
func onFiles(do func(d *model.Document, nodes doc.Nodes), inFolder func(t *folderTab)) action {
	return action{
		can: func(t Tab) bool { _, folder := t.(*folderTab); return folder || hasPane(t) },
		do: func(t Tab) {
			if t, ok := t.(*folderTab); ok {
				inFolder(t)
				return
			}
			p := paneOf(t)
			do(p.Document(), p.Chosen())
		},
	}
}

// onComparison is an action on a comparison.
func onComparison(do func(c *comparison.Comparison)) action {
	return action{can: hasComparison, do: func(t Tab) { do(comparisonOf(t)) }}
}

func (w *Window) fileCommands() []command {
	x := w.exporting
	return []command{
		{menu: "File", label: "Open…", keys: "Ctrl+O", action: always(w.askOpen)},
		{menu: "File", label: "Open Folder…", keys: "Ctrl+Shift+K", action: always(w.askFolder)},
		{menu: "File", label: openRecent, under: w.recentCommands},
		{menu: "File", label: "Open Sample", under: w.sampleCommands},
		{menu: "File", label: "Reload", keys: "Ctrl+R F5", action: onFile((*docTab).reload)},
		{menu: "File", label: "Show in Folder", keys: "Ctrl+Shift+E", tab: 22,
			action: onFile(func(t *docTab) { w.showInFolder(t.path) })},
		{menu: "File", label: "Choose Resource Folder…", action: action{can: canLackFiles,
			do: func(t Tab) { w.askResources(documentOf(t)) }}},
		{menu: "File", label: "Forget Resource Folder", action: action{can: hasResources,
			do: func(t Tab) { w.forgetResources(documentOf(t)) }}},
		{menu: "File", label: "Reopen Tabs at the Next Start", line: true, action: always(w.toggleReopening),
			checked: func(Tab) bool { return w.prefs.reopens() }},
		{menu: "File", label: "Add to Export", keys: "Ctrl+E", line: true, node: 31,
			action: onFiles(x.Add, func(t *folderTab) { t.paths(t.extract) })},
		{label: "Add More to Export", node: 32, action: action{can: hasPane}, under: w.addCommands},
		{menu: "File", label: "Add All Assets to Export", action: onPane(func(p *doc.Pane) { x.AddAll(p.Document()) })},
		{menu: "File", label: "Export Selected…", node: 33, action: onChosen(x.ExportNodes)},
		{menu: "File", label: "Open With the System's Program", node: 35, action: onChosen(x.OpenOutside)},
		{menu: "File", label: "Close Tab", keys: "Ctrl+W", line: true, tab: 11, action: action{do: w.closeTab}},
		{menu: "File", label: "Quit", keys: "Ctrl+Q", quits: true, action: always(w.quit)},
	}
}

// addCommands are what else can be added to the export list from the menu of a node.
func (w *Window) addCommands(Tab) []command {
	x := w.exporting
	return []command{
		{label: "All of This Type", action: onChosen(x.AddType)},
		{label: "All That the Filter Shows", action: onPane(func(p *doc.Pane) { x.Add(p.Document(), p.Shown()) })},
		{label: "All Assets", action: onPane(func(p *doc.Pane) { x.AddAll(p.Document()) })},
		{label: "The Node Itself, as JSON", line: true, action: onChosen(x.AddNodes)},
		{label: "The Node's Bytes", action: onPane(func(p *doc.Pane) { addBytes(x, p.Selection(), false) })},
	}
}

// addBytes adds the selected range of bytes to the export list, or those of the selected node.
func addBytes(x *exporting.Panel, s doc.Selection, ranged bool) {
	if ranged && s.Length > 0 {
		x.AddBytes(s.Document, model.Span{Offset: s.Offset, Size: s.Length})
	} else if s.Node != nil {
		x.AddBytes(s.Document, s.Node.Span)
	}
}

func (w *Window) editCommands() []command {
	return []command{
		{menu: "Edit", label: "Copy Value", own: "Ctrl+C in the tree", node: 21, action: onPane((*doc.Pane).CopyValue)},
		{menu: "Edit", label: "Copy Path", keys: "Ctrl+Shift+C", node: 22, action: onPane((*doc.Pane).CopyPath)},
		{menu: "Edit", label: "Copy Offset", node: 23, action: onPane((*doc.Pane).CopyOffset)},
		{menu: "Edit", label: "Copy Bytes as", node: 24, bytes: 11, action: action{can: hasPane}, under: copyCommands},
		{label: "Copy Offset", bytes: 12, action: onPane((*doc.Pane).CopyCaret)},
		{menu: "Edit", label: "Checksums of Selection…", bytes: 13, action: overBytes(w.checksums)},
		{menu: "Edit", label: "Strings in Selection…", bytes: 14, action: overBytes(w.texts)},
		{menu: "Edit", label: "Find Bytes…", keys: "Ctrl+F", line: true, bytes: 21, action: onPane((*doc.Pane).Find)},
		{menu: "Edit", label: "Find Next", keys: "F3", action: onPane((*doc.Pane).FindNext)},
		{menu: "Edit", label: "Find Previous", keys: "Shift+F3", action: onPane((*doc.Pane).FindPrevious)},
		{menu: "Edit", label: "Find All", keys: "Ctrl+Enter", action: onPane((*doc.Pane).FindAll)},
		{menu: "Edit", label: "Find in All Open Files…", keys: "Ctrl+Alt+F",
			action: onPane(func(*doc.Pane) { w.findEverywhere() })},
		{menu: "Edit", label: "Filter the Tree", keys: "Ctrl+Shift+F", line: true,
			action: onPane((*doc.Pane).FocusFilter)},
		{menu: "Edit", label: "Filter the Assets", keys: "Ctrl+Shift+A", action: action{
			can: func(t Tab) bool { return listOf(t) != nil }, do: filterAssets}},
		{menu: "Edit", label: "Copy as Files", line: true, node: 34,
			action: onFiles(w.exporting.CopyFiles, (*folderTab).copyFiles)},
		{label: "Add Bytes to Export", bytes: 31,
			action: onPane(func(p *doc.Pane) { addBytes(w.exporting, p.Selection(), true) })},
	}
}

func (w *Window) viewCommands() []command {
	return []command{
		{menu: "View", label: "Group by", action: action{can: hasPane}, under: groupCommands},
		{menu: "View", label: "Expand All Below", own: "Ctrl+Right in the tree", node: 13,
			action: onNode((*doc.Pane).ExpandAll,
				func(_ *model.Document, n *model.Node) bool { return !n.Leaf() })},
		{menu: "View", label: "Collapse All", keys: "Ctrl+`", action: onPane((*doc.Pane).CollapseAll)},
		{menu: "View", label: "Verify Shown Assets", node: 36, action: onAssets(func(t *docTab) { t.assets.Verify() })},
		{menu: "View", label: "Problems", keys: "Ctrl+Shift+M", action: onPane((*doc.Pane).ToggleProblems)},
		{menu: "View", label: "Preview over the Whole Window", keys: "F11", action: action{
			can: func(t Tab) bool { return previewOf(t) != nil }, do: func(t Tab) { previewOf(t).Cover() }}},
		{menu: "View", label: "Bytes per Row", line: true, action: action{can: hasPane}, under: columnCommands},
		{menu: "View", label: "Larger Text", keys: "Ctrl++ Ctrl+= Ctrl+Shift+= Ctrl+Shift++", line: true,
			action: always(func() { w.resizeText(1) })},
		{menu: "View", label: "Smaller Text", keys: "Ctrl+-", action: always(func() { w.resizeText(-1) })},
		{menu: "View", label: "Normal Text", keys: "Ctrl+0", action: always(func() { w.resizeText(0) })},
		{menu: "View", label: "Theme", under: w.themeCommands},
		{menu: "View", label: "Stack / Load Order", line: true, action: always(w.showStack)},
	}
}

func (w *Window) goCommands() []command {
	return []command{
		{menu: "Go", label: "Go to Item…", keys: "Ctrl+P", action: action{do: w.goToItem}},
		{menu: "Go", label: "Go to Offset…", keys: "Ctrl+G", bytes: 22, action: onPane((*doc.Pane).GoToOffset)},
		{menu: "Go", label: "Follow Link", own: "Enter on a link", node: 11, action: onNode((*doc.Pane).Follow,
			func(_ *model.Document, n *model.Node) bool { return n.Link != nil })},
		{menu: "Go", label: "Used by…", keys: "Shift+F12", node: 14, action: onNode(w.usedBy,
			func(_ *model.Document, n *model.Node) bool { return n.Parent != nil })},
		{menu: "Go", label: "Open Asset in a Tab", keys: "Ctrl+Shift+O", node: 12, action: onNode((*doc.Pane).OpenInside,
			func(d *model.Document, _ *model.Node) bool { return d.Payloads != nil })},
		{menu: "Go", label: "Back", keys: "Alt+Left", line: true, action: onPane((*doc.Pane).Back)},
		{menu: "Go", label: "Forward", keys: "Alt+Right", action: onPane((*doc.Pane).Forward)},
		{menu: "Go", label: "Parent", keys: "Ctrl+U", action: onPane((*doc.Pane).Up)},
		{menu: "Go", label: "Next Tab", keys: "Ctrl+Tab Ctrl+PageDown", line: true, action: always(func() { w.tabs.turn(1) })},
		{menu: "Go", label: "Previous Tab", keys: "Ctrl+Shift+Tab Ctrl+PageUp", action: always(func() { w.tabs.turn(-1) })},
		{menu: "Go", label: "Menu Bar", keys: "F10 Alt", line: true, action: always(w.goToMenus)},
		{menu: "Go", label: "Tree", keys: "Ctrl+1", action: onPane((*doc.Pane).Focus)},
		{menu: "Go", label: "Hex", keys: "Ctrl+2", action: onPane((*doc.Pane).FocusHex)},
		{menu: "Go", label: "Assets", keys: "Ctrl+5", action: onAssets(func(t *docTab) {
			t.pane.Centre.Show(t.assets)
			t.assets.Focus()
		})},
		{menu: "Go", label: "Details", keys: "Ctrl+3", action: onPane((*doc.Pane).FocusDetails)},
		{menu: "Go", label: "Export", keys: "Ctrl+4", action: onPane(func(*doc.Pane) {
			w.ShowExport()
			w.exporting.Focus()
		})},
	}
}

func (w *Window) compareCommands() []command {
	c := w.comparer
	all := []command{
		{menu: "Compare", label: "Compare with File…", keys: "Ctrl+D", action: c.on(c.askFile)},
		{menu: "Compare", label: "Compare with Another Tab…", keys: "Ctrl+Shift+D", action: c.on(c.askTab)},
	}
	if _, err := exec.LookPath("git"); err == nil {
		all = append(all, command{menu: "Compare", label: "Compare with Git HEAD", keys: "Ctrl+Shift+H", action: c.on(c.head)},
			command{menu: "Compare", label: "Compare with Git Revision…", action: c.on(c.revision)})
	}
	return append(all, []command{
		{menu: "Compare", label: "Compare Folders…", action: always(c.askFolders)},
		{menu: "Compare", label: "Step through Open Tabs", action: always(c.openFiles)},
		{menu: "Compare", label: "Next Change", keys: "F8", line: true, action: onComparison((*comparison.Comparison).NextChange)},
		{menu: "Compare", label: "Previous Change", keys: "F7", action: onComparison((*comparison.Comparison).PreviousChange)},
		{menu: "Compare", label: "Find in Both", keys: "Ctrl+F", action: onComparison((*comparison.Comparison).Find)},
		{menu: "Compare", label: "Split View", keys: "Ctrl+Shift+T", line: true,
			action: onComparison((*comparison.Comparison).ToggleLayout)},
		{menu: "Compare", label: "Pictures or Bytes", action: onComparison((*comparison.Comparison).TogglePictures)},
		{menu: "Compare", label: "Table of the List", action: onComparison((*comparison.Comparison).ToggleTable)},
		{menu: "Compare", label: "Swap Old and New", keys: "Ctrl+Shift+X", action: onComparison((*comparison.Comparison).Swap)},
		{menu: "Compare", label: "Compare Again", keys: "F5", action: onComparison((*comparison.Comparison).Again)},
		{menu: "Compare", label: "Verify Contents", action: onComparison((*comparison.Comparison).VerifyContents)},
		{menu: "Compare", label: "Add New and Changed Assets to Export", action: onComparison((*comparison.Comparison).ExportChanged)},
		{menu: "Compare", label: "Rules…", action: onComparison((*comparison.Comparison).ShowRules)},
		{menu: "Compare", label: "Copy Report as", line: true, action: action{can: hasComparison},
			under: reportCommands("", (*comparison.Comparison).CopyReport)},
		{menu: "Compare", label: "Save Report as", action: action{can: hasComparison}, under: reportCommands("…", (*comparison.Comparison).SaveReport)},
	}...)
}

func (w *Window) helpCommands() []command {
	return []command{
		{menu: "Help", label: "Shortcuts", keys: "F1", action: always(w.showShortcuts)},
		{menu: "Help", label: "Set as Default Program", line: true, action: always(w.setDefault)},
		{menu: "Help", label: "About Assay", action: always(w.about)},
	}
}

// tabCommands are those of a tab's own menu.
func (w *Window) tabCommands() []command {
	return []command{
		{label: "Close Others", tab: 12, action: action{can: func(Tab) bool { return len(w.tabs.all) > 1 }, do: w.tabs.closeOthers}},
		{label: "Copy File Path", tab: 21, action: onFile(func(t *docTab) { w.Copy(t.path) })},
		{tab: 31, name: func(Tab) string { return "Compare with " + w.tabs.present().Title() }, action: action{
			can: func(t Tab) bool { p := w.tabs.present(); return t != p && w.comparer.can(t) && w.comparer.can(p) },
			do:  w.comparer.withPresent,
		}},
	}
}

func (w *Window) recentCommands(Tab) []command {
	var all []command
	for _, r := range w.recents.known[:min(len(w.recents.known), recentShown)] {
		all = append(all, command{label: recentLabel(r), action: always(func() { w.openFile(r.Path) })})
	}
	if len(all) > 0 {
		all = append(all, command{label: "Clear This List", line: true, action: always(w.clearRecents)})
	}
	return all
}

func (w *Window) sampleCommands(Tab) []command {
	var all []command
	for _, s := range w.options.Samples {
		all = append(all, command{label: s.Name, action: always(func() { w.opener.sample(s) })})
	}
	return all
}

func copyCommands(Tab) []command {
	var all []command
	for _, f := range hex.Forms() {
		all = append(all, command{label: f.String(), action: onPane(func(p *doc.Pane) { p.CopyBytes(f) })})
	}
	return all
}

// openRecent is the label of the menu of recent files.
const openRecent = "Open Recent"

func columnCommands(Tab) []command {
	all := []command{{label: "As Many as Fit", action: onPane(func(p *doc.Pane) { p.SetColumns(0) })}}
	for _, n := range []int{4, 8, 12, 16, 20, 24, 32, 48, 64} {
		all = append(all, command{label: fmt.Sprint(n), action: onPane(func(p *doc.Pane) { p.SetColumns(n) })})
	}
	return all
}

// groupCommands are the orders that a document can be shown in.
func groupCommands(t Tab) []command {
	p := paneOf(t)
	if p == nil || len(p.Groupings()) < 2 {
		return nil
	}
	var all []command
	for i, name := range p.Groupings() {
		all = append(all, command{label: name, action: onPane(func(p *doc.Pane) { p.SetGrouping(i) }),
			checked: func(t Tab) bool { return paneOf(t).Grouping() == i }})
	}
	return all
}

func (w *Window) themeCommands(Tab) []command {
	var all []command
	for _, m := range []struct {
		label string
		mode  look.Mode
	}{{"As the Desktop", look.System}, {"Light", look.Light}, {"Dark", look.Dark}} {
		all = append(all, command{label: m.label, action: always(func() { w.setMode(m.mode) }),
			checked: func(Tab) bool { return w.prefs.mode() == m.mode }})
	}
	return all
}

func reportCommands(dots string, do func(c *comparison.Comparison, form int)) func(Tab) []command {
	return func(Tab) []command {
		var all []command
		for i, name := range comparison.ReportForms() {
			all = append(all, command{label: name + dots, action: onComparison(func(c *comparison.Comparison) { do(c, i) })})
		}
		return all
	}
}

func (w *Window) toggleReopening() {
	w.prefs.setReopens(!w.prefs.reopens())
	w.Changed()
}

// setMenus shows other menus in the bar.
func (w *Window) setMenus(bar *fyne.MainMenu) {
	if w.menus == nil {
		w.win.SetMainMenu(bar)
		return
	}
	w.menus.SetMenus(bar.Items)
}

// letterCommands open the menus of the bar with Alt and their letters.
func (w *Window) letterCommands() []command {
	var all []command
	for i, r := range menu.Letters(menus) {
		all = append(all, command{keys: "Alt+" + strings.ToUpper(string(r)), action: always(func() {
			if w.menus != nil {
				w.menus.Open(i)
			}
		})})
	}
	return all
}

// goToMenus opens the menu bar for the keyboard.
func (w *Window) goToMenus() {
	if w.menus != nil {
		w.menus.Open(0)
	}
}

// closeTab closes a tab; without one, the window.
func (w *Window) closeTab(t Tab) {
	if t == nil {
		w.quit()
		return
	}
	w.tabs.close(t)
}
