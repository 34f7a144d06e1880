package kaitai

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/model"
)

// recordsDescription describes a file of many small records of differing sizes.
const recordsDescription = `
meta: {id: records, endian: le, encoding: UTF-8}
seq:
  - {id: magic, contents: RECS}
  - {id: records, type: record, repeat: eos}
types:
  record:
    seq:
      - {id: id, type: u4}
      - {id: kind, type: u1, enum: kind}
      - {id: len_name, type: u1}
      - {id: name, type: str, size: len_name}
      - {id: x, type: f4}
      - {id: y, type: f4}
      - {id: flags, type: u2}
      - {id: data, size: 72}
enums:
  kind: {1: tree, 2: stone, 3: river}
`

// recordsFile returns a file of n records.
func recordsFile(n int) *model.Source {
	file := []byte("RECS")
	for i := range n {
		name := fmt.Sprintf("thing%d", i*7919%100003)
		file = binary.LittleEndian.AppendUint32(file, uint32(i))
		file = append(file, byte(1+i%3), byte(len(name)))
		file = append(file, name...)
		file = binary.LittleEndian.AppendUint32(file, math.Float32bits(float32(i)/2))
		file = binary.LittleEndian.AppendUint32(file, math.Float32bits(-float32(i)))
		file = append(file, byte(i), byte(i>>8))
		file = append(file, bytes.Repeat([]byte{0xab}, 72)...)
	}
	return model.NewSource("records.bin", bytes.NewReader(file), int64(len(file)))
}

func BenchmarkRecords(b *testing.B) {
	d, err := (&Library{}).Read("records.ksy", []byte(recordsDescription))
	require.NoError(b, err)
	src := recordsFile(100_000)
	open := func(b *testing.B) *model.Document {
		doc, err := d.Open(context.Background(), src)
		require.NoError(b, err)
		return doc
	}
	b.Run("open", func(b *testing.B) {
		b.SetBytes(src.Size())
		b.ReportAllocs()
		for b.Loop() {
			open(b)
		}
	})
	doc := open(b)
	report, err := doc.Check(context.Background(), nil)
	require.NoError(b, err)
	b.Run("check", func(b *testing.B) {
		b.SetBytes(src.Size())
		b.ReportAllocs()
		for b.Loop() {
			_, err := doc.Check(context.Background(), nil)
			require.NoError(b, err)
		}
	})
	b.Run("dump", func(b *testing.B) {
		b.SetBytes(src.Size())
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, doc.Dump(context.Background(), io.Discard, report))
		}
	})
}
