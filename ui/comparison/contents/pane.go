package contents

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/content"
	"assay/model/text"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// Pane shows the lines of two text files, with a summary of the differences above them.
type Pane struct {
	*TextsView
	reading *work.Lane
	found   *compare.Comparison
	visible bool
	read    *compare.Comparison // the comparison with the displayed lines
	info    *widget.Label
	content fyne.CanvasObject
}

// NewPane returns a pane without texts.
func NewPane(h host.Host, style *paint.Style, group *work.Group) *Pane {
	p := &Pane{TextsView: NewTexts(h, style, group), reading: group.Lane(), info: widget.NewLabel("")}
	p.info.Truncation = fyne.TextTruncateEllipsis
	title := widget.NewLabelWithStyle("Text", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	p.content = container.NewBorder(paint.NewHeader(container.NewBorder(nil, nil, title, nil, p.info)), nil, nil, nil,
		p.TextsView.Content())
	return p
}

// Content returns the content of the panel below the tree.
func (p *Pane) Content() fyne.CanvasObject { return p.content }

// Texts reports whether both files of a comparison are texts.
func Texts(c *compare.Comparison) bool {
	return content.KindOf(c.Old.Source).Text && content.KindOf(c.New.Source).Text
}

// Set sets another comparison.
func (p *Pane) Set(found *compare.Comparison) {
	p.found = found
	p.SetRules(found.Options.Texts)
	p.load()
}

// SetVisible sets whether the pane is visible.
func (p *Pane) SetVisible(visible bool) {
	p.visible = visible
	p.load()
}

// SelectPair scrolls to the lines of a pair of nodes, unless it is the root.
func (p *Pane) SelectPair(pair *compare.Pair) {
	if n := pair.Node(); n.Parent != nil && p.read == p.found {
		p.Reveal(n.Offset, pair.New != nil)
	}
}

// load reads and compares both files if the pane is visible.
func (p *Pane) load() {
	found := p.found
	if !p.visible || found == nil || p.read == found {
		return
	}
	p.reading.Go(func(ctx context.Context) func() {
		var texts [2]*text.Text
		for i, d := range []*model.Document{found.Old, found.New} {
			var err error
			if texts[i], err = text.Open(ctx, d.Source); err != nil {
				return func() { p.info.SetText(host.Sentence(err)) }
			}
		}
		return func() {
			p.read = found
			p.Show(texts[0], texts[1], p.info.SetText)
		}
	})
}
