// Package host is the interface between a part of the window and its parent: a widget and its pane, a pane and its tab,
// a tab and the window. It also contains the bar of notices (Bar), the history of visited items (History), and the
// format of numbers, counts and errors.
//
// A part takes its Host when it is made and embeds it (a widget keeps it in a field). A part that contains others
// passes itself to them as their Host. It inherits the methods that it does not implement, so a key that no part uses
// reaches the window:
//
//	type Pane struct {
//		host.Host // the window's tab
//		...
//	}
//
//	func (p *Pane) Key(k *fyne.KeyEvent, shift bool) bool {
//		if p.Keys().Has("file.reload", command.KeyOf(k, shift)) {
//			p.reload()
//			return true
//		}
//		return p.Host.Key(k, shift)
//	}
//
//	p.tree = tree.New(p, style, group)
//
// Requests of only one kind of part are in an interface of its package, which includes Host. Events of a widget's
// content (a row was selected) are callbacks of the widget. All methods are called on the UI thread.
package host

import (
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/model"
	"assay/model/search"
	"assay/ui/command"
)

// Host is the interface of a part to its parent.
type Host interface {
	// Key handles a key that the part does not use, and reports whether it was used.
	Key(k *fyne.KeyEvent, shift bool) bool
	// Shortcut handles a shortcut in the same way. Shortcuts of the menu need not be handled: they reach the window.
	Shortcut(s fyne.Shortcut) bool
	// Keys returns the shortcuts of all commands.
	Keys() *command.Keys
	// Menu opens a menu at a position of the window.
	Menu(menu *fyne.Menu, pos fyne.Position)
	// Copy copies a text to the clipboard and shows a hint.
	Copy(text string)
	// ShowHint shows a hint in the status line for a while; an empty text clears it.
	ShowHint(text string)
	// Notify shows a notice.
	Notify(n Notice)
	// Explain displays a text of several lines in a dialog.
	Explain(title, text string)
	// Save asks for a file, proposes a name, and calls write off the UI thread.
	Save(name string, write func(out io.Writer) error)
	// Busy shows a running task: its name (empty when it has ended), the fraction done (negative if unknown), and how
	// to stop it (nil if it cannot be stopped).
	Busy(task string, fraction float64, stop func())
	// SetOverlay replaces the current overlay, such as a tooltip, and hides it. hide is called at the next key or
	// change of the focus; it may be nil.
	SetOverlay(hide func())
	// Changed is called after the title or the status of the part changed.
	Changed()
	// Reveal brings a node of a document into view, wherever the document is open.
	Reveal(d *model.Document, n *model.Node)
}

// Files is the Host of a tab about the files of a folder.
type Files interface {
	Host
	// OpenHit opens the file at a path at the location of a match.
	OpenHit(path string, hit search.Hit)
	// ShowInFolder opens the system's file manager at a file.
	ShowInFolder(path string)
}

// None is a Host that does nothing and handles no key. Embed it to implement a part of Host, such as in a test.
type None struct{}

var _ Host = None{}

// Key returns false.
func (None) Key(*fyne.KeyEvent, bool) bool { return false }

// Shortcut returns false.
func (None) Shortcut(fyne.Shortcut) bool { return false }

// Keys returns the shortcuts of the table.
func (None) Keys() *command.Keys { return command.Default() }

// Menu does nothing.
func (None) Menu(*fyne.Menu, fyne.Position) {}

// Copy does nothing.
func (None) Copy(string) {}

// ShowHint does nothing.
func (None) ShowHint(string) {}

// Notify does nothing.
func (None) Notify(Notice) {}

// Explain does nothing.
func (None) Explain(string, string) {}

// Save does nothing.
func (None) Save(string, func(io.Writer) error) {}

// Busy does nothing.
func (None) Busy(string, float64, func()) {}

// SetOverlay does nothing.
func (None) SetOverlay(func()) {}

// Changed does nothing.
func (None) Changed() {}

// Reveal does nothing.
func (None) Reveal(*model.Document, *model.Node) {}

// KeyAlt is the name of the key that a Host gets when Alt is released. The toolkit reports Alt when it is pressed,
// before another key may follow.
const KeyAlt fyne.KeyName = "Alt"

// Alt detects that the left Alt key was pressed and released without another key, which opens the menu bar. The focused
// part passes all its keys to Alt, which passes KeyAlt to the Host.
type Alt struct{ wasAlone bool }

// Down must be called when a key is pressed. It hides the overlay.
func (a *Alt) Down(h Host, k *fyne.KeyEvent) {
	h.SetOverlay(nil)
	a.wasAlone = k.Name == desktop.KeyAltLeft
}

// Up must be called when a key is released.
func (a *Alt) Up(h Host, k *fyne.KeyEvent) {
	if a.wasAlone && k.Name == desktop.KeyAltLeft {
		h.Key(&fyne.KeyEvent{Name: KeyAlt, Physical: k.Physical}, false)
	}
	a.wasAlone = false
}

// FocusLost must be called when the part loses the focus, for example to another window with Alt+Tab.
func (a *Alt) FocusLost(h Host) {
	h.SetOverlay(nil)
	a.wasAlone = false
}

// History holds the visited items of a part of the window, such as nodes or folders, for Back and Forward.
type History[T any] struct {
	visited []T
	current int // index of the current item
}

// maxVisited is the maximum number of visited items.
const maxVisited = 500

// Visit makes an item the current one, unless it equals the current one. The items that were
// visited after the current one are dropped.
func (h *History[T]) Visit(item T, equal func(a, b T) bool) {
	if len(h.visited) > 0 && equal(h.visited[h.current], item) {
		return
	}
	h.visited = append(h.visited[:min(len(h.visited), h.current+1)], item)
	h.visited = h.visited[max(0, len(h.visited)-maxVisited):]
	h.current = len(h.visited) - 1
}

// Step makes the next item the current one, or the previous one if step is -1. It returns false if there is none.
func (h *History[T]) Step(step int) (item T, ok bool) {
	i := h.current + step
	if i < 0 || i >= len(h.visited) {
		return item, false
	}
	h.current = i
	return h.visited[i], true
}

// Restart makes the next visited item the first one, if only one was visited yet.
func (h *History[T]) Restart() {
	if len(h.visited) == 1 {
		h.visited = nil
	}
}

// AtStart reports whether no item was visited before the current one.
func (h *History[T]) AtStart() bool { return h.current == 0 }

// AtEnd reports whether no item was visited after the current one.
func (h *History[T]) AtEnd() bool { return h.current >= len(h.visited)-1 }
