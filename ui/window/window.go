package window

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"assay/ui"
	"assay/ui/desktop"
	"assay/ui/exporting"
	"assay/ui/look"
	"assay/ui/notice"
	"assay/ui/paint"
	"assay/ui/quick"
	"assay/ui/start"
	"assay/ui/status"
	"assay/ui/tabs"
	"assay/ui/work"
)

// Window is the main window.
type Window struct {
	app     fyne.App
	win     fyne.Window
	options ui.Options
	style   *paint.Style
	group   *work.Group
	prefs   preferences

	tabs    *tabs.Tabs
	strip   *fyne.Container // the row of tabs; empty without any
	body    *fyne.Container
	notices *notice.Bar
	status  *status.Status
	page    *start.Page
	list    *quick.List
	dialog  *dialog.FileDialog // the one that is open

	all       []Tab
	present   int
	busy      map[Tab]busy
	commands  commands
	hints     *work.Lane
	exporting *exporting.Panel

	recent           []start.Recent
	recents, keeping *work.Lane
	writing          sync.Mutex       // of the tabs
	ended            bool             // all work is over
	begun            bool             // the tabs of last time have been asked for
	watcher          *desktop.Watcher // nil if nothing can be watched
	pair             []string         // files that were opened together and are not both open yet
	// onCompare opens a comparison in a tab; nil if there is none to be had.
	onCompare func(old, new compared)
}

// busy is what goes on in a tab.
type busy struct {
	what  string
	share float64
	stop  func()
}

// Run shows the window until it is closed.
func Run(ctx context.Context, o ui.Options) error {
	if dir, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(dir, 0o700) // a new account has none; the toolkit makes folders in it only, and complains
	}
	if err := chooseDisplay(); err != nil {
		return err
	}
	said := &complaints{out: log.Writer()}
	log.SetOutput(said)
	a := app.NewWithID(desktop.AppID)
	if len(o.Icon) > 0 {
		a.SetIcon(fyne.NewStaticResource("icon.png", o.Icon))
	}
	w := New(a, work.New(ctx), o)
	stop := context.AfterFunc(ctx, func() { fyne.Do(a.Quit) })
	defer stop()
	if o.Sample && len(o.Samples) > 0 {
		w.OpenSample(o.Samples[0])
	}
	w.startWatching()
	w.begin()
	if o.Later != nil {
		w.group.Go(func(ctx context.Context) func() {
			o.Later(func(r desktop.Request) { w.group.Show(ctx, func() { w.OpenLater(r) }) })
			return nil
		})
	}
	identify()
	w.win.Show()
	if !w.isOpen() {
		w.end()
		return fmt.Errorf("the window cannot open (%s): Assay needs OpenGL 2.1; use a verb such as tree or verify, which "+
			"needs no window", cmp.Or(said.cause(), "the toolkit does not say why"))
	}
	said.pass()
	if o.Token != "" {
		w.raise(o.Token)
	}
	a.Run()
	w.end() // a signal ends the program without a word to the window
	return nil
}

// begin opens what the program was started with, or the tabs of last time.
func (w *Window) begin() {
	w.begun = true
	if len(w.options.Files) > 0 || w.options.Sample {
		w.OpenAll(w.options.Files, w.options.Compare)
		return
	}
	w.reopen()
}

