package window

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The memory limit follows the live heap, so that the collector does not run all the time, and stays if there is space.
func TestMemoryLimitFollowsTheLiveHeap(t *testing.T) {
	assert.EqualValues(t, minMemoryLimit, memoryLimit(0))
	assert.EqualValues(t, minMemoryLimit, memoryLimit(minMemoryLimit*3/4))
	assert.EqualValues(t, 1536<<20, memoryLimit(1<<30))

	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	boundMemory()
	require.GreaterOrEqual(t, debug.SetMemoryLimit(-1), int64(minMemoryLimit), "more where other tests keep more")
	large := make([]byte, minMemoryLimit)
	runtime.GC()
	boundMemory()
	require.GreaterOrEqual(t, debug.SetMemoryLimit(-1), int64(minMemoryLimit+minMemoryLimit/2))
	runtime.KeepAlive(large)
}
