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
	t := &Finder{Files: h, Options: o, root: root, lane: o.Group.Lane(), previewLane: o.Group.Lane(),
		results: new(results)}
	t.list = rows.New(t, o.Style, t.results, rows.Options{Header: true, MinSize: fyne.NewSize(200, 80)})
	t.list.SetColumns(rows.Column{Title: "Match", Share: 0.62}, rows.Column{Title: "In", Share: 0.38},
		rows.Column{Title: "Offset", Width: 100, Align: paint.AlignRight})
	t.list.Events = rows.Events{OnActivate: t.open, OnMenu: t.menu,
		OnCurrent:  t.onCurrent,
		OnExpand:   func(row int64) { t.fold(row, false) },
		OnCollapse: func(row int64) { t.fold(row, true) },
		OnClick: func(row int64) {
			if _, hit := t.results.hitAt(row); hit < 0 {
				t.fold(row, !t.results.isFolded(row))
			}
		}}
	t.form = newForm(t)
	t.previewPane = preview.New(t, o.Style, o.Group, o.Pictures)
	t.previewPane.OnAsset = h.Reveal
	t.previewPane.ShowPlaceholder("Select a result to preview it.\nPress Enter or double-click to open the file at the result.")
	split := container.NewHSplit(t.list, t.previewPane.Content())
	split.SetOffset(0.7)
	content := container.NewBorder(paint.NewHeader(t.form.content), nil, nil, nil, split)
	t.content = t.form.field.WithPopup(t.form.filter.WithPopup(content))
	t.setMessage("Type search terms and press Enter.")
	return t
}

// Root returns the path of the folder.
func (t *Finder) Root() string { return t.root }

// Title returns the title of the tab, with the search text.
func (t *Finder) Title() string { return title(t.root, t.form.terms()) }

// Hint returns the description of the tab.
func (t *Finder) Hint() string { return "Find in " + model.OneLine(t.root, 600) }

// Content returns the form and the list.
func (t *Finder) Content() fyne.CanvasObject { return t.content }

// Status returns the location of the current match.
func (t *Finder) Status() (path, facts []tabs.Segment) {
	location := t.Hint()
	if row := t.list.Current(); row >= 0 {
		location = t.results.lineText(row)
	}
	return []tabs.Segment{{Text: location}}, nil
}

// Focus gives the keyboard focus to the list, or to the search field if the list is empty.
func (t *Finder) Focus() {
	if t.results.Len() > 0 {
		t.list.Focus()
		return
	}
	t.form.field.Field.Focus(t.list)
}

// FocusField gives the keyboard focus to the search field. neighbor is an object of the same window.
func (t *Finder) FocusField(neighbor fyne.CanvasObject) { t.form.field.Field.Focus(neighbor) }

// Preview returns the preview of the current match.
func (t *Finder) Preview() *preview.Preview { return t.previewPane }

// Close ends the search.
func (t *Finder) Close() {
	t.Group.Close()
	t.show(previewed{}, search.Hit{})
}

// onCurrent displays the current match.
func (t *Finder) onCurrent(row int64) {
	t.Changed()
	t.preview(row)
}

// errTooManyHits ends a search that has found as many matches as can be listed.
var errTooManyHits = errors.New("enough is listed")

