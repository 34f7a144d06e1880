package three

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare/merge"
	"assay/model/export"
	"assay/ui/command"
	"assay/ui/comparison/compared"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
)

// Target is the location of the merged file.
type Target struct {
	Path    string // the file to overwrite; empty: the user chooses a file
	Written func() // called when Path was written
	// Ask asks the user for the path of a new file and suggests name.
	Ask func(title, name string, done func(path string))
}

// decisions holds the buttons that resolve conflicts and save the merged file.
type decisions struct {
	t                      *Versions
	mine, theirs, takeBoth *control.Button
	save                   *control.Button
	content                *fyne.Container
}

func newDecisions(t *Versions) *decisions {
	d := &decisions{t: t}
	button := func(id command.ID, do func()) *control.Button {
		b := control.NewButton(t.Key, command.ByID(id).Label, nil, do)
		b.Importance = widget.LowImportance
		b.Disable()
		return b
	}
	d.mine, d.theirs = button("merge.mine", t.TakeMine), button("merge.theirs", t.TakeTheirs)
	d.takeBoth, d.save = button("merge.both", t.TakeBoth), button("merge.save", func() { t.SaveMerged(nil) })
	if t.target.Path != "" {
		d.save.SetText("Save Merged File")
	}
	d.content = container.NewHBox(d.mine, d.theirs, d.takeBoth, d.save)
	return d
}

// enable enables the buttons that have an effect.
func (d *decisions) enable() {
	p := d.t.piece()
	paint.SetEnabled(d.mine, p != nil)
	paint.SetEnabled(d.theirs, p != nil)
	paint.SetEnabled(d.takeBoth, p != nil && p.CanTakeBoth)
	paint.SetEnabled(d.save, d.t.merging != nil) // with unresolved conflicts it selects the next one
	d.save.Importance = widget.LowImportance
	if !d.save.Disabled() && d.t.merging.Undecided() == 0 {
		d.save.Importance = widget.HighImportance
	}
	d.save.Refresh()
}

// piece returns the piece of the current row, or nil. A file that is merged as a whole has one piece.
func (t *Versions) piece() *merge.Piece {
	switch c := t.current(); {
	case t.merging == nil || len(t.merging.Pieces) == 0:
		return nil
	case t.merging.WholeReason != "":
		return &t.merging.Pieces[0]
	case c != nil:
		return &t.merging.Pieces[c.Piece]
	}
	return nil
}

// TakeMine resolves the current piece with mine.
func (t *Versions) TakeMine() { t.resolve(merge.TakeMine) }

// TakeTheirs resolves the current piece with theirs.
func (t *Versions) TakeTheirs() { t.resolve(merge.TakeTheirs) }

// TakeBoth resolves the current piece with mine, followed by theirs.
func (t *Versions) TakeBoth() { t.resolve(merge.TakeBoth) }

// resolve resolves the current piece, and moves to the next unresolved conflict.
func (t *Versions) resolve(resolution merge.Resolution) {
	p := t.piece()
	if p == nil {
		return
	}
	if resolution == merge.TakeBoth && !p.CanTakeBoth {
		t.ShowHint("This conflict cannot take both versions. Take mine or theirs.")
		return
	}
	previous := p.Resolution
	t.remember(func() { p.Resolution = previous }, false)
	p.Resolution = resolution
	t.showResolutions()
	t.goToUnresolved()
}

// remember records a choice for the current change, or typed text, for Undo.
func (t *Versions) remember(restore func(), isText bool) {
	t.undos = append(t.undos[max(0, len(t.undos)-maxUndos+1):], undo{restore, isText, t.current()})
}

// undo is a choice for a change, or typed text, that can be undone.
type undo struct {
	restore func()
	isText  bool
	change  *merge.Row // the current one at that time, or nil
}

// maxUndos is the maximum number of choices and typed texts that can be undone.
const maxUndos = 1000

// CanUndo reports whether a choice or typed text can be undone.
func (t *Versions) CanUndo() bool { return len(t.undos) > 0 }

// Undo reverts the last choice or typed text, and selects its row if that is listed.
func (t *Versions) Undo() {
	if !t.CanUndo() {
		return
	}
	last := t.undos[len(t.undos)-1]
	t.undos = t.undos[:len(t.undos)-1]
	if last.restore(); len(t.undos) < t.savedAt {
		t.savedAt = -1
	}
	if row := slices.IndexFunc(t.listed, func(i int) bool { return &t.changes[i] == last.change }); row >= 0 {
		t.goTo(row)
	}
	t.showResolutions()
}

// Unsaved returns the reason not to close the tab as a sentence, or "".
func (t *Versions) Unsaved() string {
	if len(t.undos) == t.savedAt {
		return ""
	}
	return "You chose versions, and the merged file is not saved."
}

// showResolutions displays the resolutions of all pieces.
func (t *Versions) showResolutions() {
	t.rows.Refresh()
	t.showCurrent()
	t.showUnresolved()
}

// showUnresolved displays the number of unresolved conflicts.
func (t *Versions) showUnresolved() {
	t.summary.SetText(host.SentenceOf(t.summaryText()))
	t.decisions.enable()
	t.Changed()
}

