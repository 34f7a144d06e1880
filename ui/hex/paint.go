package hex

import (
	"image"
	"strconv"

	"assay/ui/paint"
	"assay/ui/rows"
)

const (
	maxBytesPerRow = 64 // the maximum of SetBytesPerRow
	maxAutoColumns = 32 // the maximum if the width determines the columns
	group          = 8  // number of bytes in a group; a wider gap follows
)

// metrics is the layout of the columns, in pixels unless noted.
type metrics struct {
	cell, gap, groupGap int // width of a character, gap between bytes, additional gap after a group
	pad                 int
	digits              int // number of digits of an offset
	bytes, text         int // left edges
	width               int
	rows                int // visible rows
}

// source implements rows.Painter for a Hex.
type source Hex

func (s *source) Len() int64 {
	n := int64(s.bytesPerRow)
	return s.size/n + min(1, s.size%n)
}

// Frame chooses the number of bytes per row for the width. The row at the top still contains the byte that began it
// before.
func (s *source) Frame(c *paint.Canvas, width, height int) {
	h := (*Hex)(s)
	n := h.chosenBytesPerRow
	if n == 0 {
		n = group
		for n < maxAutoColumns && h.measure(c, n+group, true).width <= width {
			n += group
		}
	}
	narrow := h.measure(c, n, false).width > width
	if n != h.bytesPerRow {
		top := h.rows.First() * int64(h.bytesPerRow)
		h.bytesPerRow = n
		h.rows.SetFirst(top / int64(n))
	}
	h.metrics = h.measure(c, n, narrow)
	h.metrics.rows = height/h.style.RowHeight(c.Scale) + 2
	h.rows.SetContentWidth(h.metrics.width)
	h.pageOffset = -1
}

// measure returns the layout of rows of n bytes; narrow reduces the gaps between them, so that more fit.
func (h *Hex) measure(c *paint.Canvas, n int, narrow bool) metrics {
	m := metrics{cell: c.CellWidth(), pad: c.Px(6)}
	m.gap, m.groupGap = max(2, m.cell*3/4), m.cell
	if narrow {
		m.gap = max(2, m.cell/2)
	}
	end := h.size
	if h.mapped != nil {
		end = h.mapped.End()
	}
	m.digits = max(8, len(strconv.FormatInt(end, 16)))
	m.bytes = m.pad + m.digits*m.cell + 2*m.pad
	m.text = m.bytes + n*(2*m.cell+m.gap) + (n-1)/group*m.groupGap - m.gap + 2*m.pad
	m.width = m.text + n*m.cell + m.pad
	return m
}

// byteX returns the left edge of a byte's digits, and textX the left edge of its character.
func (m *metrics) byteX(i int) int { return m.bytes + i*(2*m.cell+m.gap) + i/group*m.groupGap }
func (m *metrics) textX(i int) int { return m.text + i*m.cell }

// offsetAt returns the byte under the pointer, or -1, and whether it is in the text column.
func (h *Hex) offsetAt(p rows.Pointer) (offset int64, text bool) {
	offset = h.nearestOffset(p)
	_, text = h.columnAt(p.X)
	if start := p.Row * int64(h.bytesPerRow); p.Row < 0 || start >= h.size || offset < start {
		return -1, text
	}
	return offset, text
}

// nearestOffset returns the byte nearest to the pointer.
func (h *Hex) nearestOffset(p rows.Pointer) int64 {
	column, _ := h.columnAt(p.X)
	return max(0, min(p.Row*int64(h.bytesPerRow)+int64(column), h.size-1))
}

func (h *Hex) columnAt(x int) (column int, text bool) {
	m := &h.metrics
	if m.cell == 0 {
		return 0, false
	}
	if x >= m.text-m.pad {
		return max(0, min((x-m.text)/m.cell, h.bytesPerRow-1)), true
	}
	for i := h.bytesPerRow - 1; i > 0; i-- {
		if x >= m.byteX(i)-m.gap/2 {
			return i, false
		}
	}
	return 0, false
}

