package ppac

import (
	"cmp"
	"context"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// DataEntry is DATA ENTRY: what stands at an asset's location in the published revision.
type DataEntry struct {
	Created, Modified int64
	Data              model.Span // the stored bytes
	Filename          string     // from the metadata of the entry; empty if they have none

	fit fit
}

// fit is how well bytes read as a DATA ENTRY.
type fit uint8

const (
	fitNot     fit = iota // the data do not fit
	fitOverrun            // the metadata do not fit
	fitShort              // bytes are left over
	fitSize               // all is there, but the metadata size is wrong in each reading of the document
	fitExact              // every field agrees with the bytes
)

// readDataEntry reads DATA ENTRY, and returns the leaf of the asset's bytes too.
func (l Layout) readDataEntry(e *decode.Cursor) (d DataEntry, data *model.Node) {
	d.Created = readTime(e, "created")
	d.Modified = readTime(e, "modified")
	n := e.Size("data_size", l.size())
	if e.Err() != nil {
		return d, nil
	}
	if left := e.Left(); left < 4 || n > uint64(left-4) {
		e.Wrong("%d bytes of data and 4 for the size of the metadata do not fit in the %d that are left of the entry",
			n, left)
		return d, nil
	}
	d.Data = e.Bytes("data", "data", int64(n)).Span
	data = e.Last()
	d.Filename, d.fit = readAssetMetadata(e)
	return d, data
}

// readAssetMetadata reads the metadata at the end of DATA ENTRY, and returns the file name in them and how well the
// entry fits its bytes.
func readAssetMetadata(e *decode.Cursor) (filename string, fits fit) {
	size := int64(e.Size("metadata_size", model.U24))
	sizeLeaf := e.Last()
	count := e.U8("metadata_count")
	e.Role(model.RoleCount)
	from := e.Pos()
	filename = readPairs(e, "metadata", int64(count))
	if e.Err() != nil {
		return filename, fitOverrun
	}
	fits = fitExact
	if m := e.Pos() - from; size != m+4 && size != m+3 && size != m+1 && size != m {
		fits = fitSize
		e.Remark(model.Warning, sizeLeaf,
			"the metadata have %d bytes, with the two fields before them %d; the size says %d", m, m+4, size)
	}
	if left := e.Left(); left > 0 {
		fits = fitShort
		e.Remark(model.Warning, model.Span{Offset: e.Pos(), Size: left}, "the entry ends %d bytes before its size says",
			left)
	}
	return filename, fits
}

// leastAsset is the number of bytes of an empty asset.
func (l Layout) leastAsset() uint64 {
	if l.Later {
		return 0
	}
	return uint64(20 + l.SizeWidth)
}

// asset is an index entry with the bytes that it leads to.
type asset struct {
	f     *file
	i     int // of the index entry
	ent   Entry
	place model.Span // what the index entry names
	DataEntry
	loaded []byte // the bytes of place if they are in memory; else nil
}

// assetOf returns the asset of the i-th index entry, which names place. In the published revision the data are a part
// of place, which findData finds.
func (f *file) assetOf(i int, x Entry, place model.Span) asset {
	a := asset{f: f, i: i, ent: x, place: place}
	if f.layout.Later {
		a.Data, a.fit = place, fitExact
	}
	return a
}

// find returns the asset of the i-th index entry, or what is wrong with its place.
func (f *file) find(i int, x *Entry) (asset, *misplaced) {
	s, wrong := f.locate(x)
	return f.assetOf(i, *x, s), wrong
}

// findData finds the stored bytes of an asset, and reports whether they fit.
func (a *asset) findData() bool {
	if a.fit == fitNot {
		a.f.quiet.borrow(func(quiet *decode.Cursor) {
			quiet.Reset(a.place)
			if a.DataEntry, _ = a.f.layout.readDataEntry(quiet); quiet.Err() != nil {
				a.fit = fitNot
			}
		})
	}
	return a.fit != fitNot
}

// recordAssets records the assets in the order of the file.
func (f *file) recordAssets() {
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
		f.c.Elements(elem, f.assets.count, f.assets.at, f.assetReading)
		f.c.Summaries(f.assetSummaries())
		f.c.GoTo(bounds.End())
	})
}

