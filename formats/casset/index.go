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

// index is the places of the objects, which are all that is kept of an object until it is looked at.
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

// recordObjects records the list of objects, which are decoded when they are looked at. before and after read the
// fields of the list that come before and after them.
func (f *file) recordObjects(c *decode.Cursor, before, after func()) {
	x := &f.objects
	f.listNode = c.Struct("objects", "Object[]", func() {
		before()
		c.Elements("Object", len(x.entries), nil,
			decode.Located(x.span, func(e *decode.Cursor, _ int) { f.object(e, &reader{file: f}) }))
		if x.end >= c.Pos() {
			c.GoTo(x.end)
		}
		c.Try(after)
	})
	if f.shown() == nil {
		f.objects.entries = nil // they cannot be shown
	}
}

// dataTable records the table "Serialized Data": size, number of objects, the objects, 0.
func (f *file) dataTable(c *decode.Cursor, scan *sizeScan, moved string) {
	data := f.tables.data
	f.recordObjects(c, func() {
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

// indexKeys returns the index after it has mapped the objects by key and by path, which the first call does.
func (f *file) indexKeys() *index {
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
	i, ok := f.indexKeys().byKey[key]
	if !ok {
		return nil, false
	}
	return f.objectPath(int(i)), true
}

// namesMost bounds the objects that are searched for a title, because a person waits for it.
const namesMost = 50_000

// nameOf returns a function that returns the title of the object with a key; empty if there is no such object, or more
// than namesMost objects.
func (f *file) nameOf(key id) func() string {
	return func() string {
		if len(f.objects.entries) > namesMost {
			return ""
		}
		i, ok := f.indexKeys().byKey[key]
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
	if i, ok := f.indexKeys().byPath[key]; ok {
		return f.objectPath(int(i)), true
	}
	for i := range f.schema.entries {
		if f.schema.entries[i].name == key {
			return f.schema.path(i)
		}
	}
	return nil, false
}
