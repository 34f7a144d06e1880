package menu

import (
	"image/color"
	"sort"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/control"
	"assay/ui/host"
)

// Bar is a menu bar.
type Bar struct {
	widget.BaseWidget
	control.Hover
	host   host.Host
	canvas fyne.Canvas
	menus  []*fyne.Menu
	titles []*label
	edges  []float32 // left edges of the titles, and right edge of the last one
	open   int       // index of the open menu, or -1
}

var (
	_ desktop.Mouseable = (*Bar)(nil)
	_ desktop.Hoverable = (*Bar)(nil)
)

// NewBar returns an empty bar for a canvas.
func NewBar(h host.Host, c fyne.Canvas) *Bar {
	b := &Bar{host: h, canvas: c, open: -1}
	b.Hover = control.NewHover(func(ev *desktop.MouseEvent) int { return b.titleAt(ev.AbsolutePosition) }, b.Refresh)
	b.ExtendBaseWidget(b)
	return b
}

// Menus returns the menus of the bar.
func (b *Bar) Menus() []*fyne.Menu { return b.menus }

// SetMenus replaces the menus. An open one stays unchanged until it is closed.
func (b *Bar) SetMenus(menus []*fyne.Menu) {
	equal := len(menus) == len(b.menus)
	for i := range menus {
		equal = equal && menus[i].Label == b.menus[i].Label
	}
	b.menus = menus
	if equal {
		return
	}
	var names []string
	for _, m := range menus {
		names = append(names, m.Label)
	}
	b.titles = nil
	for i, at := range letters(names) {
		b.titles = append(b.titles, newLabel(names[i], at))
	}
	b.Refresh()
}

// Open opens a menu and activates its first row.
func (b *Bar) Open(i int) {
	b.show(i)
	if l, ok := b.canvas.Overlays().Top().(*layer); ok && b.open >= 0 {
		l.last().step(1)
	}
}

// show opens a menu.
func (b *Bar) show(i int) {
	if i < 0 || i >= len(b.menus) {
		return
	}
	b.close()
	b.open = i
	l := newLayer(b.host, b.canvas, b)
	l.add(newColumn(l, b.menus[i], nil), func(fyne.Size) fyne.Position { return b.positionBelow(i) })
	l.show()
	b.Refresh()
}

// close closes the menu that is open.
func (b *Bar) close() {
	if l, ok := b.canvas.Overlays().Top().(*layer); ok && l.bar == b {
		l.close()
	}
}

// closed is called when the open menu has closed.
func (b *Bar) closed() {
	b.open = -1
	b.Refresh()
}

// openBeside opens the menu step titles to the right of the open one, or to the left if step is negative.
func (b *Bar) openBeside(step int) { b.Open((b.open + step + len(b.menus)) % len(b.menus)) }

// positionBelow returns the position of the menu of a title.
func (b *Bar) positionBelow(i int) fyne.Position {
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
	return pos.AddXY(b.edges[i], b.Size().Height)
}

// titleAt returns the index of the title at a position in the window, or -1.
func (b *Bar) titleAt(p fyne.Position) int {
	p = p.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(b))
	if len(b.edges) == 0 || p.Y < 0 || p.Y >= b.Size().Height || p.X < b.edges[0] {
		return -1
	}
	i := sort.Search(len(b.edges), func(i int) bool { return b.edges[i] > p.X }) - 1
	if i >= len(b.titles) {
		return -1
	}
	return i
}

// MouseDown opens a menu.
func (b *Bar) MouseDown(ev *desktop.MouseEvent) {
	if ev.Button == desktop.MouseButtonPrimary {
		b.show(b.titleAt(ev.AbsolutePosition))
	}
}

// MouseUp does nothing.
func (b *Bar) MouseUp(*desktop.MouseEvent) {}

// CreateRenderer implements fyne.Widget.
func (b *Bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{bar: b, highlight: canvas.NewRectangle(nil)}
	r.Refresh()
	return r
}

type barRenderer struct {
	bar       *Bar
	highlight *canvas.Rectangle
	objects   []fyne.CanvasObject
}

