package casset

import (
	"bytes"
	"context"

	"assay/formats/decode"
	"assay/model"
)

var (
	packMagic   = []byte("\x00PACK\x00\x00\n")
	bundleMagic = []byte("\x00BUNDLE\x00")
	objectMagic = []byte("\x00OBJECT\x00")
	fieldMarker = []byte{0xF1, 0x1F, 0xF1, 0x1F}
)

var types = decode.Types{
	Numbers: [model.Bool + 1]string{model.U8: "u8", model.U16: "u16", model.U32: "u32", model.U64: "u64",
		model.S8: "s8", model.S16: "s16", model.S32: "s32", model.S64: "s64", model.F32: "f32", model.F64: "f64", model.Bool: "bool"},
	Text:  "string",
	Bytes: "bytes",
}

// Sniff says whether a file that begins with head is a package or a bundle.
func Sniff(head []byte, size int64) decode.Sure {
	for _, magic := range [][]byte{packMagic, bundleMagic} {
		if bytes.HasPrefix(head, magic) {
			return decode.Yes
		}
		if len(head) > 1 && int64(len(head)) == size && bytes.HasPrefix(magic, head) {
			return decode.Maybe // cut off
		}
	}
	return decode.No
}

// file is an opened package or bundle.
type file struct {
	ctx   context.Context
	src   *model.Source
	proto *decode.Cursor // for elements that are decoded when they are looked at
	lay   layout

	uuid string // the file's own key
	name string

	dependencyList *model.Node

	objects                index
	objectsAt, objectsFrom int // place of the list among the root's children, and of the first object in the list

	near near

	package1
	bundle3
}

// Open reads the header, the schema and the list of objects.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := decode.New(ctx, src, "casset", "Casset", little, &types)
	f := &file{ctx: ctx, src: src, proto: c, lay: chooseLayout(src)}
	switch f.lay.generation {
	case 1:
		f.open1(c)
	case 2:
		f.open2(c)
	case 3:
		f.open3(c)
	default:
		f.unknown(c)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.ctx = context.Background() // of what is looked at later
	doc := model.NewDocument(src, "casset", f.lay.variant, c.Close())
	doc.Why = f.lay.why
	doc.FindKey = f.find
	doc.Groups = f.groups()
	doc.Payloads = &payloads{f: f, doc: doc}
	doc.View = view
	return doc, nil
}

// unknown records what every layout begins with and says that the rest cannot be read.
func (f *file) unknown(c *decode.Cursor) {
	c.Struct("header", "Header", func() {
		f.magic(c)
		c.U32("major")
		c.U32("minor")
		c.Fail("%s", f.lay.why)
	})
}

func (f *file) magic(c *decode.Cursor) {
	want := packMagic
	if f.lay.bundle {
		want = bundleMagic
	}
	c.Magic("magic", want)
}
