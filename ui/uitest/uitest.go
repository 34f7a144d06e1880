// Package uitest contains helpers for tests of the window: a host that records calls, the painted text of widgets as
// lines, and the contrast of colors.
package uitest

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"

	"assay/ui/host"
)

// Log is a Host that records calls, one entry each, such as "key F2", "copy text" and "tell text". Keys and shortcuts
// count as used.
type Log struct {
	host.None
	Entries []string
	// Hide hides the current overlay. It is nil without an overlay.
	Hide func()
	// Popped is the menu that was opened last.
	Popped *fyne.Menu
}

var _ host.Host = (*Log)(nil)

// Key records a key.
func (l *Log) Key(k *fyne.KeyEvent, shift bool) bool {
	name := string(k.Name)
	if shift {
		name = "Shift+" + name
	}
	l.add("key", name)
	return true
}

// Shortcut records a shortcut.
func (l *Log) Shortcut(s fyne.Shortcut) bool {
	l.add("shortcut", s.ShortcutName())
	return true
}

// SetOverlay records how to hide an overlay, and hides the one before.
func (l *Log) SetOverlay(hide func()) {
	if l.Hide != nil {
		l.Hide()
	}
	l.Hide = hide
}

// Menu records a menu.
func (l *Log) Menu(m *fyne.Menu, _ fyne.Position) { l.Popped = m }

// Copy records a text.
func (l *Log) Copy(text string) { l.add("copy", text) }

// ShowHint records a hint.
func (l *Log) ShowHint(text string) { l.add("tell", text) }

func (l *Log) add(task, text string) { l.Entries = append(l.Entries, task+" "+text) }

// Take returns and clears the entries.
func (l *Log) Take() []string {
	taken := l.Entries
	l.Entries = nil
	return taken
}

// Contrast returns the contrast ratio of two opaque colors, 1 to 21, as WCAG 2 defines it.
func Contrast(a, b color.Color) float64 {
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x, y) / min(x, y)
}

func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// Over returns a color blended over an opaque background.
func Over(c, ground color.Color) color.Color {
	r, g, b, a := c.RGBA()
	x, y, z, _ := ground.RGBA()
	mix := func(over, under uint32) uint8 { return uint8((over + under*(0xffff-a)/0xffff) >> 8) }
	return color.NRGBA{R: mix(r, x), G: mix(g, y), B: mix(b, z), A: 0xff}
}
