package ppac

import (
	"cmp"
	"context"
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// recordAssets records the assets in the order of the file.
func (f *File) recordAssets() {
	elem := "DataEntry"
	if f.Layout.Later {
		elem = "bytes"
	}
	f.assets.list(f.cursor, "assets", "DataEntry[]", elem, f.assetReading, f.assetSummaries())
}

// assetReader reads assets in the order of the file.
type assetReader struct {
	file    *File
	entries *OrderedEntries
	entry   *Entry     // of the present asset
	place   model.Span // of it
	err     error      // why it cannot be there
}

func (f *File) assetReading() (func(k int) model.Span, func(e *decode.Cursor, k int)) {
	r := &assetReader{file: f, entries: f.Ordered(f.assets.order)}
	return r.span, r.read
}

// span returns the part of the file that the index names for the k-th asset.
func (r *assetReader) span(k int) model.Span {
	r.entry = r.entries.At(k)
	if r.place, r.err = r.file.Locate(r.entry); r.err != nil {
		return model.Span{}
	}
	return r.place
}

// read reads DATA ENTRY, or the bare asset of the later revision, and compares it with its index entry if it is small.
func (r *assetReader) read(e *decode.Cursor, k int) {
	if r.err != nil { // the file was cut since it was opened
		e.Fail("the index entry cannot be read")
		return
	}
	f, loaded := r.file, r.file.loadSmall(e, r.place)
	a, data := f.readAsset(e, r.entries.Number(k), r.entry, r.place)
	if e.Node() != nil {
		e.Key(a.Entry.TPU.String())
	}
	if e.Recording() {
		f.linkAsset(e.Node(), a.Index)
	}
	if a.fit == fitNot || e.Err() != nil {
		return
	}
	if severity, fault := f.fault(&a, loaded); fault != "" {
		e.Remark(severity, data, "%s", fault)
	}
}

// linkAsset links the node of an asset to its index entry and labels it like that.
func (f *File) linkAsset(node *model.Node, i int) {
	node.SetLabel(func() string { return f.Label(i) })
	node.Link = &model.Link{Key: node.Key, Target: func() (model.Path, bool) {
		return f.entryPath(i), true
	}}
}

// fault says what is wrong with the content of an asset that is small enough to be checked whenever it is looked at.
func (f *File) fault(a *Asset, loaded []byte) (model.Severity, string) {
	r, _ := f.checkIfSmall(a, loaded)
	switch {
	case r.verdict == model.Invalid:
		why := fmt.Sprintf("the content of %s does not match the %s in the index", a.Entry.TPU, f.Layout.sumName())
		if r.content != nil {
			why += "; " + r.content.Error()
		}
		return model.Error, why
	case r.content != nil:
		return model.Error, fmt.Sprintf("the content of %s: %s", a.Entry.TPU, r.content)
	}
	if f.Layout.hasMemorySize() && a.Entry.Compression == Stored && uint64(a.Data.Size) != a.Entry.MemorySize {
		if a.codec(context.Background(), a.mark(), listProof) == notCompressed {
			return model.Warning, fmt.Sprintf("%s has %d bytes of content, but the index records %d", a.Entry.TPU,
				a.Data.Size, a.Entry.MemorySize)
		}
	}
	return model.Note, ""
}

// Label returns what a person calls the asset of an index entry: its file name, else its key.
func (f *File) Label(i int) string {
	a, err := f.Asset(i)
	name := a.Filename
	if f.Layout.Later && err == nil {
		f.quiet.borrow(func(quiet *decode.Cursor) { name = f.filenameOf(quiet, a.Entry.TPU) })
	}
	return cmp.Or(name, a.Entry.TPU.String())
}
