package rows

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/ui/command"
)

// hitArea is a part of the widget under the pointer.
type hitArea uint8

const (
	noArea hitArea = iota
	bodyArea
	titleArea
	edgeArea
	vbarArea
	hbarArea
)

// dragKind is the object of a drag.
type dragKind uint8

const (
	dragNothing dragKind = iota
	dragVThumb
	dragHThumb
	dragEdge
	dragPull // OnPull follows it
	dragOut  // the owner follows it (OnDrag)
	dragIdle // the object under the pointer cannot be dragged
)

// clickTarget is a row, or the right edge of a column, that was clicked.
type clickTarget struct {
	row  int64 // -1: not a row
	edge int   // index of the column; -1: not an edge
}

var noTarget = clickTarget{row: -1, edge: -1}

// pointerState is the state of the mouse.
type pointerState struct {
	hovered         hitArea
	overTitle       int // column + 1
	drag            dragKind
	dragged         Drag          // rows that are dragged out of the widget
	grip            int           // distance from the start of the thumb to the pointer
	column          int           // the column of the dragged edge
	pressed         hitArea       // area in which the button was pressed
	pressedRow      int64         // the row under the press
	clicks          []clickTarget // targets of the last two presses
	columnWidth     float32       // width of the column when the drag began
	pressX          int
	menuOpened      bool // a press of the secondary button opened the menu
	selectOnRelease bool // a plain click on a selected row: select it alone on release, a drag may still come
	pressedTitle    int
	moved           bool
	position        image.Point // last position
	justEntered     bool        // the pointer has hardly moved since it entered the widget at entry
	entry           fyne.Position
}

// restDistance is the distance, in device-independent pixels, that the pointer may move without a tooltip: the rows
// may have appeared under a pointer that rests.
const restDistance = 4

// pixel turns a position of the widget into a pixel of the raster.
func (r *Rows) pixel(g geometry, p fyne.Position) image.Point {
	return image.Pt(int(p.X*g.scale), int(p.Y*g.scale))
}

func (r *Rows) hitAreaAt(g geometry, p image.Point) hitArea {
	switch {
	case p.In(g.vbar):
		return vbarArea
	case p.In(g.hbar):
		return hbarArea
	case p.In(g.header):
		if r.edgeAt(g, p.X) >= 0 {
			return edgeArea
		}
		return titleArea
	case p.In(g.body):
		return bodyArea
	}
	return noArea
}

// rowAt returns the row at a pixel, or -1; the row above the first is -1 too.
func (r *Rows) rowAt(g geometry, p image.Point) int64 {
	if !p.In(g.body) {
		return -1
	}
	row := r.first + int64((p.Y-g.body.Min.Y+r.offset)/g.row)
	if row >= r.Len() {
		return -1
	}
	return row
}

// RowPosition returns the position of a row's lower left corner in the widget, for a menu.
func (r *Rows) RowPosition(row int64) fyne.Position {
	g := r.geometry()
	rows := max(-1, min(row-r.first+1, int64(g.body.Dy()/g.row)+1))
	y := min(g.body.Max.Y, g.body.Min.Y-r.offset+int(rows)*g.row)
	return fyne.NewPos(float32(g.body.Min.X)/g.scale, float32(y)/g.scale)
}

// pointerAt describes the pointer for the source. Outside the body, the row is extrapolated above and below.
func (r *Rows) pointerAt(g geometry, p image.Point) Pointer {
	y := p.Y - g.body.Min.Y + r.offset
	n := y / g.row
	if y%g.row < 0 {
		n--
	}
	pointer := Pointer{Row: r.first + int64(n), X: p.X + r.scrollX, Y: y - n*g.row, Bounds: image.Pt(g.width, g.row),
		Column: r.columnAt(g, p.X), Scale: g.scale}
	if pointer.Column >= 0 {
		state := State{cells: r.edges(g), pad: int(cellPad*g.scale + 0.5)}
		pointer.Cell = state.Cell(image.Rectangle{Max: pointer.Bounds}, pointer.Column)
		if s, ok := r.source.(Cells); ok && pointer.Row >= 0 && pointer.Row < r.Len() {
			cell, box := cellCovering(s, state, image.Rectangle{Max: pointer.Bounds}, pointer.Row, pointer.Column)
			pointer.Lead, _ = cell.boxes(box, g.scale)
		}
	}
	return pointer
}

