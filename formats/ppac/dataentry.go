package ppac

import (
	"assay/formats/decode"
	"assay/model"
)

// DataEntry is what stands at an asset's location in the published revision.
type DataEntry struct {
	Created, Modified int64
	Data              model.Span // the stored bytes
	Metadata          []MetadataEntry
}

// fit is how well bytes read as a DATA ENTRY.
type fit uint8

const (
	fitNot     fit = iota // the data do not fit
	fitOverrun            // the metadata do not fit
	fitShort              // bytes are left over
	fitSize               // all is there, but the metadata size is none of the readings
	fitExact
)

// readDataEntry reads DATA ENTRY. data is the leaf of the asset's bytes.
func (l Layout) readDataEntry(e *decode.Cursor) (d DataEntry, f fit, data *model.Node) {
	d.Created = e.Time("created")
	d.Modified = e.Time("modified")
	n := e.Size("data_size", l.size())
	if e.Err() != nil {
		return d, fitNot, nil
	}
	if left := e.Left(); left < 4 || n > uint64(left-4) {
		e.Wrong("%d bytes of data and 4 for the size of the metadata do not fit in the %d that are left of the entry",
			n,
			left)
		return d, fitNot, nil
	}
	d.Data = e.Bytes("data", "data", int64(n)).Span
	data = e.Last()
	size := int64(e.U24("metadata_size", "integer"))
	e.Role(model.RoleSize)
	sizeLeaf := e.Last()
	count := e.U8("metadata_count")
	e.Role(model.RoleCount)
	from := e.Pos()
	d.Metadata = readPairs(e, "metadata", int64(count))
	if e.Err() != nil {
		return d, fitOverrun, data
	}
	f = fitExact
	if m := e.Pos() - from; size != m+4 && size != m+3 && size != m+1 && size != m {
		f = fitSize
		e.RemarkOn(sizeLeaf, model.Warning,
			"the metadata have %d bytes, with the two fields before them %d; the size says %d", m, m+4, size)
	}
	if left := e.Left(); left > 0 {
		f = fitShort
		e.Remark(model.Warning, model.Span{Offset: e.Pos(), Size: left}, "the entry ends %d bytes before its size says",
			left)
	}
	return d, f, data
}
