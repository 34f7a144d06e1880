// Package rows implements a widget for many rows. Trees, tables, hex pages and comparisons are sources of its rows.
// Table is a simple list in columns, and Grid displays items as tiles: pictures with their names, or names in columns.
//
// Fyne's lists hold their position in a float32, which loses whole pixels beyond 16 million; here the first row is an
// int64 and the offset inside it whole pixels, so any row of any length is exact. Everything visible (header, rows,
// scroll bars) is painted into one raster.
package rows

import (
	"image"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/ui/host"
	"assay/ui/paint"
)

// Source is the content of the rows: Cells, or a Painter. Its methods are called on the UI thread and must not block.
type Source interface {
	// Len returns the number of rows.
	Len() int64
}

// Painter is a Source that paints its rows itself.
type Painter interface {
	Source
	// PaintRow paints one row. The background is painted before, and painting is clipped to bounds.
	PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state State)
}

// Framer is a Source that prepares each frame, for example because its number of rows depends on the width.
type Framer interface {
	// Frame is called before a frame is painted and whenever the size changes. The canvas measures and has no image.
	// It may call ScrollTo, SetFirst and SetContentWidth.
	Frame(c *paint.Canvas, width, height int)
}

// Copier is a Source with its own text for copied rows. For other sources, the text of all cells is copied.
type Copier interface {
	// Copied returns the text to copy of a row, or "" to copy nothing.
	Copied(row int64) string
}

// HeaderPainter is a Source that paints its own header, if Options.Header is set.
type HeaderPainter interface {
	PaintHeader(c *paint.Canvas, bounds image.Rectangle)
}

// State is the state of a row to paint.
type State struct {
	Selected, Hovered, Current bool
	// Focused reports whether the widget has the keyboard focus.
	Focused bool
	cells   []int // left edges in pixels, and the right edge of the last column
	margin  int
	pad     int
}

// Cells returns the number of columns.
func (s State) Cells() int { return len(s.cells) - 1 }

// Cell returns the part of a row that belongs to a column, with a margin left and right.
func (s State) Cell(bounds image.Rectangle, column int) image.Rectangle {
	r := bounds
	r.Min.X = s.margin + s.cells[column] + s.pad
	r.Max.X = max(r.Min.X, s.margin+s.cells[column+1]-s.pad)
	return r
}

// Options are the fixed properties of a widget.
type Options struct {
	// Multi allows more than one selected row.
	Multi bool
	// Header displays the header: column titles, or a HeaderPainter's.
	Header bool
	// Plain leaves out the backgrounds of alternate, hovered and selected rows: the source paints its own.
	Plain bool
	// Cursor is the pointer's shape over the rows; nil is the default.
	Cursor desktop.Cursor
	// Height returns the height of a row in pixels at a scale; nil is the height of a compact row.
	Height func(scale float32) int
	// Empty returns the text in place of rows if there are none. Empty may be nil, and the text empty.
	Empty func() string
	// MinSize is the smallest size; zero is a small default.
	MinSize fyne.Size
	// ColumnWidths divides the width beside the scroll bar among the columns whenever it changes, until the widths are
	// chosen. Widths are in device-independent pixels; a column with width 0 is hidden. nil divides it by Column.Share.
	ColumnWidths func(width float32) []float32
	// Fit gives each column with a share the width that its cells in view need, up to its share if others need more.
	Fit bool
	// Flex is the number of the flexible column, from 1, or 0. It gets the width that the other columns leave. The user
	// then sets the width of one column at a time, and ColumnWidths still divides the width among the others.
	Flex int
	// Grow makes columns of Cells wider when wider cells come into view, up to this width, until the widths are chosen.
	Grow float32
	// Keep is the number of columns, from the first one, that Grow keeps in view as far as the first column can shrink.
	// Until the rows are scrolled sideways, no later column is partly visible.
	Keep int
}

// Pointer is a mouse event on a row.
type Pointer struct {
	Row      int64           // may be outside the rows while dragging
	Column   int             // -1: outside the columns
	Cell     image.Rectangle // cell of the column, as State.Cell returns it, from the row's top left corner
	Scale    float32         // pixels for each device-independent pixel
	X, Y     int             // pixels from the row's left edge (scrolled content included) and top edge
	Bounds   image.Point     // size of the row in pixels
	Lead     image.Rectangle // lead of a cell of Cells, from the row's top left corner
	Button   desktop.MouseButton
	Modifier fyne.KeyModifier
}

// Drag follows the pointer after a drag began on a row, for example out of the window.
type Drag interface {
	Dragged(absolute fyne.Position)
	DragEnd()
}

// DragTracker starts and follows a drag that begins anywhere on a widget.
type DragTracker struct {
	// Begin is called when a drag begins. It may be nil, or return nil if there is nothing to drag.
	Begin   func() Drag
	drag    Drag
	started bool
}

// Dragged begins a drag, or follows the pointer, and reports whether something is dragged.
func (c *DragTracker) Dragged(ev *fyne.DragEvent) bool {
	if !c.started && c.Begin != nil {
		c.drag = c.Begin()
	}
	c.started = true
	if c.drag != nil {
		c.drag.Dragged(ev.AbsolutePosition)
	}
	return c.drag != nil
}

