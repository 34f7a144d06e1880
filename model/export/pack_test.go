package export_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

func TestAFileThatChangesWhileItIsPackedIsAnError(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	require.NoError(t, os.WriteFile(path, []byte("one"), 0o600))
	files, err := export.Files(t.Context(), dir, func(why string) { t.Error(why) })
	require.NoError(t, err)
	require.Len(t, files, 1)
	assert.Equal(t, "a.txt", files[0].Name)

	r, err := files[0].Open(t.Context())
	require.NoError(t, err)
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "one", string(b))
	require.NoError(t, r.Close())

	later := files[0].ModTime.Add(time.Hour)
	for name, change := range map[string]func() error{
		"another time": func() error { return os.Chtimes(path, later, later) },
		"another size": func() error { return os.WriteFile(path, []byte("more than one"), 0o600) },
	} {
		one, err := export.PackedFile(path)
		require.NoError(t, err)
		r, err := one.Open(t.Context())
		require.NoError(t, err)
		require.NoError(t, change())
		assert.ErrorIs(t, r.Close(), model.ErrChanged, name)
	}
	r, err = files[0].Open(t.Context())
	require.NoError(t, err)
	assert.ErrorIs(t, r.Close(), model.ErrChanged, "the file changed before it was opened")
}

func TestWriteFileWritesTheWholeFileOrNone(t *testing.T) {
	some := func(w io.Writer) error { _, err := io.WriteString(w, "some bytes"); return err }
	fine := func(src *model.Source) error {
		b, err := src.Bytes(model.Span{Size: src.Size()})
		if string(b) != "some bytes" {
			return errors.Join(err, errors.New("other bytes were read"))
		}
		return err
	}
	broken := errors.New("broken")
	for _, test := range []struct {
		name  string
		write func(io.Writer) error
		check func(*model.Source) error
		err   error
	}{
		{"fine", some, fine, nil},
		{"a write fails", func(w io.Writer) error { return errors.Join(some(w), broken) }, fine, broken},
		{"the check fails", some, func(*model.Source) error { return broken }, broken},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "x")
		assert.ErrorIs(t, export.WriteFile(path, false, test.write, test.check), test.err, test.name)
		all, err := os.ReadDir(dir)
		require.NoError(t, err)
		if test.err != nil {
			assert.Empty(t, all, test.name)
			continue
		}
		require.Len(t, all, 1, test.name)
		assert.Equal(t, "x", all[0].Name())
		assert.ErrorContains(t, export.WriteFile(path, false, test.write, test.check), "already exists")
	}
	taken := filepath.Join(t.TempDir(), "x")
	take := func(*model.Source) error { return os.WriteFile(taken, []byte("there"), 0o600) }
	err := export.WriteFile(taken, false, some, take)
	require.ErrorContains(t, err, "already exists", "another program has created the file meanwhile")
	b, err := os.ReadFile(taken)
	require.NoError(t, err)
	assert.Equal(t, "there", string(b))
	require.NoError(t, export.WriteFile(taken, true, some, fine))
	b, err = os.ReadFile(taken)
	require.NoError(t, err)
	assert.Equal(t, "some bytes", string(b), "replace is set")
	assert.ErrorIs(t, export.WriteFile(taken, true, some, func(*model.Source) error { return broken }), broken)
	b, err = os.ReadFile(taken)
	require.NoError(t, err)
	assert.Equal(t, "some bytes", string(b), "the existing file is kept")
}
