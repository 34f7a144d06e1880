// Package host is what a part of the window asks of whatever it stands in: a widget of its pane, a pane of its tab, a
// tab of the window.
//
// A part takes its Host when it is made and embeds it (a widget keeps it in a field). A part that contains others
// passes itself to them as their Host: what it does not do itself is inherited from the Host above, so a key that
// no one uses reaches the window without a line of code on its way.
//
//	type Pane struct {
//		host.Host // the window's tab
//		...
//	}
//
//	func (p *Pane) Key(k *fyne.KeyEvent, shift bool) bool { // what the pane does before the window is asked
//		if p.Keys().Has("file.reload", command.Typed(k, shift)) {
//			p.reload()
//			return true
//		}
//		return p.Host.Key(k, shift)
//	}
//
//	p.tree = tree.New(p, style, group)
//
// What only one kind of part asks for belongs to an interface of its own package, which includes Host. What a widget
// reports about its own content (a row was selected) stays a callback of the widget.
//
// All methods are called on the UI thread.
//
// It also shows sentences to the user in a bar of the window. It also has the words of the window: numbers, counts and
// errors.
package host

import (
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/model"
	"assay/model/search"
	"assay/ui/command"
)

// Host is what a part asks for. None is the one that does nothing.
type Host interface {
	// Key handles a key that the part does not use, and reports whether it was used.
	Key(k *fyne.KeyEvent, shift bool) bool
	// Shortcut does the same for a shortcut. The shortcuts of the menu need not be handled: they reach the window.
	Shortcut(s fyne.Shortcut) bool
	// Keys returns the shortcuts of all commands.
	Keys() *command.Keys
	// Menu opens a menu at a position of the window.
	Menu(menu *fyne.Menu, at fyne.Position)
	// Copy puts a text on the clipboard and tells the user.
	Copy(text string)
	// Tell shows a short text in the status line for a while; an empty text clears it.
	Tell(text string)
	// Notify shows a notice.
	Notify(n Notice)
	// Explain shows a text of several lines in a dialog.
	Explain(title, text string)
	// Save asks for a file, offers a name for it, and has write fill it off the UI thread.
	Save(name string, write func(out io.Writer) error)
	// Busy shows that work is going on: what it is (empty when it has ended), the share that is done (negative if it is
	// not known), and how to stop it (nil if it cannot be stopped).
	Busy(what string, share float64, stop func())
	// Over is called when something lies over a part until a key goes down anywhere, or the keyboard goes elsewhere:
	// hide takes it away then. Nil takes away what the last call was about.
	Over(hide func())
	// Changed is called after the title or the status of the part changed.
	Changed()
	// Reveal brings a node of a document into view, wherever the document is open.
	Reveal(d *model.Document, n *model.Node)
}

// Files is a Host of a tab that is about the files of a folder.
type Files interface {
	Host
	// OpenHit opens the file at a path where something is in it.
	OpenHit(path string, hit search.Hit)
	// ShowInFolder shows a file in the system's file manager.
	ShowInFolder(path string)
}

// None is a Host that does nothing and uses nothing. Embed it to implement a part of Host, such as in a test.
type None struct{}

var _ Host = None{}

// Key reports that the key was not used.
func (None) Key(*fyne.KeyEvent, bool) bool { return false }

// Shortcut reports that the shortcut was not used.
func (None) Shortcut(fyne.Shortcut) bool { return false }

// Keys returns the shortcuts of the table.
func (None) Keys() *command.Keys { return command.Default() }

// Menu opens nothing.
func (None) Menu(*fyne.Menu, fyne.Position) {}

// Copy copies nothing.
func (None) Copy(string) {}

// Tell shows nothing.
func (None) Tell(string) {}

// Notify shows nothing.
func (None) Notify(Notice) {}

// Explain shows nothing.
func (None) Explain(string, string) {}

// Save asks for nothing.
func (None) Save(string, func(io.Writer) error) {}

// Busy shows nothing.
func (None) Busy(string, float64, func()) {}

// Over hides nothing.
func (None) Over(func()) {}

// Changed does nothing.
func (None) Changed() {}

// Reveal shows nothing.
func (None) Reveal(*model.Document, *model.Node) {}

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
