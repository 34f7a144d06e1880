package exporting

import (
	"cmp"
	"context"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/export"
	"assay/ui/rows"
)

func (p *Panel) popUp(items []*fyne.MenuItem, at fyne.Position) {
	p.Menu(fyne.NewMenu("", items...), at)
}

// Shortcut copies the selected assets as files, or does what the shortcut means in the window.
func (p *Panel) Shortcut(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); ok {
		p.CopyRows()
		return true
	}
	return p.Host.Shortcut(s)
}

// goTo shows what a row is of: the node of an asset, or that which made bytes begin in. An asset that was listed
// without its file, as those of folders are, is shown in the file.
func (p *Panel) goTo(row int64) {
	it := p.basket.items[row]
	p.job("Looking for the asset", func(context.Context) (func(), error) {
		d, a := it.from.doc, it.payload()
		n := a.Node
		switch {
		case n == nil && it.from.made:
			n = cmp.Or(d.Owner(a.Stored.Offset), d.Root())
		case n == nil:
			return func() { p.RevealAsset(d.Source.Path(), int(it.index)) }, nil
		}
		return func() { p.Reveal(d, n) }, nil
	})
}

// menu shows what can be done with the selected rows, once the row's asset is known.
func (p *Panel) menu(row int64, at fyne.Position) {
	if row < 0 || row >= int64(len(p.basket.items)) {
		p.popUp(p.listItems(), at)
		return
	}
	p.look(row, func(a *model.Payload) { p.popUp(append(p.rowItems(row, a), p.listItems()...), at) })
}

// formMenu shows the forms of the selected rows, once the row's asset is known.
func (p *Panel) formMenu(row int64, at fyne.Position) {
	p.look(row, func(a *model.Payload) {
		kind := fyne.NewMenuItem("Add All of Type "+model.OneLine(a.Type, 60), nil)
		kind.ChildMenu = fyne.NewMenu("", p.typeFormItems(row, a)...)
		p.popUp(append(p.formItems(row, a), fyne.NewMenuItemSeparator(), kind), at)
	})
}

// look describes the asset of a row.
func (p *Panel) look(row int64, then func(a *model.Payload)) {
	it := p.basket.items[row]
	p.job("Looking for the asset", func(context.Context) (func(), error) {
		a := it.payload()
		return func() { then(a) }, nil
	})
}

// listItems are what can be done with the list.
func (p *Panel) listItems() []*fyne.MenuItem {
	all := fyne.NewMenuItem("Select All", func() { p.list.rows.TypedShortcut(&fyne.ShortcutSelectAll{}) })
	none := fyne.NewMenuItem("Clear Export List", p.Clear)
	all.Disabled, none.Disabled = p.Len() == 0, p.Len() == 0
	again := fyne.NewMenuItem("Export Again", p.Again)
	again.Disabled = len(p.last.items) == 0
	items := []*fyne.MenuItem{all, none, again}
	if p.report.report != nil {
		items = append(items, fyne.NewMenuItem("Show Last Report",
			func() { p.report.show(p.report.report, p.report.folder) }))
	}
	return items
}

// formItems are the forms that the selected rows can be written in, of which one is that of an asset.
func (p *Panel) formItems(row int64, a *model.Payload) []*fyne.MenuItem {
	which, it := p.list.selected(), p.basket.items[row]
	return p.forms(it, a, it.form(), func(form string) { p.setForm(which, form) })
}

// typeFormItems are the forms that all assets of a type can be written in.
func (p *Panel) typeFormItems(row int64, a *model.Payload) []*fyne.MenuItem {
	return p.forms(p.basket.items[row], a, p.settings.preset.Forms[a.Type], func(form string) {
		p.settings.setForm(a.Type, form)
		p.changed()
	})
}

// forms are those of an asset, of which one is chosen; empty is the usual one.
func (p *Panel) forms(it item, a *model.Payload, chosen string, choose func(form string)) []*fyne.MenuItem {
	pick := it.pick()
	pick.Form = ""
	usual, names := export.PlanOne(pick, 1, p.options()).Form, export.FormNames(a)
	items := []*fyne.MenuItem{fyne.NewMenuItem("As usual ("+export.FormTitle(usual)+")", func() { choose("") })}
	items[0].Checked = chosen == ""
	if len(names) == 1 && chosen == "" {
		return items // the usual form is the only one
	}
	for _, form := range names {
		one := fyne.NewMenuItem(export.FormTitle(form), func() { choose(form) })
		one.Checked = chosen == form
		items = append(items, one)
	}
	return items
}

// rowItems are what can be done with the selected rows, of which one is that of an asset.
func (p *Panel) rowItems(row int64, a *model.Payload) []*fyne.MenuItem {
	which, it := p.list.selected(), p.basket.items[row]
	as, kind := fyne.NewMenuItem("Export As", nil), fyne.NewMenuItem("Export All of Type "+model.OneLine(a.Type, 60)+" As", nil)
	as.ChildMenu, kind.ChildMenu = fyne.NewMenu("", p.formItems(row, a)...),
		fyne.NewMenu("", p.typeFormItems(row, a)...)
	only := fyne.NewMenuItem("Export Selected Only", func() { p.writeRows(which) })
	return []*fyne.MenuItem{as, kind, fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Move Up  ("+p.Keys().Text("export.move-up")+")", func() { p.moveBy(-1) }),
		fyne.NewMenuItem("Move Down  ("+p.Keys().Text("export.move-down")+")", func() { p.moveBy(1) }),
		fyne.NewMenuItem("Move to Top", func() { p.moveTo(0) }),
		fyne.NewMenuItem("Move to Bottom", func() { p.moveTo(p.list.Len()) }),
		fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Show in Tree", func() { p.goTo(row) }),
		fyne.NewMenuItem("Open with Default App", func() { p.opened.open(it.pick(), p.settings.preset) }),
		fyne.NewMenuItem("Copy as Files", p.CopyRows), only, fyne.NewMenuItem("Remove", p.Remove),
		fyne.NewMenuItemSeparator()}
}

// moveBy moves the selected rows up or down by one place.
func (p *Panel) moveBy(by int64) {
	selected := p.list.selected()
	s := selected.All()
	switch {
	case len(s) == 0:
	case by < 0:
		p.moveTo(max(0, s[0].From-1))
	default:
		p.moveTo(min(p.list.Len(), s[len(s)-1].To+1))
	}
}

// moveTo moves the selected rows to a position in the list.
func (p *Panel) moveTo(to int64) {
	which := p.list.selected()
	if which.Count() == 0 {
		return
	}
	from := p.basket.move(which, to)
	var moved rows.Intervals
	moved.Add(from, from+which.Count())
	p.list.rows.SetCurrent(from)
	p.list.rows.SetSelection(moved)
	p.list.rows.ScrollTo(from)
	p.changed()
}

// setForm has the assets of rows written in a form; those that cannot have it say so.
func (p *Panel) setForm(which rows.Intervals, form string) {
	for _, part := range which.All() {
		for i := part.From; i < min(part.To, int64(len(p.basket.items))); i++ {
			p.basket.items[i].setForm(form)
		}
	}
	p.changed()
}
