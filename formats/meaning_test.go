package formats_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/assets"
	"assay/formats"
	"assay/formats/formatstest"
	"assay/formats/kaitai/gallery"
	"assay/model"
)

// visitNodes visits a node and all below it.
func visitNodes(n *model.Node, visit func(n *model.Node)) {
	visit(n)
	for i := range n.Len() {
		visitNodes(n.Child(i), visit)
	}
}

// TestEveryFieldHasAMeaning tests that the page of a format explains each field of its files.
func TestEveryFieldHasAMeaning(t *testing.T) {
	files := formatstest.Files(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		d := openDocument(t, name, files[name])
		if !assert.NotNil(t, d.Meaning, name) {
			continue
		}
		missing := make(map[string]bool)
		visitNodes(d.Root(), func(n *model.Node) {
			if d.Meaning(n).Text() == "" {
				missing[n.Parent.Type+"."+n.Name+" ("+n.Type+")"] = true
			}
		})
		assert.Empty(t, slices.Sorted(maps.Keys(missing)), "%s: fields.md does not describe them", name)
	}
}

// TestEveryFieldOfADescriptionIsExplained tests that the bundled descriptions explain each field of their files.
func TestEveryFieldOfADescriptionIsExplained(t *testing.T) {
	opener := formats.Opener{Gallery: &gallery.Gallery{Bundled: assets.Formats()}}
	described := 0
	for _, p := range opener.Pages()[len((formats.Opener{}).Pages()):] {
		described++
		for _, s := range p.Sections {
			for _, term := range s.Terms {
				assert.NotEmpty(t, term.Text, "%s: %s.%s has no doc", p.Name, s.Title, term.Title)
			}
		}
	}
	assert.Equal(t, 4, described)
}

// TestFieldsWithTheSameNameMayMeanDifferentThings finds the explanations of fields whose meaning depends on the
// enclosing struct.
func TestFieldsWithTheSameNameMayMeanDifferentThings(t *testing.T) {
	files := formatstest.Files(t)
	files["plane.experiment"] = []byte("WORLD=a.world\nOBJECT=PLANE,1,2,3,0,0,0,9,8,7,0,100,1,2,3,4\nGRAVITY=9\n")
	for _, want := range []struct{ file, path, field string }{
		{"bundle-3.0.casset", "/objects/4/fields/pixelFormat", "How a pixel is stored"},
		{"package-1.2-late.casset", "/objects/4/fields/pixelFormat", "How a pixel is stored"},
		{"bundle-2.0.casset", "/objects/2/fields/outer", "The object above"},
		{"bundle-3.0.casset", "/objects/0/fields/name", "The name of the object"},
		{"cube.world", "/chunks/2/content/catoms/0/states/0/x", "The position of the catom"},
		{"plane.experiment", "/entries/1/value/b", "The red, green or blue component"},
		{"plane.experiment", "/entries/1/value/d", "The numbers of the plane"},
		{"plane.experiment", "/entries/2/value", "The strength of gravity"},
		{"crate.material", "/members/1/members/2/members/0/members/0", "The file with a program"},
		{"crate.material", "/members/2/members/0/value", "A variable of the shaders"},
		{"crate.material", "/members/1", "The look of a surface"},
		{"room.scene", "/members/0", "A scene: nodes of bundles"},
		{"scene 1.5.gpb", "/references/count", "The number of elements"},
		{"pond.ppac", "/index/count", "The number of index entries"},
	} {
		d := openDocument(t, want.file, files[want.file])
		n, err := d.Find(want.path)
		if assert.NoError(t, err, want.file) {
			assert.True(t, strings.HasPrefix(d.Meaning(n).Field, want.field), "%s %s: %s", want.file, want.path,
				d.Meaning(n).Field)
		}
	}
}
