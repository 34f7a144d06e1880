package casset

import (
	"bytes"
	"context"
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

var types = decode.Types{
	Numbers: [model.Bool + 1]string{model.U8: "u8", model.U16: "u16", model.U32: "u32", model.U64: "u64",
		model.S8: "s8", model.S16: "s16", model.S32: "s32", model.S64: "s64", model.F32: "f32", model.F64: "f64",
		model.Bool: "bool"},
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

var little = binary.LittleEndian

// file is an opened package or bundle.
type file struct {
	ctx    context.Context
	src    *model.Source
	cursor *decode.Cursor // for quiet ones of the same kind
	lay    layout

	uuid string // the file's own key
	name string

	dependencyList *model.Node

	schema   schema // of 3.0
	objects  index
	listNode *model.Node

	near near
}

// Open reads the header, the schema and the list of objects.
func Open(ctx context.Context, src *model.Source) (*model.Document, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := decode.New(ctx, src, "Casset", little, &types)
	f := &file{ctx: ctx, src: src, cursor: c}
	f.chooseLayout()
	switch f.lay.generation {
	case 1, 2:
		f.open12(c)
	case 3:
		f.open3(c)
	default:
		f.unknown(c)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc := model.NewDocument(src, "casset", f.lay.variant, c.Close())
	doc.Why = f.lay.why
	doc.FindKey = f.find
	doc.Groups = f.groups()
	doc.Payloads = &payloads{f: f, doc: doc}
	doc.View = view
	doc.Thing = thing
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

// listDependencies reads the names or UUIDs of what a file depends on.
func (f *file) listDependencies(c *decode.Cursor, k kind) {
	each := func(e *decode.Cursor, _ int) {
		value := ""
		if k == kUUID {
			value = uuid(e, "uuid").String()
		} else {
			value = e.Terminated("name")
		}
		if e.Recording() {
			e.Link(f.dependencyLink(value))
		}
		e.Fold()
	}
	if k == kUUID {
		f.dependencyList = c.Struct("dependencies", "UUID[]", func() {
			c.Records("uuid", c.Count("count", model.U32, 16, "uuid"), 16, each)
		})
		return
	}
	f.dependencyList = c.Struct("dependencies", "string[]", func() {
		c.Indexed("string", c.Count("count", model.U32, 1, "string"), 1, each)
	})
}
