package contents

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/ui/control"
	"assay/ui/paint"
)

// gains are how much stronger differences are drawn than they are.
var gains = []string{"× 1", "× 4", "× 16", "× 64"}

// mixer sets how two things are shown in one place: where the line between them is, how much is seen of each, how
// strong their differences are drawn.
type mixer struct {
	onShare func(share float64)
	onGain  func()

	slider  *control.Slider
	room    *fyne.Container // for the slider
	gains   *control.Select
	tools   *fyne.Container
	setting bool
}

func newMixer(keys control.Keys) *mixer {
	m := &mixer{slider: control.NewSlider(keys, 0, 1)}
	m.slider.Step = .01
	m.slider.Value = .5
	m.slider.OnChanged = func(at float64) {
		if !m.setting {
			m.onShare(at)
		}
	}
	m.gains = control.NewSelect(keys, gains, func(string) { m.onGain() })
	m.gains.Selected = gains[1]
	m.room = container.NewGridWrap(fyne.NewSize(140, m.slider.MinSize().Height), m.slider)
	m.tools = container.NewHBox(m.room, m.gains)
	return m
}

// arrange shows what means something for a way to look at views of a kind.
func (m *mixer) arrange(k model.ViewKind, way control.Way) {
	lit := way == control.Difference && (k == model.PictureView || k == model.SceneView)
	mixed := k == model.PictureView && (way == control.Swipe || way == control.Overlay) ||
		k == model.SceneView && way == control.Swipe
	paint.Show(m.room, mixed)
	paint.Show(m.gains, lit)
	paint.Show(m.tools, mixed || lit)
}

// share is where the line is, or how much is seen of the second thing.
func (m *mixer) share() float64 { return m.slider.Value }

// set moves the slider to where the line was dragged.
func (m *mixer) set(share float64) {
	m.setting = true
	m.slider.SetValue(share)
	m.setting = false
}

// gain is how much stronger differences are drawn.
func (m *mixer) gain() int {
	if m.gains.Selected == "" {
		return 1
	}
	gain, _ := strconv.Atoi(m.gains.Selected[len("× "):])
	return gain
}
