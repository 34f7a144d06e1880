package window

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/notes"
	"assay/ui/ask"
	"assay/ui/comparison"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/opening"
)

// notebook creates and edits notes, and updates them in all tabs.
type notebook struct {
	w          *Window
	store      *notes.Store  // nil: notes are not saved
	color      notes.Color   // last chosen color
	folder     *opening.File // folder of the notes, watched for changes by other windows; nil while it is missing
	lastNotice string        // last notice about unreadable note files
}

// PlaceNotes finds the nodes and bytes that the notes of d belong to. It can be called on any goroutine. Unreadable
// note files are skipped and reported once.
func (h *tabHost) PlaceNotes(ctx context.Context, d *model.Document, old *notes.Placement) (*notes.Placement,
	error) {
	store := h.w.notebook.store
	if store == nil {
		return nil, nil
	}
	sheets, err := store.Sheets()
	if err != nil {
		h.w.group.Do(ctx, func() { h.w.notebook.notifyUnreadable(host.Sentence(err)) })
	}
	return notes.Place(ctx, d, sheets, old)
}

// notifyUnreadable notifies the user of unreadable note files, unless the last notice had the same text.
func (n *notebook) notifyUnreadable(text string) {
	if text != n.lastNotice {
		n.lastNotice = text
		n.w.Notify(host.Notice{ID: "notes", Level: host.Warning, Text: text})
	}
}

// canAnnotate reports whether notes can be made in a tab.
func (n *notebook) canAnnotate(t Tab) bool { return n.isEnabled(t) && has[*doc.Pane](t) }

// isEnabled reports whether notes are saved.
func (n *notebook) isEnabled(Tab) bool { return n.store != nil }

// selected returns the note on the selection of a tab, and whether there is one.
func (n *notebook) selected(t Tab) (old notes.PlacedNote, ok bool) {
	if n.canAnnotate(t) {
		old, ok = partOf[*doc.Pane](t).SelectedNote()
	}
	return old, ok
}

// watch starts watching the folder of notes. It returns false if the folder is watched already or does not exist, or
// notes are not saved.
func (n *notebook) watch() bool {
	if n.store == nil || n.folder != nil || !model.IsFolder(n.store.Path()) {
		return false
	}
	n.folder = opening.NewFile(n.store.Path())
	n.w.watching.Set(n.w.group, n, n.folder)
	return true
}

// rereadIfCreated loads the notes if their folder was missing before: another window has created it.
func (n *notebook) rereadIfCreated() {
	if n.watch() {
		n.reread()
	}
}

// changedOnDisk reloads the notes if path is one of their files.
func (n *notebook) changedOnDisk(path string) {
	if n.folder != nil && n.folder.HasPath(path) {
		n.reread()
	}
}

// reread reloads the notes and updates all tabs.
func (n *notebook) reread() {
	n.watch()
	for _, t := range n.w.tabs.all {
		switch t := t.(type) {
		case *docTab:
			t.pane.ReadNotes()
		case *comparisonTab:
			if c := partOf[*comparison.Comparison](t); c != nil {
				c.ReadNotes()
			}
		}
	}
}

// apply applies the changes off the UI thread. name is the name of the undo step; without it the changes cannot be
// undone.
func (n *notebook) apply(name string, changes func(ctx context.Context) ([]notes.Change, error)) {
	n.w.group.Write(func(ctx context.Context) func() {
		all, err := changes(ctx)
		var reverse []notes.Change
		if err == nil && len(all) > 0 {
			reverse, err = n.store.Apply(all...)
		}
		return func() {
			switch {
			case err != nil:
				n.w.Notify(host.Notice{ID: "notes", Level: host.Error, Text: host.Sentence(err)})
			case len(all) > 0:
				n.reread()
				if name != "" {
					n.w.undo.add(step{name: name, revert: func() bool {
						n.apply("", fixedChanges(reverse...))
						return true
					}})
				}
			}
		}
	})
}

// fixedChanges returns a func for apply that returns the given changes.
func fixedChanges(all ...notes.Change) func(context.Context) ([]notes.Change, error) {
	return func(context.Context) ([]notes.Change, error) { return all, nil }
}

// edit opens the editor for the note on the selection of a tab.
func (n *notebook) edit(t Tab) {
	if old, ok := n.selected(t); ok {
		n.editNote(old)
		return
	}
	p := partOf[*doc.Pane](t)
	d := p.Document()
	node, span := p.NoteTarget()
	var target notes.PlacedNote
	if span != nil {
		target.Bytes, target.OnBytes = *span, true
	} else if node != nil {
		target.Node, target.Title = node.PathText(), node.TitlePath()
	}
	location := locationOf(target)
	n.askNote("Note on "+location, n.color, "", func(color notes.Color, text string) {
		n.color = color
		n.apply("Add Note to "+location, func(ctx context.Context) ([]notes.Change, error) {
			c, err := notes.NewNote(ctx, d, node, span)
			if err != nil {
				return nil, err
			}
			c.Put[0].Color, c.Put[0].Text = color, text
			return []notes.Change{c}, nil
		})
	})
}

func (n *notebook) askNote(title string, color notes.Color, text string, do func(color notes.Color, text string),
	buttons ...ask.Button) {
	e := noted.NewEditor(n.w, color, text)
	e.OnEnter = n.w.ask.Form(title, e.Content(), fyne.NewSize(460, 0), e.Text,
		ask.Button{Label: "Save", On: func() { do(e.Color, e.Text.Text) }}, buttons...)
}

