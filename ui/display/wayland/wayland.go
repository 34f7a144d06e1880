// Package wayland is a client of the compositor for a native Wayland window. It uses the toolkit's connection, because
// drags and activation need the window's own surface and the serials of its input. It has its own event queue. The
// surface identifies the toolkit's window.
//
// The toolkit closes the connection without notification when it ends. A client that still exists detects that by the
// file descriptor, and no longer uses the connection.
package wayland

import (
	"errors"
	"os"
)

// ErrEnded means that the connection has ended.
var ErrEnded = errors.New("lost the connection to the Wayland display")

// Kind is the kind of an event.
type Kind int

// The kinds of events. Events about a drag or the clipboard have its source.
const (
	Target   Kind = iota // Value: 1 if the target below the pointer accepts one of the types
	Action               // Value: the action of a drop; 0 for none
	Dropped              // the button was released over a target that accepts the drag
	Finished             // the target has finished
	// Canceled: released without a target that accepts it, ended by the compositor, or replaced on the clipboard.
	Canceled
	Entered  // the drag has entered a window of this program, at X, Y
	Moved    // the drag has moved over a window of this program, to X, Y
	Left     // the drag has left the window
	Landed   // the drag was dropped on the window
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
	X, Y   float64 // position in the window
	Type   string
	File   *os.File
	Own    bool // this program itself reads the data written into File, and may wait for it
}