// loadPage loads the bytes and marks of the visible page, which begins with row.
func (h *Hex) loadPage(row int64) {
	h.pageOffset = row * int64(h.bytesPerRow)
	n := int(min(h.size-h.pageOffset, int64(h.metrics.rows*h.bytesPerRow)))
	if cap(h.bytes) < n {
		h.bytes, h.states, h.layers = make([]byte, n), make([]state, n), make([]int32, n)
	}
	h.bytes, h.states, h.layers = h.bytes[:n], h.states[:n], h.layers[:n]
	h.pages.fill(h.pageOffset, h.bytes, h.states)
	h.markGaps()
	h.marks = h.marks[:0]
	if h.Marks != nil {
		h.marks = append(h.marks, h.Marks(h.pageOffset, int64(n))...)
	}
	clear(h.layers)
	for i, m := range h.marks {
		if m.Kind <= Noted {
			h.setLayer(m.Offset, m.Length, int32(i)+1)
		}
	}
	h.setLayer(h.highlightStart, h.highlightEnd-h.highlightStart, layerHighlight)
	for i, m := range h.marks {
		if m.Kind > Noted {
			h.setLayer(m.Offset, m.Length, int32(i)+1)
		}
	}
	h.setLayer(h.rangeStart, h.rangeEnd-h.rangeStart, layerRange)
}

// markGaps marks the gaps of the page as absent.
func (h *Hex) markGaps() {
	if h.mapped == nil {
		return
	}
	for i := int64(0); i < int64(len(h.states)); {
		_, n, exists := h.mapped.FileOffset(h.pageOffset + i)
		to := min(int64(len(h.states)), i+max(1, n))
		for ; i < to; i++ {
			if !exists {
				h.states[i] = absent
			}
		}
	}
}

// rowOffset returns the file offset of the first byte of a row that is not in a gap, and false if all of them are.
func (h *Hex) rowOffset(from int64) (int64, bool) {
	if h.mapped == nil {
		return from, true
	}
	for offset, to := from, min(h.size, from+int64(h.bytesPerRow)); offset < to; {
		fileOffset, n, exists := h.mapped.FileOffset(offset)
		if exists {
			return fileOffset, true
		}
		offset += max(1, n)
	}
	return 0, false
}

// Values of Hex.layers, the topmost layer of each byte: the index of a mark plus one, 0 for no layer, or one of these.
const (
	layerHighlight = -1
	layerRange     = -2
)

// setLayer sets the layer of the bytes of a range that are on the page.
func (h *Hex) setLayer(offset, length int64, setLayer int32) {
	if length <= 0 || offset >= h.pageOffset+int64(len(h.layers)) {
		return
	}
	from := max(0, offset-h.pageOffset)
	if length > 1<<62 {
		length = 1 << 62
	}
	to := min(int64(len(h.layers)), max(0, offset-h.pageOffset+length))
	for i := from; i < to; i++ {
		h.layers[i] = setLayer
	}
}

func (h *Hex) layerColor(c *paint.Canvas, layer int32) paint.Color {
	switch {
	case layer == layerHighlight:
		return c.Colors.Highlight
	case layer == layerRange:
		return c.Colors.Range
	}
	switch m := h.marks[layer-1]; m.Kind {
	case Field:
		return c.Colors.Tints[m.Tint%paint.Tints]
	case Noted:
		return paint.Mix(c.Colors.ForTone(m.Tone), c.Colors.Background, 0.30)
	case Added:
		return paint.Mix(c.Colors.Statuses.Added, c.Colors.Background, 0.34)
	case Removed:
		return paint.Mix(c.Colors.Statuses.Removed, c.Colors.Background, 0.34)
	case Changed:
		return c.Colors.Changed
	case Problem:
		return paint.Mix(c.Colors.Error, c.Colors.Background, 0.32)
	case Hit:
		return c.Colors.Hit
	}
	return c.Colors.CurrentHit
}

