package window

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"github.com/go-gl/glfw/v3.4/glfw"

	"assay/ui/desktop"
	"assay/ui/wayland"
)

// identify names the windows that the toolkit makes from now on as the desktop entry does, so that a desktop shows them
// under the program's icon. The toolkit has started, and no window is shown yet.
func identify() {
	for _, hint := range []glfw.Hint{glfw.WaylandAppID, glfw.X11ClassName, glfw.X11InstanceName} {
		glfw.WindowHintString(hint, desktop.AppID)
	}
}

// native calls f with what the system knows the window by.
func (w *Window) native(f func(window any)) {
	if n, ok := w.win.(driver.NativeWindow); ok {
		n.RunNative(f)
	}
}

// isOpen reports whether the toolkit could make the window.
func (w *Window) isOpen() bool {
	open := true
	w.native(func(window any) {
		switch c := window.(type) {
		case driver.X11WindowContext:
			open = c.WindowHandle != 0
		case driver.WaylandWindowContext:
			open = c.WaylandSurface != 0
		case driver.WindowsWindowContext:
			open = c.HWND != 0
		}
	})
	return open
}

// displayLost reports whether the compositor of the session has ended: the toolkit then closes all windows, as if a
// person did. Of an X server that has ended, hearOfDisplay tells.
func (w *Window) displayLost() bool {
	lost := false
	w.native(func(window any) {
		_, ok := window.(driver.WaylandWindowContext)
		lost = ok && wayland.Lost()
	})
	return lost
}

// keepSharp has the text drawn anew when the scale of a Wayland window changes, also right after the start: the toolkit
// draws at the new scale, but keeps the pictures of texts that it has made for the old one. A new theme makes it forget
// them.
func (w *Window) keepSharp() {
	w.native(func(window any) {
		c, ok := window.(driver.WaylandWindowContext)
		if !ok {
			return
		}
		again := func() { fyne.Do(w.applyLook) }
		wayland.OnScale(c.WaylandSurface, again)
		if wayland.Scale(c.WaylandSurface) != 1 {
			again()
		}
	})
}

// raise brings the window to the front, with the token of the user's act that asked for it.
func (w *Window) raise(token string) {
	w.native(func(window any) {
		switch c := window.(type) {
		case driver.WaylandWindowContext:
			wayland.Activate(c.WaylandSurface, token)
		case driver.X11WindowContext:
			w.group.Go(func(context.Context) func() {
				if raiseX11(uint32(c.WindowHandle), token) {
					return nil
				}
				return w.win.RequestFocus
			})
		default:
			w.win.RequestFocus()
		}
	})
}
