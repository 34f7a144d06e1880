package doc

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/find"
	"assay/ui/control"
)

// goTo is the bar above the hex view that goes to an offset.
type goTo struct {
	Host
	field *control.Field
	info  *answered
	bar   fyne.CanvasObject

	offset func(text string) (int64, error)
	close  func()
	show   func(offset int64)
}

func newGoTo(h Host, b *bytesPanel, selected func() Selection) *goTo {
	g := &goTo{Host: h, field: control.NewField(h, "Offset: 0x1a4, 420, +16, -0x10, end-16, 50%")}
	g.offset = func(text string) (int64, error) {
		return find.Offset(text, b.hex.Caret(), selected().Document.Source.Size())
	}
	g.info = newAnswered(h, g.field)
	g.field.OnChanged = func(string) { g.preview() }
	g.field.OnKey = g.key
	shut := control.NewIcon(h, theme.CancelIcon(), "Close (Esc)", func() { g.close() })
	g.bar = newBar(&line{lead: widget.NewLabel("Go to"), main: g.info.box, end: shut})
	return g
}

// preview says what offset is meant.
func (g *goTo) preview() {
	text := ""
	if strings.TrimSpace(g.field.Text) != "" {
		if off, err := g.offset(g.field.Text); err == nil {
			text = fmt.Sprintf("%#x", off)
		}
	}
	g.info.say(text)
}

func (g *goTo) key(ev *fyne.KeyEvent, _ bool) bool {
	switch ev.Name {
	case fyne.KeyEscape:
		g.close()
	case fyne.KeyReturn, fyne.KeyEnter:
		off, err := g.offset(g.field.Text)
		if err != nil {
			complain(g, err)
			return true
		}
		g.close()
		g.show(off)
	default:
		return false
	}
	return true
}
