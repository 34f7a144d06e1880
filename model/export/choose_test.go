package export_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

func TestChooserSelectsByKeyNamePathAndFilter(t *testing.T) {
	root := &model.Node{Type: "Root"}
	kids := model.List{{Name: "assets"}, {Name: "other"}}
	kids[1].SetChildren(model.List{{Name: "class", Value: "Texture"}})
	root.SetChildren(kids)
	list := model.PayloadList{
		{Key: "0001-0002-000000AA", Name: "tex/rock.png", Node: kids[0]},
		{Key: "0001-0002-000000AB", Name: "tex/grass.png", Node: kids[1], Size: 2_000_000},
		{Key: "0009-0002-000000AB", Name: "readme.txt",
			Verify: func(context.Context) (model.Verdict, string, error) { return model.Invalid, "", nil }},
		{Key: "4", Name: "a (1) = b", Size: -1},
	}
	for name, c := range map[string]struct {
		patterns []string
		want     []int
		unused   []string
	}{
		"all":                       {nil, []int{0, 1, 2, 3}, nil},
		"key":                       {[]string{"0001-0002-000000aa"}, []int{0}, nil},
		"key glob":                  {[]string{"0001-*"}, []int{0, 1}, nil},
		"name":                      {[]string{"readme.txt"}, []int{2}, nil},
		"last part":                 {[]string{"*.png"}, []int{0, 1}, nil},
		"whole path":                {[]string{"tex/r*"}, []int{0}, nil},
		"path":                      {[]string{"/assets"}, []int{0}, nil},
		"root":                      {[]string{"/"}, []int{0, 1}, nil},
		"two":                       {[]string{"/other/", "readme.*"}, []int{1, 2}, nil},
		"finds none":                {[]string{"nothing", "*.txt"}, []int{2}, []string{"nothing"}},
		"not a child":               {[]string{"/asset"}, nil, []string{"/asset"}},
		"filter":                    {[]string{"*.png size > 1 MB"}, []int{1}, nil},
		"two words and a condition": {[]string{"rock tex size < 1 MB"}, []int{0}, nil},
		"below a path":              {[]string{"/other *.png"}, []int{1}, nil},
		"of a field":                {[]string{"class = texture"}, []int{1}, nil},
		"checksum":                  {[]string{"adler32 = invalid"}, []int{2}, nil},
		"key of a filter":           {[]string{"key = *AB not *.txt"}, []int{1}, nil},
		"part of a name alone":      {[]string{"rock"}, nil, []string{"rock"}},
		"whole name":                {[]string{"a (1) = b"}, []int{3}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			chooser, err := export.NewChooser(c.patterns)
			require.NoError(t, err)
			var got []int
			for _, p := range chooser.Choose(t.Context(), list, "", "") {
				for i := range p.Len() {
					got = append(got, p.Index+i)
				}
			}
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.unused, chooser.UnusedTexts())
		})
	}
	_, err := export.NewChooser([]string{"size > big"})
	assert.ErrorContains(t, err, "size needs a number")
}
