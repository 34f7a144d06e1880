package compared

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
)

// Part is a piece of a title.
type Part struct {
	Text string
	Tone paint.Tone
	bold bool
}

// Title is a line of parts that ends in dots where there is no room for all of it. The status line says all of it while
// the pointer is over it.
type Title struct {
	paint.Surface
	host  host.Host
	style *paint.Style
	parts []Part
}

var (
	_ fyne.Widget       = (*Title)(nil)
	_ desktop.Hoverable = (*Title)(nil)
)

// NewTitle makes a line of parts.
func NewTitle(h host.Host, style *paint.Style, parts ...Part) *Title {
	t := &Title{host: h, style: style, parts: parts}
	t.Paints(t, style, t.paint)
	return t
}

// FromTo is two names with an arrow between them.
func FromTo(old, new string) []Part {
	return []Part{{Text: model.OneLine(old, 200), bold: true}, {Text: "   →   ", Tone: paint.Dim},
		{Text: model.OneLine(new, 200), bold: true}}
}

// Set shows other parts.
func (t *Title) Set(parts []Part) {
	t.parts = parts
	t.Refresh()
}

// titlePad is the room before the text, in device-independent pixels.
const titlePad = 8

// MinSize returns the height of a line.
func (t *Title) MinSize() fyne.Size { return fyne.NewSize(60, float32(t.style.RowHeight(1))+10) }

func (t *Title) paint(c *paint.Canvas) {
	r := c.Img.Rect
	c.Fill(r, c.Colors.Header)
	r.Min.X += c.Px(titlePad)
	for _, p := range t.parts {
		face := paint.Regular
		if p.bold {
			face = paint.Bold
		}
		r.Min.X += c.Label(r, p.Text, face, c.Colors.Of(p.Tone), paint.Left)
		if r.Dx() <= 0 {
			return
		}
	}
}

// String is the whole text.
func (t *Title) String() string {
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// MouseIn shows what is under the pointer.
func (t *Title) MouseIn(*desktop.MouseEvent) { t.host.Tell(t.String()) }

// MouseMoved does nothing.
func (t *Title) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends what MouseIn began.
func (t *Title) MouseOut() { t.host.Tell("") }
