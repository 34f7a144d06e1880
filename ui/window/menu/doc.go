// Package menu is the menu bar and the menus that open from it or at the pointer. They show what a fyne.Menu holds, but
// are read and used as those of a desktop: shortcuts in a colour that can be read, an underlined letter that chooses an
// item, arrows, Escape, and other menus of the bar that open where the pointer goes.
package menu
