package export

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
)

// creators are the functions that create a file.
var creators = map[string]func(root *os.Root, folder string) (File, error){"named": createNamed,
	"nameless": func(root *os.Root, folder string) (File, error) {
		dir, err := root.Open(folder)
		if err != nil {
			return nil, err
		}
		f, err := createNameless(dir, func() { dir.Close() })
		if f == nil {
			dir.Close()
		}
		return f, err
	}}

func eachCreator(t *testing.T, test func(t *testing.T, dir string, create func() File)) {
	for name, create := range creators {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			root, err := os.OpenRoot(dir)
			require.NoError(t, err)
			t.Cleanup(func() { root.Close() })
			require.NoError(t, root.Mkdir("d", 0o700))
			if f, err := create(root, "d"); f == nil {
				require.NoError(t, err)
				return // this system does not support it
			} else {
				f.Discard()
			}
			test(t, dir, func() File {
				f, err := create(root, "d")
				require.NoError(t, err)
				_, err = f.Write([]byte("new"))
				require.NoError(t, err)
				return f
			})
		})
	}
}

func names(t *testing.T, dir string) []string {
	list, err := os.ReadDir(filepath.Join(dir, "d"))
	require.NoError(t, err)
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func TestPublishedFileHasItsNameTimeAndContent(t *testing.T) {
	eachCreator(t, func(t *testing.T, dir string, create func() File) {
		when := time.Date(1999, 12, 31, 23, 59, 59, 123_000_000, time.UTC)
		f := create()
		require.NoError(t, f.SetTime(when))
		require.NoError(t, f.Publish("d/x", false))
		f.Discard()
		assert.Equal(t, []string{"x"}, names(t, dir))
		info, err := os.Stat(filepath.Join(dir, "d", "x"))
		require.NoError(t, err)
		assert.True(t, when.Equal(info.ModTime()), info.ModTime())
		assert.EqualValues(t, 3, info.Size())
	})
}

func TestDiscardedFileIsRemoved(t *testing.T) {
	eachCreator(t, func(t *testing.T, dir string, create func() File) {
		f := create()
		f.Discard()
		f.Discard()
		assert.Empty(t, names(t, dir))
	})
}

func TestPublishReplacesAFileOnlyOnRequest(t *testing.T) {
	eachCreator(t, func(t *testing.T, dir string, create func() File) {
		old := filepath.Join(dir, "d", "x")
		require.NoError(t, os.WriteFile(old, []byte("old"), 0o600))
		f := create()
		assert.ErrorIs(t, f.Publish("d/x", false), fs.ErrExist)
		b, err := os.ReadFile(old)
		require.NoError(t, err)
		assert.Equal(t, "old", string(b))
		require.NoError(t, f.Publish("d/y", false))

		f = create()
		require.NoError(t, f.Publish("d/x", true))
		b, err = os.ReadFile(old)
		require.NoError(t, err)
		assert.Equal(t, "new", string(b))
		assert.Equal(t, []string{"x", "y"}, names(t, dir))

		require.NoError(t, os.Mkdir(filepath.Join(dir, "d", "z"), 0o700))
		f = create()
		assert.Error(t, f.Publish("d/z", true), "a folder is not replaced")
		f.Discard()
		assert.Equal(t, []string{"x", "y", "z"}, names(t, dir))
	})
}

// A folder that is moved before the file has its name gets no file; one that is moved later has the whole file.
func TestNoFileIsWrittenThroughALinkThatReplacedTheFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not move a folder that is open")
	}
	folders := func() (dir string, replace func()) {
		dir, other := filepath.Join(t.TempDir(), "d"), t.TempDir()
		require.NoError(t, os.Mkdir(dir, 0o700))
		return dir, func() {
			require.NoError(t, os.Rename(dir, dir+" moved"))
			modeltest.Symlink(t, other, dir)
		}
	}
	dir, replace := folders()
	err := WriteFile(filepath.Join(dir, "x"), true, func(w io.Writer) error {
		replace()
		_, err := io.WriteString(w, "content")
		return err
	}, func(*model.Source) error { return nil })
	assert.EqualError(t, Failure("x", err),
		"x was not written: the folder was moved or removed while files were written into it")
	for _, folder := range []string{dir, dir + " moved"} {
		assert.NoFileExists(t, filepath.Join(folder, "x"))
	}

	dir, replace = folders()
	d := OpenDirectory(dir)
	defer d.Close()
	f, err := d.Create(".")
	require.NoError(t, err)
	require.NoError(t, f.Publish("x", true))
	replace()
	assert.EqualError(t, Failure("x", d.confirm("x")),
		"x was written, but the folder was moved during the export; the file is in its new location")
	assert.FileExists(t, filepath.Join(dir+" moved", "x"))
}

func TestFolderIsCheckedBeforeUse(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for folder, want := range map[string]string{
		dir: "", filepath.Join(dir, "new", "folder"): "", file: file + " is a file; choose a folder",
		filepath.Join(file, "below"): file + " is a file; choose a folder",
	} {
		err := CheckFolder(folder)
		if want == "" {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, want)
		d := OpenDirectory(folder)
		assert.ErrorAs(t, d.Make(), new(*FolderError))
		d.Close()
	}
	assert.NoDirExists(t, filepath.Join(dir, "new"), "nothing is written")
}
