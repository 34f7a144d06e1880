package tabs

import (
	"image"

	"fyne.io/fyne/v2"

	"assay/ui/paint"
)

// The arrows beside tabs of which not all are in view.
const (
	noArrow = iota - 1
	toLeft
	toRight
	toList
)

const arrowWide = 24 // in device-independent pixels

// arrows is the number of arrows.
func (t *Tabs) arrows() int {
	if t.OnList == nil {
		return 2
	}
	return 3
}

// arrowAt returns the arrow at a position.
func (t *Tabs) arrowAt(p fyne.Position) int {
	at := t.Pixel(p)
	wide := int(arrowWide * t.Scale())
	if len(t.edges) == 0 || t.edges[len(t.edges)-1] <= t.room || at.X < t.room || wide == 0 {
		return noArrow
	}
	return min((at.X-t.room)/wide, t.arrows()-1)
}

// tapArrow shows what is beyond an edge, or the list of all.
func (t *Tabs) tapArrow(arrow int, at fyne.Position) {
	switch arrow {
	case toLeft:
		t.shift -= t.room / 2
	case toRight:
		t.shift += t.room / 2
	case toList:
		t.OnList(at)
	}
	t.Refresh()
}

func (t *Tabs) paintArrows(c *paint.Canvas, h int) {
	wide := c.Px(arrowWide)
	for i := range t.arrows() {
		r := image.Rect(t.room+i*wide, 0, t.room+(i+1)*wide, h)
		col := c.Colors.Dim
		if i == toLeft && t.shift == 0 || i == toRight && t.shift >= t.edges[len(t.edges)-1]-t.room {
			col = c.Colors.Faint
		} else if i == t.arrow {
			c.Fill(r, c.Colors.Hover)
		}
		box := image.Rect(0, 0, c.Px(12), c.Px(12)).Add(image.Pt(r.Min.X+(wide-c.Px(12))/2, (h-c.Px(12))/2))
		switch i {
		case toLeft:
			c.Triangle(box, paint.Leftward, col)
		case toRight:
			c.Triangle(box, paint.Right, col)
		default:
			c.Triangle(box, paint.Down, col)
		}
	}
}
