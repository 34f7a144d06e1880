// Package dragout drags files out of the program's window into other programs, and puts files on the clipboard.
//
// File managers ask for the names while the pointer still hovers, so the files have to be there before the drop. They
// are written in the background from when the drag leaves the program's own window (a drag to a place in the window
// costs no disk), into a folder that only this user can read. Files that were dropped stay until Close, as the other
// program may still be reading them; all others are removed when their drag ends. Folders of runs that crashed are
// removed at the next start: a run holds a lock on its folder, so one that can be locked has no owner. Programs in a
// sandbox cannot reach that folder; they get the files by a key of the document portal.
//
// Files are named by their protocol: x11, wayland and ole; the others serve two of them or all.
//
// A small picture with the name or the number of files follows the pointer and says what a drop would do. Escape ends
// a drag.
//
// # X11
//
// A second connection to the X server, without cgo, speaks the XDND protocol, version 5
// (https://www.freedesktop.org/wiki/Specifications/XDND/), with the action Copy only. Fyne's own connection holds the
// pointer during the drag; this one only asks where it is, so a widget says no more than Start, Move, End and Cancel.
// Nothing is offered before all files are ready; a drop that comes too early waits for them a few seconds.
//
// A single file is also offered by direct save (https://www.freedesktop.org/wiki/Specifications/XDS/), from the
// beginning: a target that takes it names the place, and the bytes go there without a temporary copy. What is there
// already is never replaced.
//
// In a Wayland session the window may be an X11 one all the same, as in GNOME. The compositor carries drags on to
// native windows: it asks for the types once and for the files at any time. So all but direct save is offered at once
// there, and questions are answered when the files are ready.
//
// # Wayland
//
// A native window hands its drag over to the compositor when the pointer leaves it (wl_data_device, by
// ui/display/wayland). The toolkit never hears of the button after that, and is told that it was released. Questions
// are answered when the files are ready. A drag that comes back ends as Inside, wherever in the window it is dropped.
//
// # Windows
//
// OLE does the same, with files that are written when they are asked for.
//
// # Limits
//
// Direct save to another machine is refused, as is any action other than Copy. The clipboard's files go when the
// program ends. Whether a program that was handed names has read the files cannot be known; so nothing is said about
// it. Sway keeps Escape to itself during a native drag; KWin and Mutter do not say whether it was Escape or a drop that
// nothing took. On macOS the same calls compile, and Available says why nothing can be dragged.
package dragout

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"
)

// Item is a file that can be dragged out.
type Item struct {
	Name    string    // its name; made safe, and told apart from others of the same drag
	Size    int64     // bytes it will have, for the progress; less than 0 if unknown
	ModTime time.Time // when it was last changed; zero if not recorded

	// Write writes the content. It runs on any goroutine, next to the Write of other items, and may be called again for
	// another copy. It ends soon after ctx does.
	Write func(ctx context.Context, w io.Writer) error
}

// State says how far a drag is.
type State uint8

// The states. After the first two a drag is over.
const (
	Preparing State = iota // the files are being written: Event.Done of Event.Total bytes
	Ready                  // the files can be dropped
	Dropped                // another program took them
	Refused                // they were dropped where nothing takes them, or too early
	Inside                 // the drag ended over a window of this program, which knows what to do with it
	Cancelled              // Escape, or Cancel
	Failed                 // Event.Text says why
	Copied                 // the files are on the clipboard
)

// Problem is an item that could not be written; it is left out, the others are not.
type Problem struct {
	Name string
	Err  error
}

// Event is news of a drag, or of files on their way to the clipboard.
type Event struct {
	State       State
	Clipboard   bool   // about CopyFiles, not about a drag
	Text        string // a sentence for the user
	Files       int    // how many files there are
	Done, Total int64  // bytes written so far, of all; Total is less than 0 if unknown
	Problems    []Problem
}

// Options say how to drag out of one window.
type Options struct {
	// Window is the native X11 window, and Surface the native Wayland surface; 0 for the one that there is not.
	Window, Surface uintptr
	// OnState hears of every change, on a goroutine of this package, one after the other. It must not block.
	OnState func(Event)
	// Scale is pixels for one of the device-independent pixels that the picture is measured in; 0 for 1.
	Scale   float32
	density float32 // what Wayland adds to Scale
	// Folder is where private folders are made; "" for one in the user's cache folder.
	Folder string
	// Display names the X server; "" for DISPLAY.
	Display string
}

// Source is where drags start: one for each window. No call waits for anything but Open and Close. Start is
// called on the toolkit's thread; the others are safe for concurrent use.
type Source struct{ platform }

// platform is what a system has to offer.
type platform interface {
	// Available reports whether files can be dragged out, and if not, a sentence that says why.
	Available() (bool, string)
	// Move says that the pointer moved; where to is asked of the display. taken says that the program's own window
	// takes what is dragged there, if the pointer is in it: the picture tells.
	Move(taken bool)
	// End says that the button was released.
	End()
	// Cancel ends the drag, and a direct save that is under way.
	Cancel()
	// Close ends everything and removes the files.
	Close() error

	start(items []Item)
	copyFiles(ctx context.Context, items []Item)
}

// Open connects to the display. It always returns a source; Available says what it can do.
func Open(o Options) *Source {
	if o.OnState == nil {
		o.OnState = func(Event) {}
	}
	if o.Scale <= 0 {
		o.Scale = 1
	}
	return &Source{openPlatform(o)}
}

// Start begins a drag: the pointer's button is down, and it has moved far enough to mean it.
func (s *Source) Start(items []Item) error {
	if err := s.check(items); err != nil {
		return err
	}
	s.start(slices.Clone(items))
	return nil
}

// CopyFiles writes the files, then puts them on the clipboard, as file managers do. Ending the context ends the
// writing; once they are there, nothing.
func (s *Source) CopyFiles(ctx context.Context, items []Item) error {
	if err := s.check(items); err != nil {
		return err
	}
	s.copyFiles(ctx, slices.Clone(items))
	return nil
}

func (s *Source) check(items []Item) error {
	if ok, why := s.Available(); !ok {
		return errors.New(why)
	}
	if len(items) == 0 {
		return errors.New("no files to drag")
	}
	return nil
}

// unavailable is the platform where nothing can be dragged out.
type unavailable string

// Available says why not.
func (u unavailable) Available() (bool, string) { return false, string(u) }

// Move does nothing, as do the others.
func (unavailable) Move(bool)                         {}
func (unavailable) End()                              {}
func (unavailable) Cancel()                           {}
func (unavailable) Close() error                      { return nil }
func (unavailable) start([]Item)                      {}
func (unavailable) copyFiles(context.Context, []Item) {}
