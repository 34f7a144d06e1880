package casset

import (
	"cmp"
	"encoding/hex"
	"slices"
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

// keyed is an object by a hash of its key or its path.
type keyed struct {
	hash uint64
	i    int32
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

// keys sorts the objects by key and by path, when one of them is looked for the first time.
func (f *file) keys() {
	f.objects.once.Do(func() {
		x := &f.objects
		x.byKey, x.byPath = make([]keyed, 0, len(x.entries)), make([]keyed, 0, len(x.entries))
		q := f.quiet()
		for i := range x.entries {
			if h, ok := f.head(q, i); ok {
				x.byKey = append(x.byKey, keyed{hash(h.key()), int32(i)})
				x.byPath = append(x.byPath, keyed{hash(h.path), int32(i)})
			}
		}
		for _, l := range [][]keyed{x.byKey, x.byPath} {
			slices.SortFunc(l, func(a, b keyed) int {
				return cmp.Or(cmp.Compare(a.hash, b.hash),
					cmp.Compare(a.i, b.i))
			})
		}
	})
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// object returns the first object with that key or path.
func (f *file) named(text string, byPath bool) (int, bool) {
	f.keys()
	l := f.objects.byKey
	if byPath {
		l = f.objects.byPath
	}
	h := hash(text)
	q := f.quiet()
	for k := sort.Search(len(l), func(k int) bool { return l[k].hash >= h }); k < len(l) && l[k].hash == h; k++ {
		head, ok := f.head(q, int(l[k].i))
		if ok && (byPath && head.path == text || !byPath && head.key() == text) {
			return int(l[k].i), true
		}
	}
	return 0, false
}

// namesMost is the most objects that are looked through for the name of one while someone waits.
const namesMost = 50_000

// nameOf returns what returns the name of an object by its key; empty if there is none, or too many to look for it.
func (f *file) nameOf(key string) func() string {
	return func() string {
		if len(f.objects.entries) > namesMost {
			return ""
		}
		i, ok := f.named(key, false)
		if !ok {
			return ""
		}
		h, _ := f.head(f.quiet(), i)
		return h.called()
	}
}

// fileOrder turns a UUID as the engine prints it, two numbers in hex with dashes, into its bytes as the file has them.
func fileOrder(printed string) (key string, ok bool) {
	b, err := hex.DecodeString(strings.ReplaceAll(printed, "-", ""))
	if err != nil || len(b) != 16 || strings.Count(printed, "-") != 4 {
		return "", false
	}
	slices.Reverse(b[:8])
	slices.Reverse(b[8:])
	return hex.EncodeToString(b), true
}

// find returns the path of the node with a key: an object's UUID, as the tree or as the engine writes it, its path, or
// the name of a schema entry.
func (f *file) find(key string) (model.Path, bool) {
	if k, ok := fileOrder(key); ok {
		key = k
	}
	if i, ok := f.named(key, false); ok {
		return f.objectPath(i), true
	}
	if i, ok := f.named(key, true); ok && key != "" {
		return f.objectPath(i), true
	}
	for i := range f.schema.entries {
		if f.schema.entries[i].name == key {
			return f.schema.path(i), true
		}
	}
	return nil, false
}

// decoded returns the i-th object as a node of the document.
func decoded(doc *model.Document, f *file, i int) *model.Node { return doc.At(f.objectPath(i)) }
