package userdata_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/userdata"
)

var (
	wheel = model.Target{File: "res/car.gpb", Node: "wheel", Mesh: "round", Part: 2}
	paint = model.Material{File: "res/car.material", ID: "rubber"}
)

func TestAssignmentsAreKeptForAProject(t *testing.T) {
	s := userdata.AssignmentsIn(filepath.Join(t.TempDir(), "deep", "assignments"))
	all, file, err := s.ForProject("/games/car")
	require.NoError(t, err)
	assert.Empty(t, all, "none is stored")
	other := "/tmp/\xff.material"
	if runtime.GOOS == "windows" { // where names are Unicode
		other = "/tmp/\u00fc.material"
	}
	given := []model.Assignment{{To: wheel, Material: paint},
		{To: model.Target{Part: model.AllParts, Has: paint}, Material: model.Material{File: other, ID: "x",
			Technique: "night"}}}
	require.NoError(t, s.Set("/games/car", given))
	assert.FileExists(t, file)
	again, _, err := userdata.AssignmentsIn(filepath.Dir(file)).ForProject("/games/car/")
	require.NoError(t, err)
	assert.Equal(t, given, again)
	none, boat, err := s.ForProject("/games/boat")
	require.NoError(t, err)
	assert.Empty(t, none, "of another project")
	assert.NotEqual(t, file, boat)
	require.NoError(t, s.Set("/games/car", nil))
	assert.NoFileExists(t, file)
	require.NoError(t, s.Set("/games/car", nil), "there is no file to remove")
}

func TestInvalidAssignmentsAreIgnoredAndReported(t *testing.T) {
	s := userdata.AssignmentsIn(t.TempDir())
	text := `{"assignments":[` + strings.Repeat(`{"wears":{"file":"a"}},`, 10_001) + `{}]}`
	require.NoError(t, os.WriteFile(s.Path("p"), []byte(text), 0o600))
	all, _, err := s.ForProject("p")
	assert.Empty(t, all)
	assert.ErrorContains(t, err, "more than 10000", "too many")
	text = `{"assignments":[{"to":{"part":-7},"wears":{"file":"a"}},{"to":{"part":0},"wears":{}},` +
		`{"to":{"node":"` + strings.Repeat("n", 5000) + `"},"wears":{"file":"a"}},{"to":{"part":1},"wears":{"file":"b"}}]}`
	require.NoError(t, os.WriteFile(s.Path("p"), []byte(text), 0o600))
	all, _, err = s.ForProject("p")
	assert.ErrorContains(t, err, "ignored 3 invalid entries in the assignments file")
	assert.Equal(t, []model.Assignment{{To: model.Target{Part: 1}, Material: model.Material{File: "b"}}}, all,
		"entries without a material are left out")
	assert.Error(t, s.Set("q", make([]model.Assignment, 10_001)))
	assert.Error(t, s.Set("q", []model.Assignment{{To: model.Target{Node: strings.Repeat("n", 5000)}, Material: paint}}))
}

func TestAnAssignmentReplacesThoseThatItCovers(t *testing.T) {
	whole := wheel
	whole.Part = model.AllParts
	all := userdata.Add(nil, model.Assignment{To: wheel, Material: paint})
	other := wheel
	other.Part = 3
	all = userdata.Add(all, model.Assignment{To: other, Material: paint})
	assert.Len(t, all, 2)
	assert.Len(t, userdata.Add(all, model.Assignment{To: wheel, Material: model.Material{File: "x.png"}}), 2)
	all = userdata.Add(all, model.Assignment{To: whole, Material: paint})
	assert.Equal(t, []model.Assignment{{To: whole, Material: paint}}, all)
	all = userdata.Add(all, model.Assignment{To: wheel, Material: paint})
	assert.Len(t, all, 2, "the assignment for all parts is kept")
	assert.Empty(t, userdata.Remove(all, whole))
}

// A new assignment does not overwrite a file that cannot be read.
func TestDamagedAssignmentsAreKeptAside(t *testing.T) {
	s := userdata.AssignmentsIn(t.TempDir())
	fine := []model.Assignment{{To: wheel, Material: paint}}
	path := s.Path("/project")
	for i, damaged := range []string{"{", `{"assignments": [{"material": {"file": ""}}]}`, strings.Repeat("x", 4<<20+1)} {
		require.NoError(t, os.WriteFile(path, []byte(damaged), 0o600))
		require.NoError(t, s.Set("/project", fine))
		aside, err := os.ReadFile(fmt.Sprintf("%s.broken%d", path, i+1))
		require.NoError(t, err)
		assert.Equal(t, damaged, string(aside))
		all, _, err := s.ForProject("/project")
		require.NoError(t, err)
		assert.Equal(t, fine, all)
		require.NoError(t, s.Set("/project", nil))
		assert.NoFileExists(t, path)
	}
	for i := range 9 {
		require.NoError(t, os.WriteFile(fmt.Sprintf("%s.broken%d", path, i+1), nil, 0o600))
	}
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	assert.ErrorContains(t, s.Set("/project", fine), "is not replaced")
	assert.FileExists(t, path)
}
