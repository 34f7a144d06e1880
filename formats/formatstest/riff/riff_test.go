package riff_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/formats/formatstest"
	"assay/formats/formatstest/riff"
	"assay/model"
)

// chunk writes a chunk, with a byte after it if its size is odd.
func chunk(id string, data []byte) []byte {
	b := append(binary.LittleEndian.AppendUint32([]byte(id), uint32(len(data))), data...)
	return append(b, make([]byte, len(data)%2)...)
}

func file(chunks ...[]byte) []byte {
	return chunk("RIFF", append([]byte("WAVE"), bytes.Join(chunks, nil)...))
}

func tone() []byte {
	format := []byte{1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0}
	list := append([]byte("INFO"), chunk("INAM", []byte("a tone\x00"))...)
	return file(chunk("fmt ", format), chunk("LIST", list), chunk("data", make([]byte, 40)),
		chunk("odd ", []byte{1, 2, 3}))
}

func open(t testing.TB, b []byte) *model.Document {
	t.Helper()
	require.Equal(t, decode.Yes, riff.Sniff(b, int64(len(b))))
	d, err := riff.Open(context.Background(), model.NewSource("tone.wav", bytes.NewReader(b), int64(len(b))))
	require.NoError(t, err)
	return d
}

func check(t testing.TB, d *model.Document) *model.Report {
	t.Helper()
	r, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	return r
}

func TestFilesConform(t *testing.T) {
	b := tone()
	d := open(t, b)
	formatstest.Conform(t, d)
	r := check(t, d)
	assert.EqualValues(t, len(b), r.Accounted)
	assert.Empty(t, r.Problems)
	rate, err := d.Find("/chunks/0/nSamplesPerSec")
	require.NoError(t, err)
	assert.EqualValues(t, 44100, rate.Value)
	name, err := d.Find("/chunks/1/chunks/0")
	require.NoError(t, err)
	assert.Equal(t, "INAM", name.Key)

	require.Equal(t, 4, d.Payloads.Len())
	p := d.Payloads.At(3)
	assert.Equal(t, "chunk-3.bin", p.Name)
	content, err := p.Open(context.Background())
	require.NoError(t, err)
	defer content.Close()
	got, err := io.ReadAll(content)
	require.NoError(t, err)
	assert.Equal(t, []byte{1, 2, 3}, got)
}

func TestTruncatedFilesConformAndAreReported(t *testing.T) {
	b := tone()
	for cut := 12; cut < len(b); cut++ {
		d := open(t, b[:cut])
		formatstest.Conform(t, d)
		assert.True(t, check(t, d).Bad())
	}
}

func TestMillionChunksTakeLittleMemory(t *testing.T) {
	const n = 1_000_000
	b := file(bytes.Repeat(chunk("data", []byte{1, 2}), n))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d := open(t, b)
	r := check(t, d)
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.EqualValues(t, len(b), r.Accounted)
	require.Equal(t, n, d.Payloads.Len())
	assert.Equal(t, "999999", d.Payloads.At(n-1).Node.Name)
	assert.Less(t, after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc), uint64(8<<20), "what stays in memory")
	runtime.KeepAlive(d)
}
