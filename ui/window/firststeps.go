package window

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/tabs"
)

// stepsTab explains the first steps with pictures.
type stepsTab struct{ content fyne.CanvasObject }

var _ Tab = (*stepsTab)(nil)

func (t *stepsTab) Title() string { return "First Steps" }

func (t *stepsTab) Hint() string { return "How to open, find, export, and compare" }

func (t *stepsTab) Content() fyne.CanvasObject { return t.content }

func (t *stepsTab) Status() (path, facts []tabs.Segment) { return nil, nil }

func (t *stepsTab) Focus() {}

func (t *stepsTab) Close() {}

// Size of the pictures, in device-independent pixels: they have 900 x 600 pixels.
const stepWidth, stepHeight = 720, 480

// showSteps opens the first steps.
func (w *Window) showSteps() {
	if t := w.tabs.find(func(t Tab) bool { _, ok := t.(*stepsTab); return ok }); t != nil {
		w.tabs.reveal(t)
		return
	}
	rows := container.NewVBox()
	light := w.prefs.mode().IsLight()
	for _, s := range w.options.Steps {
		title := widget.NewRichText(&widget.TextSegment{Text: s.Title, Style: widget.RichTextStyleSubHeading})
		text := widget.NewLabel(s.Text)
		text.Wrapping = fyne.TextWrapWord
		picture := canvas.NewImageFromResource(fyne.NewStaticResource(fmt.Sprint(s.Title, light, ".png"), s.Picture(light)))
		picture.FillMode = canvas.ImageFillContain
		picture.SetMinSize(fyne.NewSize(stepWidth, stepHeight))
		rows.Add(title)
		rows.Add(container.NewGridWrap(fyne.NewSize(stepWidth, 5*theme.TextSize()), text))
		frame := canvas.NewRectangle(color.Transparent)
		frame.StrokeColor, frame.StrokeWidth = theme.Color(theme.ColorNameSeparator), 1
		rows.Add(container.NewStack(picture, frame))
	}
	w.tabs.add(&stepsTab{container.NewScroll(container.NewPadded(container.NewCenter(rows)))}, nil)
}
