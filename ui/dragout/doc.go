// Package dragout drags files out of the program's window into other programs, and puts files on the clipboard.
//
// It works where the window is an X11 window (X11 itself, or XWayland), without cgo: a second connection to the X
// server speaks the XDND protocol, version 5 (https://www.freedesktop.org/wiki/Specifications/XDND/), with the action
// Copy only. Fyne's own connection holds the pointer during the drag; this one only asks where it is, so a widget says
// no more than Start, Move, End and Cancel. On Windows OLE does the same, with files that are written when they are asked
// for. Elsewhere (a native Wayland window, macOS) the same calls compile and Available says in a sentence why nothing can
// be dragged.
//
// File managers ask for the names while the pointer still hovers, so the files have to be there before the drop. They
// are written in the background from when the drag leaves the program's own window (a drag to a place in the window
// costs no disk), into a folder that only this user can read, and nothing is offered before all of them are ready.
// A drop that comes too early waits for them a few seconds. Files that were dropped stay until Close, as the other program
// may still be reading them; all others are removed when their drag ends. Folders of runs that crashed are removed at
// the next start: a run holds a lock on its folder, so one that can be locked has no owner.
//
// A single file is also offered by direct save (https://www.freedesktop.org/wiki/Specifications/XDS/), from the
// beginning: a target that takes it names the place, and the bytes go there without a temporary copy. What is there
// already is never replaced.
//
// Escape ends a drag: the connection listens to the keys of the program's window, and looks at the keyboard besides.
// A small picture with the name or the number of files follows the pointer and says what a drop would do.
//
// In a Wayland session the window may be an X11 one all the same, and the compositor carries drags on to native windows. It
// asks for the types once and for the files at any time: so all is offered at once there, and answered when it is ready.
//
// Limits. Direct save is not offered in a Wayland session; to
// another machine is refused, as is any action other than Copy. The clipboard's files go when the program ends.
// Whether a program that was handed names has read the files cannot be known; so nothing is said about it.
package dragout
