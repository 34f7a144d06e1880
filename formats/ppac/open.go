package ppac

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// file is an opened container.
type file struct {
	ctx   context.Context // of Open; what comes later has its own
	src   *model.Source
	c     *decode.Cursor
	quiet *cursors // for reads from any goroutine

	layout       Layout
	header       Header
	headerLeaves headerLeaves
	index        index
	metadata     metadata
	trashIndex   trashIndex
	occupied     sections // those that no asset may overlap

	assets    spanIndex // by the index
	assetList *model.Node
	trash     spanIndex // by the trash index
	trashList *model.Node

	adler   adlerVote
	results results
}

// Sniff reports whether a file that begins with head is a PPAC; Maybe for one that ends within the magic number.
func Sniff(head []byte, size int64) decode.Confidence {
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
	head, err := readHead(src)
	if err != nil {
		return nil, err
	}
	f := newFile(ctx, src)
	if len(head) >= 8 && order.Uint16(head[4:]) != 4 {
		return f.unsupported(head), nil
	}
	layout, why := (&chooser{f: f, head: head}).choose()
	f.layout = layout
	if err := f.record(); err != nil {
		return nil, err
	}
	return f.document(why), nil
}

// readHead returns the first bytes of a container, as many as the longest header has or as there are.
func readHead(src *model.Source) ([]byte, error) {
	head, err := src.Bytes(model.Span{Size: min(52, src.Size())})
	if err != nil {
		return nil, fmt.Errorf("ppac: header: %w", err)
	}
	if k := min(len(head), len(magic)); k == 0 || !bytes.Equal(head[:k], magic[:k]) {
		return nil, fmt.Errorf("ppac: the file does not begin with PPAC (at 0x0)")
	}
	return head, nil
}

// record records the header, the sections and the assets.
func (f *file) record() error {
	if f.recordHeader() {
		if err := f.findSections(); err != nil {
			return err
		}
		f.checkHeader()
	}
	f.recordIndex()
	f.metadata.add(f.c)
	f.trashIndex.add(f.c)
	f.recordAssets()
	f.recordTrash()
	return f.ctx.Err()
}

// document returns what was recorded, with the assets as payloads, a table and groups.
func (f *file) document(why string) *model.Document {
	doc := model.NewDocument(f.src, "ppac", f.layout.String(), f.c.Close())
	doc.Why = why
	doc.Packs, doc.Stacks, doc.Packer = true, true, packer
	doc.Thing = f.describeNode
	if f.index.n > 0 {
		doc.Payloads = payloads{f}
		doc.FindKey = f.findKey
		doc.Tables = []model.TableSource{{Name: "Index", Assets: true, Open: f.table}}
		doc.Groups = []model.Grouping{
			{Name: "Index by type", Build: f.byType},
			{Name: "Index by purpose", Build: f.byPurpose},
		}
	}
	return doc
}

func newFile(ctx context.Context, src *model.Source) *file {
	f := &file{ctx: ctx, src: src, c: decode.New(ctx, src, "Ppac", order, &types)}
	f.quiet = &cursors{sync.Pool{New: func() any { return f.c.Quiet(model.Span{}) }}}
	f.index.name, f.metadata.name, f.trashIndex.name = "index", "metadata", "trash index"
	return f
}

// cursors are quiet cursors to borrow. They are safe for concurrent use.
type cursors struct{ pool sync.Pool }

// borrow calls read with a cursor that is read's own until it returns, and with it the bytes that were peeked at.
func (l *cursors) borrow(read func(quiet *decode.Cursor)) {
	quiet := l.pool.Get().(*decode.Cursor)
	defer l.pool.Put(quiet)
	read(quiet)
}

// spansOf returns span with a borrowed cursor, so that it may be called from any goroutine.
func (f *file) spansOf(span func(quiet *decode.Cursor, i int) model.Span) func(i int) model.Span {
	return func(i int) (s model.Span) {
		f.quiet.borrow(func(quiet *decode.Cursor) { s = span(quiet, i) })
		return s
	}
}

// recordHeader records HEADER, and reports whether it is whole.
func (f *file) recordHeader() bool {
	return f.c.Try(func() {
		f.c.Struct("header", "Header", func() { f.header, f.headerLeaves = f.layout.readHeader(f.c) })
	})
}

// unsupported returns a container of another version, of which only the version is known.
func (f *file) unsupported(head []byte) *model.Document {
	f.c.Struct("header", "Header", func() {
		f.c.Magic("magic", magic)
		major := f.c.U16("major")
		f.c.As("short")
		f.c.Wrong("version %d of the format is not supported, 4 is", major)
		f.c.U16("minor")
		f.c.As("short")
	})
	variant := fmt.Sprintf("%d.%d", order.Uint16(head[4:]), order.Uint16(head[6:]))
	doc := model.NewDocument(f.src, "ppac", variant, f.c.Close())
	doc.Why = "the version that the header states is not supported"
	return doc
}
