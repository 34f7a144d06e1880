package viewport

import (
	"strings"

	"fyne.io/fyne/v2/widget"

	"assay/ui/control"
)

// toggle is a button that switches something on and off, and shows which of them it is.
type toggle struct {
	*control.Button
	is     func() bool
	wanted func() bool // whether the scene has what it is about; nil: always
	shown  bool        // it was wanted when the row was laid out
}

// toggles are the switches beside the menus; all of them are in the menus, too.
func (t *tools) toggles() []*toggle {
	v := t.view
	m := &v.camera.Marks
	one := func(name, key string, is func() bool, wanted func() bool) *toggle {
		do := func() { v.rune(rune(key[0])) }
		out := &toggle{Button: v.button(nil, name+" ("+strings.ToUpper(key)+")", do), is: is, wanted: wanted}
		out.SetText(name)
		return out
	}
	meshed := func() bool { return v.model != nil && v.model.Triangles() > 0 }
	return []*toggle{
		one("Grid", "g", func() bool { return m.Grid }, nil),
		one("Wireframe", "w", func() bool { return m.Wireframe }, meshed),
		one("Skeleton", "b", func() bool { return m.Skeleton }, v.jointed),
		one("UV Layout", "u", func() bool { return v.unwrap.on }, meshed),
		one("Orthographic", "5", func() bool { return v.camera.Orthographic }, nil),
		one("Turntable", "t", func() bool { return v.turning }, nil),
	}
}

// jointed reports whether the scene has joints.
func (v *Viewport) jointed() bool { return v.model != nil && len(v.model.Joints()) > 0 }

// mark has the button show whether it is on.
func (t *toggle) mark() {
	importance := widget.LowImportance
	if t.is() {
		importance = widget.HighImportance
	}
	if t.Importance != importance {
		t.Importance = importance
		t.Refresh()
	}
}
