package viewport

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// tag is a short text over the picture, on a ground of its own if it has to stand out from what is below it.
type tag struct {
	text *canvas.Text
	back *canvas.Rectangle
}

func newTag() *tag {
	t := &tag{text: canvas.NewText("", nil), back: canvas.NewRectangle(nil)}
	t.back.CornerRadius = 3
	t.hide()
	return t
}

// set shows a text at a position in a color or, if that is nil, on a ground and beside its edge.
func (t *tag) set(text string, at fyne.Position, ink color.Color) {
	ground := ink == nil
	if t.text.Color = ink; ground {
		t.text.Color = theme.Color(theme.ColorNameForeground)
	}
	t.text.Text, t.text.TextSize = text, theme.CaptionTextSize()
	size := t.text.MinSize()
	t.text.Resize(size)
	if t.back.Hidden = !ground; ground {
		t.back.FillColor = plateColor()
		t.back.Resize(size.AddWidthHeight(2*labelEdge, 2))
		t.back.Move(at)
		t.back.Refresh()
		at = at.AddXY(labelEdge, 1)
	}
	t.text.Move(at)
	t.text.Hidden = false
	t.text.Refresh()
}

// beside shows a text beside a position of an area; an empty one hides the tag.
func (t *tag) beside(text string, at fyne.Position, area fyne.Size) {
	const gap = 14 // to the pointer
	if text == "" {
		t.hide()
		return
	}
	size := fyne.MeasureText(text, theme.CaptionTextSize(), fyne.TextStyle{}).AddWidthHeight(2*labelEdge, 2)
	x, y := max(min(at.X+gap, area.Width-size.Width), 0), at.Y+gap
	if y+size.Height > area.Height {
		y = at.Y - size.Height - labelEdge
	}
	t.set(text, fyne.NewPos(x, y), nil)
}

func (t *tag) hide() {
	t.text.Hide()
	t.back.Hide()
}

// shown is the text; empty if there is none.
func (t *tag) shown() string {
	if t.text.Hidden {
		return ""
	}
	return t.text.Text
}
