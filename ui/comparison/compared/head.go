package compared

import (
	"cmp"
	"image"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/compare"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
)

// Chips are the toggles of the statuses, with the numbers of items or rows.
type Chips struct {
	paint.Surface
	control.Hover
	style    *paint.Style
	counts   compare.Counts // the displayed numbers
	rows     compare.Counts // the rows that the toggles show or hide
	statuses Statuses
	edges    []int
	toggle   func(s compare.Status)
}

var (
	_ fyne.Tappable      = (*Chips)(nil)
	_ desktop.Hoverable  = (*Chips)(nil)
	_ desktop.Cursorable = (*Chips)(nil)
)

// chipOrder is the order of the chips, from left to right.
var chipOrder = []compare.Status{compare.Changed, compare.Moved, compare.Added, compare.Removed, compare.Same}

// NewChips returns the chips. toggle is called with the status of a clicked chip.
func NewChips(style *paint.Style, toggle func(s compare.Status)) *Chips {
	c := &Chips{style: style, toggle: toggle}
	c.Hover = control.NewHover(func(ev *desktop.MouseEvent) int { return c.chipAt(ev.Position) }, c.Refresh)
	c.InitSurface(c, style, c.paint)
	return c
}

// Set displays other numbers and the visible statuses: an item counts once, regardless of the number of its rows.
func (c *Chips) Set(counts, rows compare.Counts, s Statuses) {
	c.counts, c.rows, c.statuses = counts, rows, s
	c.Refresh()
}

// MinSize returns the size that all chips need.
func (c *Chips) MinSize() fyne.Size {
	canvas := c.style.NewCanvas(nil, 1, paint.Colors{})
	edges := c.layout(canvas)
	return fyne.NewSize(float32(edges[len(edges)-1]), float32(c.style.RowHeight(1))+10)
}

func (c *Chips) text(s compare.Status) string {
	// Without items of a status, other rows count, such as references to an item of another status.
	n := cmp.Or(c.counts.OwnRows(s), max(0, c.rows.OwnRows(s)))
	// Unchanged subtrees are not counted, and rows that only contain others only have the toggle.
	if s == compare.Same || n == 0 && c.rows.Rows(s) > 0 {
		return Sign(s) + "  " + s.String()
	}
	return Sign(s) + "  " + host.Number(n) + " " + s.String()
}

func (c *Chips) layout(canvas *paint.Canvas) []int {
	edges := []int{canvas.Px(4)}
	for _, s := range chipOrder {
		edges = append(edges, edges[len(edges)-1]+canvas.Measure(c.text(s), paint.Regular)+canvas.Px(18)+canvas.Px(5))
	}
	return edges
}

func (c *Chips) paint(canvas *paint.Canvas) {
	height := canvas.Img.Rect.Dy()
	headerColor := theme.ColorForWidget(theme.ColorNameHeaderBackground, c)
	r, g, b, _ := headerColor.RGBA()
	canvas.Fill(canvas.Img.Rect, paint.Color{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0xff})
	c.edges = c.layout(canvas)
	for i, s := range chipOrder {
		box := image.Rect(c.edges[i], canvas.Px(4), c.edges[i+1]-canvas.Px(5), height-canvas.Px(4))
		col := canvas.Colors.ForTone(StatusTone(s))
		enabled := c.statuses.Has(s) && c.rows.Rows(s) > 0
		background, text := canvas.Colors.Background, canvas.Colors.Dim
		if enabled {
			background, text = paint.Mix(col, canvas.Colors.Background, 0.24), canvas.Colors.Foreground
		}
		if c.rows.Rows(s) == 0 {
			text = canvas.Colors.Faint
		}
		if i == c.Hovered {
			background = paint.Mix(canvas.Colors.Foreground, background, 0.08)
		}
		col, text = canvas.Colors.Legible(col, background), canvas.Colors.Legible(text, background)
		edge := canvas.Colors.Separator
		if enabled {
			edge = paint.Mix(col, canvas.Colors.Background, 0.6)
		}
		canvas.Round(box, canvas.Px(4), edge)
		canvas.Round(box.Inset(canvas.Px(1)), canvas.Px(3), background)
		inner := box
		inner.Min.X += canvas.Px(9)
		sign := Sign(s)
		if c.rows.Rows(s) == 0 {
			col = text
		}
		x := canvas.Label(inner, sign, paint.Bold, col, paint.AlignLeft)
		inner.Min.X += x
		canvas.Label(inner, c.text(s)[len(sign):], paint.Regular, text, paint.AlignLeft)
	}
}

