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
func (v *Versions) piece() *merge.Piece {
	switch c := v.current(); {
	case v.merging == nil || len(v.merging.Pieces) == 0:
		return nil
	case v.merging.WholeReason != "":
		return &v.merging.Pieces[0]
	case c != nil:
		return &v.merging.Pieces[c.Piece]
	}
	return nil
}

// TakeMine resolves the current piece with mine.
func (v *Versions) TakeMine() { v.resolve(merge.TakeMine) }

// TakeTheirs resolves the current piece with theirs.
func (v *Versions) TakeTheirs() { v.resolve(merge.TakeTheirs) }

// TakeBoth resolves the current piece with mine, followed by theirs.
func (v *Versions) TakeBoth() { v.resolve(merge.TakeBoth) }

// resolve resolves the current piece, and moves to the next unresolved conflict.
func (v *Versions) resolve(resolution merge.Resolution) {
	p := v.piece()
	if p == nil {
		return
	}
	if resolution == merge.TakeBoth && !p.CanTakeBoth {
		v.ShowHint("This conflict cannot take both versions. Take mine or theirs.")
		return
	}
	previous := p.Resolution
	v.remember(func() { p.Resolution = previous }, false)
	p.Resolution = resolution
	v.showResolutions()
	v.goToUnresolved()
}

// remember records a choice for the current change, or typed text, for Undo.
func (v *Versions) remember(restore func(), isText bool) {
	v.undos = append(v.undos[max(0, len(v.undos)-maxUndos+1):], undo{restore, isText, v.current()})
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
func (v *Versions) CanUndo() bool { return len(v.undos) > 0 }

// Undo reverts the last choice or typed text, and selects its row if that is listed.
func (v *Versions) Undo() {
	if !v.CanUndo() {
		return
	}
	last := v.undos[len(v.undos)-1]
	v.undos = v.undos[:len(v.undos)-1]
	if last.restore(); len(v.undos) < v.savedAt {
		v.savedAt = -1
	}
	if row := slices.IndexFunc(v.listed, func(i int) bool { return &v.changes[i] == last.change }); row >= 0 {
		v.goTo(row)
	}
	v.showResolutions()
}

// Unsaved returns the reason not to close the tab as a sentence, or "".
func (v *Versions) Unsaved() string {
	if len(v.undos) == v.savedAt {
		return ""
	}
	return "You chose versions, and the merged file is not saved."
}

// showResolutions displays the resolutions of all pieces.
func (v *Versions) showResolutions() {
	v.rows.Refresh()
	v.showCurrent()
	v.showUnresolved()
}

// showUnresolved displays the number of unresolved conflicts.
func (v *Versions) showUnresolved() {
	v.summary.SetText(host.SentenceOf(v.summaryText()))
	v.decisions.enable()
	v.Changed()
}

// goToUnresolved moves to the next unresolved conflict, and wraps around after the last one.
func (v *Versions) goToUnresolved() {
	if v.merging.WholeReason != "" {
		return // the rows are parts of one piece
	}
	from := int(v.rows.Current()) + 1
	for i := range v.listed {
		row := (from + i) % len(v.listed)
		if v.merging.Pieces[v.changes[v.listed[row]].Piece].Resolution == merge.Undecided {
			v.goTo(row)
			return
		}
	}
}

// SaveMerged writes the merged file to the path of the target, or to one that the user chooses, and calls done, which
// may be nil, after success.
func (v *Versions) SaveMerged(done func()) {
	switch {
	case v.merging == nil:
		return
	case v.merging.Undecided() > 0:
		if p := v.piece(); p == nil || p.Resolution != merge.Undecided {
			v.goToUnresolved()
		}
		v.ShowHint("Choose a version of every conflict before you save: " +
			host.Count(v.merging.Undecided(), "conflict") + " unresolved.")
		return
	case v.target.Path != "":
		v.write(export.Target{Path: v.target.Path, Replace: true}, done)
		return
	}
	v.target.Ask("Save Merged As", mergedPath(v.sides[model.Mine]), func(path string) {
		for _, s := range v.sides {
			if s.Path == path {
				v.showError("%s is one of the compared versions. Choose another file name.", s.Title)
				return
			}
		}
		v.write(export.Target{Path: path, Replace: true}, done) // the user confirmed overwriting
	})
}

// mergedPath returns the suggested path of a merged file, in the folder of mine.
func mergedPath(mine compared.Side) string {
	extension := filepath.Ext(mine.Path)
	return strings.TrimSuffix(mine.Path, extension) + "-merged" + extension
}

func (v *Versions) showError(format string, args ...any) {
	v.notices.Show(host.Notice{ID: "save", Level: host.Error, Text: host.SentenceOf(fmt.Sprintf(format, args...))})
}

// write writes the merged file, displays the result, and calls done, which may be nil, after success.
func (v *Versions) write(target export.Target, done func()) {
	v.notices.Remove("save")
	m := v.merging
	for _, d := range m.Documents {
		d.Source.Hold()
	}
	name, undoCount := model.FileName(target.Path), len(v.undos)
	v.Busy("Writing "+name, -1, nil)
	v.Group.Write(func(ctx context.Context) func() {
		size, err := m.Save(ctx, target, v.OpenSource)
		closeAll(m)
		return func() {
			v.Busy("", 0, nil)
			if err != nil {
				v.showError("%v.", export.Failure(name, err))
				return
			}
			v.savedAt = undoCount
			v.ShowHint("Saved " + name + " (" + host.Count(size, "byte") + ").")
			v.notices.Show(host.Notice{ID: "save", Text: "Saved and verified " + name + ": " + host.Count(size, "byte") + "."})
			if v.target.Written != nil && target.Path == v.target.Path {
				v.target.Written()
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