// MouseDown begins a press.
func (r *Rows) MouseDown(ev *desktop.MouseEvent) {
	r.Focus()
	r.cancelPopup()
	g := r.geometry()
	p := r.pixel(g, ev.Position)
	s := &r.pointer
	s.pressed, s.drag, s.selectOnRelease, s.moved = r.hitAreaAt(g, p), dragNothing, false, false
	s.pressedRow = r.rowAt(g, p)
	clicked := noTarget
	switch s.pressed {
	case bodyArea:
		r.pressRow(g, p, ev)
		if s.drag != dragIdle {
			clicked.row = s.pressedRow
		}
	case titleArea, edgeArea:
		if ev.Button == desktop.MouseButtonSecondary {
			s.pressed = noArea
			r.openColumnMenu(ev.AbsolutePosition)
			break
		}
		if s.pressedTitle = r.columnAt(g, p.X); s.pressed == titleArea {
			break
		}
		s.column = r.edgeAt(g, p.X)
		s.columnWidth, s.pressX = r.columns[s.column].Width, p.X
		clicked.edge = s.column
	case vbarArea:
		if thumb := r.vthumb(g); p.In(thumb) {
			s.drag, s.grip = dragVThumb, p.Y-thumb.Min.Y
		} else if ev.Button == desktop.MouseButtonPrimary {
			page := max(g.row, g.body.Dy()-g.row)
			if p.Y < thumb.Min.Y {
				page = -page
			}
			r.move(0, page)
		}
	case hbarArea:
		if thumb := r.hthumb(g); p.In(thumb) {
			s.drag, s.grip = dragHThumb, p.X-thumb.Min.X
		} else if p.X < thumb.Min.X {
			r.move(-g.body.Dx()*9/10, 0)
		} else {
			r.move(g.body.Dx()*9/10, 0)
		}
	}
	if ev.Button == desktop.MouseButtonPrimary && clicked != noTarget {
		s.clicks = append(s.clicks, clicked)
		s.clicks = s.clicks[max(0, len(s.clicks)-2):]
	} else {
		s.clicks = nil
	}
	r.repaint()
}

// pressRow handles a press in the body.
func (r *Rows) pressRow(g geometry, p image.Point, ev *desktop.MouseEvent) {
	pointer := r.pointerAt(g, p)
	pointer.Button, pointer.Modifier = ev.Button, ev.Modifier
	row := r.pointer.pressedRow
	result := Pass
	if r.OnPress != nil {
		result = r.OnPress(pointer)
	}
	switch {
	case result == Pass:
		r.click(row, ev)
	case ev.Button != desktop.MouseButtonPrimary:
	case result == Pull:
		r.pointer.drag = dragPull
	default:
		r.pointer.drag = dragIdle
	}
	if ev.Button == desktop.MouseButtonSecondary && r.OnMenu != nil {
		r.pointer.menuOpened = true
		r.OnMenu(row, ev.AbsolutePosition)
	}
}

// TappedSecondary opens the menu for a click that closed another menu: the toolkit forwards only the tap, without the
// press. After a press the menu is already open.
func (r *Rows) TappedSecondary(ev *fyne.PointEvent) {
	if !r.pointer.menuOpened {
		r.MouseDown(&desktop.MouseEvent{PointEvent: *ev, Button: desktop.MouseButtonSecondary})
	}
	r.pointer.menuOpened = false
}

