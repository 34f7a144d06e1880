package dprsim

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/dprsim/dprsimtest"
	"assay/model/scene"
)

func TestStatesOfAFolderAreASeries(t *testing.T) {
	folder := t.TempDir()
	for i, name := range []string{"run_9.state", "run_10.state", "run_011.state", "run_a.state", "other_1.state",
		"run_1.world"} {
		b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
			func(s *dprsimtest.StateWriter) { s.Catom(42, simBytes(byte(10*i))) })
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), b, 0o644))
	}
	s := sceneOf(t, filepath.Join(folder, "run_10.state"))
	var names []string
	for _, step := range s.Steps {
		names = append(names, step.Name)
	}
	assert.Equal(t, []string{"run_9.state", "run_10.state", "run_011.state"}, names, "by the number")
	assert.Equal(t, 1, s.Step)
	last, err := s.Steps[2].Open(t.Context())
	require.NoError(t, err)
	dots := make([]scene.Dot, 1)
	require.NoError(t, last.Roots[0].Points.Read(0, dots))
	assert.EqualValues(t, 42, dots[0].ID)
	assert.Equal(t, float32(20), dots[0].Position[0])
	assert.Empty(t, sceneOf(t, filepath.Join(folder, "run_1.world")).Steps, "it is alone")
	require.NoError(t, os.Remove(filepath.Join(folder, "run_011.state")))
	_, err = s.Steps[2].Open(t.Context())
	assert.Error(t, err)
}
