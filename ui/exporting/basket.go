package exporting

import (
	"maps"
	"path/filepath"
	"slices"

	"assay/model"
	"assay/model/export"
	"assay/ui/rows"
)

// origin holds the assets of one document, some of which are in the basket. The list of assets does not change.
type origin struct {
	doc     *model.Document
	folder  string // of the file, below a listed folder
	all     model.Payloads
	derived bool // nodes or bytes that the user exports as assets
	listed  []uint64
	count   int      // number of its assets in the basket
	forms   []string // export formats that the user chose for items, by the index in an item; the first is ""
}

func newOrigin(d *model.Document, all model.Payloads, derived bool) *origin {
	return &origin{doc: d, all: all, derived: derived, listed: make([]uint64, all.Len()/64+1), forms: []string{""}}
}

func (o *origin) has(i int) bool { return o.listed[i/64]&(1<<(i%64)) != 0 }

func (o *origin) flip(i int) { o.listed[i/64] ^= 1 << (i % 64) }

// item is an asset in the basket, which may hold a million.
type item struct {
	assetRef
	chosen uint16 // index in origin.forms
}

// form returns the export format that the user chose, or "" for the default of its type.
func (it item) form() string { return it.from.forms[it.chosen] }

// setForm sets the export format.
func (it *item) setForm(form string) {
	at := slices.Index(it.from.forms, form)
	if at < 0 {
		at = len(it.from.forms)
		it.from.forms = append(it.from.forms, form)
	}
	it.chosen = uint16(at)
}

// assetRef identifies an asset by its document and index.
type assetRef struct {
	from  *origin
	index int32
}

// basket holds the assets to export, each once. It is used on the UI thread.
type basket struct {
	items   []item
	origins []*origin
	held    map[*model.Document]int // number of a document's assets in the basket
	derived map[derivedKey]bool
	close   func(d *model.Document) // releases a document without assets in the basket
}

// derivedKey identifies a derived asset.
type derivedKey struct {
	doc *model.Document
	key string
}

func newBasket(close func(d *model.Document)) *basket {
	return &basket{held: map[*model.Document]int{}, derived: map[derivedKey]bool{}, close: close}
}

// add adds assets of a document by index, and returns the number of assets that were new.
func (b *basket) add(d *model.Document, positions []int) int {
	if d.Payloads == nil || len(positions) == 0 {
		return 0
	}
	o := b.originOf(d)
	before := len(b.items)
	b.items = slices.Grow(b.items, len(positions))
	for _, i := range positions {
		if i >= 0 && i < o.all.Len() && !o.has(i) {
			b.put(o, i)
		}
	}
	return len(b.items) - before
}

// addBelow adds all assets of documents in a listed folder, and returns the number of assets that were new.
func (b *basket) addBelow(folder string, all []*model.Document) (n int) {
	for _, d := range all {
		count := b.add(d, positions(0, d.Payloads.Len()))
		if n += count; count == 0 {
			continue
		}
		if below, err := filepath.Rel(folder, filepath.Dir(d.Source.Path())); err == nil && filepath.IsLocal(below) {
			b.originOf(d).folder = filepath.ToSlash(below)
		}
	}
	return n
}

// addDerived adds derived assets, made of nodes or bytes.
func (b *basket) addDerived(d *model.Document, list model.PayloadList) int {
	var fresh model.PayloadList
	for _, p := range list {
		if k := (derivedKey{d, p.Key}); !b.derived[k] {
			b.derived[k] = true
			fresh = append(fresh, p)
		}
	}
	if len(fresh) == 0 {
		return 0
	}
	o := newOrigin(d, fresh, true)
	b.origins = append(b.origins, o)
	for i := range fresh {
		b.put(o, i)
	}
	return len(fresh)
}

func (b *basket) originOf(d *model.Document) *origin {
	if b.held[d] > 0 { // else the document is new, and the basket may hold thousands of others
		for _, o := range b.origins {
			if o.doc == d && !o.derived {
				return o
			}
		}
	}
	o := newOrigin(d, d.Payloads, false)
	b.origins = append(b.origins, o)
	return o
}

func (b *basket) put(o *origin, i int) {
	o.flip(i)
	o.count++
	b.items = append(b.items, item{assetRef: assetRef{o, int32(i)}})
	if b.held[o.doc]++; b.held[o.doc] == 1 {
		o.doc.Source.Hold()
	}
}

