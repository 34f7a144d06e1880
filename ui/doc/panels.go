package doc

import (
	"context"
	"path"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/content"
	"assay/model/notes"
	words "assay/model/text"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/text"
	"assay/ui/work"
)

// bytesPanel is the hex view of a document, below a container for tools.
type bytesPanel struct {
	hex     *hex.Hex
	tools   *fyne.Container
	content *fyne.Container
}

func newBytes(h Host, style *paint.Style, group *work.Group) *bytesPanel {
	b := &bytesPanel{hex: hex.New(h, style, group, nil), tools: container.NewStack()}
	columns := 0
	BytesPerRow.Load(&columns)
	b.hex.SetBytesPerRow(columns)
	b.hex.OnMenu = func(_ int64, pos fyne.Position) { h.BytesMenu(pos) }
	b.hex.OnError = func(err error) { notifyError(h, err) }
	b.content = container.New(headerLayout{}, b.tools, b.hex)
	return b
}

func (b *bytesPanel) Title() string { return "Hex" }

func (b *bytesPanel) Content() fyne.CanvasObject { return b.content }

// showTools displays a bar above the bytes.
func (b *bytesPanel) showTools(bar ...fyne.CanvasObject) {
	b.tools.Objects = bar
	b.tools.Refresh()
	b.content.Refresh()
}

// show moves the caret to a span and scrolls to it.
func (b *bytesPanel) show(s model.Span) {
	b.hex.SetCaret(s.Offset)
	b.hex.ScrollToSpan(s.Offset, s.Size)
}

// highlight marks the bytes of a node, except for the root: a highlight of all bytes would hide the fields.
func (b *bytesPanel) highlight(n *model.Node, from origin) {
	if n.Parent == nil || n.Type == model.Gap && from == fromHex {
		b.hex.Highlight(0, 0)
		return
	}
	b.hex.Highlight(n.Offset, n.Size)
}

// textPanel displays a text document, with its selection and its problems.
type textPanel struct {
	lane      *work.Lane
	view      *text.View
	maximizer *control.Maximizer // maximizer of view, with a caption about the text

	doc          *model.Document
	wasDisplayed bool // the panel has been visible
	isLoaded     bool // the text is displayed
	selection    Selection
	ownSelection model.Span // last span that the user selected in this panel
	report       *model.Report
	notes        *notes.Placement
}

func newTextPanel(h Host, style *paint.Style, group *work.Group, selected func(offset, length int64)) *textPanel {
	t := &textPanel{lane: group.Lane()}
	caption := control.NewCaption(h.ShowHint)
	caption.SizeName = theme.SizeNameCaptionText
	t.view = text.New(&textHost{h, t}, style, group, func(text string) { caption.SetText(text) })
	full := control.NewTool(&textHost{h, t}, theme.ViewFullScreenIcon(), h.Keys().HintOf(command.FullWindow),
		t.ToggleMaximized)
	foot := container.NewBorder(nil, nil, nil, full, caption)
	t.maximizer = control.NewMaximizer(container.NewBorder(nil, foot, nil, nil, t.view.Content()), h.Keys())
	t.maximizer.OnChange = func() {
		full.SetIcon(theme.ViewFullScreenIcon())
		if t.maximizer.IsMaximized() {
			full.SetIcon(theme.ViewRestoreIcon())
			t.view.Focus()
		}
	}
	t.view.OnSelect = func(offset, length int64) {
		t.ownSelection = model.Span{Offset: offset, Size: length}
		selected(offset, length)
	}
	return t
}

// textHost is the host of the text. It restores a maximized text.
type textHost struct {
	Host
	panel *textPanel
}

// Key restores a maximized text, or passes the key to the pane.
func (h *textHost) Key(k *fyne.KeyEvent, shift bool) bool {
	return h.panel.maximizer.Key(k) || h.Host.Key(k, shift)
}

// ToggleMaximized maximizes the text over the window, or restores it.
func (t *textPanel) ToggleMaximized() { t.maximizer.Toggle() }

// noSpan is the span of an empty selection.
var noSpan = model.Span{Offset: -1}

