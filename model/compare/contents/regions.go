package contents

import (
	"bytes"
	"image"
	"slices"
)

const (
	regionCell = 8    // pixels of the side of a cell: differences in adjacent cells are one region
	maxRegions = 1000 // regions of two pictures: more are too many to step through
)

// Regions returns the first maxRegions different rectangles of two pictures, from the top down.
func Regions(old, new image.Image) (rectangles []image.Rectangle) {
	p := &difference{old: newBitmap(old), new: newBitmap(new)}
	width, height := max(p.old.width, p.new.width), max(p.old.height, p.new.height)
	columns := (width + regionCell - 1) / regionCell
	// The bounds of the differences in each cell.
	cells := make([]image.Rectangle, columns*((height+regionCell-1)/regionCell))
	for y := range height {
		a, b := p.old.row(y), p.new.row(y)
		sameStorage := a != nil && b != nil && p.old.pixelSize == p.new.pixelSize
		if sameStorage && bytes.Equal(a, b) {
			continue
		}
		for x := range width {
			if offset := x * p.old.pixelSize; sameStorage && x < p.old.width && x < p.new.width {
				if bytes.Equal(a[offset:offset+p.old.pixelSize], b[offset:offset+p.old.pixelSize]) {
					continue
				}
			}
			if _, differs := wideDifference(p.old.pixelAt(a, x, y), p.new.pixelAt(b, x, y)); differs {
				c := &cells[y/regionCell*columns+x/regionCell]
				*c = c.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	for i := range cells {
		if cells[i].Empty() {
			continue
		}
		if len(rectangles) == maxRegions {
			break
		}
		rectangles = append(rectangles, takeRegion(cells, columns, i))
	}
	slices.SortStableFunc(rectangles, func(a, b image.Rectangle) int { return a.Min.Y - b.Min.Y })
	return rectangles
}

// takeRegion returns the region of a cell and its touching cells, and empties them.
func takeRegion(cells []image.Rectangle, columns, from int) (union image.Rectangle) {
	todo := []int{from}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if cells[i].Empty() {
			continue
		}
		union, cells[i] = union.Union(cells[i]), image.Rectangle{}
		x, y := i%columns, i/columns
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if u, v := x+dx, y+dy; u >= 0 && u < columns && v >= 0 && v*columns+u < len(cells) {
					todo = append(todo, v*columns+u)
				}
			}
		}
	}
	return union
}
