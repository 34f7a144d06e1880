// Package finding contains two tabs of the window: Finder searches the files below a folder and lists the matches by
// file, and Uses lists the dependencies between the files below a folder.
package finding

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/content"
	"assay/model/search"
	"assay/model/text"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/rows"
	"assay/ui/tabs"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

// Options are the options of a Finder.
type Options struct {
	Style *paint.Style
	Group *work.Group // closed by the tab
	// Open decodes the content of an asset, and OpenFile a file on disk.
	Open     model.Opener
	OpenFile func(ctx context.Context, path string) (*model.Document, error)
	Formats  search.Formats
	Pictures thumbnail.Options
}

// The maximum numbers of listed matches, in a file and in total. Nobody reads more.
const (
	maxHitsPerFile = 10_000
	maxHits        = 100_000
)

// Finder is the tab that searches files.
type Finder struct {
	host.Files
	Options
	root        string
	lane        *work.Lane
	previewLane *work.Lane // opens matches for the preview
	previewPane *preview.Preview
	previewed   previewed // match in the preview
	form        *form
	results     *results
	list        *rows.Rows
	content     fyne.CanvasObject
	running     bool
	lastSaved   saved // the last search that was completed
}

// NewFinder returns a search below a folder.
func NewFinder(h host.Files, root string, o Options) *Finder {
	f := &Finder{Files: h, Options: o, root: root, lane: o.Group.Lane(), previewLane: o.Group.Lane(),
		results: new(results)}
	f.list = rows.New(f, o.Style, f.results, rows.Options{Header: true, MinSize: fyne.NewSize(200, 80)})
	f.list.SetColumns(rows.Column{Title: "Match", Share: 0.62}, rows.Column{Title: "In", Share: 0.38},
		rows.Column{Title: "Offset", Width: 100, Align: paint.AlignRight})
	f.list.Events = rows.Events{OnActivate: f.open, OnMenu: f.menu,
		OnCurrent:  f.onCurrent,
		OnExpand:   func(row int64) { f.fold(row, false) },
		OnCollapse: func(row int64) { f.fold(row, true) },
		OnClick: func(row int64) {
			if _, hit := f.results.hitAt(row); hit < 0 {
				f.fold(row, !f.results.isFolded(row))
			}
		}}
	f.form = newForm(f)
	f.previewPane = preview.New(f, o.Style, o.Group, o.Pictures)
	f.previewPane.OnAsset = h.Reveal
	f.previewPane.ShowPlaceholder("Select a result to preview it.\nPress Enter or double-click to open the file at the result.")
	split := container.NewHSplit(f.list, f.previewPane.Content())
	split.SetOffset(0.7)
	body := container.NewBorder(paint.NewHeader(f.form.content), nil, nil, nil, split)
	f.content = f.form.field.WithPopup(f.form.filter.WithPopup(body))
	f.setMessage("Type search terms and press Enter.")
	return f
}

// Root returns the path of the folder.
func (f *Finder) Root() string { return f.root }

// Title returns the title of the tab, with the search text.
func (f *Finder) Title() string { return title(f.root, f.form.terms()) }

// Hint returns the description of the tab.
func (f *Finder) Hint() string { return "Find in " + model.OneLine(f.root, 600) }

// Content returns the form and the list.
func (f *Finder) Content() fyne.CanvasObject { return f.content }

// Status returns the location of the current match.
func (f *Finder) Status() (path, facts []tabs.Segment) {
	location := f.Hint()
	if row := f.list.Current(); row >= 0 {
		location = f.results.lineText(row)
	}
	return []tabs.Segment{{Text: location}}, nil
}

// Focus gives the keyboard focus to the list, or to the search field if the list is empty.
func (f *Finder) Focus() {
	if f.results.Len() > 0 {
		f.list.Focus()
		return
	}
	f.form.field.Field.Focus(f.list)
}

// FocusField gives the keyboard focus to the search field. neighbor is an object of the same window.
func (f *Finder) FocusField(neighbor fyne.CanvasObject) { f.form.field.Field.Focus(neighbor) }

// Preview returns the preview of the current match.
func (f *Finder) Preview() *preview.Preview { return f.previewPane }

// Close ends the search.
func (f *Finder) Close() {
	f.Group.Close()
	f.show(previewed{}, search.Hit{})
}

// onCurrent displays the current match.
func (f *Finder) onCurrent(row int64) {
	f.Changed()
	f.preview(row)
}

// errTooManyHits ends a search that has found as many matches as can be listed.
var errTooManyHits = errors.New("enough is listed")

