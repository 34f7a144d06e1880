package window

import (
	"maps"
	"os/exec"
	"strings"

	"assay/model"
	"assay/ui/assets"
	"assay/ui/command"
	"assay/ui/comparison"
	"assay/ui/comparison/three"
	"assay/ui/doc"
	"assay/ui/files"
	"assay/ui/preview"
)

// The actions of the window receive the current tab, or nil if there is none.
type (
	action  = command.Action[Tab]
	item    = command.Item[Tab]
	actions = map[command.ID]action
)

// actions returns the actions of the window by command ID.
func (w *Window) actions() actions {
	all := actions{}
	for _, part := range []actions{
		w.fileActions(), w.exportActions(), w.tabActions(), w.editActions(), w.findActions(), w.notebook.actions(),
		w.viewActions(), w.goActions(), w.focusActions(), w.compareActions(), w.comparisonActions(), w.menuActions(),
	} {
		maps.Copy(all, part)
	}
	return all
}

// always returns an action that does not depend on the tab.
func always(do func()) action { return action{Do: func(Tab) { do() }} }

// onFile returns an action on a document with a file.
func onFile(do func(t *docTab)) action {
	return action{
		IsEnabled: func(t Tab) bool { d, ok := t.(*docTab); return ok && d.Path != "" },
		Do:        func(t Tab) { do(t.(*docTab)) },
	}
}

// composed is a tab that consists of parts.
type composed interface {
	// parts returns the parts that are not nil, parts in view before enclosing ones.
	parts() []any
}

// maximizable is a part that can be maximized over the window, or has a panel that can.
type maximizable interface{ ToggleMaximized() }

// lookUp returns a tab or the first of its parts that is a T; false if there is none.
func lookUp[T any](t Tab) (found T, ok bool) {
	if found, ok = t.(T); ok {
		return found, true
	}
	if c, isComposed := t.(composed); isComposed {
		for _, part := range c.parts() {
			if found, ok = part.(T); ok {
				return found, true
			}
		}
	}
	return found, false
}

// partOf returns the T that a tab is or has, or the zero T if there is none.
func partOf[T any](t Tab) T {
	found, _ := lookUp[T](t)
	return found
}

// has reports whether a tab is a T or has one.
func has[T any](t Tab) bool {
	_, ok := lookUp[T](t)
	return ok
}

// onPart returns an action on the T that a tab is or has.
func onPart[T any](do func(part T)) action {
	return action{IsEnabled: has[T], Do: func(t Tab) { do(partOf[T](t)) }}
}

// onAssets returns an action on a document with listed assets. Context menus contain it only if the list is visible.
func onAssets(do func(t *docTab)) action {
	return action{
		IsEnabled:   func(t Tab) bool { d, ok := t.(*docTab); return ok && d.assets != nil },
		FitsContext: func(t Tab) bool { d := t.(*docTab); return d.pane.Center.Panel() == doc.Panel(d.assets) },
		Why:         whyWithoutAssets,
		Do:          func(t Tab) { do(t.(*docTab)) },
	}
}

// whyWithoutAssets returns the reason why a document has no list of assets, or "" for other tabs.
func whyWithoutAssets(t Tab) string {
	d, ok := t.(*docTab)
	switch {
	case !ok:
		return ""
	case d.pane.Document().Payloads == nil || d.pane.Document().Payloads.Len() == 0:
		return "This file has no assets."
	}
	return "This file has no list of assets because it has only one."
}

// filterAssets focuses the filter of a tab's list.
func filterAssets(t Tab) {
	if t, ok := t.(*docTab); ok {
		t.pane.Center.Show(t.assets)
	}
	partOf[*assets.Panel](t).FocusFilter()
}

// onNode returns an action that context menus contain only if fit accepts the selected node.
func onNode(do func(p *doc.Pane), fit func(d *model.Document, n *model.Node) bool) action {
	a := onPart(do)
	a.FitsContext = func(t Tab) bool {
		s := partOf[*doc.Pane](t).Selection()
		return s.Node != nil && fit(s.Document, s.Node)
	}
	return a
}

func onSelected(do func(d *model.Document, nodes doc.Nodes)) action {
	return onPart(func(p *doc.Pane) { do(p.Document(), p.TopSelected()) })
}

