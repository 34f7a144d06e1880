package project

import (
	"path"
	"strings"

	"assay/model"
)

// extensions are those of files that texts name.
var extensions = func() map[string]bool {
	all := map[string]bool{}
	for _, e := range strings.Fields(`gpb material scene animation physics terrain particle config form theme
		png jpg jpeg bmp tga dds pvr raw vert frag vsh fsh glsl lua wav ogg ttf`) {
		all["."+e] = true
	}
	return all
}()

// shaders are the extensions of shaders. Most are the engine's own, which are in no project, and nothing that is shown
// needs them.
var shaders = map[string]bool{".vert": true, ".frag": true, ".vsh": true, ".fsh": true, ".glsl": true}

// Link returns the link of a value that names a file of the project, as file, file#id or @alias, and, in a sentence,
// that the file is not there or another is taken; nil if the value names none. Without a project (p is nil) links have
// the name only.
func (p *Project) Link(value string) (*model.Link, string) {
	name, id := Reference(value)
	if !strings.HasPrefix(name, "@") && !extensions[strings.ToLower(path.Ext(name))] ||
		strings.Contains(name, ",") {
		return nil, ""
	}
	link := &model.Link{File: name, Key: id, Optional: shaders[strings.ToLower(path.Ext(name))]}
	if p == nil {
		return link, ""
	}
	found := p.Find(name, path.Dir(p.Path()))
	if found.Path != "" {
		link.Look = func(folder string) (string, bool) { return p.OnDisk(found.Path, folder), true }
	}
	return link, found.Message()
}