func (b *basket) remove(which rows.Intervals) {
	kept := b.items[:0]
	let := map[*model.Document]int{}
	for i, it := range b.items {
		if !which.Has(int64(i)) {
			kept = append(kept, it)
			continue
		}
		it.from.flip(int(it.index))
		it.from.count--
		let[it.from.doc]++
		if it.from.derived {
			delete(b.derived, derivedKey{it.from.doc, it.from.all.At(int(it.index)).Key})
		}
	}
	clear(b.items[len(kept):])
	b.items = kept
	b.origins = slices.DeleteFunc(b.origins, func(o *origin) bool { return o.count == 0 })
	for d, n := range let {
		b.release(d, n)
	}
}

// replace replaces the assets of a document by its reloaded version's, and returns the number of missing ones.
func (b *basket) replace(old, now *model.Document, all finder) (gone int) {
	var derived model.PayloadList
	for _, it := range b.items { // in order: each one consumes the next derived asset below
		if it.from.doc != old || !it.from.derived {
			continue
		}
		if f, _ := all(it.assetRef); f.derived != nil && !b.derived[derivedKey{now, f.derived.Key}] {
			derived = append(derived, f.derived)
		}
	}
	making := newOrigin(now, derived, true)
	folder := ""
	for _, o := range b.origins {
		if o.doc == old {
			folder = o.folder
		}
	}
	if len(derived) > 0 {
		b.origins = append(b.origins, making)
	}
	items := b.items
	b.items = make([]item, 0, len(items))
	for _, it := range items {
		if it.from.doc != old {
			b.items = append(b.items, it)
			continue
		}
		n := len(b.items)
		switch f, ok := all(it.assetRef); {
		case !ok: // added while the others were being matched
		case f.derived != nil && !b.derived[derivedKey{now, f.derived.Key}]:
			b.derived[derivedKey{now, f.derived.Key}] = true
			b.put(making, making.count)
		case f.index >= 0:
			b.add(now, []int{f.index})
		}
		if gone++; len(b.items) > n {
			b.items[n].setForm(it.form())
			gone--
		}
	}
	b.origins = slices.DeleteFunc(b.origins, func(o *origin) bool { return o.doc == old || o.count == 0 })
	for _, o := range b.origins {
		if o.doc == now {
			o.folder = folder
		}
	}
	maps.DeleteFunc(b.derived, func(k derivedKey, _ bool) bool { return k.doc == old })
	b.release(old, b.held[old])
	return gone
}

// release releases n assets of a document.
func (b *basket) release(d *model.Document, n int) {
	if b.held[d] -= n; b.held[d] <= 0 {
		delete(b.held, d)
		b.close(d)
	}
}

// move moves a set of rows to an index, and returns their new first index.
func (b *basket) move(which rows.Intervals, to int64) int64 {
	var moved, before, after []item
	for i, it := range b.items {
		switch {
		case which.Has(int64(i)):
			moved = append(moved, it)
		case int64(i) < to:
			before = append(before, it)
		default:
			after = append(after, it)
		}
	}
	b.items = slices.Concat(before, moved, after)
	return int64(len(before))
}

// clear removes all rows.
func (b *basket) clear() {
	b.remove(b.all())
	b.items = nil
}

// picks returns rows of the list as picks of an export.
func (b *basket) picks(which rows.Intervals) []export.Pick {
	var picks []export.Pick
	for _, part := range which.All() {
		for i := part.From; i < min(part.To, int64(len(b.items))); i++ {
			picks = export.AddPick(picks, b.items[i].pick())
		}
	}
	return picks
}

// documents returns the documents of the assets.
func (b *basket) documents() []*model.Document { return slices.Collect(maps.Keys(b.held)) }

func (b *basket) all() rows.Intervals {
	var all rows.Intervals
	all.Add(0, int64(len(b.items)))
	return all
}

func (it item) pick() export.Pick {
	return export.Pick{From: it.from.all, Index: int(it.index), Form: it.form(), File: it.from.doc.Source.Name(),
		Folder: it.from.folder}
}

// payload returns the asset. It can block, so it must not be called on the UI thread.
func (it item) payload() *model.Payload { return it.from.all.At(int(it.index)) }
