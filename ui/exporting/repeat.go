package exporting

import (
	"assay/model"
	"assay/model/export"
	"assay/ui/paint"
	"assay/ui/rows"
)

// latestExport is the latest export, which Export Again repeats.
type latestExport struct {
	*exportList
	folder   string
	options  export.Options // options of the export, with the files that it wrote
	fromList bool           // the assets came from the list
}

// key identifies an asset in all export lists.
type key struct {
	doc     *model.Document
	index   int32
	derived string // key of a derived asset, which has no index
}

func (ref assetRef) key() key {
	if ref.source.derived {
		return key{doc: ref.source.doc, derived: ref.source.payloads.At(int(ref.index)).Key}
	}
	return key{doc: ref.source.doc, index: ref.index}
}

// updateAfterExport removes the exported assets from the list, and the assets whose files exist with the same content.
// The others stay, with the reason of the failure.
func (p *Panel) updateAfterExport(items []item, r *export.Report) {
	exported := make(map[key]bool, len(items))
	last := -1
	for row := range r.Rows() {
		if row.First() {
			last++
			exported[items[last].key()] = true
			delete(p.failures, items[last].key())
		}
		if row.Outcome == export.Exported || row.SameFile() != "" {
			continue
		}
		exported[items[last].key()] = false
		if row.Outcome == export.Failed {
			p.failures[items[last].key()] = row.Problem
		}
	}
	var exportedRows rows.Intervals
	for i, entry := range p.assets.items {
		if exported[entry.key()] {
			exportedRows.Add(int64(i), int64(i)+1)
		}
	}
	p.assets.remove(exportedRows)
	p.list.rows.SetSelection(rows.Intervals{})
	p.changed()
}

// Again repeats the latest export: the same assets in the same formats, to the same folder. It replaces the files of
// the latest export that nobody has changed.
func (p *Panel) Again() {
	if l := p.latest; p.CanRepeat() {
		p.ShowExport()
		o := l.options
		o.Conflict = p.settings.rule
		repeated := newExportList(p.closeDocument)
		repeated.addCopies(l.items)
		p.write(repeated, l.folder, o, l.fromList)
	}
}

// CanRepeat reports whether there is an export to repeat.
func (p *Panel) CanRepeat() bool { return p.running == nil && len(p.latest.items) > 0 }

// Forget releases a document that is open only for Export Again.
func (p *Panel) Forget(d *model.Document) {
	var missing rows.Intervals
	for i, entry := range p.latest.items {
		if entry.source.doc == d {
			missing.Add(int64(i), int64(i)+1)
		}
	}
	p.latest.remove(missing)
	paint.SetVisible(p.reportView.repeat, p.CanRepeat())
}

// addCopies adds items of another list with their export formats.
func (l *exportList) addCopies(items []item) {
	for len(items) > 0 {
		source, n := items[0].source, 1
		for n < len(items) && items[n].source == source {
			n++
		}
		index, added := len(l.items), 0
		if source.derived {
			var list model.PayloadList
			for _, entry := range items[:n] {
				list = append(list, entry.payload())
			}
			added = l.addDerived(source.doc, list)
		} else {
			indexes := make([]int, n)
			for i, entry := range items[:n] {
				indexes[i] = int(entry.index)
			}
			added = l.add(source.doc, indexes)
		}
		for i := range added {
			l.items[index+i].setForm(items[i].form())
			l.items[index+i].source.folder = source.folder
		}
		items = items[n:]
	}
}
