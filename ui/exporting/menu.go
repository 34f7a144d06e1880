package exporting

import (
	"cmp"
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/export"
	"assay/ui/ask"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/rows"
)

func (p *Panel) popUp(items []*fyne.MenuItem, pos fyne.Position) {
	p.Menu(fyne.NewMenu("", items...), pos)
}

// Shortcut copies the selected assets as files, or passes the shortcut to the window.
func (p *Panel) Shortcut(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); ok {
		p.CopyRows()
		return true
	}
	return p.Host.Shortcut(s)
}

// revealRow selects the node of a row: the node of the asset, or the one that contains the bytes of a derived asset. If
// the asset is a file of a folder, it opens the file.
func (p *Panel) revealRow(row int64) {
	entry := p.assets.items[row]
	p.job("Finding asset", func(context.Context) (func(), error) {
		d, a := entry.source.doc, entry.payload()
		n := a.Node
		switch {
		case n == nil && entry.source.derived:
			n = cmp.Or(d.Owner(a.Stored.Offset), d.Root())
		case n == nil:
			return func() { p.RevealAsset(d.Source.Path(), int(entry.index)) }, nil
		}
		return func() { p.Reveal(d, n) }, nil
	})
}

// menu displays the context menu of the selected rows once the asset of the row is loaded.
func (p *Panel) menu(row int64, pos fyne.Position) {
	if row < 0 || row >= int64(len(p.assets.items)) {
		p.popUp(p.listItems(), pos)
		return
	}
	p.withAsset(row, func(a *model.Payload) { p.popUp(append(p.rowItems(row, a), p.listItems()...), pos) })
}

// formMenu displays the export formats of the selected rows once the asset of the row is loaded.
func (p *Panel) formMenu(row int64, pos fyne.Position) {
	p.withAsset(row, func(a *model.Payload) {
		kind := fyne.NewMenuItem(allOfType(a), nil)
		kind.ChildMenu = fyne.NewMenu("", p.typeFormItems(row, a)...)
		p.popUp(append(p.formItems(row, a), fyne.NewMenuItemSeparator(), kind), pos)
	})
}

// withAsset calls done with the asset of a row, which it loads in the background.
func (p *Panel) withAsset(row int64, done func(a *model.Payload)) {
	entry := p.assets.items[row]
	p.job("Finding asset", func(context.Context) (func(), error) {
		a := entry.payload()
		return func() { done(a) }, nil
	})
}

// listItems returns the menu items for the whole list.
func (p *Panel) listItems() []*fyne.MenuItem {
	selectAll := fyne.NewMenuItem("Select All", func() { p.list.rows.TypedShortcut(&fyne.ShortcutSelectAll{}) })
	clearList := fyne.NewMenuItem("Clear Export List", p.Clear)
	selectAll.Disabled, clearList.Disabled = p.Len() == 0, p.Len() == 0
	repeat := fyne.NewMenuItem("Export Again", p.Again)
	repeat.Disabled = !p.CanRepeat()
	return []*fyne.MenuItem{selectAll, clearList, repeat}
}

// formItems returns the menu items with the export formats for the selected rows, including row with asset a.
func (p *Panel) formItems(row int64, a *model.Payload) []*fyne.MenuItem {
	selected, entry := p.list.selected(), p.assets.items[row]
	usual := p.defaultForm(entry, p.options())
	if item := p.list.planned(row); item != nil && entry.form() == "" {
		usual = item.Form // the plan has opened the asset, so its format is known
	}
	return formChoices(a, usual, entry.form(), func(form string) { p.setForm(selected, form) })
}

// typeFormItems returns the menu items with the export formats for all assets of a's type.
func (p *Panel) typeFormItems(row int64, a *model.Payload) []*fyne.MenuItem {
	o := p.options()
	o.Forms = nil
	usual := p.defaultForm(p.assets.items[row], o)
	return formChoices(a, usual, p.settings.preset.Forms[a.Type], func(form string) {
		p.settings.setForm(a.Type, form)
		p.changed()
	})
}

