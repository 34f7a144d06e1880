package exporting

import (
	"assay/model"
	"assay/model/export"
	"assay/ui/paint"
	"assay/ui/rows"
)

// latest is the latest export, which Export Again repeats.
type latest struct {
	*basket
	folder  string
	options export.Options // with the files that it wrote
	listed  bool           // the assets came from the list
}

// key identifies an asset in all baskets.
type key struct {
	doc     *model.Document
	index   int32
	derived string // key of a derived asset, which has no index
}

func (at assetRef) key() key {
	if at.from.derived {
		return key{doc: at.from.doc, derived: at.from.all.At(int(at.index)).Key}
	}
	return key{doc: at.from.doc, index: at.index}
}

// done removes the exported assets from the list, and the assets whose files exist with the same content. The others
// stay, and the list says why they failed.
func (p *Panel) done(of []item, r *export.Report) {
	exported := make(map[key]bool, len(of))
	at := -1
	for row := range r.Rows() {
		if row.First() {
			at++
			exported[of[at].key()] = true
			delete(p.failures, of[at].key())
		}
		if row.Outcome == export.Exported || row.Same() != "" {
			continue
		}
		exported[of[at].key()] = false
		if row.Outcome == export.Failed {
			p.failures[of[at].key()] = row.Problem
		}
	}
	var gone rows.Intervals
	for i, it := range p.basket.items {
		if exported[it.key()] {
			gone.Add(int64(i), int64(i)+1)
		}
	}
	p.basket.remove(gone)
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
		again := newBasket(p.closeDocument)
		again.copy(l.items)
		p.write(again, l.folder, o, l.listed)
	}
}

// CanRepeat reports whether there is an export to repeat.
func (p *Panel) CanRepeat() bool { return p.run == nil && len(p.latest.items) > 0 }

// Forget releases a document that is open only for Export Again.
func (p *Panel) Forget(d *model.Document) {
	var gone rows.Intervals
	for i, it := range p.latest.items {
		if it.from.doc == d {
			gone.Add(int64(i), int64(i)+1)
		}
	}
	p.latest.remove(gone)
	paint.Show(p.report.again, p.CanRepeat())
}

// copy adds assets of another basket with their export formats.
func (b *basket) copy(items []item) {
	for len(items) > 0 {
		from, n := items[0].from, 1
		for n < len(items) && items[n].from == from {
			n++
		}
		at, added := len(b.items), 0
		if from.derived {
			var list model.PayloadList
			for _, it := range items[:n] {
				list = append(list, it.payload())
			}
			added = b.addDerived(from.doc, list)
		} else {
			indexes := make([]int, n)
			for i, it := range items[:n] {
				indexes[i] = int(it.index)
			}
			added = b.add(from.doc, indexes)
		}
		for i := range added {
			b.items[at+i].setForm(items[i].form())
			b.items[at+i].from.folder = from.folder
		}
		items = items[n:]
	}
}
