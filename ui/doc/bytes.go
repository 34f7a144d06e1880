package doc

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/ui/hex"
	"assay/ui/paint"
	"assay/ui/work"
)

// bytesPanel is the hex view of a document, with a place for tools above it.
type bytesPanel struct {
	hex     *hex.Hex
	tools   *fyne.Container
	content *fyne.Container
}

func newBytes(h Host, style *paint.Style, group *work.Group) *bytesPanel {
	b := &bytesPanel{hex: hex.New(h, style, group, nil), tools: container.NewStack()}
	b.hex.OnMenu = func(_ int64, at fyne.Position) { h.BytesMenu(at) }
	b.hex.OnError = func(err error) { complain(h, err) }
	b.content = container.New(above{}, b.tools, b.hex)
	return b
}

func (b *bytesPanel) Title() string { return "Hex" }

func (b *bytesPanel) Content() fyne.CanvasObject { return b.content }

// showTools shows a bar above the bytes.
func (b *bytesPanel) showTools(bar ...fyne.CanvasObject) {
	b.tools.Objects = bar
	b.tools.Refresh()
	b.content.Refresh()
}

// show puts the caret to a span and brings it into view.
func (b *bytesPanel) show(s model.Span) {
	b.hex.SetCaret(s.Offset)
	b.hex.ScrollToSpan(s.Offset, s.Size)
}

// light marks a node's bytes. The root's are all: marking them would say nothing and hide the fields.
func (b *bytesPanel) light(n *model.Node) {
	if n.Parent == nil {
		b.hex.Light(0, 0)
		return
	}
	b.hex.Light(n.Offset, n.Size)
}