// Search starts the search of the form and clears the previous results.
func (t *Finder) Search() {
	q, err := t.form.terms().Parse()
	if err != nil {
		t.setMessage(host.Sentence(err))
		t.ShowHint(host.Sentence(err)) // there is little space in the form
		return
	}
	s := &search.Search{Query: q, Open: t.Open, OpenFile: t.OpenFile, Formats: t.Formats, MaxHits: maxHitsPerFile,
		SkipExports: true}
	t.results.clear(q)
	t.list.SetSource(t.results)
	t.running = true
	t.form.setSearching(true)
	t.setMessage("Searching…")
	t.lane.Go(func(ctx context.Context) func() {
		r := &run{finder: t, search: s}
		r.show = t.Group.Progress(ctx, func(files, bytes int64) { t.showNew(r, files, bytes) })
		s.Progress = r.progress
		err := s.Run(ctx, []string{t.root}, r.add)
		return func() { t.finish(r, err) }
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
func (t *Finder) showNew(r *run, files, bytes int64) {
	if found := r.drain(); len(found) > 0 {
		t.results.add(found)
		t.list.Refresh()
	}
	t.Busy("Searching", -1, t.Stop)
	t.setMessage(fmt.Sprintf("%s so far: %s, %s searched", host.Count(t.results.hits, "match"), host.Count(files, "file"),
		host.Size(bytes)))
}

// finish displays the remaining results.
func (t *Finder) finish(r *run, err error) {
	t.results.add(r.drain())
	t.list.Refresh()
	t.setStopped()
	if err == nil {
		t.saveSearch()
	}
	text := t.countText() + fmt.Sprintf(" · %s, %s searched, packed assets included",
		host.Count(r.files, "file"), host.Size(r.bytes))
	if n := r.search.SkippedFiles(); n > 0 {
		text += fmt.Sprintf(" · %s in export folders skipped", host.Count(n, "file"))
	}
	switch {
	case errors.Is(err, errTooManyHits):
		text = fmt.Sprintf("Only the first %s are listed. Refine the search or search fewer files.",
			host.Count(t.results.hits, "match"))
	case err != nil:
		text = host.Sentence(err)
	case t.results.hits == 0 && t.form.isCondition():
		text = "No text matches. To search names, sizes, or fields, choose Names or Values."
	case t.results.hits == 0 && strings.TrimSpace(t.form.terms().Text) != t.form.terms().Text:
		text += " · the search text starts or ends with a space"
	}
	t.setMessage(text)
	if t.results.hits > 0 && t.form.focused {
		t.list.SetCurrent(min(1, t.results.Len()-1))
		t.list.Focus()
		t.onCurrent(t.list.Current())
	}
}

// countText returns the number of matches and problems.
func (t *Finder) countText() string {
	text := "No matches"
	if n := t.results.hits; n > 0 {
		text = host.Count(n, "match") + " in " + host.Count(t.results.files, "file")
	}
	if n := t.results.problems; n > 0 {
		text += ", " + host.Count(n, "problem")
	}
	return text
}

// Stop cancels the search and keeps the matches found so far.
func (t *Finder) Stop() {
	if t.running {
		t.lane.Stop()
		t.setStopped()
		t.setMessage(t.countText() + " (search stopped)")
	}
}

func (t *Finder) setStopped() {
	t.running = false
	t.form.setSearching(false)
	t.Busy("", 0, nil)
}

func (t *Finder) setMessage(text string) {
	t.form.summary.SetText(text)
	t.Changed()
}

// Key stops the search with Escape.
func (t *Finder) Key(ev *fyne.KeyEvent, shift bool) bool {
	if ev.Name == fyne.KeyEscape && t.running {
		t.Stop()
		return true
	}
	return t.Files.Key(ev, shift)
}

// open opens the location of a match, or the file of a row.
func (t *Finder) open(row int64) {
	g, hit := t.results.hitAt(row)
	if g == nil {
		return
	}
	if hit < 0 {
		t.OpenHit(g.path, search.Hit{Span: model.Span{Size: -1}})
		return
	}
	t.OpenHit(g.path, g.hits[hit])
}

// fold hides or displays the matches of a file.
func (t *Finder) fold(row int64, closed bool) {
	if row < 0 {
		return
	}
	current := t.results.setFolded(row, closed)
	t.list.SetCurrent(current)
	t.list.Refresh()
}

func (t *Finder) menu(row int64, pos fyne.Position) {
	g, hit := t.results.hitAt(row)
	if g == nil {
		return
	}
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Open", func() { t.open(row) }),
		fyne.NewMenuItem("Show in Folder", func() { t.ShowInFolder(g.path) }),
		fyne.NewMenuItem("Copy Path", func() { t.Copy(g.path) }),
	}
	if hit >= 0 {
		items = append(items, fyne.NewMenuItem("Copy", func() { t.Copy(t.results.lineText(row)) }))
	}
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Save All as CSV…", t.SaveCSV))
	t.Menu(fyne.NewMenu("", items...), pos)
}

// SaveCSV saves all results as a table.
func (t *Finder) SaveCSV() {
	if t.results.hits == 0 {
		t.ShowHint("No results to save.")
		return
	}
	groups := t.results.snapshot()
	t.Save("found in "+folderName(t.root)+".csv", func(out io.Writer) error {
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
func (t *Finder) preview(row int64) {
	g, hit := t.results.hitAt(row)
	if g == nil {
		return
	}
	h := search.Hit{Span: model.Span{Size: -1}}
	if hit >= 0 {
		h = g.hits[hit]
	}
	t.previewLane.Open(func(ctx context.Context) (done, dropped func()) {
		if !t.Group.Pause(ctx, previewDelay) {
			return nil, nil
		}
		r, err := t.openHit(ctx, g.path, h)
		if err != nil {
			r.close()
			return nil, nil // the list displays the problem of the file
		}
		return func() { t.show(r, h) }, r.close
	})
}

// openHit opens the file and assets of a match, and finds its node.
func (t *Finder) openHit(ctx context.Context, path string, h search.Hit) (r previewed, err error) {
	d, err := t.OpenFile(ctx, path)
	if err != nil {
		return r, err
	}
	r.documents = append(r.documents, d)
	for _, a := range h.Assets[:h.Expanded] {
		src, err := a.Open(ctx, d)
		if err != nil {
			return r, err
		}
		if d, err = model.OpenSource(ctx, src, t.Open); err != nil {
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
func (t *Finder) show(r previewed, h search.Hit) {
	previous := t.previewed
	if t.previewed = r; r.node != nil {
		s := doc.Selection{Document: r.documents[len(r.documents)-1], Node: r.node, Offset: r.node.Offset}
		if h.Span.Size > 0 {
			s.Offset, s.Length = h.Span.Offset, h.Span.Size
		}
		t.previewPane.Substitute, t.previewPane.OnView = nil, nil
		if r.text {
			t.previewPane.Substitute = func(ctx context.Context, _ *model.Node, v model.View) model.View {
				if words, err := text.Open(ctx, s.Document.Source); err == nil {
					return words
				}
				return v
			}
			t.previewPane.OnView = func(model.View) { t.previewPane.SelectText(s.Offset, s.Length) }
		}
		t.previewPane.Select(s)
	}
	previous.close()
}
