package control

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// beneath is what stands under the field: offers, or a sentence.
type beneath struct {
	whole  *fyne.Container
	ground *canvas.Rectangle
	lines  *fyne.Container
	text   *widget.Label
}

func newBeneath() *beneath {
	b := &beneath{ground: canvas.NewRectangle(color.Transparent), text: widget.NewLabel(""),
		lines: container.New(layout.NewCustomPaddedVBoxLayout(0))}
	b.text.Wrapping, b.text.Importance = fyne.TextWrapWord, widget.WarningImportance
	b.whole = container.NewStack(b.ground, b.lines)
	return b
}

// offer shows texts, of which a click takes one.
func (b *beneath) offer(texts []string, take func(i int)) {
	b.lines.RemoveAll()
	for i, text := range texts {
		b.lines.Add(newOffer(text, func() { take(i) }))
	}
	b.paint()
}

// tell shows a sentence.
func (b *beneath) tell(text string) {
	b.text.SetText(text)
	b.lines.Objects = []fyne.CanvasObject{b.text}
	b.paint()
}

// light marks one of the offers; -1: none.
func (b *beneath) light(at int) {
	for i, o := range b.lines.Objects {
		if o, ok := o.(*offer); ok {
			o.mark(i == at)
		}
	}
}

// paint takes the colors of the theme.
func (b *beneath) paint() {
	b.ground.FillColor = theme.Color(theme.ColorNameMenuBackground)
	b.ground.StrokeColor, b.ground.StrokeWidth = theme.Color(theme.ColorNameSeparator), 1
	b.ground.Refresh()
	b.lines.Refresh()
}

// offer is a line that may be typed.
type offer struct {
	widget.BaseWidget
	take   func()
	text   *widget.Label
	ground *canvas.Rectangle
	marked bool
}

var (
	_ desktop.Mouseable = (*offer)(nil)
	_ desktop.Hoverable = (*offer)(nil)
)

func newOffer(text string, take func()) *offer {
	o := &offer{take: take, text: widget.NewLabel(text), ground: canvas.NewRectangle(color.Transparent)}
	o.ExtendBaseWidget(o)
	return o
}

// CreateRenderer returns what paints the widget.
func (o *offer) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(o.ground, o.text))
}

// MouseDown takes it: the field has lost the keyboard by then, and a click would come too late.
func (o *offer) MouseDown(*desktop.MouseEvent) { o.take() }

// MouseUp does nothing.
func (o *offer) MouseUp(*desktop.MouseEvent) {}

// MouseIn marks the line.
func (o *offer) MouseIn(*desktop.MouseEvent) { o.paint(true) }

// MouseMoved does nothing.
func (o *offer) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends what MouseIn began.
func (o *offer) MouseOut() { o.paint(o.marked) }

func (o *offer) mark(on bool) {
	o.marked = on
	o.paint(on)
}

func (o *offer) paint(lit bool) {
	o.ground.FillColor = color.Transparent
	if lit {
		o.ground.FillColor = theme.Color(theme.ColorNameSelection)
	}
	o.ground.Refresh()
}
