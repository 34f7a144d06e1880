package doc

import (
	"cmp"
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/notes"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tabs"
	"assay/ui/work"
)

// list is one of the lists of the bottom panel.
type list struct {
	title   string
	table   *rows.Table
	content fyne.CanvasObject // the rows, or a message instead of them
	badge   func() string     // returns the number of rows, or "" if it is unknown
}

// bottomPanel is the lower part of a pane: lists across the whole width. It is closed at first.
type bottomPanel struct {
	Host
	lists      []*list
	selected   *list
	share      float64
	focusBytes func() // focuses the hex view

	tabs    *tabs.Tabs
	content *fyne.Container // above, and the lists if the panel is open
	main    fyne.CanvasObject
	split   *container.Split
	body    *fyne.Container
}

func newBottomPanel(h Host, style *paint.Style, focusBytes func()) *bottomPanel {
	p := &bottomPanel{Host: h, share: 0.72, focusBytes: focusBytes, tabs: tabs.New(style), body: container.NewStack(),
		content: container.NewStack()}
	p.tabs.OnSelect = func(i int) { p.show(p.lists[i]) }
	closeButton := control.NewButton(h.Key, "", theme.CancelIcon(), p.close)
	closeButton.Importance = widget.LowImportance
	end := container.NewStack(paint.NewBackdrop(theme.ColorNameHeaderBackground),
		container.New(stripLayout{style}, closeButton))
	p.split = container.NewVSplit(container.NewStack(),
		container.NewBorder(container.NewBorder(nil, nil, nil, end, p.tabs), nil, nil, nil, p.body))
	return p
}

// setContent sets the object above the panel, and the lists.
func (p *bottomPanel) setContent(main fyne.CanvasObject, lists ...*list) {
	p.main, p.lists, p.selected = main, lists, lists[0]
	p.content.Objects = []fyne.CanvasObject{main}
}

// Key implements host.Host: Escape closes the lists, and the pane handles other keys.
func (p *bottomPanel) Key(k *fyne.KeyEvent, shift bool) bool {
	if k.Name == fyne.KeyEscape {
		p.close()
		p.focusBytes()
		return true
	}
	return p.Host.Key(k, shift)
}

func (p *bottomPanel) isOpen() bool { return p.content.Objects[0] == fyne.CanvasObject(p.split) }

func (p *bottomPanel) open(l *list) {
	if !p.isOpen() {
		p.split.Leading = p.main
		p.split.SetOffset(p.share)
		p.content.Objects = []fyne.CanvasObject{p.split}
		p.content.Refresh()
	}
	p.show(l)
}

func (p *bottomPanel) show(l *list) {
	p.selected = l
	p.updateTitles()
	p.body.Objects = []fyne.CanvasObject{l.content}
	p.body.Refresh()
}

func (p *bottomPanel) updateTitles() {
	var titles []tabs.Tab
	selected := 0
	for i, l := range p.lists {
		titles = append(titles, tabs.Tab{Title: l.title, Badge: l.badge()})
		if l == p.selected {
			selected = i
		}
	}
	p.tabs.SetTabs(titles)
	p.tabs.SetSelected(selected)
}

// close hides the lists.
func (p *bottomPanel) close() {
	if !p.isOpen() {
		return
	}
	p.share = p.split.Offset
	p.split.Leading = container.NewStack()
	p.content.Objects = []fyne.CanvasObject{p.main}
	p.content.Refresh()
}

// toggle opens a list and focuses it, or closes the lists.
func (p *bottomPanel) toggle(l *list) {
	if p.isOpen() && p.selected == l {
		p.close()
		return
	}
	p.open(l)
	l.table.Focus()
}

// stripLayout is a layout that gives its only object the height of a row of tabs.
type stripLayout struct{ style *paint.Style }

func (s stripLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := min(size.Height, objects[0].MinSize().Height)
	objects[0].Move(fyne.NewPos(0, (size.Height-h)/2))
	objects[0].Resize(fyne.NewSize(size.Width, h))
}

func (s stripLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].MinSize().Width, tabs.Height(s.style))
}

// problems is the list of the problems of the document.
type problems struct {
	list
	rows         *rows.List[model.Problem]
	doc          *model.Document
	report       *model.Report                // nil during the check
	titles       *work.Lookup[string, string] // titles of the paths of problems
	message      *widget.Label                // replaces an empty list
	chooseFolder *control.Button              // chooses the folder of files that may be missing
}

// maxMessageWidth is the maximum width of the column of messages, in device-independent pixels. Messages are not cut to
// the visible width.
const maxMessageWidth = 2400