// PaintRow paints one row of bytes.
func (s *source) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state rows.State) {
	h := (*Hex)(s)
	n := int64(h.bytesPerRow)
	if h.pageOffset < 0 || row*n < h.pageOffset || min(h.size, row*n+n) > h.pageOffset+int64(len(h.bytes)) {
		h.loadPage(row)
	}
	from := int(row*n - h.pageOffset)
	to := min(from+h.bytesPerRow, len(h.bytes))
	m := &h.metrics
	left, base := bounds.Min.X, c.Baseline(bounds, paint.Mono)
	if offset, ok := h.rowOffset(row * n); ok {
		h.paintOffset(c, left+m.pad, base, offset, h.caret/n == row)
	}
	for i := from; i < to; { // one rectangle for each run of bytes with the same background
		j := i + 1
		for j < to && h.layers[j] == h.layers[i] && (h.states[j] == absent) == (h.states[i] == absent) {
			j++
		}
		a, b := i-from, j-from
		byteBox := image.Rect(left+m.byteX(a)-m.gap/2, bounds.Min.Y, left+m.byteX(b-1)+2*m.cell+(m.gap+1)/2,
			bounds.Max.Y)
		if b%group == 0 && j < to && h.layers[j] != 0 { // no gap between two tints
			byteBox.Max.X += m.groupGap
		}
		textBox := image.Rect(left+m.textX(a), bounds.Min.Y, left+m.textX(b), bounds.Max.Y)
		if h.states[i] == absent {
			hatch(c, byteBox)
			hatch(c, textBox)
		} else if h.layers[i] != 0 {
			col := h.layerColor(c, h.layers[i])
			c.Fill(byteBox, col)
			c.Fill(textBox, col)
		}
		i = j
	}
	h.underline(c, bounds, row*n, row*n+int64(to-from))
	if at := h.hover - h.pageOffset; at >= int64(from) && at < int64(to) {
		h.frame(c, bounds, int(at)-from, c.Colors.Faint)
	}
	for i := from; i < to; i++ {
		h.paintByte(c, left, base, i-from, h.bytes[i], h.states[i], h.layers[i])
	}
	if at := h.caret - h.pageOffset; at >= int64(from) && at < int64(to) {
		h.paintCaret(c, bounds, base, int(at)-from, int(at), state.Focused)
	}
	c.Line(left+m.text-m.pad-1, bounds.Min.Y, left+m.text-m.pad-1, bounds.Max.Y, c.Colors.Separator)
	c.Line(left+m.bytes-m.pad-1, bounds.Min.Y, left+m.bytes-m.pad-1, bounds.Max.Y, c.Colors.Separator)
}

// underline paints a line below Noted bytes of a row that another mark covers.
func (h *Hex) underline(c *paint.Canvas, bounds image.Rectangle, from, to int64) {
	for i, m := range h.marks {
		if m.Kind != Noted {
			continue
		}
		for at, end := max(from, m.Offset), min(to, m.Offset+m.Length); at < end; at++ {
			if h.layers[at-h.pageOffset] == int32(i)+1 {
				continue
			}
			bytes, text := h.cells(bounds, int(at-from))
			for _, line := range []image.Rectangle{bytes, text} {
				line.Min.Y = line.Max.Y - c.Px(1.5)
				c.Fill(line, c.Colors.ForTone(m.Tone))
			}
		}
	}
}

// hatch paints a gap with slanted lines that continue in the next row.
func hatch(c *paint.Canvas, r image.Rectangle) {
	step := c.Px(6)
	thick := max(1, int(c.Scale))
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X - ((r.Min.X+y)%step+step)%step; x < r.Max.X; x += step {
			if x+thick > r.Min.X {
				c.Fill(image.Rect(max(x, r.Min.X), y, min(x+thick, r.Max.X), y+1), c.Colors.Separator)
			}
		}
	}
}

const digits = "0123456789abcdef"

func (h *Hex) paintOffset(c *paint.Canvas, x, y int, offset int64, current bool) {
	col := c.Colors.Dim
	if current {
		col = c.Colors.Foreground
	}
	for i := h.metrics.digits - 1; i >= 0; i-- {
		v := uint64(offset) >> (4 * min(i, 15))
		shade := col
		if v == 0 && i > 0 {
			shade = c.Colors.Faint
		}
		x = c.Rune(x, y, rune(digits[v&15]), paint.Mono, shade)
	}
}

