// Package window implements Assay's main window: its menus, tabs and status line, and the connections of all components
// in it.
//
// It also contains the start page, which is displayed without tabs.
package window

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/model"
	"assay/model/export"
	"assay/model/folder"
	"assay/ui"
	"assay/ui/ask"
	"assay/ui/command"
	"assay/ui/comparison"
	"assay/ui/comparison/three"
	"assay/ui/desktop"
	"assay/ui/display"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/host"
	"assay/ui/opening"
	"assay/ui/paint"
	"assay/ui/tabs"
	"assay/ui/thumbnail"
	"assay/ui/window/menu"
	"assay/ui/work"
)

// Window is the main window: its widgets, and the components behind them.
type Window struct {
	app         fyne.App
	win         fyne.Window
	options     ui.Options
	style       *paint.Style
	group       *work.Group
	prefs       preferences
	hideOverlay func() // hides the overlay of a tab; called at the next key; may be nil
	workEnded   bool   // all work has ended
	failure     error  // error that closes the window; nil if the user closed it

	tabs               *tabSet
	status             *statusLine
	notices            *host.Bar
	startPage          *StartPage
	commands           command.Set[Tab]
	barText            string // labels and states of the displayed menu bar
	ask                *ask.Asker
	list               *ask.QuickList // the last opened list
	menus              *menu.Bar      // nil if the desktop has a native menu bar
	opener             *opener
	comparer           *comparer
	exporting          *exporting.Panel
	packing            *exporting.Maker
	recents            *recents
	assigner           *assigner
	notebook           *notebook
	undo               *undoStack
	rememberedTabs     *rememberedTabs
	watching           opening.Watcher
	releasing          *work.Lane            // gives back the memory of closed tabs
	descriptionFolders []*opening.File       // the description folders
	folderDocuments    *folder.DocumentCache // caches the files of folders with assets in the export list
}

// newWindow returns the window of an app. Its work ends with the group.
func newWindow(a fyne.App, group *work.Group, o ui.Options) *Window {
	w := &Window{app: a, group: group, options: opening.WithResources(o), style: paint.NewStyle(),
		prefs: preferences{a.Preferences()}}
	keys, problems := command.ReadKeysFile(o.Keys)
	model.SetSeparator(w.prefs.separator())
	own := *keys // replaced when the user changes a shortcut
	w.commands = command.Set[Tab]{Keys: &own, IsBlocked: w.covered, ShowHint: w.ShowHint}
	w.folderDocuments = folder.NewDocumentCache(w.options.Open)
	w.applyLook()
	fonts := paint.ReadFonts()
	w.win = a.NewWindow("Assay")
	fonts()
	group.SetBeforeResult(w.register)
	parse := w.style.Atlas.Parser()
	group.Run(func(context.Context) { parse() })
	w.ask = ask.New(w, w.win, group, w.style)
	for _, k := range o.Kinds {
		w.ask.Extensions = append(w.ask.Extensions, k.Extensions...)
	}
	if o.Recognize != nil {
		w.ask.Recognize, w.ask.Described = w.isSupported, o.DescribedExtensions
	}
	w.notices = host.NewBar()
	w.tabs = newTabSet(w.style)
	w.status = &statusLine{Status: tabs.NewStatus(w.style), group: group, hints: group.Lane(),
		current: w.tabs.current, idle: "Assay " + o.Version, busy: map[Tab]busy{}}
	w.addComponents(o)
	w.commands.Actions = w.actions()
	above := container.New(layout.NewCustomPaddedVBoxLayout(0), w.tabs.strip)
	if runtime.GOOS != "darwin" {
		w.menus = menu.NewBar(w, w.win.Canvas())
		above.Objects = slices.Insert(above.Objects, 0, fyne.CanvasObject(w.menus))
	}
	w.wire()
	w.win.SetContent(container.NewBorder(above, container.NewVBox(w.notices.Content(), w.status), nil, nil,
		w.tabs.body))
	w.win.SetPadded(false)
	w.win.Resize(w.prefs.size())
	w.tabs.show(-1)
	w.recents.reload()
	w.reportKeyProblems(problems)
	return w
}