// readBytes reads an element that is nothing but bytes: it has no fields.
func readBytes(e *decode.Cursor) model.Blob {
	b := e.Bytes("bytes", "bytes", e.Left())
	e.CollapseStruct()
	return b
}

// assetReader reads assets in the order of the file.
type assetReader struct {
	f       *file
	entries orderedEntries
	asset        // the present one
	missing bool // its index entry cannot be read any more
}

func (f *file) assetReading(look *decode.Cursor) (func(k int) model.Span, func(e *decode.Cursor, _ int)) {
	r := &assetReader{f: f, entries: orderedEntries{f: f, quiet: look}}
	return r.span, r.read
}

// span returns the part of the file that the index names for the k-th asset.
func (r *assetReader) span(k int) model.Span {
	var wrong *misplaced
	r.asset, wrong = r.f.find(r.f.assets.record(k), r.entries.at(k))
	if r.missing = wrong != nil; r.missing {
		return model.Span{}
	}
	return r.place
}

// read reads DATA ENTRY, or the bare asset of the later revision, and compares it with its index entry if it is small.
func (r *assetReader) read(e *decode.Cursor, _ int) {
	if r.missing {
		e.Fail("the index entry cannot be read")
		return
	}
	f, a := r.f, &r.asset
	if a.place.Size <= smallMax && !a.mayBeCompressed() {
		a.loaded = e.Peek(a.place.Size)
	}
	data := e.Node()
	if f.layout.Later {
		readBytes(e)
	} else {
		a.DataEntry, data = f.layout.readDataEntry(e)
	}
	if e.Node() != nil {
		e.Key(a.ent.TPU.String())
	}
	if e.Recording() {
		f.linkAsset(e.Node(), a.i)
	}
	if a.fit == fitNot || e.Err() != nil {
		return
	}
	if severity, fault := f.fault(a); fault != "" {
		e.Remark(severity, data, "%s", fault)
	}
}

// linkAsset links the node of an asset to its index entry and labels it like that.
func (f *file) linkAsset(node *model.Node, i int) {
	node.SetLabel(func() string { return f.label(i) })
	node.Link = &model.Link{Key: node.Key, Target: func() (model.Path, bool) {
		return append(f.index.entries.Path(), i), true
	}}
}

// fault says what is wrong with the content of an asset that is small enough to be checked whenever it is looked at.
func (f *file) fault(a *asset) (model.Severity, string) {
	r, _ := f.checkIfSmall(a)
	switch {
	case r.verdict == model.Invalid:
		why := fmt.Sprintf("the content of %s does not match the %s in the index", a.ent.TPU, f.sumName())
		if r.content != "" {
			why += "; " + r.content
		}
		return model.Error, why
	case r.content != "":
		return model.Error, fmt.Sprintf("the content of %s: %s", a.ent.TPU, r.content)
	case f.layout.hasMemorySize() && a.ent.Compression == Stored && uint64(a.Data.Size) != a.ent.MemorySize &&
		!a.isUndeclaredDeflate(context.Background(), firstLook):
		return model.Warning, fmt.Sprintf("the content of %s has %d bytes, the index says %d", a.ent.TPU, a.Data.Size,
			a.ent.MemorySize)
	}
	return model.Note, ""
}

// label returns what a person calls the asset of an index entry: its file name, else its key.
func (f *file) label(i int) string {
	x := f.entry(i)
	a, wrong := f.find(i, &x)
	name := ""
	switch {
	case wrong != nil:
	case f.layout.Later:
		f.quiet.borrow(func(quiet *decode.Cursor) { name = f.filenameOf(quiet, x.TPU) })
	case a.findData():
		name = a.Filename
	}
	return cmp.Or(name, x.TPU.String())
}
