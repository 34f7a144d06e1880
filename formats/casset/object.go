package casset

import (
	"cmp"
	"context"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// generation is one of the ways in which the format has laid out objects.
type generation uint8

const (
	unknown  generation = iota // an unsupported version: no objects are read
	package1                   // 1.x: lists of fields that have their names and types (package1.go)
	map2                       // 3.0: values with names and types in a schema (bundle3.go)
	bundle3                    // 3.0: values whose names and types are in a schema (bundle3.go)
)

// head has the values before the fields of an object.
type head struct {
	uuid   id
	path   string
	class  string
	name   string
	schema uint32 // of the class (3.0)
	size   int64  // recorded size of the fields in bytes before 3.0; else -1
	count  int64  // of the fields (1.x)
}

// title returns the display name of the object: its path, its name, or its class.
func (h head) title() string { return cmp.Or(h.path, h.name, className(h.class)) }

// object reads an object, its fields with a reader of their values. The UUID is its key.
func (f *file) object(c *decode.Cursor, r *valueReader) {
	h := f.objectHead(c)
	if n := c.Node(); n != nil && h.uuid.size > 0 {
		n.Key = h.uuid.String()
	}
	if c.Err() != nil {
		return
	}
	if c.Recording() {
		c.Node().SetLabel(h.title)
	}
	switch f.lay.generation {
	case package1:
		r.package1Fields(c, h)
	case map2:
		r.map2Fields(c)
	case bundle3:
		r.bundle3Fields(c, h)
	}
}

// objectHead reads an object up to its fields.
func (f *file) objectHead(c *decode.Cursor) (h head) {
	switch f.lay.generation {
	case package1:
		return f.package1Head(c)
	case map2:
		return f.map2Head(c)
	case bundle3:
		return f.bundle3Head(c)
	}
	return h
}

// className returns a class without its module: "CE::Texture2D" for "/Code/System.CE::Texture2D".
func className(class string) string {
	class = class[strings.LastIndexByte(class, '/')+1:]
	if _, name, ok := strings.Cut(class, "."); ok {
		return name
	}
	return class
}

// at starts a quiet cursor at an offset.
func at(q *decode.Cursor, off int64) { q.Reset(model.Span{Offset: off, Size: q.Source().Size() - off}) }

// quiet returns a cursor for reading one object's head after the other.
func (f *file) quiet() *decode.Cursor { return f.cursor.Quiet(model.Span{}) }

// head reads the head of the i-th object.
func (f *file) head(q *decode.Cursor, i int) (h head, ok bool) {
	q.Reset(f.objects.span(i))
	h = f.objectHead(q)
	return h, q.Err() == nil
}

// heads calls visit with the head of each object, and whether it is whole. Fields that cannot be read are empty.
func (f *file) heads(ctx context.Context, visit func(i int, h head, whole bool)) error {
	q := f.quiet()
	for i := range f.objects.entries {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		h, whole := f.head(q, i)
		visit(i, h, whole)
	}
	return nil
}