// DragEnd ends the drag.
func (c *DragTracker) DragEnd() {
	out := c.drag
	if c.started, c.drag = false, nil; out != nil {
		out.DragEnd()
	}
}

// PressResult is the result of a press on a source.
type PressResult uint8

// The results of a press. A secondary press always calls OnMenu.
const (
	Pass    PressResult = iota // Rows handles the press as usual
	Handled                    // consumed: no drag or double click follows
	Pull                       // OnPull is called for every move until OnRelease; a double click still activates
)

// Events are the callbacks of a widget. Any may be nil. All are called on the UI thread.
type Events struct {
	OnCurrent     func(row int64)                    // the user went to another row; -1: no row
	OnSelection   func()                             // the user changed the set of selected rows
	OnActivate    func(row int64)                    // Enter or double click
	OnMenu        func(row int64, pos fyne.Position) // secondary click or menu key; row may be -1
	OnHover       func(row int64)                    // the pointer moved to another row; -1: it left
	OnRest        func(row int64)                    // the pointer rests on a row; the callback may call SetTip
	OnExpand      func(row int64)                    // right arrow
	OnCollapse    func(row int64)                    // left arrow
	OnExpandAll   func(row int64)                    // Ctrl+right arrow
	OnCollapseAll func(row int64)                    // Ctrl+left arrow
	OnTypeAhead   func(prefix string)                // letters typed so far
	OnSort        func(column int, order Order)      // click on a title; the owner calls SetSort if it agrees
	OnResize      func(column int, width float32)    // the user changed a column's width
	OnFocus       func(focused bool)                 // keyboard focus gained or lost
	OnScroll      func()                             // the first row changed

	// OnZoom is called when the wheel is turned with Ctrl, by 1 up or by -1 down. If it returns false, the rows scroll.
	OnZoom func(step int) bool

	// OnMove is called when the pointer moves over the rows, not when they appear under it; OnHover(-1) is called when
	// it leaves.
	OnMove func(p Pointer)

	// OnDrag is called when a drag begins on a row. It returns nil if the row cannot be dragged.
	OnDrag func(row int64, absolute fyne.Position) Drag

	// BeforeKey and BeforeShortcut get input first; true stops the rows from using it.
	BeforeKey      func(key *fyne.KeyEvent, shift bool) bool
	BeforeShortcut func(s fyne.Shortcut) bool
	// AllFrom returns the first row that Select All selects. If nil, it is 0.
	AllFrom func() int64
	// OnPress gets a press of any button in the body first, and returns how Rows continues.
	OnPress   func(p Pointer) PressResult
	OnPull    func(p Pointer)
	OnRelease func()
	// OnClick is called when the primary button is released over the row where it was pressed, without a drag.
	OnClick func(row int64)
}

// Rows is a widget with many rows. Set its Events before its first frame.
type Rows struct {
	widget.BaseWidget
	Events

	host    host.Host
	style   *paint.Style
	options Options
	source  Source
	raster  *canvas.Raster
	img     *image.RGBA

	columns      []Column
	widthsChosen bool // the widths of the columns were set
	order        Order
	sortColumn   int

	first        int64 // the topmost row in view
	offset       int   // pixels of the first row that are scrolled out
	scrollX      int   // pixels scrolled out at the left
	bodyHeight   int   // height of the body at the latest layout, in pixels
	contentWidth int   // width of rows without columns
	rasterScale  float32
	current      int64
	anchor       int64
	selection    Intervals
	hover        int64
	focused      bool
	focusWanted  bool // Focus was called before the widget was in a window
	alt          host.Alt
	shiftDown    bool
	pointer      pointerState
	typedPrefix  string
	typedAt      time.Time
	now          func() time.Time
	fullCell     cellPopup
	tip          tip
	grownFirst   int64 // first row, number of rows, and rows of a page when growColumns last measured the cells
	grownLen     int64
	grownPage    int64
	columnsKey   string // the key of the columns' settings
	afterFunc    func(d time.Duration, f func()) (stop func())
	inFrame      bool
}

var (
	_ fyne.Widget            = (*Rows)(nil)
	_ fyne.Focusable         = (*Rows)(nil)
	_ fyne.Tabbable          = (*Rows)(nil)
	_ fyne.Scrollable        = (*Rows)(nil)
	_ fyne.Draggable         = (*Rows)(nil)
	_ fyne.DoubleTappable    = (*Rows)(nil)
	_ fyne.Shortcutable      = (*Rows)(nil)
	_ desktop.Hoverable      = (*Rows)(nil)
	_ desktop.Mouseable      = (*Rows)(nil)
	_ fyne.SecondaryTappable = (*Rows)(nil)
	_ desktop.Keyable        = (*Rows)(nil)
	_ desktop.Cursorable     = (*Rows)(nil)
)

