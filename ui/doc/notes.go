package doc

import (
	"context"

	"assay/model"
	"assay/model/notes"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

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
	l := &noteList{lane: group.Lane(), rows: noted.NewList(p.drawer, style, noted.Events{OnShow: p.ShowNote,
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
	p.drawer.updateTitles()
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

// NotedAsset returns the flag and the text of the notes on the i-th asset of the document.
func (p *Pane) NotedAsset(i int) (flag rows.Mark, tip string) {
	return noted.RowFlag(p.notes.placed.InAsset(i))
}

// ToggleNotes opens or closes the list of notes.
func (p *Pane) ToggleNotes() { p.drawer.toggle(&p.notes.list) }

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
		offset++
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
