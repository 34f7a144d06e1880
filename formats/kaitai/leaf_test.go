package kaitai

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/formatstest"
	"assay/model"
)

func TestBitFieldsOfAListTakeNoMemory(t *testing.T) {
	described := describe(t, "seq: [{id: a, type: b1, repeat: eos}]\ninstances: {last: {value: 'a[a.size - 2]'}}")
	file := make([]byte, 1<<20)
	file[len(file)-1] = 2
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := described.Open(t.Context(), model.NewSource("test", bytes.NewReader(file), int64(len(file))))
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20))
	assert.EqualValues(t, 8<<20, d.Root().Child(0).Value.(model.Array).Len())
	assert.Equal(t, true, d.Root().ChildNamed("last").Value)
}

// TestRowsOfBitsEqualSingleFields compares a list of bit fields with single ones, in the tree and in expressions, with
// any remaining bits before and after it.
func TestRowsOfBitsEqualSingleFields(t *testing.T) {
	const file = "b2 5c 0f 91 e7 3d 86 4a c8 f5 17 a0 6b d3 29 7e 58 04 bf e1"
	for _, before := range []string{"b8", "b3", "b3le", "b7", "b6le"} {
		for _, width := range []int{1, 2, 3, 5, 8, 11, 17, 33} {
			for _, order := range []string{"", "le"} {
				single := fmt.Sprintf("{id: x, type: %s}", before)
				for i := range 4 {
					single += fmt.Sprintf(", {id: a%d, type: b%d%s}", i, width, order)
				}
				want := openHex(t, "seq: ["+single+", {id: y, type: b5}]", file).Root()
				d := openHex(t, fmt.Sprintf("seq: [{id: x, type: %s}, {id: a, type: b%d%s, repeat: expr, repeat-expr: 4}, {id: y, type: b5}]\n"+
					"instances: {v0: {value: 'a[0]'}, v1: {value: 'a[1]'}, v2: {value: 'a[2]'}, v3: {value: 'a[3]'}}", before, width, order), file)
				name := fmt.Sprintf("%s, b%d%s", before, width, order)
				row := d.Root().ChildNamed("a").Value.(model.Array)
				all, err := row.Slice(0, 9)
				require.NoError(t, err)
				require.Len(t, all, 4, name)
				for i := range 4 {
					value := want.Child(1 + i).Value
					assert.Equal(t, value, all[i], "%s: %d", name, i)
					one, err := row.Slice(int64(i), 1)
					require.NoError(t, err)
					assert.Equal(t, []any{value}, one, "%s: %d", name, i)
					shown := d.Root().ChildNamed(fmt.Sprintf("v%d", i)).ValueText()
					assert.Equal(t, want.Child(1+i).ValueText(), shown, "%s: %d", name, i)
				}
				assert.Equal(t, want.ChildNamed("y").Value, d.Root().ChildNamed("y").Value, name)
				assert.Equal(t, want.ChildNamed("y").Span, d.Root().ChildNamed("y").Span, name)
			}
		}
	}
}

// TestRowsOfBitsEndAtTheLastWholeField has lists up to the end, and lists with missing bits.
func TestRowsOfBitsEndAtTheLastWholeField(t *testing.T) {
	for _, test := range []struct{ seq, file, want, wrong string }{
		{"{id: a, type: b3, repeat: eos}", "b2 5c", "/a b3[] 0+2 [5, 4, 4, 5, 6]", "a needs 3 bits, but only 1 remain"},
		{"{id: x, type: b4}, {id: a, type: b4, repeat: eos}", "b2", "/x b4 0+1 11\n/a b4[] 0+1 [2]", ""},
		{"{id: a, type: b4, repeat: eos}", "", "/a b4[] 0+0 []", ""},
		{"{id: a, type: b5, repeat: expr, repeat-expr: 0x7fffffffffffffff}", "b2 5c", "/a b5[] 0+2 [22, 9, 14]",
			"a needs 5 bits, but only 1 remain"},
		{"{id: x, type: b4}, {id: a, type: b64, repeat: expr, repeat-expr: 0}, {id: b, type: b4}", "b2",
			"/x b4 0+1 11\n/a b64[] 1+0 []\n/b b4 0+1 2", ""},
	} {
		d := openHex(t, "seq: ["+test.seq+"]", test.file)
		assert.Equal(t, test.want, outline(t, d), test.seq)
		var wrong strings.Builder
		for _, p := range d.Root().Problems() {
			wrong.WriteString(p.Message)
		}
		assert.Equal(t, test.wrong, wrong.String(), test.seq)
	}
}

