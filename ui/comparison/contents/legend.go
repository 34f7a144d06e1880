package contents

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/ui/host"
)

// legend says what the colors of compared scenes mean.
type legend struct {
	content *fyne.Container
	shown   *contents.Marked
}

func newLegend() *legend { return &legend{content: container.NewHBox()} }

// set shows the legend of two scenes; nil shows none.
func (l *legend) set(s *contents.Marked) {
	if s == l.shown {
		return
	}
	l.shown = s
	l.content.RemoveAll()
	if s == nil {
		return
	}
	for status, n := range s.Counts.Each() {
		l.add(swatch(status.Color(compare.OnScene)), host.Number(n)+" "+status.String())
	}
	if s.Vertices > 0 {
		ramp := canvas.NewRasterWithPixels(func(x, _, w, _ int) color.Color {
			return contents.DistanceColor(float64(x) / float64(max(1, w-1)))
		})
		ramp.SetMinSize(fyne.NewSize(60, 11))
		l.add(ramp, fmt.Sprintf("%s moved, by up to %.3g", host.Count(s.Vertices, "position"), s.Furthest))
	}
	for _, what := range s.Besides {
		l.add(swatch(compare.Changed.Color(compare.OnScene)), what+" changed")
	}
	if s.Counts.Differences() == 0 && len(s.Besides) == 0 {
		l.add(swatch(compare.Same.Color(compare.OnScene)), "no visible changes")
	}
}

func swatch(c color.Color) fyne.CanvasObject {
	r := canvas.NewRectangle(c)
	r.CornerRadius = 2
	r.SetMinSize(fyne.NewSize(11, 11))
	return r
}

func (l *legend) add(sign fyne.CanvasObject, text string) {
	label := widget.NewLabel(text) // it follows the theme, which may change while it is shown
	label.SizeName = theme.SizeNameCaptionText
	l.content.Add(container.NewHBox(container.NewCenter(sign), label))
}
