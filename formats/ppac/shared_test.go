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

// shared is a container whose entries all lead to one compressed content.
func shared(t *testing.T, entries int) []byte {
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
		for _, v := range []uint32{0, uint32(i), uint32(size), header, 1, adler32.Checksum(data.Bytes())} {
			b = order.AppendUint32(b, v)
		}
	}
	return b
}

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
	const entries = 2000
	b := shared(t, entries)
	r := &countingReader{Reader: bytes.NewReader(b)}
	d, err := ppac.Open(t.Context(), model.NewSource("a.ppac", r, int64(len(b))))
	require.NoError(t, err)
	before := r.n.Load()
	valid := 0
	err = d.Payloads.(model.Verifier).VerifyEach(t.Context(), 0, d.Payloads.Len(),
		func(_ int, v model.Verdict, why string, err error) {
			require.NoError(t, err)
			if v == model.Valid {
				valid++
			}
		})
	require.NoError(t, err)
	assert.Equal(t, entries, valid)
	assert.Less(t, r.n.Load()-before, int64(10*len(b)), "bytes that were read")
}
