package ppac_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/adler32"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac"
	"assay/model"
)

// sharedAssets returns a container with entries of one compressed content. The Adler-32 of each differs from the true
// one by a multiple of its number.
func sharedAssets(t *testing.T, entries int, wrong uint32) []byte {
	t.Helper()
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	random := rand.NewChaCha8([32]byte{1})
	content := make([]byte, 300_000)
	_, _ = random.Read(content)
	_, err := z.Write(content)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	const header, entry = 40, 20
	size := entry + data.Len() + 4
	order := binary.BigEndian
	b := append([]byte("PPAC\x00\x04\x00\x00"), make([]byte, 20)...)
	b = order.AppendUint32(b, uint32(header+size))
	b = append(b, make([]byte, 8+16)...)
	b = order.AppendUint32(b, uint32(data.Len()))
	b = append(append(b, data.Bytes()...), 0, 0, 4, 0)
	b = order.AppendUint32(b, uint32(entries))
	for i := range entries {
		sum := adler32.Checksum(data.Bytes()) + wrong*uint32(i)
		for _, v := range []uint32{0, uint32(i), uint32(size), header, 1, sum} {
			b = order.AppendUint32(b, v)
		}
	}
	return b
}

// provenSize is how much of a stream is expanded to find out how it is compressed.
const provenSize = 256 << 10

type countingReader struct {
	*bytes.Reader
	n atomic.Int64
}

func (r *countingReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.Reader.ReadAt(p, off)
	r.n.Add(int64(n))
	return n, err
}

func TestContentThatManyEntriesShareIsVerifiedOnce(t *testing.T) {
	for _, wrong := range []uint32{0, 1} {
		const entries = 2000
		verifyShared(t, sharedAssets(t, entries, wrong), entries, wrong == 0)
	}
}

func verifyShared(t *testing.T, b []byte, entries int, sound bool) {
	r := &countingReader{Reader: bytes.NewReader(b)}
	d, err := ppac.Open(t.Context(), model.NewSource("a.ppac", r, int64(len(b))))
	require.NoError(t, err)
	before := r.n.Load()
	var valid, others int
	err = d.Payloads.(model.Verifier).VerifyEach(t.Context(), 0, d.Payloads.Len(),
		func(_ int, v model.Verdict, why string, err error) {
			require.NoError(t, err)
			if v == model.Valid {
				valid++
			} else {
				others++
			}
		})
	require.NoError(t, err)
	assert.Equal(t, entries, valid+others)
	assert.Equal(t, sound, others == 0)
	most := 10 * len(b)
	if !sound {
		most += entries * provenSize * 5 / 4 // of each the beginning, to find out how it is compressed
	}
	assert.Less(t, r.n.Load()-before, int64(most), "bytes that were read")
}
