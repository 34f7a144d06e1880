package rows

import (
	"image"
	"strconv"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/ui/host"
	"assay/ui/paint"
)

// tree is a source with rows like those of a tree: indentation, triangle, icon, five texts.
type tree struct{ n int64 }

func (s tree) Len() int64 { return s.n }

func (s tree) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state State) {
	cell := state.Cell(bounds, 0)
	cell.Min.X += int(row%5) * c.Px(14)
	side := c.Px(12)
	c.Triangle(image.Rect(cell.Min.X, bounds.Min.Y+c.Px(4), cell.Min.X+side, bounds.Min.Y+c.Px(4)+side),
		paint.Direction(row%2), c.Colors.Dim)
	icon := image.Rect(cell.Min.X+side+2, bounds.Min.Y+c.Px(4), cell.Min.X+2*side+2, bounds.Min.Y+c.Px(4)+side)
	c.Shape(icon, "bench", c.Colors.Primary, func(p paint.Pen) { p.Polygon(0, 0, 1, .5, 0, 1) })
	cell.Min.X = icon.Max.X + c.Px(4)
	name := strconv.AppendInt([]byte("node"), row, 10)
	c.Label(cell, string(name), paint.Regular, c.Colors.Foreground, paint.AlignLeft)
	c.Label(state.Cell(bounds, 1), "Transform", paint.Regular, c.Colors.Dim, paint.AlignLeft)
	c.Label(state.Cell(bounds, 2), "1.5, 0, -3.25", paint.Regular, c.Colors.Foreground, paint.AlignLeft)
	c.Label(state.Cell(bounds, 3), strconv.FormatInt(row*64, 16), paint.Mono, c.Colors.Dim, paint.AlignRight)
	c.Label(state.Cell(bounds, 4), "64", paint.Mono, c.Colors.Dim, paint.AlignRight)
}

func BenchmarkScrollStep(b *testing.B) {
	test.NewTempApp(b)
	r := New(host.None{}, paint.NewStyle(), tree{10_000_000}, Options{Header: true})
	r.SetColumns(Column{Title: "Name", Width: 220}, Column{Title: "Type", Width: 110},
		Column{Title: "Value", Width: 160},
		Column{Title: "Offset", Width: 90, Align: paint.AlignRight},
		Column{Title: "Size", Width: 60, Align: paint.AlignRight})
	const w, h = 660, 50*20 + 23
	r.Resize(fyne.NewSize(w, h))
	r.SetFirst(5_000_000)
	r.generate(w, h)
	b.ReportAllocs()
	for b.Loop() {
		r.move(0, 60)
		r.generate(w, h)
	}
}