// addComponents creates the components behind the widgets, and the start page.
func (w *Window) addComponents(o ui.Options) {
	w.opener = &opener{w: w, Reader: opening.Reader{Options: &w.options}, progressDelay: 250 * time.Millisecond}
	w.assigner = &assigner{w: w, store: o.Assignments}
	w.notebook = &notebook{w: w, store: o.Notes}
	w.undo = &undoStack{w: w}
	w.exporting = exporting.New(w, w.win, w.ask, w.style, w.group.Subgroup(), export.PresetFile())
	w.packing = &exporting.Maker{Window: w, Group: w.group, PackerFor: o.PackerFor, Extension: o.Package,
		Open: o.OpenSource}
	w.comparer = &comparer{w: w, Comparer: &opening.Comparer{Window: w, OpenFile: w.options.Open,
		Refers: o.SearchFormats.Refers, Export: w.exporting}}
	w.releasing = w.group.Lane()
	w.recents = &recents{w: w, lane: w.group.Lane(), memory: o.Memory}
	w.startPage = NewStartPage(o, w.Keys(), StartEvents{OnOpen: w.askOpen, OnFolder: w.askFolder,
		OnSample: w.opener.openSample, OnRecent: func(path string) { w.comparer.openFiles([]string{path}, false) },
		OnClear: w.recents.clear, OnSteps: w.showSteps})
	w.tabs.empty = w.startPage.Content()
	w.rememberedTabs = &rememberedTabs{w: w, lane: w.group.Lane()}
	if o.OnRequests != nil { // a second window does not save its tabs
		w.rememberedTabs.memory = o.Memory
	}
}

// register makes the toolkit register all objects of the window again. The toolkit forgets displayed objects that it
// did not look up for a minute, and then ignores their changes: an opened file would stay invisible until the next
// mouse event. It registers objects when it paints the window or checks their sizes.
func (w *Window) register() {
	sizes, ok := w.win.Canvas().(interface{ EnsureMinSize() bool })
	if ok && sizes.EnsureMinSize() {
		w.win.SetPadded(false) // fits the window to a larger content, as the toolkit does when it checks the sizes
	}
}

// wire connects the components with each other and with the toolkit.
func (w *Window) wire() {
	w.tabs.onLeave = w.saveLayout
	w.tabs.onShow = w.tabSelected
	w.tabs.confirmClose = w.confirmLeaving
	w.tabs.onClose = func(t Tab) {
		w.notices.Forget(t)
		w.comparer.tabClosed()
		w.release()
	}
	w.tabs.onTitle = func(title string) {
		if title != "" {
			title += " – "
		}
		w.win.SetTitle(title + "Assay")
	}
	w.tabs.row.OnHint = w.status.SetHint
	w.tabs.row.OnList = w.listTabs
	w.tabs.row.OnMenu = func(i int, pos fyne.Position) {
		w.Menu(w.commands.Context(w.tabs.all[i], func(c command.Command) int { return c.Tab }), pos)
	}
	w.commands.Listen(w.win.Canvas(), w.menus == nil, w.tabs.current)
	w.listenToKeys()
	w.win.SetOnDropped(func(pos fyne.Position, uris []fyne.URI) {
		var files []string
		for _, u := range uris {
			files = append(files, filepath.FromSlash(u.Path()))
		}
		if len(files) == 0 || w.assigner.assignDropped(pos, files) {
			return // without files, it was a drag from this window
		}
		w.comparer.openFiles(files, false)
	})
	w.win.SetCloseIntercept(w.quit)
	w.win.SetMaster()
	w.app.Lifecycle().SetOnStarted(w.exporting.Connect)
	w.app.Lifecycle().SetOnEnteredForeground(func() {
		w.lookForChanges(w.tabs.current())
		w.recents.reload()
		w.notebook.rereadIfCreated()
	})
}

// begin restores the tabs of the last session, and opens the files of the command line.
func (w *Window) begin() {
	w.notebook.watch()
	var selected Tab
	if w.prefs.reopens() && !w.options.Wait {
		selected = w.rememberedTabs.reopen()
	}
	w.rememberedTabs.reopened = true
	switch {
	case w.options.Sample:
		w.openSample()
		w.comparer.openFiles(w.options.Files, false)
	case len(w.options.Files) > 0:
		w.comparer.openFiles(w.options.Files, w.options.Compare)
	case selected != nil:
		w.tabs.reveal(selected)
	}
	w.rememberedTabs.save()
}

// openSample opens the first built-in sample.
func (w *Window) openSample() {
	if len(w.options.Samples) > 0 {
		w.opener.openSample(w.options.Samples[0])
	}
}

