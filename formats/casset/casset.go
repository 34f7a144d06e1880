package casset

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"

	"assay/formats/decode"
	"assay/model"
)

var (
	packMagic   = []byte("\x00PACK\x00\x00\n")
	bundleMagic = []byte("\x00BUNDLE\x00")
	objectMagic = []byte("\x00OBJECT\x00")
	fieldMarker = []byte{0xF1, 0x1F, 0xF1, 0x1F}
)

//go:embed icon.png
var iconPNG []byte

// Formats returns what the program and desktops know of the files that the package reads.
func Formats() []decode.Format {
	bundles := newBundleFiles()
	open := func(ctx context.Context, src *model.Source) (*model.Document, error) {
		return openWith(ctx, src, bundles)
	}
	return []decode.Format{{Name: "casset", Sniff: Sniff, Open: open, Page: fields.Page, FileType: model.FileType{
		MIME: "application/x-crystalengine-asset", Title: "CrystalEngine package or bundle", Icon: "casset",
		Picture: iconPNG,
		Globs:   []string{"*.casset"},
		Magic:   []model.Magic{{Bytes: packMagic}, {Bytes: bundleMagic}}},
		Forms: map[string][]model.Form{".casset": {{Name: "png", Extension: ".png", MediaType: "image/png"}}}}}
}

// Sniff reports whether a file that begins with head is a package or a bundle; Maybe for one that ends within the
// magic.
func Sniff(head []byte, size int64) decode.Confidence {
	for _, magic := range [][]byte{packMagic, bundleMagic} {
		if bytes.HasPrefix(head, magic) {
			return decode.Yes
		}
		if len(head) > 1 && int64(len(head)) == size && bytes.HasPrefix(magic, head) {
			return decode.Maybe
		}
	}
	return decode.No
}

var little = binary.LittleEndian

// file is an opened package or bundle.
type file struct {
	src    *model.Source
	cursor *decode.Cursor // quiet cursors are made of it

	lay     layout
	header  header
	places  places // of the tables of 3.0
	schema  schema // of 3.0
	objects objectList
	keys    objectKeys

	dependencies dependencies
}

// Open finds out the layout of a file and where its objects are, which are decoded when they are looked at.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	return openWith(ctx, src, newBundleFiles())
}

// openWith is Open for one of many files.
func openWith(ctx context.Context, src *model.Source, bundles *bundleFiles) (*model.Document, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := decode.New(ctx, src, "Casset", little, decode.PlainTypes)
	f := (&file{src: src, cursor: c}).choose(ctx)
	f.dependencies.bundles = bundles
	f.findObjects(ctx, f.cursor.Quiet(model.Span{}))
	f.record(c)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, "casset", f.lay.variant, c.Close())
	doc.Why = f.lay.why
	doc.FindKey = f.find
	doc.Groups = f.groupings()
	payloads := &payloads{f: f, doc: doc}
	doc.Payloads, doc.LookForPayloads = payloads, payloads.find
	doc.View = f.view
	doc.Packs = true
	doc.Thing, doc.Meaning = f.describe, fields.Meaning
	return doc, nil
}

// record records the parts of the file in their order: the header, the schema of 3.0, the objects, 0. Of a version that
// is not known it records the header as far as all have it.
func (f *file) record(c *decode.Cursor) {
	c.Try(func() { f.header = f.readHeader(c) })
	if f.places.schema > 0 {
		c.Try(func() {
			c.GoTo(f.places.schema)
			f.schemaTable(c)
		})
	}
	if f.objects.start == 0 {
		return
	}
	c.Try(func() {
		c.GoTo(f.objects.start)
		f.recordObjects(c)
	})
	if f.lay.tables.endOfFile {
		c.Try(func() {
			if end := c.U64("end"); end != 0 {
				c.Wrong("the file should end with 0, not with %#x", end)
			}
		})
	}
}
