package doc

import (
	"context"
	"errors"

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
	said    *widget.Label // name of the file, or the error in it
	content fyne.CanvasObject

	document *model.Document
	file     string // path of the displayed file, or "" if there is none yet
	failed   bool   // an error is displayed, until the document changes
}

var (
	_ Panel    = (*Description)(nil)
	_ Selector = (*Description)(nil)
)

// NewDescription returns an empty panel. Its work ends with the group.
func NewDescription(h host.Host, style *paint.Style, group *work.Group) *Description {
	p := &Description{lane: group.Lane(), said: widget.NewLabel("")}
	p.said.Wrapping, p.said.Selectable = fyne.TextWrapWord, true
	p.view = text.New(h, style, group, func(string) {})
	p.content = container.NewBorder(p.said, nil, nil, nil, p.view.Content())
	return p
}

// Title returns the title of the panel.
func (p *Description) Title() string { return "Description" }

// Content returns the canvas object of the panel.
func (p *Description) Content() fyne.CanvasObject { return p.content }

// Select highlights the rule that decoded the selected node.
func (p *Description) Select(s Selection) {
	if s.Document != p.document {
		p.document, p.file, p.failed = s.Document, "", false
	}
	if p.failed || s.Node == nil || p.document.Description == nil {
		return
	}
	d := p.document.Description
	file, line, ok := d.Rule(s.Node)
	if !ok {
		file, line = d.Files[0], 0
	}
	if file == p.file {
		p.lane.Stop()
		p.view.Light(line, false)
		return
	}
	p.show(file, line, "", func() (string, error) { return d.Text(file), nil })
}

// Fail displays an error of the description, and the current text of its file at the line of the error. It stays until
// the document changes.
func (p *Description) Fail(err error) {
	var at model.PlaceError
	if !errors.As(err, &at) {
		return
	}
	file, line := at.Place()
	p.failed = true
	p.show(file, line, host.Sentence(err), func() (string, error) {
		b, err := model.ReadText(file, model.DescriptionMost)
		return string(b), err
	})
}

// show displays the text of a file with a highlighted line. wrong is the error in that line, or "".
func (p *Description) show(file string, line int, wrong string, read func() (string, error)) {
	p.lane.Go(func(ctx context.Context) func() {
		content, err := read()
		if err != nil {
			return func() { p.say(host.Sentence(err), true) }
		}
		ready := text.Load(ctx, words.Of([]byte(content), file))
		return func() {
			if p.file = file; wrong != "" {
				p.file = ""
			}
			p.view.Show(ready)
			p.view.Light(line, wrong != "")
			if wrong == "" {
				p.say(file, false)
			} else {
				p.say(wrong, true)
			}
		}
	})
}

func (p *Description) say(text string, wrong bool) {
	p.said.Importance = widget.LowImportance
	if wrong {
		p.said.Importance = widget.DangerImportance
	}
	p.said.SetText(text)
}
