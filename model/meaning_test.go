package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
)

func TestFirstSentenceEndsAtAPeriodOrLineEnd(t *testing.T) {
	for _, want := range []struct{ field, typ, first, rest string }{
		{"", "", "", ""},
		{"One", "", "One", ""},
		{"One of 1.2 or 2. 3 more. Then two. And three.", "", "One of 1.2 or 2. 3 more.", "Then two. And three."},
		{"One.", "Two. Three.", "One.", "Two. Three."},
		{"", "Two. Three.", "Two.", "Three."},
		{"No end\nin the first line. But here.", "", "No end", "in the first line. But here."},
	} {
		first, rest := model.Meaning{Field: want.field, Type: want.typ}.FirstSentence()
		assert.Equal(t, want.first, first)
		assert.Equal(t, want.rest, rest)
	}
}

func TestChoicesAreThoseOfTheFlagsNamesOrPage(t *testing.T) {
	flags := model.Flags{"wide", "long", "large"}
	n := &model.Node{Value: uint64(9), Symbols: flags}
	assert.Equal(t, "wide | 0x8", n.Symbol())
	all, has := model.Meaning{}.Choices(n)
	assert.Equal(t, []model.NamedNumber{{Number: 1, Name: "wide"}, {Number: 2, Name: "long"}, {Number: 4, Name: "large"}}, all)
	assert.Equal(t, []bool{true, false, false}, []bool{has(all[0]), has(all[1]), has(all[2])})
	assert.Empty(t, flags.NameOf("no number"))
	assert.Empty(t, flags.NameOf(uint64(0)))

	names := model.Names{0: "none", 3: "three"}
	all, has = model.Meaning{}.Choices(&model.Node{Value: int64(3), Symbols: names})
	assert.Equal(t, []model.NamedNumber{{Number: 0, Name: "none"}, {Number: 3, Name: "three"}}, all)
	assert.Equal(t, []bool{false, true}, []bool{has(all[0]), has(all[1])})

	all, has = model.Meaning{Term: &model.Term{Values: names.All()}}.Choices(&model.Node{Symbols: model.Symbol("three")})
	assert.Equal(t, names.All(), all, "the choices of the page if the symbol has none")
	assert.Equal(t, []bool{false, true}, []bool{has(all[0]), has(all[1])})
	all, _ = model.Meaning{}.Choices(&model.Node{})
	assert.Empty(t, all)
}

func TestReferencesHaveATitleAndAnAddress(t *testing.T) {
	for text, want := range map[string]model.Reference{
		"https://www.w3.org/TR/png-3/":                      {"w3.org/TR/png-3", "https://www.w3.org/TR/png-3/"},
		"https://www.w3.org/TR/png-3/  PNG\n Specification": {"PNG Specification", "https://www.w3.org/TR/png-3/"},
		"EBU Tech 3306, page 42":                            {"EBU Tech 3306, page 42", ""},
		"file:///etc/passwd a file":                         {"file:///etc/passwd a file", ""},
		"https: no host":                                    {"https: no host", ""},
	} {
		assert.Equal(t, want, model.ParseReference(text), text)
	}
	m := model.Meaning{References: []model.Reference{model.ParseReference("https://a.org/b")}}
	assert.Equal(t, "Source: a.org/b", m.TextWithSource())
	m.Field = "The count."
	assert.Equal(t, "The count.\nSource: a.org/b", m.TextWithSource())
	assert.Equal(t, "https://a.org/b", m.References[0].String())
	assert.Equal(t, "B, https://a.org/b", model.ParseReference("https://a.org/b B").String())
}