// goToUnresolved moves to the next unresolved conflict, and wraps around after the last one.
func (t *Versions) goToUnresolved() {
	if t.merging.WholeReason != "" {
		return // the rows are parts of one piece
	}
	from := int(t.rows.Current()) + 1
	for i := range t.listed {
		row := (from + i) % len(t.listed)
		if t.merging.Pieces[t.changes[t.listed[row]].Piece].Resolution == merge.Undecided {
			t.goTo(row)
			return
		}
	}
}

// SaveMerged writes the merged file to the path of the target, or to one that the user chooses, and calls done, which
// may be nil, after success.
func (t *Versions) SaveMerged(done func()) {
	switch {
	case t.merging == nil:
		return
	case t.merging.Undecided() > 0:
		if p := t.piece(); p == nil || p.Resolution != merge.Undecided {
			t.goToUnresolved()
		}
		t.ShowHint("Choose a version of every conflict before you save: " +
			host.Count(t.merging.Undecided(), "conflict") + " unresolved.")
		return
	case t.target.Path != "":
		t.write(export.Target{Path: t.target.Path, Replace: true}, done)
		return
	}
	t.target.Ask("Save Merged As", mergedPath(t.sides[model.Mine]), func(path string) {
		for _, s := range t.sides {
			if s.Path == path {
				t.showError("%s is one of the compared versions. Choose another file name.", s.Title)
				return
			}
		}
		t.write(export.Target{Path: path, Replace: true}, done) // the user confirmed overwriting
	})
}

// mergedPath returns the suggested path of a merged file, in the folder of mine.
func mergedPath(mine compared.Side) string {
	extension := filepath.Ext(mine.Path)
	return strings.TrimSuffix(mine.Path, extension) + "-merged" + extension
}

func (t *Versions) showError(format string, args ...any) {
	t.notices.Show(host.Notice{ID: "save", Level: host.Error, Text: host.SentenceOf(fmt.Sprintf(format, args...))})
}

// write writes the merged file, displays the result, and calls done, which may be nil, after success.
func (t *Versions) write(target export.Target, done func()) {
	t.notices.Remove("save")
	m := t.merging
	for _, d := range m.Documents {
		d.Source.Hold()
	}
	name, undoCount := model.FileName(target.Path), len(t.undos)
	t.Busy("Writing "+name, -1, nil)
	t.Group.Write(func(ctx context.Context) func() {
		size, err := m.Save(ctx, target, t.OpenSource)
		closeAll(m)
		return func() {
			t.Busy("", 0, nil)
			if err != nil {
				t.showError("%v.", export.Failure(name, err))
				return
			}
			t.savedAt = undoCount
			t.ShowHint("Saved " + name + " (" + host.Count(size, "byte") + ").")
			t.notices.Show(host.Notice{ID: "save", Text: "Saved and verified " + name + ": " + host.Count(size, "byte") + "."})
			if t.target.Written != nil && target.Path == t.target.Path {
				t.target.Written()
			}
			if done != nil {
				done()
			}
		}
	})
}

// mergedEditor is the editor of the merged text that the current hunk is in.
type mergedEditor struct {
	t         *Versions
	entry     *control.Field
	piece     int // a hunk of the displayed text, or -1
	isSetting bool
	content   fyne.CanvasObject
}

func newMergedEditor(t *Versions) *mergedEditor {
	m := &mergedEditor{t: t, entry: control.NewField(t, ""), piece: -1}
	m.entry.MultiLine, m.entry.TextStyle.Monospace, m.entry.Scroll = true, true, fyne.ScrollBoth
	m.entry.OnKey = func(k *fyne.KeyEvent, _ bool) bool {
		if k.Name == fyne.KeyEscape {
			t.Focus()
		}
		return k.Name == fyne.KeyEscape
	}
	m.entry.OnChanged = m.changed
	title := widget.NewLabelWithStyle("Merged", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	m.content = container.NewBorder(title, nil, nil, nil, m.entry)
	return m
}

// show displays the merged text of a row and scrolls to its hunk. It reports whether the row has a text.
func (m *mergedEditor) show(row *merge.Row) bool {
	m.piece = -1
	if row == nil || m.t.merging.WholeReason != "" {
		return false
	}
	text, line, ok := m.t.merging.Text(row.Piece)
	if !ok {
		return false
	}
	m.piece = row.Piece
	m.isSetting = true
	if text != m.entry.Text {
		m.entry.SetText(text)
	}
	// The end of the text first, then the hunk: it is the first visible line.
	for _, line := range []int{strings.Count(text, "\n"), line} {
		m.entry.CursorRow, m.entry.CursorColumn = line, 0
		m.entry.Refresh()
	}
	m.isSetting = false
	return true
}

// changed stores the edited text.
func (m *mergedEditor) changed(text string) {
	if m.isSetting || m.piece < 0 {
		return
	}
	t := m.t
	undo := t.merging.Edit(m.piece, text)
	if last := len(t.undos) - 1; last < 0 || !t.undos[last].isText {
		t.remember(undo, true) // one undo step for all text typed without a choice in between
	}
	t.savedAt = -1
	t.rows.Refresh()
	t.showUnresolved()
}
