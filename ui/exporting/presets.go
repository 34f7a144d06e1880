package exporting

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model/export"
	"assay/ui/ask"
	"assay/ui/control"
	"assay/ui/host"
)

// menuBelow opens a menu below a button.
func (s *settings) menuBelow(b fyne.CanvasObject, items []*fyne.MenuItem) {
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
	s.p.popUp(items, pos.AddXY(0, b.Size().Height))
}

// templateItems returns the menu items for templates and their fields.
func (s *settings) templateItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, t := range []struct{ label, text string }{
		{"Keep Folder Structure", export.Keep}, {"Single Folder", export.Flat},
		{"One Folder per File", export.PerFile},
		{"One Folder per Type", "{type}/{name}{ext}"}, {"Key as Name", "{key}{ext}"}, {"Number Before Name", "{index} {name}{ext}"},
	} {
		item := fyne.NewMenuItem(t.label, func() { s.names.SetText(t.text) })
		item.Checked = s.template.String() == t.text && s.templateError == ""
		items = append(items, item)
	}
	items = append(items, fyne.NewMenuItemSeparator())
	for _, f := range []struct{ label, text string }{
		{"Name", "{name}"}, {"Folder", "{dir}"}, {"Extension", "{ext}"}, {"Key", "{key}"}, {"Type", "{type}"},
		{"Number", "{index}"}, {"File", "{file}"},
	} {
		items = append(items, fyne.NewMenuItem("Add "+f.label+"  "+f.text,
			func() { s.names.SetText(s.names.Text + f.text) }))
	}
	return items
}

func (s *settings) presetItems() []*fyne.MenuItem {
	saved, err := export.LoadPresets(s.p.presetFile)
	s.p.notifyError(err)
	var items, removals []*fyne.MenuItem
	for _, preset := range export.StandardPresets() {
		item := fyne.NewMenuItem(preset.Name, func() { s.setPreferred(preset.Prefer) })
		item.Checked = s.preset.Prefer == preset.Prefer
		items = append(items, item)
	}
	usual := fyne.NewMenuItem("Default Format of Each Type", func() { s.setPreferred("") })
	usual.Checked = s.preset.Prefer == ""
	items = append(items, usual, fyne.NewMenuItemSeparator())
	count := len(items)
	for _, name := range saved.Names() {
		items = append(items, fyne.NewMenuItem(name, func() {
			preset, err := saved.Find(name)
			if err != nil {
				s.p.notifyError(err)
				return
			}
			s.apply(preset)
			s.save()
			s.p.changed()
			s.p.ShowHint("Preset “" + name + "” applied.")
		}))
		removals = append(removals, fyne.NewMenuItem(name, func() { s.p.notifyError(saved.Remove(name)) }))
	}
	if len(items) > count {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	items = append(items, fyne.NewMenuItem("Save as Preset…", func() { s.askPreset(saved) }))
	if len(removals) > 0 {
		remove := fyne.NewMenuItem("Delete Preset", nil)
		remove.ChildMenu = fyne.NewMenu("", removals...)
		items = append(items, remove)
	}
	return items
}

func (s *settings) askPreset(saved *export.Presets) {
	name := control.NewField(s.p, "Name")
	keepFolder := control.NewCheck(s.p.Key, "Include the export folder", nil)
	keepFolder.Checked = true
	save := s.p.ask.Form("Save as preset", container.NewVBox(name, keepFolder), fyne.NewSize(320, 150), name,
		ask.Button{Label: "Save", On: func() {
			preset := s.preset
			preset.Name = name.Text
			if !keepFolder.Checked {
				preset.Folder = ""
			}
			s.savePreset(saved, preset)
		}})
	name.OnKey = func(k *fyne.KeyEvent, _ bool) bool {
		switch k.Name {
		case fyne.KeyReturn, fyne.KeyEnter:
			save()
		case fyne.KeyEscape:
			s.p.ask.Dismiss()
		default:
			return false
		}
		return true
	}
}

func (s *settings) savePreset(saved *export.Presets, preset export.Preset) {
	if err := saved.Save(preset); err != nil {
		s.p.notifyError(err)
		return
	}
	s.p.Notify(host.Notice{ID: "preset",
		Text: "Preset saved. To use it on the command line: assay extract --preset " + shellQuote(preset.Name) +
			" FILE"})
}

// shellQuote returns a name quoted for a shell.
func shellQuote(s string) string {
	for _, r := range s {
		if !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '_' || r == '.') {
			return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
	}
	return s
}
