package rows

import (
	"cmp"
	"slices"

	"assay/ui/paint"
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

	neededWidth  float32 // width that the cells in view need, up to a limit
	fullWidth    float32 // width that they need without the limit
	hidden       bool    // hidden by the user, or because there is not enough space
	switchedOff  bool    // hidden by the user, or an Extra column that the user has not displayed
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
		r.columns[i].initialWidth, r.columns[i].switchedOff = r.columns[i].Width, r.columns[i].Extra
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
		if r.columns[i].switchedOff {
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
// is divided by the shares. The shares of all columns add up to 1.
func DivideWidth(width float32, needed, shares []float32) []float32 {
	result := make([]float32, len(needed))
	isOpen := func(i int) bool { return result[i] == 0 }
	for {
		total, assigned := float32(0), false
		for i := range needed {
			if isOpen(i) {
				total += shares[i]
			}
		}
		remaining := width
		for _, w := range result {
			remaining -= w
		}
		for i, w := range needed {
			if isOpen(i) && w*total <= remaining*shares[i] {
				result[i], assigned = max(w, 1), true
			}
		}
		if assigned {
			continue
		}
		for i := range needed {
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
	width := float32(0)
	last := r.lastVisible()
	for i, c := range r.columns {
		if i == last {
			width += c.minWidth() * scale
		} else {
			width += c.Width * scale
		}
	}
	return int(width + 0.5)
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
	if last := r.columns[len(r.columns)-1]; r.options.Grow > 0 && last.Align == paint.AlignRight && !last.hidden {
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
			if h := &r.columns[i]; h.hidden && !h.switchedOff {
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

// keptLimitShare is the maximum width of the columns of Options.Keep after the first one, as a fraction of
// Options.Grow.
const keptLimitShare = 0.4

// minFirstShare is the fraction of a narrow list that its first column, which has the names, keeps.
const minFirstShare = 0.4

// growColumns makes every column at least as wide as its cells in view, up to a limit or as long as all columns fit,
// until the widths are chosen. The first column shrinks so that the columns of Options.Keep stay in view.
func (r *Rows) growColumns() {
	if r.options.Grow == 0 || r.widthsChosen || len(r.columns) == 0 {
		return
	}
	if page := r.Page(); r.grownFirst != r.first || r.Len() != r.grownLen || page > r.grownPage {
		r.grownFirst, r.grownLen, r.grownPage = r.first, r.Len(), page
		for i := range r.columns {
			c := &r.columns[i]
			limit := r.options.Grow
			if i > 0 && i < r.options.Keep {
				limit *= keptLimitShare
			}
			inView := r.WidthInView(i)
			c.neededWidth = max(cmp.Or(c.neededWidth, c.Width), min(inView, limit))
			c.fullWidth = max(c.fullWidth, inView)
		}
	}
	widths := make([]float32, len(r.columns))
	room := r.Size().Width - barWidth
	overflow, unused := -room, room
	for i, c := range r.columns {
		widths[i] = c.neededWidth
		if !c.switchedOff {
			unused -= c.neededWidth
		}
		if i < r.options.Keep {
			overflow += c.neededWidth
		}
	}
	if r.options.Keep > 0 && overflow > 0 {
		widths[0] = max(widths[0]-overflow, min(widths[0], room*minFirstShare)) // setWidths applies the minimum width
	}
	for i, c := range r.columns {
		if more := min(c.fullWidth-c.neededWidth, unused); more > 0 && !c.switchedOff {
			widths[i] += more
			unused -= more
		}
	}
	r.setWidths(widths)
	if r.options.Keep > 0 {
		r.hideCutColumn()
	}
}

// hideCutColumn widens the first column if a column after those of Options.Keep is only partly visible, so that it
// begins outside the view.
func (r *Rows) hideCutColumn() {
	room := r.Size().Width
	if !r.geometry().vbar.Empty() {
		room -= barWidth
	}
	end := float32(0)
	for i, c := range r.columns {
		width := c.Width
		if i == len(r.columns)-1 { // the last column has the remaining width
			width = c.minWidth()
		}
		if remaining := room - end; i >= r.options.Keep && width > remaining+1 {
			r.columns[0].Width += max(0, remaining)
			return
		}
		end += width
	}
}

// WidthInView returns the width that the title and the cells in view of a column need.
func (r *Rows) WidthInView(column int) float32 {
	c := r.style.NewCanvas(nil, r.scale(), paint.Colors{})
	title := Cell{Text: r.columns[column].Title, Bold: true}
	if r.columns[column].Sortable {
		title.Mark.Paint = (*paint.Canvas).Dot // reserves space for the triangle of the sort order
	}
	widest := WidthOf(c, title)
	source, ok := r.source.(Cells)
	if !ok {
		return max(widest, r.columns[column].Width)
	}
	for row := r.first; row < min(r.Len(), r.first+r.Page()+1); row++ {
		if cell := source.Cell(row, column); cell.Span == 0 && !cell.IsTitle {
			widest = max(widest, WidthOf(c, cell))
		}
	}
	return widest
}

// fitFlexible applies the widths set by the user, hides the columns that the user has hidden, and adds the difference
// to the width of the flexible column.
func (r *Rows) fitFlexible(widths []float32) {
	flexible := r.options.Flex - 1
	freed := float32(0)
	for i := range min(len(widths), len(r.columns)) {
		c := &r.columns[i]
		freed += widths[i]
		switch {
		case c.switchedOff:
			widths[i] = 0
		case c.userWidth > 0:
			widths[i] = max(c.minWidth(), c.userWidth)
		}
		freed -= widths[i]
	}
	if flexible >= 0 && flexible < len(widths) && r.columns[flexible].userWidth == 0 &&
		!r.columns[flexible].switchedOff {
		widths[flexible] = max(minColumnWidth, widths[flexible]+freed)
	}
}

// maxFitWidth is the maximum width of a column after a double click on its edge.
const maxFitWidth = 900