// onFiles returns an action on the selected nodes of a document, or on the selected files of a folder.
func onFiles(do func(d *model.Document, nodes doc.Nodes), inFolder func(f *files.Folder)) action {
	return action{
		IsEnabled: func(t Tab) bool { return has[*folderTab](t) || has[*doc.Pane](t) },
		Do: func(t Tab) {
			if t, ok := t.(*folderTab); ok {
				inFolder(t.Folder)
				return
			}
			p := partOf[*doc.Pane](t)
			do(p.Document(), p.TopSelected())
		},
	}
}

// copyFiles copies the assets of nodes as files, in their folders if folders are selected in the list of assets.
func (w *Window) copyFiles(d *model.Document, nodes doc.Nodes) {
	var folders []string
	if t, ok := w.tabs.current().(*docTab); ok && t.assets != nil && t.pane.Center.Panel() == doc.Panel(t.assets) {
		folders = t.assets.SelectedFolders()
	}
	w.exporting.CopyFiles(d, nodes, folders...)
}

// contactSheetAction returns the action that saves a contact sheet: of the assets in the open folder of a list, else of
// the selected nodes.
func (w *Window) contactSheetAction() action {
	a := onFiles(func(d *model.Document, nodes doc.Nodes) { w.exporting.SaveSheet(d, nodes, w.thumbnails()) },
		(*files.Folder).SaveSheet)
	fallback := a.Do
	a.Do = func(t Tab) {
		if d, ok := t.(*docTab); ok && d.assets != nil && d.pane.Center.Panel() == doc.Panel(d.assets) {
			document := d.pane.Document()
			w.exporting.SaveSheet(document, doc.AssetNodes(document, d.assets.CommandAssets(), false), w.thumbnails())
			return
		}
		fallback(t)
	}
	return a
}

// withCheck returns a with a check mark, which is visible while isChecked returns true.
func withCheck(a action, isChecked func(t Tab) bool) action {
	a.IsChecked = isChecked
	return a
}

// menuAction returns an action that opens a menu for a document.
func menuAction(items func(t Tab) []item) action {
	return action{IsEnabled: has[*doc.Pane], Submenu: items}
}

func (w *Window) fileActions() actions {
	return actions{
		"file.open":                always(w.askOpen),
		"file.open-folder":         always(w.askFolder),
		"file.describe":            {IsEnabled: w.canDescribe, Do: func(t Tab) { w.describe(t.(*docTab)) }},
		"file.save-description":    {IsEnabled: isDescribed, Do: func(t Tab) { t.(*docTab).description.Save(nil) }},
		"file.open-as":             {IsEnabled: w.canOpenAs, Do: func(t Tab) { w.askFormat(t.(*docTab)) }},
		"file.add-descriptions":    {IsEnabled: w.supportsDescriptionFolders, Do: func(Tab) { w.askDescriptions(func() {}) }},
		"file.remove-descriptions": {IsEnabled: w.supportsDescriptionFolders, Do: func(Tab) { w.askDescriptionsToRemove() }},
		command.OpenRecent:         {Submenu: w.recentItems},
		"file.open-sample":         {Submenu: w.sampleItems},
		"file.reload": forTab(forTab(forTab(onFile((*docTab).reload), (*usesTab).Reload), (*findTab).Search),
			(*folderTab).Scan),
		"file.show-in-folder": onFile(func(t *docTab) { w.showInFolder(t.Path) }),
		"file.choose-resources": {IsEnabled: canReferToFiles,
			Do: func(t Tab) { w.askResources(partOf[*model.Document](t)) }},
		"file.forget-resources": {IsEnabled: hasResources,
			Do: func(t Tab) { w.forgetResources(partOf[*model.Document](t)) }},
		"file.reopen-tabs": withCheck(always(w.toggleReopening), func(Tab) bool { return w.prefs.reopens() }),
		"file.quit":        always(w.quit),
		"help.field":       {IsEnabled: canExplainField, Do: func(t Tab) { w.showPage(partOf[*doc.Pane](t).Meaning()) }},
		"help.steps":       always(w.showSteps),
		"help.formats":     always(func() { w.manual() }),
		"help.shortcuts":   always(w.showShortcuts),
		"help.filters":     always(w.explainFilters),
		"help.set-default": always(w.setDefault),
		"help.about":       always(w.showAbout),
	}
}