func (r *Rows) click(row int64, ev *desktop.MouseEvent) {
	toggle := ev.Modifier&(fyne.KeyModifierControl|fyne.KeyModifierSuper) != 0
	switch {
	case row < 0:
		if r.options.Multi && !toggle && ev.Modifier&fyne.KeyModifierShift == 0 {
			r.selectOnly(-1)
		}
	case ev.Button == desktop.MouseButtonSecondary:
		if r.selection.Has(row) { // the menu is for all selected rows
			r.makeCurrent(row)
		} else {
			r.selectOnly(row)
		}
	case ev.Button != desktop.MouseButtonPrimary:
	case r.options.Multi && ev.Modifier&fyne.KeyModifierShift != 0 && r.anchor >= 0:
		r.extend(row, toggle)
	case r.options.Multi && toggle:
		r.selection.Toggle(row)
		r.anchor = row
		r.makeCurrent(row)
		r.selectionChanged()
	case r.options.Multi && r.selection.Has(row) && r.selection.Count() > 1:
		r.pointer.selectOnRelease = true
		r.makeCurrent(row)
	default:
		r.selectOnly(row)
	}
}

// MouseUp ends a press.
func (r *Rows) MouseUp(ev *desktop.MouseEvent) {
	g := r.geometry()
	s := &r.pointer
	if ev.Button == desktop.MouseButtonPrimary {
		area := r.hitAreaAt(g, r.pixel(g, ev.Position))
		if s.pressed == titleArea && area == titleArea && !s.moved &&
			s.pressedTitle == r.columnAt(g, r.pixel(g, ev.Position).X) {
			r.clickTitle(s.pressedTitle)
		}
		if s.selectOnRelease && !s.moved {
			r.selectOnly(s.pressedRow)
		}
		if s.drag == dragPull && r.OnRelease != nil {
			r.OnRelease()
		}
		if !s.moved {
			s.drag = dragNothing
			if s.pressed == bodyArea && r.OnClick != nil {
				r.OnClick(s.pressedRow)
			}
		}
	}
	s.selectOnRelease = false
	r.repaint()
}

// Dragged follows the pointer.
func (r *Rows) Dragged(ev *fyne.DragEvent) {
	g := r.geometry()
	p := r.pixel(g, ev.Position)
	s := &r.pointer
	if s.drag == dragNothing && !s.moved {
		s.drag = r.dragKindAt(ev)
	}
	s.moved = true
	switch s.drag {
	case dragVThumb:
		r.dragThumbV(g, p.Y-s.grip)
	case dragHThumb:
		r.dragThumbH(g, p.X-s.grip)
	case dragEdge:
		r.resizeColumn(s.column, s.columnWidth+float32(p.X-s.pressX)/g.scale)
	case dragPull:
		r.dragPulled(g, p)
	case dragOut:
		s.dragged.Dragged(ev.AbsolutePosition)
	}
}

func (r *Rows) dragKindAt(ev *fyne.DragEvent) dragKind {
	switch r.pointer.pressed {
	case edgeArea:
		return dragEdge
	case bodyArea:
		if r.pointer.pressedRow < 0 || r.OnDrag == nil {
			return dragIdle
		}
		if r.pointer.dragged = r.OnDrag(r.pointer.pressedRow, ev.AbsolutePosition); r.pointer.dragged != nil {
			return dragOut
		}
	}
	return dragIdle
}

// dragPulled reports the position of the pointer to OnPull, and scrolls if it is outside the body.
func (r *Rows) dragPulled(g geometry, p image.Point) {
	if p.Y < g.body.Min.Y {
		r.move(0, max(-4*g.row, p.Y-g.body.Min.Y))
	} else if p.Y >= g.body.Max.Y {
		r.move(0, min(4*g.row, p.Y-g.body.Max.Y+1))
	}
	if r.OnPull != nil {
		r.OnPull(r.pointerAt(g, image.Pt(p.X, max(g.body.Min.Y, min(p.Y, g.body.Max.Y-1)))))
	}
}

// DragEnd ends a drag.
func (r *Rows) DragEnd() {
	if r.pointer.drag == dragOut {
		r.pointer.dragged.DragEnd()
	}
	r.pointer.drag, r.pointer.dragged, r.pointer.moved = dragNothing, nil, false
	r.pointer.clicks = nil
	r.repaint()
}

