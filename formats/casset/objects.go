package casset

import (
	"cmp"
	"context"
	"sort"
	"strconv"
	"strings"
	"sync"

	"assay/formats/decode"
	"assay/model"
)

// index is where the objects are: all that is kept of one that is not looked at.
type index struct {
	entries []entry
	end     int64 // after the last one

	once   sync.Once
	byKey  []keyed
	byPath []keyed
}

type entry struct {
	off, size int64
}

// add adds an object after those that are known.
func (x *index) add(off, size int64) {
	x.entries = append(x.entries, entry{off, size})
	x.end = off + size
}

func (x *index) span(i int) model.Span {
	return model.Span{Offset: x.entries[i].off, Size: x.entries[i].size}
}

func (x *index) find(off int64) (int, int) {
	i := sort.Search(len(x.entries), func(k int) bool { return x.entries[k].off+x.entries[k].size > off })
	if i < len(x.entries) && x.entries[i].off <= off {
		return i, i + 1
	}
	return 0, 0
}

// head is what comes before the fields of an object, whatever the generation.
type head struct {
	uuid   uint64
	wide   id   // the UUID of 3.0
	isWide bool // there is one
	path   string
	class  string
	name   string
	schema uint32

	fields uint32 // how many there are (1.x)
	size   int64  // the bytes of the fields (1.x)
}

// key is what identifies the object.
func (h head) key() string {
	if h.isWide {
		return h.wide.String()
	}
	return strconv.FormatUint(h.uuid, 10)
}

// called is what a person calls an object: its path, its name, its class.
func (h head) called() string { return cmp.Or(h.path, h.name, className(h.class)) }

// label sets what a person calls the object that is read.
func label(c *decode.Cursor, h head) {
	if c.Recording() {
		c.Label(h.called)
	}
}

// className is a class without the module that it is in: "CE::Texture2D" of "/Code/System.CE::Texture2D".
func className(class string) string {
	class = class[strings.LastIndexByte(class, '/')+1:]
	if _, name, ok := strings.Cut(class, "."); ok {
		return name
	}
	return class
}

// at starts a quiet cursor at an offset.
func (f *file) at(q *decode.Cursor, off int64) {
	q.Reset(model.Span{Offset: off, Size: f.src.Size() - off})
}

// quiet returns a cursor for reading one object's head after the other.
func (f *file) quiet() *decode.Cursor { return f.cursor.Quiet(model.Span{}) }

// head reads the head of the i-th object.
func (f *file) head(q *decode.Cursor, i int) (h head, ok bool) {
	q.Reset(f.objects.span(i))
	switch f.lay.generation {
	case 1:
		h = f.head1(q)
	case 2:
		h = f.head2(q)
	default:
		h = f.head3(q)
	}
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

// reader returns a reader of the values of one object.
func (f *file) reader() *reader {
	switch f.lay.generation {
	case 1:
		return &reader{file: f, generation: &fields1{f}}
	case 2:
		return &reader{file: f, generation: fields2{f}}
	}
	return f.values3(f.lay.dialect)
}

// object reads an object.
func (f *file) object(c *decode.Cursor, v *reader) {
	switch f.lay.generation {
	case 1:
		f.object1(c, v)
	case 2:
		f.object2(c, v)
	default:
		f.object3(c, v)
	}
}

// list records the objects, which are decoded when they are looked at, and what comes before and after them.
func (f *file) list(c *decode.Cursor, first, last func()) {
	x := &f.objects
	f.listNode = c.Struct("objects", "Object[]", func() {
		first()
		c.Elements("Object", len(x.entries), func(_ *decode.Cursor, i int) model.Span { return x.span(i) }, x.find,
			func(e *decode.Cursor, _ int) { f.object(e, f.reader()) })
		if x.end >= c.Pos() {
			c.GoTo(x.end)
		}
		c.Try(last)
	})
	if f.shown() == nil {
		f.objects.entries = nil // they cannot be shown
	}
}

// shown returns the elements of the list of objects; nil if it could not be recorded.
func (f *file) shown() *model.Elements {
	if f.listNode == nil {
		return nil
	}
	e, _ := f.listNode.Children().(*model.Elements)
	return e
}

// objectPath returns the path of the i-th object in the document.
func (f *file) objectPath(i int) model.Path {
	return append(f.listNode.Path(), len(f.shown().First)+i)
}

// decoded returns the i-th object as a node of the document.
func decoded(doc *model.Document, f *file, i int) *model.Node { return doc.At(f.objectPath(i)) }