func (w *Window) exportActions() actions {
	x := w.exporting
	return actions{
		"package.folder": {IsEnabled: func(Tab) bool { return w.options.PackerFor != nil },
			Do: func(Tab) { w.packing.FromFolder() }},
		"package.list": {IsEnabled: func(Tab) bool { return x.Len() > 0 }, Do: func(Tab) { w.packing.FromList(x) }},
		"package.replace": onNode(w.replaceAsset,
			func(d *model.Document, n *model.Node) bool { return d.Packer != nil && n.Key != "" }),
		"export.add":       onFiles(x.Add, func(f *files.Folder) { f.Paths(f.AddToExport) }),
		"export.add-more":  menuAction(w.exportItems),
		"export.list":      {IsEnabled: func(Tab) bool { return x.Len() > 0 }, Do: func(Tab) { x.Export() }},
		"export.add-all":   onPart(func(p *doc.Pane) { x.AddAll(p.Document()) }),
		"export.add-bytes": onPart(func(p *doc.Pane) { addBytes(x, p.Selection(), true) }),
		"export.selected":  onSelected(x.ExportNodes),
		"export.again":     {IsEnabled: func(Tab) bool { return x.CanRepeat() }, Do: func(Tab) { x.Again() }},
		"export.open":      onSelected(x.OpenOutside),
		"export.sheet":     w.contactSheetAction(),
		"edit.copy-files":  onFiles(w.copyFiles, (*files.Folder).CopyFiles),
		"edit.copy-names":  onFiles(x.CopyNames, (*files.Folder).CopyNames),
	}
}

// tabActions returns the actions of the context menu of a tab.
func (w *Window) tabActions() actions {
	return actions{
		"tab.close":        {Do: w.closeTab},
		"tab.close-others": {IsEnabled: func(Tab) bool { return len(w.tabs.all) > 1 }, Do: w.tabs.closeOthers},
		"tab.reopen":       {IsEnabled: func(Tab) bool { return len(w.tabs.closed) > 0 }, Do: func(Tab) { w.reopenClosed() }},
		"tab.copy-path":    onFile(func(t *docTab) { w.Copy(t.Path) }),
		"tab.compare": {
			Name: func(Tab) string { return "Compare with " + w.tabs.current().Title() },
			IsEnabled: func(t Tab) bool {
				p := w.tabs.current()
				return t != p && w.comparer.canCompare(t) && w.comparer.canCompare(p)
			},
			Do: w.comparer.compareWithCurrent,
		},
	}
}

func (w *Window) editActions() actions {
	return actions{
		"edit.undo": {IsEnabled: func(t Tab) bool { return choicesOf(t) != nil || w.undo.last() != nil },
			Name: func(t Tab) string {
				if choicesOf(t) != nil {
					return "Undo Last Choice"
				}
				return w.undo.name()
			},
			Do: func(t Tab) {
				if c := choicesOf(t); c != nil {
					c.Undo()
				} else {
					w.undo.undo()
				}
			}},
		"edit.settings":      always(func() { w.showSettings(0) }),
		"edit.assign":        {IsEnabled: w.assigner.canAssign, FitsContext: w.assigner.hasTarget, Do: w.assigner.askMaterial},
		"edit.assignments":   {IsEnabled: w.assigner.hasAssignments, Do: w.assigner.listAssignments},
		"edit.copy-value":    onPart((*doc.Pane).CopyValue),
		"edit.copy-path":     onPart((*doc.Pane).CopyPath),
		"edit.copy-offset":   onPart((*doc.Pane).CopyOffset),
		"edit.copy-caret":    onPart((*doc.Pane).CopyCaret),
		"edit.copy-bytes":    menuAction(copyItems),
		"edit.checksums":     onBytes(w.listChecksums),
		"edit.strings":       onBytes(w.listStrings),
		"edit.describe":      onBytes(w.describeBytes),
		"edit.filter-tree":   onPart((*doc.Pane).FocusFilter),
		"edit.filter-assets": {IsEnabled: has[*assets.Panel], Why: whyWithoutAssets, Do: filterAssets},
	}
}

func (w *Window) findActions() actions {
	return actions{
		"edit.find":          w.findAction(),
		"edit.find-next":     onPart(searcher.FindNext),
		"edit.find-previous": onPart(searcher.FindPrevious),
		"edit.find-all":      {IsEnabled: has[*doc.Pane], Do: findAll},
		"edit.find-everywhere": {IsEnabled: func(t Tab) bool { return folderOf(t) != "" || has[*doc.Pane](t) },
			Name: func(t Tab) string {
				if folderOf(t) != "" {
					return "Find in This Folder…"
				}
				return command.ByID("edit.find-everywhere").Label
			},
			Do: w.findFrom},
		"edit.find-files": {Do: w.askFindFiles},
		"compare.find":    onPart((*comparison.Comparison).FocusFind),
	}
}

