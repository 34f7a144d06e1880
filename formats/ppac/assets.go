package ppac

import (
	"context"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// asset is an index entry with the bytes it leads to.
type asset struct {
	src    *model.Source
	ent    Entry
	later  bool
	sized  bool // the index has the size of the expanded content
	record int
	entry  model.Span // what the index entry names
	data   model.Span // the stored bytes
	have   bool       // data are known
	times  DataEntry
}

// assetAt returns the asset of the i-th index entry, whose place is s. The data of a published one are looked up.
func (f *file) assetAt(i int, ent Entry, s model.Span) *asset {
	return &asset{src: f.src, ent: ent, later: f.layout.Later, sized: f.layout.sized(), record: i, entry: s, data: s, have: f.layout.Later}
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
		node.SetLabel(func() string { return f.label(record) })
		node.Link = &model.Link{Key: node.Key, Target: func() (model.Path, bool) {
			return append(f.index.entries.Path(), record), true
		}}
	}
	if fit == fitNot {
		return
	}
	v, known := f.glanceHeld(e, &ent, s, d.Data)
	if known && v != model.Invalid && f.plain(&ent, d.Data) {
		return
	}
	a := f.assetAt(record, ent, s)
	a.times, a.data, a.have = d, d.Data, true
	if !known {
		v, known = f.glance(a)
	}
	severity, fault := model.Error, ""
	if known && v == model.Invalid {
		fault = fmt.Sprintf("the content of %s does not match the %s in the index", ent.TPU, f.sumName())
	} else {
		severity, fault = f.contentFault(a)
	}
	switch {
	case fault == "":
	case data == nil:
		e.RemarkOn(nil, severity, "")
	default: // although the metadata may not fit
		data.Warn(severity, data.Span, "%s", fault)
	}
}

// plain reports whether an asset is stored as it is, and has the size that is recorded.
func (f *file) plain(ent *Entry, data model.Span) bool {
	return ent.Compression == Stored && (!f.layout.sized() || uint64(data.Size) == ent.MemorySize)
}

// contentFault says what is wrong with the content of an asset beside its checksum, in a problem of its node: with the
// compressed stream of one that is small enough to be expanded whenever it is looked at, or with its size in memory.
func (f *file) contentFault(a *asset) (model.Severity, string) {
	if a.ent.Compression == Stored {
		if f.plain(&a.ent, a.data) || a.hidden(context.Background(), firstLook) {
			return model.Note, ""
		}
		return model.Warning, fmt.Sprintf("the content of %s has %d bytes, the index says %d", a.ent.TPU, a.data.Size,
			a.ent.MemorySize)
	}
	limit := f.glanceLimit()
	if a.ent.Compression != Deflate || a.data.Size > limit {
		return model.Note, ""
	}
	fault, err := f.expandWhole(context.Background(), a, glanceExpand*limit)
	if fault == "" || err != nil {
		return model.Note, ""
	}
	return model.Error, fmt.Sprintf("the content of %s: %s", a.ent.TPU, fault)
}
