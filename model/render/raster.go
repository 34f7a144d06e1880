package render

import (
	"math"
	"slices"
)

// grid holds the samples of a picture while it is drawn: the nearest primitive at each.
type grid struct {
	width, height int
	samples       []sample
}

// sample is one point of the grid.
type sample struct {
	near float32 // the nearness, larger for nearer points (see camera.project); 0 if empty
	id   sampleID
}

// sampleID identifies the primitive drawn at a sample: nothing, a triangle, a line or a side of a dot.
type sampleID uint32

const (
	idTriangle sampleID = iota << 30
	idLine
	idDot
	idKinds sampleID = 3 << 30
)

// corner is a corner of a triangle in the picture.
type corner struct{ x, y, near float64 }

// edges iterates over the rows of a triangle.
type edges struct {
	top, mid, low      corner
	first, last, width int
	near               plane
	least, highest     float64 // of near
}

// set prepares the rows of a triangle in a range; false if it is empty.
func (e *edges) set(a, b, c *corner, width, from, to int) bool {
	top, mid, low := a, b, c
	if mid.y < top.y {
		top, mid = mid, top
	}
	if low.y < mid.y {
		mid, low = low, mid
		if mid.y < top.y {
			top, mid = mid, top
		}
	}
	e.first, e.last = firstRow(top.y, from, to), firstRow(low.y, from, to)
	if e.first >= e.last || max(a.x, b.x, c.x) < 0 || min(a.x, b.x, c.x) > float64(width) {
		return false
	}
	area := (b.x-a.x)*(c.y-a.y) - (c.x-a.x)*(b.y-a.y)
	if !(math.Abs(area) >= 1e-9) {
		return false
	}
	area = 1 / area
	nb, nc := b.near-a.near, c.near-a.near
	e.near.x = (nb*(c.y-a.y) - nc*(b.y-a.y)) * area
	e.near.y = (nc*(b.x-a.x) - nb*(c.x-a.x)) * area
	e.near.start = a.near - e.near.x*a.x - e.near.y*a.y
	e.least, e.highest = min(a.near, b.near, c.near), max(a.near, b.near, c.near)
	e.top, e.mid, e.low, e.width = *top, *mid, *low, width
	return true
}

// row returns the samples of a row that are inside.
func (e *edges) row(y int) (begin, end int) {
	center := float64(y) + .5
	top, mid, low := &e.top, &e.mid, &e.low
	x1 := top.x + (center-top.y)*(low.x-top.x)/(low.y-top.y)
	x2 := mid.x
	if center < mid.y {
		x2 = top.x + (center-top.y)*(mid.x-top.x)/(mid.y-top.y)
	} else if low.y > mid.y {
		x2 = mid.x + (center-mid.y)*(low.x-mid.x)/(low.y-mid.y)
	}
	return firstRow(min(x1, x2), 0, e.width), firstRow(max(x1, x2), 0, e.width)
}

// nearAt returns the value of near at a sample.
func (e *edges) nearAt(x, y int) float64 {
	return e.near.start + e.near.x*(float64(x)+.5) + e.near.y*(float64(y)+.5)
}

// fill draws a triangle between two rows and returns the amount of work.
func (g *grid) fill(a, b, c *corner, id sampleID, from, to int) int {
	const work = 8
	var e edges
	if !e.set(a, b, c, g.width, from, to) {
		return work
	}
	done := work
	for y := e.first; y < e.last; y++ {
		begin, end := e.row(y)
		done += 4
		if begin >= end {
			continue
		}
		done += end - begin
		line := g.samples[y*g.width+begin : y*g.width+end]
		near := e.nearAt(begin, y)
		for i := range line {
			n := float32(min(max(near, e.least), e.highest))
			near += e.near.x
			if n > line[i].near {
				line[i] = sample{n, id}
			}
		}
	}
	return done
}

// fillWhere draws the samples of a triangle for which accepts returns true.
func (g *grid) fillWhere(a, b, c *corner, id sampleID, from, to int, accepts func(x, y int) bool) int {
	const work, each = 8, 8
	var e edges
	if !e.set(a, b, c, g.width, from, to) {
		return work
	}
	done := work
	for y := e.first; y < e.last; y++ {
		begin, end := e.row(y)
		done += each * max(1, end-begin)
		near := e.nearAt(begin, y)
		for x := begin; x < end; x++ {
			n := float32(min(max(near, e.least), e.highest))
			near += e.near.x
			if s := &g.samples[y*g.width+x]; n > s.near && accepts(x, y) {
				*s = sample{n, id}
			}
		}
	}
	return done
}

