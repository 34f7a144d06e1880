package three

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare/merge"
	"assay/ui/doc"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/thumbnail"
)

// pictures is what the current change looks like in all three versions, in columns.
type pictures struct {
	sides   [3]*preview.Preview
	lines   [3]*widget.Label // of a hunk of a text
	texts   [3]*container.Scroll
	content *fyne.Container
}

func newPictures(t *Versions) *pictures {
	l := &pictures{content: container.NewGridWithColumns(3)}
	for v := range l.sides {
		p := preview.New(t, t.Style, t.Group, thumbnail.Options{Open: t.OpenSource})
		p.Fixed()
		p.OnAsset = func(d *model.Document, n *model.Node) { t.Reveal(d, n) }
		l.sides[v] = p
		l.lines[v] = widget.NewLabel("")
		l.lines[v].TextStyle.Monospace, l.lines[v].Wrapping = true, fyne.TextWrapWord
		l.texts[v] = container.NewVScroll(l.lines[v])
		title := widget.NewLabelWithStyle([]string{"Base", "Mine", "Theirs"}[v], fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		l.content.Add(container.NewBorder(title, nil, nil, nil, container.NewStack(p.Content(), l.texts[v])))
	}
	return l
}

// show shows a change, which has these nodes; nil: there is none.
func (l *pictures) show(m *merge.Merging, c *merge.Row, nodes [3]*model.Node) {
	if m == nil || c == nil {
		return
	}
	lines := c.Lines
	for v, p := range l.sides {
		d, n := m.Documents[v], nodes[v]
		if n == nil && c.Texts[v] == merge.Unchanged { // it looks as in the base
			d, n = m.Documents[model.Base], nodes[model.Base]
		}
		paint.Show(p.Content(), lines == nil && n != nil)
		paint.Show(l.texts[v], lines != nil || n == nil)
		switch {
		case lines != nil:
			l.lines[v].SetText(lines[v])
		case n == nil:
			l.lines[v].SetText("Not in this version.")
		default:
			p.Select(doc.Selection{Document: d, Node: n})
		}
	}
}
