package viewport

import (
	"fyne.io/fyne/v2"

	"assay/ui/command"
)

// key does what a key means here, or leaves it to the host.
func (v *Viewport) key(k *fyne.KeyEvent) {
	key := command.Typed(k, false)
	switch {
	case command.Held(fyne.KeyModifierShift) && v.commands.Press(command.Typed(k, true), v):
	case v.commands.Press(key, v):
	case v.commands.Keys.Has(command.FullWindow, key):
		v.toggleFull()
	case v.cover.Key(k):
	default:
		v.host.Key(k, false)
	}
}

// toggleFull shows the picture over the whole window, with what it is in where that can be shown so, or in its place.
func (v *Viewport) toggleFull() {
	full := v.commands.Keys.Of(command.FullWindow)
	if v.cover.Up() || len(full) == 0 || !v.host.Key(&fyne.KeyEvent{Name: full[0].Name}, false) {
		v.cover.Toggle()
	}
}

// rune does what a character means here.
func (v *Viewport) rune(r rune) { v.commands.Press(command.Rune(r), v) }

// toggleNames shows the skeleton with the names of its joints, or without.
func (v *Viewport) toggleNames() {
	m := &v.camera.Marks
	m.Names = !(m.Skeleton && m.Names)
	m.Skeleton = m.Skeleton || m.Names
	v.redraw(false)
}
