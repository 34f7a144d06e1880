package host

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// KeyAlt is the name of the key that a Host gets from Alt. The toolkit's own name comes when the key is pressed, and
// then it is not known yet whether another one follows.
const KeyAlt fyne.KeyName = "Alt"

// Alt notices that the left Alt key was pressed and released without another key, which is how a menu bar is reached.
// A part that has the keyboard tells it of all keys; the Host gets KeyAlt then.
type Alt struct{ alone bool }

// Down is to be called when a key is pressed. It takes away what lies over a part.
func (a *Alt) Down(h Host, k *fyne.KeyEvent) {
	h.Over(nil)
	a.alone = k.Name == desktop.KeyAltLeft
}

// Up is to be called when a key is released.
func (a *Alt) Up(h Host, k *fyne.KeyEvent) {
	if a.alone && k.Name == desktop.KeyAltLeft {
		h.Key(&fyne.KeyEvent{Name: KeyAlt, Physical: k.Physical}, false)
	}
	a.alone = false
}

// Lost is to be called when the keyboard is lost, as to another window by Alt+Tab.
func (a *Alt) Lost(h Host) {
	h.Over(nil)
	a.alone = false
}
