package doc

import (
	"fyne.io/fyne/v2"

	"assay/ui/host"
)

// parts is the pane as the widgets in it see it.
type parts struct {
	host.None
	p *Pane
}

// Key passes a key on to the window.
func (h parts) Key(k *fyne.KeyEvent, _ bool) bool { return h.p.key(k) }

// Shortcut handles a shortcut of the pane.
func (h parts) Shortcut(s fyne.Shortcut) bool { return h.p.shortcut(s) }

// Copy copies a text.
func (h parts) Copy(text string) { h.p.copyText(text) }

// Tell shows a text in the status line.
func (h parts) Tell(text string) { h.p.hint(text) }

// Busy shows that work is going on.
func (h parts) Busy(what string, share float64, stop func()) { h.p.busy(what, share, stop) }
