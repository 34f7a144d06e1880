// Package command is the one table of what the user can do. Menus, buttons, the handling of keys, the list of commands,
// the page of shortcuts and the README's list of keys are made from it.
//
// To change a shortcut or a text, change its line in table.go. A new command is a line there, and an Action under its
// ID in the part that does it: the window (ui/window/menus.go), a scene (ui/viewport/actions.go), or a list. The user's
// own keys are a file, see ReadFile.
package command

import "slices"

// ID names a command in the code and in the user's file of keys. What stands before the point is where it belongs.
type ID string

// Place is where the keys of a command apply.
type Place uint8

// The places.
const (
	Window     Place = iota // everywhere in the window
	Document                // a tab with a document, or a folder
	Comparison              // a tab with a comparison
	Scene                   // a scene that has the keyboard
	List                    // a list, a tree, tiles or bytes that have the keyboard
	Assets                  // a list of assets that has the keyboard
	Export                  // the list of what is exported
)

var placeNames = [...]string{Window: "in the window", Document: "in a document", Comparison: "in a comparison",
	Scene: "in a scene", List: "in lists, trees and bytes", Assets: "in lists of assets", Export: "in the export list"}

// String returns the place as a part of a sentence.
func (p Place) String() string { return placeNames[p] }

// apart are places that the keyboard is never in at once.
var apart = [][2]Place{{Document, Comparison}, {Scene, List}, {Scene, Assets}, {Scene, Export}, {Comparison, Assets},
	{Comparison, Export}, {Assets, Export}}

// meet reports whether a key can reach commands of both places.
func meet(a, b Place) bool {
	return !slices.Contains(apart, [2]Place{a, b}) && !slices.Contains(apart, [2]Place{b, a})
}

// Command is something that the user can do.
type Command struct {
	ID    ID
	Place Place
	Label string // in menus and lists
	Keys  string // as people write them, separated by spaces; the first one is shown
	Fixed bool   // the toolkit decides about the keys
	Menu  string // of the bar, or of the scene's tools; empty: in context menus or lists only
	Line  bool   // a line above it in the menu
	Quits bool   // it ends the program

	// Before is a command, further down in the table, that its keys mean where this one cannot be done.
	Before ID

	// Like is the command of a widget that does the same with a key, and LikeWhere where it does so.
	Like      ID
	LikeWhere string

	Tool string // the text of its button; empty: an icon only, or no button
	Hint string // shown while the pointer is over its button; empty: the label as a sentence

	// The positions in the context menus of a node, of bytes and of a tab. There is a line between tens; 0: not in it.
	Node, Bytes, Tab int
}

// Menus are those of the bar, in their order.
var Menus = []string{"File", "Edit", "View", "Go", "Compare", "Help"}

// All returns all commands in the order of the menus.
func All() []Command { return table }

// Of returns a command of the table. There is none of the zero Command's ID.
func Of(id ID) Command {
	if i := slices.IndexFunc(table, func(c Command) bool { return c.ID == id }); i >= 0 {
		return table[i]
	}
	return Command{}
}