func (h *Hex) paintByte(c *paint.Canvas, left, y, i int, v byte, state state, layer int32) {
	x, t := left+h.metrics.byteX(i), left+h.metrics.textX(i)
	col, dim := c.Colors.Foreground, c.Colors.Dim
	errorColor := c.Colors.Error
	if layer == 0 {
		dim = c.Colors.Faint
	} else {
		background := h.layerColor(c, layer)
		col, dim = c.Colors.Legible(col, background), c.Colors.Legible(dim, background)
		errorColor = c.Colors.Legible(errorColor, background)
	}
	switch state {
	case absent:
		return
	case pending:
		c.Rune(c.Rune(x, y, '·', paint.Mono, dim), y, '·', paint.Mono, dim)
		c.Rune(t, y, '·', paint.Mono, dim)
		return
	case unreadable:
		c.Rune(c.Rune(x, y, '?', paint.Mono, errorColor), y, '?', paint.Mono, errorColor)
		c.Rune(t, y, '?', paint.Mono, errorColor)
		return
	}
	if v == 0 { // padding is dim, so that other data stands out
		col = dim
	}
	h.paintValue(c, x, t, y, v, col, dim)
}

func (h *Hex) paintValue(c *paint.Canvas, x, t, y int, v byte, col, dim paint.Color) {
	if x >= 0 {
		c.Rune(x, y, rune(digits[v>>4]), paint.Mono, col)
		c.Rune(x+h.metrics.cell, y, rune(digits[v&15]), paint.Mono, col)
	}
	switch {
	case t < 0:
	case v > ' ' && v < 0x7f:
		c.Rune(t, y, rune(v), paint.Mono, col)
	case v != ' ':
		c.Rune(t, y, '.', paint.Mono, dim)
	}
}

// cells returns the two rectangles of a byte: in the column of bytes and in the text.
func (h *Hex) cells(bounds image.Rectangle, i int) (bytes, text image.Rectangle) {
	m := &h.metrics
	bytes, text = bounds, bounds
	bytes.Min.X = bounds.Min.X + m.byteX(i) - m.gap/2
	bytes.Max.X = bounds.Min.X + m.byteX(i) + 2*m.cell + (m.gap+1)/2
	text.Min.X, text.Max.X = bounds.Min.X+m.textX(i), bounds.Min.X+m.textX(i)+m.cell
	return bytes, text
}

func (h *Hex) frame(c *paint.Canvas, bounds image.Rectangle, i int, col paint.Color) {
	a, b := h.cells(bounds, i)
	c.Frame(a, max(1, int(c.Scale)), col)
	c.Frame(b, max(1, int(c.Scale)), col)
}

// paintCaret fills the byte in the column of the caret and frames it in the other one.
func (h *Hex) paintCaret(c *paint.Canvas, bounds image.Rectangle, y, i, index int, focused bool) {
	if !focused {
		h.frame(c, bounds, i, c.Colors.Dim)
		return
	}
	h.frame(c, bounds, i, c.Colors.Primary)
	a, b := h.cells(bounds, i)
	x, t, box := bounds.Min.X+h.metrics.byteX(i), -1, a
	if h.caretInText {
		x, t, box = -1, bounds.Min.X+h.metrics.textX(i), b
	}
	c.Fill(box, c.Colors.Primary)
	mark := '?'
	switch h.states[index] {
	case absent:
		mark = ' '
	case loaded:
		h.paintValue(c, x, t, y, h.bytes[index], c.Colors.OnPrimary, c.Colors.OnPrimary)
		return
	case pending:
		mark = '·'
	}
	if h.caretInText {
		c.Rune(t, y, mark, paint.Mono, c.Colors.OnPrimary)
	} else {
		c.Rune(c.Rune(x, y, mark, paint.Mono, c.Colors.OnPrimary), y, mark, paint.Mono, c.Colors.OnPrimary)
	}
}

func (s *source) PaintHeader(c *paint.Canvas, bounds image.Rectangle) {
	h := (*Hex)(s)
	m := &h.metrics
	y := c.Baseline(bounds, paint.Mono)
	c.Text(bounds.Min.X+m.pad, y, "Offset", paint.Bold, c.Colors.Dim, m.digits*m.cell)
	current := int(h.caret % int64(h.bytesPerRow))
	for i := range h.bytesPerRow {
		col := c.Colors.Dim
		if i == current && h.size > 0 {
			col = c.Colors.Foreground
		}
		x := c.Rune(bounds.Min.X+m.byteX(i), y, rune(digits[i>>4]), paint.Mono, col)
		c.Rune(x, y, rune(digits[i&15]), paint.Mono, col)
	}
	c.Text(bounds.Min.X+m.text, y, "Text", paint.Bold, c.Colors.Dim, h.bytesPerRow*m.cell)
}
