package exporting

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"assay/model"
	"assay/model/export"
	"assay/ui/host"
	"assay/ui/rows"
)

// source holds the assets of one document, some of which are in an export list.
type source struct {
	doc        *model.Document
	folder     string // folder of the file, relative to a listed folder
	payloads   model.Payloads
	derived    bool // the assets are nodes or bytes that the user exports
	listedBits []uint64
	count      int      // number of listed assets
	forms      []string // export formats chosen by the user, indexed by item.formIndex; the first is ""
}

func newSource(d *model.Document, all model.Payloads, derived bool) *source {
	return &source{doc: d, payloads: all, derived: derived, listedBits: make([]uint64, all.Len()/64+1),
		forms: []string{""}}
}

func (s *source) isListed(i int) bool { return s.listedBits[i/64]&(1<<(i%64)) != 0 }

func (s *source) toggle(i int) { s.listedBits[i/64] ^= 1 << (i % 64) }

// item is an asset in an export list. There may be a million of them.
type item struct {
	assetRef
	formIndex uint16 // index in source.forms
}

// form returns the export format that the user chose, or "" for the default of its type.
func (entry item) form() string { return entry.source.forms[entry.formIndex] }

// setForm sets the export format.
func (entry *item) setForm(form string) {
	index := slices.Index(entry.source.forms, form)
	if index < 0 {
		index = len(entry.source.forms)
		entry.source.forms = append(entry.source.forms, form)
	}
	entry.formIndex = uint16(index)
}

// assetRef identifies an asset by its document and index.
type assetRef struct {
	source *source
	index  int32
}

// exportList holds the assets to export, each once. It is used on the UI thread.
type exportList struct {
	items      []item
	sources    []*source
	assetCount map[*model.Document]int // number of a document's assets in the list
	derived    map[key]bool            // derived assets in the list
	close      func(d *model.Document) // releases a document whose last asset was removed
}

func newExportList(close func(d *model.Document)) *exportList {
	return &exportList{assetCount: map[*model.Document]int{}, derived: map[key]bool{}, close: close}
}

// add adds assets of a document by index, and returns the number of assets that were new.
func (l *exportList) add(d *model.Document, indexes []int) int {
	if d.Payloads == nil || len(indexes) == 0 {
		return 0
	}
	s := l.sourceOf(d)
	count := len(l.items)
	l.items = slices.Grow(l.items, len(indexes))
	for _, i := range indexes {
		if i >= 0 && i < s.payloads.Len() && !s.isListed(i) {
			l.appendItem(s, i)
		}
	}
	return len(l.items) - count
}

// addFromFolder adds all assets of documents in a listed folder, and returns the number of assets that were new.
func (l *exportList) addFromFolder(folder string, all []*model.Document) (n int) {
	for _, d := range all {
		count := l.add(d, allIndexes(d.Payloads))
		if n += count; count == 0 {
			continue
		}
		relative, err := filepath.Rel(folder, filepath.Dir(d.Source.Path()))
		if err == nil && filepath.IsLocal(relative) && relative != "." {
			l.sourceOf(d).folder = filepath.ToSlash(relative)
		}
	}
	return n
}

// addDerived adds derived assets, made of nodes or bytes.
func (l *exportList) addDerived(d *model.Document, list model.PayloadList) int {
	var payloads model.PayloadList
	for _, p := range list {
		if k := (key{doc: d, derived: p.Key}); !l.derived[k] {
			l.derived[k] = true
			payloads = append(payloads, p)
		}
	}
	if len(payloads) == 0 {
		return 0
	}
	s := newSource(d, payloads, true)
	l.sources = append(l.sources, s)
	for i := range payloads {
		l.appendItem(s, i)
	}
	return len(payloads)
}

func (l *exportList) sourceOf(d *model.Document) *source {
	if l.assetCount[d] > 0 { // a new document has no listed assets
		for _, s := range l.sources {
			if s.doc == d && !s.derived {
				return s
			}
		}
	}
	s := newSource(d, d.Payloads, false)
	l.sources = append(l.sources, s)
	return s
}

