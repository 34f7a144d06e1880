package tree

import (
	"context"
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// BenchmarkTreeScroll measures scrolling by three rows in a list of ten million elements of which a thousand are
// expanded: finding, describing and painting a page of 45 rows.
func BenchmarkTreeScroll(b *testing.B) {
	test.NewTempApp(b)
	items := &model.Node{Name: "items", Type: "Item[]"}
	items.SetChildren(&model.Elements{Count: 10_000_000, Make: func(i int) *model.Node {
		item := &model.Node{Type: "Item", Key: fmt.Sprint("key", i), Parent: items,
			Span: model.Span{Offset: int64(i) * 8, Size: 8}}
		item.SetChildren(model.List{{Name: "id", Type: "u32", Value: uint64(i)},
			{Name: "label", Type: "string", Value: "label"}})
		return item
	}})
	root := &model.Node{Type: "File"}
	root.SetChildren(model.List{items})
	style := paint.NewStyle()
	t := New(host.None{}, style, work.Inline(context.Background()))
	t.SetRoot("made", root, nil)
	for i := range 1000 {
		t.Reveal(model.Path{0, i * 10_000, 0})
	}
	const w, h = 700, 22 * 45
	t.view.Rows.Resize(fyne.NewSize(w, h))
	frame := test.WidgetRenderer(t.view.Rows).Objects()[0].(*canvas.Raster).Generator
	first := int64(5_000_000)
	b.ReportAllocs()
	for b.Loop() {
		t.view.Rows.SetFirst(first)
		frame(w, h)
		first += 3
	}
}
