package viewport

import (
	"math"

	"fyne.io/fyne/v2"
)

// key does what a key means here, or leaves it to the host.
func (v *Viewport) key(k *fyne.KeyEvent) {
	if v.canvas.shiftDown() && v.panBy(k.Name) {
		return
	}
	switch k.Name {
	case fyne.KeyLeft:
		v.turn(fyne.NewDelta(keyTurn/turn, 0))
	case fyne.KeyRight:
		v.turn(fyne.NewDelta(-keyTurn/turn, 0))
	case fyne.KeyUp:
		v.turn(fyne.NewDelta(0, keyTurn/turn))
	case fyne.KeyDown:
		v.turn(fyne.NewDelta(0, -keyTurn/turn))
	case fyne.KeyPageUp:
		v.zoom(24)
	case fyne.KeyPageDown:
		v.zoom(-24)
	case fyne.KeyHome:
		v.reset()
	case fyne.KeyF11, fyne.KeyEscape:
		if !v.cover.Key(k) && !v.host.Key(k, false) && k.Name == fyne.KeyF11 {
			v.cover.Toggle()
		}
	case fyne.KeySpace:
		v.play.toggle()
	default:
		v.host.Key(k, false)
	}
}

// panBy moves the picture with a key, and reports whether the key does that.
func (v *Viewport) panBy(key fyne.KeyName) bool {
	const step = 24
	by, ok := map[fyne.KeyName]fyne.Delta{fyne.KeyLeft: {DX: step}, fyne.KeyRight: {DX: -step},
		fyne.KeyUp: {DY: step}, fyne.KeyDown: {DY: -step}}[key]
	if ok {
		v.pan(by)
	}
	return ok
}

// rune does what a character means here.
func (v *Viewport) rune(r rune) {
	m := &v.camera.Marks
	switch r {
	case '+':
		v.zoom(24)
	case '-':
		v.zoom(-24)
	case '1':
		v.look(0, 0)
	case '3':
		v.look(math.Pi/2, 0)
	case '7':
		v.look(0, math.Pi/2)
	case '9':
		v.look(v.camera.Yaw+math.Pi, -v.camera.Pitch)
	case '4':
		v.turn(fyne.NewDelta(keyTurn/turn, 0))
	case '6':
		v.turn(fyne.NewDelta(-keyTurn/turn, 0))
	case '8':
		v.turn(fyne.NewDelta(0, keyTurn/turn))
	case '2':
		v.turn(fyne.NewDelta(0, -keyTurn/turn))
	case '0':
		v.nextCamera()
	case '5':
		v.camera.Orthographic = !v.camera.Orthographic
		v.redraw(false)
	case 'f':
		v.FrameSelection()
	case 'a':
		v.FrameAll()
	case 'w':
		m.Wireframe = !m.Wireframe
		v.redraw(false)
	case 'g':
		m.Grid = !m.Grid
		v.describe()
		v.redraw(false)
	case 'b':
		m.Skeleton = !m.Skeleton
		v.redraw(false)
	case 'n':
		v.toggleNames()
	case 'l':
		v.toggleLegend()
	case 'h':
		v.hide()
	case 'i':
		v.isolate()
	case 'H':
		v.showAll()
	case 'u':
		v.unwrap.toggle()
	case 't':
		v.turntable()
	case ',':
		v.play.frame(-1)
	case '.':
		v.play.frame(1)
	case '<':
		v.play.step(-1)
	case '>':
		v.play.step(1)
	default:
		return
	}
}

// toggleNames shows the skeleton with the names of its joints, or without.
func (v *Viewport) toggleNames() {
	m := &v.camera.Marks
	m.Names = !(m.Skeleton && m.Names)
	m.Skeleton = m.Skeleton || m.Names
	v.redraw(false)
}

// toggleLegend shows the legend, or hides it.
func (v *Viewport) toggleLegend() {
	v.legend.off = !v.legend.off
	v.picture.Refresh()
}