// New makes the window of an app. Its work ends with the group.
func New(a fyne.App, group *work.Group, o ui.Options) *Window {
	w := &Window{app: a, group: group, options: o, style: paint.NewStyle(), present: -1, busy: map[Tab]busy{}}
	w.hints, w.recents, w.keeping = group.Lane(), group.Lane(), group.Lane()
	w.prefs = preferences{a.Preferences()}
	w.applyLook()
	w.style.Atlas.UseSystemFonts(func() { fyne.Do(func() { w.win.Content().Refresh() }) })
	w.win = a.NewWindow("Assay")
	w.tabs = tabs.New(w.style)
	w.tabs.Closable = true
	w.tabs.OnSelect = w.Show
	w.tabs.OnClose = w.CloseTab
	w.tabs.OnMenu = func(i int, at fyne.Position) {
		w.popUpMenu(w.commands.context(w.all[i], func(c *command) int { return c.tab }), at)
	}
	w.tabs.OnHint = func(hint string) { w.status.SetHint(hint) }
	w.strip = container.NewStack()
	w.body = container.NewStack()
	w.notices = notice.NewBar()
	w.status = status.New(w.style)
	w.page = start.New(o, start.Events{OnOpen: w.AskOpen, OnSample: w.OpenSample, OnRecent: w.Open, OnClear: w.clearRecent})
	w.onCompare = w.compareTwo
	w.startExporting()
	w.commands = commands{all: w.table(), present: w.Present, covered: w.covered}
	w.remenu()
	w.win.SetContent(container.NewBorder(container.NewVBox(w.strip, w.notices.Content()), w.status, nil, nil, w.body))
	w.win.SetPadded(false)
	w.win.SetOnDropped(func(_ fyne.Position, uris []fyne.URI) {
		var files []string
		for _, u := range uris {
			files = append(files, u.Path())
		}
		w.OpenAll(files, false)
	})
	w.win.Canvas().SetOnTypedKey(func(k *fyne.KeyEvent) { w.key(k, false) })
	w.commands.listen(w.win.Canvas())
	w.win.SetCloseIntercept(w.quit)
	w.win.SetMaster()
	a.Lifecycle().SetOnEnteredForeground(func() {
		w.lookForChanges()
		w.listRecent()
	})
	w.win.Resize(w.prefs.size())
	w.retitle()
	w.Show(-1)
	w.listRecent()
	return w
}

// OpenLater opens what a later start of the program asked for, and raises the window.
func (w *Window) OpenLater(r desktop.Request) {
	w.OpenAll(r.Files, r.Compare)
	w.raise(r.Token)
}

// Window is the toolkit's window.
func (w *Window) Window() fyne.Window { return w.win }

// quit closes the window.
func (w *Window) quit() {
	w.end()
	w.win.SetCloseIntercept(nil)
	w.win.Close()
}

// end remembers how the window was and ends all work, once.
func (w *Window) end() {
	if w.ended {
		return
	}
	w.ended = true
	w.prefs.setSize(w.win.Canvas().Size())
	w.saveLayout()
	w.keepTabsAtLast()
	for _, t := range w.all {
		t.Close()
	}
	w.exporting.Close()
	w.group.Close()
	if w.watcher != nil {
		go w.watcher.Close() // it may be telling of a change, and that waits for this thread
	}
}

// Tabs are the tabs of the window.
func (w *Window) Tabs() []Tab { return w.all }

// Present is the tab in view, or nil.
func (w *Window) Present() Tab {
	if w.present < 0 || w.present >= len(w.all) {
		return nil
	}
	return w.all[w.present]
}

// Add puts a tab behind the others and shows it.
func (w *Window) Add(t Tab) {
	w.all = append(w.all, t)
	w.retitle()
	w.Show(len(w.all) - 1)
}

// Show brings a tab into view; -1 is the empty window's page.
func (w *Window) Show(i int) {
	if i >= len(w.all) {
		return
	}
	w.saveLayout()
	w.present = i
	w.tabs.SetSelected(i)
	if i < 0 {
		w.body.Objects = []fyne.CanvasObject{w.page.Content()}
	} else {
		w.body.Objects = []fyne.CanvasObject{w.all[i].Content()}
	}
	w.takeExporting()
	w.body.Refresh()
	if t := w.Present(); t != nil {
		t.Focus()
	}
	w.restatus()
	w.retitle()
	w.lookForChanges()
	w.keepTabs()
}

// CloseTab closes a tab and shows its neighbour.
func (w *Window) CloseTab(i int) {
	if i < 0 || i >= len(w.all) {
		return
	}
	w.saveLayout()
	t := w.all[i]
	w.all = append(w.all[:i:i], w.all[i+1:]...)
	delete(w.busy, t)
	to := w.present
	if i < to || to >= len(w.all) {
		to--
	}
	w.present = -1 // what is closed has no layout to remember any more
	w.retitle()
	w.Show(to)
	t.Close()
}