func (t *textPanel) Title() string { return "Text" }

func (t *textPanel) Content() fyne.CanvasObject {
	if !t.wasDisplayed {
		t.wasDisplayed = true
		t.read()
	}
	return t.maximizer.Content()
}

// setDocument shows the text of another document.
func (t *textPanel) setDocument(d *model.Document) {
	t.doc, t.isLoaded, t.report, t.ownSelection, t.notes = d, false, nil, noSpan, nil
	t.lane.Stop()
	if t.wasDisplayed {
		t.read()
	}
}

// read reads the text off the UI thread.
func (t *textPanel) read() {
	d := t.doc
	t.lane.Go(func(ctx context.Context) func() {
		all, err := words.Open(ctx, d.Source)
		if err != nil {
			all = words.Decode([]byte(host.Sentence(err)), path.Base(d.Source.Name()))
		}
		ready := text.Load(ctx, all)
		return func() {
			t.view.Show(ready)
			t.view.SetIndented(t.view.IsOneLine())
			t.isLoaded = err == nil
			t.showSelection(true)
			t.showNotes()
		}
	})
}

// Select follows a selection made in another panel.
func (t *textPanel) Select(s Selection) {
	if s.Document != t.doc {
		return
	}
	moved := s.Offset != t.selection.Offset || s.Length != t.selection.Length || s.Node != t.selection.Node
	t.selection = s
	t.showSelection(moved && (model.Span{Offset: s.Offset, Size: s.Length}) != t.ownSelection)
}

// showSelection highlights the selection, and scrolls to it if it was made in another panel.
func (t *textPanel) showSelection(scrolls bool) {
	s := t.selection
	if !t.isLoaded || s.Document != t.doc {
		return
	}
	span := model.Span{}
	if s.Node != nil && s.Node.Size < t.doc.Source.Size() { // a highlight of all text would be useless
		span = s.Node.Span
	}
	t.view.HighlightBytes(span)
	if scrolls {
		t.ownSelection = noSpan
		if s.Length > 0 { // an indented text has no bytes of the file
			t.view.SetIndented(false)
		}
		t.view.SetCaret(s.Offset, s.Length)
	}
	if s.Report != nil && s.Report != t.report {
		t.report = s.Report
		t.view.SetProblems(s.Report.Problems)
	}
}

// setNotes marks the notes of the document.
func (t *textPanel) setNotes(placed *notes.Placement) {
	t.notes = placed
	t.showNotes()
}

func (t *textPanel) showNotes() {
	if t.isLoaded {
		t.view.SetNotes(noted.InText(t.notes, t.doc.Source.Size()))
	}
}

// IsText reports whether the document is a text file, or a picture that is written as text.
func (p *Pane) IsText() bool { return p.isText }

// IsOnlyText reports whether the document is a text file that no format decodes: its text is all that it displays.
func (p *Pane) IsOnlyText() bool {
	return p.isText && p.doc.Content && !content.KindOf(p.doc.Source).Markup
}

// Text returns the panel with the text of a text file.
func (p *Pane) Text() Panel { return p.text }

// FocusText focuses the text.
func (p *Pane) FocusText() {
	p.Center.Show(p.text)
	p.text.view.Focus()
}

// FindNext selects the next match, in the text if that is visible.
func (p *Pane) FindNext() { p.stepMatch(1, p.search.FindNext) }

// FindPrevious selects the previous match, in the text if that is visible.
func (p *Pane) FindPrevious() { p.stepMatch(-1, p.search.FindPrevious) }

func (p *Pane) stepMatch(step int, inBytes func()) {
	if p.Center.Panel() == Panel(p.text) {
		p.text.view.Next(step)
	} else {
		inBytes()
	}
}

// showText displays the text of a document beside its bytes if it is a text file.
func (p *Pane) showText(d *model.Document) {
	p.text.setDocument(d)
	kind := content.KindOf(d.Source)
	switch isText := kind.Text || kind.Markup; {
	case isText && !p.isText:
		p.isText = true
		if kind.Markup { // it is a picture first
			p.Center.Add(p.text)
		} else {
			p.Center.AddFirst(p.text)
		}
	case !isText && p.isText:
		p.isText = false
		p.Center.Remove(p.text)
	}
}

