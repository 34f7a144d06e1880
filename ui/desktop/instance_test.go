package desktop_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop"
)

// serve runs an instance and gives the requests that it takes.
func serve(t *testing.T, i *desktop.Instance) <-chan desktop.Request {
	t.Helper()
	got := make(chan desktop.Request, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		i.Serve(func(r desktop.Request) { got <- r })
	}()
	t.Cleanup(func() {
		assert.NoError(t, i.Close())
		<-done
	})
	return got
}

func TestALaterStartHandsItsFilesOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	first, handed, err := desktop.Start(context.Background(), dir, desktop.Request{})
	require.NoError(t, err)
	require.False(t, handed)
	got := serve(t, first)

	want := desktop.Request{Files: []string{"/a/name with\nline.gpb", "/b/\u202e.pac"}, Compare: true}
	_, handed, err = desktop.Start(context.Background(), dir, want)
	require.NoError(t, err)
	assert.True(t, handed)
	assert.Equal(t, want, <-got)
}

func TestFiftyStartsAtOnceAreOneInstance(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	var firsts atomic.Int32
	var got <-chan desktop.Request
	var wg sync.WaitGroup
	var mu sync.Mutex
	for n := range 50 {
		wg.Go(func() {
			i, handed, err := desktop.Start(context.Background(), dir, desktop.Request{Files: []string{fmt.Sprint(n)}})
			if assert.NoError(t, err) && !handed {
				firsts.Add(1)
				mu.Lock()
				got = serve(t, i)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, firsts.Load())
	files := make(map[string]bool)
	for range 49 {
		files[(<-got).Files[0]] = true
	}
	assert.Len(t, files, 49, "each request arrives once")
}

func TestADeadSocketIsNoObstacle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	require.NoError(t, os.Mkdir(dir, 0o700))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "socket"), Net: "unix"})
	require.NoError(t, err)
	l.SetUnlinkOnClose(false) // as a crash leaves it
	require.NoError(t, l.Close())

	i, handed, err := desktop.Start(context.Background(), dir, desktop.Request{})
	require.NoError(t, err)
	assert.False(t, handed)
	serve(t, i)
}

func TestTheNextStartIsFirstAfterTheFirstEnded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	for range 3 {
		i, handed, err := desktop.Start(context.Background(), dir, desktop.Request{})
		require.NoError(t, err)
		require.False(t, handed)
		require.NoError(t, i.Close())
	}
}

func TestAFolderThatOthersCanReachIsNotTrusted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.Chmod(dir, 0o777)) //nolint:gosec // the point of the test
	_, _, err := desktop.Start(context.Background(), dir, desktop.Request{})
	assert.ErrorContains(t, err, "not a folder of this user alone")

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(t.TempDir(), link))
	_, _, err = desktop.Start(context.Background(), link, desktop.Request{})
	assert.ErrorContains(t, err, "not a folder of this user alone")
}

func TestNonsenseOnTheSocketIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	i, _, err := desktop.Start(context.Background(), dir, desktop.Request{})
	require.NoError(t, err)
	got := serve(t, i)
	for _, s := range []string{"hello\n", "[1,2]\n", "{\"files\":7}\n"} {
		c, err := net.Dial("unix", filepath.Join(dir, "socket"))
		require.NoError(t, err)
		_, err = c.Write([]byte(s))
		require.NoError(t, err)
		answer := make([]byte, 3)
		_, err = c.Read(answer)
		require.NoError(t, err)
		assert.Equal(t, "no\n", string(answer))
		c.Close()
	}
	assert.Empty(t, got)
}
