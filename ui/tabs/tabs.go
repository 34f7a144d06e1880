// Package tabs contains the row of tabs of documents or panels (Tabs), and the status line at the bottom of the window
// (Status).
package tabs

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/paint"
)

// Tab is the label of one tab.
type Tab struct {
	Title string
	Hint  string // reported with OnHint while the pointer is over the tab
	Badge string // a short text after the title, such as a number of rows or "changed"
	Dim   bool   // the content is not loaded yet
}

// Tabs is a row of tabs.
type Tabs struct {
	paint.Surface

	// Closable adds a cross to each tab.
	Closable bool
	// OnSelect and OnClose are called on clicks. The owner then calls SetSelected and SetTabs.
	OnSelect func(i int)
	OnClose  func(i int)
	OnMenu   func(i int, pos fyne.Position)
	OnHint   func(hint string)
	// OnList displays a list of all tabs, for a button that is visible if not all tabs fit. If nil, there is no button.
	OnList func(pos fyne.Position)

	style          *paint.Style
	tabs           []Tab
	selected       int
	scrollX        int // pixels scrolled out at the left
	revealSelected bool
	hover          int
	overCross      bool
	edges          []int // edges of the tabs in the last frame, in pixels of the content
	tabsWidth      int   // pixels for the tabs, without the arrows
	hoveredArrow   int   // the arrow under the pointer, or noArrow
}

var (
	_ fyne.Widget            = (*Tabs)(nil)
	_ fyne.Tappable          = (*Tabs)(nil)
	_ fyne.Scrollable        = (*Tabs)(nil)
	_ fyne.SecondaryTappable = (*Tabs)(nil)
	_ desktop.Hoverable      = (*Tabs)(nil)
	_ desktop.Mouseable      = (*Tabs)(nil)
)

// New returns a row without tabs.
func New(style *paint.Style) *Tabs {
	t := &Tabs{style: style, hover: -1, selected: -1, hoveredArrow: noArrow}
	t.InitSurface(t, style, t.paint)
	return t
}

// SetTabs sets the tabs.
func (t *Tabs) SetTabs(tabs []Tab) {
	if len(tabs) != len(t.tabs) { // the next MouseMoved finds the tab under the pointer
		t.hover, t.overCross = -1, false
	}
	t.tabs = append([]Tab(nil), tabs...)
	t.revealSelected = true
	t.Refresh()
}

// SetSelected sets the selected tab.
func (t *Tabs) SetSelected(i int) {
	t.selected, t.revealSelected = i, true
	t.Refresh()
}

// Selected returns the index of the tab in view.
func (t *Tabs) Selected() int { return t.selected }

// MinSize returns the height of the row.
func (t *Tabs) MinSize() fyne.Size { return fyne.NewSize(40, Height(t.style)) }

// Height returns the height of a row of tabs, and of widgets beside it.
func Height(style *paint.Style) float32 { return float32(style.RowHeight(1)) + 8 }

// Lengths in device-independent pixels.
const (
	tabPadding   = 12
	gap          = 6
	crossWidth   = 14
	maxTabWidth  = 240
	accentHeight = 2
	minTabWidth  = 48
)

func (t *Tabs) paint(c *paint.Canvas) {
	w, h := c.Img.Rect.Dx(), c.Img.Rect.Dy()
	t.layout(c, w)
	c.Fill(c.Img.Rect, c.Colors.Header)
	line := max(1, int(c.Scale))
	c.Fill(image.Rect(0, h-line, w, h), c.Colors.Separator)
	c.Clipped(image.Rect(0, 0, t.tabsWidth, h), func() {
		for i := range t.tabs {
			t.paintTab(c, i, h, line)
		}
	})
	if t.tabsWidth < w {
		t.paintArrows(c, h)
	}
}

// layout finds the edges of the tabs and scrolls to the selected one.
func (t *Tabs) layout(c *paint.Canvas, w int) {
	t.edges = t.edges[:0]
	x := 0
	for _, tab := range t.tabs {
		t.edges = append(t.edges, x)
		width := c.MeasureUpTo(tab.Title, paint.Regular, c.Px(maxTabWidth)) + 2*c.Px(tabPadding)
		if tab.Badge != "" {
			width += c.Measure(tab.Badge, paint.Regular) + c.Px(gap+10)
		}
		if t.Closable {
			width += c.Px(crossWidth)
		}
		x += max(c.Px(minTabWidth), min(width, c.Px(maxTabWidth)))
	}
	t.edges = append(t.edges, x)
	if t.tabsWidth = w; x > w {
		w = max(0, w-t.arrowCount()*c.Px(arrowWidth))
		t.tabsWidth = w
	}
	if t.revealSelected && t.selected >= 0 && t.selected < len(t.tabs) {
		t.scrollX = min(t.scrollX, t.edges[t.selected])
		t.scrollX = max(t.scrollX, t.edges[t.selected+1]-w)
		t.revealSelected = false
	}
	t.scrollX = max(0, min(t.scrollX, x-w))
}

