package casset

import (
	"assay/model"
)

// link leads to an object in this file, or to another file. name is the package's path if the reference has it.
func (f *file) link(object, bundle id, name string) *model.Link {
	key := object.String()
	local := name == f.header.name
	if name == "" {
		local = bundle.null() || bundle == f.header.uuid
	}
	here := &model.Link{Key: key, Name: f.nameOf(object),
		Target: func() (model.Path, bool) { return f.objectPlace(object) }}
	if local {
		return here
	}
	if name != "" {
		return &model.Link{File: f.dependencies.byName(f, name), Key: key}
	}
	if _, ok := f.indexKeys().byKey[object]; ok {
		return here
	}
	return &model.Link{File: f.dependencies.byUUID(f, bundle), Key: key}
}

// fileLink leads from a dependency to its file; nil if that is not found.
func fileLink(file string) *model.Link {
	if file == "" {
		return nil
	}
	return &model.Link{File: file}
}
