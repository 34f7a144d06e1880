package project

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFormerFilesHideThoseOfNow(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	f := Former{Then: fstest.MapFS{"res/a.png": file("then"), "res/gone.png": file("gone")},
		Now: fstest.MapFS{"res/a.png": file("now"), "res/new.png": file("new"), "other/x": file("x")}}
	for name, want := range map[string]string{"res/a.png": "then", "res/gone.png": "gone", "res/new.png": "new",
		"other/x": "x"} {
		b, err := fs.ReadFile(f, name)
		require.NoError(t, err, name)
		assert.Equal(t, want, string(b), name)
		info, err := fs.Stat(f, name)
		require.NoError(t, err, name)
		assert.EqualValues(t, len(want), info.Size())
	}
	all, err := fs.ReadDir(f, "res")
	require.NoError(t, err)
	assert.Len(t, all, 3)
	_, err = f.Open("res/none")
	assert.ErrorIs(t, err, fs.ErrNotExist)
}
