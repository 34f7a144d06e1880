package ppac

import (
	"cmp"
	"context"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// locate returns the part of the file that an index entry names, or what is wrong with it.
func (f *file) locate(x *Entry) (model.Span, *misplaced) { return f.locateAmong(x, f.occupied) }

// find returns the asset of the i-th index entry, or what is wrong with its place.
func (f *file) find(i int, x *Entry) (asset, *misplaced) {
	s, wrong := f.locate(x)
	return f.asset(i, x, s), wrong
}

// assetAt is find for an index entry that is read again.
func (f *file) assetAt(i int) (asset, *misplaced) {
	x := f.entries.at(nil, i)
	return f.find(i, &x)
}

// recordAssets records the assets in the order of the file.
func (f *file) recordAssets() {
	elem := "DataEntry"
	if f.layout.Later {
		elem = "bytes"
	}
	f.assets.list(f.c, "assets", "DataEntry[]", elem, f.assetReading, f.assetSummaries())
}

// assetReader reads assets in the order of the file.
type assetReader struct {
	entries orderedEntries
	asset        // the present one
	missing bool // its index entry cannot be read any more
}

func (f *file) assetReading(look *decode.Cursor) (func(k int) model.Span, func(e *decode.Cursor, _ int)) {
	r := &assetReader{entries: orderedEntries{file: f, quiet: look}}
	return r.span, r.read
}

// span returns the part of the file that the index names for the k-th asset.
func (r *assetReader) span(k int) model.Span {
	var wrong *misplaced
	r.asset, wrong = r.entries.find(r.entries.assets.record(k), r.entries.at(k))
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
	f, a := r.entries.file, &r.asset
	if a.place.Size <= smallMax && !a.mayBeCompressed() {
		a.loaded = e.Peek(a.place.Size)
	}
	data := a.read(e)
	if e.Node() != nil {
		e.Key(a.entry.TPU.String())
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
		return f.entryPath(i), true
	}}
}

// fault says what is wrong with the content of an asset that is small enough to be checked whenever it is looked at.
func (f *file) fault(a *asset) (model.Severity, string) {
	r, _ := f.checkIfSmall(a)
	switch {
	case r.verdict == model.Invalid:
		why := fmt.Sprintf("the content of %s does not match the %s in the index", a.entry.TPU, f.layout.sumName())
		if r.content != "" {
			why += "; " + r.content
		}
		return model.Error, why
	case r.content != "":
		return model.Error, fmt.Sprintf("the content of %s: %s", a.entry.TPU, r.content)
	case f.layout.hasMemorySize() && a.entry.Compression == Stored && uint64(a.Data.Size) != a.entry.MemorySize &&
		!a.isUndeclaredDeflate(context.Background(), firstLook):
		return model.Warning, fmt.Sprintf("the content of %s has %d bytes, the index says %d", a.entry.TPU, a.Data.Size,
			a.entry.MemorySize)
	}
	return model.Note, ""
}

// label returns what a person calls the asset of an index entry: its file name, else its key.
func (f *file) label(i int) string {
	a, wrong := f.assetAt(i)
	name := ""
	switch {
	case wrong != nil:
	case f.layout.Later:
		f.quiet.borrow(nil, func(quiet *decode.Cursor) { name = f.filenameOf(quiet, a.entry.TPU) })
	case a.findData(nil):
		name = a.Filename
	}
	return cmp.Or(name, a.entry.TPU.String())
}
