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