// New returns a widget with the rows of a source, which may be nil. The host gets the keys and shortcuts that the rows
// do not use.
func New(h host.Host, style *paint.Style, source Source, options Options) *Rows {
	r := &Rows{host: h, style: style, source: source, options: options, current: -1, anchor: -1, hover: -1,
		sortColumn: -1, grownFirst: -1, fullCell: cellPopup{row: -1, column: -1}, now: time.Now, afterFunc: runAfter}
	r.raster = canvas.NewRaster(r.generate)
	r.raster.ScaleMode = canvas.ImageScalePixels
	r.ExtendBaseWidget(r)
	return r
}

// SetSource displays another source from its first row.
func (r *Rows) SetSource(s Source) {
	r.source = s
	r.first, r.offset, r.scrollX, r.grownFirst = 0, 0, 0, -1
	r.current, r.anchor, r.hover = -1, -1, -1
	r.selection = Intervals{}
	r.typedPrefix = ""
	r.pointerMoved(-1, -1)
	r.Refresh()
}

// Len returns the number of rows.
func (r *Rows) Len() int64 {
	if r.source == nil {
		return 0
	}
	return max(0, r.source.Len())
}

// Refresh repaints the rows after they, the theme or the text size changed. It must be called on the UI thread.
func (r *Rows) Refresh() {
	if n := r.Len(); r.current >= n {
		r.current = n - 1
	}
	r.grownFirst = -1 // cells may be wider now
	r.layout()
	r.repaint()
}

// repaint requests a new frame, except while a frame is prepared.
func (r *Rows) repaint() {
	if !r.inFrame {
		r.raster.Refresh()
	}
}

// Current returns the current row, or -1.
func (r *Rows) Current() int64 { return r.current }

// SetCurrent makes a row current and selects only that; -1 selects no row. It calls no event and does not scroll.
func (r *Rows) SetCurrent(row int64) {
	if row < 0 || row >= r.Len() {
		row = -1
	}
	r.current, r.anchor = row, row
	r.selection = SingleRow(row)
	r.repaint()
}

// GoTo makes a row current, selects only that, and scrolls to it. It calls no event.
func (r *Rows) GoTo(row int64) {
	r.SetCurrent(row)
	if r.current >= 0 {
		r.ScrollTo(r.current)
	}
}

// Selection returns the set of selected rows.
func (r *Rows) Selection() Intervals { return r.selection.Clone() }

// Select selects rows, makes one of them current and scrolls to it; current -1: no current row. It calls no event.
func (r *Rows) Select(current int64, selection Intervals) {
	r.GoTo(current)
	r.SetSelection(selection)
}

// SetSelection replaces the set of selected rows. It calls no event.
func (r *Rows) SetSelection(s Intervals) {
	r.selection = s.Clone()
	r.selection.Remove(r.Len(), 1<<63-1)
	r.repaint()
}

// Inserted keeps the view, the current row and the selection on their rows after n rows were inserted before row at.
func (r *Rows) Inserted(at, n int64) {
	move := func(row int64) int64 {
		if row >= at {
			return row + n
		}
		return row
	}
	r.current, r.anchor = move(r.current), move(r.anchor)
	if r.first > at { // rows inserted at the top of the view are visible
		r.first += n
	}
	r.selection.InsertRows(at, n)
	r.Refresh()
}

// Removed keeps the view, the current row and the selection on their rows after n rows from at were removed. If the
// current row was removed, the previous row becomes current.
func (r *Rows) Removed(at, n int64) {
	move := func(row int64) int64 {
		switch {
		case row >= at+n:
			return row - n
		case row >= at:
			return max(0, at-1)
		}
		return row
	}
	r.current, r.anchor = move(r.current), move(r.anchor)
	if r.first >= at {
		r.first = move(r.first)
	}
	r.selection.RemoveRows(at, n)
	r.Refresh()
}

// Focus gives the widget the keyboard focus, as soon as it is in a window.
func (r *Rows) Focus() {
	c := r.fyneCanvas()
	if r.focusWanted = c == nil; c != nil && !r.focused {
		c.Focus(r)
	}
}

// Focused reports whether the widget has the keyboard focus.
func (r *Rows) Focused() bool { return r.focused }

func (r *Rows) fyneCanvas() fyne.Canvas { return fyne.CurrentApp().Driver().CanvasForObject(r) }

// MinSize implements fyne.CanvasObject.
func (r *Rows) MinSize() fyne.Size {
	if !r.options.MinSize.IsZero() {
		return r.options.MinSize
	}
	return fyne.NewSize(80, 60)
}

// CreateRenderer implements fyne.Widget.
func (r *Rows) CreateRenderer() fyne.WidgetRenderer { return &renderer{rows: r} }

type renderer struct{ rows *Rows }

func (r *renderer) Layout(s fyne.Size) {
	r.rows.raster.Resize(s)
	r.rows.layout()
	r.rows.keepInView()
}
func (r *renderer) MinSize() fyne.Size           { return r.rows.MinSize() }
func (r *renderer) Refresh()                     { r.rows.layout(); r.rows.repaint() }
func (r *renderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rows.raster} }
func (r *renderer) Destroy()                     { r.rows.pointerMoved(-1, -1) }
