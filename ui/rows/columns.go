package rows

import (
	"image"
	"slices"

	"assay/ui/paint"
	"assay/ui/work"
)

// Order is the sort order of a column.
type Order uint8

// The orders of a column.
const (
	Unsorted Order = iota
	Ascending
	Descending
)

// Column is one column of the rows. The last column gets the remaining width, except a column of numbers if columns
// grow with their cells (Options.Grow).
type Column struct {
	Title string
	// Short is the title if a column is too narrow for its Title; empty: Title is truncated.
	Short string
	// Width and Min are in device-independent pixels. Min 0 is a small default.
	Width, Min float32
	// Share is the share of the width that remains after the columns without a share. If no column has one, all keep
	// their widths.
	Share float32
	// MinRowsWidth is the minimum width of the rows with the column, if columns have shares.
	MinRowsWidth float32
	Align        paint.Align
	// Sortable indicates that the title can be clicked.
	Sortable bool
	// Extra hides the column until the user displays it.
	Extra bool

	neededWidth  float32 // width that the cells in view need
	hidden       bool    // hidden by the user, or because there is not enough space
	hiddenByUser bool    // the user has hidden it
	userWidth    float32 // width set by the user, or 0; only with Options.Flex
	widthBefore  float32 // width before the user hid the column
	initialWidth float32 // Width passed to SetColumns
}

const (
	fixedShare     = 0.32 // maximum width of a column without a share, as a fraction of the width of the rows
	minColumnWidth = 32
	edgeGrip       = 5 // maximum distance of the pointer from a draggable edge
)

// SetColumns sets the columns.
func (r *Rows) SetColumns(columns ...Column) {
	r.columns = slices.Clone(columns)
	for i := range r.columns {
		r.columns[i].initialWidth, r.columns[i].hiddenByUser = r.columns[i].Width, r.columns[i].Extra
	}
	r.sortColumn, r.order, r.widthsChosen, r.grownFirst = -1, Unsorted, false, -1
	r.restoreColumns()
	r.layout()
	r.repaint()
}

// Columns returns the columns with their current widths.
func (r *Rows) Columns() []Column { return slices.Clone(r.columns) }

// Widths returns the widths of the columns.
func (r *Rows) Widths() []float32 {
	widths := make([]float32, len(r.columns))
	for i, c := range r.columns {
		widths[i] = c.Width
	}
	return widths
}

// SetWidths sets the widths of all columns. They no longer depend on the size of the widget.
func (r *Rows) SetWidths(widths []float32) {
	r.widthsChosen = true
	r.setWidths(widths)
	r.clamp(r.geometry())
	r.repaint()
}

// WidthsChosen reports whether the widths of the columns were set, by the user or by SetWidths.
func (r *Rows) WidthsChosen() bool { return r.widthsChosen }

func (r *Rows) setWidths(widths []float32) {
	for i := range min(len(widths), len(r.columns)) {
		if r.columns[i].hiddenByUser {
			continue
		}
		r.columns[i].hidden = false
		r.columns[i].Width = max(r.columns[i].minWidth(), min(widths[i], 1<<14))
	}
}

// divideColumns divides the width of the widget among the columns. A column with width 0 is hidden.
func (r *Rows) divideColumns() {
	width := r.Size().Width - barWidth
	if r.widthsChosen || width <= 0 {
		return
	}
	widths := r.divideWidth(width)
	if widths == nil {
		return
	}
	r.fitFlexible(widths)
	r.setWidths(widths)
	for i := range min(len(widths), len(r.columns)) {
		if r.columns[i].hidden = widths[i] == 0; r.columns[i].hidden {
			r.columns[i].Width = 0
		}
	}
	r.fillBarSpace(width)
}

// divideWidth divides a width among the columns, or returns nil if they keep their widths.
func (r *Rows) divideWidth(width float32) []float32 {
	if r.options.ColumnWidths != nil {
		return r.options.ColumnWidths(width)
	}
	widths, shares := make([]float32, len(r.columns)), make([]float32, len(r.columns))
	remaining, total := width, float32(0)
	for i, c := range r.columns {
		switch {
		case width < c.MinRowsWidth:
		case c.Share > 0:
			shares[i] = c.Share
			total += c.Share
		default:
			widths[i] = min(c.initialWidth, width*fixedShare)
			remaining -= widths[i]
		}
	}
	if total == 0 {
		return nil
	}
	if r.options.Fit {
		for i := range widths {
			widths[i] = r.WidthInView(i)
		}
		return DivideWidth(width, widths, shares)
	}
	for i, share := range shares {
		widths[i] += max(0, remaining) * share / total
	}
	return widths
}

