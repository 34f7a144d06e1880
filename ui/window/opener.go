package window

import (
	"bytes"
	"context"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/folder"
	"assay/ui"
	"assay/ui/control"
	"assay/ui/desktop"
	"assay/ui/host"
	"assay/ui/opening"
	"assay/ui/paint"
	"assay/ui/tabs"
	"assay/ui/work"
)

// opener opens documents in tabs.
type opener struct {
	opening.Reader
	w             *Window
	progressDelay time.Duration // time after which opening displays progress
}

// request describes a document to open.
type request struct {
	title    string
	Path     string // path of the file; empty for bytes that are not a file
	format   string // ID of the format that the user chose, or "" for the recognized one
	open     func(ctx context.Context) (*model.Document, error)
	done     func(t *docTab) // called once the document is open; may be nil
	restored bool            // the document was open in the last session
	asset    bool            // the document is an asset of the document in the current tab
}

// isIn reports whether the document is a file in a folder, or below it. No file is in the folder "".
func (r *request) isIn(root string) bool {
	return root != "" && r.Path != "" && folder.Contains(root, r.Path)
}

// callDone calls done with the opened tab.
func (r *request) callDone(t *docTab) {
	if t != nil && r.done != nil {
		r.done(t)
	}
}

// pendingTab is a tab with a document that is being opened.
type pendingTab struct {
	request
	group    *work.Group
	box      *fyne.Container
	progress *control.BusyIndicator // nil until opening takes long
	onOpened []func(t *docTab)
}

var _ Tab = (*pendingTab)(nil)

func (t *pendingTab) Title() string { return t.title }

func (t *pendingTab) Hint() string { return model.OneLine(t.Path, 600) }

// Content returns the container for the progress bar, which is empty until opening takes long.
func (t *pendingTab) Content() fyne.CanvasObject { return t.box }

func (t *pendingTab) Status() (path, facts []tabs.Segment) {
	return []tabs.Segment{{Text: "Opening " + t.title + "…", Tone: paint.Dim}}, nil
}

func (t *pendingTab) Focus() {}

func (t *pendingTab) Close() {
	t.progress.End()
	t.group.Close()
}

func (t *pendingTab) savedTab(all bool) (desktop.Tab, bool) {
	return desktop.Tab{Files: []string{t.Path}, As: t.format, Opening: !all}, t.Path != ""
}

func (t *pendingTab) HasPath(path string) bool { return t.Path == path }

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func absolutes(paths []string) []string {
	all := make([]string, len(paths))
	for i, path := range paths {
		all[i] = absolute(path)
	}
	return all
}

// openFile opens the file at path in a new tab, or selects its existing tab. It calls done with the tab.
func (o *opener) openFile(path string, done func(t *docTab)) {
	path = absolute(path)
	o.open(request{title: model.FileName(path), Path: path, done: done, open: o.openerOf(path)})
}

// openerOf returns a func that opens a file in the format that the user chose for its tab.
func (o *opener) openerOf(path string) func(ctx context.Context) (*model.Document, error) {
	return o.OpenerAs(path, o.formatOf(path))
}

// formatOf returns the format that the user chose for a file, or "" if it was recognized or has no tab.
func (o *opener) formatOf(path string) string {
	switch t := o.tabOf(path).(type) {
	case *docTab:
		return t.formatID
	case *pendingTab:
		return t.format
	case *suspendedTab:
		return t.saved.As
	}
	return ""
}

// openSample opens a built-in sample.
func (o *opener) openSample(s ui.Sample) {
	o.openSource(model.NewSource(s.Name, bytes.NewReader(s.Bytes), int64(len(s.Bytes))), "", nil)
}

// openAsset opens the content of an asset in a tab, in the format that the user chose for assets of its type in this
// package. done may be nil.
func (o *opener) openAsset(content *model.Source, done func(t *docTab)) {
	if existing := o.w.tabOfAsset(content.Name(), content.Home(), content.Containers()); existing != nil {
		content.Close()
		o.w.tabs.reveal(existing)
		if done != nil {
			done(existing)
		}
		return
	}
	o.openSource(content, o.AssetFormat(content), done)
}

