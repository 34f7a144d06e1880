package exporting

import (
	"assay/model"
	"assay/model/export"
	"assay/ui/host"
	"assay/ui/rows"
)

// done removes the exported assets from the list and keeps them for Export Again. Failed and canceled ones stay.
func (p *Panel) done(items []item, r *export.Report) {
	written := make(map[assetRef]bool, len(items))
	at := -1
	for row := range r.Rows() {
		if row.First() {
			at++
			written[items[at].assetRef] = true
		}
		if row.Outcome == export.Failed || row.Outcome == export.Skipped && r.Cancelled {
			written[items[at].assetRef] = false
		}
	}
	var gone rows.Intervals
	last := newBasket(p.closeDocument)
	for i, it := range p.basket.items {
		if written[it.assetRef] {
			gone.Add(int64(i), int64(i)+1)
			last.copy(it)
		}
	}
	p.last.clear()
	p.last = last
	p.basket.remove(gone)
	p.list.rows.SetSelection(rows.Intervals{})
	p.changed()
}

// Again adds the assets of the latest export to the list.
func (p *Panel) Again() {
	before := len(p.basket.items)
	for _, it := range p.last.items {
		p.basket.copy(it)
	}
	p.report.close()
	p.changed()
	p.ShowHint(host.Count(len(p.basket.items)-before, "asset") + " added to the export list.")
	p.Focus()
}

// Forget releases a document that is open only for Export Again.
func (p *Panel) Forget(d *model.Document) {
	var gone rows.Intervals
	for i, it := range p.last.items {
		if it.from.doc == d {
			gone.Add(int64(i), int64(i)+1)
		}
	}
	p.last.remove(gone)
}

// copy adds an asset of another basket with its export format.
func (b *basket) copy(it item) {
	n := len(b.items)
	if it.from.derived {
		b.addDerived(it.from.doc, model.PayloadList{it.payload()})
	} else {
		b.add(it.from.doc, []int{int(it.index)})
	}
	if len(b.items) > n {
		b.items[n].setForm(it.form())
	}
}