// Search starts the search of the form and clears the previous results.
func (f *Finder) Search() {
	q, err := f.form.terms().Parse()
	if err != nil {
		f.setMessage(host.Sentence(err))
		f.ShowHint(host.Sentence(err)) // there is little space in the form
		return
	}
	s := &search.Search{Query: q, Open: f.Open, OpenFile: f.OpenFile, Formats: f.Formats, MaxHits: maxHitsPerFile,
		SkipExports: true}
	f.results.clear(q)
	f.list.SetSource(f.results)
	f.running = true
	f.form.setSearching(true)
	f.setMessage("Searching…")
	f.lane.Go(func(ctx context.Context) func() {
		r := &run{finder: f, search: s}
		r.show = f.Group.Progress(ctx, func(files, bytes int64) { f.showNew(r, files, bytes) })
		s.Progress = r.progress
		err := s.Run(ctx, []string{f.root}, r.add)
		return func() { f.finish(r, err) }
	})
}

// run is a running search.
type run struct {
	finder *Finder
	search *search.Search
	show   func(files, bytes int64)

	mu           sync.Mutex // guards the fields below
	found        []search.FileResults
	hits         int
	files, bytes int64
}

// add queues results until showNew or finish displays them.
func (r *run) add(f search.FileResults) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found = append(r.found, f)
	if r.hits += len(f.Hits); r.hits >= maxHits {
		return errTooManyHits
	}
	return nil
}

// progress is called on any goroutine.
func (r *run) progress(files, bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files, r.bytes = max(r.files, files), max(r.bytes, bytes)
	if !r.finder.Group.IsInline() {
		r.show(r.files, r.bytes)
	}
}

// drain returns the results since the previous call.
func (r *run) drain() []search.FileResults {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := r.found
	r.found = nil
	return found
}

// showNew displays the results since the last call, and the progress.
func (f *Finder) showNew(r *run, files, bytes int64) {
	if found := r.drain(); len(found) > 0 {
		f.results.add(found)
		f.list.Refresh()
	}
	f.Busy("Searching", -1, f.Stop)
	f.setMessage(fmt.Sprintf("%s so far: %s, %s searched", host.Count(f.results.hits, "match"), host.Count(files, "file"),
		host.Size(bytes)))
}

// finish displays the remaining results.
func (f *Finder) finish(r *run, err error) {
	f.results.add(r.drain())
	f.list.Refresh()
	f.setStopped()
	if err == nil {
		f.saveSearch()
	}
	text := f.countText() + fmt.Sprintf(" · %s, %s searched, packed assets included",
		host.Count(r.files, "file"), host.Size(r.bytes))
	if n := r.search.SkippedFiles(); n > 0 {
		text += fmt.Sprintf(" · %s in export folders skipped", host.Count(n, "file"))
	}
	switch {
	case errors.Is(err, errTooManyHits):
		text = fmt.Sprintf("Only the first %s are listed. Refine the search or search fewer files.",
			host.Count(f.results.hits, "match"))
	case err != nil:
		text = host.Sentence(err)
	case f.results.hits == 0 && f.form.isConditionForText():
		text = "No text matches. To search names, sizes, or fields, choose Names or Values."
	case f.results.hits == 0 && strings.TrimSpace(f.form.terms().Text) != f.form.terms().Text:
		text += " · the search text starts or ends with a space"
	}
	f.setMessage(text)
	if f.results.hits > 0 && f.form.focused {
		f.list.SetCurrent(min(1, f.results.Len()-1))
		f.list.Focus()
		f.onCurrent(f.list.Current())
	}
}

// countText returns the number of matches and problems.
func (f *Finder) countText() string {
	text := "No matches"
	if n := f.results.hits; n > 0 {
		text = host.Count(n, "match") + " in " + host.Count(f.results.files, "file")
	}
	if n := f.results.problems; n > 0 {
		text += ", " + host.Count(n, "problem")
	}
	return text
}

// Stop cancels the search and keeps the matches found so far.
func (f *Finder) Stop() {
	if f.running {
		f.lane.Stop()
		f.setStopped()
		f.setMessage(f.countText() + " (search stopped)")
	}
}

func (f *Finder) setStopped() {
	f.running = false
	f.form.setSearching(false)
	f.Busy("", 0, nil)
}

func (f *Finder) setMessage(text string) {
	f.form.summary.SetText(text)
	f.Changed()
}

// Key stops the search with Escape.
func (f *Finder) Key(ev *fyne.KeyEvent, shift bool) bool {
	if ev.Name == fyne.KeyEscape && f.running {
		f.Stop()
		return true
	}
	return f.Files.Key(ev, shift)
}

