package exporting

import (
	"context"
	"fmt"

	"assay/model"
	"assay/ui/doc"
	"assay/ui/host"
)

// maxDerived is the maximum number of nodes that become derived assets at once.
const maxDerived = 10_000

// found holds the assets that were found for nodes of a document.
type found struct {
	indexes   []int
	derived   model.PayloadList
	truncated bool // further assets were omitted because of a limit
}

// listOf returns the found assets in a new export list.
func (p *Panel) listOf(d *model.Document, f *found) *exportList {
	list := newExportList(p.closeDocument)
	list.add(d, f.indexes)
	list.addDerived(d, f.derived)
	return list
}

func (f *found) len() int { return len(f.indexes) + len(f.derived) }

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
	index, err := d.AssetIndex(ctx)
	if err != nil {
		return nil, err
	}
	f := &found{truncated: truncated}
	var others []*model.Node
	if f.indexes, others, err = index.AssetsOf(ctx, list); err != nil {
		return nil, err
	}
	for _, n := range others {
		if len(f.derived) == maxDerived {
			f.truncated = true
			break
		}
		f.derived = append(f.derived, model.NodePayload(d, n))
	}
	return f, nil
}

// findAssets runs assetsOf in a job.
func (p *Panel) findAssets(d *model.Document, nodes doc.Nodes, done func(f *found)) {
	p.job("Finding assets", func(ctx context.Context) (func(), error) {
		f, err := assetsOf(ctx, d, nodes)
		return func() { done(f) }, err
	})
}

// Add adds the assets of nodes to the list.
func (p *Panel) Add(d *model.Document, nodes doc.Nodes) {
	p.ShowExport()
	p.findAssets(d, nodes, func(f *found) { p.addFound(d, f) })
}

// ExportNodes asks for the folder and exports the assets of nodes, regardless of the list.
func (p *Panel) ExportNodes(d *model.Document, nodes doc.Nodes) {
	if p.running != nil {
		p.ShowHint("An export is already running.")
		return
	}
	p.findAssets(d, nodes, func(f *found) {
		if f.len() == 0 {
			p.ShowHint("Nothing to export: the selection has no assets.")
			return
		}
		p.settings.askFolder(func() {
			p.ShowExport()
			if p.running == nil && p.settings.validate() {
				p.write(p.listOf(d, f), p.settings.preset.Folder, p.options(), false)
			}
		})
	})
}

// addFound adds the found assets to the list.
func (p *Panel) addFound(d *model.Document, f *found) {
	n := p.assets.add(d, f.indexes) + p.assets.addDerived(d, f.derived)
	p.showAdded(n, f.len())
	if f.truncated {
		p.Notify(host.Notice{ID: "export more", Level: host.Warning,
			Text: fmt.Sprintf("Only the first %s of the selection were added. To add a whole list, select its parent row.",
				host.Count(f.len(), "asset"))})
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
		p.reportView.showListTab()
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
	p.loadAssets(d, func() { p.AddIndexes(d, allIndexes(d.Payloads)) })
}

// loadAssets loads the assets of a document, then calls done.
func (p *Panel) loadAssets(d *model.Document, done func()) {
	p.job("Counting assets", func(ctx context.Context) (func(), error) { return done, d.FindPayloads(ctx) })
}

// AddType adds all assets with the types of nodes to the list.
func (p *Panel) AddType(d *model.Document, nodes doc.Nodes) {
	p.ShowExport()
	p.findAssets(d, nodes, func(f *found) {
		if len(f.indexes) == 0 {
			p.ShowHint("The selected node is not an asset.")
			return
		}
		p.job("Finding assets", func(ctx context.Context) (func(), error) {
			types := map[string]bool{}
			for _, i := range f.indexes {
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
			return func() { p.AddIndexes(d, matches) }, nil
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
		f := &found{truncated: truncated || len(list) > maxDerived}
		for _, n := range list[:min(len(list), maxDerived)] {
			f.derived = append(f.derived, model.NodePayload(d, n))
		}
		return func() { p.addFound(d, f) }, nil
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

// AddIndexes adds assets of a document to the list, by index.
func (p *Panel) AddIndexes(d *model.Document, indexes []int) {
	p.showAdded(p.assets.add(d, indexes), len(indexes))
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
