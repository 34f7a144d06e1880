package query_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestComplete(t *testing.T) {
	for typed, want := range map[string][]string{
		"":                      nil,
		"s":                     nil,
		"si":                    {"size > "},
		"SIZE":                  {"size > "},
		"*.png old":             {"*.png old size > "},
		"(mod":                  {"(modified >= "},
		"ty":                    {"type = "},
		"nothing":               nil,
		"type = ":               {"type = Texture ", "type = PNG file ", "type = PNG "},
		"type=te":               {"type=Texture "},
		"class ~ png":           {"class ~ PNG file "},
		"duck type != P":        {"duck type != PNG file ", "duck type != PNG "},
		"type = PNG f":          {"type = PNG file "},
		"type = Texture si":     {"type = Texture size > "},
		"size > ":               nil,
		`"si`:                   nil,
		`"a b" si`:              {`"a b" size > `},
		"type = PNG file and m": nil,
		"größe ty":              {"größe type = "},
	} {
		var got []string
		for _, c := range list().Complete(typed, len(typed)) {
			got = append(got, typed[:c.From]+c.Text+typed[c.To:])
		}
		assert.Equal(t, want, got, typed)
	}
	got := list().Complete("si png", 2)
	assert.Len(t, got, 1)
	assert.Equal(t, "size > ", got[0].Text)
	assert.Equal(t, []int{0, 2}, []int{got[0].From, got[0].To})
}