func (l *exportList) appendItem(s *source, i int) {
	s.toggle(i)
	s.count++
	l.items = append(l.items, item{assetRef: assetRef{s, int32(i)}})
	if l.assetCount[s.doc]++; l.assetCount[s.doc] == 1 {
		s.doc.Source.Hold()
	}
}

func (l *exportList) remove(selected rows.Intervals) {
	remaining := l.items[:0]
	released := map[*model.Document]int{}
	for i, entry := range l.items {
		if !selected.Has(int64(i)) {
			remaining = append(remaining, entry)
			continue
		}
		entry.source.toggle(int(entry.index))
		entry.source.count--
		released[entry.source.doc]++
		if entry.source.derived {
			delete(l.derived, entry.key())
		}
	}
	clear(l.items[len(remaining):])
	l.items = remaining
	l.sources = slices.DeleteFunc(l.sources, func(s *source) bool { return s.count == 0 })
	for d, n := range released {
		l.release(d, n)
	}
}

// replace replaces the assets of a document by those of its reloaded version, and returns the number of missing assets.
func (l *exportList) replace(old, reloaded *model.Document, matchOf matchFunc) (missing int) {
	var derived model.PayloadList
	for _, entry := range l.items { // in order: each one consumes the next derived asset below
		if entry.source.doc != old || !entry.source.derived {
			continue
		}
		match, _ := matchOf(entry.assetRef)
		if match.derived != nil && !l.derived[key{doc: reloaded, derived: match.derived.Key}] {
			derived = append(derived, match.derived)
		}
	}
	derivedSource := newSource(reloaded, derived, true)
	folder := ""
	for _, s := range l.sources {
		if s.doc == old {
			folder = s.folder
		}
	}
	if len(derived) > 0 {
		l.sources = append(l.sources, derivedSource)
	}
	items := l.items
	l.items = make([]item, 0, len(items))
	for _, entry := range items {
		if entry.source.doc != old {
			l.items = append(l.items, entry)
			continue
		}
		n := len(l.items)
		switch match, ok := matchOf(entry.assetRef); {
		case !ok: // added while the others were being matched
		case match.derived != nil && !l.derived[key{doc: reloaded, derived: match.derived.Key}]:
			l.derived[key{doc: reloaded, derived: match.derived.Key}] = true
			l.appendItem(derivedSource, derivedSource.count)
		case match.index >= 0:
			l.add(reloaded, []int{match.index})
		}
		if missing++; len(l.items) > n {
			l.items[n].setForm(entry.form())
			missing--
		}
	}
	l.sources = slices.DeleteFunc(l.sources, func(s *source) bool { return s.doc == old || s.count == 0 })
	for _, s := range l.sources {
		if s.doc == reloaded {
			s.folder = folder
		}
	}
	maps.DeleteFunc(l.derived, func(k key, _ bool) bool { return k.doc == old })
	l.release(old, l.assetCount[old])
	return missing
}

// release releases n assets of a document.
func (l *exportList) release(d *model.Document, n int) {
	if l.assetCount[d] -= n; l.assetCount[d] <= 0 {
		delete(l.assetCount, d)
		l.close(d)
	}
}

// move moves a set of rows to an index, and returns their new first index.
func (l *exportList) move(selected rows.Intervals, to int64) int64 {
	var moved, before, after []item
	for i, entry := range l.items {
		switch {
		case selected.Has(int64(i)):
			moved = append(moved, entry)
		case int64(i) < to:
			before = append(before, entry)
		default:
			after = append(after, entry)
		}
	}
	l.items = slices.Concat(before, moved, after)
	return int64(len(before))
}

// clear removes all rows.
func (l *exportList) clear() {
	l.remove(l.all())
	l.items = nil
}

// picks returns rows of the list as picks of an export.
func (l *exportList) picks(selected rows.Intervals) []export.Pick {
	var picks []export.Pick
	for i := range selected.Below(int64(len(l.items))) {
		picks = export.AddPick(picks, l.items[i].pick())
	}
	return picks
}

// documents returns the documents of the assets.
func (l *exportList) documents() []*model.Document { return slices.Collect(maps.Keys(l.assetCount)) }

func (l *exportList) all() rows.Intervals {
	var all rows.Intervals
	all.Add(0, int64(len(l.items)))
	return all
}