// textSelected selects the bytes of characters that the user selected in the text.
func (p *Pane) textSelected(offset, length int64) {
	p.bytes.hex.SetRange(offset, length)
	p.bytes.hex.ScrollTo(offset)
	p.chooseBytes(offset, length)
}

// tints colors the fields, problems and matches near the visible bytes of the hex view. It finds fields in the
// background.
type tints struct {
	lane     *work.Lane
	hex      *hex.Hex
	problems *problems
	hits     *hits
	notes    *noteList
	doc      *model.Document

	loaded, requested model.Span // spans with known fields, and with requested fields
	fields            []hex.Mark
}

func (t *tints) setDocument(d *model.Document) {
	t.doc = d
	t.forget()
}

func (t *tints) forget() {
	t.lane.Stop()
	t.loaded, t.requested = model.Span{}, model.Span{}
}

const (
	tintMargin        = 2048 // number of colored bytes before and after the visible ones
	maxTintedProblems = 200  // maximum number of problems colored in a frame
)

// marks returns the marks of a range.
func (t *tints) marks(offset, length int64) []hex.Mark {
	end := offset + length
	if offset < t.loaded.Offset || end > t.loaded.End() {
		t.find(offset, end)
	}
	var out []hex.Mark
	for _, f := range t.fields {
		if f.Offset < end && f.Offset+f.Length > offset {
			out = append(out, f)
		}
	}
	out = append(out, noted.Marks(t.notes.placed, t.doc.Source.Size(), model.Span{Offset: offset, Size: length})...)
	if r := t.problems.report; r != nil {
		for _, problem := range r.Problems[:min(len(r.Problems), maxTintedProblems)] {
			s := problem.Span
			if problem.Severity > model.Note && s.Size > 0 && s.Size < t.doc.Source.Size()/2 && s.Offset < end &&
				s.End() > offset {
				out = append(out, hex.Mark{Offset: s.Offset, Length: s.Size, Kind: hex.Problem})
			}
		}
	}
	return append(out, t.hits.marks(offset, end)...)
}

// find finds the fields in and around a range.
func (t *tints) find(from, to int64) {
	if t.requested.Size > 0 && t.requested.Offset <= from && t.requested.End() >= to {
		return
	}
	from, to = max(0, from-tintMargin), min(t.doc.Source.Size(), to+tintMargin)
	t.requested = model.Span{Offset: from, Size: to - from}
	d := t.doc
	t.lane.Go(func(ctx context.Context) func() {
		fields := fieldsIn(ctx, d, from, to)
		return func() {
			t.loaded, t.requested, t.fields = t.requested, model.Span{}, fields
			t.hex.Refresh()
		}
	})
}

// fieldsIn returns the leaves of the range [from, to), colored by index among their siblings.
func fieldsIn(ctx context.Context, d *model.Document, from, to int64) []hex.Mark {
	var out []hex.Mark
	var last *model.Node
	for offset := from; offset < to && ctx.Err() == nil; {
		n := nextLeaf(last, offset)
		if n == nil {
			n = d.OwnerNear(last, offset)
		}
		last = n
		if n == nil || n.Size <= 0 {
			offset++
			continue
		}
		if n.Type != model.Gap {
			out = append(out, hex.Mark{Offset: n.Offset, Length: n.Size, Kind: hex.Field, Tint: n.Index})
		}
		offset = max(offset+1, n.End())
	}
	return out
}

// nextLeaf returns the next leaf after last if it contains the byte at offset, which is the usual case, or nil.
func nextLeaf(last *model.Node, offset int64) *model.Node {
	if last == nil || last.Parent == nil || last.Index+1 >= last.Parent.Len() {
		return nil
	}
	if n := last.Parent.Child(last.Index + 1); n.Leaf() && n.Contains(offset) && n.Type != model.Gap {
		return n
	}
	return nil
}
