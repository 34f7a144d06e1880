package viewport

import (
	"image/color"
	"time"

	"fyne.io/fyne/v2/theme"

	"assay/model/render"
)

// background is behind the model.
func (v *Viewport) background() color.NRGBA {
	if v.tools.background != nil {
		return *v.tools.background
	}
	if v.model != nil && v.model.IsInk() {
		return render.Paper
	}
	r, g, b, _ := theme.Color(theme.ColorNameInputBackground).RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
}

// resized draws for another size of the picture.
func (v *Viewport) resized() {
	if v.play.curves.fit(v.content.Size().Height) {
		v.content.Refresh() // the picture gets what room is left
		return
	}
	v.refit()
	v.redraw(true)
}

// followTheme draws again if the theme has another background now.
func (v *Viewport) followTheme() {
	if r := v.shown.request; r != nil && r.model == v.model && r.view.Background != v.background() {
		v.redraw(true)
	}
}

// redraw draws the model as it is looked at now; moving says that more is about to come.
func (v *Viewport) redraw(rest bool) { v.request(!rest, nil) }

// change has something done to the model before it is drawn again.
func (v *Viewport) change(f func(*render.Model)) { v.request(false, f) }

func (v *Viewport) request(moving bool, change func(*render.Model)) {
	size := v.canvas.pixels()
	if v.model == nil {
		return
	}
	if size.X < 8 || size.Y < 8 {
		v.drawer.note(change)
		return
	}
	if v.resting && change == nil {
		v.reportPose()
		return
	}
	v.reportPose()
	v.tools.row.mark()
	r := &request{model: v.model, view: v.camera, size: size, moving: moving, change: change}
	r.view.Background = v.background()
	r.player, r.time = v.play.now()
	r.beside = v.beside()
	v.drawer.draw(r)
}

// Rest has nothing drawn until it ends: the viewport is not seen.
func (v *Viewport) Rest(on bool) {
	if v.resting != on {
		v.resting = on
		v.redraw(false)
	}
}

// drawn shows a picture.
func (v *Viewport) drawn(f frame) {
	if v.model != f.request.model {
		return
	}
	v.shown = f
	if b := f.request.beside; b != nil && v.second != nil && !b.sameAs(v.second) { // changed while this was drawn
		f.joined = v.second.join(f.picture, f.other)
	}
	v.canvas.setPicture(f.joined)
	v.canvas.setLabels(f.labels, f.scale, v.ink())
	v.legend.set(f.signs)
	v.canvas.setRate(v.rate.text(f, time.Now()))
	if v.OnDrawn != nil {
		v.OnDrawn()
	}
	if v.canvas.inside && v.canvas.button == 0 {
		v.hover(v.canvas.pointer) // something else may be there now
	}
}
