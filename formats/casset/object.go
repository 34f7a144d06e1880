package casset

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// generation reads what each generation of the format lays out in its own way: 1.x in package1.go, 2.0 in map2.go, 3.0
// in bundle3.go. The layout of a file says which of them reads it.
type generation interface {
	// headerFields reads the header after its magic.
	headerFields(c *decode.Cursor) header
	// findObjects finds where the objects are.
	findObjects(q *decode.Cursor)
	// objectHead reads an object up to its fields.
	objectHead(c *decode.Cursor) head
	// objectFields reads the rest of an object: its fields, and what closes them.
	objectFields(c *decode.Cursor, r *reader, h head)
}

// generation returns what reads the file, as its layout says.
func (f *file) generation() generation { return f.lay.generation(f) }

// head is what comes before the fields of an object.
type head struct {
	uuid   id
	path   string
	class  string
	name   string
	schema uint32 // of the class (3.0)
	size   int64  // bytes of the fields, as the object says before 3.0; -1 if it does not
	count  uint32 // of the fields (1.x)
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

// object reads an object, its fields with a reader of their values.
func (f *file) object(c *decode.Cursor, r *reader) {
	g := f.generation()
	if h := g.objectHead(c); c.Err() == nil {
		g.objectFields(c, r, h)
	}
}

// objectStart reads the beginning that the objects of 1.x and 2.0 have in common.
func (f *file) objectStart(c *decode.Cursor, h *head) (asset bool) {
	objectMark(c)
	f.objectKey(c, h)
	asset = flag(c, "is_asset")
	h.path = c.Terminated("path")
	c.Role(model.RoleName)
	h.class = c.Terminated("class")
	return asset
}

// objectMark reads the magic of an object. An object without it is read all the same: the one before it ends here.
func objectMark(c *decode.Cursor) {
	marked := bytes.Equal(c.Peek(8), objectMagic)
	c.Text("magic", 8)
	c.As("bytes")
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

// at starts a quiet cursor at an offset.
func at(q *decode.Cursor, off int64) { q.Reset(model.Span{Offset: off, Size: q.Source().Size() - off}) }

// quiet returns a cursor for reading one object's head after the other.
func (f *file) quiet() *decode.Cursor { return f.cursor.Quiet(model.Span{}) }

// head reads what comes before the fields of the i-th object.
func (f *file) head(q *decode.Cursor, i int) (h head, ok bool) {
	q.Reset(f.objects.span(i))
	h = f.generation().objectHead(q)
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
