package exporting

import (
	"fyne.io/fyne/v2"

	"assay/ui/host"
)

// parts is the panel as the widgets in it see it.
type parts struct {
	host.None
	p *Panel
}

// Key passes a key on to the window.
func (h parts) Key(k *fyne.KeyEvent, _ bool) bool { return h.p.OnKey != nil && h.p.OnKey(k) }

// Shortcut handles a shortcut of the panel.
func (h parts) Shortcut(s fyne.Shortcut) bool { return h.p.shortcut(s) }

// Copy copies a text.
func (h parts) Copy(text string) { fyne.CurrentApp().Clipboard().SetContent(text) }
