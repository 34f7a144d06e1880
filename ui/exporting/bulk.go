package exporting

import (
	"context"
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/export"
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

// bulk is the row of buttons that export assets of the current document at once, each with a menu of export formats.
type bulk struct {
	p       *Panel
	content *fyne.Container
}

func newBulk(p *Panel) *bulk {
	b := &bulk{p: p, content: container.New(&flow{})}
	for _, what := range []struct {
		label  string
		export func(o export.Options)
	}{{"Export All", b.all}, {"Export Filtered", b.filtered}, {"Export Selected", b.selected}} {
		button := control.NewButton(p.Key, what.label, nil, func() { what.export(p.options()) })
		more := control.NewIcon(p, theme.MenuDropDownIcon(), what.label+" in another format", nil)
		more.OnTapped = func() { p.settings.menuBelow(more, b.forms(what.export)) }
		b.content.Add(container.NewBorder(nil, nil, nil, more, button))
	}
	return b
}

// forms returns the menu items that export at once: with the settings of the panel, a standard preset, or a saved
// preset.
func (b *bulk) forms(do func(o export.Options)) []*fyne.MenuItem {
	items := []*fyne.MenuItem{fyne.NewMenuItem("Current Settings", func() { do(b.p.options()) }),
		fyne.NewMenuItemSeparator()}
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
	case p.settings.wrong != "":
		p.complain(errors.New(p.settings.wrong))
	default:
		return p.slot.offer
	}
	return nil
}

// refuse says why nothing is exported, in a notice: a hint in the status bar is overlooked there.
func (b *bulk) refuse(why string) {
	b.p.Notify(host.Notice{ID: "bulk", Level: host.Warning, Text: why})
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
	nodes := func(ctx context.Context) (nodes []*model.Node, more bool, err error) {
		all, more, err := selected(ctx)
		for _, n := range all {
			if n.Parent != nil {
				nodes = append(nodes, n)
			}
		}
		return nodes, more, err
	}
	b.p.find(d, nodes, func(c *chosen) { b.write(offer, d, c, o) })
}

// write exports the found assets, or the assets of the found files, to the export folder of the offer.
func (b *bulk) write(offer *Offer, d *model.Document, c *chosen, o export.Options) {
	if offer.Open == nil {
		b.run(offer.site(), c.picks(d), []*model.Document{d}, o)
		return
	}
	b.p.job("Looking for assets", func(ctx context.Context) (func(), error) {
		all, err := offer.Open(ctx, d, c.positions)
		return func() {
			var picks []export.Pick
			for _, d := range all {
				picks = append(picks, export.Pick{From: d.Payloads, Count: d.Payloads.Len(), File: d.Source.Name()})
			}
			o.Names = b.p.settings.template.For(all)
			b.run(offer.site(), picks, all, o)
			model.CloseDocuments(all...)
		}, err
	})
}

// run exports picks of documents to the export folder of a site.
func (b *bulk) run(at site, picks []export.Pick, of []*model.Document, o export.Options) {
	p := b.p
	if len(picks) == 0 {
		b.refuse("Nothing to export. Select assets first, or press Export All.")
		return
	}
	if p.run != nil {
		return // it began while the assets were being found
	}
	p.settings.suggest(at)
	if !filepath.IsAbs(p.settings.preset.Folder) {
		p.complain(errors.New("choose an export folder first"))
		return
	}
	p.write(picks, of, o, nil)
}

// flow is a layout of buttons: in one row if all fit, else in a column.
type flow struct{ columns int }

func (f *flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	least := widest(objects)
	n := max(1, len(objects))
	f.columns = 1
	if width := (size.Width - float32(n-1)*theme.Padding()) / float32(n); width >= least.Width {
		f.columns = n
	}
	width := (size.Width - float32(f.columns-1)*theme.Padding()) / float32(f.columns)
	for i, o := range objects {
		o.Move(fyne.NewPos(float32(i%f.columns)*(width+theme.Padding()),
			float32(i/f.columns)*(least.Height+theme.Padding())))
		o.Resize(fyne.NewSize(width, least.Height))
	}
}

// MinSize returns the smallest size: the height follows the width of the latest layout.
func (f *flow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := widest(objects)
	lines := float32(1)
	if f.columns == 1 {
		lines = float32(len(objects))
	}
	return fyne.NewSize(least.Width, lines*least.Height+(lines-1)*theme.Padding())
}

// widest returns the largest of the minimum sizes.
func widest(objects []fyne.CanvasObject) (least fyne.Size) {
	for _, o := range objects {
		least = least.Max(o.MinSize())
	}
	return least
}
