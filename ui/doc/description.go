package doc

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	words "assay/model/text"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/text"
	"assay/ui/work"
)

// Description displays the description of a document beside its bytes.
type Description struct {
	lane    *work.Lane
	view    *text.View
	message *widget.Label   // name of the file, or the error in it
	body    *fyne.Container // the view, or the editor
	content fyne.CanvasObject
	editor  *editor

	document      *model.Document
	displayedPath string // path of the displayed file; "" before the first one
	failed        bool   // an error is displayed, until the document changes
}

var (
	_ Panel    = (*Description)(nil)
	_ Selector = (*Description)(nil)
)

// NewDescription returns an empty panel. Its work ends with the group.
func NewDescription(h host.Host, style *paint.Style, group *work.Group) *Description {
	p := &Description{lane: group.Lane(), message: widget.NewLabel("")}
	p.message.Wrapping, p.message.Selectable = fyne.TextWrapWord, true
	p.view = text.New(h, style, group, func(string) {})
	p.body = container.NewStack(p.view.Content())
	p.editor = newEditor(p, h, group)
	// An error of several lines is below the text, so that the text does not move.
	p.content = container.NewBorder(container.NewBorder(nil, nil, nil, p.editor.tools), p.message, nil, nil, p.body)
	return p
}

// Title returns the title of the panel.
func (p *Description) Title() string { return "Description" }

// Content returns the canvas object of the panel.
func (p *Description) Content() fyne.CanvasObject { return p.content }

// AllowEditing allows the user to edit the description.
func (p *Description) AllowEditing(d DraftActions) {
	p.editor.drafts = d
	p.editor.updateButtons()
}

// description returns the description of the document, or nil.
func (p *Description) description() *model.Description {
	if p.document == nil {
		return nil
	}
	return p.document.Description
}

// isOnDisk reports whether the file of a description is on disk; others are built in.
func isOnDisk(file string) bool { return filepath.IsAbs(file) }

// CanEdit reports whether the description is a file that can be edited.
func (p *Description) CanEdit() bool { return p.editor.tools.Visible() }

// ReplaceText edits the description. It replaces its text by the result of change, and calls done, which may be nil,
// with the new text.
func (p *Description) ReplaceText(change func(text string) string, done func(text string)) {
	replace := func(text string) {
		if text = change(text); text != p.editor.entry.Text {
			p.editor.entry.SetText(text)
		}
		if done != nil {
			done(text)
		}
	}
	if p.editor.file != "" {
		replace(p.editor.entry.Text)
		return
	}
	p.editor.begin(replace)
}

// Text returns the text of the description while it is being edited, else "".
func (p *Description) Text() string {
	if p.editor.file == "" {
		return ""
	}
	return p.editor.entry.Text
}

// Edit begins to edit the description.
func (p *Description) Edit() {
	if p.editor.file == "" {
		p.editor.begin(nil)
	}
}

// Focus gives the text the keyboard focus if it is being edited.
func (p *Description) Focus() {
	if p.editor.file != "" {
		p.editor.drafts.Focus(p.editor.entry)
	}
}

// showEditedFile displays the name of the edited file.
func (p *Description) showEditedFile() {
	text := p.editor.file
	if p.Unsaved() != "" {
		text += " (not saved)"
	}
	p.showResult(text, false)
}

// Select highlights the rule that decoded the selected node.
func (p *Description) Select(s Selection) {
	if s.Document != p.document {
		p.document, p.displayedPath, p.failed = s.Document, "", false
		p.editor.updateButtons()
		if p.editor.file != "" {
			p.showEditedFile()
			p.editor.markLine(0)
		}
	}
	if p.editor.file != "" {
		return
	}
	if p.failed || s.Node == nil || p.document.Description == nil {
		return
	}
	d := p.document.Description
	file, line, ok := d.Rule(s.Node)
	if !ok {
		file, line = d.Files[0], 0
	}
	if file == p.displayedPath {
		p.lane.Stop()
		p.view.HighlightLine(line, false)
		return
	}
	p.load(file, line, "", func() (string, error) { return d.Text(file), nil })
}

// Fail displays an error of the description, and the current text of its file at the line of the error. It stays until
// the document changes. It reports whether the user is editing the description, so that the error is in view.
func (p *Description) Fail(err error) (inView bool) {
	var location model.LocationError
	if !errors.As(err, &location) {
		return false
	}
	file, line := location.Location()
	if p.editor.file != "" {
		p.showResult(host.Sentence(err), true)
		if file == p.editor.file {
			p.editor.markLine(line)
		}
		return true
	}
	p.failed = true
	p.load(file, line, host.Sentence(err), func() (string, error) {
		b, err := model.ReadText(file, model.MaxDescription)
		return string(b), err
	})
	return false
}

