// Package display accesses the display for features that the toolkit lacks: choosing the display and detecting its end,
// the color scheme, the name, scale and activation of the window, drops without files, and the toolkit's log. Package
// wayland implements the client of a compositor.
package display

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"github.com/go-gl/glfw/v3.4/glfw"

	"assay/ui/desktop"
	"assay/ui/display/wayland"
	"assay/ui/work"
)

// Identify gives the windows that the toolkit creates from now on the name of the desktop entry, so that a desktop
// displays them with the program's icon. Call it after the toolkit has started, and before a window is displayed.
func Identify() {
	for _, hint := range []glfw.Hint{glfw.WaylandAppID, glfw.X11ClassName, glfw.X11InstanceName} {
		glfw.WindowHintString(hint, desktop.AppID)
	}
}

// native calls f with the system's handle of the window.
func native(w fyne.Window, f func(window any)) {
	if n, ok := w.(driver.NativeWindow); ok {
		n.RunNative(f)
	}
}

// IsOpen reports whether the toolkit has created the window.
func IsOpen(w fyne.Window) bool {
	open := true
	native(w, func(window any) {
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

// Lost reports whether the compositor of the session has ended: the toolkit then closes all windows as if the user did.
// OnEnd reports the end of an X server.
func Lost(w fyne.Window) bool {
	lost := false
	native(w, func(window any) {
		_, ok := window.(driver.WaylandWindowContext)
		lost = ok && wayland.Lost()
	})
	return lost
}

// OnScale sets the func called, on the UI thread, when the scale of a Wayland window changes, including right after the
// start. The toolkit then draws at the new scale but keeps its cached images of text. Setting a theme in again discards
// those.
func OnScale(w fyne.Window, changed func()) {
	native(w, func(window any) {
		c, ok := window.(driver.WaylandWindowContext)
		if !ok {
			return
		}
		onUI := func() { work.Do(changed) }
		wayland.OnScale(c.WaylandSurface, onUI)
		if wayland.Scale(c.WaylandSurface) != 1 {
			onUI()
		}
	})
}

// Raise raises a window, with the token of the user's action that requested it.
func Raise(w fyne.Window, group *work.Group, token string) {
	native(w, func(window any) {
		switch c := window.(type) {
		case driver.WaylandWindowContext:
			wayland.Activate(c.WaylandSurface, token)
		case driver.X11WindowContext:
			group.Go(func(context.Context) func() {
				if raiseX11(uint32(c.WindowHandle), token) {
					return nil
				}
				return w.RequestFocus
			})
		default:
			w.RequestFocus()
		}
	})
}
