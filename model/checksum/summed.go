package checksum

import (
	"hash"
	"io"
	"sync"
)

// WriteSummed writes b to w and to h; h may be nil. Both are done at once where b is long enough to gain by it.
func WriteSummed(w io.Writer, b []byte, h hash.Hash) (err error) {
	const worth = 64 << 10 // bytes that take far longer to sum than a goroutine to begin
	var summing sync.WaitGroup
	switch {
	case h == nil:
	case len(b) < worth:
		h.Write(b)
	default:
		summing.Go(func() { h.Write(b) })
	}
	_, err = w.Write(b)
	summing.Wait()
	return err
}
