package doc

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Drafts are the actions on a description that is being edited.
type Drafts struct {
	// Read decodes the document with an edited description, half a second after the last key.
	Read func(file, text string)
	// Save writes a text into the file, and calls saved.
	Save func(file, text string, saved func())
	// SaveAs asks for another file, and decodes the document with that.
	SaveAs func(file, text string)
	// Close ends the editing: the document is decoded with the file again.
	Close func(file string)
	// Focus gives the text the keyboard focus.
	Focus func(text fyne.Focusable)
	// Complete returns the words that can be at the caret. line counts from 0, and prefix is its text before the caret.
	Complete func(text string, line int, prefix string) []string
}

const (
	// draftDelay is the time after the last key.
	draftDelay = 500 * time.Millisecond
	// focusDelay is the time until the text has the focus: the tree of a new tab takes it when it is painted first.
	focusDelay = 200 * time.Millisecond
	// maxEdited is the size of a description that can be edited, in bytes: the toolkit lays out the whole text after
	// each key.
	maxEdited = 256 << 10
)

// editor edits the text of a description in its panel.
type editor struct {
	panel  *Description
	group  *work.Group
	drafts Drafts
	typing *work.Lane
	*lineEditor
	file      string // path of the edited file, or ""
	saved     string // text of the file on disk
	isSetting bool   // the text is being set

	edit, save, saveAs *control.Button
	tools              *fyne.Container
}

// newEditor returns the editor of a panel, which is hidden.
func newEditor(p *Description, h host.Host, group *work.Group) *editor {
	e := &editor{panel: p, group: group, typing: group.Lane(), lineEditor: newLineEditor(h, group.Lane())}
	e.entry.OnChanged = e.changed
	e.complete = func(line int, prefix string) []string { return e.drafts.Complete(e.entry.Text, line, prefix) }
	e.focus = func() { e.drafts.Focus(e.entry) }
	e.edit = control.NewButton(h.Key, "Edit", theme.DocumentCreateIcon(), e.toggle)
	e.save = control.NewButton(h.Key, "Save", theme.DocumentSaveIcon(), e.Save)
	e.saveAs = control.NewButton(h.Key, "Save As…", nil, func() { e.drafts.SaveAs(e.file, e.entry.Text) })
	e.tools = container.NewHBox(e.edit, e.save, e.saveAs)
	e.show()
	return e
}

// show displays the buttons that are of use.
func (e *editor) show() {
	description := e.panel.description()
	paint.SetVisible(e.tools, e.drafts.Read != nil && description != nil && isOnDisk(description.Files[0]))
	paint.SetVisible(e.save, e.file != "")
	paint.SetVisible(e.saveAs, e.file != "")
	label := "Edit"
	if e.file != "" {
		label = "Done"
	}
	e.edit.SetText(label)
}

func (e *editor) toggle() {
	if e.file == "" {
		e.begin(nil)
		return
	}
	if e.Unsaved() != "" {
		e.panel.showResult("Save the description first, or undo the changes.", true)
		return
	}
	e.end()
}

// begin reads the file, and edits it: the text gets the focus, or done is called with it.
func (e *editor) begin(done func(text string)) {
	d := e.panel.description()
	if d == nil || !isOnDisk(d.Files[0]) {
		return
	}
	file := d.Files[0]
	e.typing.Go(func(context.Context) func() {
		b, err := model.ReadText(file, maxEdited)
		return func() {
			if err != nil {
				e.panel.showResult(host.Sentence(err), true)
				return
			}
			e.file, e.saved = file, string(b)
			e.set(e.saved)
			e.panel.body.Objects = []fyne.CanvasObject{e.lineEditor.content}
			e.panel.body.Refresh()
			e.show()
			if done != nil {
				done(e.saved)
				return
			}
			e.typing.Go(func(ctx context.Context) func() {
				if !e.group.Pause(ctx, focusDelay) {
					return nil
				}
				return func() { e.drafts.Focus(e.entry) }
			})
		}
	})
}

// set replaces the text without reading the document by it.
func (e *editor) set(text string) {
	e.isSetting = true
	e.entry.SetText(text)
	e.markLine(0)
	e.isSetting = false
}

// end displays the description again.
func (e *editor) end() {
	file := e.file
	e.file = ""
	e.typing.Stop()
	e.panel.body.Objects = []fyne.CanvasObject{e.panel.view.Content()}
	e.panel.body.Refresh()
	e.show()
	e.drafts.Close(file)
}

func (e *editor) changed(text string) {
	e.textChanged()
	if e.isSetting || e.file == "" {
		return
	}
	file := e.file
	e.typing.Go(func(ctx context.Context) func() {
		if !e.group.Pause(ctx, draftDelay) {
			return nil
		}
		return func() { e.drafts.Read(file, text) }
	})
}

// Save writes the text into the file.
func (e *editor) Save() {
	if e.file == "" {
		return
	}
	text := e.entry.Text
	e.drafts.Save(e.file, text, func() {
		e.saved = text
		e.panel.showEditedFile()
	})
}

// Close ends the editing when the document is closed.
func (e *editor) Close() {
	if e.file != "" {
		e.drafts.Close(e.file)
	}
}

// Unsaved returns a sentence about changes that are not saved, or "".
func (e *editor) Unsaved() string {
	if e.file == "" || e.entry.Text == e.saved {
		return ""
	}
	return "The changes of " + model.FileName(e.file) + " are not saved."
}