// fillBarSpace widens the column that ends where a vertical scroll bar would begin if there is no bar, so that no
// sliver of the next column is visible.
func (r *Rows) fillBarSpace(width float32) {
	if !r.geometry().vbar.Empty() {
		return
	}
	end := float32(0)
	for i := range max(0, r.lastVisible()) {
		if end += r.columns[i].Width; end > width-1 && end < width+1 {
			r.columns[i].Width += barWidth
			return
		}
	}
}

// UpdateWidths divides the width among the columns again, after their content changed.
func (r *Rows) UpdateWidths() {
	r.divideColumns()
	r.repaint()
}

// DivideWidth divides a width among columns. A column that needs at most its share of the remaining width gets the
// needed width, and the others divide the remainder by their shares. If all columns get the needed width, the surplus
// is divided by the shares.
func DivideWidth(width float32, widths, shares []float32) []float32 {
	result := make([]float32, len(widths))
	isOpen := func(i int) bool { return result[i] == 0 }
	for {
		total, assigned := float32(0), false
		for i := range widths {
			if isOpen(i) {
				total += shares[i]
			}
		}
		remaining := width
		for _, w := range result {
			remaining -= w
		}
		for i, needed := range widths {
			if isOpen(i) && needed*total <= remaining*shares[i] {
				result[i], assigned = max(needed, 1), true
			}
		}
		if assigned {
			continue
		}
		for i := range widths {
			if total == 0 {
				result[i] += remaining * shares[i]
			} else if isOpen(i) {
				result[i] = remaining * shares[i] / total
			}
		}
		return result
	}
}

// SetMin sets the minimum width of a column.
func (r *Rows) SetMin(column int, width float32) {
	c := &r.columns[column]
	c.Min = width
	c.Width = max(c.Width, width)
	r.repaint()
}

// SetTitle sets the title of a column.
func (r *Rows) SetTitle(column int, title string) {
	r.columns[column].Title = title
	r.repaint()
}

// SetSort displays the sort order of a column; column -1 means unsorted.
func (r *Rows) SetSort(column int, order Order) {
	r.sortColumn, r.order = column, order
	r.repaint()
}

func (c Column) minWidth() float32 {
	if c.hidden {
		return 0
	}
	if c.Min > 0 {
		return c.Min
	}
	return minColumnWidth
}

// lastVisible returns the index of the last visible column, which takes the remaining width.
func (r *Rows) lastVisible() int {
	last := len(r.columns) - 1
	for last > 0 && r.columns[last].hidden {
		last--
	}
	return last
}

// columnsWidth returns the width of all columns in pixels, with the minimum width of the last visible one.
func (r *Rows) columnsWidth(scale float32) int {
	w := float32(0)
	last := r.lastVisible()
	for i, c := range r.columns {
		if i == last {
			w += c.minWidth() * scale
		} else {
			w += c.Width * scale
		}
	}
	return int(w + 0.5)
}

// edges returns the left edge of every column in pixels of the content, and the end of the last.
func (r *Rows) edges(g geometry) []int {
	if len(r.columns) == 0 {
		return []int{0, g.width}
	}
	edges := make([]int, 0, len(r.columns)+1)
	x := float32(0)
	for _, c := range r.columns {
		edges = append(edges, int(x*g.scale+0.5))
		x += c.Width
	}
	end := max(g.width, edges[len(edges)-1])
	if last := r.columns[len(r.columns)-1]; r.options.Grow > 0 && last.Align == paint.Trailing && !last.hidden {
		end = min(end, int(x*g.scale+0.5)) // numbers stay beside the other columns
	}
	edges = append(edges, end)
	for i := len(r.columns) - 1; i > 0 && r.columns[i].hidden; i-- { // the last visible column takes the rest
		edges[i] = edges[len(edges)-1]
	}
	return edges
}

// IsColumnVisible reports whether all of a column is in view.
func (r *Rows) IsColumnVisible(column int) bool {
	g := r.geometry()
	edges := r.edges(g)
	return !r.columns[column].hidden && edges[column] >= r.scrollX && edges[column+1] <= r.scrollX+g.body.Dx()
}

// edgeAt returns the visible column with its right edge at x in the header, or -1.
func (r *Rows) edgeAt(g geometry, x int) int {
	edges := r.edges(g)
	grip := int(edgeGrip * g.scale)
	for i := len(r.columns) - 1; i > 0; i-- {
		if at := edges[i] - r.scrollX; x >= at-grip && x <= at+grip && !r.columns[i-1].hidden {
			return i - 1
		}
	}
	return -1
}

