package project

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// TestFilesOfAVersionHideFilesOnDisk has a file that was changed since the version, one that was removed, and new ones.
func TestFilesOfAVersionHideFilesOnDisk(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	x := newIndex(nil, layer{fstest.MapFS{"res/a.png": file("then"), "res/gone.png": file("gone")}, ".", ""},
		layer{fstest.MapFS{"res/a.png": file("now"), "res/new.png": file("new"), "other/x": file("x")}, ".", ""})
	for name, want := range map[string]string{"res/a.png": "then", "res/gone.png": "gone", "res/new.png": "new",
		"other/x": "x"} {
		b, err := fs.ReadFile(&x, name)
		require.NoError(t, err, name)
		assert.Equal(t, want, string(b), name)
		info, err := x.stat(name)
		require.NoError(t, err, name)
		assert.EqualValues(t, len(want), info.Size())
		there, err := x.pathOnDisk(strings.ToUpper(name), anyCase)
		require.NoError(t, err)
		assert.Equal(t, name, there)
	}
	all, err := x.list("res")
	require.NoError(t, err)
	assert.Equal(t, []entry{{path: "res/a.png"}, {path: "res/gone.png"}, {path: "res/new.png"}}, all)
	_, err = x.Open("res/none")
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestVersionNeedsNoFolderOnDisk(t *testing.T) {
	src := model.NewSource("a.gpb", strings.NewReader(""), 0)
	src.SetVersion(&model.FileVersion{Path: filepath.Join(t.TempDir(), "gone", "a.gpb"),
		Files: func(string) fs.FS { return fstest.MapFS{"b.png": &fstest.MapFile{}} }})
	assert.Equal(t, Found{Path: "b.png"}, ForSource(src).Find("b.png", "."))
}

// locked is a file system in which a folder cannot be read.
type locked struct {
	fs.FS
	folder string
}

func (l locked) Open(name string) (fs.File, error) {
	if name == l.folder {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return l.FS.Open(name)
}

func TestUnreadableFolderIsReported(t *testing.T) {
	all := fstest.MapFS{"a.material": &fstest.MapFile{}, "b.png": &fstest.MapFile{}, "secret/c.png": &fstest.MapFile{}}
	p := New(locked{all, "secret"}, "a.gpb")
	assert.Equal(t, Found{Path: "b.png"}, p.Find("b.png", "."))
	assert.Equal(t, Found{Problem: "the folder of secret/c.png cannot be read"}, p.Find("secret/c.png", "."))
	assert.Equal(t, Found{Problem: "d.png is not in the project; not all folders can be read (open secret: " +
		"permission denied)"}, p.Find("d.png", "."))
	some, err := p.Files(func(name string) bool { return strings.HasSuffix(name, ".png") })
	assert.ErrorIs(t, err, fs.ErrPermission)
	assert.Equal(t, []string{"b.png"}, some)
	only, err := p.OnlyFile(".material")
	assert.ErrorIs(t, err, fs.ErrPermission)
	assert.Empty(t, only, "there may be another")
	_, err = New(locked{all, "."}, "a.gpb").Siblings(".material")
	assert.ErrorIs(t, err, fs.ErrPermission)
	start, err := p.Start("none.gpb", 4)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.Empty(t, start)
	_, err = p.Texture("b.png", ".").Open(context.Background())
	assert.NoError(t, err)
}

// failing is a file system whose files cannot be read while *broken is set.
type failing struct {
	fs.FS
	broken *bool
}

func (f failing) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if err == nil && *f.broken && name == "a.material" {
		return failingFile{file, name}, nil
	}
	return file, err
}

type failingFile struct {
	fs.File
	name string
}

func (f failingFile) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: "/disk/" + f.name, Err: fs.ErrInvalid}
}

// TestFailedReadIsRepeated tests that the error has its cause, and that the text is read again afterwards.
func TestFailedReadIsRepeated(t *testing.T) {
	broken := true
	p := New(failing{fstest.MapFS{"a.material": &fstest.MapFile{Data: []byte("material a\n{\n}\n")}}, &broken}, "a.gpb")
	_, err := p.Text("a.material")
	assert.EqualError(t, err, "a.material cannot be read: invalid argument")
	assert.ErrorIs(t, err, fs.ErrInvalid)
	broken = false
	_, err = p.Text("a.material")
	assert.NoError(t, err)
}
