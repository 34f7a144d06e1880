package comparison

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"assay/ui/comparison/compared"
)

const million = 1_000_000

// BenchmarkScrollStep scrolls through a million visible pairs, and paints a page of rows.
func BenchmarkScrollStep(b *testing.B) {
	c, _, _ := opened(b, longList("a", million, nil), longList("b", million, map[int]byte{7: 1, 900_000: 2}))
	c.setStatuses(compared.AllStatuses)
	require.Greater(b, c.tree.View.Len(), int64(million))
	r := c.tree.View.Rows
	r.Resize(fyne.NewSize(900, 900))
	raster := test.WidgetRenderer(r).Objects()[0].(*canvas.Raster)
	row := int64(500_000)
	b.ReportAllocs()
	for b.Loop() {
		r.SetFirst(row)
		raster.Generator(900, 900)
		row = (row + 3) % (million - 1000)
	}
}

// BenchmarkShowMillion displays a finished comparison of a million pairs.
func BenchmarkShowMillion(b *testing.B) {
	c, _, _ := opened(b, longList("a", million, nil), longList("b", million, map[int]byte{7: 1, 900_000: 2}))
	c.tree.SetStatuses(compared.AllStatuses)
	b.ReportAllocs()
	for b.Loop() {
		c.tree.Set(c.result)
	}
}

// BenchmarkFilterMillion changes the visible statuses, and paints the visible rows.
func BenchmarkFilterMillion(b *testing.B) {
	c, _, _ := opened(b, longList("a", million, nil), longList("b", million, map[int]byte{7: 1, 900_000: 2}))
	raster := test.WidgetRenderer(c.tree.View.Rows).Objects()[0].(*canvas.Raster)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range []compared.Statuses{compared.AllStatuses, compared.Differing} {
			c.setStatuses(s)
			raster.Generator(900, 400)
		}
	}
}
