package casset

import (
	"encoding/hex"
	"slices"
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
	byKey  map[id]int32
	byPath map[string]int32
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

// list records the objects, which are decoded when they are looked at, and what comes before and after them.
func (f *file) list(c *decode.Cursor, first, last func()) {
	x := &f.objects
	f.listNode = c.Struct("objects", "Object[]", func() {
		first()
		c.Elements("Object", len(x.entries), func(_ *decode.Cursor, i int) model.Span { return x.span(i) }, nil,
			func(e *decode.Cursor, _ int) { f.object(e, &reader{file: f}) })
		if x.end >= c.Pos() {
			c.GoTo(x.end)
		}
		c.Try(last)
	})
	if f.shown() == nil {
		f.objects.entries = nil // they cannot be shown
	}
}

// dataTable records the table "Serialized Data": size, number of objects, the objects, 0.
func (f *file) dataTable(c *decode.Cursor, scan *sizeScan, moved string) {
	data := f.tables.data
	f.list(c, func() {
		size := c.Size("size", model.U64)
		switch end := scan.tableEnd() - data - f.lay.uncounted(); {
		case size == uint64(end):
		case size == 0 && f.lay.first():
			c.Symbol("not recorded")
		default:
			c.Wrong("the data's size is %d, its objects and its end take %d bytes", size, end)
		}
		c.U32("count")
		c.Role(model.RoleCount)
		if n := len(f.objects.entries); int64(scan.count) != int64(n) {
			c.Wrong("%d objects are announced, %d are found", scan.count, n)
		}
		if moved != "" {
			c.Remark(model.Error, model.Span{Offset: data}, "%s", moved)
		}
		if scan.broken {
			c.Remark(model.Error, model.Span{Offset: scan.brokenAt}, "the list of objects ends after %d of %d",
				scan.whole, scan.count)
		}
	}, func() {
		if f.lay.first() { // it has no end of data
			return
		}
		if end := c.U32("end"); end != 0 {
			c.Wrong("the data should end with 0, not with %#x", end)
		}
	})
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

// objectOf returns the object that a node is or is a part of; false if it is not part of one.
func (f *file) objectOf(n *model.Node) (int, bool) {
	for n != nil && n.Parent != f.listNode {
		n = n.Parent
	}
	list := f.shown()
	if n == nil || list == nil {
		return 0, false
	}
	i := n.Index - len(list.First)
	return i, i >= 0 && i < list.Count && f.objects.span(i) == n.Span
}

// keys maps the objects by key and by path, when one of them is looked for the first time.
func (f *file) keys() *index {
	x := &f.objects
	x.once.Do(func() {
		x.byKey, x.byPath = make(map[id]int32, len(x.entries)), make(map[string]int32, len(x.entries))
		q := f.quiet()
		for i := range x.entries {
			h, ok := f.head(q, i)
			if !ok {
				continue
			}
			if _, known := x.byKey[h.uuid]; !known {
				x.byKey[h.uuid] = int32(i)
			}
			if _, known := x.byPath[h.path]; !known && h.path != "" {
				x.byPath[h.path] = int32(i)
			}
		}
	})
	return x
}

// objectPlace returns the path of the first object with a key.
func (f *file) objectPlace(key id) (model.Path, bool) {
	i, ok := f.keys().byKey[key]
	if !ok {
		return nil, false
	}
	return f.objectPath(int(i)), true
}

// namesMost is the most objects that are looked through for the name of one while someone waits.
const namesMost = 50_000

// nameOf returns what returns the name of an object by its key; empty if there is none, or too many to look for it.
func (f *file) nameOf(key id) func() string {
	return func() string {
		if len(f.objects.entries) > namesMost {
			return ""
		}
		i, ok := f.keys().byKey[key]
		if !ok {
			return ""
		}
		h, _ := f.head(f.quiet(), int(i))
		return h.title()
	}
}

// parseKey reads a UUID as the tree writes it, or as the engine prints that of 3.0: two numbers in hex with dashes.
func (f *file) parseKey(text string) (u id, ok bool) {
	if f.lay.generation < 3 {
		v, err := strconv.ParseUint(text, 10, 64)
		little.PutUint64(u.bytes[:], v)
		u.size = 8
		return u, err == nil
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(b) != 16 {
		return id{}, false
	}
	switch strings.Count(text, "-") {
	case 4:
		slices.Reverse(b[:8])
		slices.Reverse(b[8:])
	case 0:
	default:
		return id{}, false
	}
	return id{[16]byte(b), 16}, true
}

// find returns the path of the node with a key: an object's UUID, its path, or the name of a schema entry.
func (f *file) find(key string) (model.Path, bool) {
	if u, ok := f.parseKey(key); ok {
		if path, ok := f.objectPlace(u); ok {
			return path, true
		}
	}
	if i, ok := f.keys().byPath[key]; ok {
		return f.objectPath(int(i)), true
	}
	for i := range f.schema.entries {
		if f.schema.entries[i].name == key {
			return f.schema.path(i), true
		}
	}
	return nil, false
}
