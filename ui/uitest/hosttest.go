// Package uitest is for tests of the window: a host that remembers what a part asked for, widgets read as lines of
// text, and colors measured.
package uitest

import (
	"fyne.io/fyne/v2"

	"assay/ui/host"
)

// Log is a Host that remembers what it was asked for, one entry a call, such as "key F2", "copy text" and "tell text".
// Keys and shortcuts count as used.
type Log struct {
	host.None
	Entries []string
	// Hide takes away what lies over a part; nil if nothing does.
	Hide func()
	// Popped is the menu that was opened last.
	Popped *fyne.Menu
}

var _ host.Host = (*Log)(nil)

// Key remembers a key.
func (l *Log) Key(k *fyne.KeyEvent, shift bool) bool {
	name := string(k.Name)
	if shift {
		name = "Shift+" + name
	}
	l.add("key", name)
	return true
}

// Shortcut remembers a shortcut.
func (l *Log) Shortcut(s fyne.Shortcut) bool {
	l.add("shortcut", s.ShortcutName())
	return true
}

// Over remembers how to take away what lies over a part, and takes away what did before.
func (l *Log) Over(hide func()) {
	if l.Hide != nil {
		l.Hide()
	}
	l.Hide = hide
}

// Menu remembers a menu.
func (l *Log) Menu(m *fyne.Menu, _ fyne.Position) { l.Popped = m }

// Copy remembers a text.
func (l *Log) Copy(text string) { l.add("copy", text) }

// Tell remembers a text.
func (l *Log) Tell(text string) { l.add("tell", text) }

func (l *Log) add(what, text string) { l.Entries = append(l.Entries, what+" "+text) }

// Take returns what was asked for since the last Take.
func (l *Log) Take() []string {
	taken := l.Entries
	l.Entries = nil
	return taken
}