func (t *Tabs) paintTab(c *paint.Canvas, i, h, line int) {
	r := image.Rect(t.edges[i]-t.scrollX, 0, t.edges[i+1]-t.scrollX, h)
	if r.Max.X < 0 || r.Min.X > t.tabsWidth {
		return
	}
	tab := t.tabs[i]
	text := c.Colors.Dim
	switch {
	case i == t.selected:
		text = c.Colors.Foreground
		c.Fill(r, c.Colors.Background)
		c.Fill(image.Rect(r.Min.X, 0, r.Max.X, c.Px(accentHeight)), c.Colors.Primary)
	case i == t.hover:
		c.Fill(image.Rect(r.Min.X, 0, r.Max.X, h-line), c.Colors.Hover)
	}
	if tab.Dim {
		text = c.Colors.Faint
	}
	if i+1 != t.selected { // no line before the selected tab
		c.Fill(image.Rect(r.Max.X-line, c.Px(5), r.Max.X, h-c.Px(5)), c.Colors.Separator)
	}
	label := r
	label.Min.X += c.Px(tabPadding)
	label.Max.X -= c.Px(tabPadding)
	if t.Closable {
		label.Max.X -= c.Px(crossWidth)
		cross := text
		if i != t.selected && i != t.hover {
			cross = c.Colors.Faint
		}
		t.paintCross(c, crossBox(r, c.Scale), i == t.hover && t.overCross, cross)
	}
	if tab.Badge != "" {
		bw := c.Measure(tab.Badge, paint.Regular) + c.Px(10)
		badge := image.Rect(label.Max.X-bw, 0, label.Max.X, c.Px(t.style.Size()+3))
		badge = badge.Add(image.Pt(0, (h-badge.Dy())/2))
		c.Round(badge, badge.Dy()/2, c.Colors.Inactive)
		c.Label(badge, tab.Badge, paint.Regular, c.Colors.Legible(text, c.Colors.Inactive), paint.AlignCenter)
		label.Max.X = badge.Min.X - c.Px(gap)
	}
	c.Label(label, tab.Title, paint.Regular, text, paint.AlignLeft)
}

func crossBox(r image.Rectangle, scale float32) image.Rectangle {
	side := int(16 * scale)
	x, y := r.Max.X-int(8*scale)-side, r.Min.Y+(r.Dy()-side)/2
	return image.Rect(x, y, x+side, y+side)
}

func (t *Tabs) paintCross(c *paint.Canvas, r image.Rectangle, hover bool, col paint.Color) {
	if hover {
		c.Round(r, c.Px(3), c.Colors.Inactive)
	}
	Cross(c, r.Inset(c.Px(4)), col)
}

// Cross paints the sign for closing.
func Cross(c *paint.Canvas, r image.Rectangle, col paint.Color) {
	c.Shape(r, "tabs.cross", col, func(p paint.Pen) {
		p.Polygon(.1, 0, 1, .9, .9, 1, 0, .1)
		p.Polygon(0, .9, .9, 0, 1, .1, .1, 1)
	})
}

// tabAt returns the tab at a position, and whether it is its cross.
func (t *Tabs) tabAt(p fyne.Position) (int, bool) {
	scale, pos := t.Scale(), t.Pixel(p)
	if pos.X >= t.tabsWidth {
		return -1, false
	}
	for i := range len(t.edges) - 1 {
		r := image.Rect(t.edges[i]-t.scrollX, 0, t.edges[i+1]-t.scrollX, int(t.Size().Height*scale))
		if pos.X >= r.Min.X && pos.X < r.Max.X && i < len(t.tabs) {
			return i, t.Closable && pos.In(crossBox(r, scale).Inset(-2))
		}
	}
	return -1, false
}

