package cli_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/cli"
	"assay/model"
)

// TestAPackageIsPrintedWithItsContents tests that git compares the contents of a package by their type, in any order of
// the assets.
func TestAPackageIsPrintedWithItsContents(t *testing.T) {
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))))
	long := strings.Repeat("a line\n", 3000)
	printed := func(keys ...string) string {
		all := map[string]string{"notes": "{\n  \"speed\": 3\n}\n", "icon": picture.String(), "noise": "\x00\x01\x02\xff\xfe",
			"long": long}
		var assets []*model.Payload
		for _, key := range keys {
			assets = append(assets, asset(key, all[key], model.Valid))
		}
		pack := func() *model.Document {
			d := document("p", "v", assets...)()
			d.IsLayered = true
			return d
		}
		r, out, messages := files{"p": pack}.runner()
		require.Equal(t, cli.ExitOK, r.Tree(t.Context(), "p", cli.TreeOptions{Depth: -1, NoOffsets: true}), messages)
		return out.String()
	}
	out := printed("notes", "icon", "noise", "long")
	assert.Contains(t, out, "[Content] notes.txt: JSON text\n  {\n    \"speed\": 3\n  }\n")
	assert.Contains(t, out, "[Content] icon.txt: PNG picture, 3 × 2 pixels\n")
	assert.NotContains(t, out, "noise.txt: ", "its digest says all")
	assert.Equal(t, 2000, strings.Count(out, "  a line\n"))
	assert.Contains(t, out, "  a line\n  …\n")
	assert.Equal(t, out, printed("long", "noise", "notes", "icon"))
}
