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

// Offer supplies the assets of a document, or of the files that it lists. They can be exported without the export list.
type Offer struct {
	Document func() *model.Document
	// Folder is the folder of the files that the document lists. It is empty if the document is a file.
	Folder string
	// Open opens listed files, by index, and returns documents with their assets. It is nil if the document is a file.
	Open     func(ctx context.Context, list *model.Document, files []int) ([]*model.Document, error)
	Selected func() doc.Nodes
	// Filtered returns the filtered nodes or assets; ok is false without a filter.
	Filtered func() (nodes doc.Nodes, indexes []int, ok bool)
}

// suggestion returns the suggestion for the document, or for the folder.
func (o *Offer) suggestion() suggestion {
	if o.Folder != "" {
		return suggestionForFolder(o.Folder)
	}
	return suggestionFor(o.Document())
}

// has reports whether all documents are the document of the tab, or files that it lists.
func (o *Offer) has(docs []*model.Document) bool {
	return !slices.ContainsFunc(docs, func(d *model.Document) bool {
		path := d.Source.Path()
		return d != o.Document() && (o.Folder == "" || path == "" || !folder.Contains(o.Folder, path))
	})
}

// exportButtons is the row of buttons that export assets of the current document at once, with a menu of export
// formats.
type exportButtons struct {
	p       *Panel
	content *fyne.Container
}

func newExportButtons(p *Panel) *exportButtons {
	label := widget.NewLabel("Export")
	label.Importance = widget.LowImportance
	b := &exportButtons{p: p, content: container.NewHBox(label)}
	var items []*fyne.MenuItem
	for _, choice := range []struct {
		label, hint string
		export      exportFunc
	}{
		{"All", "Export all assets", b.exportAll},
		{"Filtered", "Export the assets that match the filter", b.exportFiltered},
		{"Selected", "Export the selected assets", b.exportSelected},
	} {
		button := control.NewIcon(p, nil, choice.hint, func() { b.start(choice.export, p.options()) })
		button.Importance = widget.MediumImportance
		button.SetText(choice.label)
		b.content.Add(button)
		submenu := fyne.NewMenuItem("Export "+choice.label+" As", nil)
		submenu.ChildMenu = fyne.NewMenu("", b.formItems(choice.export)...)
		items = append(items, submenu)
	}
	formats := control.NewIcon(p, theme.MenuDropDownIcon(), "Export in another format", nil)
	formats.OnTapped = func() { p.settings.menuBelow(formats, items) }
	b.content.Add(formats)
	return b
}

// formItems returns the menu items that export at once with a standard preset.
func (b *exportButtons) formItems(do exportFunc) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, preset := range export.StandardPresets() {
		items = append(items, fyne.NewMenuItem(preset.Name, func() {
			o := b.p.options()
			o.Prefer, o.Forms = preset.Prefer, nil
			b.start(do, o)
		}))
	}
	return items
}

// exportFunc exports assets of an offer.
type exportFunc func(offer *Offer, o export.Options)

// start exports assets of the current tab if an export can start.
func (b *exportButtons) start(do exportFunc, o export.Options) {
	p := b.p
	switch {
	case p.slot == nil || p.slot.offer == nil:
	case p.running != nil:
		p.ShowHint("An export is running. Press Escape to stop the export.")
	default:
		p.Notify(host.Notice{ID: "bulk"}) // remove an outdated notice
		do(p.slot.offer, o)
	}
}

// explain displays the reason why nothing is exported. It uses a notice, because users overlook a hint in the status
// line.
func (b *exportButtons) explain(reason string) {
	b.p.Notify(host.Notice{ID: "bulk", Level: host.Warning, Text: reason})
}

// exportAll exports all assets of the document.
func (b *exportButtons) exportAll(offer *Offer, o export.Options) {
	d := offer.Document()
	if d.Payloads == nil {
		b.writeFound(offer, d, &found{}, o)
		return
	}
	b.p.loadAssets(d, func() { b.writeFound(offer, d, &found{indexes: allIndexes(d.Payloads)}, o) })
}

// exportFiltered exports the assets that match the filter.
func (b *exportButtons) exportFiltered(offer *Offer, o export.Options) {
	d := offer.Document()
	switch nodes, indexes, ok := offer.Filtered(); {
	case !ok:
		b.explain("Type in the filter first.")
	case nodes == nil && len(indexes) == 0:
		b.explain("No assets match the filter.")
	case nodes == nil:
		b.writeFound(offer, d, &found{indexes: indexes}, o)
	default:
		b.p.findAssets(d, nodes, func(f *found) { b.writeFound(offer, d, f, o) })
	}
}

// exportSelected exports the assets of the selected nodes. The root does not count: it is selected when a file opens.
func (b *exportButtons) exportSelected(offer *Offer, o export.Options) {
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
	b.p.findAssets(d, nodes, func(f *found) { b.writeFound(offer, d, f, o) })
}

// writeFound exports the found assets, or the assets of the found files, to the export folder of the offer. Files that
// are exported as they are stay whole.
func (b *exportButtons) writeFound(offer *Offer, d *model.Document, f *found, o export.Options) {
	if offer.Open == nil || o.Unchanged() {
		b.writeTo(offer.suggestion(), b.p.listOf(d, f), o)
		return
	}
	b.p.job("Finding assets", func(ctx context.Context) (func(), error) {
		all, err := offer.Open(ctx, d, f.indexes)
		return func() {
			list := newExportList(b.p.closeDocument)
			list.addFromFolder(offer.Folder, all)
			o.Names = b.p.settings.template.ForFiles(all)
			b.writeTo(offer.suggestion(), list, o)
			if omitted := len(f.indexes) - len(all); omitted > 0 && len(all) > 0 {
				b.p.Notify(host.Notice{ID: "bulk", Text: host.Count(omitted, "file") + " without assets left out. " +
					"To copy whole files, choose “Everything as it is” in the menu beside the buttons."})
			}
			model.CloseDocuments(all...)
		}, err
	})
}

// writeTo exports assets to the export folder of a suggestion.
func (b *exportButtons) writeTo(target suggestion, list *exportList, o export.Options) {
	p := b.p
	if p.settings.suggestFolder(target); len(list.items) == 0 {
		b.explain("Nothing to export. Select assets first, or press All.")
	}
	if len(list.items) == 0 || p.running != nil || !p.settings.validate() { // another export may have begun
		list.clear()
		return
	}
	p.write(list, p.settings.preset.Folder, o, false)
}
