// Package command holds the table of all commands. Menus, buttons, key handling, the command list, the page of
// shortcuts, and docs/keys.md are generated from it.
//
// To change a shortcut or a text, change its line in table.go. A new command is a line there, and an Action for its ID
// in the package that implements it: ui/window/menus.go, ui/viewport/actions.go, or a list. ReadKeysFile reads the
// user's own shortcuts.
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

// ID is the name of a command in the code and in the user's file of shortcuts. The part before the point names its
// subject.
type ID string

// Scope is the part of the window where the keys of a command work.
type Scope uint8

// The scopes of keys.
const (
	Window     Scope = iota // everywhere in the window
	Document                // a tab with a document, or a folder
	Comparison              // a tab with a comparison
	Scene                   // a focused scene
	List                    // a focused list, tree, tile view or hex view
	Assets                  // a focused list of assets
	Export                  // the export list
)

var scopeNames = [...]string{Window: "in the window", Document: "in a document", Comparison: "in a comparison",
	Scene: "in a scene", List: "in lists, trees, and bytes", Assets: "in lists of assets", Export: "in the export list"}

// String returns the scope as an adverbial phrase, such as "in a scene".
func (s Scope) String() string { return scopeNames[s] }

// exclusive lists pairs of scopes that never have the keyboard at once.
var exclusive = [][2]Scope{{Document, Comparison}, {Scene, List}, {Scene, Assets}, {Scene, Export},
	{Comparison, Assets},
	{Comparison, Export}, {Assets, Export}}

// overlap reports whether a key can reach commands of both scopes.
func overlap(a, b Scope) bool {
	return !slices.Contains(exclusive, [2]Scope{a, b}) && !slices.Contains(exclusive, [2]Scope{b, a})
}

// Command is a command of the user interface.
type Command struct {
	ID     ID
	Scope  Scope
	Label  string // label in menus and lists
	Keys   string // separated by spaces; menus display the first one
	Fixed  bool   // the user cannot change the keys
	Menu   string // title of its menu in the bar or in a scene's tools; empty: in no menu
	Line   bool   // a separator precedes it in its menu
	IsQuit bool   // the command ends the program

	// YieldsTo is a later command of the table that the shared keys run while this command is disabled.
	YieldsTo ID

	// SameAs is another command with the same effect, whose keys are displayed. SameAsWhere, which may be empty, is the
	// text about where they work.
	SameAs      ID
	SameAsWhere string

	Tool string // label of its button; empty: the button has only an icon, or there is none
	Hint string // tooltip of its button; empty: the label as a sentence

	// Positions in the context menus of a node, an asset, bytes, and a tab: 0 is absent, and each ten starts a group.
	Node, Asset, Bytes, Tab int
}

// Menus lists the menus of the bar, in their order.
var Menus = []string{"File", "Edit", "View", "Go", "Compare", "Help"}

// All returns all commands in the order of the menus.
func All() []Command { return table }

// ByID returns a command of the table, or the zero Command for an unknown ID.
func ByID(id ID) Command {
	if i := slices.IndexFunc(table, func(c Command) bool { return c.ID == id }); i >= 0 {
		return table[i]
	}
	return Command{}
}

// Key is a key with its modifiers. The name of a character is in upper case; Shift is a modifier.
type Key struct {
	Name     fyne.KeyName
	Modifier fyne.KeyModifier
}

// modifiers lists the names of modifiers in their written order.
var modifiers = []struct {
	name string
	mod  fyne.KeyModifier
}{{"Ctrl+", fyne.KeyModifierShortcutDefault}, {"Alt+", fyne.KeyModifierAlt}, {"Shift+", fyne.KeyModifierShift}}

// otherNames maps names of keys to different names in the toolkit.
var otherNames = map[string]fyne.KeyName{"Enter": fyne.KeyReturn, "PageUp": fyne.KeyPageUp,
	"PageDown": fyne.KeyPageDown, "Escape": fyne.KeyEscape, "Backspace": fyne.KeyBackspace, "Menu": desktop.KeyMenu}

// sameNames lists the keys with the same name in the toolkit.
var sameNames = []string{"Left", "Right", "Up", "Down", "Home", "End", "Space", "Tab", "Insert", "Delete", "Alt",
	"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12"}

// ParseKey parses a key such as Ctrl+Shift+F.
func ParseKey(text string) (Key, error) {
	var k Key
	remainder := text
	for _, m := range modifiers {
		if tail, ok := strings.CutPrefix(remainder, m.name); ok && tail != "" {
			remainder, k.Modifier = tail, k.Modifier|m.mod
		}
	}
	r, size := utf8.DecodeRuneInString(remainder)
	switch name, known := otherNames[remainder]; {
	case known:
		k.Name = name
	case slices.Contains(sameNames, remainder):
		k.Name = fyne.KeyName(remainder)
	case size > 0 && size == len(remainder) && unicode.IsPrint(r) && !unicode.IsSpace(r) && !unicode.IsLower(r):
		k.Name = fyne.KeyName(remainder)
	default:
		return Key{}, fmt.Errorf("%q is not a key; write it as in Ctrl+Shift+F, F5, PageUp or A", text)
	}
	return k, nil
}

// String returns the key in the form that ParseKey reads.
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

// isCharacter reports whether the key types a character.
func (k Key) isCharacter() bool {
	return utf8.RuneCountInString(string(k.Name)) == 1 && k.hasOnlyShift()
}

// hasOnlyShift reports whether the key has no modifier other than Shift.
func (k Key) hasOnlyShift() bool { return k.Modifier&^fyne.KeyModifierShift == 0 }

// shortcut returns the key as a shortcut of the toolkit.
func (k Key) shortcut() desktop.CustomShortcut {
	return desktop.CustomShortcut{KeyName: k.Name, Modifier: k.Modifier}
}

// IsHeld reports whether one of these modifier keys is down: key events do not include modifiers.
func IsHeld(keys fyne.KeyModifier) bool {
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&keys != 0
}

// KeyOf returns the key of an event; shift reports whether the shift key is down. It returns the zero Key for a key
// that also types a character.
func KeyOf(ev *fyne.KeyEvent, shift bool) Key {
	k := Key{Name: ev.Name}
	if k.Name == fyne.KeyEnter {
		k.Name = fyne.KeyReturn
	}
	if k.isCharacter() {
		return Key{}
	}
	if shift {
		k.Modifier = fyne.KeyModifierShift
	}
	return k
}

// KeyOfRune returns the key of a character that was typed.
func KeyOfRune(r rune) Key {
	k := Key{Name: fyne.KeyName(string(unicode.ToUpper(r)))}
	if unicode.IsUpper(r) {
		k.Modifier = fyne.KeyModifierShift
	}
	return k
}

// KeyOfShortcut returns the key of a toolkit shortcut, or the zero Key if the shortcut is for editing text.
func KeyOfShortcut(s fyne.Shortcut) Key {
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

const (
	altKey = fyne.KeyName("Alt")
	ctrl   = fyne.KeyModifierShortcutDefault
)
