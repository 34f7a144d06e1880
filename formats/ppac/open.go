package ppac

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"assay/formats/decode"
	"assay/model"
	"assay/model/content"
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
	c := decode.New(ctx, src, "Ppac", order, &types)
	head, err := readHead(c)
	if err != nil {
		return nil, err
	}
	if !isSupported(src, head) {
		return unsupported(c, head), nil
	}
	f, why, err := read(ctx, c, head)
	if err != nil {
		return nil, err
	}
	return f.document(why), nil
}

// isSupported reports whether a container is of version 4, or ends before that can be told.
func isSupported(src *model.Source, head Header) bool { return src.Size() < 8 || head.Major == 4 }

// readHead reads what HEADER has in each layout, up to the flags; zeros for what the file is too short for.
func readHead(c *decode.Cursor) (head Header, err error) {
	s := model.Span{Size: min(fixedSize, c.Source().Size())}
	b, err := c.Source().Bytes(s)
	if err != nil {
		return head, fmt.Errorf("ppac: header: %w", err)
	}
	if k := min(len(b), len(magic)); k == 0 || !bytes.Equal(b[:k], magic[:k]) {
		return head, fmt.Errorf("ppac: the file does not begin with PPAC (at 0x0)")
	}
	head, _ = Layout{}.readHeader(c.Quiet(s))
	return head, nil
}

// Read opens a container of which the version is supported.
func Read(ctx context.Context, src *model.Source) (*File, error) {
	c := decode.New(ctx, src, "Ppac", order, &types)
	head, err := readHead(c)
	if err != nil {
		return nil, err
	}
	if !isSupported(src, head) {
		return nil, fmt.Errorf("%s has an unsupported format version (only 4)", model.OneLine(src.Name(), 400))
	}
	f, _, err := read(ctx, c, head)
	return f, err
}

// Of returns the container that a document shows; nil if it shows none, or one without assets.
func Of(d *model.Document) *File {
	if p, ok := content.Unwrapped(d.Payloads).(payloads); ok {
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
func read(ctx context.Context, c *decode.Cursor, head Header) (f *File, why string, err error) {
	k, why := chooseLayout(ctx, newContainer(c), head)
	f = newFile(k)
	return f, why, f.record(ctx)
}

// newFile returns a container of which nothing is known but its layout.
func newFile(k *container) *File {
	f := &File{container: k, entries: entries{container: k}}
	f.adlerCoverage = sync.OnceValue(f.voteOnAdler)
	f.index.name = "index"
	f.metadata.section = section{name: "metadata", optional: true}
	f.trashIndex.section = section{name: "trash index", optional: true}
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
func unsupported(c *decode.Cursor, head Header) *model.Document {
	c.Struct("header", "Header", func() {
		c.Magic("magic", magic)
		major := c.U16("major")
		c.As("short")
		c.Wrong("version %d is not supported (only 4)", major)
		c.U16("minor")
		c.As("short")
	})
	variant := fmt.Sprintf("%d.%d", head.Major, head.Minor)
	doc := model.NewDocument(c.Source(), "ppac", variant, c.Close())
	doc.Why, doc.Meaning = "the version in the header is not supported", fields.Meaning
	return doc
}
