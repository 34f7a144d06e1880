package formats_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/assets"
	"assay/formats"
	"assay/formats/formatstest"
	"assay/formats/kaitai"
	"assay/model"
)

// walk visits a node and all below it.
func walk(n *model.Node, visit func(n *model.Node)) {
	visit(n)
	for i := range n.Len() {
		walk(n.Child(i), visit)
	}
}

// TestEveryFieldHasAMeaning holds that the page of a format says something about each field that its files have.
func TestEveryFieldHasAMeaning(t *testing.T) {
	files := formatstest.Files(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		d := opened(t, name, files[name])
		if !assert.NotNil(t, d.Meaning, name) {
			continue
		}
		missing := make(map[string]bool)
		walk(d.Root(), func(n *model.Node) {
			if d.Meaning(n).Text() == "" {
				missing[n.Parent.Type+"."+n.Name+" ("+n.Type+")"] = true
			}
		})
		assert.Empty(t, slices.Sorted(maps.Keys(missing)), "%s: fields.md does not describe them", name)
	}
}

// TestEveryFieldOfADescriptionIsExplained holds that the descriptions which the program brings along say something
// about each attribute.
func TestEveryFieldOfADescriptionIsExplained(t *testing.T) {
	opener := formats.Opener{Gallery: &kaitai.Gallery{Bundled: assets.Formats()}}
	described := 0
	for _, p := range opener.Pages()[len((formats.Opener{}).Pages()):] {
		described++
		for _, s := range p.Sections {
			for _, term := range s.Terms {
				assert.NotEmpty(t, term.Text, "%s: %s.%s has no doc", p.Name, s.Title, term.Title)
			}
		}
	}
	assert.Equal(t, 3, described)
}
