package window

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/ui"
	"assay/ui/doc"
	"assay/ui/exporting"
	"assay/ui/notice"
	"assay/ui/preview"
	"assay/ui/sheet"
	"assay/ui/status"
	"assay/ui/wording"
	"assay/ui/work"
)

// docTab is a document in a tab. Before it is open, it shows that it is being opened.
type docTab struct {
	w       *Window
	title   string
	path    string // of the file; empty for bytes that are no file of their own
	key     string // where to go once it is open
	group   *work.Group
	pane    *doc.Pane
	waiting *fyne.Container
	export  *exporting.Slot

	real     string      // where the path leads to
	info     os.FileInfo // of the file that was opened
	stale    string      // how the file on disk differs, in a word; empty if it does not
	told     string      // what the user knows of it
	copied   []byte      // the bytes of a small file
	looking  *work.Lane  // for changes
	restored bool        // was open last time
}

var _ Tab = (*docTab)(nil)

// Title is the file's name.
func (t *docTab) Title() string { return t.title }

// Hint is the file's path.
func (t *docTab) Hint() string { return model.OneLine(t.path, 600) }

// Content is the document's pane.
func (t *docTab) Content() fyne.CanvasObject {
	if t.pane != nil {
		return t.pane.Content()
	}
	return t.waiting
}

// Status is the document's.
func (t *docTab) Status() (way, facts []status.Segment) {
	if t.pane == nil {
		return []status.Segment{{Text: "Opening " + t.title + "…", Tone: status.Dim}}, nil
	}
	return t.pane.Way(), t.pane.Facts()
}

// Focus gives the document the keyboard.
func (t *docTab) Focus() {
	if t.pane != nil {
		t.pane.Focus()
	}
}

// Close ends what the document does.
func (t *docTab) Close() {
	t.w.unwatch(t)
	t.group.Close()
	t.copied = nil
	if t.pane != nil {
		t.w.exporting.Forget(t.pane.Document())
		t.pane.Close()
	}
}

// slow is how long opening takes before it is shown that it does.
const slow = 250 * time.Millisecond

// Open opens the file at a path in a tab of its own; one that is open already is shown.
func (w *Window) Open(path string) { w.openAt(path, "") }

func (w *Window) openAt(path, key string) {
	path = absolute(path)
	if i := w.tabOf(path); i >= 0 {
		w.showAt(i, key)
		return
	}
	w.open(&docTab{title: title(path), path: path, key: key}, func(ctx context.Context) (*model.Document, error) {
		return w.options.Open(ctx, path)
	})
}

// showAt shows a tab, at a key.
func (w *Window) showAt(i int, key string) {
	w.Show(i)
	if p := w.pane(); p != nil && key != "" {
		p.SelectKey(key)
	}
}

// OpenSample opens a sample that the program carries.
func (w *Window) OpenSample(s ui.Sample) {
	w.OpenSource(model.NewSource(s.Name, bytes.NewReader(s.Bytes), int64(len(s.Bytes))))
}

// OpenSource opens bytes that are no file of their own in a tab.
func (w *Window) OpenSource(src *model.Source) {
	w.open(&docTab{title: model.OneLine(src.Name(), 200)}, func(ctx context.Context) (*model.Document, error) {
		d, err := w.options.OpenSource(ctx, src)
		if err != nil {
			src.Close()
		}
		return d, err
	})
}

// open shows a tab and opens its document off the UI thread.
func (w *Window) open(t *docTab, open func(ctx context.Context) (*model.Document, error)) {
	t.w, t.group, t.waiting = w, w.group.Under(), container.NewStack()
	t.looking = t.group.Lane()
	w.Add(t)
	t.group.Go(func(ctx context.Context) func() {
		d, err := open(ctx)
		if err == nil && ctx.Err() != nil {
			d.Source.Close()
			return nil
		}
		var real string
		var info os.FileInfo
		if err == nil && t.path != "" {
			real, info = identity(t.path)
		}
		return func() {
			w.setBusy(t, "", 0, nil)
			t.real, t.info = real, info
			if err != nil {
				w.discard(t)
				w.Notify(notice.Notice{Level: notice.Error, Text: wording.Sentence(err)})
				return
			}
			if i := w.twin(t); i >= 0 {
				other, key := w.all[i], t.key
				w.discard(t)
				d.Source.Close()
				w.showAt(slices.Index(w.all, other), key)
				return
			}
			t.show(d)
			w.offerComparison()
		}
	})
	if t.pane != nil {
		return
	}
	t.group.Go(func(ctx context.Context) func() {
		if !t.group.Pause(ctx, slow) {
			return nil
		}
		return t.wait
	})
}

