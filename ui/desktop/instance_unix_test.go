//go:build unix

package desktop_test

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop"
)

func TestStaleSocketIsReplaced(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	require.NoError(t, os.Mkdir(dir, 0o700))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "socket"), Net: "unix"})
	require.NoError(t, err)
	l.SetUnlinkOnClose(false) // a crash leaves the socket file
	require.NoError(t, l.Close())

	i, accepted, err := desktop.Start(context.Background(), dir, desktop.Request{})
	require.NoError(t, err)
	assert.False(t, accepted)
	serve(t, i)
}

func TestSharedFolderIsNotTrusted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.Chmod(dir, 0o777)) //nolint:gosec // the point of the test
	_, _, err := desktop.Start(context.Background(), dir, desktop.Request{})
	assert.ErrorContains(t, err, "not a folder that only you can access")

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(t.TempDir(), link))
	_, _, err = desktop.Start(context.Background(), link, desktop.Request{})
	assert.ErrorContains(t, err, "not a folder that only you can access")
}

func TestInvalidRequestsAreRefused(t *testing.T) {
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

func TestAStartWaitsNoLongerThanItMay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	silent, _, err := desktop.Start(context.Background(), dir, desktop.Request{})
	require.NoError(t, err)
	defer silent.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, accepted, err := desktop.Start(ctx, dir, desktop.Request{})
	assert.ErrorContains(t, err, "is not responding")
	assert.False(t, accepted)
}

// Clients that send nothing do not delay a start that passes on its files.
func TestSilentConnectionsDoNotDelayAStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	first, _, err := desktop.Start(t.Context(), dir, desktop.Request{})
	require.NoError(t, err)
	got := serve(t, first)
	for range 1000 {
		c, err := net.Dial("unix", filepath.Join(dir, "socket"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // each of them could take longer
	defer cancel()
	_, accepted, err := desktop.Start(ctx, dir, desktop.Request{Files: []string{"/a"}})
	require.NoError(t, err)
	assert.True(t, accepted)
	assert.Equal(t, []string{"/a"}, (<-got).Files)
}

// counting counts the accepted connections.
type counting struct {
	net.Listener
	taken atomic.Int32
}

func (l *counting) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.taken.Add(1)
	}
	return c, err
}

func TestRequestsBeyondTheBoundWaitInTheSystem(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "socket")
	l, err := net.Listen("unix", socket)
	require.NoError(t, err)
	listener := &counting{Listener: l}
	i := desktop.Listening(listener)
	const all = 300
	var asked sync.WaitGroup
	for range all {
		asked.Go(func() {
			c, err := net.Dial("unix", socket)
			if assert.NoError(t, err) {
				defer c.Close()
				_, err = c.Write([]byte(`{"files":["/a"]}` + "\n"))
				assert.NoError(t, err)
				answer, err := io.ReadAll(c)
				assert.NoError(t, err)
				assert.Equal(t, "ok\n", string(answer))
			}
		})
	}
	handled, done := int32(0), make(chan struct{})
	go i.Serve(func(desktop.Request) {
		assert.LessOrEqual(t, listener.taken.Load()-handled, int32(desktop.MaxConnections))
		if handled++; handled == all {
			close(done)
		}
	})
	<-done
	asked.Wait()
	require.NoError(t, i.Close())
	assert.EqualValues(t, all, handled)
}

// failing is a listener whose Accept fails, as with too many open files.
type failing struct {
	net.Listener
	left int
}

func (l *failing) Accept() (net.Conn, error) {
	if l.left--; l.left < 0 {
		return nil, net.ErrClosed
	}
	return nil, syscall.EMFILE
}

func TestAnInstanceThatGetsNoConnectionWaits(t *testing.T) {
	i := desktop.Listening(&failing{left: 50})
	var waits []time.Duration
	i.ServeWith(func(desktop.Request) {}, func(d time.Duration) { waits = append(waits, d) })
	require.Len(t, waits, 50)
	assert.Equal(t, []time.Duration{5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond}, waits[:3])
	assert.Equal(t, time.Second, waits[49])
}