// listOptions are the options of the lists in the bottom panel.
var listOptions = rows.Options{Header: true, MinSize: fyne.NewSize(100, 60), Grow: 560}

func newProblems(h host.Host, style *paint.Style, group *work.Group, show func(problem model.Problem)) *problems {
	p := &problems{message: widget.NewLabel("")}
	p.message.Importance = widget.LowImportance
	p.message.Wrapping = fyne.TextWrapWord
	p.message.Alignment = fyne.TextAlignCenter
	options := listOptions
	options.Grow = maxMessageWidth
	p.rows = rows.NewList(h, style, options, p.columns()...)
	table := p.rows.Table
	table.OnCurrent = func(row int) { show(p.rows.Items[row]) }
	table.OnActivate = table.OnCurrent
	p.titles = work.NewLookup[string, string](group, table.Refresh)
	table.OnMenu = func(row int, pos fyne.Position) {
		h.Menu(fyne.NewMenu("", fyne.NewMenuItem("Copy Problem", func() { h.Copy(p.rows.Items[row].Message) })), pos)
	}
	p.chooseFolder = control.NewButton(h.Key, "Choose Resource Folder…", theme.FolderOpenIcon(), nil)
	p.chooseFolder.Hide()
	content := container.NewBorder(nil, nil, nil, container.NewVBox(p.chooseFolder),
		container.NewStack(table, container.NewVBox(layout.NewSpacer(), p.message, layout.NewSpacer())))
	p.list = list{"Problems", table, content, p.count}
	return p
}

func (p *problems) count() string {
	if p.report == nil {
		return ""
	}
	return host.Number(len(p.report.Problems) + p.report.Omitted)
}

func (p *problems) set(d *model.Document, r *model.Report) {
	p.doc, p.report = d, r
	p.titles.Forget()
	p.rows.Set(nil)
	switch {
	case r == nil:
		p.message.SetText("Checking the file…")
		return
	case len(r.Problems) == 0:
		p.message.SetText(verdict(r, d.Source.Size()))
	default:
		p.message.SetText("")
	}
	p.rows.Set(r.Problems)
}

func (p *problems) columns() []rows.ListColumn[model.Problem] {
	return []rows.ListColumn[model.Problem]{
		{Title: "Severity", Width: 76,
			Value: func(problem model.Problem) any { return int(model.Error - problem.Severity) },
			Cell: func(problem model.Problem) rows.Cell {
				text := problem.Severity.String()
				if problem.Severity == model.Note {
					text = "minor" // notes are the user's
				}
				return rows.Cell{Text: text, Tone: paint.SeverityTone(problem.Severity)}
			}},
		{Title: "Offset", Width: 90, Align: paint.AlignRight,
			Value: func(problem model.Problem) any { return problem.Span.Offset },
			Cell: func(problem model.Problem) rows.Cell {
				return rows.Cell{Text: fmt.Sprintf("%#x", problem.Span.Offset), Mono: true, Tone: paint.Dim}
			}},
		{Title: "Problem", Width: 420, Value: func(problem model.Problem) any { return problem.Message },
			Cell: func(problem model.Problem) rows.Cell {
				return rows.Cell{Text: model.OneLine(problem.Message, 600)}
			}},
		{Title: "Where", Width: 200, Value: func(problem model.Problem) any { return problem.Path },
			Cell: func(problem model.Problem) rows.Cell {
				text := model.OneLine(cmp.Or(p.titleOf(problem.Path), problem.Path), 400)
				return rows.Cell{Text: text, Tone: paint.Dim, CutMiddle: true}
			}},
	}
}

// titleOf returns the title of the path of a problem, or "" until it is known.
func (p *problems) titleOf(path string) string {
	d := p.doc
	return p.titles.Of(path, func() string {
		if n, err := d.Find(path); err == nil {
			return cmp.Or(n.TitlePath(), "the whole file")
		}
		return ""
	})
}

// noteList is the list of the notes of a document. It also supplies the notes for the other panels.
type noteList struct {
	list
	lane      *work.Lane
	rows      *noted.List
	placed    *notes.Placement  // nil until loaded
	placedIn  *model.Document   // document of placed
	last      *notes.PlacedNote // the last selected note
	pendingID string            // ID of the note to select once the notes are loaded
}

func newNoteList(p *Pane, style *paint.Style, group *work.Group) *noteList {
	l := &noteList{lane: group.Lane(), rows: noted.NewList(p.bottom, style, noted.Events{OnShow: p.ShowNote,
		OnEdit: p.EditNote, OnDelete: p.DeleteNote, OnCarry: p.CarryNotes})}
	l.list = list{"Notes", l.rows.Table, l.rows.Content(), l.count}
	return l
}

