package ask

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// button is one of a dialog's: with the keyboard it is pressed by Enter too, and Escape closes the dialog.
type button struct {
	widget.Button
	asker *Asker
}

func (a *Asker) button(label string, do func()) *button {
	b := &button{asker: a}
	b.Text, b.OnTapped = label, do
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey is called by Fyne.
func (b *button) TypedKey(ev *fyne.KeyEvent) {
	switch ev.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	case fyne.KeyEscape:
		b.asker.Dismiss()
	default:
		b.Button.TypedKey(ev)
	}
}
