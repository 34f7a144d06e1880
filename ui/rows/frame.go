package rows

import (
	"image"

	"fyne.io/fyne/v2"

	"assay/ui/paint"
)

// generate paints a frame; Fyne calls it when the raster is to be drawn.
func (r *Rows) generate(w, h int) image.Image {
	if w <= 0 || h <= 0 {
		return image.NewRGBA(image.Rect(0, 0, 1, 1))
	}
	scale := r.scale()
	if size := r.raster.Size(); size.Width > 8 {
		r.ratio = float32(w) / size.Width
		scale = r.scale()
	}
	if r.wanted && r.fyneCanvas() != nil {
		r.wanted = false
		fyne.Do(r.Focus)
	}
	w, h = paint.OnScreen(r, w, h)
	if r.img == nil || r.img.Rect.Dx() != w || r.img.Rect.Dy() != h {
		r.img = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	r.style.Atlas.ThemeChanged()
	g := r.geometryFor(w, h, scale)
	r.frame(g)
	g = r.geometryFor(w, h, scale)
	r.clamp(g)
	r.paint(r.style.NewCanvas(r.img, scale, paint.ThemeColors(r)), g)
	return r.img
}

// paint paints everything visible.
func (r *Rows) paint(c *paint.Canvas, g geometry) {
	r.paintRows(c, g)
	r.paintTip(c, g)
	r.paintWhole(c, g)
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
	state := State{Focused: r.focused, cells: r.edges(g), left: -r.shift, pad: c.Px(cellPad)}
	before, colors := c.Clip, c.Colors
	for ; row < n && y < g.body.Max.Y; row, y = row+1, y+g.row {
		box := image.Rect(-r.shift, y, g.width-r.shift, y+g.row)
		c.Clip = box.Intersect(g.body)
		state.Selected = r.selection.Has(row)
		state.Hovered = row == r.hover
		state.Current = row == r.cursor
		c.Fill(box, r.background(c, row, state))
		if state.Selected && !r.options.Plain {
			c.Colors = colors.OnSelected()
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
	c.Clip = before
	if y < g.body.Max.Y {
		c.Fill(image.Rect(g.body.Min.X, max(y, g.body.Min.Y), g.body.Max.X, g.body.Max.Y), c.Colors.Background)
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
		c.Round(thumb, inset, r.thumbColor(c, overV, dragV))
	}
	if !g.hbar.Empty() {
		c.Fill(g.hbar, c.Colors.Bar)
		thumb := r.hthumb(g)
		thumb = image.Rect(thumb.Min.X+1, thumb.Min.Y+inset, thumb.Max.X-1, thumb.Max.Y-inset)
		c.Round(thumb, inset, r.thumbColor(c, overH, dragH))
		if !g.vbar.Empty() {
			c.Fill(image.Rect(g.vbar.Min.X, g.hbar.Min.Y, g.vbar.Max.X, g.hbar.Max.Y), c.Colors.Bar)
		}
	}
}

func (r *Rows) thumbColor(c *paint.Canvas, over place, drag dragKind) paint.Color {
	if r.pointer.over == over || r.pointer.drag == drag {
		return c.Colors.ThumbHover
	}
	return c.Colors.Thumb
}