// defaultForm returns the default export format of an asset.
func (p *Panel) defaultForm(entry item, o export.Options) string {
	pick := entry.pick()
	pick.Form = ""
	return export.PlanOne(pick, 1, o).Form
}

// formChoices returns the menu items of the export formats of an asset. usual is the default format, and chosen the
// user's choice or "".
func formChoices(a *model.Payload, usual, chosen string, choose func(form string)) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, form := range export.FormNames(a) {
		choice := fyne.NewMenuItem(export.FormTitle(form), func() { choose(form) })
		if choice.Checked = chosen == form; form == usual {
			choice.Label += " (default)"
			choice.Checked, choice.Action = chosen == form || chosen == "", func() { choose("") }
		}
		items = append(items, choice)
	}
	return items
}

// allOfType returns the part of a menu label that means all assets of a's type.
func allOfType(a *model.Payload) string {
	if a.Type == "" || a.Type == model.UnknownType {
		return "All of Unknown Type"
	}
	return "All of Type " + model.OneLine(a.Type, 60)
}

// rowItems returns the menu items for the selected rows, including row with asset a.
func (p *Panel) rowItems(row int64, a *model.Payload) []*fyne.MenuItem {
	selected, entry := p.list.selected(), p.assets.items[row]
	submenu, kind := fyne.NewMenuItem("Export As", nil), fyne.NewMenuItem("Export "+allOfType(a)+" As", nil)
	submenu.ChildMenu, kind.ChildMenu = fyne.NewMenu("", p.formItems(row, a)...),
		fyne.NewMenu("", p.typeFormItems(row, a)...)
	selectedOnly := fyne.NewMenuItem("Export Selected Only", func() { p.writeRows(selected) })
	return []*fyne.MenuItem{submenu, kind, fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Move Up  ("+p.Keys().Text("export.move-up")+")", func() { p.moveBy(-1) }),
		fyne.NewMenuItem("Move Down  ("+p.Keys().Text("export.move-down")+")", func() { p.moveBy(1) }),
		fyne.NewMenuItem("Move to Top", func() { p.moveTo(0) }),
		fyne.NewMenuItem("Move to Bottom", func() { p.moveTo(p.list.Len()) }),
		fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Show in Tree", func() { p.revealRow(row) }),
		fyne.NewMenuItem("Open with Default App", func() { p.externalOpener.open(entry.pick(), p.settings.preset) }),
		fyne.NewMenuItem("Copy as Files", p.CopyRows), selectedOnly, fyne.NewMenuItem("Remove", p.Remove),
		fyne.NewMenuItemSeparator()}
}

// moveBy moves the selected rows up or down by one.
func (p *Panel) moveBy(step int64) {
	selected := p.list.selected()
	s := selected.All()
	switch {
	case len(s) == 0:
	case step < 0:
		p.moveTo(max(0, s[0].From-1))
	default:
		p.moveTo(min(p.list.Len(), s[len(s)-1].To+1))
	}
}

// moveTo moves the selected rows to an index in the list.
func (p *Panel) moveTo(to int64) {
	selected := p.list.selected()
	if selected.Count() == 0 {
		return
	}
	from := p.assets.move(selected, to)
	var moved rows.Intervals
	moved.Add(from, from+selected.Count())
	p.list.rows.SetCurrent(from)
	p.list.rows.SetSelection(moved)
	p.list.rows.ScrollTo(from)
	p.changed()
}

// setForm sets the export format of rows. Rows that do not support it are marked.
func (p *Panel) setForm(selected rows.Intervals, form string) {
	for i := range selected.Below(int64(len(p.assets.items))) {
		p.assets.items[i].setForm(form)
	}
	p.changed()
}

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
			s.setPreset(preset)
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
