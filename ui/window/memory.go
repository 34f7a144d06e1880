package window

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// memoryMost is how much memory the window takes while this leaves room for a tenth of garbage.
const memoryMost = 256 << 20

// boundMemory has the collector leave less garbage the more memory is in use: by itself it lets garbage grow as large
// as what is alive. A limit that does not follow what is alive would have it run without end on large files.
func boundMemory() { setMemoryLimit(struct{}{}) }

// setMemoryLimit sets the limit of memory, and does so again after the next collection.
func setMemoryLimit(struct{}) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetMemoryLimit(memoryLimit(int64(live[0].Value.Uint64())))
	type cycle struct{ _ [4]*byte } // is garbage at once
	runtime.AddCleanup(new(cycle), setMemoryLimit, struct{}{})
}

// memoryLimit is how much memory there may be when so many bytes of it are alive.
func memoryLimit(live int64) int64 {
	if live < memoryMost/10*9 {
		return memoryMost
	}
	return live + live/2
}
