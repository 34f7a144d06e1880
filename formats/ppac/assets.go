package ppac

import (
	"assay/formats/decode"
	"assay/model"
)

// asset is an index entry with the bytes it leads to.
type asset struct {
	src    *model.Source
	ent    Entry
	later  bool
	record int
	entry  model.Span // what the index entry names
	data   model.Span // the stored bytes
	have   bool       // data are known
	times  DataEntry
}

// assetAt returns the asset of the i-th index entry, whose place is s. The data of a published one are looked up.
func (f *file) assetAt(i int, ent Entry, s model.Span) *asset {
	return &asset{src: f.src, ent: ent, later: f.layout.Later, record: i, entry: s, data: s, have: f.layout.Later}
}

// find looks up where in the entry the data are.
func (f *file) find(a *asset) bool {
	if a.have || a.later {
		return true
	}
	look := f.looks.Get().(*decode.Cursor)
	defer f.looks.Put(look)
	look.Reset(a.entry)
	d, fit, _ := f.layout.readDataEntry(look)
	a.times, a.data = d, d.Data
	a.have = fit != fitNot
	return a.have
}

// showAssets records the assets in the order of the file.
func (f *file) showAssets() {
	if f.assets.count == 0 || f.c.Err() != nil {
		return
	}
	elem := "DataEntry"
	if f.layout.Later {
		elem = "bytes"
	}
	bounds := f.assets.bounds()
	f.c.GoTo(bounds.Offset)
	f.assetList = f.c.Struct("assets", "DataEntry[]", func() {
		f.c.Elements(elem, f.assets.count, f.assetSpan, f.assets.lookup, f.showAsset)
		f.c.Summaries(f.assetSummaries())
		f.c.GoTo(bounds.End())
	})
}

// assetSpan is the k-th asset in the order of the file.
func (f *file) assetSpan(look *decode.Cursor, k int) model.Span {
	return f.spanAt(look, f.assets.at(k))
}

// showAsset reads the k-th asset in the order of the file, DATA ENTRY or the bare asset of the later revision, and
// compares it with its index entry if it is small.
func (f *file) showAsset(e *decode.Cursor, k int) {
	record := f.assets.at(k)
	ent := f.entryAt(e.Aside(f.record(record)), record)
	s, _ := f.locate(ent.Location, ent.Size)
	data := e.Node()
	var d DataEntry
	fit := fitExact
	if f.layout.Later {
		d.Data = e.Whole().Span
	} else {
		d, fit, data = f.layout.readDataEntry(e)
	}
	if e.Keyed() {
		e.Key(ent.TPU.String())
	}
	if node := e.Node(); node != nil {
		node.Label = func() string { return f.label(record) }
		node.Link = &model.Link{Key: node.Key, Target: func() (model.Path, bool) {
			return append(f.index.entries.Path(), record), true
		}}
	}
	if fit == fitNot {
		return
	}
	v, known := f.glanceHeld(e, &ent, s, d.Data)
	if !known {
		a := f.assetAt(record, ent, s)
		a.times, a.data, a.have = d, d.Data, true
		v, known = f.glance(a)
	}
	switch {
	case !known || v != model.Invalid:
	case data == nil:
		e.RemarkOn(nil, model.Error, "")
	default: // although the metadata may not fit
		data.Warn(model.Error, data.Span, "the content of %s does not match the %s in the index", ent.TPU, f.sumName())
	}
}