// DoubleTapped activates a row, or fits a column to its content, if both clicks were on it.
func (r *Rows) DoubleTapped(*fyne.PointEvent) {
	clicks := r.pointer.clicks
	r.pointer.clicks = nil
	if len(clicks) != 2 || clicks[0] != clicks[1] {
		return
	}
	switch target := clicks[1]; {
	case target.row >= 0:
		if r.OnActivate != nil {
			r.OnActivate(target.row)
		}
	case target.edge >= 0:
		r.resizeColumn(target.edge, min(r.WidthInView(target.edge), maxFitWidth))
	}
}

// MouseIn implements desktop.Hoverable.
func (r *Rows) MouseIn(ev *desktop.MouseEvent) {
	r.pointer.justEntered, r.pointer.entry = true, ev.Position
	r.MouseMoved(ev)
}

// MouseMoved highlights the row or title under the pointer.
func (r *Rows) MouseMoved(ev *desktop.MouseEvent) {
	g := r.geometry()
	p := r.pixel(g, ev.Position)
	area, title := r.hitAreaAt(g, p), 0
	if area == titleArea {
		title = r.columnAt(g, p.X) + 1
	}
	if area != r.pointer.hovered || title != r.pointer.overTitle {
		r.pointer.hovered, r.pointer.overTitle = area, title
		r.repaint()
	}
	r.pointer.position = p
	r.setHover(r.rowAt(g, p))
	if distance := ev.Position.Subtract(r.pointer.entry); max(distance.X, -distance.X, distance.Y,
		-distance.Y) > restDistance {
		r.pointer.justEntered = false
	}
	if ev.Button == 0 && !r.pointer.justEntered { // a drag selects rows, which a tooltip would cover
		r.pointerMoved(r.rowAt(g, p), r.columnAt(g, p.X))
	}
	if area == bodyArea && r.OnMove != nil && !r.pointer.justEntered {
		r.OnMove(r.pointerAt(g, p))
	}
}

// MouseOut implements desktop.Hoverable.
func (r *Rows) MouseOut() {
	r.pointer.hovered, r.pointer.overTitle, r.pointer.menuOpened = noArea, 0, false
	r.setHover(-1)
	r.pointerMoved(-1, -1)
	r.repaint()
}

func (r *Rows) setHover(row int64) {
	if row == r.hover {
		return
	}
	r.hover = row
	if !r.options.Plain {
		r.repaint()
	}
	if r.OnHover != nil {
		r.OnHover(row)
	}
}

// Cursor returns the shape of the pointer, which indicates edges that can be dragged.
func (r *Rows) Cursor() desktop.Cursor {
	switch {
	case r.pointer.hovered == edgeArea || r.pointer.drag == dragEdge:
		return desktop.HResizeCursor
	case r.pointer.hovered == bodyArea && r.options.Cursor != nil:
		return r.options.Cursor
	}
	return desktop.DefaultCursor
}

// Scrolled scrolls the rows. A notch of the wheel is three rows, or one tall row; a touch pad scrolls by pixels.
func (r *Rows) Scrolled(ev *fyne.ScrollEvent) {
	g := r.geometry()
	const notch = 25 // Fyne's value for one
	lines := 3
	if r.options.Height != nil { // tall rows
		lines = 1
	}
	dx, dy := ev.Scrolled.DX, ev.Scrolled.DY
	if r.OnZoom != nil && dy != 0 && command.IsHeld(fyne.KeyModifierControl|fyne.KeyModifierSuper) {
		delta := 1
		if dy < 0 {
			delta = -1
		}
		if r.OnZoom(delta) {
			return
		}
	}
	if r.isShiftDown() && dx == 0 {
		dx, dy = dy, 0
	}
	step := func(d float32) int {
		n := int(d / notch * float32(lines*g.row))
		switch {
		case n == 0 && d > 0:
			return 1
		case n == 0 && d < 0:
			return -1
		}
		return n
	}
	r.move(-step(dx), -step(dy))
	if r.hover >= 0 && r.pointer.drag == dragNothing {
		r.setHover(r.rowAt(g, r.pixel(g, ev.Position)))
	}
}
