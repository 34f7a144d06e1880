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

// index is where the objects are: all that is kept of one that nobody looks at.
type index struct {
	entries []entry
	end     int64 // behind the last one

	once   sync.Once
	byKey  []keyed
	byPath []keyed
}

type entry struct {
	off, size int64
}

// keyed is an object by a hash of its key or its path.
type keyed struct {
	hash uint64
	i    int32
}

// objectHead is what comes first in every object, whatever the generation.
type objectHead struct {
	key    string
	path   string
	class  string
	schema uint32
}

// head reads the beginning of the i-th object. The scanner may be used for one after the other.
func (f *file) head(s *scanner, i int) (h objectHead, ok bool) {
	e := f.objects.entries[i]
	s.err = nil
	s.pos, s.end = e.off, min(e.off+e.size, f.src.Size())
	switch f.lay.generation {
	case 3:
		s.skip(f.lay.frame.width() + 4)
		h.key = hex.EncodeToString(s.take(16))
		s.skip(1)
		h.schema = s.u32()
		h.path = s.text()
		if int64(h.schema) < int64(len(f.schema.entries)) {
			h.class = f.schema.entries[h.schema].name
		}
	default:
		s.skip(8)
		h.key = strconv.FormatUint(s.u64(), 10)
		s.skip(1)
		h.path = s.text()
		h.class = s.text()
	}
	return h, s.err == nil
}

// keys sorts the objects by key and by path, when somebody looks for one of them for the first time.
func (f *file) keys() {
	f.objects.once.Do(func() {
		n := len(f.objects.entries)
		f.objects.byKey, f.objects.byPath = make([]keyed, 0, n), make([]keyed, 0, n)
		s := newScanner(f.src, 0, 0)
		for i := range f.objects.entries {
			if h, ok := f.head(s, i); ok {
				f.objects.byKey = append(f.objects.byKey, keyed{hash(h.key), int32(i)})
				f.objects.byPath = append(f.objects.byPath, keyed{hash(h.path), int32(i)})
			}
		}
		for _, l := range [][]keyed{f.objects.byKey, f.objects.byPath} {
			slices.SortFunc(l, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.i, b.i)) })
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

// object gives the first object with that key or path.
func (f *file) object(text string, byPath bool) (int, bool) {
	f.keys()
	l := f.objects.byKey
	if byPath {
		l = f.objects.byPath
	}
	h := hash(text)
	s := newScanner(f.src, 0, 0)
	for k := sort.Search(len(l), func(k int) bool { return l[k].hash >= h }); k < len(l) && l[k].hash == h; k++ {
		head, ok := f.head(s, int(l[k].i))
		if ok && (byPath && head.path == text || !byPath && head.key == text) {
			return int(l[k].i), true
		}
	}
	return 0, false
}

// objectPath is the place of the i-th object in the document.
func (f *file) objectPath(i int) model.Path { return model.Path{f.objectsAt, f.objectsFrom + i} }

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

// find gives the node with a key: an object's UUID, as the tree or as the engine writes it, its path, or the name of a
// schema entry.
func (f *file) find(key string) (model.Path, bool) {
	if k, ok := fileOrder(key); ok {
		key = k
	}
	if i, ok := f.object(key, false); ok {
		return f.objectPath(i), true
	}
	if i, ok := f.object(key, true); ok && key != "" {
		return f.objectPath(i), true
	}
	for i := range f.schema.entries {
		if f.schema.entries[i].name == key {
			return f.schemaPath(i), true
		}
	}
	return nil, false
}

// list records the objects, which are decoded when they are looked at.
func (f *file) list(c *decode.Cursor, at int, first func(), each func(*decode.Cursor)) *model.Node {
	n := c.Struct("objects", "Object[]", func() {
		if first != nil {
			first()
		}
		if c.Err() == nil && f.objects.end >= c.Pos() {
			c.GoTo(f.objects.end)
		}
	})
	if n == nil {
		return nil
	}
	head := make(model.List, n.Len())
	for i := range head {
		head[i] = n.Child(i)
	}
	f.objectsAt, f.objectsFrom = at, len(head)
	es := f.objects.entries
	n.SetChildren(&model.Elements{First: head, Count: len(es),
		Make: func(i int) *model.Node {
			e := f.proto.Element("Object", model.Span{Offset: es[i].off, Size: es[i].size})
			each(e)
			o := e.Close()
			o.Parent = n
			return o
		},
		Lookup: func(off int64) (int, int) {
			i := sort.Search(len(es), func(k int) bool { return es[k].off+es[k].size > off })
			if i < len(es) && es[i].off <= off {
				return i, i + 1
			}
			return 0, 0
		}})
	return n
}

// decoded gives the i-th object as a node of the document.
func decoded(doc *model.Document, f *file, i int) *model.Node { return doc.At(f.objectPath(i)) }