func (r *barRenderer) Layout(size fyne.Size) {
	b, pad := r.bar, theme.InnerPadding()
	b.edges = append(b.edges[:0], pad)
	x := pad
	for _, t := range b.titles {
		text := t.size()
		t.moveTo(fyne.NewPos(x+pad, (size.Height-text.Height)/2))
		x += text.Width + 2*pad
		b.edges = append(b.edges, x)
	}
	highlight := b.Hovered
	if b.open >= 0 {
		highlight = b.open
	}
	r.highlight.Hidden = highlight < 0 || highlight >= len(b.titles)
	if !r.highlight.Hidden {
		r.highlight.Move(fyne.NewPos(b.edges[highlight], 0))
		r.highlight.Resize(fyne.NewSize(b.edges[highlight+1]-b.edges[highlight], size.Height))
	}
}

func (r *barRenderer) MinSize() fyne.Size {
	pad := theme.InnerPadding()
	minSize := fyne.NewSize(2*pad, 0)
	for _, t := range r.bar.titles {
		text := t.size()
		minSize.Width += text.Width + 2*pad
		minSize.Height = max(minSize.Height, text.Height+pad)
	}
	return minSize
}

func (r *barRenderer) Refresh() {
	r.highlight.FillColor, r.highlight.CornerRadius = theme.Color(theme.ColorNameHover), theme.SelectionRadiusSize()
	if r.bar.open >= 0 {
		r.highlight.FillColor = theme.Color(theme.ColorNameFocus)
	}
	r.objects = []fyne.CanvasObject{r.highlight}
	for _, t := range r.bar.titles {
		t.paint(theme.ColorNameForeground)
		r.objects = append(r.objects, t.objects()...)
	}
	r.Layout(r.bar.Size())
	canvas.Refresh(r.bar)
}

func (r *barRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *barRenderer) Destroy() {}

type label struct {
	text       *canvas.Text
	line       *canvas.Rectangle
	underlined int // index of the underlined letter, or -1
}

func newLabel(text string, underlined int) *label {
	l := &label{text: canvas.NewText(text, color.Transparent), line: canvas.NewRectangle(color.Transparent),
		underlined: underlined}
	if underlined < 0 {
		l.line.Hide()
	}
	return l
}

func (l *label) objects() []fyne.CanvasObject { return []fyne.CanvasObject{l.text, l.line} }

// paint applies the text size of the theme and one of its colors.
func (l *label) paint(name fyne.ThemeColorName) {
	l.text.TextSize = theme.TextSize()
	l.text.Color, l.line.FillColor = theme.Color(name), theme.Color(name)
}

func (l *label) size() fyne.Size {
	return fyne.MeasureText(l.text.Text, theme.TextSize(), l.text.TextStyle)
}

// moveTo moves the text to a position, and the underline to its letter.
func (l *label) moveTo(pos fyne.Position) {
	l.text.Move(pos)
	l.text.Resize(l.size())
	if l.underlined < 0 {
		return
	}
	runes := []rune(l.text.Text)
	measure := func(text string) (fyne.Size, float32) {
		return fyne.CurrentApp().Driver().RenderedTextSize(text, theme.TextSize(), l.text.TextStyle, nil)
	}
	width, _ := measure(string(runes[:l.underlined]))
	letter, baseline := measure(string(runes[l.underlined]))
	if l.underlined == 0 {
		width.Width = 0
	}
	l.line.Move(pos.AddXY(width.Width, baseline+1))
	l.line.Resize(fyne.NewSize(letter.Width, 1))
}

// letters returns for each label the index of its underlined rune, or -1 if no letter is free. It prefers the first
// letter of a word. Earlier labels choose first.
func letters(labels []string) []int {
	used := map[rune]bool{}
	all := make([]int, len(labels))
	for i, label := range labels {
		all[i] = freeLetter([]rune(label), used)
		if all[i] >= 0 {
			used[letterAt(label, all[i])] = true
		}
	}
	return all
}

func freeLetter(label []rune, used map[rune]bool) int {
	for _, inWord := range []bool{false, true} {
		for i, r := range label {
			begins := i == 0 || !isLetter(label[i-1])
			if isLetter(r) && (begins || inWord) && !used[unicode.ToLower(r)] {
				return i
			}
		}
	}
	return -1
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// letterAt returns the letter with an index in a label, in lower case, or 0.
func letterAt(label string, i int) rune {
	if runes := []rune(label); i >= 0 && i < len(runes) {
		return unicode.ToLower(runes[i])
	}
	return 0
}
