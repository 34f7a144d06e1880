package material

import (
	"path"
	"path/filepath"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// materialKind is the name of the namespaces that are materials.
const materialKind = "material"

// Text is a text that describes materials.
type Text struct {
	Project *project.Project      // around it, or around another file of the same project
	Path    string                // from the root of the project
	File    *properties.Namespace // nil of a material that an entry of a .scene describes
}

// Description is a material that a text describes.
type Description struct {
	Text  Text
	Space *properties.Namespace // of the text; nil of a material that an entry of a .scene describes
	entry *properties.Space     // in the entry, else nil
}

// space is the description with what it inherits.
func (d Description) space(r *Resources) *properties.Space {
	if d.entry != nil {
		return d.entry
	}
	return r.Space(d.Text.File, d.Space)
}

// texture returns the texture that a path in the text means.
func (t Text) texture(name string) *scene.Texture { return t.Project.Texture(name, path.Dir(t.Path)) }

// material returns the description of the material that a reference means: the first if it is empty. ok is false if the
// text, which may be nil, has none.
func (t *Text) material(reference string) (d Description, ok bool) {
	if t == nil {
		return d, false
	}
	return t.describes(t.File.Find(reference))
}

// describes returns the description that a namespace of the text is; ok is false if it is not that of a material.
func (t *Text) describes(n *properties.Namespace) (d Description, ok bool) {
	return Description{Text: *t, Space: n}, n != nil && n.Name == materialKind
}

// origin returns where the material with an id is described, as an assignment names it in a project with that root.
func (t Text) origin(root, id string) model.Material {
	full := t.Path
	if own := t.Project.Root(); own != root {
		full = filepath.Join(own, filepath.FromSlash(full))
	}
	return model.Material{File: full, ID: id}
}