// wait shows that opening takes long.
func (t *docTab) wait() {
	if t.pane != nil {
		return
	}
	bar := widget.NewProgressBarInfinite()
	stop := widget.NewButton("Cancel", func() { t.w.discard(t) })
	t.waiting.Objects = []fyne.CanvasObject{container.NewCenter(container.NewVBox(
		widget.NewLabelWithStyle("Opening "+t.title+"…", fyne.TextAlignCenter, fyne.TextStyle{}),
		container.NewGridWrap(fyne.NewSize(320, 8), bar), container.NewCenter(stop)))}
	t.waiting.Refresh()
}

// discard closes a tab wherever it is.
func (w *Window) discard(t Tab) {
	for i := range w.all {
		if w.all[i] == t {
			w.CloseTab(i)
			return
		}
	}
}

// show shows the opened document.
func (t *docTab) show(d *model.Document) {
	w := t.w
	t.waiting.Objects = nil
	t.pane = doc.New(d, w.style, t.group)
	t.pane.Events = t.events()
	if d.View != nil || d.Payloads != nil {
		look := preview.New(t.group, w.options.OpenSource)
		look.OnNothing = t.pane.ShowInspector
		t.pane.LeadSide(look)
	}
	for _, source := range d.Tables {
		list := sheet.New(keys{w: w}, w.style, t.group, d, source)
		list.OnPath = func(p model.Path) { t.pane.Select(p) }
		t.pane.AddCentre(list, false)
	}
	t.addExporting()
	if l := w.prefs.layout(); l != nil {
		t.pane.SetLayout(*l)
	}
	w.Replace(t, t)
	t.copyFile()
	w.opened(t, d)
	if t.key != "" {
		t.pane.SelectKey(t.key)
	}
}

func (t *docTab) events() doc.Events {
	w := t.w
	return doc.Events{
		OnStatus: func() {
			if w.Present() == Tab(t) {
				w.restatus()
			}
		},
		OnBusy:     func(what string, share float64, stop func()) { w.setBusy(t, what, share, stop) },
		OnNotice:   t.notify,
		OnHint:     w.hint,
		OnCopy:     w.copy,
		OnOpenFile: w.openAt,
		OnNested:   w.OpenSource,
		OnKey:      func(k *fyne.KeyEvent) bool { return w.key(k, false) },
		OnMenu:     w.popUpMenu,
		NodeMenu:   func(at fyne.Position) { w.popUpMenu(w.commands.context(t, func(c *command) int { return c.node }), at) },
		ByteMenu: func(at fyne.Position) {
			w.popUpMenu(w.commands.context(t, func(c *command) int { return c.bytes }), at)
		},
	}
}

// notify shows a document's notice; one that tells of a change offers to read the file again.
func (t *docTab) notify(n notice.Notice) {
	if n.ID == "changed" {
		t.w.lookAt(t)
		return
	}
	if n.ID != "" {
		n.ID = t.path + t.title + n.ID
	}
	t.w.Notify(n)
}

// AskOpen shows the dialog for opening a file.
func (w *Window) AskOpen() {
	d := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		w.dialog = nil
		if err != nil {
			w.Notify(notice.Notice{Level: notice.Error, Text: wording.Sentence(err)})
			return
		}
		if r == nil {
			return
		}
		path := r.URI().Path()
		r.Close()
		w.prefs.setFolder(filepath.Dir(path))
		w.Open(path)
	}, w.win)
	w.showFileDialog(d)
}

// folder is where a file was opened last.
func (w *Window) folder() string {
	if w.options.Memory != nil && w.options.Memory.Folder() != "" {
		return w.options.Memory.Folder()
	}
	return w.prefs.folder()
}

// saveLayout remembers how the present document's space is divided.
func (w *Window) saveLayout() {
	if t, ok := w.Present().(*docTab); ok && t.pane != nil {
		w.prefs.setLayout(t.pane.Layout())
	}
}

// paneOf is the document in a tab, or nil.
func paneOf(t Tab) *doc.Pane {
	if t, ok := t.(*docTab); ok {
		return t.pane
	}
	return nil
}

func hasPane(t Tab) bool { return paneOf(t) != nil }

// pane is the present document's, or nil.
func (w *Window) pane() *doc.Pane { return paneOf(w.Present()) }
