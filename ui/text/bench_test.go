package text

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"assay/model/text"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// BenchmarkScroll measures scrolling by three lines in a text of 16 MB, without the toolkit's part: a page of 45
// wrapped lines, with a selection elsewhere and search hits.
func BenchmarkScroll(b *testing.B) {
	test.NewTempApp(b)
	style := paint.NewStyle()
	v := New(host.None{}, style, work.Inline(context.Background()), func(string) {})
	line := "\tsampler u_diffuse = res/duck.png // of the duck, with all that belongs to it\n"
	content := strings.Repeat(line, 16<<20/len(line))
	v.Show(Load(context.Background(), text.Decode([]byte(content), "a.material")))
	v.find.SetText("duck")
	v.SetCaret(8<<20, 1<<20)
	const w, h = 900, 22 * 45
	v.rows.Resize(fyne.NewSize(w, h))
	frame := test.WidgetRenderer(v.rows).Objects()[0].(*canvas.Raster).Generator
	frame(w, h)
	b.ReportAllocs()
	for b.Loop() {
		v.rows.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -25)})
		frame(w, h)
	}
}