// editNote asks for a new color and text of a note.
func (n *notebook) editNote(old notes.PlacedNote) {
	n.askNote("Note on "+locationOf(old), old.Color, old.Text, func(color notes.Color, text string) {
		edited := old.Note
		edited.Color, edited.Text = color, text
		n.apply("Edit Note on "+locationOf(old), fixedChanges(notes.Change{Content: old.Content, Put: []notes.Note{edited}}))
	}, ask.Button{Label: "Delete", On: func() { n.delete(old) }})
}

func (n *notebook) delete(old notes.PlacedNote) {
	n.apply("Delete Note on "+locationOf(old), fixedChanges(notes.Change{Content: old.Content, Remove: []string{old.ID}}))
}

func locationOf(n notes.PlacedNote) string {
	if n.Node == "/" && !n.OnBytes {
		return "the whole file"
	}
	if n.Title == "" || n.OnBytes {
		return fmt.Sprintf("%s at %#x", host.Count(n.Bytes.Size, "byte"), n.Bytes.Offset)
	}
	return model.OneLine(n.Title, 60)
}

// EditNote asks for a new color and text of a note.
func (t *docTab) EditNote(n notes.PlacedNote) { t.w.notebook.editNote(n) }

func (t *docTab) DeleteNote(n notes.PlacedNote) { t.w.notebook.delete(n) }

// CarryNotes copies the notes on an earlier version of the file to the current one.
func (t *docTab) CarryNotes() {
	p := t.pane
	d, placed := p.Document(), p.Notes()
	t.w.notebook.apply("Carry Over Notes from Earlier Version", func(ctx context.Context) ([]notes.Change, error) {
		all, lost, err := notes.Carry(ctx, d, placed)
		if err == nil && len(all) == 0 {
			err = fmt.Errorf("%s could not be carried over because the bytes no longer exist",
				host.Count(int64(lost), "note"))
		}
		return all, err
	})
}

func (n *notebook) actions() actions {
	earlier := func(t Tab) bool { return n.canAnnotate(t) && len(partOf[*doc.Pane](t).Notes().Earlier()) > 0 }
	onPane := func(do func(p *doc.Pane)) action {
		return action{IsEnabled: n.canAnnotate, Do: func(t Tab) { do(partOf[*doc.Pane](t)) }}
	}
	return actions{
		"note.edit": {IsEnabled: n.canAnnotate, Do: n.edit, Name: func(t Tab) string {
			if _, ok := n.selected(t); ok {
				return "Edit Note…"
			}
			return "Add Note…"
		}},
		"note.delete": {IsEnabled: func(t Tab) bool { _, ok := n.selected(t); return ok }, Do: func(t Tab) {
			old, _ := n.selected(t)
			n.delete(old)
		}},
		"note.carry":       {IsEnabled: earlier, Do: func(t Tab) { t.(*docTab).CarryNotes() }},
		"note.import":      {IsEnabled: n.isEnabled, Do: func(Tab) { n.importFile() }},
		"note.export":      {IsEnabled: n.isEnabled, Do: func(Tab) { n.export() }},
		"view.notes":       {IsEnabled: n.canAnnotate, Do: func(t Tab) { partOf[*doc.Pane](t).ToggleNotes() }},
		"go.next-note":     onPane((*doc.Pane).NextNote),
		"go.previous-note": onPane((*doc.Pane).PreviousNote),
		"go.notes":         {IsEnabled: n.isEnabled, Do: func(Tab) { n.list() }},
	}
}

func (n *notebook) importFile() {
	n.w.ask.File("Notes to import", n.w.folder(), []string{".json"}, n.importFrom)
}

func (n *notebook) importFrom(path string) {
	n.apply("Import Notes from "+model.FileName(path), func(ctx context.Context) ([]notes.Change, error) {
		f, err := model.OpenShared(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		all, invalid, err := notes.Parse(f)
		if err == nil && invalid > 0 {
			n.w.group.Do(ctx, func() {
				n.w.Notify(host.Notice{Level: host.Warning, Text: fmt.Sprintf("Skipped %s in %s.",
					host.Count(int64(invalid), "invalid note"), model.FileName(path))})
			})
		}
		return all, err
	})
}

// export asks for a file and writes all notes into it.
func (n *notebook) export() {
	n.w.Save("notes.json", func(out io.Writer) error {
		sheets, err := n.store.Sheets()
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := notes.Export(&b, sheets); err != nil {
			return err
		}
		_, err = b.WriteTo(out)
		return err
	})
}

// maxListedNotes is the maximum number of listed notes.
const maxListedNotes = 500

// list lists the notes of all files. Enter opens the file and selects the note.
func (n *notebook) list() {
	n.w.Choose("All notes", "No notes yet. Press "+n.w.Keys().Text("note.edit")+" to add one to the selected node or bytes.",
		func(_ context.Context, query string, show func([]ask.Item)) {
			sheets, _ := n.store.Sheets()
			var items []ask.Item
			for _, s := range sheets {
				for _, note := range s.Notes {
					if len(items) == maxListedNotes {
						show(append(items, ask.Item{Name: "Type part of a note for more", Dim: true}))
						return
					}
					text := noted.Sentence(notes.PlacedNote{Note: note})
					if ask.ContainsWords(query, text, s.Name, note.Node) {
						items = append(items, ask.Item{Name: text, Note: model.OneLine(note.Node, 200),
							Where: model.OneLine(s.Name, 200), On: func() { n.open(s, note) }})
					}
				}
			}
			show(items)
		})
}

// open opens the file of a note at its last path, and selects the note.
func (n *notebook) open(s notes.Sheet, note notes.Note) {
	path := s.File()
	if path == "" {
		n.w.Notify(host.Notice{Text: "Cannot open " + s.Name + ": its location is unknown. The note was imported, or its file was never saved."})
		return
	}
	n.w.opener.openFile(path, func(t *docTab) { t.pane.ShowNoteOf(note.ID) })
}
