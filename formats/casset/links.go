package casset

import (
	"strings"

	"assay/model"
)

// link leads to an object in this file, or to another file. object and bundle are keys, name is the package's path if
// the file has it.
func (f *file) link(object, bundle, name string) *model.Link {
	local := name == f.name
	if name == "" {
		local = bundle == "" || bundle == f.uuid || strings.Trim(bundle, "0") == ""
	}
	if local {
		return &model.Link{Key: object, Name: f.nameOf(object), Target: func() (model.Path, bool) {
			i, ok := f.named(object, false)
			if !ok {
				return nil, false
			}
			return f.objectPath(i), true
		}}
	}
	if name == "" {
		if i, ok := f.named(object, false); ok {
			return &model.Link{Key: object, Name: f.nameOf(object),
				Target: func() (model.Path, bool) { return f.objectPath(i), true }}
		}
		return &model.Link{File: f.near.byUUID(f, bundle), Key: object}
	}
	return &model.Link{File: f.near.byName(f, name), Key: object}
}

// dependencyLink leads from a dependency to its file if that is found.
func (f *file) dependencyLink(value string) *model.Link {
	to := ""
	if f.lay.generation == 3 {
		to = f.near.byUUID(f, value)
	} else {
		to = f.near.byName(f, value)
	}
	if to == "" {
		return nil
	}
	return &model.Link{File: to}
}
