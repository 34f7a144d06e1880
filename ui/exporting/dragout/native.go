package dragout

import (
	"math"

	"fyne.io/fyne/v2/driver"

	"assay/ui/display/wayland"
)

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
