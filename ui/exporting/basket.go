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
	folder  string // folder of the file, relative to a listed folder
	all     model.Payloads
	derived bool // nodes or bytes that the user exports as assets
	listed  []uint64
	count   int      // number of assets of the origin in the basket
	forms   []string // export formats that the user chose for items, by the index in an item; the first is ""
}

func newOrigin(d *model.Document, all model.Payloads, derived bool) *origin {
	return &origin{doc: d, all: all, derived: derived, listed: make([]uint64, all.Len()/64+1), forms: []string{""}}
}

func (o *origin) lists(i int) bool { return o.listed[i/64]&(1<<(i%64)) != 0 }

func (o *origin) flip(i int) { o.listed[i/64] ^= 1 << (i % 64) }

// item is an asset in the basket, which may hold a million.
type item struct {
	assetRef
	chosen uint16 // index in origin.forms
}

// form returns the export format that the user chose, or "" for the default of its type.
func (entry item) form() string { return entry.source.forms[entry.chosen] }

// setForm sets the export format.
func (entry *item) setForm(form string) {
	index := slices.Index(entry.source.forms, form)
	if index < 0 {
		index = len(entry.source.forms)
		entry.source.forms = append(entry.source.forms, form)
	}
	entry.chosen = uint16(index)
}

// assetRef identifies an asset by its document and index.
type assetRef struct {
	source *origin
	index  int32
}

// basket holds the assets to export, each once. It is used on the UI thread.
type basket struct {
	items      []item
	origins    []*origin
	assetCount map[*model.Document]int // number of a document's assets in the basket
	derived    map[derivedKey]bool
	close      func(d *model.Document) // releases a document without assets in the basket
}

// derivedKey identifies a derived asset.
type derivedKey struct {
	doc *model.Document
	key string
}

func newBasket(close func(d *model.Document)) *basket {
	return &basket{assetCount: map[*model.Document]int{}, derived: map[derivedKey]bool{}, close: close}
}

// add adds assets of a document by index, and returns the number of assets that were new.
func (b *basket) add(d *model.Document, positions []int) int {
	if d.Payloads == nil || len(positions) == 0 {
		return 0
	}
	o := b.originOf(d)
	count := len(b.items)
	b.items = slices.Grow(b.items, len(positions))
	for _, i := range positions {
		if i >= 0 && i < o.all.Len() && !o.lists(i) {
			b.appendItem(o, i)
		}
	}
	return len(b.items) - count
}

// addBelow adds all assets of documents in a listed folder, and returns the number of assets that were new.
func (b *basket) addBelow(folder string, all []*model.Document) (n int) {
	for _, d := range all {
		count := b.add(d, positions(0, d.Payloads.Len()))
		if n += count; count == 0 {
			continue
		}
		relative, err := filepath.Rel(folder, filepath.Dir(d.Source.Path()))
		if err == nil && filepath.IsLocal(relative) && relative != "." {
			b.originOf(d).folder = filepath.ToSlash(relative)
		}
	}
	return n
}

// addDerived adds derived assets, made of nodes or bytes.
func (b *basket) addDerived(d *model.Document, list model.PayloadList) int {
	var payloads model.PayloadList
	for _, p := range list {
		if k := (derivedKey{d, p.Key}); !b.derived[k] {
			b.derived[k] = true
			payloads = append(payloads, p)
		}
	}
	if len(payloads) == 0 {
		return 0
	}
	o := newOrigin(d, payloads, true)
	b.origins = append(b.origins, o)
	for i := range payloads {
		b.appendItem(o, i)
	}
	return len(payloads)
}