// openSource opens bytes that are not a file in a new tab, in a format, or in the recognized one if format is "". It
// calls done, unless nil, with the tab.
func (o *opener) openSource(src *model.Source, format string, done func(t *docTab)) {
	o.open(request{title: src.Name(), format: format, asset: o.displays(src.Containers()), done: done,
		open: func(ctx context.Context) (*model.Document, error) {
			return model.OpenSource(ctx, src, o.Decoder(format))
		}})
}

// displays reports whether the current tab displays the last, innermost, of these files.
func (o *opener) displays(files []string) bool {
	t, ok := o.w.tabs.current().(*docTab)
	return ok && len(files) > 0 && t.pane.Document().Source.Name() == files[len(files)-1]
}

// open opens a document in a new tab, or selects the existing tab of the file.
func (o *opener) open(r request) {
	if existing := o.tabOf(r.Path); existing != nil {
		o.w.tabs.reveal(existing)
		o.whenOpen(r.Path, r.callDone)
		return
	}
	o.begin(r, nil)
}

// whenOpen calls done with the tab of a file once it is open, or with nil if it cannot be opened.
func (o *opener) whenOpen(path string, done func(t *docTab)) {
	switch t := o.tabOf(path).(type) {
	case *docTab:
		done(t)
	case *pendingTab:
		t.onOpened = append(t.onOpened, done)
	default:
		done(nil)
	}
}

// begin adds a pending tab, which replaces placeholder if that is not nil, and opens its document off the UI thread.
func (o *opener) begin(r request, placeholder Tab) {
	t := &pendingTab{request: r, group: o.w.group.Subgroup(), box: container.NewStack()}
	origin := o.w.tabs.current()
	o.w.tabs.add(t, placeholder)
	if placeholder == nil && !r.restored && origin != nil && (r.asset || r.isIn(folderOf(origin))) {
		o.w.tabs.origins[t] = origin
		delete(o.w.tabs.forward, origin)
	}
	progressLane := t.group.Lane()
	progressLane.Go(func(ctx context.Context) func() {
		if !t.group.Tick(ctx, o.progressDelay) {
			return nil
		}
		return func() { t.showProgress(func() { o.w.tabs.close(t) }) }
	})
	t.group.Open(func(ctx context.Context) (done, dropped func()) {
		if r.Path != "" {
			_ = o.w.rememberedTabs.write() // before decoding, which may crash the program
		}
		d, err := opening.OpenListed(ctx, r.open)
		f := opening.NewFile(r.Path)
		return func() {
			progressLane.Stop()
			t.progress.End()
			o.finish(t, f, d, err)
		}, func() { model.CloseDocuments(d) }
	})
}

// finish replaces the pending tab by the document, or reports the error.
func (o *opener) finish(t *pendingTab, f *opening.File, d *model.Document, err error) {
	if err != nil {
		o.w.tabs.close(t)
		o.w.Notify(host.Notice{Level: host.Error, Text: host.Sentence(err)})
		t.finish(nil)
		return
	}
	open, _ := o.w.tabs.find(func(other Tab) bool { d, ok := other.(*docTab); return ok && d.File.IsSame(f) }).(*docTab)
	if open != nil {
		o.w.tabs.close(t)
		d.Source.Close()
		o.w.tabs.reveal(open)
	} else {
		open = o.w.showDocument(t, t.request, t.group, f, d)
	}
	t.finish(open)
}

// finish calls the waiting funcs with the tab of the document, or with nil if opening failed.
func (t *pendingTab) finish(opened *docTab) {
	t.callDone(opened)
	for _, done := range t.onOpened {
		done(opened)
	}
}

// tabOf returns the tab of the file at an absolute path, or nil.
func (o *opener) tabOf(path string) Tab {
	return o.w.tabs.find(func(t Tab) bool {
		f, ok := t.(interface{ HasPath(path string) bool })
		return ok && path != "" && f.HasPath(path)
	})
}

// showProgress displays a progress bar.
func (t *pendingTab) showProgress(stop func()) {
	t.progress = control.NewBusyIndicator("Opening "+t.title+"…", stop)
	t.box.Objects = []fyne.CanvasObject{t.progress.Content()}
	t.box.Refresh()
}
