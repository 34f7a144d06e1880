package casset

import (
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
	// findObjects finds where the objects are that are not listed yet.
	findObjects(q *decode.Cursor)
	// objectHead reads an object up to its fields.
	objectHead(c *decode.Cursor) head
	// objectFields reads the rest of an object: its fields, and what closes them.
	objectFields(c *decode.Cursor, r *reader, h head)
}

// generation returns what reads the file, as its layout says.
func (f *file) generation() generation { return f.lay.generation(f) }

// className is a class without the module that it is in: "CE::Texture2D" of "/Code/System.CE::Texture2D".
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
