package casset

import (
	"cmp"
	"encoding/hex"
	"slices"
	"sort"
	"strings"

	"assay/model"
)

// keyed is an object by a hash of its key or its path.
type keyed struct {
	hash uint64
	i    int32
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
