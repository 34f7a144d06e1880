package ppac

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// file is an opened container.
type file struct {
	ctx    context.Context // of Open; what comes later has its own
	src    *model.Source
	c      *decode.Cursor
	layout Layout
	header Header

	indexEntry *entryTable

	index      index
	metadata   metadata
	trashIndex trashIndex
	live       sections // the sections that are shown

	assets    places
	assetList *model.Node
	trash     places
	trashList *model.Node

	sums     sums
	verdicts verdicts // on large assets
	media    mediaTypes
	looks    sync.Pool // quiet cursors
}

// Sniff says how sure it is that a file with these first bytes is a PPAC.
func Sniff(head []byte, size int64) decode.Sure {
	switch {
	case bytes.HasPrefix(head, magic):
		return decode.Yes
	case size < int64(len(magic)) && size >= 2 && bytes.HasPrefix(magic, head):
		return decode.Maybe
	}
	return decode.No
}

// Open reads the header and the sections of a container and finds its assets.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	head, err := src.Bytes(model.Span{Size: min(52, src.Size())})
	if err != nil {
		return nil, fmt.Errorf("ppac: header: %w", err)
	}
	if k := min(len(head), len(magic)); k == 0 || !bytes.Equal(head[:k], magic[:k]) {
		return nil, fmt.Errorf("ppac: the file does not begin with PPAC (at 0x0)")
	}
	f := &file{ctx: ctx, src: src}
	f.c = decode.New(ctx, src, "Ppac", order, &types)
	f.looks.New = func() any { return f.c.Quiet(model.Span{}) }
	f.index.name, f.metadata.name, f.trashIndex.name = "index", "metadata", "trash index"
	if len(head) >= 8 && binary.BigEndian.Uint16(head[4:]) != 4 {
		return f.unsupported(head), nil
	}
	h := chooser{c: f.c, size: src.Size(), head: head}
	if len(head) >= 28 {
		h.flags = binary.BigEndian.Uint32(head[24:])
	}
	var why string
	f.layout, why = h.choose()
	f.indexEntry = f.layout.entryTable()
	e := f.c.Quiet(model.Span{Size: min(f.layout.headerSize(), src.Size())})
	f.header, _ = f.layout.readHeader(e)
	if e.Err() == nil {
		if err := f.plan(); err != nil {
			return nil, err
		}
	}
	f.showHeader()
	f.showIndex()
	f.showMetadata()
	f.showTrashIndex()
	f.showAssets()
	f.showTrash()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, "ppac", f.layout.String(), f.c.Close())
	doc.Why = why
	doc.Stacks = true
	doc.Thing = f.thing
	if f.index.n > 0 {
		doc.Payloads = payloads{f}
		doc.FindKey = f.findKey
		doc.Tables = []model.TableSource{{Name: "Index", Assets: true, Open: f.table}}
		doc.Groups = []model.Grouping{
			{Name: "Index by type", Build: f.byType},
			{Name: "Index by purpose", Build: f.byPurpose},
		}
	}
	return doc, nil
}

// unsupported is a container of another version: what stands after the version is anyone's guess.
func (f *file) unsupported(head []byte) *model.Document {
	f.c.Struct("header", "Header", func() {
		f.c.Magic("magic", magic)
		major := f.c.U16("major")
		f.c.As("short")
		f.c.Wrong("version %d of the format is not supported, 4 is", major)
		f.c.U16("minor")
		f.c.As("short")
	})
	variant := fmt.Sprintf("%d.%d", binary.BigEndian.Uint16(head[4:]), binary.BigEndian.Uint16(head[6:]))
	doc := model.NewDocument(f.src, "ppac", variant, f.c.Close())
	doc.Why = "the version that the header states is not supported"
	return doc
}