// Tapped selects or closes a tab, or uses an arrow.
func (t *Tabs) Tapped(ev *fyne.PointEvent) {
	if a := t.arrowAt(ev.Position); a != noArrow {
		t.tapArrow(a, ev.AbsolutePosition)
		return
	}
	i, onCross := t.tabAt(ev.Position)
	switch {
	case i < 0:
	case onCross && t.OnClose != nil:
		t.OnClose(i)
	case !onCross && t.OnSelect != nil:
		t.OnSelect(i)
	}
}

// TappedSecondary opens a menu.
func (t *Tabs) TappedSecondary(ev *fyne.PointEvent) {
	if i, _ := t.tabAt(ev.Position); i >= 0 && t.OnMenu != nil {
		t.OnMenu(i, ev.AbsolutePosition)
	}
}

// MouseDown does nothing.
func (t *Tabs) MouseDown(*desktop.MouseEvent) {}

// MouseUp ends a press: the middle button closes the tab.
func (t *Tabs) MouseUp(ev *desktop.MouseEvent) {
	if i, _ := t.tabAt(ev.Position); ev.Button == desktop.MouseButtonTertiary && i >= 0 && t.Closable &&
		t.OnClose != nil {
		t.OnClose(i)
	}
}

// MouseIn implements desktop.Hoverable.
func (t *Tabs) MouseIn(ev *desktop.MouseEvent) { t.MouseMoved(ev) }

// MouseMoved highlights the tab or arrow under the pointer and reports the hint of the tab.
func (t *Tabs) MouseMoved(ev *desktop.MouseEvent) {
	i, onCross := t.tabAt(ev.Position)
	a := t.arrowAt(ev.Position)
	if i == t.hover && onCross == t.overCross && a == t.hoveredArrow {
		return
	}
	t.hoveredArrow = a
	if i != t.hover && t.OnHint != nil {
		hint := ""
		if i >= 0 {
			hint = t.tabs[i].Hint
		}
		t.OnHint(hint)
	}
	t.hover, t.overCross = i, onCross
	t.Refresh()
}

// MouseOut implements desktop.Hoverable.
func (t *Tabs) MouseOut() {
	t.hover, t.overCross, t.hoveredArrow = -1, false, noArrow
	if t.OnHint != nil {
		t.OnHint("")
	}
	t.Refresh()
}

// Scrolled scrolls the tabs.
func (t *Tabs) Scrolled(ev *fyne.ScrollEvent) {
	t.scrollX -= int((ev.Scrolled.DX + ev.Scrolled.DY) * t.Scale())
	t.Refresh()
}

// The arrows of a row that is too narrow for all tabs.
const (
	noArrow = iota - 1
	toLeft
	toRight
	toList
)

const arrowWidth = 24 // width of an arrow, in device-independent pixels

func (t *Tabs) arrowCount() int {
	if t.OnList == nil {
		return 2
	}
	return 3
}

func (t *Tabs) arrowAt(p fyne.Position) int {
	pos := t.Pixel(p)
	width := int(arrowWidth * t.Scale())
	if len(t.edges) == 0 || t.edges[len(t.edges)-1] <= t.tabsWidth || pos.X < t.tabsWidth || width == 0 {
		return noArrow
	}
	return min((pos.X-t.tabsWidth)/width, t.arrowCount()-1)
}

// tapArrow scrolls the tabs, or shows the list of all tabs.
func (t *Tabs) tapArrow(arrow int, pos fyne.Position) {
	switch arrow {
	case toLeft:
		t.scrollX -= t.tabsWidth / 2
	case toRight:
		t.scrollX += t.tabsWidth / 2
	case toList:
		t.OnList(pos)
	}
	t.Refresh()
}

func (t *Tabs) paintArrows(c *paint.Canvas, h int) {
	width := c.Px(arrowWidth)
	for i := range t.arrowCount() {
		r := image.Rect(t.tabsWidth+i*width, 0, t.tabsWidth+(i+1)*width, h)
		col := c.Colors.Dim
		if i == toLeft && t.scrollX == 0 || i == toRight && t.scrollX >= t.edges[len(t.edges)-1]-t.tabsWidth {
			col = c.Colors.Faint
		} else if i == t.hoveredArrow {
			c.Fill(r, c.Colors.Hover)
		}
		box := image.Rect(0, 0, c.Px(12), c.Px(12)).Add(image.Pt(r.Min.X+(width-c.Px(12))/2, (h-c.Px(12))/2))
		switch i {
		case toLeft:
			c.Triangle(box, paint.PointLeft, col)
		case toRight:
			c.Triangle(box, paint.PointRight, col)
		default:
			c.Triangle(box, paint.PointDown, col)
		}
	}
}
