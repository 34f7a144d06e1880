package ppac

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"assay/formats/decode"
	"assay/model"
	"assay/model/inside"
)

// File is an opened container: what its sections are, and where its assets are. Any goroutine may read it.
type File struct {
	*container
	Header       Header
	headerLeaves headerLeaves
	index        index
	metadata     metadata
	trashIndex   trashIndex
	occupied     sections // those that no asset may overlap

	entries entries
	assets  spanIndex // by the index
	trash   spanIndex // by the trash index
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
	c := decode.New(ctx, src, "Ppac", order, &types)
	if !isSupported(head) {
		return unsupported(c, head), nil
	}
	f, why, err := read(ctx, c, head)
	if err != nil {
		return nil, err
	}
	return f.document(why), nil
}

// isSupported reports whether a container is of version 4, as far as its first bytes tell.
func isSupported(head []byte) bool { return len(head) < 8 || order.Uint16(head[4:]) == 4 }

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

// Read opens a container of which the version is supported.
func Read(ctx context.Context, src *model.Source) (*File, error) {
	head, err := readHead(src)
	if err != nil {
		return nil, err
	}
	if !isSupported(head) {
		return nil, fmt.Errorf("%s is of another version of the format than 4", model.OneLine(src.Name(), 400))
	}
	f, _, err := read(ctx, decode.New(ctx, src, "Ppac", order, &types), head)
	return f, err
}

// Of returns the container that a document shows; nil if it shows none, or one without assets.
func Of(d *model.Document) *File {
	if p, ok := inside.Unwrapped(d.Payloads).(payloads); ok {
		return p.f
	}
	return nil
}

// Missing returns the name of a section that is damaged, so that assets or metadata of them may be missing; empty if
// none is.
func (f *File) Missing() string {
	switch {
	case !f.index.shown() || f.index.countFault != "":
		return f.index.name
	case f.metadata.state == sectionRefused || f.metadata.shown() && !f.metadata.whole:
		return f.metadata.name
	}
	return ""
}

// read chooses the layout of a container, says why, and records the header, the sections and the assets.
func read(ctx context.Context, c *decode.Cursor, head []byte) (f *File, why string, err error) {
	k := newContainer(c)
	layout, why := chooseLayout(ctx, k, head)
	f = newFile(k.in(layout))
	return f, why, f.record(ctx)
}

// newFile returns a container of which nothing is known but its layout.
func newFile(k *container) *File {
	f := &File{container: k, entries: entries{file: k}}
	f.adlerCoverage = sync.OnceValue(f.voteOnAdler)
	f.index.name, f.metadata.name, f.trashIndex.name = "index", "metadata", "trash index"
	return f
}

// record records the header, the sections and the assets.
func (f *File) record(ctx context.Context) error {
	if f.recordHeader() {
		if err := f.findSections(ctx); err != nil {
			return err
		}
		f.checkHeader()
	}
	f.recordIndex()
	f.recordMetadata()
	f.recordTrashIndex()
	f.recordAssets()
	f.recordTrash()
	return ctx.Err()
}

// document returns what was recorded, with the assets as payloads, a table and groups.
func (f *File) document(why string) *model.Document {
	doc := model.NewDocument(f.Source, "ppac", f.Layout.String(), f.cursor.Close())
	doc.Why = why
	doc.Packs, doc.Stacks = true, true
	doc.Thing, doc.Meaning = f.describeNode, fields.Meaning
	if f.entries.n > 0 {
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

// recordHeader records HEADER, and reports whether it is whole.
func (f *File) recordHeader() bool {
	return f.cursor.Try(func() {
		f.cursor.Struct("header", "Header", func() { f.Header, f.headerLeaves = f.Layout.readHeader(f.cursor) })
	})
}

// unsupported returns a container of another version, of which only the version is known.
func unsupported(c *decode.Cursor, head []byte) *model.Document {
	c.Struct("header", "Header", func() {
		c.Magic("magic", magic)
		major := c.U16("major")
		c.As("short")
		c.Wrong("version %d of the format is not supported, 4 is", major)
		c.U16("minor")
		c.As("short")
	})
	variant := fmt.Sprintf("%d.%d", order.Uint16(head[4:]), order.Uint16(head[6:]))
	doc := model.NewDocument(c.Source(), "ppac", variant, c.Close())
	doc.Why, doc.Meaning = "the version that the header states is not supported", fields.Meaning
	return doc
}
