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

// toner holds the tools that set the exposure of a picture of floats and the tone mapping of its bright parts.
type toner struct {
	tone     picture.Tone
	auto     picture.Tone // the automatic one for the picture
	onChange func()

	stops      *control.Slider
	text       *widget.Label
	curve      *control.Select
	autoButton *widget.Button
	content    *container.Scroll
}

// sliderWidth is the width of the exposure slider, in device-independent pixels.
const sliderWidth = 110

func newToner(keys control.Keys, onChange func()) *toner {
	t := &toner{onChange: onChange, stops: control.NewSlider(keys, -picture.MaxStops, picture.MaxStops),
		text: widget.NewLabel("")}
	t.stops.Step = picture.StopsStep
	t.stops.OnChanged = func(stops float64) { t.change(picture.Tone{Stops: stops, Curve: t.tone.Curve}) }
	t.curve = control.NewSelect(keys, picture.CurveNames[:], func(string) {
		t.change(picture.Tone{Stops: t.tone.Stops, Curve: picture.Curve(t.curve.SelectedIndex())})
	})
	t.autoButton = widget.NewButton("Auto", func() {
		t.set(t.auto)
		t.onChange()
	})
	t.autoButton.Importance = widget.LowImportance
	slider := container.NewGridWrap(fyne.NewSize(sliderWidth, t.stops.MinSize().Height), t.stops)
	t.content = container.NewHScroll(container.NewHBox(widget.NewLabel("Exposure"), container.NewCenter(slider), t.text,
		t.curve, t.autoButton))
	t.content.Hide()
	return t
}

// change applies a change of the user.
func (t *toner) change(tone picture.Tone) {
	if tone == t.tone {
		return
	}
	t.set(tone)
	t.onChange()
}

// show displays the tools for a picture of floats, with its tone.
func (t *toner) show(img image.Image, tone picture.Tone) {
	t.auto = tone
	t.set(tone)
	d, ok := img.(*picture.Deep)
	paint.SetVisible(t.content, ok && d.Floats())
}

func (t *toner) set(tone picture.Tone) {
	t.tone = tone
	t.stops.Value = tone.Stops
	t.stops.Refresh()
	t.curve.SetSelectedIndex(int(tone.Curve))
	t.text.SetText(fmt.Sprintf("%+.2f EV", tone.Stops))
}

// autoTone returns the automatic tone of a picture.
func autoTone(img image.Image) picture.Tone {
	if d, ok := img.(*picture.Deep); ok {
		return d.AutoTone()
	}
	return picture.Tone{}
}

// retone displays the current picture in another tone.
func (v *View) retone() {
	y, tone := v.board.pyramid, v.toner.tone
	if y == nil {
		return
	}
	v.retoning.Go(func(ctx context.Context) func() {
		toned, err := newPyramid(ctx, y.source, tone)
		if err != nil {
			return nil
		}
		return func() {
			if v.board.pyramid == y || v.board.pyramid != nil && v.board.pyramid.source == y.source {
				v.board.set(toned, v.board.boxes)
			}
		}
	})
}