// columnAt returns the column at a pixel, or -1.
func (r *Rows) columnAt(g geometry, x int) int {
	edges := r.edges(g)
	for i := range r.columns {
		if x+r.scrollX >= edges[i] && x+r.scrollX < edges[i+1] {
			return i
		}
	}
	return -1
}

func (r *Rows) resizeColumn(column int, width float32) {
	c := &r.columns[column]
	width = max(c.minWidth(), min(width, 1<<14))
	if width == c.Width {
		return
	}
	if c.Width = width; r.options.Flex > 0 {
		c.userWidth = width
		r.saveColumns()
		r.divideColumns()
	} else {
		r.widthsChosen = true
		for i := range r.columns { // nothing needs to shrink any more
			if h := &r.columns[i]; h.hidden && !h.hiddenByUser {
				h.hidden, h.Width = false, 2*minColumnWidth
			}
		}
	}
	r.clamp(r.geometry())
	r.repaint()
	if r.OnResize != nil {
		r.OnResize(column, width)
	}
}

// clickTitle requests the next order of a column: ascending, descending, unsorted.
func (r *Rows) clickTitle(column int) {
	if column < 0 || !r.columns[column].Sortable || r.OnSort == nil {
		return
	}
	order := Ascending
	if r.sortColumn == column {
		order = (r.order + 1) % 3
	}
	r.OnSort(column, order)
}

func (r *Rows) paintHeader(c *paint.Canvas, g geometry) {
	if g.header.Empty() {
		return
	}
	c.Fill(g.header, c.Colors.Header)
	if h, ok := r.source.(HeaderPainter); ok {
		box := g.header.Sub(image.Pt(r.scrollX, 0))
		box.Max.X = box.Min.X + g.width
		c.Clipped(g.header, func() { h.PaintHeader(c, box) })
	}
	edges := r.edges(g)
	pad := c.Px(cellPad)
	shorten := false // shorten all titles if one does not fit
	for i, col := range r.columns {
		shorten = shorten || col.Short != "" && c.Measure(col.Title, paint.Bold) > edges[i+1]-edges[i]-2*pad
	}
	for i, col := range r.columns {
		if col.hidden || edges[i]-r.scrollX >= g.body.Max.X {
			continue
		}
		cell := image.Rect(edges[i]-r.scrollX, g.header.Min.Y, edges[i+1]-r.scrollX, g.header.Max.Y)
		if i == len(r.columns)-1 {
			cell.Max.X = min(cell.Max.X, g.body.Max.X)
		}
		c.Clipped(cell, func() {
			if col.Sortable && r.pointer.overTitle == i+1 {
				c.Fill(cell, c.Colors.Hover)
			}
			text := cell
			text.Min.X, text.Max.X = text.Min.X+pad, text.Max.X-pad
			if r.sortColumn == i && r.order != Unsorted {
				side := c.Px(8)
				text.Max.X -= side + pad/2
				mark := image.Rect(text.Max.X+pad/2, cell.Min.Y, text.Max.X+pad/2+side, cell.Max.Y)
				direction := paint.Up
				if r.order == Descending {
					direction = paint.Down
				}
				c.Triangle(mark, direction, c.Colors.Primary)
			}
			title := col.Title
			if shorten && col.Short != "" {
				title = col.Short
			}
			c.Label(text, title, paint.Bold, c.Colors.Dim, col.Align)
		})
		if i > 0 {
			inset := c.Px(4)
			c.Line(cell.Min.X, cell.Min.Y+inset, cell.Min.X, cell.Max.Y-inset, c.Colors.Separator)
		}
	}
	y := g.header.Max.Y - max(1, int(c.Scale))
	c.Line(g.header.Min.X, y, g.header.Max.X, y, c.Colors.Separator)
}

