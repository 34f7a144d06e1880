//go:build linux && cgo && !x11

package wayland

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThisProgramReadsItself(t *testing.T) {
	in, out, err := os.Pipe()
	require.NoError(t, err)
	defer out.Close()
	fd, err := syscall.Dup(int(out.Fd())) // as it comes from the compositor
	require.NoError(t, err)
	defer syscall.Close(fd)
	require.NoError(t, out.Close())
	assert.True(t, hasOtherEnd(fd))
	require.NoError(t, in.Close())
	assert.False(t, hasOtherEnd(fd))

	file, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
	defer file.Close()
	assert.False(t, hasOtherEnd(int(file.Fd())))
}

func TestOpenFailsWithoutAWaylandWindow(t *testing.T) {
	_, err := Open(0, nil)
	require.Error(t, err)
}

func TestWaitingWithoutALimitDoesNotSpin(t *testing.T) {
	assert.EqualValues(t, -1, milliseconds(-1))
	assert.EqualValues(t, 0, milliseconds(0))
	assert.EqualValues(t, 1, milliseconds(1))
	assert.EqualValues(t, 20, milliseconds(20*time.Millisecond))
}

func TestAConnectionWhoseOtherEndIsGone(t *testing.T) {
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	defer syscall.Close(ends[0])
	_, err = syscall.Write(ends[1], []byte("an event"))
	require.NoError(t, err)
	assert.False(t, hungUp(ends[0]))
	require.NoError(t, syscall.Close(ends[1]))
	assert.True(t, hungUp(ends[0]), "also while there is something to read")
}