// TestBitFieldsHaveTheirBytesAndBits tests that a field after a bit field begins in the same byte.
func TestBitFieldsHaveTheirBytesAndBits(t *testing.T) {
	d := openHex(t, `
seq:
  - {id: a, type: half}
  - {id: s, type: outer(1)}
  - {id: l, type: half, repeat: expr, repeat-expr: 3}
  - {id: r, type: b3, repeat: expr, repeat-expr: 3}
  - {id: g, type: b5}
  - {id: h, type: b3}
types:
  outer: {params: [{id: p, type: u1}], seq: [{id: i, type: half}, {id: k, type: half, repeat: until, repeat-until: true}]}
  half: {seq: [{id: x, type: b4}]}`, "12 34 56 78 9a ff")
	var lines []string
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %d+%d %s", n.PathText(), n.Offset, n.Size, n.BitText())))
		return true, nil
	}, nil))
	assert.Equal(t, `/ 0+6
/a 0+1
/a/x 0+1 bits 0 to 3
/s 0+2
/s/p 1+0
/s/i 0+1
/s/i/x 0+1 bits 4 to 7
/s/k 1+1
/s/k/0 1+1
/s/k/0/x 1+1 bits 0 to 3
/l 1+2
/l/0 1+1
/l/0/x 1+1 bits 4 to 7
/l/1 2+1
/l/1/x 2+1 bits 0 to 3
/l/2 2+1
/l/2/x 2+1 bits 4 to 7
/r 3+2 bits 0 to 8
/g 4+1 bits 1 to 5
/h 4+2 bits 6 to 8`, strings.Join(lines, "\n"))
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	assert.Empty(t, report.Overlaps)
	assert.Empty(t, report.Gaps)
	formatstest.Conform(t, d)
}

// TestAbsentAndInvalidValuesAreAsInTheCompiler tests that absent values count as in programs of the language's
// compiler, that a type may have the name of a built-in type of parameters, that numbers with leading zeros are
// decimal, and that a value that cannot be evaluated or decoded is an error of its field alone.
func TestAbsentAndInvalidValuesAreAsInTheCompiler(t *testing.T) {
	d := openHex(t, `
seq:
  - {id: enc, type: str, size: 2, encoding: KLINGON-1}
  - {id: b, type: u1}
  - {id: absent, type: u1, if: b == 99}
  - {id: none, size: absent}
  - {id: less, size: absent - 3}
  - {id: numbers, type: u2, repeat: expr, repeat-expr: absent}
  - {id: objects, type: bytes, repeat: expr, repeat-expr: absent + 1}
  - {id: user, type: bytes}
  - {id: io, type: io}
  - {id: last, type: u1, enum: e, if: absent or true}
instances:
  big: {value: 'b == 99 ? 0x1_0000_0000_0000_0000 : 4'}
  at: {pos: absent, type: u1}
  neg: {value: not absent}
types:
  bytes: {seq: [{id: x, type: u1}]}
  io: {seq: [{id: y, type: u2}]}
enums: {e: {010: ten, 08: eight}}`, "6162 01 02 0304 0a")
	assert.Equal(t, `/enc bytes 0+2 2 bytes [error: enc: unknown encoding "KLINGON-1"]
/b u1 2+1 1
/none bytes 3+0 0 bytes
/less bytes 3+0 0 bytes
/numbers u2le[] 3+0 []
/objects bytes[] 3+0
/user bytes 3+1
/user/x u1 3+1 2
/io io 4+2
/io/y u2le 4+2 1027
/last u1 6+1 ten (10)
/big int 7+0 4
/at u1 0+1 97
/neg bool 7+0 true`, outline(t, d))
}

func TestEachInvalidSequenceOfUTF8IsOneReplacement(t *testing.T) {
	d := openHex(t, `
-webide-representation: '{b:str}'
seq:
  - {id: s, type: str, size: 2, encoding: utf-8}
  - {id: p, type: str, size: 2, encoding: utf-8, process: xor(0)}
  - {id: b, size: 3}`, "fffe fffe e282ff")
	for path, n := range map[string]int{"/s": 2, "/p": 2} {
		node, err := d.Find(path)
		require.NoError(t, err)
		assert.Equal(t, strings.Repeat("\uFFFD", n), node.Value, path)
		assert.Equal(t, []byte("\xff\xfe"), node.Raw(), path)
	}
	assert.Equal(t, "\uFFFD\uFFFD", d.Root().Label())
}
