// Package wayland speaks to the compositor of a native Wayland window, next to the toolkit and on its connection, as
// drags and activation need the window's own surface and the serials of its input. It has an event queue of its own;
// the toolkit's window is found by the surface.
//
// The toolkit closes the connection when it ends, without a word. A client that is still there notices by the file
// descriptor, and then touches nothing of the connection any more.
package wayland

import (
	"errors"
	"os"
)

// ErrEnded means that the connection has ended.
var ErrEnded = errors.New("lost the connection to the Wayland display")

// Kind is the kind of an event.
type Kind int

// The kinds of events. Those about a drag or the clipboard name its source.
const (
	Target   Kind = iota // Value: 1 if the target below the pointer accepts one of the types
	Action               // Value: the action of a drop; 0 for none
	Dropped              // the button was released over something that takes the drag
	Finished             // the target has finished
	// released over nothing that takes it, or ended by the compositor, or replaced on the clipboard
	Cancelled
	Entered  // the drag is over a window of this program, at X, Y
	Moved    // and moved in it
	Left     // and left it
	Landed   // and was dropped there
	Released // the window received an event without pressed buttons
	Escaped  // the window received the Escape key
	Crossed  // the pointer leaves the window; see Arm
	Send     // the target requests the content as Type into File; the receiver closes it
)

// Event is an event from the compositor.
type Event struct {
	Kind   Kind
	Source int
	Value  int
	X, Y   float64 // in the window
	Type   string
	File   *os.File
	Own    bool // this program itself reads the data written into File, and may wait for it
}