// Replace puts a tab where another one is.
func (w *Window) Replace(old, t Tab) {
	for i := range w.all {
		if w.all[i] == old {
			w.all[i] = t
			delete(w.busy, old)
			w.retitle()
			if i == w.present {
				w.present = -1
				w.Show(i)
			}
			return
		}
	}
	t.Close() // the old one was closed in the meantime
}

// retitle shows the tabs' titles, and the present one's on the window.
func (w *Window) retitle() {
	var titles []tabs.Tab
	for _, t := range w.all {
		tab := tabs.Tab{Title: t.Title(), Hint: t.Hint()}
		if d, ok := t.(*docTab); ok {
			tab.Badge = d.stale
		}
		titles = append(titles, tab)
	}
	w.tabs.SetTabs(titles)
	w.tabs.SetSelected(w.present)
	if want := len(w.all) > 0; want != (len(w.strip.Objects) > 0) {
		w.strip.Objects = nil
		if want {
			w.strip.Objects = []fyne.CanvasObject{w.tabs}
		}
		w.strip.Refresh()
	}
	title := "Assay"
	if t := w.Present(); t != nil {
		title = t.Title()
		if d, ok := t.(*docTab); ok && d.stale != "" {
			title += " (" + d.stale + ")"
		}
		title += " – Assay"
	}
	w.win.SetTitle(title)
}

// restatus shows the status of the tab in view.
func (w *Window) restatus() {
	w.remenu()
	t := w.Present()
	if t == nil {
		w.status.Set(nil, []status.Segment{{Text: "Assay " + w.options.Version, Tone: status.Dim}})
		w.status.SetBusy("", 0, nil)
		return
	}
	w.status.SetHint("")
	w.status.Set(t.Status())
	b := w.busy[t]
	w.status.SetBusy(b.what, b.share, b.stop)
}

// setBusy shows that something goes on in a tab.
func (w *Window) setBusy(t Tab, what string, share float64, stop func()) {
	w.busy[t] = busy{what, share, stop}
	if what == "" {
		delete(w.busy, t)
	}
	if t == w.Present() {
		w.status.SetBusy(what, share, stop)
	}
}

// Notify shows a sentence in the bar.
func (w *Window) Notify(n notice.Notice) { w.notices.Show(n) }

// Notices lists the sentences in the bar.
func (w *Window) Notices() []string { return w.notices.Texts() }

// copy puts a text on the clipboard.
func (w *Window) copy(text string) { w.app.Clipboard().SetContent(text) }

func (w *Window) popUpMenu(m *fyne.Menu, at fyne.Position) {
	widget.ShowPopUpMenuAtPosition(m, w.win.Canvas(), at)
}

// applyLook takes the chosen mode and text size.
func (w *Window) applyLook() {
	w.style.TextSize = w.prefs.textSize()
	w.app.Settings().SetTheme(look.New(w.prefs.mode(), w.prefs.textSize()))
	if w.win != nil {
		w.win.Content().Refresh() // the strips' heights go with the text
	}
}

// hintShown is how long a hint stays that nothing takes away.
const hintShown = 4 * time.Second

// hint says something in the status line for a moment.
func (w *Window) hint(text string) {
	w.status.SetHint(text)
	w.hints.Go(func(ctx context.Context) func() {
		if !w.group.Pause(ctx, hintShown) {
			return nil
		}
		return func() { w.status.SetHint("") }
	})
}

func (w *Window) setMode(m look.Mode) {
	w.prefs.setMode(m)
	w.applyLook()
	w.remenu()
}

// resizeText makes the text larger or smaller by steps; 0 is the default size.
func (w *Window) resizeText(steps float32) {
	size := float32(look.DefaultText)
	if steps != 0 {
		size = w.prefs.textSize() + steps
	}
	w.prefs.setTextSize(min(max(size, look.SmallestText), look.LargestText))
	w.applyLook()
	w.hint(fmt.Sprintf("Text size %.0f", w.prefs.textSize()))
}