// generate paints a frame; Fyne calls it when the raster is to be drawn.
func (r *Rows) generate(w, h int) image.Image {
	if w <= 0 || h <= 0 {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	scale := r.scale()
	if size := r.raster.Size(); size.Width > 8 {
		r.rasterScale = float32(w) / size.Width
		scale = r.scale()
	}
	if r.focusWanted && r.fyneCanvas() != nil {
		r.focusWanted = false
		work.Do(r.Focus)
	}
	w, h = paint.ScreenPixels(r, w, h)
	if r.img == nil || r.img.Rect.Dx() != w || r.img.Rect.Dy() != h {
		r.img = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	r.style.Atlas.ThemeChanged()
	g := r.geometryFor(w, h, scale)
	r.prepareFrame(g)
	g = r.geometryFor(w, h, scale)
	r.clamp(g)
	r.paint(r.style.NewCanvas(r.img, scale, paint.ThemeColors(r)), g)
	return r.img
}

// paint paints everything visible.
func (r *Rows) paint(c *paint.Canvas, g geometry) {
	r.paintRows(c, g)
	r.paintTip(c, g)
	r.paintFullCell(c, g)
	r.paintHeader(c, g)
	r.paintBars(c, g)
	if r.focused {
		ring := g.body
		if !g.header.Empty() {
			ring.Min.Y = g.header.Min.Y
		}
		ring.Max = g.all.Max
		c.Frame(ring, max(1, int(c.Scale)), c.Colors.Focus)
	}
}

func (r *Rows) paintRows(c *paint.Canvas, g geometry) {
	n := r.Len()
	y := g.body.Min.Y - r.offset
	row := r.first
	state := State{Focused: r.focused, cells: r.edges(g), margin: -r.scrollX, pad: c.Px(cellPad)}
	clip, colors := c.Clip, c.Colors
	for ; row < n && y < g.body.Max.Y; row, y = row+1, y+g.row {
		box := image.Rect(-r.scrollX, y, g.width-r.scrollX, y+g.row)
		c.Clip = box.Intersect(g.body)
		state.Selected = r.selection.Has(row)
		state.Hovered = row == r.hover
		state.Current = row == r.current
		c.Fill(box, r.background(c, row, state))
		if state.Selected && !r.options.Plain {
			c.Colors = colors.ForSelected()
		}
		switch s := r.source.(type) {
		case Painter:
			s.PaintRow(c, row, box, state)
		case Cells:
			r.paintCells(c, s, row, box, state)
		}
		c.Colors = colors
		if state.Current && r.focused && r.options.Multi && !r.options.Plain {
			c.Frame(image.Rect(g.body.Min.X, y, g.body.Max.X, y+g.row), max(1, int(c.Scale)), c.Colors.Focus)
		}
	}
	c.Clip = clip
	if y < g.body.Max.Y {
		c.Fill(image.Rect(g.body.Min.X, max(y, g.body.Min.Y), g.body.Max.X, g.body.Max.Y), c.Colors.Background)
	}
	if n == 0 && r.options.Empty != nil {
		line := image.Rect(g.body.Min.X, g.body.Min.Y+g.row, g.body.Max.X, g.body.Min.Y+2*g.row)
		c.Label(line.Intersect(g.body), r.options.Empty(), paint.Regular, c.Colors.Dim, paint.Center)
	}
}

func (r *Rows) background(c *paint.Canvas, row int64, state State) paint.Color {
	switch {
	case r.options.Plain:
		return c.Colors.Background
	case state.Selected && r.focused:
		return c.Colors.Selection
	case state.Selected:
		return c.Colors.Inactive
	case state.Hovered:
		return c.Colors.Hover
	case row&1 == 1:
		return c.Colors.Alternate
	}
	return c.Colors.Background
}

func (r *Rows) paintBars(c *paint.Canvas, g geometry) {
	inset := c.Px(3)
	if !g.vbar.Empty() {
		c.Fill(g.vbar, c.Colors.Bar)
		thumb := r.vthumb(g)
		thumb = image.Rect(thumb.Min.X+inset, thumb.Min.Y+1, thumb.Max.X-inset, thumb.Max.Y-1)
		c.Round(thumb, inset, r.thumbColor(c, vbarArea, dragVThumb))
	}
	if !g.hbar.Empty() {
		c.Fill(g.hbar, c.Colors.Bar)
		thumb := r.hthumb(g)
		thumb = image.Rect(thumb.Min.X+1, thumb.Min.Y+inset, thumb.Max.X-1, thumb.Max.Y-inset)
		c.Round(thumb, inset, r.thumbColor(c, hbarArea, dragHThumb))
		if !g.vbar.Empty() {
			c.Fill(image.Rect(g.vbar.Min.X, g.hbar.Min.Y, g.vbar.Max.X, g.hbar.Max.Y), c.Colors.Bar)
		}
	}
}

func (r *Rows) thumbColor(c *paint.Canvas, area hitArea, drag dragKind) paint.Color {
	if r.pointer.hovered == area || r.pointer.drag == drag {
		return c.Colors.ThumbHover
	}
	return c.Colors.Thumb
}
