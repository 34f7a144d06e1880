package viewport

import (
	"fyne.io/fyne/v2/widget"

	"assay/ui/command"
	"assay/ui/control"
)

// toggle is a button that switches something on and off, and shows which of them it is.
type toggle struct {
	*control.Button
	action
	view  *Viewport
	shown bool // it could be done when the row was laid out
}

// toggles are the switches beside the menus; all of them are in the menus, too.
func (t *tools) toggles() []*toggle {
	var all []*toggle
	for _, c := range command.All() {
		if c.Place == command.Scene && c.Tool != "" {
			one := &toggle{Button: t.view.button(c.ID, nil), action: t.view.commands.Actions[c.ID], view: t.view}
			one.SetText(c.Tool)
			all = append(all, one)
		}
	}
	return all
}

// mark has the button show whether it is on.
func (t *toggle) mark() {
	importance := widget.LowImportance
	if t.On(t.view) {
		importance = widget.HighImportance
	}
	if t.Importance != importance {
		t.Importance = importance
		t.Refresh()
	}
}
