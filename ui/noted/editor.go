package noted

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model/notes"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
)

// Editor is the fields that a note is written in: a sentence and a color.
type Editor struct {
	Text  *control.Field
	Color notes.Color
	// OnEnter is called when Enter is pressed in the sentence.
	OnEnter func()

	colors  []*control.Button
	content fyne.CanvasObject
}

// NewEditor makes the fields with what a note has.
func NewEditor(h host.Host, color notes.Color, text string) *Editor {
	e := &Editor{Text: control.NewField(h, "Note text (leave empty for a bookmark)"), Color: color}
	e.Text.SetText(text)
	e.Text.OnKey = func(ev *fyne.KeyEvent, _ bool) bool {
		enter := ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter
		if enter {
			e.OnEnter()
		}
		return enter
	}
	row := container.NewHBox(widget.NewLabel("Color"))
	for _, c := range notes.Colors() {
		b := control.NewIcon(h, nil, c.String(), func() {
			e.choose(c)
			if in := fyne.CurrentApp().Driver().CanvasForObject(e.Text); in != nil {
				in.Focus(e.Text) // so that Enter saves
			}
		})
		e.colors = append(e.colors, b)
		row.Add(b)
	}
	e.choose(color)
	e.content = container.NewVBox(e.Text, row)
	return e
}

// Content is what goes into the window.
func (e *Editor) Content() fyne.CanvasObject { return e.content }

// choose takes a color.
func (e *Editor) choose(color notes.Color) {
	e.Color = color
	colors := paint.ThemeColors(e.Text)
	for i, c := range notes.Colors() {
		e.colors[i].SetIcon(disc(colors.Of(Tone(c)), colors.Background, c == color))
	}
}

// disc is a disc of a color; the one that is chosen has a tick.
func disc(col, tick paint.Color, isChosen bool) fyne.Resource {
	inside := ""
	if isChosen {
		inside = fmt.Sprintf(`<path d="M6 12.5l4 4 8-8.5" fill="none" stroke="%s" stroke-width="3"/>`, code(tick))
	}
	svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11" fill="%s"/>%s</svg>`,
		code(col), inside)
	return fyne.NewStaticResource(fmt.Sprintf("note-%s-%t.svg", code(col)[1:], isChosen), []byte(svg))
}

func code(c paint.Color) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
