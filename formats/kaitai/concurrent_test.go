package kaitai

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// sharedDescription has what readers of one document share: nested lists of elements of differing sizes, lists up to a
// condition, bit fields that continue in the next element, instances that return objects, streams and lists, and
// processed bytes.
const sharedDescription = `
seq:
  - {id: nibbles, type: nibble, repeat: expr, repeat-expr: 4}
  - {id: count, type: u2}
  - {id: records, type: record, repeat: expr, repeat-expr: count}
instances:
  first: {value: 'records[0]'}
  whole: {value: _io}
  total: {value: records.size + records.last.parts.size}
types:
  nibble: {seq: [{id: low, type: b4}, {id: next, type: b7}]}
  part: {seq: [{id: size, type: u1}, {id: bytes, size: size}], to-string: '"part " + size.to_s'}
  hidden: {seq: [{id: a, type: u1}, {id: b, type: u1}], instances: {sum: {value: a + b + _root.count}}}
  record:
    seq:
      - {id: parts, type: part, repeat: until, repeat-until: _.size == 0}
      - {id: packed, size: 2, type: hidden, process: xor(_index % 256)}
      - {id: framed, size: 3, type: part}
    instances:
      around: {value: _parent}
      place: {value: _parent._io.pos}
      stream: {value: _io}
      shared: {value: _root.first.stream.pos + _root.first.framed.size}
      before: {value: '_index == 0 ? 0 : _parent.records[_index - 1].parts.size', if: _index < 40}
      far: {pos: _root.count % 7, type: part, if: _index < 20}
    -webide-representation: '{parts.size:dec} of {framed}'
`

// sharedFile returns a file of n records of that description.
func sharedFile(n int) []byte {
	file := binary.LittleEndian.AppendUint16([]byte{0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc}, uint16(n))
	for i := range n {
		for size := i % 9; size >= 0; size-- {
			file = append(append(file, byte(size)), make([]byte, size)...)
		}
		file = append(file, byte(i), byte(i+1), 1, byte(i), 0xee)
	}
	return file
}

// TestConcurrentReadersDoNotDisturbEachOther searches, displays and dumps a document on several goroutines. The race
// detector finds what the values do not show.
func TestConcurrentReadersDoNotDisturbEachOther(t *testing.T) {
	file := sharedFile(50)
	described := describe(t, sharedDescription)
	open := func() *model.Document {
		d, err := described.Open(context.Background(), model.NewSource("test", bytes.NewReader(file), int64(len(file))))
		require.NoError(t, err)
		return d
	}
	look := func(d *model.Document, from int) string {
		var found strings.Builder
		for i := from; i < len(file); i += 7 {
			n := d.Owner(int64(i))
			fmt.Fprintln(&found, i, n.PathText(), n.Parent.Label())
		}
		report, err := d.Check(context.Background(), nil)
		require.NoError(t, err)
		require.NoError(t, d.Dump(context.Background(), &found, report))
		return found.String()
	}
	shared := open()
	var all sync.WaitGroup
	for from := range 3 {
		all.Go(func() { assert.Equal(t, look(open(), from), look(shared, from)) })
	}
	all.Wait()
	before, err := shared.Find("/records/7/before")
	require.NoError(t, err)
	assert.EqualValues(t, 7, before.Value, "the parts of record 6")
}