// findAll lists the matches in the bytes of a document: of the text in the filter if its list of assets is in view.
func findAll(t Tab) {
	p := partOf[*doc.Pane](t)
	if t, ok := t.(*docTab); ok && t.assets != nil && p.Center.Panel() == doc.Panel(t.assets) {
		p.FindText(t.assets.Filter())
	}
	p.FindAll()
}

// searcher is implemented by documents and comparisons.
type searcher interface {
	FindNext()
	FindPrevious()
}

func (w *Window) viewActions() actions {
	return actions{
		"view.group": menuAction(groupItems),
		"view.expand": onNode((*doc.Pane).ExpandAll,
			func(_ *model.Document, n *model.Node) bool { return !n.Leaf() }),
		"view.collapse": onPart((*doc.Pane).CollapseAll),
		"view.verify":   onAssets(func(t *docTab) { t.assets.Verify() }),
		"view.problems": onPart((*doc.Pane).ToggleProblems),
		command.LargePreview: {IsEnabled: has[*preview.Preview], Do: func(t Tab) {
			p := partOf[*preview.Preview](t)
			p.SetLarge(!p.IsLarge())
		},
			IsChecked: func(t Tab) bool { return has[*preview.Preview](t) && partOf[*preview.Preview](t).IsLarge() }},
		command.FullWindow: onPart(maximizable.ToggleMaximized),
		"view.columns":     menuAction(columnItems),
		"view.larger":      always(func() { w.resizeText(1) }),
		"view.smaller":     always(func() { w.resizeText(-1) }),
		"view.normal":      always(func() { w.resizeText(0) }),
		"view.theme":       {Submenu: w.themeItems},
		"view.stack":       always(w.showStack),
	}
}

func (w *Window) goActions() actions {
	return actions{
		"go.item":   {Do: w.goToItem},
		"go.offset": onPart((*doc.Pane).GoToOffset),
		"go.link": onNode((*doc.Pane).Follow,
			func(_ *model.Document, n *model.Node) bool { return n.Link != nil }),
		"go.used-by": onNode(w.listReferences,
			func(_ *model.Document, n *model.Node) bool { return n.Parent != nil }),
		"go.open-asset": onNode((*doc.Pane).OpenInside,
			func(d *model.Document, _ *model.Node) bool { return d.Payloads != nil }),
		"go.open-asset-as": {
			IsEnabled:   w.canOpenAs,
			FitsContext: func(t Tab) bool { return partOf[*doc.Pane](t).Document().Payloads != nil },
			Do:          func(t Tab) { w.askAssetFormat(t.(*docTab)) }},
		"go.uses":         {Do: w.showUsesOf},
		"go.back":         w.backAction(),
		"go.forward":      w.forwardAction(),
		"go.parent":       forTab(onPart((*doc.Pane).Up), func(t *folderTab) { t.List().EnterParent() }),
		"go.next-tab":     always(func() { w.tabs.selectBeside(1) }),
		"go.previous-tab": always(func() { w.tabs.selectBeside(-1) }),
	}
}

// focusActions returns the actions that focus a part of the window.
func (w *Window) focusActions() actions {
	return actions{
		"go.menus": always(func() { w.openMenu(0) }),
		"go.tree":  onPart((*doc.Pane).Focus),
		"go.hex":   onPart((*doc.Pane).FocusHex),
		"go.text": {IsEnabled: func(t Tab) bool { p := partOf[*doc.Pane](t); return p != nil && p.IsText() },
			Why: func(t Tab) string {
				if _, ok := t.(*docTab); !ok {
					return ""
				}
				return "This file is not text."
			},
			Do: func(t Tab) { partOf[*doc.Pane](t).FocusText() }},
		"go.description": {IsEnabled: isDescribed, Why: w.whyNotDescribed, Do: func(t Tab) {
			t.(*docTab).pane.Center.Show(t.(*docTab).description)
			t.(*docTab).description.Focus()
		}},
		"go.assets": onAssets(func(t *docTab) {
			t.pane.Center.Show(t.assets)
			t.assets.Focus()
		}),
		"go.details": onPart((*doc.Pane).FocusDetails),
		"go.export": {IsEnabled: func(t Tab) bool { return has[*doc.Pane](t) || has[*folderTab](t) }, Do: func(Tab) {
			w.ShowExport()
			w.exporting.Focus()
		}},
	}
}

