package rows

import (
	"image"

	"assay/ui/paint"
	"assay/ui/work"
)

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
		c.Label(line.Intersect(g.body), r.options.Empty(), paint.Regular, c.Colors.Dim, paint.AlignCenter)
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
		title := col.Title
		if shorten && col.Short != "" {
			title = col.Short
		}
		c.Clipped(cell, func() { r.paintTitle(c, i, cell, title) })
		if i > 0 {
			inset := c.Px(4)
			c.Line(cell.Min.X, cell.Min.Y+inset, cell.Min.X, cell.Max.Y-inset, c.Colors.Separator)
		}
	}
	y := g.header.Max.Y - max(1, int(c.Scale))
	c.Line(g.header.Min.X, y, g.header.Max.X, y, c.Colors.Separator)
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

func (r *Rows) paintCells(c *paint.Canvas, source Cells, row int64, bounds image.Rectangle, state State) {
	leader, _ := source.(Leader)
	for column := 0; column < state.Cells(); column++ {
		if r.columns[column].hidden {
			continue
		}
		box := state.Cell(bounds, column)
		if box.Min.X >= c.Clip.Max.X {
			return
		}
		cell := source.Cell(row, column)
		if cell.IsTitle && !state.Selected {
			c.Fill(bounds, c.Colors.Header)
		}
		first := column
		if column += cell.Span; cell.Span > 0 {
			box.Max.X = state.Cell(bounds, min(column, state.Cells()-1)).Max.X
		}
		c.Clipped(image.Rect(box.Min.X-state.pad+1, bounds.Min.Y, box.Max.X+state.pad, bounds.Max.Y), func() {
			lead, text := cell.boxes(box, c.Scale)
			if leader != nil && cell.Lead > 0 {
				leader.PaintLead(c, row, first, lead)
			}
			r.paintCell(c, cell, text, r.columns[first].Align)
		})
	}
}

func (r *Rows) paintCell(c *paint.Canvas, cell Cell, box image.Rectangle, align paint.Align) {
	col, x := c.Colors.ForTone(cell.Tone), box.Min.X
	switch {
	case cell.Pieces != nil:
		if align == paint.AlignRight {
			box.Min.X = max(box.Min.X, box.Max.X-c.MeasureUpTo(cell.String(), cell.Face(), box.Dx()))
			x = box.Min.X
		}
		x += c.Pieces(box, cell.Pieces, cell.Face(), col, c.Colors.HighlightOf(cell.HighlightTone))
	case cell.CutMiddle:
		x += c.LabelMiddle(box, cell.Text, cell.Face(), col)
	default:
		x += c.Label(box, cell.Text, cell.Face(), col, align)
	}
	if cell.Hint != "" {
		content := box
		content.Min.X = x + c.Px(hintGap)
		x = content.Min.X + c.Label(content, cell.Hint, paint.Regular, c.Colors.Dim, paint.AlignLeft)
	}
	x = cell.Flag.paint(c, min(x, box.Max.X), box)
	cell.Mark.paint(c, x, box)
}

// paintTitle paints the title of a column, with the sort order if the rows are sorted by it.
func (r *Rows) paintTitle(c *paint.Canvas, column int, cell image.Rectangle, title string) {
	col, pad := &r.columns[column], c.Px(cellPad)
	if col.Sortable && r.pointer.overTitle == column+1 {
		c.Fill(cell, c.Colors.Hover)
	}
	text := cell
	text.Min.X, text.Max.X = text.Min.X+pad, text.Max.X-pad
	if r.sortColumn == column && r.order != Unsorted {
		side := c.Px(8)
		text.Max.X -= side + pad/2
		mark := image.Rect(text.Max.X+pad/2, cell.Min.Y, text.Max.X+pad/2+side, cell.Max.Y)
		direction := paint.PointUp
		if r.order == Descending {
			direction = paint.PointDown
		}
		c.Triangle(mark, direction, c.Colors.Primary)
	}
	c.Label(text, title, paint.Bold, c.Colors.Dim, col.Align)
}
