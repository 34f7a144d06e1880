package material_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/gpbtest"
	"assay/model"
	"assay/model/userdata"
)

func TestWhatCanBeAssigned(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	open := gpbtest.ProjectIn(t, root, userdata.AssignmentsIn(t.TempDir()), map[string][]byte{"res/crate.gpb": gpbtest.Crates(t, "a"),
		"res/z.material": gpbtest.Colors("wood", "iron"), "res/deep/A.MATERIAL": gpbtest.Colors("gold"),
		"res/wood.png": nil, "res/readme.txt": nil, "res/broken.material": {0xff, 0, 0xff}})
	d := gpbtest.Shown(t, open("res/crate.gpb"))
	assert.Equal(t, root, d.Materials.Root())
	all, err := d.Materials.List(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []model.Material{{File: "res/deep/A.MATERIAL", ID: "gold"}, {File: "res/z.material", ID: "wood"},
		{File: "res/z.material", ID: "iron"}, {File: "res/wood.png"}}, all)

	require.NoError(t, os.WriteFile(filepath.Join(other, "own.material"), gpbtest.Colors("own", "more"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(other, "own.png"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(other, "empty.material"), nil, 0o600))
	for file, want := range map[string][]model.Material{
		filepath.Join(other, "own.material"): {{File: filepath.Join(other, "own.material"), ID: "own"},
			{File: filepath.Join(other, "own.material"), ID: "more"}},
		filepath.Join(other, "own.png"):       {{File: filepath.Join(other, "own.png")}},
		filepath.Join(root, "res/z.material"): {{File: "res/z.material", ID: "wood"}, {File: "res/z.material", ID: "iron"}},
	} {
		in, err := d.Materials.In(t.Context(), file)
		require.NoError(t, err)
		assert.Equal(t, want, in)
	}
	for file, want := range map[string]string{"own.txt": "own.txt is neither a text of materials (.material) nor a picture",
		"empty.material": "empty.material has no material", "gone.material": "gone.material cannot be opened"} {
		_, err := d.Materials.In(t.Context(), filepath.Join(other, file))
		assert.ErrorContains(t, err, want)
	}
	assert.Contains(t, d.Materials.Extensions(), ".png")
}
