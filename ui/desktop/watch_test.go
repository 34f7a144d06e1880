package desktop_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop"
)

// clock is a clock by which the test decides when files have settled.
type clock struct {
	set chan struct{} // receives a value when a wait begins

	mu    sync.Mutex
	waits map[int]func()
	next  int
}

func newClock() *clock { return &clock{set: make(chan struct{}, 1000), waits: make(map[int]func())} }

func (c *clock) after(f func()) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := c.next
	c.next++
	c.waits[id] = f
	c.set <- struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waits, id)
	}
}

// pass ends all current waits.
func (c *clock) pass() {
	c.mu.Lock()
	ended := c.waits
	c.waits = make(map[int]func())
	c.mu.Unlock()
	for _, f := range ended {
		f()
	}
}

// watched is a watched file with the reported changes.
type watched struct {
	*desktop.Watcher
	clock *clock
	path  string
	told  chan string
}

func watch(t *testing.T) *watched {
	t.Helper()
	w := &watched{clock: newClock(), path: filepath.Join(t.TempDir(), "a.gpb"), told: make(chan string, 100)}
	require.NoError(t, os.WriteFile(w.path, []byte("one"), 0o600))
	var err error
	w.Watcher, err = desktop.NewWatcherAfter(w.clock.after, func(p string) { w.told <- p })
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	require.NoError(t, w.Add(w.path))
	require.NoError(t, w.Add(w.path))
	return w
}

// settled lets time pass after each change until one is reported.
func (w *watched) settled() string {
	for {
		<-w.clock.set
		w.clock.pass()
		select {
		case p := <-w.told:
			return p
		default:
		}
	}
}

func TestWrittenFileIsReported(t *testing.T) {
	w := watch(t)
	require.NoError(t, os.WriteFile(w.path, []byte("two!"), 0o600))
	assert.Equal(t, w.path, w.settled())
}

func TestReplacedAndRemovedFilesAreReported(t *testing.T) {
	w := watch(t)
	other := filepath.Join(filepath.Dir(w.path), "other")
	require.NoError(t, os.WriteFile(other, []byte("three"), 0o600))
	require.NoError(t, os.Rename(other, w.path))
	assert.Equal(t, w.path, w.settled())
	require.NoError(t, os.Remove(w.path))
	assert.Equal(t, w.path, w.settled())
}

func TestChangesInAFolderAreReported(t *testing.T) {
	w := watch(t)
	folder := filepath.Dir(w.path)
	w.Remove(w.path)
	require.NoError(t, w.Add(folder))
	came := filepath.Join(folder, "came")
	for _, change := range []func() error{
		func() error { return os.WriteFile(came, []byte("x"), 0o600) },
		func() error { return os.WriteFile(came, []byte("written over"), 0o600) },
		func() error { return os.Remove(came) },
	} {
		require.NoError(t, change())
		assert.Equal(t, folder, w.settled())
	}
	w.Remove(folder)
	require.NoError(t, w.Add(w.path), "its folder is watched again")
	require.NoError(t, os.WriteFile(w.path, []byte("two!"), 0o600))
	assert.Equal(t, w.path, w.settled())
}

func TestManyWritesAreReportedOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: Windows joins writes that follow one another as it likes")
	}
	w := watch(t)
	f, err := os.OpenFile(w.path, os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	for range 20 {
		_, err := f.WriteString("more")
		require.NoError(t, err)
		<-w.clock.set // the watcher noticed the write
	}
	require.NoError(t, f.Close())
	assert.Empty(t, w.told, "nothing is told before the file had time to settle")
	w.clock.pass()
	assert.Equal(t, w.path, <-w.told)
	w.clock.pass()
	assert.Empty(t, w.told, "one change is told once")
}

func TestUnsettledFileIsReportedLater(t *testing.T) {
	w := watch(t)
	require.NoError(t, os.WriteFile(w.path, []byte("two!"), 0o600))
	<-w.clock.set
	require.NoError(t, os.WriteFile(w.path, []byte("and three"), 0o600))
	assert.Equal(t, w.path, w.settled())
	info, err := os.Stat(w.path)
	require.NoError(t, err)
	assert.EqualValues(t, len("and three"), info.Size())
}

func TestOnlyWatchedFilesAreReported(t *testing.T) {
	w := watch(t)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(w.path), "neighbor"), []byte("x"), 0o600))
	w.Remove(w.path)
	require.NoError(t, os.WriteFile(w.path, []byte("unwatched"), 0o600))
	require.NoError(t, w.Add(w.path))
	require.NoError(t, os.WriteFile(w.path, []byte("watched again"), 0o600))
	assert.Equal(t, w.path, w.settled())
	w.clock.pass()
	for len(w.told) > 0 {
		assert.Equal(t, w.path, <-w.told)
	}
}