// load displays the text of a file with a highlighted line. problem is the error in that line, or "".
func (p *Description) load(file string, line int, problem string, read func() (string, error)) {
	p.lane.Go(func(ctx context.Context) func() {
		content, err := read()
		if err != nil {
			return func() { p.showResult(host.Sentence(err), true) }
		}
		ready := text.Load(ctx, words.Decode([]byte(content), file))
		return func() {
			if p.displayedPath = file; problem != "" {
				p.displayedPath = ""
			}
			p.view.Show(ready)
			p.view.HighlightLine(line, problem != "")
			if problem == "" {
				p.showResult(file, false)
			} else {
				p.showResult(problem, true)
			}
		}
	})
}

func (p *Description) showResult(text string, isError bool) {
	p.message.Importance = widget.LowImportance
	if isError {
		p.message.Importance = widget.DangerImportance
	}
	p.message.SetText(text)
}

// Save writes the edited text into its file, and calls done, which may be nil, if it could.
func (p *Description) Save(done func()) { p.editor.save(done) }

// Close ends the editing when the document is closed.
func (p *Description) Close() { p.editor.close() }

// Unsaved returns a sentence about changes that are not saved, or "".
func (p *Description) Unsaved() string { return p.editor.unsaved() }

// DraftActions are the actions on a description that is being edited.
type DraftActions struct {
	// Read decodes the document with an edited description, half a second after the last key.
	Read func(file, text string)
	// Save writes a text into the file, and calls saved once the file has it.
	Save func(file, text string, saved func())
	// SaveAs asks for another file, and decodes the document with that.
	SaveAs func(file, text string)
	// Close ends the editing: from then on the document is decoded with the file again.
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
	// maxEdited is the maximum size of a description that can be edited, in bytes: the toolkit lays out the whole text
	// after each key.
	maxEdited = 256 << 10
)

// editor edits the text of a description in its panel.
type editor struct {
	panel  *Description
	group  *work.Group
	drafts DraftActions
	typing *work.Lane
	*lineEditor
	file      string // path of the edited file, or ""
	savedText string // text of the file on disk
	isSetting bool   // the text is being set

	editButton, saveButton, saveAsButton *control.Button
	tools                                *fyne.Container
}

// newEditor returns the editor of a panel, which is hidden.
func newEditor(p *Description, h host.Host, group *work.Group) *editor {
	e := &editor{panel: p, group: group, typing: group.Lane(), lineEditor: newLineEditor(h, group.Lane())}
	e.entry.OnChanged = e.changed
	e.complete = func(line int, prefix string) []string { return e.drafts.Complete(e.entry.Text, line, prefix) }
	e.focus = func() { e.drafts.Focus(e.entry) }
	e.editButton = control.NewButton(h.Key, "Edit", theme.DocumentCreateIcon(), e.toggle)
	e.saveButton = control.NewButton(h.Key, "Save", theme.DocumentSaveIcon(), func() { e.save(nil) })
	e.saveAsButton = control.NewButton(h.Key, "Save As…", nil, func() { e.drafts.SaveAs(e.file, e.entry.Text) })
	e.tools = container.NewHBox(e.editButton, e.saveButton, e.saveAsButton)
	e.updateButtons()
	return e
}

// updateButtons displays the buttons that are of use.
func (e *editor) updateButtons() {
	description := e.panel.description()
	paint.SetVisible(e.tools, e.drafts.Read != nil && description != nil && isOnDisk(description.Files[0]))
	paint.SetVisible(e.saveButton, e.file != "")
	paint.SetVisible(e.saveAsButton, e.file != "")
	label := "Edit"
	if e.file != "" {
		label = "Done"
	}
	e.editButton.SetText(label)
}

func (e *editor) toggle() {
	if e.file == "" {
		e.begin(nil)
		return
	}
	if e.unsaved() != "" {
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
			e.file, e.savedText = file, string(b)
			e.set(e.savedText)
			e.panel.body.Objects = []fyne.CanvasObject{e.lineEditor.content}
			e.panel.body.Refresh()
			e.updateButtons()
			if done != nil {
				done(e.savedText)
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
	e.updateButtons()
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

// save writes the text into the file, and calls done, which may be nil, if it could.
func (e *editor) save(done func()) {
	if e.file == "" {
		return
	}
	text := e.entry.Text
	e.drafts.Save(e.file, text, func() {
		e.savedText = text
		e.panel.showEditedFile()
		if done != nil {
			done()
		}
	})
}

// close ends the editing when the document is closed.
func (e *editor) close() {
	if e.file != "" {
		e.drafts.Close(e.file)
	}
}

// unsaved returns a sentence about changes that are not saved, or "".
func (e *editor) unsaved() string {
	if e.file == "" || e.entry.Text == e.savedText {
		return ""
	}
	return "The changes of " + model.FileName(e.file) + " are not saved."
}
