package menu

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// label is a text with one letter underlined.
type label struct {
	text *canvas.Text
	line *canvas.Rectangle
	at   int // the position of the letter; -1: none
}

func newLabel(text string, at int) *label {
	l := &label{text: canvas.NewText(text, color.Transparent), line: canvas.NewRectangle(color.Transparent), at: at}
	if at < 0 {
		l.line.Hide()
	}
	return l
}

func (l *label) objects() []fyne.CanvasObject { return []fyne.CanvasObject{l.text, l.line} }

// paint takes the text size of the theme, and one of its colours.
func (l *label) paint(name fyne.ThemeColorName) {
	l.text.TextSize = theme.TextSize()
	l.text.Color, l.line.FillColor = theme.Color(name), theme.Color(name)
}

// size is the room that the text takes.
func (l *label) size() fyne.Size {
	return fyne.MeasureText(l.text.Text, theme.TextSize(), l.text.TextStyle)
}

// place puts the text at a position.
func (l *label) place(at fyne.Position) {
	l.text.Move(at)
	l.text.Resize(l.size())
	if l.at < 0 {
		return
	}
	runes := []rune(l.text.Text)
	measure := func(text string) (fyne.Size, float32) {
		return fyne.CurrentApp().Driver().RenderedTextSize(text, theme.TextSize(), l.text.TextStyle, nil)
	}
	before, _ := measure(string(runes[:l.at]))
	letter, baseline := measure(string(runes[l.at]))
	if l.at == 0 {
		before.Width = 0
	}
	l.line.Move(at.AddXY(before.Width, baseline+1))
	l.line.Resize(fyne.NewSize(letter.Width, 1))
}
