package picture

import (
	"context"
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model/picture"
	"assay/ui/control"
	"assay/ui/paint"
)

// toner is the tools that set how a picture of floats is exposed and how its bright parts are shown.
type toner struct {
	tone     picture.Tone
	auto     picture.Tone // what suits the picture
	onChange func()

	stops   *control.Slider
	text    *widget.Label
	curve   *control.Select
	back    *widget.Button
	content *container.Scroll
}

// sliderWidth is that of the exposure, in device-independent pixels.
const sliderWidth = 110

func newToner(keys control.Keys, onChange func()) *toner {
	t := &toner{onChange: onChange, stops: control.NewSlider(keys, -picture.StopsMost, picture.StopsMost),
		text: widget.NewLabel("")}
	t.stops.Step = picture.StopsStep
	t.stops.OnChanged = func(stops float64) { t.change(picture.Tone{Stops: stops, Curve: t.tone.Curve}) }
	t.curve = control.NewSelect(keys, picture.CurveNames[:], func(string) {
		t.change(picture.Tone{Stops: t.tone.Stops, Curve: picture.Curve(t.curve.SelectedIndex())})
	})
	t.back = widget.NewButton("Auto", func() {
		t.set(t.auto)
		t.onChange()
	})
	t.back.Importance = widget.LowImportance
	slider := container.NewGridWrap(fyne.NewSize(sliderWidth, t.stops.MinSize().Height), t.stops)
	t.content = container.NewHScroll(container.NewHBox(widget.NewLabel("Exposure"), container.NewCenter(slider), t.text,
		t.curve, t.back))
	t.content.Hide()
	return t
}

// change follows the user.
func (t *toner) change(tone picture.Tone) {
	if tone == t.tone {
		return
	}
	t.set(tone)
	t.onChange()
}

// show shows the tools for a picture of floats, and takes its tone.
func (t *toner) show(img image.Image, tone picture.Tone) {
	t.auto = tone
	t.set(tone)
	d, ok := img.(*picture.Deep)
	paint.Show(t.content, ok && d.Floats())
}

func (t *toner) set(tone picture.Tone) {
	t.tone = tone
	t.stops.Value = tone.Stops
	t.stops.Refresh()
	t.curve.SetSelectedIndex(int(tone.Curve))
	t.text.SetText(fmt.Sprintf("%+.2f EV", tone.Stops))
}

// autoTone is the tone that suits a picture.
func autoTone(img image.Image) picture.Tone {
	if d, ok := img.(*picture.Deep); ok {
		return d.AutoTone()
	}
	return picture.Tone{}
}

// retone shows the present picture in another tone.
func (v *View) retone() {
	y, tone := v.board.pyramid, v.toner.tone
	if y == nil {
		return
	}
	v.toning.Go(func(ctx context.Context) func() {
		toned, err := newPyramid(ctx, y.of, tone)
		if err != nil {
			return nil
		}
		return func() {
			if v.board.pyramid == y || v.board.pyramid != nil && v.board.pyramid.of == y.of {
				v.board.set(toned, v.board.boxes)
			}
		}
	})
}
