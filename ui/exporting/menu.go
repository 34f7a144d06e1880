package exporting

import (
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

// goTo shows a row's node in its document.
func (p *Panel) goTo(row int64) {
	it := p.basket.items[row]
	p.job("Looking for the asset", func(context.Context) (func(), error) {
		n := it.payload().Node
		return func() {
			if n == nil {
				p.Tell("These bytes are no node of their own.")
			} else {
				p.Reveal(it.from.doc, n)
			}
		}, nil
	})
}

// menu shows what can be done with the selected rows, once the row's asset is known.
func (p *Panel) menu(row int64, at fyne.Position) {
	if row < 0 || row >= int64(len(p.basket.items)) {
		p.popUp(p.listItems(), at)
		return
	}
	it := p.basket.items[row]
	p.job("Looking for the asset", func(context.Context) (func(), error) {
		a := it.payload()
		return func() { p.popUp(append(p.rowItems(row, a), p.listItems()...), at) }, nil
	})
}

// listItems are what can be done with the list.
func (p *Panel) listItems() []*fyne.MenuItem {
	all := fyne.NewMenuItem("Select All", func() { p.list.rows.TypedShortcut(&fyne.ShortcutSelectAll{}) })
	none := fyne.NewMenuItem("Clear the List", p.Clear)
	all.Disabled, none.Disabled = p.Len() == 0, p.Len() == 0
	items := []*fyne.MenuItem{all, none}
	if p.report.report != nil {
		items = append(items, fyne.NewMenuItem("Last Report", func() { p.report.show(p.report.report, p.report.folder) }))
	}
	return items
}

// rowItems are what can be done with the selected rows, of which one is that of an asset.
func (p *Panel) rowItems(row int64, a *model.Payload) []*fyne.MenuItem {
	which := p.list.selected()
	it := p.basket.items[row]
	as := fyne.NewMenuItem("Write as", nil)
	kind := fyne.NewMenuItem("All of Type "+model.OneLine(a.Type, 60)+" as", nil)
	as.ChildMenu, kind.ChildMenu = fyne.NewMenu(""), fyne.NewMenu("")
	byType := p.settings.forms()[a.Type]
	add := func(label, form string) {
		one := fyne.NewMenuItem(label, func() { p.setForm(which, form) })
		one.Checked = it.form == form
		all := fyne.NewMenuItem(label, func() { p.setTypeForm(a.Type, form) })
		all.Checked = byType == form
		as.ChildMenu.Items, kind.ChildMenu.Items = append(as.ChildMenu.Items, one), append(kind.ChildMenu.Items, all)
	}
	forms := export.FormNames(a)
	if len(forms) > 0 {
		add("Default ("+forms[0]+")", "")
	}
	for _, f := range forms {
		add(f, f)
	}
	only := fyne.NewMenuItem("Export Only These", func() {
		if p.run == nil {
			p.write(p.basket.picks(which))
		}
	})
	return []*fyne.MenuItem{as, kind, fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Go to It", func() { p.goTo(row) }), fyne.NewMenuItem("Open With the System's Program", func() { p.opened.open(it.pick(), p.settings.preset) }),
		fyne.NewMenuItem("Copy as Files", p.CopyRows), only, fyne.NewMenuItem("Remove", p.Remove), fyne.NewMenuItemSeparator()}
}

// setForm has the assets of rows written in a form; those that cannot have it say so.
func (p *Panel) setForm(which rows.Intervals, form string) {
	for _, part := range which.All() {
		for i := part.From; i < min(part.To, int64(len(p.basket.items))); i++ {
			p.basket.items[i].form = form
		}
	}
	p.changed()
}

// setTypeForm has all assets of a type written in a form, but for those that got one themselves.
func (p *Panel) setTypeForm(kind, form string) {
	p.settings.setForm(kind, form)
	p.changed()
}
