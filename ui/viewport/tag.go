package viewport

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// tag says beside the pointer what is under it.
type tag struct {
	text *canvas.Text
	back *canvas.Rectangle
}

func newTag() *tag {
	t := &tag{text: canvas.NewText("", nil), back: canvas.NewRectangle(nil)}
	t.text.TextSize = theme.CaptionTextSize()
	t.back.CornerRadius = 3
	t.hide()
	return t
}

// show says a text beside a position of an area; an empty one hides the tag.
func (t *tag) show(text string, at fyne.Position, area fyne.Size) {
	const gap, edge = 14, 4 // to the pointer, around the text
	if text == "" {
		t.hide()
		return
	}
	if t.text.Text != text || t.back.Hidden {
		t.text.Text, t.text.TextSize = text, theme.CaptionTextSize()
		t.text.Color = theme.Color(theme.ColorNameForeground)
		t.back.FillColor = theme.Color(theme.ColorNameMenuBackground)
		t.text.Resize(t.text.MinSize())
		t.back.Resize(t.text.MinSize().AddWidthHeight(2*edge, 2))
		t.back.Show()
		t.text.Show()
	}
	size := t.back.Size()
	x := max(min(at.X+gap, area.Width-size.Width), 0)
	y := at.Y + gap
	if y+size.Height > area.Height {
		y = at.Y - size.Height - edge
	}
	t.back.Move(fyne.NewPos(x, y))
	t.text.Move(fyne.NewPos(x+edge, y+1))
}

func (t *tag) hide() {
	t.text.Hide()
	t.back.Hide()
}

// shown is the text; empty if there is none.
func (t *tag) shown() string {
	if t.back.Hidden {
		return ""
	}
	return t.text.Text
}
