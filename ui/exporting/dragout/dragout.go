// Package dragout drags files out of the program's window into other programs, and puts files on the clipboard.
//
// File managers request the names while the pointer still hovers, so the files must exist before the drop. The package
// writes them in the background once the drag leaves the program's own window (a drag within the window writes
// nothing), into a folder that only this user can read. Dropped files stay until Close, because the other program may
// still be reading them. All others are removed when their drag ends. Folders of crashed runs are removed on the next
// start: a run holds a lock on its folder, so a folder that can be locked has no owner. Sandboxed programs cannot read
// that folder: they get the files by a key of the document portal.
//
// The names of files begin with their protocol: x11, wayland or ole. The others serve two or all of them.
//
// A small picture at the pointer displays the name or the number of files and the effect of a drop. Escape cancels a
// drag.
//
// # X11
//
// A second connection to the X server, without cgo, implements the XDND protocol, version 5
// (https://www.freedesktop.org/wiki/Specifications/XDND/), with the action Copy only. Fyne's own connection grabs the
// pointer during the drag. This one queries its position, so that widgets only call Start, Move, End and Cancel.
// Nothing is offered before all files are ready. An early drop waits for them a few seconds.
//
// A single file is also offered by direct save (https://www.freedesktop.org/wiki/Specifications/XDS/), from the
// beginning: a target that accepts it provides the path, and the bytes are written there without a temporary copy.
// Existing files are never replaced.
//
// In a Wayland session the window may still be an X11 window, as in GNOME. The compositor forwards drags to native
// windows: it requests the types once and the files at any time. So everything except direct save is offered at once
// there, and requests are answered when the files are ready.
//
// # Wayland
//
// A native window passes its drag to the compositor when the pointer leaves it (wl_data_device, by ui/display/wayland).
// The toolkit receives no button events after that, so it gets a synthetic release. Requests are answered when the
// files are ready. A drag that returns ends as Inside, at any position in the window.
//
// # Windows
//
// OLE works in the same way. The files are written when a target requests them.
//
// # Limits
//
// Direct save to another machine is refused, as is any action other than Copy. Files on the clipboard are removed when
// the program ends. Whether a program has read the files cannot be determined, so no state reports it. Sway does not
// pass Escape on during a native drag. KWin and Mutter do not distinguish Escape from a drop that no program took. On
// macOS the same calls compile, and Available returns why nothing can be dragged.
package dragout

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2/driver"

	"assay/ui/display/wayland"
)

// Item is a file that can be dragged out.
type Item struct {
	Name    string    // file name; the drag uses a safe and unique one, with the Folder before it
	Folder  string    // the dragged folders that contain it, with slashes; may be empty
	Size    int64     // expected number of bytes, for the progress; negative if unknown
	ModTime time.Time // time of the last change; zero if unknown

	// Write writes the content. It is called on any goroutine, concurrently with other items, and possibly several
	// times. It must return soon after ctx ends.
	Write func(ctx context.Context, w io.Writer) error
}

// State is the progress of a drag.
type State uint8

// The states. The states after Ready end a drag.
const (
	Preparing State = iota // the files are being written: Event.Done of Event.Total bytes
	Ready                  // the files can be dropped
	Dropped                // another program received them
	Refused                // the target does not accept files, or the drop was too early
	Inside                 // the drag ended over a window of this program, which handles the drop
	Canceled               // Escape, or Cancel
	Failed                 // Event.Text has the reason
	Copied                 // the files are on the clipboard
)

// Problem is an item that could not be written and was skipped.
type Problem struct {
	Name string
	Err  error
}

// Event reports the progress of a drag or of CopyFiles.
type Event struct {
	State       State
	Clipboard   bool   // about CopyFiles, not about a drag
	Text        string // a sentence for the user
	Files       int    // number of files
	Done, Total int64  // bytes written so far and in total; Total is negative if unknown
	Problems    []Problem
}

// Options holds the parameters of a Source for one window.
type Options struct {
	// Window is the native X11 window, and Surface the native Wayland surface. The other one is 0.
	Window, Surface uintptr
	// OnState is called for every change, on a goroutine of this package, one call at a time. It must not block.
	OnState func(Event)
	// Scale is the number of pixels per device-independent pixel of the picture; 0 means 1.
	Scale   float32
	density float32 // factor that Wayland applies to Scale
	// Folder is the parent of the private folders; "" is one in the user's cache folder.
	Folder string
	// Display names the X server; "" for DISPLAY.
	Display string
}

// Source starts the drags of one window. Start, Move, End and Cancel must be called on the toolkit's thread. Open and
// Close block; on Windows, Move blocks while OLE runs the drag.
type Source struct{ platform }

// platform is the implementation for a window system.
type platform interface {
	// Available reports whether files can be dragged out, and returns the reason if not.
	Available() (bool, string)
	// Move reports a motion of the pointer; the platform queries the position. accepted reports that a drop at the
	// position in the program's own window would be accepted, for the picture.
	Move(accepted bool)
	// End reports the release of the button.
	End()
	// Cancel ends the drag and any direct save.
	Cancel()
	// Close ends everything and removes the files.
	Close() error

	start(items []Item)
	copyFiles(ctx context.Context, items []Item)
}

// Open connects to the display. It always returns a source: see Available.
func Open(o Options) *Source {
	if o.OnState == nil {
		o.OnState = func(Event) {}
	}
	if o.Scale <= 0 {
		o.Scale = 1
	}
	return &Source{openPlatform(o)}
}

// Start starts a drag. The button must be down, and the pointer must have moved far enough for a drag.
func (s *Source) Start(items []Item) error {
	if err := s.check(items); err != nil {
		return err
	}
	s.start(slices.Clone(items))
	return nil
}

// CopyFiles writes the files, then puts them on the clipboard, as file managers do. Canceling ctx stops writing, but
// has no effect once the files are on the clipboard.
func (s *Source) CopyFiles(ctx context.Context, items []Item) error {
	if err := s.check(items); err != nil {
		return err
	}
	s.copyFiles(ctx, slices.Clone(items))
	return nil
}

func (s *Source) check(items []Item) error {
	if ok, reason := s.Available(); !ok {
		return errors.New(reason)
	}
	if len(items) == 0 {
		return errors.New("no files to drag")
	}
	return nil
}

// unavailable is the platform without support for dragging out. Its value is the reason.
type unavailable string

func (u unavailable) Available() (bool, string) { return false, string(u) }

// Move does nothing. The same is true for the other methods.
func (unavailable) Move(bool)                         {}
func (unavailable) End()                              {}
func (unavailable) Cancel()                           {}
func (unavailable) Close() error                      { return nil }
func (unavailable) start([]Item)                      {}
func (unavailable) copyFiles(context.Context, []Item) {}

// SetNative sets Window or Surface from the context of Fyne's NativeWindow.RunNative. It must be called there.
func (o *Options) SetNative(context any) {
	switch c := context.(type) {
	case driver.X11WindowContext:
		o.Window = c.WindowHandle
	case driver.WindowsWindowContext:
		o.Window = c.HWND
	case driver.WaylandWindowContext:
		o.Surface = c.WaylandSurface
		if o.Surface != 0 {
			// Wayland's scale differs from the canvas's. The picture is drawn in whole pixels and scaled down.
			o.density = wayland.Scale(o.Surface)
			o.Scale *= float32(math.Ceil(float64(o.density)))
		}
	}
}
