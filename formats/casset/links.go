package casset

import (
	"sync"

	"assay/model"
)

// objectKeys are the objects by UUID and by path.
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
		q := f.quiet()
		for i := range n {
			h, ok := f.head(q, i)
			if !ok {
				continue
			}
			if _, known := k.byID[h.uuid]; !known {
				k.byID[h.uuid] = int32(i)
			}
			if _, known := k.byPath[h.path]; !known && h.path != "" {
				k.byPath[h.path] = int32(i)
			}
		}
	})
	return k
}

// link leads to an object in this file, or to another file. name is the package's path if the reference has it. Where
// the file of a bundle is not found, an object of this file is meant that has the UUID.
func (f *file) link(object, bundle id, name string) *model.Link {
	key := object.String()
	here := &model.Link{Key: key, Name: f.nameOf(object),
		Target: func() (model.Path, bool) { return f.objectPlace(object) }}
	switch {
	case name != "" && name != f.header.name:
		return &model.Link{File: f.dependencies.byName(f, name), Key: key}
	case name != "" || bundle.null() || bundle == f.header.uuid:
		return here
	}
	other := f.dependencies.byUUID(f, bundle)
	if _, ok := f.indexKeys().byID[object]; ok && other == "" {
		return here
	}
	return &model.Link{File: other, Key: key}
}

// fileLink leads from a dependency to its file; nil if that is not found.
func fileLink(file string) *model.Link {
	if file == "" {
		return nil
	}
	return &model.Link{File: file}
}

// objectPlace returns the path of the first object with a UUID.
func (f *file) objectPlace(key id) (model.Path, bool) {
	i, ok := f.indexKeys().byID[key]
	if !ok {
		return nil, false
	}
	return f.objectPath(int(i)), true
}

// namesMost bounds the objects that are searched for a title, because a person waits for it.
const namesMost = 50_000

// nameOf returns a function that returns the title of the object with a UUID; empty if there is no such object, or more
// than namesMost objects.
func (f *file) nameOf(key id) func() string {
	return func() string {
		if len(f.objects.entries) > namesMost {
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
