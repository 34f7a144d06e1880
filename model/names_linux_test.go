package model_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// On Linux, names that differ in case are different, and a name may have any bytes.
func TestErrorOfAMissingFileSuggestsNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"world.gpb", "world.state", "sub/duck.gpb", "sub/bad\xff.gpb"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	const not = "no such file"
	for path, want := range map[string]string{
		"wordl.gpb":       not + "; did you mean world.gpb?",
		"World.Gpb":       not + "; did you mean world.gpb?",
		"world":           not + "; did you mean world.gpb or world.state?",
		"./sub/duck.gbp":  not + "; did you mean duck.gpb?",
		"sub/bad.gpb":     not + `; did you mean bad\xff.gpb?`,
		"sub/nothing":     not + "; check the path",
		"sob/duck.gpb":    "there is no folder sob; did you mean sub?",
		"sub/a/b/c":       "there is no folder sub/a; check the path",
		"sub/duck.gpb/no": "sub/duck.gpb is a file, not a folder",
		"":                "no file name given",
	} {
		_, err := model.OpenFile(path)
		var why *model.OpenError
		require.ErrorAs(t, err, &why, path)
		assert.Equal(t, "cannot be opened: "+want, filepath.ToSlash(why.Reason), path)
	}
}

func TestSimilarNamesAreFewAndNearestFirst(t *testing.T) {
	names := []string{"far", "trees", "thee", "tree", "three", "threes"}
	assert.Equal(t, []string{"tree"}, model.SimilarNames("tre", names))
	assert.Equal(t, []string{"three", "threes", "thee"}, model.SimilarNames("threee", names))
	assert.Equal(t, []string{"TREE"}, model.SimilarNames("tree", []string{"TREE", "treat", "tree.gpb"}))
	assert.Empty(t, model.SimilarNames("x", nil))
	assert.Len(t, model.SimilarNames("a", []string{"b", "c", "d", "e"}), 3)
}