// firstRow returns the first row, or column, with a middle at or past a coordinate.
func firstRow(v float64, from, to int) int {
	v = math.Ceil(v - .5)
	switch {
	case !(v > float64(from)):
		return from
	case v > float64(to):
		return to
	}
	return int(v)
}

// plane is a value that is linear in the picture.
type plane struct{ start, x, y float64 }

// line draws a line of some width between two rows.
func (g *grid) line(a, b *corner, width float64, id sampleID, from, to int) int {
	dx, dy := b.x-a.x, b.y-a.y
	low, high := 0.0, 1.0
	clip := func(start, delta, least, highest float64) bool {
		if delta == 0 {
			return start >= least && start <= highest
		}
		t1, t2 := (least-start)/delta, (highest-start)/delta
		low, high = max(low, min(t1, t2)), min(high, max(t1, t2))
		return low < high
	}
	if !clip(a.x, dx, -width, float64(g.width)+width) || !clip(a.y, dy, float64(from)-width, float64(to)+width) {
		return 4
	}
	steps := int(max(math.Abs(dx), math.Abs(dy))*(high-low)) + 1
	for i := range steps + 1 {
		t := low + (high-low)*float64(i)/float64(steps)
		g.fillSquare(a.x+dx*t, a.y+dy*t, width/2, (a.near+(b.near-a.near)*t)*1.0005, id, from, to)
	}
	return steps * 4
}

// fillSquare draws a square.
func (g *grid) fillSquare(x, y, half, near float64, id sampleID, from, to int) {
	x1, x2 := firstRow(x-half, 0, g.width), firstRow(x+half, 0, g.width)
	for py := firstRow(y-half, from, to); py < firstRow(y+half, from, to); py++ {
		for px := x1; px < x2; px++ {
			if p := &g.samples[py*g.width+px]; float32(near) > p.near {
				*p = sample{float32(near), id}
			}
		}
	}
}

// fillDisc draws a disc.
func (g *grid) fillDisc(x, y, radius, near float64, id sampleID, from, to int) int {
	x1, x2 := firstRow(x-radius, 0, g.width), firstRow(x+radius, 0, g.width)
	y1, y2 := firstRow(y-radius, from, to), firstRow(y+radius, from, to)
	for py := y1; py < y2; py++ {
		for px := x1; px < x2; px++ {
			dx, dy := float64(px)+.5-x, y-float64(py)-.5
			if p := &g.samples[py*g.width+px]; dx*dx+dy*dy < radius*radius && float32(near) > p.near {
				*p = sample{float32(near), id}
			}
		}
	}
	return 4 + max(0, x2-x1)*max(0, y2-y1)
}

// bin lists the drawn triangles or dots of a chunk by band.
type bin struct {
	items []uint32
	ends  []int // of each band: where its items end
}

// band returns the content of a band, which is empty if the drawing ended early.
func (b *bin) band(band int) []uint32 {
	if band >= len(b.ends) {
		return nil
	}
	from := 0
	if band > 0 {
		from = b.ends[band-1]
	}
	return b.items[from:b.ends[band]]
}

// setItems copies the sorted content. A bin has little spare capacity, because there are many.
func (b *bin) setItems(sorted [][]uint32) {
	b.ends = b.ends[:0]
	count := 0
	for _, list := range sorted {
		count += len(list)
		b.ends = append(b.ends, count)
	}
	b.items = b.items[:0]
	if cap(b.items) < count {
		b.items = make([]uint32, 0, count+count/8)
	}
	for _, list := range sorted {
		b.items = append(b.items, list...)
	}
}

// emptyLists returns as many empty lists as there are bands, and reuses the memory of lists.
func emptyLists(lists [][]uint32, bands int) [][]uint32 {
	lists = slices.Grow(lists[:0], bands)[:bands]
	for i := range lists {
		lists[i] = lists[i][:0]
	}
	return lists
}
