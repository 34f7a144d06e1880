package ppac

import (
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

// assetAt gives the asset of the i-th index entry, whose place is s. The data of a published one are looked up.
func (f *file) assetAt(i int, ent Entry, s model.Span) *asset {
	return &asset{src: f.src, ent: ent, later: f.layout.Later, record: i, entry: s, data: s, have: f.layout.Later}
}

// find looks up where in the entry the data are.
func (f *file) find(a *asset) bool {
	if a.have || a.later {
		return true
	}
	d, fit, _ := f.layout.readDataEntry(f.c.Element("DataEntry", a.entry))
	a.times, a.data = d, d.Data
	a.have = fit != fitNot
	return a.have
}

// showAssets records the assets in the order of the file.
func (f *file) showAssets() {
	if f.assets.count == 0 || f.c.Err() != nil {
		return
	}
	list := &model.Node{Name: "assets", Type: "DataEntry[]", Span: f.assets.bounds()}
	list.SetChildren(&model.Elements{Count: f.assets.count, Lookup: f.assets.lookup, Sums: f.assetSummaries(),
		Make: func(k int) *model.Node {
			n := f.assetNode(f.assets.at(k))
			n.Parent = list
			return n
		}})
	f.assetList = list
	f.c.Add(list)
}

// assetNode records DATA ENTRY, or the bare asset of the later revision.
func (f *file) assetNode(record int) *model.Node {
	ent := f.entry(record)
	s, _ := f.locate(ent.Location, ent.Size)
	a := f.assetAt(record, ent, s)
	var node, data *model.Node
	if f.layout.Later {
		node = &model.Node{Type: "bytes", Span: s, Value: model.Blob{Source: f.src, Span: s}}
		data = node
	} else {
		e := f.c.Element("DataEntry", s)
		var fit fit
		a.times, fit, data = f.layout.readDataEntry(e)
		a.data, a.have = a.times.Data, fit != fitNot
		node = e.Close()
	}
	node.Key = ent.TPU.String()
	node.Link = &model.Link{Key: node.Key, Target: func() (model.Path, bool) {
		return append(f.index.entries.Path(), record), true
	}}
	if data == nil {
		return node
	}
	if v, known := f.glance(a); known && v == model.Invalid {
		data.Warn(model.Error, data.Span, "the content of %s does not match the %s in the index", node.Key, f.sumName())
	}
	return node
}