func (l *noteList) count() string {
	if n := len(l.placed.All()); n > 0 {
		return host.Number(n)
	}
	return ""
}

// Notes returns the notes of the document, or nil while they are loading.
func (p *Pane) Notes() *notes.Placement { return p.notes.placed }

// ReadNotes reloads the notes of the document in the background.
func (p *Pane) ReadNotes() {
	d, l := p.doc, p.notes
	old := l.placed
	if l.placedIn != d {
		old = nil
	}
	l.lane.Go(func(ctx context.Context) func() {
		placed, err := p.PlaceNotes(ctx, d, old)
		if err != nil {
			return nil // the bytes panel reports that the document cannot be read
		}
		return func() {
			if d == p.doc {
				p.setNotes(placed)
			}
		}
	})
}

// setNotes displays the loaded notes.
func (p *Pane) setNotes(placed *notes.Placement) {
	l := p.notes
	unchanged := placed.Equal(l.placed)
	l.placed, l.placedIn = placed, p.doc
	if unchanged {
		return
	}
	l.rows.Set(placed.All())
	p.bottom.updateTitles()
	p.tree.SetNoted(p.noteMark)
	if p.OnNotes != nil {
		p.OnNotes()
	}
	p.bytes.hex.Refresh()
	p.text.setNotes(placed)
	p.details.Forget()
	p.readDetails()
	p.Changed()
	if id := l.pendingID; id != "" {
		l.pendingID = ""
		p.ShowNoteOf(id)
	}
}

// noteMark returns the flag and the tooltip of a node in the tree.
func (p *Pane) noteMark(n *model.Node) (flag rows.Mark, tip string) {
	if len(p.notes.placed.Present()) == 0 {
		return flag, ""
	}
	if n = p.resolve(n); n == nil {
		return flag, ""
	}
	return noted.RowFlag(p.notes.placed.OnNode(n))
}

// AssetNoteMark returns the flag and the text of the notes on the i-th asset of the document.
func (p *Pane) AssetNoteMark(i int) (flag rows.Mark, tip string) {
	return noted.RowFlag(p.notes.placed.InAsset(i))
}

// ToggleNotes opens or closes the list of notes.
func (p *Pane) ToggleNotes() { p.bottom.toggle(&p.notes.list) }

// ShowNote selects the node or the bytes of a note.
func (p *Pane) ShowNote(n notes.PlacedNote) {
	if node := p.doc.At(n.Path); node != nil && n.Node != "" {
		p.choose(node, fromElsewhere)
	}
	p.notes.last = &n
	if n.OnBytes && n.Bytes.Within(p.doc.Source.Size()) {
		p.Center.Show(p.bytes)
		p.bytes.hex.SetRange(n.Bytes.Offset, n.Bytes.Size)
		p.bytes.hex.ScrollToSpan(n.Bytes.Offset, n.Bytes.Size)
		p.selectRange(n.Bytes.Offset, n.Bytes.Size)
	}
	p.ShowHint(noted.Sentence(n))
}

// ShowNoteOf selects the note with an ID, now or once the notes are loaded.
func (p *Pane) ShowNoteOf(id string) {
	for _, n := range p.notes.placed.All() {
		if n.ID == id {
			p.ShowNote(n)
			return
		}
	}
	if p.notes.placed == nil {
		p.notes.pendingID = id
	}
}

// NextNote selects the next note.
func (p *Pane) NextNote() { p.stepNote(1) }

// PreviousNote selects the previous note.
func (p *Pane) PreviousNote() { p.stepNote(-1) }

func (p *Pane) stepNote(step int) {
	last, offset := p.notes.last, p.offset
	if last != nil && last.Bytes.Offset != offset {
		last = nil // the user has selected something else
	}
	if step > 0 && p.node != nil && p.node.Parent != nil {
		offset++ // not the note on the selection itself, but the root counts as the beginning of the file
	}
	n, ok := p.notes.placed.Step(last, offset, step)
	if !ok {
		p.ShowHint("This file has no notes. Press " + p.Keys().Text("note.edit") + " to add one.")
		return
	}
	p.ShowNote(n)
}

// NoteTarget returns the target of a new note: the selected bytes, else the selected node.
func (p *Pane) NoteTarget() (n *model.Node, bytes *model.Span) {
	if p.length > 0 {
		return p.node, &model.Span{Offset: p.offset, Size: p.length}
	}
	return p.node, nil
}

// SelectedNote returns the note on the selection, and whether there is one.
func (p *Pane) SelectedNote() (notes.PlacedNote, bool) { return p.notes.placed.Find(p.NoteTarget()) }
