package desktop_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop"
)

// serve runs an instance and returns the requests that it receives.
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
	first, accepted, err := desktop.Start(context.Background(), dir, desktop.Request{})
	require.NoError(t, err)
	require.False(t, accepted)
	got := serve(t, first)

	want := desktop.Request{Files: []string{"/a/name with\nline.gpb", "/b/\u202e.pac",
		filepath.FromSlash("/mods/\x83e\x83X.gpb")}, Compare: true}
	var ended atomic.Bool
	answered := make(chan bool)
	go func() {
		_, accepted, err := desktop.Start(context.Background(), dir, want)
		ended.Store(true)
		answered <- accepted && err == nil
	}()
	r := <-got
	assert.False(t, ended.Load(), "the files are not open yet")
	r.Opened()
	assert.True(t, <-answered)
	r.Opened = nil
	assert.Equal(t, want, r)
}

func TestFiftyStartsAtOnceAreOneInstance(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	var firsts atomic.Int32
	var got <-chan desktop.Request
	var wg sync.WaitGroup
	var mu sync.Mutex
	for n := range 50 {
		wg.Go(func() {
			request := desktop.Request{Files: []string{fmt.Sprint(n)}}
			i, accepted, err := desktop.Start(context.Background(), dir, request)
			if assert.NoError(t, err) && !accepted {
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

func TestTheNextStartIsFirstAfterTheFirstEnded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	for range 3 {
		i, accepted, err := desktop.Start(context.Background(), dir, desktop.Request{})
		require.NoError(t, err)
		require.False(t, accepted)
		require.NoError(t, i.Close())
	}
}
