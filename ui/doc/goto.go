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
	pane  *Pane
	field *control.Field
	info  *annotatedField
	bar   fyne.CanvasObject
}

func newGoTo(p *Pane) *goTo {
	g := &goTo{pane: p, field: control.NewField(p, "Offset: 0x1a4, 420, +16, -0x10, end-16, 50%")}
	g.info = newAnnotatedField(p, g.field)
	g.field.OnChanged = func(string) { g.preview() }
	g.field.OnKey = g.key
	shut := control.NewIcon(p, theme.CancelIcon(), "Close (Esc)", p.closeTools)
	g.bar = newBar(&line{lead: widget.NewLabel("Go to"), main: g.info.box, end: shut})
	return g
}

// offset is what is typed.
func (g *goTo) offset() (int64, error) {
	return find.Offset(g.field.Text, g.pane.bytes.hex.Caret(), g.pane.doc.Source.Size())
}

// preview says what offset is meant.
func (g *goTo) preview() {
	text := ""
	if strings.TrimSpace(g.field.Text) != "" {
		if off, err := g.offset(); err == nil {
			text = fmt.Sprintf("%#x", off)
		}
	}
	g.info.say(text)
}

func (g *goTo) key(ev *fyne.KeyEvent, _ bool) bool {
	switch ev.Name {
	case fyne.KeyEscape:
		g.pane.closeTools()
	case fyne.KeyReturn, fyne.KeyEnter:
		off, err := g.offset()
		if err != nil {
			complain(g.pane, err)
			return true
		}
		g.pane.closeTools()
		g.pane.GoTo(off)
	default:
		return false
	}
	return true
}