func (b *basket) originOf(d *model.Document) *origin {
	if b.assetCount[d] > 0 { // a new document has no listed assets
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

func (b *basket) appendItem(o *origin, i int) {
	o.flip(i)
	o.count++
	b.items = append(b.items, item{assetRef: assetRef{o, int32(i)}})
	if b.assetCount[o.doc]++; b.assetCount[o.doc] == 1 {
		o.doc.Source.Hold()
	}
}

func (b *basket) remove(selected rows.Intervals) {
	remaining := b.items[:0]
	released := map[*model.Document]int{}
	for i, entry := range b.items {
		if !selected.Has(int64(i)) {
			remaining = append(remaining, entry)
			continue
		}
		entry.source.flip(int(entry.index))
		entry.source.count--
		released[entry.source.doc]++
		if entry.source.derived {
			delete(b.derived, derivedKey{entry.source.doc, entry.source.all.At(int(entry.index)).Key})
		}
	}
	clear(b.items[len(remaining):])
	b.items = remaining
	b.origins = slices.DeleteFunc(b.origins, func(o *origin) bool { return o.count == 0 })
	for d, n := range released {
		b.release(d, n)
	}
}

// replace replaces the assets of a document by its reloaded version's, and returns the number of missing ones.
func (b *basket) replace(old, current *model.Document, all finder) (lost int) {
	var derived model.PayloadList
	for _, entry := range b.items { // in order: each one consumes the next derived asset below
		if entry.source.doc != old || !entry.source.derived {
			continue
		}
		if f, _ := all(entry.assetRef); f.derived != nil && !b.derived[derivedKey{current, f.derived.Key}] {
			derived = append(derived, f.derived)
		}
	}
	making := newOrigin(current, derived, true)
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
	for _, entry := range items {
		if entry.source.doc != old {
			b.items = append(b.items, entry)
			continue
		}
		n := len(b.items)
		switch f, ok := all(entry.assetRef); {
		case !ok: // added while the others were being matched
		case f.derived != nil && !b.derived[derivedKey{current, f.derived.Key}]:
			b.derived[derivedKey{current, f.derived.Key}] = true
			b.appendItem(making, making.count)
		case f.index >= 0:
			b.add(current, []int{f.index})
		}
		if lost++; len(b.items) > n {
			b.items[n].setForm(entry.form())
			lost--
		}
	}
	b.origins = slices.DeleteFunc(b.origins, func(o *origin) bool { return o.doc == old || o.count == 0 })
	for _, o := range b.origins {
		if o.doc == current {
			o.folder = folder
		}
	}
	maps.DeleteFunc(b.derived, func(k derivedKey, _ bool) bool { return k.doc == old })
	b.release(old, b.assetCount[old])
	return lost
}

// release releases n assets of a document.
func (b *basket) release(d *model.Document, n int) {
	if b.assetCount[d] -= n; b.assetCount[d] <= 0 {
		delete(b.assetCount, d)
		b.close(d)
	}
}

// move moves a set of rows to an index, and returns their new first index.
func (b *basket) move(selected rows.Intervals, to int64) int64 {
	var moved, before, after []item
	for i, entry := range b.items {
		switch {
		case selected.Has(int64(i)):
			moved = append(moved, entry)
		case int64(i) < to:
			before = append(before, entry)
		default:
			after = append(after, entry)
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
func (b *basket) picks(selected rows.Intervals) []export.Pick {
	var picks []export.Pick
	for _, part := range selected.All() {
		for i := part.From; i < min(part.To, int64(len(b.items))); i++ {
			picks = export.AddPick(picks, b.items[i].pick())
		}
	}
	return picks
}

// documents returns the documents of the assets.
func (b *basket) documents() []*model.Document { return slices.Collect(maps.Keys(b.assetCount)) }

func (b *basket) all() rows.Intervals {
	var all rows.Intervals
	all.Add(0, int64(len(b.items)))
	return all
}

func (entry item) pick() export.Pick {
	return export.Pick{From: entry.source.all, Index: int(entry.index), Form: entry.form(),
		File:   entry.source.doc.Source.Name(),
		Folder: entry.source.folder}
}

// payload returns the asset. It can block, so it must not be called on the UI thread.
func (entry item) payload() *model.Payload { return entry.source.all.At(int(entry.index)) }