func (w *Window) compareActions() actions {
	c := w.comparer
	all := actions{
		"compare.file":    c.onSide(c.CompareWithFile),
		"compare.tab":     c.onSide(c.askTab),
		"compare.folders": always(c.CompareChosenFolders),
		"compare.tabs":    always(c.compareTabs),
	}
	if _, err := exec.LookPath("git"); err == nil {
		all["compare.git-head"], all["compare.git-revision"] = c.onSide(c.CompareWithHead), c.onSide(c.CompareWithRevision)
	}
	return all
}

func (w *Window) comparisonActions() actions {
	return actions{
		"compare.next":           onPart(changeList.NextChange),
		"compare.previous":       onPart(changeList.PreviousChange),
		"compare.next-field":     onPart(func(c *comparison.Comparison) { c.NextField() }),
		"compare.previous-field": onPart(func(c *comparison.Comparison) { c.PreviousField() }),
		"compare.again":          onPart(changeList.Reload),
		"compare.next-pair":      onPart(func(c *comparison.Comparison) { c.StepPair(1) }),
		"compare.previous-pair":  onPart(func(c *comparison.Comparison) { c.StepPair(-1) }),
		"compare.patch": {IsEnabled: canPatch, Do: func(t Tab) {
			found := partOf[*comparison.Comparison](t).Result()
			w.packing.Patch(found.Old, found.New)
		}},
		"merge.mine":       onPart((*three.Versions).TakeMine),
		"merge.theirs":     onPart((*three.Versions).TakeTheirs),
		"merge.both":       onPart((*three.Versions).TakeBoth),
		"merge.save":       onPart(func(v *three.Versions) { v.SaveMerged(nil) }),
		"compare.split":    onPart((*comparison.Comparison).ToggleLayout),
		"compare.pictures": onPart((*comparison.Comparison).TogglePreviews),
		"compare.table":    onPart((*comparison.Comparison).ToggleTable),
		"compare.swap":     onPart(twoVersions.Swap),
		"compare.verify":   onPart((*comparison.Comparison).VerifyContents),
		"compare.export":   onPart(twoVersions.AddChangedToExport),
		"compare.rules":    onPart(twoVersions.ShowRules),
		"compare.copy-report": {IsEnabled: has[*comparison.Comparison],
			Submenu: reportItems("", (*comparison.Comparison).CopyReport)},
		"compare.save-report": {IsEnabled: has[*comparison.Comparison],
			Submenu: reportItems("…", (*comparison.Comparison).SaveReport)},
	}
}

// choicesOf returns the three-way merge in a tab if a choice in it can be undone, or nil.
func choicesOf(t Tab) *three.Versions {
	if v := partOf[*three.Versions](t); v != nil && v.CanUndo() {
		return v
	}
	return nil
}

// changeList is implemented by comparisons of files, of folders and of three versions.
type changeList interface {
	NextChange()
	PreviousChange()
	Reload()
}

// twoVersions is implemented by comparisons of two versions of files or folders.
type twoVersions interface {
	Swap()
	ShowRules()
	AddChangedToExport()
}

// menuActions returns the actions that open the menus of the bar.
func (w *Window) menuActions() actions {
	all := actions{}
	for i, name := range command.Menus {
		all[command.ID("menu."+strings.ToLower(name))] = always(func() { w.openMenu(i) })
	}
	return all
}

func (w *Window) toggleReopening() {
	w.prefs.setReopens(!w.prefs.reopens())
	w.Changed()
}

// openMenu opens a menu of the bar and focuses it.
func (w *Window) openMenu(i int) {
	if w.menus != nil {
		w.menus.Open(i)
	}
}

// closeTab closes a tab, if there is one. Only Quit closes the window.
func (w *Window) closeTab(t Tab) {
	if t != nil {
		w.tabs.close(t)
	}
}

// canPatch reports whether both files of a comparison are packages of a format that can be written.
func canPatch(t Tab) bool {
	c := partOf[*comparison.Comparison](t)
	if c == nil || c.Result() == nil {
		return false
	}
	old, new := c.Result().Old, c.Result().New
	return new.Packer != nil && old.Packer == new.Packer
}

// replaceAsset creates a patch that replaces the content of the selected asset.
func (w *Window) replaceAsset(p *doc.Pane) {
	if s := p.Selection(); s.Node != nil {
		w.packing.Replace(s.Document, s.Node)
	}
}
