package casset

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// sourcePathMost is the longest path of a source asset that is looked for.
const sourcePathMost = 4096

// head is what comes before the fields of an object, whatever the generation.
type head struct {
	uuid   id
	path   string
	class  string
	name   string
	schema uint32 // of the class (3.0)

	fields uint32 // how many there are (1.x)
	size   int64  // the bytes of the fields (1.x)
}

// title is what a person calls the object: its path, its name, its class.
func (h head) title() string { return cmp.Or(h.path, h.name, className(h.class)) }

// className is a class without the module that it is in: "CE::Texture2D" of "/Code/System.CE::Texture2D".
func className(class string) string {
	class = class[strings.LastIndexByte(class, '/')+1:]
	if _, name, ok := strings.Cut(class, "."); ok {
		return name
	}
	return class
}

// readHead reads what comes before the fields of an object of any generation. A list of objects is walked with it, and
// objects are recorded with it.
func (f *file) readHead(c *decode.Cursor) (h head) {
	if f.lay.generation == 3 {
		f.objectHead3(c, &h)
	} else {
		f.objectHead(c, &h)
	}
	return h
}

// objectHead reads the table "Object Entry" of 1.x or 2.0, up to the fields. Both begin alike.
func (f *file) objectHead(c *decode.Cursor, h *head) {
	objectMark(c)
	f.objectKey(c, h)
	asset := flag(c, "is_asset")
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	h.class = c.Terminated("class")
	if f.lay.generation == 2 {
		objectHead2(c, h, asset)
	} else {
		f.objectHead1(c, h)
	}
}

// objectMark reads the magic of an object. An object without it is read all the same: the one before it ends here.
func objectMark(c *decode.Cursor) {
	b := c.Peek(8)
	marked := bytes.Equal(b, objectMagic)
	text := ""
	if c.Recording() {
		text = strings.ToValidUTF8(string(b), "\uFFFD")
	}
	c.Bytes("magic", "bytes", 8)
	if leaf := c.Last(); leaf != nil {
		leaf.Value = text
	}
	if !marked {
		c.Wrong("an object begins with % x", objectMagic)
	}
}

// objectKey reads the UUID, which is the object's key.
func (f *file) objectKey(c *decode.Cursor, h *head) {
	h.uuid = f.uuid(c, "uuid")
	if c.Node() != nil {
		c.Key(h.uuid.String())
	}
}

// objectName reads the name, the last part of what a person calls the object.
func objectName(c *decode.Cursor, h *head) {
	h.name = c.Terminated("name")
	c.Role(model.RoleName)
	if c.Recording() && c.Err() == nil {
		c.Node().SetLabel((*h).title)
	}
}

// object reads an object of any generation: its head, its fields, and what is after them.
func (f *file) object(c *decode.Cursor, r *reader) {
	switch h := f.readHead(c); {
	case f.lay.generation == 1:
		f.objectFields1(c, h.size, h.fields, r)
	case f.lay.generation == 2:
		f.objectFields2(c, r)
	default:
		f.objectFields3(c, h.schema, r)
	}
}

// at starts a quiet cursor at an offset.
func at(q *decode.Cursor, off int64) { q.Reset(model.Span{Offset: off, Size: q.Source().Size() - off}) }

// quiet returns a cursor for reading one object's head after the other.
func (f *file) quiet() *decode.Cursor { return f.cursor.Quiet(model.Span{}) }

// head reads the head of the i-th object.
func (f *file) head(q *decode.Cursor, i int) (h head, ok bool) {
	q.Reset(f.objects.span(i))
	h = f.readHead(q)
	return h, q.Err() == nil
}

// heads calls visit with the head of each object; what cannot be read of one is left out.
func (f *file) heads(ctx context.Context, visit func(i int, h head)) error {
	q := f.quiet()
	for i := range f.objects.entries {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		h, _ := f.head(q, i)
		visit(i, h)
	}
	return nil
}
