package dragout

import "fyne.io/fyne/v2/driver"

// X11Window is the native window in the context that Fyne's NativeWindow.RunNative gives; 0 if it is neither an X11 window
// nor one of Windows.
func X11Window(context any) uintptr {
	switch c := context.(type) {
	case driver.X11WindowContext:
		return c.WindowHandle
	case *driver.X11WindowContext:
		return c.WindowHandle
	case driver.WindowsWindowContext:
		return c.HWND
	}
	return 0
}
