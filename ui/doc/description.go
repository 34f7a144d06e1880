package doc

import (
	"context"
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	words "assay/model/text"
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
	*editor

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
	// An error of several lines is below the text, which would move when it comes and goes.
	p.content = container.NewBorder(container.NewBorder(nil, nil, nil, p.tools), p.message, nil, nil, p.body)
	return p
}

// Title returns the title of the panel.
func (p *Description) Title() string { return "Description" }

// Content returns the canvas object of the panel.
func (p *Description) Content() fyne.CanvasObject { return p.content }

// AllowEditing allows the user to edit the description.
func (p *Description) AllowEditing(d Drafts) {
	p.drafts = d
	p.editor.show()
}

// description returns the description of the document, or nil.
func (p *Description) description() *model.Description {
	if p.document == nil {
		return nil
	}
	return p.document.Description
}

// isOnDisk reports whether a description is a file; others are built in.
func isOnDisk(file string) bool { return filepath.IsAbs(file) }

// CanEdit reports whether the description is a file that can be edited.
func (p *Description) CanEdit() bool { return p.tools.Visible() }

// ReplaceText edits the description. It replaces its text by what change returns for it, and calls done, which may be
// nil, with the new text.
func (p *Description) ReplaceText(change func(text string) string, done func(text string)) {
	replace := func(text string) {
		if text = change(text); text != p.entry.Text {
			p.entry.SetText(text)
		}
		if done != nil {
			done(text)
		}
	}
	if p.editor.file != "" {
		replace(p.entry.Text)
		return
	}
	p.begin(replace)
}

// Edit begins to edit the description.
func (p *Description) Edit() {
	if p.editor.file == "" {
		p.begin(nil)
	}
}

// Focus gives the text the keyboard focus if it is being edited.
func (p *Description) Focus() {
	if p.editor.file != "" {
		p.drafts.Focus(p.entry)
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
		p.editor.show()
		if p.editor.file != "" {
			p.showEditedFile()
			p.markLine(0)
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
			p.markLine(line)
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
