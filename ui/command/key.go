package command

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Key is a key with its modifiers. A character that is typed is its upper case; an upper case letter has Shift.
type Key struct {
	Name     fyne.KeyName
	Modifier fyne.KeyModifier
}

// modifiers are the names of modifiers in the order in which they are written.
var modifiers = []struct {
	name string
	mod  fyne.KeyModifier
}{{"Ctrl+", fyne.KeyModifierShortcutDefault}, {"Alt+", fyne.KeyModifierAlt}, {"Shift+", fyne.KeyModifierShift}}

// otherNames are the keys that the toolkit calls something else.
var otherNames = map[string]fyne.KeyName{"Enter": fyne.KeyReturn, "PageUp": fyne.KeyPageUp,
	"PageDown": fyne.KeyPageDown, "Escape": fyne.KeyEscape, "Backspace": fyne.KeyBackspace, "Menu": desktop.KeyMenu}

// sameNames are the keys with names that the toolkit calls by the same name.
var sameNames = []string{"Left", "Right", "Up", "Down", "Home", "End", "Space", "Tab", "Insert", "Delete", "Alt",
	"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12"}

// ParseKey reads a key as people write it, such as Ctrl+Shift+F.
func ParseKey(text string) (Key, error) {
	var k Key
	rest := text
	for _, m := range modifiers {
		if after, ok := strings.CutPrefix(rest, m.name); ok && after != "" {
			rest, k.Modifier = after, k.Modifier|m.mod
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch name, other := otherNames[rest]; {
	case other:
		k.Name = name
	case slices.Contains(sameNames, rest):
		k.Name = fyne.KeyName(rest)
	case size > 0 && size == len(rest) && unicode.IsPrint(r) && !unicode.IsSpace(r) && !unicode.IsLower(r):
		k.Name = fyne.KeyName(rest)
	default:
		return Key{}, fmt.Errorf("%q is not a key; write it as in Ctrl+Shift+F, F5, PageUp or A", text)
	}
	return k, nil
}

// String returns the key as people write it.
func (k Key) String() string {
	var b strings.Builder
	for _, m := range modifiers {
		switch {
		case k.Modifier&m.mod == 0:
		case runtime.GOOS == "darwin" && m.name == "Ctrl+":
			b.WriteString("Cmd+")
		default:
			b.WriteString(m.name)
		}
	}
	for text, name := range otherNames {
		if name == k.Name {
			return b.String() + text
		}
	}
	return b.String() + string(k.Name)
}

// typed reports whether the key comes as a character.
func (k Key) typed() bool { return utf8.RuneCountInString(string(k.Name)) == 1 && k.plain() }

// plain reports whether the key has no modifier but Shift.
func (k Key) plain() bool { return k.Modifier&^fyne.KeyModifierShift == 0 }

// shortcut is the key as the toolkit's canvas and menus take it.
func (k Key) shortcut() desktop.CustomShortcut {
	return desktop.CustomShortcut{KeyName: k.Name, Modifier: k.Modifier}
}

// Held reports whether one of some modifier keys is down: key events do not say so.
func Held(keys fyne.KeyModifier) bool {
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&keys != 0
}

// Typed returns the key of an event, which carries no modifiers. One that comes as a character besides is no key.
func Typed(ev *fyne.KeyEvent, shift bool) Key {
	k := Key{Name: ev.Name}
	if k.Name == fyne.KeyEnter {
		k.Name = fyne.KeyReturn
	}
	if k.typed() {
		return Key{}
	}
	if shift {
		k.Modifier = fyne.KeyModifierShift
	}
	return k
}

// Rune returns the key of a character that was typed.
func Rune(r rune) Key {
	k := Key{Name: fyne.KeyName(string(unicode.ToUpper(r)))}
	if unicode.IsUpper(r) {
		k.Modifier = fyne.KeyModifierShift
	}
	return k
}

// Shortcut returns the key of a shortcut that a widget was given; the zero Key for those that have no key here.
func Shortcut(s fyne.Shortcut) Key {
	switch s := s.(type) {
	case *fyne.ShortcutSelectAll:
		return Key{fyne.KeyA, fyne.KeyModifierShortcutDefault}
	case *fyne.ShortcutCopy:
		return Key{fyne.KeyC, fyne.KeyModifierShortcutDefault}
	case *fyne.ShortcutUndo:
		return Key{fyne.KeyZ, fyne.KeyModifierShortcutDefault}
	case *desktop.CustomShortcut:
		return Key{s.KeyName, s.Modifier}
	}
	return Key{}
}
