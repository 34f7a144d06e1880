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

// IsOpen reports whether the toolkit could make the window.
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

// Lost reports whether the compositor of the session has ended: the toolkit then closes all windows, as if a
// person did. OnEnd reports that an X server has ended.
func Lost(w fyne.Window) bool {
	lost := false
	native(w, func(window any) {
		_, ok := window.(driver.WaylandWindowContext)
		lost = ok && wayland.Lost()
	})
	return lost
}

// OnScale has again called, on the UI thread, when the scale of a Wayland window changes, also right after the start:
// the toolkit draws at the new scale, but keeps the pictures of texts that it has made for the old one. A new theme
// makes it forget them, so again sets one.
func OnScale(w fyne.Window, again func()) {
	native(w, func(window any) {
		c, ok := window.(driver.WaylandWindowContext)
		if !ok {
			return
		}
		onUI := func() { fyne.Do(again) }
		wayland.OnScale(c.WaylandSurface, onUI)
		if wayland.Scale(c.WaylandSurface) != 1 {
			onUI()
		}
	})
}

// Raise brings a window to the front, with the token of the user's act that asked for it.
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
