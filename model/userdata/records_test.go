package userdata_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/userdata"
)

type value struct {
	Numbers []int `json:"numbers"`
}

func TestValuesAreKeptInFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "numbers")
	f := userdata.RecordsIn[value](path, "numbers", 100)
	none, err := f.Read("one")
	require.NoError(t, err)
	assert.Empty(t, none, "none is stored")
	entries, err := f.Entries()
	require.NoError(t, err)
	assert.Empty(t, entries)
	require.NoError(t, f.Change(func() error { return f.Write("one", value{[]int{1, 2}}) }))
	again, err := userdata.RecordsIn[value](path, "numbers", 100).Read("one")
	require.NoError(t, err)
	assert.Equal(t, value{[]int{1, 2}}, again)
	entries, err = f.Entries()
	require.NoError(t, err)
	require.Len(t, entries, 1, "the lock is not listed")
	assert.Equal(t, "one", entries[0].Name)
	assert.ErrorContains(t, f.Write("one", value{make([]int, 100)}), "at most")
	require.NoError(t, f.Remove("one"))
	require.NoError(t, f.Remove("one"), "there is no file to remove")
	assert.NoFileExists(t, f.Path("one"))
}

func TestInvalidRecordFilesAreErrors(t *testing.T) {
	f := userdata.RecordsIn[value](t.TempDir(), "numbers", 100)
	for name, text := range map[string]string{"garbage": "{", "too large": strings.Repeat(" ", 101),
		"another shape": `{"numbers":{"to":1}}`} {
		require.NoError(t, os.WriteFile(f.Path("p"), []byte(text), 0o600), name)
		got, err := f.Read("p")
		assert.Empty(t, got, name)
		assert.ErrorContains(t, err, "numbers", name)
	}
	require.NoError(t, os.Remove(f.Path("p")))
	require.NoError(t, os.Mkdir(f.Path("p"), 0o700))
	_, err := f.Read("p")
	assert.Error(t, err, "a folder")
}

// Each of several programs reads the value before it writes it.
func TestChangesOfSeveralProgramsAreNotLost(t *testing.T) {
	path, all := t.TempDir(), sync.WaitGroup{}
	for i := range 8 {
		all.Go(func() {
			f := userdata.RecordsIn[value](path, "numbers", 1000) // with its own lock, as another process has
			err := f.Change(func() error {
				v, err := f.Read("one")
				if err != nil {
					return err
				}
				return f.Write("one", value{append(v.Numbers, i)})
			})
			assert.NoError(t, err)
		})
	}
	all.Wait()
	v, err := userdata.RecordsIn[value](path, "numbers", 1000).Read("one")
	require.NoError(t, err)
	assert.ElementsMatch(t, []int{0, 1, 2, 3, 4, 5, 6, 7}, v.Numbers)
}

func TestWriteAllWritesAllOrNone(t *testing.T) {
	path := t.TempDir()
	f := userdata.RecordsIn[value](path, "numbers", 100)
	require.NoError(t, f.Change(func() error {
		return f.WriteAll(map[string]value{"one": {[]int{1}}, "two": {[]int{2}}, "three": {[]int{3}}})
	}))
	for name, want := range map[string]int{"one": 1, "two": 2, "three": 3} {
		got, err := f.Read(name)
		require.NoError(t, err)
		assert.Equal(t, value{[]int{want}}, got)
	}
	require.NoError(t, os.Remove(f.Path("three")))
	require.NoError(t, os.Mkdir(f.Path("three"), 0o700))
	require.Error(t, f.Change(func() error {
		return f.WriteAll(map[string]value{"three": {[]int{9}}})
	}))
	err := f.Change(func() error { return f.WriteAll(map[string]value{"four": {[]int{4}}, "big": {make([]int, 100)}}) })
	assert.ErrorContains(t, err, "at most")
	left, err := os.ReadDir(path)
	require.NoError(t, err)
	for _, e := range left {
		assert.False(t, strings.HasPrefix(e.Name(), ".tmp-"), e.Name())
	}
}

func TestLockIsExclusive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := userdata.Lock(t.Context(), path)
	require.NoError(t, err)
	f, err := userdata.TryLock(path)
	require.NoError(t, err)
	assert.Nil(t, f)
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = userdata.Lock(ended, path)
	assert.ErrorIs(t, err, context.Canceled)
	unlock()
	f, err = userdata.TryLock(path)
	require.NoError(t, err)
	require.NotNil(t, f)
	assert.NoError(t, f.Close())
	_, err = userdata.Lock(t.Context(), filepath.Join(path, "below a file"))
	assert.Error(t, err)
}