// listTabs opens a menu of all tabs.
func (w *Window) listTabs(pos fyne.Position) {
	m := fyne.NewMenu("")
	for i, t := range w.tabs.all {
		item := fyne.NewMenuItem(model.OneLine(t.Title(), 60), func() { w.tabs.reveal(t) })
		item.Checked = i == w.tabs.selected
		m.Items = append(m.Items, item)
	}
	w.Menu(m, pos)
}

// openRequested opens the files that a later start of the program requested, and raises the window.
func (w *Window) openRequested(r desktop.Request) {
	w.register()
	if len(r.Files) > 0 || r.Sample {
		w.closeOverlay()
	}
	if r.Sample {
		w.openSample()
	}
	if n := len(r.Files); r.Compare && (n == 2 || n == 3) {
		w.comparer.compare(r.Files, r.Opened)
	} else {
		w.comparer.openFiles(r.Files, false)
	}
	display.Raise(w.win, w.group, r.Token)
}

// closeOverlay closes a list, menu or other overlay above the tabs that Escape closes. A question stays.
func (w *Window) closeOverlay() {
	if w.list != nil {
		w.list.Close()
	}
	if menu.Close(w.win.Canvas()) {
		return
	}
	if over, ok := w.win.Canvas().Overlays().Top().(fyne.Focusable); ok {
		over.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
}

// quit closes the window. If unsaved changes or a running export would be lost, it asks for a confirmation first.
func (w *Window) quit() {
	if display.Lost(w.win) { // the user cannot be asked
		w.failure = w.displayLostError("Wayland")
		w.close()
		return
	}
	w.leaveTabs(slices.Clone(w.tabs.all))
}

// leaveTabs asks for each of some tabs with unsaved changes, one after the other, and then ends the program.
func (w *Window) leaveTabs(tabs []Tab) {
	for i, t := range tabs {
		if w.confirmLeaving(t, func() { w.leaveTabs(tabs[i+1:]) }) {
			return
		}
	}
	w.quitNow()
}

// quitNow ends the program, after a confirmation if an export is running.
func (w *Window) quitNow() {
	running := w.exporting.Running()
	if running == "" {
		w.close()
		return
	}
	w.ask.Dismiss()
	w.exporting.OnEnd = w.ask.Confirm("Stop the export and quit?",
		running+"\n"+exportStoppedText,
		"Stop and Quit", "Keep Exporting", w.close)
}

// unsavedIn describes the unsaved changes of a tab, or returns "" if there are none. save saves them, and calls done
// if it could.
func unsavedIn(t Tab) (changes string, save func(done func())) {
	if v := partOf[*three.Versions](t); v != nil {
		return v.Unsaved(), v.SaveMerged
	}
	if d, ok := t.(*docTab); ok && d.description != nil {
		return d.description.Unsaved(), d.description.Save
	}
	return "", nil
}

// confirmLeaving asks what to do with the unsaved changes of a tab, and calls leave when they are saved or given up.
// It returns false if there are none.
func (w *Window) confirmLeaving(t Tab, leave func()) bool {
	changes, save := unsavedIn(t)
	if changes == "" {
		return false
	}
	w.tabs.reveal(t)
	w.ask.Dismiss()
	w.ask.Confirm("Save the changes?", changes, "Save", "Keep Open", func() { save(leave) },
		ask.Button{Label: "Don't Save", On: leave})
	return true
}

// exportStoppedText is the end of messages about an interrupted export.
const exportStoppedText = "Finished files are kept, and a report lists the missing ones."

func (w *Window) close() {
	w.end()
	w.win.SetCloseIntercept(nil)
	w.win.Close()
	w.notifyEnded(w.failure)
}

// notifyEnded tells the program that it may end. It may be called on any goroutine. failure is the reason if the user
// did not close the window.
func (w *Window) notifyEnded(failure error) {
	if w.options.OnEnded != nil {
		w.options.OnEnded(failure, w.group.WaitForWrites)
	}
}

// displayLostError returns the error for a lost display, with the export that was interrupted.
func (w *Window) displayLostError(kind string) error {
	text := fmt.Sprintf("lost the connection to the %s display, so the window was closed; its tabs will be restored on the next start", kind)
	if running := w.exporting.Running(); running != "" {
		text += ". " + running + " " + strings.TrimSuffix(exportStoppedText, ".")
	}
	return errors.New(text)
}

// abandon ends all work of a window without a display: any call of the toolkit would block forever.
func (w *Window) abandon(kind string) {
	w.failure = w.displayLostError(kind)
	w.end()
	w.notifyEnded(w.failure)
}

// end saves the state of the window and ends all work, once.
func (w *Window) end() {
	if w.workEnded {
		return
	}
	w.workEnded = true
	w.prefs.setSize(w.win.Canvas().Size())
	w.saveLayout(w.tabs.current())
	w.rememberedTabs.end()
	for _, t := range w.tabs.all {
		t.Close()
	}
	w.exporting.Close()
	w.group.Close()
	w.watching.Close()
	w.folderDocuments.Close()
}

// tabSelected updates the window for the newly selected tab.
func (w *Window) tabSelected(t Tab) {
	w.notices.SetOwner(t)
	if t, ok := t.(*suspendedTab); ok && !t.saved.Opening {
		w.openTab(t)
		return
	}
	if t == nil && w.options.Wait && w.rememberedTabs.reopened {
		w.quit() // the other program waits for the closed tab
		return
	}
	w.moveExportPanel()
	if t, ok := t.(*comparisonTab); ok && t.showsExport() && w.exporting.Len() == 0 {
		t.showExport(false)
	}
	w.Changed()
	w.lookForChanges(t)
	w.rememberedTabs.save()
}

// thumbnails returns the options for drawing assets.
func (w *Window) thumbnails() thumbnail.Options {
	o := thumbnail.Options{Cache: w.options.Thumbnails}
	if w.options.OpenSource != nil {
		o.Open = func(ctx context.Context, src *model.Source) (*model.Document, error) {
			return w.opener.Decoder(w.opener.AssetFormat(src))(ctx, src)
		}
	}
	return o
}

// thumbnails returns the options for drawing assets of the tab. A file that is being drawn is recorded.
func (t *docTab) thumbnails() thumbnail.Options {
	o := t.w.thumbnails()
	if memory, path := t.w.rememberedTabs.memory, t.Path; memory != nil && path != "" {
		o.OnDraw = func() (end func()) { return memory.Drawing(path) }
	}
	return o
}

// saveLayout saves the layout of a document tab.
func (w *Window) saveLayout(t Tab) {
	if p := partOf[*doc.Pane](t); p != nil {
		w.prefs.setLayout(p.Layout())
	}
}

// lookForChanges checks the files of a tab.
func (w *Window) lookForChanges(t Tab) {
	switch t := t.(type) {
	case *docTab:
		t.checkFile()
	case *folderTab:
		t.LookForChanges()
	default:
		if c := partOf[*comparison.Comparison](t); c != nil {
			c.LookForChanges()
		}
	}
}

// changedOnDisk checks the tabs of a file that was written, replaced or removed.
func (w *Window) changedOnDisk(path string) {
	if t, ok := w.opener.tabOf(path).(*docTab); ok {
		t.checkFile()
	}
	for _, t := range w.tabs.all {
		switch t := t.(type) {
		case *docTab:
			t.descriptionChanged(path)
		case *comparisonTab:
			t.changedOnDisk(path)
		}
	}
	w.descriptionsChanged(path)
	w.notebook.changedOnDisk(path)
	w.recents.reload()
}

// showRecents updates the recent files in the menu and on the start page.
func (w *Window) showRecents(all []Recent) {
	w.startPage.SetRecent(all)
	w.barText = "" // describe does not distinguish files with equal labels
	w.Changed()
}

func (w *Window) openFile(path string) { w.opener.openFile(path, nil) }

func (w *Window) askOpen() {
	w.AskFile("Open", func(path string) {
		w.prefs.setFolder(filepath.Dir(path))
		w.openFile(path)
	})
}

// folder returns the folder of the last opened file.
func (w *Window) folder() string {
	if w.options.Memory != nil && w.options.Memory.Folder() != "" {
		return w.options.Memory.Folder()
	}
	return w.prefs.folder()
}

// Choose opens a list to choose from. It displays blank if there are no items for an empty query.
func (w *Window) Choose(placeholder, blank string,
	search func(ctx context.Context, query string, show func([]ask.Item))) {
	w.list = ask.ShowQuickList(w.win.Canvas(), w.style, w.group, placeholder, blank, search)
}

// Tab is the content of a tab of the window, such as a document or a comparison.
type Tab = opening.Tab
