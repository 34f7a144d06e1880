package desktop_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop"
)

// watch gives a file that is watched, and what is told about it.
func watch(t *testing.T) (path string, told <-chan string, w *desktop.Watcher) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.gpb")
	require.NoError(t, os.WriteFile(path, []byte("one"), 0o600))
	c := make(chan string, 100)
	w, err := desktop.NewWatcher(300*time.Millisecond, func(p string) { c <- p })
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	require.NoError(t, w.Add(path))
	require.NoError(t, w.Add(path))
	return path, c, w
}

// next waits for what is told, within a time that no machine needs.
func next(t *testing.T, told <-chan string) string {
	t.Helper()
	select {
	case p := <-told:
		return p
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was told")
		return ""
	}
}

func TestAWrittenFileIsTold(t *testing.T) {
	path, told, _ := watch(t)
	require.NoError(t, os.WriteFile(path, []byte("two!"), 0o600))
	assert.Equal(t, path, next(t, told))
}

func TestAReplacedAndARemovedFileIsTold(t *testing.T) {
	path, told, _ := watch(t)
	other := filepath.Join(filepath.Dir(path), "other")
	require.NoError(t, os.WriteFile(other, []byte("three"), 0o600))
	require.NoError(t, os.Rename(other, path))
	assert.Equal(t, path, next(t, told))
	require.NoError(t, os.Remove(path))
	assert.Equal(t, path, next(t, told))
}

func TestManyWritesAreToldOnceTheyAreDone(t *testing.T) {
	path, told, _ := watch(t)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	tick := time.NewTicker(10 * time.Millisecond) // faster than files settle
	defer tick.Stop()
	for range 20 {
		_, err := f.WriteString("more")
		require.NoError(t, err)
		<-tick.C
	}
	require.NoError(t, f.Close())
	next(t, told)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.EqualValues(t, 3+20*4, info.Size())
	assert.Empty(t, told, "one change is told once")
}

func TestOnlyWatchedFilesAreTold(t *testing.T) {
	path, told, w := watch(t)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), "neighbour"), []byte("x"), 0o600))
	w.Remove(path)
	require.NoError(t, os.WriteFile(path, []byte("unwatched"), 0o600))
	require.NoError(t, w.Add(path))
	require.NoError(t, os.WriteFile(path, []byte("watched again"), 0o600))
	assert.Equal(t, path, next(t, told))
	assert.Empty(t, told)
}