func (c *Chips) chipAt(p fyne.Position) int {
	x := c.Pixel(p).X
	for i := range len(c.edges) - 1 {
		if x >= c.edges[i] && x < c.edges[i+1] {
			return i
		}
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (c *Chips) Tapped(ev *fyne.PointEvent) {
	if i := c.chipAt(ev.Position); i >= 0 {
		c.toggle(chipOrder[i])
	}
}

// Cursor returns the shape of the pointer.
func (c *Chips) Cursor() desktop.Cursor { return desktop.PointerCursor }

// Tool is a button in the header. In a narrow header it has no label.
type Tool struct {
	*control.Button
	name string
}

// NewTool returns the button of a command.
func NewTool(h host.Host, id command.ID, icon fyne.Resource, do func()) *Tool {
	return NewNamedTool(h, command.ByID(id).Tool, icon, h.Keys().HintOf(id), do)
}

// NewNamedTool returns a button with a hint.
func NewNamedTool(h host.Host, name string, icon fyne.Resource, hint func() string, do func()) *Tool {
	t := &Tool{control.NewTool(h, icon, hint, do), name}
	t.Text = name
	return t
}

// Rename sets the label and reports whether it changed.
func (t *Tool) Rename(name string) bool {
	previous := t.name
	t.name = name
	t.show(t.Text != "")
	return name != previous
}

// show shows or hides the label.
func (t *Tool) show(named bool) {
	if named {
		t.SetText(t.name)
	} else {
		t.SetText("")
	}
}

// minSummaryWidth is the width that must be left for the summary, else the tools have no labels.
const minSummaryWidth = 420

// NewToolLine returns a line with a summary and buttons; the tools have labels if the width suffices.
func NewToolLine(summary fyne.CanvasObject, buttons *fyne.Container, tools ...*Tool) *fyne.Container {
	return container.New(&toolLine{tools: tools, buttons: buttons}, summary, buttons)
}

// toolLine is the layout of a summary with buttons after it.
type toolLine struct {
	tools     []*Tool
	buttons   *fyne.Container
	iconsOnly bool    // the labels are hidden
	fullWidth float32 // width of the buttons with labels, at the last layout
}

func (l *toolLine) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := l.buttons.MinSize()
	for _, o := range objects {
		size.Height = max(size.Height, o.MinSize().Height)
	}
	size.Width -= l.labelsWidth()
	return size
}

// labelsWidth returns the width of the displayed labels.
func (l *toolLine) labelsWidth() (width float32) {
	for _, t := range l.tools {
		if t.Text != "" && t.Visible() {
			width += max(0, t.MinSize().Width-t.MinSize().Height)
		}
	}
	return width
}

func (l *toolLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if !l.iconsOnly {
		l.fullWidth = l.buttons.MinSize().Width
	}
	if narrow := size.Width-l.fullWidth < minSummaryWidth; narrow != l.iconsOnly {
		l.iconsOnly = narrow
		for _, t := range l.tools {
			t.show(!narrow)
		}
		l.buttons.Refresh()
	}
	buttonsWidth := l.buttons.MinSize().Width
	for _, o := range objects {
		if o == l.buttons {
			o.Move(fyne.NewPos(size.Width-buttonsWidth, 0))
			o.Resize(fyne.NewSize(buttonsWidth, size.Height))
		} else {
			o.Move(fyne.Position{})
			o.Resize(fyne.NewSize(max(0, size.Width-buttonsWidth), size.Height))
		}
	}
}

// Part is a piece of a title.
type Part struct {
	Text string
	Tone paint.Tone
	bold bool
}

// Title is a line of parts. If it is too long, it ends in dots. The status line shows all of it while the pointer is
// over it.
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

// NewTitle returns a line of parts.
func NewTitle(h host.Host, style *paint.Style, parts ...Part) *Title {
	t := &Title{host: h, style: style, parts: parts}
	t.InitSurface(t, style, t.paint)
	return t
}

// FromTo returns two names with an arrow between them.
func FromTo(old, new string) []Part {
	return []Part{{Text: model.OneLine(old, 200), bold: true}, {Text: "   →   ", Tone: paint.Dim},
		{Text: model.OneLine(new, 200), bold: true}}
}

// Set shows other parts.
func (t *Title) Set(parts []Part) {
	t.parts = parts
	t.Refresh()
}

// titlePadding is the space before the text, in device-independent pixels.
const titlePadding = 8

// MinSize returns the height of a line.
func (t *Title) MinSize() fyne.Size { return fyne.NewSize(60, float32(t.style.RowHeight(1))+10) }

func (t *Title) paint(c *paint.Canvas) {
	r := c.Img.Rect
	c.Fill(r, c.Colors.Header)
	r.Min.X += c.Px(titlePadding)
	for _, p := range t.parts {
		face := paint.Regular
		if p.bold {
			face = paint.Bold
		}
		r.Min.X += c.Label(r, p.Text, face, c.Colors.ForTone(p.Tone), paint.AlignLeft)
		if r.Dx() <= 0 {
			return
		}
	}
}

// String returns the whole text.
func (t *Title) String() string {
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// MouseIn implements desktop.Hoverable.
func (t *Title) MouseIn(*desktop.MouseEvent) { t.host.ShowHint(t.String()) }

// MouseMoved does nothing.
func (t *Title) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (t *Title) MouseOut() { t.host.ShowHint("") }