// open opens the location of a match, or the file of a row.
func (f *Finder) open(row int64) {
	g, hit := f.results.hitAt(row)
	if g == nil {
		return
	}
	if hit < 0 {
		f.OpenHit(g.path, search.Hit{Span: model.Span{Size: -1}})
		return
	}
	f.OpenHit(g.path, g.hits[hit])
}

// fold hides or displays the matches of a file.
func (f *Finder) fold(row int64, closed bool) {
	if row < 0 {
		return
	}
	current := f.results.setFolded(row, closed)
	f.list.SetCurrent(current)
	f.list.Refresh()
}

func (f *Finder) menu(row int64, pos fyne.Position) {
	g, hit := f.results.hitAt(row)
	if g == nil {
		return
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Open", func() { f.open(row) }),
		fyne.NewMenuItem("Show in Folder", func() { f.ShowInFolder(g.path) }),
		fyne.NewMenuItem("Copy Path", func() { f.Copy(g.path) }),
	}
	if hit >= 0 {
		items = append(items, fyne.NewMenuItem("Copy", func() { f.Copy(f.results.lineText(row)) }))
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Save All as CSV…", f.SaveCSV))
	f.Menu(fyne.NewMenu("", items...), pos)
}

// SaveCSV saves all results as a table.
func (f *Finder) SaveCSV() {
	if f.results.hits == 0 {
		f.ShowHint("No results to save.")
		return
	}
	groups := f.results.snapshot()
	f.Save("found in "+folderName(f.root)+".csv", func(out io.Writer) error {
		w := search.NewCSV(out)
		for _, g := range groups {
			if err := w.Write(g.name, search.FileResults{Hits: g.hits}); err != nil {
				return err
			}
		}
		return w.End()
	})
}

// previewed is a match that was opened for the preview: its node, and the documents to close afterwards, which are the
// file and the nested assets that contain the match.
type previewed struct {
	documents []*model.Document
	node      *model.Node
	text      bool // the match is in a text, which is previewed as text instead of as what it describes
}

func (r *previewed) close() { model.CloseDocuments(r.documents...) }

// previewDelay is the time after which the current match is previewed: rows that the user only passes are not.
const previewDelay = 120 * time.Millisecond

// preview displays the current match beside the list.
func (f *Finder) preview(row int64) {
	g, hit := f.results.hitAt(row)
	if g == nil {
		return
	}
	h := search.Hit{Span: model.Span{Size: -1}}
	if hit >= 0 {
		h = g.hits[hit]
	}
	f.previewLane.Open(func(ctx context.Context) (done, dropped func()) {
		if !f.Group.Pause(ctx, previewDelay) {
			return nil, nil
		}
		r, err := f.openHit(ctx, g.path, h)
		if err != nil {
			r.close()
			return nil, nil // the list displays the problem of the file
		}
		return func() { f.show(r, h) }, r.close
	})
}

// openHit opens the file and assets of a match, and finds its node.
func (f *Finder) openHit(ctx context.Context, path string, h search.Hit) (r previewed, err error) {
	d, err := f.OpenFile(ctx, path)
	if err != nil {
		return r, err
	}
	r.documents = append(r.documents, d)
	for _, a := range h.Assets[:h.Expanded] {
		src, err := a.Open(ctx, d)
		if err != nil {
			return r, err
		}
		if d, err = model.OpenSource(ctx, src, f.Open); err != nil {
			return r, err
		}
		r.documents = append(r.documents, d)
	}
	r.node = d.Root()
	kind := content.KindOf(d.Source)
	r.text = h.Span.Size > 0 && (kind.Text || kind.Markup)
	switch {
	case d.Content: // a text or a picture is previewed as a whole
	case h.Path != "":
		if n, err := d.Find(h.Path); err == nil {
			r.node = n
		}
	case h.Span.Size >= 0:
		if n := d.Owner(h.Span.Offset); n != nil {
			r.node = n
		}
	}
	return r, nil
}

// show previews the document of a match and closes the previous one.
func (f *Finder) show(r previewed, h search.Hit) {
	previous := f.previewed
	if f.previewed = r; r.node != nil {
		s := doc.Selection{Document: r.documents[len(r.documents)-1], Node: r.node, Offset: r.node.Offset}
		if h.Span.Size > 0 {
			s.Offset, s.Length = h.Span.Offset, h.Span.Size
		}
		f.previewPane.Substitute, f.previewPane.OnView = nil, nil
		if r.text {
			f.previewPane.Substitute = func(ctx context.Context, _ *model.Node, v model.View) model.View {
				if words, err := text.Open(ctx, s.Document.Source); err == nil {
					return words
				}
				return v
			}
			f.previewPane.OnView = func(model.View) { f.previewPane.SelectText(s.Offset, s.Length) }
		}
		f.previewPane.Select(s)
	}
	previous.close()
}