func (entry item) pick() export.Pick {
	return export.Pick{From: entry.source.payloads, Index: int(entry.index), Form: entry.form(),
		File:   entry.source.doc.Source.Name(),
		Folder: entry.source.folder}
}

// payload returns the asset. It can block, so it must not be called on the UI thread.
func (entry item) payload() *model.Payload { return entry.source.payloads.At(int(entry.index)) }

// Replace replaces the assets of a document by its reloaded version's, matched by key.
func (p *Panel) Replace(old, current *model.Document) { p.rematchAssets(old, current, false) }

// rematchAssets replaces the assets of a document by those of another document. sameContent reports that both decode
// the same bytes in the same format, so that the indexes are equal.
func (p *Panel) rematchAssets(old, current *model.Document, sameContent bool) {
	var outdated []item
	for _, entry := range slices.Concat(p.assets.items, p.latest.items) {
		if entry.source.doc == old {
			outdated = append(outdated, entry)
		}
	}
	if len(outdated) == 0 {
		return
	}
	p.job("Updating the export list", func(ctx context.Context) (func(), error) {
		matchOf, err := rematch(ctx, outdated, current, sameContent && sameBytes(old, current))
		return func() { p.replace(old, current, matchOf) }, err
	})
}

// reloadedAsset is the match of an asset in the reloaded document: an asset of the file by index, or a derived one. It
// has neither if the asset no longer exists.
type reloadedAsset struct {
	index   int // -1 if not found
	derived *model.Payload
}

// matchFunc returns the match of an asset in the reloaded document; ok is false if the asset was not searched for.
type matchFunc func(assetRef) (f reloadedAsset, ok bool)

// rematch matches assets with those of a reloaded document by key: at the same index, else at any index. If sameContent
// is true, the indexes are unchanged, and the keys, of which there may be a million, are not compared.
func rematch(ctx context.Context, outdated []item, current *model.Document, sameContent bool) (matchFunc, error) {
	matches := make(map[assetRef]reloadedAsset)
	var anywhere map[string]int
	for _, entry := range outdated {
		if sameContent && !entry.source.derived {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		old := entry.payload()
		match := reloadedAsset{index: -1}
		switch i := int(entry.index); {
		case entry.source.derived && old.Node == nil:
			match.derived = model.SpanPayload(current, old.Stored)
		case entry.source.derived:
			if n, err := current.Find(old.Key); err == nil {
				match.derived = model.NodePayload(current, n)
			}
		case current.Payloads == nil:
		case i < current.Payloads.Len() && current.Payloads.At(i).Key == old.Key:
			match.index = i
		default:
			if anywhere == nil {
				anywhere = make(map[string]int)
				for i := range current.Payloads.Len() {
					anywhere[current.Payloads.At(i).Key] = i
				}
			}
			if i, ok := anywhere[old.Key]; ok {
				match.index = i
			}
		}
		matches[entry.assetRef] = match
	}
	return func(ref assetRef) (reloadedAsset, bool) {
		if sameContent && !ref.source.derived {
			return reloadedAsset{index: int(ref.index)}, true
		}
		match, ok := matches[ref]
		return match, ok
	}, nil
}

// sameBytes reports whether two documents were decoded from the same unchanged file.
func sameBytes(old, current *model.Document) bool {
	return old.Source.Path() != "" && old.Source.Path() == current.Source.Path() &&
		old.Source.Size() == current.Source.Size() &&
		old.Source.Changed() == nil && current.Source.Changed() == nil &&
		old.Payloads != nil && current.Payloads != nil && old.Payloads.Len() == current.Payloads.Len()
}

func (p *Panel) replace(old, current *model.Document, matchOf matchFunc) {
	p.latest.replace(old, current, matchOf)
	missing, verb := p.assets.replace(old, current, matchOf), "are"
	if missing == 1 {
		verb = "is"
	}
	if missing > 0 {
		p.Notify(host.Notice{Text: fmt.Sprintf("Removed %s that %s no longer in %s from the export list.",
			host.Count(missing, "asset"), verb, current.Source.Name())})
	}
	p.changed()
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
