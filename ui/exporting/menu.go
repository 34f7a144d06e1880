package exporting

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/export"
	"assay/ui/doc"
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
	all := fyne.NewMenuItem("Select All", func() { p.list.rows.TypedShortcut(&fyne.ShortcutSelectAll{}) })
	none := fyne.NewMenuItem("Clear Export List", p.Clear)
	all.Disabled, none.Disabled = p.Len() == 0, p.Len() == 0
	repeat := fyne.NewMenuItem("Export Again", p.Again)
	repeat.Disabled = !p.CanRepeat()
	return []*fyne.MenuItem{all, none, repeat}
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
	for _, part := range selected.All() {
		for i := part.From; i < min(part.To, int64(len(p.assets.items))); i++ {
			p.assets.items[i].setForm(form)
		}
	}
	p.changed()
}

// maxDerived is the maximum number of nodes that become derived assets at once.
const maxDerived = 10_000

// found holds the assets that were found for nodes of a document.
type found struct {
	indexes   []int
	derived   model.PayloadList
	truncated bool // further assets were omitted because of a limit
}

// listOf returns the found assets in a new export list.
func (p *Panel) listOf(d *model.Document, c *found) *exportList {
	b := newExportList(p.closeDocument)
	b.add(d, c.indexes)
	b.addDerived(d, c.derived)
	return b
}

func (c *found) len() int { return len(c.indexes) + len(c.derived) }

// allIndexes returns the indexes of all assets.
func allIndexes(assets model.Payloads) []int {
	indexes := make([]int, assets.Len())
	for i := range indexes {
		indexes[i] = i
	}
	return indexes
}

// assetsOf finds the assets of nodes. A node without assets becomes a derived asset, as JSON.
func assetsOf(ctx context.Context, d *model.Document, nodes doc.Nodes) (*found, error) {
	list, truncated, err := nodes(ctx)
	if err != nil {
		return nil, err
	}
	places, err := d.AssetIndex(ctx)
	if err != nil {
		return nil, err
	}
	c := &found{truncated: truncated}
	var others []*model.Node
	if c.indexes, others, err = places.AssetsOf(ctx, list); err != nil {
		return nil, err
	}
	for _, n := range others {
		if len(c.derived) == maxDerived {
			c.truncated = true
			break
		}
		c.derived = append(c.derived, model.NodePayload(d, n))
	}
	return c, nil
}

// findAssets runs assetsOf in a job.
func (p *Panel) findAssets(d *model.Document, nodes doc.Nodes, done func(c *found)) {
	p.job("Finding assets", func(ctx context.Context) (func(), error) {
		c, err := assetsOf(ctx, d, nodes)
		return func() { done(c) }, err
	})
}

// Add adds the assets of nodes to the list.
func (p *Panel) Add(d *model.Document, nodes doc.Nodes) {
	p.ShowExport()
	p.findAssets(d, nodes, func(c *found) { p.addFound(d, c) })
}

// ExportNodes asks for the folder and exports the assets of nodes, regardless of the list.
func (p *Panel) ExportNodes(d *model.Document, nodes doc.Nodes) {
	if p.running != nil {
		p.ShowHint("An export is already running.")
		return
	}
	p.findAssets(d, nodes, func(c *found) {
		if c.len() == 0 {
			p.ShowHint("Nothing to export: the selection has no assets.")
			return
		}
		p.settings.askFolder(func() {
			p.ShowExport()
			if p.running == nil && p.settings.check() {
				p.write(p.listOf(d, c), p.settings.preset.Folder, p.options(), false)
			}
		})
	})
}

// addFound adds the found assets to the list.
func (p *Panel) addFound(d *model.Document, c *found) {
	n := p.assets.add(d, c.indexes) + p.assets.addDerived(d, c.derived)
	p.showAdded(n, c.len())
	if c.truncated {
		p.Notify(host.Notice{ID: "export more", Level: host.Warning,
			Text: fmt.Sprintf("Only the first %s of the selection were added. To add a whole list, select its parent row.",
				host.Count(c.len(), "asset"))})
	}
}

// showAdded displays a hint that n of total assets were new in the list, and updates the panel.
func (p *Panel) showAdded(n, total int) {
	switch {
	case total == 0:
		p.ShowHint("Nothing to export: the selection has no assets.")
	case n == 0:
		p.ShowHint("The selected assets are already in the export list.")
	case n < total:
		p.ShowHint(fmt.Sprintf("Added %s to the export list; %s already there.", host.Count(n, "asset"),
			host.Number(total-n)))
	default:
		p.ShowHint(host.Count(n, "asset") + " added to the export list.")
	}
	if total > 0 {
		p.reportView.close()
	}
	if n > 0 {
		p.changed()
		p.list.rows.ScrollTo(p.list.Len() - 1)
		p.list.rows.ScrollTo(p.list.Len() - int64(n)) // the first added asset
	}
}

// AddAll adds all assets of a document to the list.
func (p *Panel) AddAll(d *model.Document) {
	p.ShowExport()
	if d.Payloads == nil {
		p.ShowHint(d.Source.Name() + " has no assets.")
		return
	}
	p.loadAssets(d, func() { p.AddPicks(d, allIndexes(d.Payloads)) })
}

// loadAssets loads the assets of a document, then calls done.
func (p *Panel) loadAssets(d *model.Document, done func()) {
	p.job("Counting assets", func(ctx context.Context) (func(), error) { return done, d.FindPayloads(ctx) })
}

