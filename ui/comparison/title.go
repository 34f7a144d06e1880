package comparison

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
)

// part is a piece of a title.
type part struct {
	text string
	tone paint.Tone
	bold bool
}

// title is a line of parts that ends in dots where there is no room for all of it. The status line says all of it while
// the pointer is over it.
type title struct {
	paint.Surface
	host  host.Host
	style *paint.Style
	parts []part
}

var (
	_ fyne.Widget       = (*title)(nil)
	_ desktop.Hoverable = (*title)(nil)
)

func newTitle(h host.Host, style *paint.Style, parts ...part) *title {
	t := &title{host: h, style: style, parts: parts}
	t.Paints(t, style, t.paint)
	return t
}

// fromTo is two names with an arrow between them.
func fromTo(old, new string) []part {
	return []part{{text: model.OneLine(old, 200), bold: true}, {text: "   →   ", tone: paint.Dim},
		{text: model.OneLine(new, 200), bold: true}}
}

func (t *title) set(parts []part) {
	t.parts = parts
	t.Refresh()
}

// titlePad is the room before the text, in device-independent pixels.
const titlePad = 8

// MinSize returns the height of a line.
func (t *title) MinSize() fyne.Size { return fyne.NewSize(60, float32(t.style.RowHeight(1))+10) }

func (t *title) paint(c *paint.Canvas) {
	r := c.Img.Rect
	c.Fill(r, c.Colors.Header)
	r.Min.X += c.Px(titlePad)
	for _, p := range t.parts {
		face := paint.Regular
		if p.bold {
			face = paint.Bold
		}
		r.Min.X += c.Label(r, p.text, face, c.Colors.Of(p.tone), paint.Left)
		if r.Dx() <= 0 {
			return
		}
	}
}

// String is the whole text.
func (t *title) String() string {
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.text)
	}
	return b.String()
}

// MouseIn shows what is under the pointer.
func (t *title) MouseIn(*desktop.MouseEvent) { t.host.Tell(t.String()) }

// MouseMoved does nothing.
func (t *title) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends what MouseIn began.
func (t *title) MouseOut() { t.host.Tell("") }
