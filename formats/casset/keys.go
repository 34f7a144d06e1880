package casset

import (
	"context"
	"sync"

	"assay/model"
)

type objectKeys struct {
	once   sync.Once
	byID   map[id]int32
	byPath map[string]int32
}

// indexKeys returns the keys after it has read the head of each object, which the first call does.
func (f *file) indexKeys() *objectKeys {
	k := &f.keys
	k.once.Do(func() {
		n := len(f.objects.entries)
		k.byID, k.byPath = make(map[id]int32, n), make(map[string]int32, n)
		_ = f.heads(context.Background(), func(i int, h head, ok bool) {
			if !ok {
				return
			}
			if _, known := k.byID[h.uuid]; !known {
				k.byID[h.uuid] = int32(i)
			}
			if _, known := k.byPath[h.path]; !known && h.path != "" {
				k.byPath[h.path] = int32(i)
			}
		})
	})
	return k
}

// link returns a link to an object in this file, or to another file. name is the package's path if the reference has
// one. If the file of a bundle is not found, the target is the object of this file with the UUID.
func (f *file) link(object, bundle id, name string) *model.Link {
	key := object.String()
	link := &model.Link{Key: key, Name: f.nameOf(object),
		Target: func() (model.Path, bool) { return f.pathOfObject(object) }}
	switch {
	case name != "" && name != f.header.name:
		return &model.Link{File: f.dependencies.byName(f, name), Key: key}
	case name != "" || bundle.isNull() || bundle == f.header.uuid:
		return link
	}
	other := f.dependencies.byUUID(f, bundle)
	if _, ok := f.indexKeys().byID[object]; ok && other == "" {
		return link
	}
	return &model.Link{File: other, Key: key}
}

// pathOfObject returns the path of the first object with a UUID.
func (f *file) pathOfObject(key id) (path model.Path, ok bool) {
	i, ok := f.indexKeys().byID[key]
	if ok {
		path = f.objectPath(int(i))
	}
	return path, ok
}

// maxNames bounds the objects that are searched for a title, because the user waits for it.
const maxNames = 50_000

// nameOf returns a function that returns the title of the object with a UUID; empty if there is no such object, or more
// than maxNames objects.
func (f *file) nameOf(key id) func() string {
	return func() string {
		if len(f.objects.entries) > maxNames {
			return ""
		}
		i, ok := f.indexKeys().byID[key]
		if !ok {
			return ""
		}
		h, _ := f.head(f.quiet(), int(i))
		return h.title()
	}
}

// findKey returns the path of the node with a key: an object's UUID, its path, or the name of a schema entry.
func (f *file) findKey(key string) (model.Path, bool) {
	if u, ok := f.parseKey(key); ok {
		if path, ok := f.pathOfObject(u); ok {
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
