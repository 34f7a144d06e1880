package preview

import (
	"context"
	"fmt"
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/content"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Profile displays bytes: a chart of their values, and their strings.
type Profile struct {
	// OnOffset is called when the user chooses a byte.
	OnOffset func(offset int64)

	setCaption func(text string)
	failure    *widget.Label // why the content could not be decoded; hidden if its type is unknown
	chart      *chart
	strings    *rows.List[content.FoundString]
	split      *fyne.Container
	bytes      *content.Bytes
}

var _ viewer = (*Profile)(nil)

// NewProfile makes an empty view. It calls setCaption with a description of the bytes.
func NewProfile(h host.Host, style *paint.Style, setCaption func(text string)) *Profile {
	p := &Profile{setCaption: setCaption}
	p.chart = &chart{view: p}
	p.chart.InitSurface(p.chart, style, p.chart.paint)
	p.strings = rows.NewList(h, style, rows.Options{Header: true, MinSize: fyne.NewSize(80, 40), Grow: 1200},
		rows.ListColumn[content.FoundString]{Title: "Offset", Width: 80, Align: paint.AlignRight,
			Cell: func(s content.FoundString) rows.Cell {
				return rows.Cell{Text: fmt.Sprintf("%#x", s.Offset), Mono: true, Tone: paint.Dim}
			}},
		rows.ListColumn[content.FoundString]{Title: "String", Width: 120,
			Cell: func(s content.FoundString) rows.Cell { return rows.Cell{Text: s.Text, Mono: true} }})
	p.strings.OnActivate = func(row int) { p.goTo(p.strings.Items[row].Offset) }
	p.strings.OnCurrent = p.strings.OnActivate
	p.failure = widget.NewLabel("")
	p.failure.Importance, p.failure.Wrapping = widget.WarningImportance, fyne.TextWrapWord
	p.failure.Hide()
	p.split = container.NewBorder(container.NewVBox(p.failure, p.chart), nil, nil, nil, p.strings.Table)
	return p
}

// Content returns the object for the panel.
func (p *Profile) Content() fyne.CanvasObject { return p.split }

// Load prepares bytes.
func (p *Profile) Load(_ context.Context, view model.View) (show func(), err error) {
	return func() { p.Show(view.(*content.Bytes)) }, nil
}

// Show displays bytes.
func (p *Profile) Show(b *content.Bytes) {
	p.bytes = b
	p.failure.SetText(reasonOf(b))
	paint.SetVisible(p.failure, p.failure.Text != "")
	paint.SetVisible(p.chart, b.Counted > 0)
	paint.SetVisible(p.strings.Table, len(b.Strings) > 0)
	p.strings.Set(b.Strings)
	p.chart.Refresh()
	p.setCaption(DescribeProfile(b))
}

// reasonOf returns the reason why bytes are displayed instead of their content.
func reasonOf(b *content.Bytes) string {
	switch {
	case b.Broken != nil:
		return host.Sentence(b.Broken)
	case b.Span.Size == 0:
		return "Empty"
	}
	return ""
}

// Clear removes the bytes.
func (p *Profile) Clear() {
	p.bytes = nil
	p.strings.Set(nil)
	p.chart.Refresh()
}

// DescribeProfile returns a description of bytes.
func DescribeProfile(b *content.Bytes) string {
	text := host.Count(b.Span.Size, "byte")
	if b.Counted < b.Span.Size {
		text += fmt.Sprintf(" (%s analyzed)", host.Number(b.Counted))
	}
	if b.Counted == 0 {
		return text
	}
	h := b.TotalEntropy()
	text += fmt.Sprintf(" · entropy %.2f of 8 bits per byte", h)
	switch {
	case h > 7.9 && b.Counted > 4096:
		text += ": likely compressed or encrypted"
	case h < 1:
		text += ": mostly one value"
	}
	n := host.Count(int64(len(b.Strings)), "string")
	if b.More {
		n = "more than " + n
	}
	return text + " · " + n
}

func (p *Profile) goTo(offset int64) {
	if p.OnOffset != nil {
		p.OnOffset(offset)
	}
}

// chart displays the entropy and the values as bars.
type chart struct {
	paint.Surface
	view *Profile
}

var (
	_ fyne.Tappable      = (*chart)(nil)
	_ desktop.Cursorable = (*chart)(nil)
)

func (c *chart) MinSize() fyne.Size { return fyne.NewSize(60, 132) }

// Tapped selects the byte under the pointer.
func (c *chart) Tapped(e *fyne.PointEvent) {
	b := c.view.bytes
	if b == nil || b.Counted == 0 || e.Position.Y > c.Size().Height/2 {
		return
	}
	share := max(0, float64(e.Position.X)-margin) / max(1, float64(c.Size().Width)-2*margin)
	c.view.goTo(b.Span.Offset + min(b.Counted-1, int64(share*float64(b.Counted))))
}

func (c *chart) Cursor() desktop.Cursor { return desktop.PointerCursor }

const margin = 6 // margin around the bars, in device-independent pixels

func (c *chart) paint(canvas *paint.Canvas) {
	canvas.Fill(canvas.Img.Rect, canvas.Colors.Background)
	b := c.view.bytes
	if b == nil || b.Counted == 0 {
		return
	}
	area := canvas.Img.Rect.Inset(canvas.Px(margin))
	row := canvas.Px(18)
	half := area.Min.Y + area.Dy()/2
	title := func(y int, text string) {
		canvas.Label(image.Rect(area.Min.X, y, area.Max.X, y+row), text, paint.Regular, canvas.Colors.Dim,
			paint.AlignLeft)
	}
	title(area.Min.Y, "Entropy by offset")
	title(half, "Byte histogram (00–ff)")
	entropy := image.Rect(area.Min.X, area.Min.Y+row, area.Max.X, half-canvas.Px(3))
	canvas.Fill(entropy, canvas.Colors.Bar)
	bars(canvas, entropy, len(b.Entropy), func(i int) (float64, paint.Color) {
		share := float64(b.Entropy[i]) / 8
		return share, paint.Mix(canvas.Colors.Warning, canvas.Colors.Primary, float32(math.Pow(share, 6)))
	})
	values := image.Rect(area.Min.X, half+row, area.Max.X, area.Max.Y)
	canvas.Fill(values, canvas.Colors.Bar)
	maxCount := int64(1)
	for _, n := range b.Counts {
		maxCount = max(maxCount, n)
	}
	bars(canvas, values, 256, func(i int) (float64, paint.Color) {
		if b.Counts[i] == 0 {
			return 0, canvas.Colors.Primary
		}
		return math.Log1p(float64(b.Counts[i])) / math.Log1p(float64(maxCount)), valueColor(canvas, i)
	})
}

// valueColor returns the color of a byte value: one for 0 and 0xff, one for printable ASCII, one for the others.
func valueColor(canvas *paint.Canvas, v int) paint.Color {
	switch {
	case v == 0 || v == 0xff:
		return canvas.Colors.Dim
	case v >= 0x20 && v < 0x7f:
		return canvas.Colors.Kinds.Word
	}
	return canvas.Colors.Kinds.Number
}

// bars paints n bars side by side.
func bars(canvas *paint.Canvas, r image.Rectangle, n int, bar func(i int) (share float64, col paint.Color)) {
	for i := range n {
		share, col := bar(i)
		height := int(share * float64(r.Dy()))
		if share > 0 {
			height = max(1, height)
		}
		canvas.Fill(image.Rect(r.Min.X+i*r.Dx()/n, r.Max.Y-height, max(r.Min.X+i*r.Dx()/n+1, r.Min.X+(i+1)*r.Dx()/n),
			r.Max.Y), col)
	}
}
