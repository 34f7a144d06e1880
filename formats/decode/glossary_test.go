package decode

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

const text = "# A format\n\nSays `this`\nand that.\n\n    an example\n      of it\n\n## A `Box`, `Case`\n\n" +
	"Holds things.\nPublished: 1 Box. Not published: Case.\n\n" +
	"- `kind`: What it is. Not published: here.\n- `min`, `max`:\n  Corners.\n- `tex*`: A texture.\n- `things`: All of it.\n\n" +
	"## A `Thing`\n\nIs in a box.\n\n## The keys: `KEY`\n\n- `speed`: How fast.\n"

var kinds = model.Names{0: "none", 1: "wood"}

// child puts a node below another one.
func child(parent *model.Node, name, typ string) *model.Node {
	return &model.Node{Name: name, Type: typ, Parent: parent}
}

func TestAMeaningIsFoundByTypeAndField(t *testing.T) {
	g := &Glossary{Name: "box", Text: text, Values: map[string]model.Choices{"Box.kind": kinds},
		FieldOf: func(n *model.Node) (typ, field string, ok bool) { return "KEY", n.Key, n.Key != "" },
		Written: func(n *model.Node) string { return n.Key }}
	root := &model.Node{Type: "Root"}
	box := child(root, "box", "Box")
	items := child(box, "things", "Thing[]")
	entry := child(child(root, "1", "Case"), "kind", "u8")
	entry.Key = "speed"
	unknown := child(box, "kind", "u8")
	unknown.Key = "no such key"
	for _, want := range []struct {
		n                  *model.Node
		field, typ, source string
		section, term      int
	}{
		{box, "", "Holds things.", "Published: 1 Box. Not published: Case.", 0, -1},
		{child(box, "kind", "u8"), "What it is.", "", "Not published: here.", 0, 0},
		{child(child(root, "0", "Case"), "max", "u8"), "Corners.", "", "Published: 1 Box. Not published: Case.", 0, 1},
		{child(box, "texture7", "u8"), "A texture.", "", "Published: 1 Box. Not published: Case.", 0, 2},
		{child(items, "0", "Thing"), "", "Is in a box.", "", 1, -1},
		{child(items, "0", "u8"), "All of it.", "", "Published: 1 Box. Not published: Case.", 0, 3},
		{child(items, "count", "u8"), g.Page().Sections[3].Terms[0].Text, "", "", 3, 0},
		{entry, "How fast.", "", "", 2, 0},
		{unknown, "What it is.", "", "Not published: here.", 0, 0},
		{child(box, "what", "u8"), "", "", "", 0, -1},
		{root, "", "", "", -1, -1},
	} {
		meaning := model.Meaning{Field: want.field, Type: want.typ, Source: want.source, Written: want.n.Key,
			Page: g.Page()}
		if want.section >= 0 {
			meaning.Section = &g.Page().Sections[want.section]
		}
		if want.term >= 0 {
			meaning.Term = &meaning.Section.Terms[want.term]
		}
		assert.Equal(t, meaning, g.Meaning(want.n), want.n.PathText())
	}
	assert.Equal(t, "Says this and that.\n\n    an example\n      of it", g.Page().Text)
	assert.Equal(t, "A Box, Case", g.Page().Sections[0].Title)
	assert.Equal(t, kinds.All(), g.Page().Sections[0].Terms[0].Values)
}

func TestATextThatCannotBeReadIsRefused(t *testing.T) {
	for text, why := range map[string]string{
		"- `a`: b":                         "without a name and a text below a heading",
		"## `A`\n\n- a: b":                 "without a name",
		"## `A`\n\n## `B`, `A`":            "a second section about A",
		"## `A`\n\n- `a`: b\n- `a`: c":     "a is described twice",
		"## `A`\n\n- `a`: b\n\nAfterwards": "a paragraph after the fields",
		"## `A`":                           "values of A.kind",
	} {
		err := (&Glossary{Text: text, Values: map[string]model.Choices{"A.kind": kinds}}).parse()
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), why)
	}
}
