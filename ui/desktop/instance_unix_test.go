//go:build unix

package desktop_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop"
)

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

func TestAStartWaitsNoLongerThanItMay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "assay")
	silent, _, err := desktop.Start(context.Background(), dir, desktop.Request{})
	require.NoError(t, err)
	defer silent.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, handed, err := desktop.Start(ctx, dir, desktop.Request{})
	assert.ErrorContains(t, err, "does not answer")
	assert.False(t, handed)
}