// AddType adds all assets with the types of nodes to the list.
func (p *Panel) AddType(d *model.Document, nodes doc.Nodes) {
	p.ShowExport()
	p.findAssets(d, nodes, func(c *found) {
		if len(c.indexes) == 0 {
			p.ShowHint("The selected node is not an asset.")
			return
		}
		p.job("Finding assets", func(ctx context.Context) (func(), error) {
			types := map[string]bool{}
			for _, i := range c.indexes {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				types[d.Payloads.At(i).Type] = true
			}
			var matches []int
			for i := range d.Payloads.Len() {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if types[d.Payloads.At(i).Type] {
					matches = append(matches, i)
				}
			}
			return func() { p.AddPicks(d, matches) }, nil
		})
	})
}

// AddNodes adds nodes themselves to the list, as JSON.
func (p *Panel) AddNodes(d *model.Document, nodes doc.Nodes) {
	p.ShowExport()
	p.job("Finding nodes", func(ctx context.Context) (func(), error) {
		list, truncated, err := nodes(ctx)
		if err != nil {
			return nil, err
		}
		c := &found{truncated: truncated || len(list) > maxDerived}
		for _, n := range list[:min(len(list), maxDerived)] {
			c.derived = append(c.derived, model.NodePayload(d, n))
		}
		return func() { p.addFound(d, c) }, nil
	})
}

// AddBytes adds a range of bytes to the list.
func (p *Panel) AddBytes(d *model.Document, s model.Span) {
	if s.Size <= 0 {
		p.ShowHint("No bytes are selected.")
		return
	}
	p.ShowExport()
	p.addFound(d, &found{derived: model.PayloadList{model.SpanPayload(d, s)}})
}

// AddPicks adds assets of a document to the list, by index.
func (p *Panel) AddPicks(d *model.Document, positions []int) {
	p.showAdded(p.assets.add(d, positions), len(positions))
}

// AddFiles adds all assets of documents in a listed folder to the list, and returns their number.
func (p *Panel) AddFiles(folder string, all []*model.Document) int {
	total := 0
	for _, d := range all {
		total += d.Payloads.Len()
	}
	p.showAdded(p.assets.addFromFolder(folder, all), total)
	return total
}

// Replace replaces the assets of a document by its reloaded version's, matched by key.
func (p *Panel) Replace(old, current *model.Document) { p.rematchAssets(old, current, false) }

// rematchAssets replaces the assets of a document by those of another document. sameContent reports that both decode
// the same bytes in the same format, so that the indexes are equal.
func (p *Panel) rematchAssets(old, current *model.Document, sameContent bool) {
	var lost []item
	for _, entry := range slices.Concat(p.assets.items, p.latest.items) {
		if entry.source.doc == old {
			lost = append(lost, entry)
		}
	}
	if len(lost) == 0 {
		return
	}
	p.job("Updating the export list", func(ctx context.Context) (func(), error) {
		all, err := rematch(ctx, lost, current, sameContent && sameBytes(old, current))
		return func() { p.replace(old, current, all) }, err
	})
}

// reloadedAsset is the match of an asset in the reloaded document: an asset of the file by index, or a derived one. It
// has neither if the asset no longer exists.
type reloadedAsset struct {
	index   int // -1 if not found
	derived *model.Payload
}

// finder returns the match of an asset in the reloaded document; ok is false if the asset was not searched for.
type finder func(assetRef) (f reloadedAsset, ok bool)

// rematch matches assets with those of a reloaded document by key: at the same index, else at any index. If sameContent
// is true, the indexes are unchanged, and the keys, of which there may be a million, are not compared.
func rematch(ctx context.Context, lost []item, current *model.Document, sameContent bool) (finder, error) {
	all := make(map[assetRef]reloadedAsset)
	var anywhere map[string]int
	for _, entry := range lost {
		if sameContent && !entry.source.derived {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		old := entry.payload()
		f := reloadedAsset{index: -1}
		switch i := int(entry.index); {
		case entry.source.derived && old.Node == nil:
			f.derived = model.SpanPayload(current, old.Stored)
		case entry.source.derived:
			if n, err := current.Find(old.Key); err == nil {
				f.derived = model.NodePayload(current, n)
			}
		case current.Payloads == nil:
		case i < current.Payloads.Len() && current.Payloads.At(i).Key == old.Key:
			f.index = i
		default:
			if anywhere == nil {
				anywhere = make(map[string]int)
				for i := range current.Payloads.Len() {
					anywhere[current.Payloads.At(i).Key] = i
				}
			}
			if i, ok := anywhere[old.Key]; ok {
				f.index = i
			}
		}
		all[entry.assetRef] = f
	}
	return func(ref assetRef) (reloadedAsset, bool) {
		if sameContent && !ref.source.derived {
			return reloadedAsset{index: int(ref.index)}, true
		}
		f, ok := all[ref]
		return f, ok
	}, nil
}

// sameBytes reports whether two documents were decoded from the same unchanged file.
func sameBytes(old, current *model.Document) bool {
	return old.Source.Path() != "" && old.Source.Path() == current.Source.Path() &&
		old.Source.Size() == current.Source.Size() &&
		old.Source.Changed() == nil && current.Source.Changed() == nil &&
		old.Payloads != nil && current.Payloads != nil && old.Payloads.Len() == current.Payloads.Len()
}

func (p *Panel) replace(old, current *model.Document, all finder) {
	p.latest.replace(old, current, all)
	if lost := p.assets.replace(old, current, all); lost > 0 {
		p.Notify(host.Notice{Text: fmt.Sprintf("Removed %s that %s no longer in %s from the export list.",
			host.Count(lost, "asset"), verbFor(lost), current.Source.Name())})
	}
	p.changed()
}
func verbFor(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
