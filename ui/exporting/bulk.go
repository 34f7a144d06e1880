package exporting

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/export"
	"assay/model/folder"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
)

// Offer supplies the assets of a document, or of the files that it lists, which can be exported without the list.
type Offer struct {
	Document func() *model.Document
	// Folder is the folder of the files that the document lists. It is empty if the document is a file.
	Folder string
	// Open opens listed files, by index, and returns documents with their assets. It is nil if the document is a file.
	Open     func(ctx context.Context, list *model.Document, files []int) ([]*model.Document, error)
	Selected func() doc.Nodes
	// Filtered returns the filtered nodes or assets; ok is false without a filter.
	Filtered func() (nodes doc.Nodes, positions []int, ok bool)
}

// site returns the site of the document, or of the folder.
func (o *Offer) site() site {
	if o.Folder != "" {
		return siteOfFolder(o.Folder)
	}
	return siteOf(o.Document())
}

// has reports whether all documents are the document of the tab, or files that it lists.
func (o *Offer) has(docs []*model.Document) bool {
	return !slices.ContainsFunc(docs, func(d *model.Document) bool {
		path := d.Source.Path()
		return d != o.Document() && (o.Folder == "" || path == "" || !folder.Contains(o.Folder, path))
	})
}

// bulk is the row of buttons that export assets of the current document at once, with a menu of export formats.
type bulk struct {
	p       *Panel
	content *fyne.Container
}

func newBulk(p *Panel) *bulk {
	label := widget.NewLabel("Export")
	label.Importance = widget.LowImportance
	b := &bulk{p: p, content: container.NewHBox(label)}
	var items []*fyne.MenuItem
	for _, choice := range []struct {
		label, hint string
		export      func(o export.Options)
	}{
		{"All", "Export all assets", b.all},
		{"Filtered", "Export the assets that match the filter", b.filtered},
		{"Selected", "Export the selected assets", b.selected},
	} {
		button := control.NewIcon(p, nil, choice.hint, func() { choice.export(p.options()) })
		button.Importance = widget.MediumImportance
		button.SetText(choice.label)
		b.content.Add(button)
		submenu := fyne.NewMenuItem("Export "+choice.label+" As", nil)
		submenu.ChildMenu = fyne.NewMenu("", b.forms(choice.export)...)
		items = append(items, submenu)
	}
	formats := control.NewIcon(p, theme.MenuDropDownIcon(), "Export in another format", nil)
	formats.OnTapped = func() { p.settings.menuBelow(formats, items) }
	b.content.Add(formats)
	return b
}

// forms returns the menu items that export at once with a standard preset.
func (b *bulk) forms(do func(o export.Options)) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, preset := range export.Standard() {
		items = append(items, fyne.NewMenuItem(preset.Name, func() {
			o := b.p.options()
			o.Prefer, o.Forms = preset.Prefer, nil
			do(o)
		}))
	}
	return items
}

// ready returns the offer of the current tab if an export can start.
func (b *bulk) ready() *Offer {
	p := b.p
	switch {
	case p.slot == nil || p.slot.offer == nil:
	case p.run != nil:
		p.ShowHint("An export is running. Press Escape to stop the export.")
	default:
		p.Notify(host.Notice{ID: "bulk"}) // the notice is outdated
		return p.slot.offer
	}
	return nil
}

// refuse says why nothing is exported, in a notice: a hint in the status bar is overlooked there.
func (b *bulk) refuse(reason string) {
	b.p.Notify(host.Notice{ID: "bulk", Level: host.Warning, Text: reason})
}

// all exports all assets of the document.
func (b *bulk) all(o export.Options) {
	offer := b.ready()
	if offer == nil {
		return
	}
	d := offer.Document()
	if d.Payloads == nil {
		b.write(offer, d, &chosen{}, o)
		return
	}
	b.p.count(d, func() { b.write(offer, d, &chosen{positions: positions(0, d.Payloads.Len())}, o) })
}

// filtered exports the assets that match the filter.
func (b *bulk) filtered(o export.Options) {
	offer := b.ready()
	if offer == nil {
		return
	}
	d := offer.Document()
	switch nodes, all, ok := offer.Filtered(); {
	case !ok:
		b.refuse("Type in the filter first.")
	case nodes == nil && len(all) == 0:
		b.refuse("No assets match the filter.")
	case nodes == nil:
		b.write(offer, d, &chosen{positions: all}, o)
	default:
		b.p.find(d, nodes, func(c *chosen) { b.write(offer, d, c, o) })
	}
}

// selected exports the assets of the selected nodes. The root does not count: it is selected when a file opens.
func (b *bulk) selected(o export.Options) {
	offer := b.ready()
	if offer == nil {
		return
	}
	d, selected := offer.Document(), offer.Selected()
	nodes := func(ctx context.Context) (nodes []*model.Node, truncated bool, err error) {
		all, truncated, err := selected(ctx)
		for _, n := range all {
			if n.Parent != nil {
				nodes = append(nodes, n)
			}
		}
		return nodes, truncated, err
	}
	b.p.find(d, nodes, func(c *chosen) { b.write(offer, d, c, o) })
}

// write exports the found assets, or the assets of the found files, to the export folder of the offer. Files that are
// exported as they are stay whole.
func (b *bulk) write(offer *Offer, d *model.Document, c *chosen, o export.Options) {
	if offer.Open == nil || o.Unchanged() {
		b.run(offer.site(), b.p.basketOf(d, c), o)
		return
	}
	b.p.job("Looking for assets", func(ctx context.Context) (func(), error) {
		all, err := offer.Open(ctx, d, c.positions)
		return func() {
			found := newBasket(b.p.closeDocument)
			found.addBelow(offer.Folder, all)
			o.Names = b.p.settings.template.ForFiles(all)
			b.run(offer.site(), found, o)
			model.CloseDocuments(all...)
		}, err
	})
}

// run exports assets to the export folder of a site.
func (b *bulk) run(place site, found *basket, o export.Options) {
	p := b.p
	if p.settings.suggest(place); len(found.items) == 0 {
		b.refuse("Nothing to export. Select assets first, or press All.")
	}
	if len(found.items) == 0 || p.run != nil || !p.settings.ready() { // another export may have begun during the search
		found.clear()
		return
	}
	p.write(found, p.settings.preset.Folder, o, false)
}
