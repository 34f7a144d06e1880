package preview

import (
	"context"
	"encoding/binary"
	"io"
)

// Samples passes the samples of a sound from its beginning to each, in blocks of interleaved frames, until each returns
// false.
type Samples func(ctx context.Context, yield func(p []float32) bool) error

// writePCM converts samples to the 16-bit integers of sound devices.
func writePCM(ctx context.Context, samples Samples, w io.Writer) error {
	var buf []byte
	var failed error
	err := samples(ctx, func(p []float32) bool {
		buf = buf[:0]
		for _, v := range p {
			buf = binary.LittleEndian.AppendUint16(buf, uint16(int16(max(-1, min(v, 1))*32767)))
		}
		_, failed = w.Write(buf)
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	return err
}
