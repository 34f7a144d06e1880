package kaitai

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// TestLabels holds that to-string and -webide-representation are what a person calls an object, with the names of
// enumerations and the labels of objects in it.
func TestLabels(t *testing.T) {
	d := open(t, `
-webide-representation: 'file of {entry} and {entry:flags}'
seq: [{id: entry, type: entry}, {id: other, type: other}, {id: odd, type: odd}, {id: forms, type: forms}]
types:
  entry:
    seq: [{id: kind, type: u1, enum: kind}, {id: size, type: u1}]
    -webide-representation: '{kind}: {size:dec} bytes'
  other: {to-string: '"#" + n.to_s', -webide-representation: '{n}', seq: [{id: n, type: u1}]}
  odd: {-webide-representation: '{1 +} {n', seq: [{id: n, type: u1}]}
  forms:
    -webide-representation: '{n} {n:dec} {b} {b:str} {l:dec} {f:flags} {u:uuid} {most}'
    seq: [{id: n, type: u1}, {id: b, size: 2}, {id: l, type: u1, repeat: expr, repeat-expr: 2}, {id: f, type: bits}, {id: u, size: 16}]
    instances: {most: {value: 0xffffffffffffffff}}
  bits: {seq: [{id: old, type: b1}, {id: odd, type: b1}, {id: new, type: b1}, {id: rest, type: b5}]}
enums: {kind: {1: stone}}`, "01 05 07 09 1f 6869 0304 a0 00112233445566778899aabbccddeeff")
	for path, want := range map[string]string{
		"":       "file of stone: 5 bytes and",
		"/entry": "stone: 5 bytes", "/other": "#7", "/odd": "{1 +}",
		"/forms": "0x1f 31 68 69 hi 3, 4 old|new 00112233-4455-6677-8899-aabbccddeeff 0xffffffffffffffff",
	} {
		n, err := d.Find(path)
		require.NoError(t, err)
		assert.Equal(t, want, n.Label(), path)
	}
}

// TestTextsThatAreNotUTF8 holds that a U+FFFD stands for each sequence of bytes that is not UTF-8.
func TestTextsThatAreNotUTF8(t *testing.T) {
	d := open(t, `
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

// TestRepeatHasItsExpression holds that the expression of a repetition may stand in it.
func TestRepeatHasItsExpression(t *testing.T) {
	d := open(t, "seq: [{id: n, type: u1}, {id: a, type: u1, repeat: {expr: n}}, {id: b, type: u1, repeat: {until: _ == 0}}]",
		"02 0a0b 0100")
	assert.Equal(t, "/n u1 0+1 2\n/a u1[] 1+2 [10, 11]\n/b u1[] 3+2\n/b/0 u1 3+1 1\n/b/1 u1 4+1 0", outline(t, d))
}

// TestAnElementMayNeedThoseBeforeIt holds that a list whose elements each need the one before is read in the time of
// its length: the constants of a Java class are such a list, and so are all lists of differences.
func TestAnElementMayNeedThoseBeforeIt(t *testing.T) {
	const n = 20_000
	file := binary.LittleEndian.AppendUint16(nil, n)
	for i := range n {
		if i%10 == 3 { // a wide constant takes two places, of which the second has no bytes
			file = append(file, 2, 0, 0)
		} else if i%10 != 4 {
			file = append(file, 1, byte(i))
		}
	}
	src := model.NewSource("test", bytes.NewReader(file), int64(len(file)))
	d, err := describe(t, `
seq:
  - {id: count, type: u2}
  - {id: constants, type: 'constant(_index != 0 ? constants[_index - 1].is_wide : false)', repeat: expr, repeat-expr: count}
types:
  constant:
    params: [{id: is_second, type: bool}]
    seq:
      - {id: tag, type: u1, if: not is_second}
      - {id: value, size: tag, if: not is_second}
    instances:
      is_wide: {value: not is_second and tag == 2}
      sum: {value: '(is_second ? 0 : tag) + (_index == 0 ? 0 : _parent.constants[_index - 1].sum)'}`).Open(context.Background(), src)
	require.NoError(t, err)
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	for _, p := range report.Problems {
		assert.Equal(t, model.Note, p.Severity, p.Message)
	}
	assert.Equal(t, int64(len(file)), report.Accounted)
	require.NoError(t, d.Dump(context.Background(), io.Discard, report))
	sum, err := d.Find("/constants/19999/sum")
	require.NoError(t, err)
	assert.EqualValues(t, 20000, sum.Value, "the sum of all tags")
}

// TestValidFindsTheElementInItsList holds that an element which is checked is the last of its list, and that what it
// reads sees only those before it.
func TestValidFindsTheElementInItsList(t *testing.T) {
	for _, kind := range []string{"u1", "b8", "str, size: 1", "even", "uneven", "{switch-on: 1, cases: {1: uneven}}"} {
		valid := "valid: {expr: 'a.size == _index + 1 and (a[_index] == _) and a.last == _'}"
		d := open(t, "seq: [{id: a, type: "+kind+", repeat: eos, "+valid+"}]\ntypes:\n"+
			"  even: {seq: [{id: n, type: u1}, {id: m, type: u1, valid: _parent.a.size}]}\n"+
			"  uneven: {seq: [{id: n, type: u1, valid: _parent.a.size}, {id: m, size: 1}, {id: o, size: 1, if: false}]}", "0000 0101")
		report, err := d.Check(context.Background(), nil)
		require.NoError(t, err)
		for _, p := range report.Problems {
			assert.NotEqual(t, model.Error, p.Severity, "%s: %s", kind, p.Message)
		}
	}
}

// TestBytesOfInstancesAreAccountedFor holds that what instances of sized elements read has its bytes, also where
// expressions name the list: the sections of an executable lie so.
func TestBytesOfInstancesAreAccountedFor(t *testing.T) {
	file := append([]byte{12}, make([]byte, 60)...)
	for i := range 12 {
		file[1+2*i], file[2+2*i] = byte(25+3*i), 3
	}
	d, err := describe(t, `
seq: [{id: count, type: u1}]
instances:
  sections: {pos: 1, size: 2, type: section, repeat: expr, repeat-expr: count}
  first: {value: 'sections[0].size'}
types:
  section:
    seq: [{id: offset, type: u1}, {id: size, type: u1}]
    instances: {body: {io: _root._io, pos: offset, size: size}}`).Open(context.Background(),
		model.NewSource("test", bytes.NewReader(file), int64(len(file))))
	require.NoError(t, err)
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	assert.Empty(t, report.Gaps)
}

// TestStoredBytesOfInstancesAreAccountedFor holds the same of bytes of which a process made an object.
func TestStoredBytesOfInstancesAreAccountedFor(t *testing.T) {
	d := open(t, "seq: [{id: n, type: u1}]\n"+
		"instances: {there: {pos: 1, size: 3, process: xor(1), type: part}, again: {value: there.a}}\n"+
		"types: {part: {seq: [{id: a, type: u1}, {id: b, type: u2}]}}", "07 020304")
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	assert.Empty(t, report.Gaps)
	assert.Equal(t, "/there/_raw", d.Owner(2).PathText())
	assert.Equal(t, `/n u1 0+1 7
/there part 1+3
/there/_raw bytes 1+3 3 bytes
/there/a u1 1+0 3
/there/b u2le 1+0 1282
/again int 1+0 3`, outline(t, d))
}

// TestErrorsOfObjectsOfInstances holds that what is wrong with an object that an instance reads is on its node, also
// where it ends within its own size.
func TestErrorsOfObjectsOfInstances(t *testing.T) {
	for keys, want := range map[string]string{
		"type: t, size: 1":                          "y needs 1 byte, but only 0 remain",
		"type: t, size: 1, process: xor(0)":         "y needs 1 byte, but only 0 remain (at 0x1 of the unpacked bytes)",
		"type: t, size: 2, process: zlib":           "process of a: zlib: invalid header",
		"type: t, size: 2, process: my":             "process of a: unknown process \"my\"; showing the raw bytes",
		"type: t, size: 2, valid: {expr: _.y == 1}": "a is an object, but _.y == 1 is expected",
		"type: t, valid: {expr: _.y == 1}":          "a is an object, but _.y == 1 is expected",
		"type: t, terminator: 1, include: true":     "y needs 1 byte, but only 0 remain",
	} {
		d := open(t, "instances: {a: {pos: 0, "+keys+"}}\ntypes: {t: {seq: [{id: x, type: u1}, {id: y, type: u1}]}}", "01 02")
		report, err := d.Check(context.Background(), nil)
		require.NoError(t, err)
		var errors []string
		for _, p := range report.Problems {
			if p.Severity == model.Error {
				errors = append(errors, p.Message)
			}
		}
		require.Len(t, errors, 1, keys)
		assert.Equal(t, want, errors[0], keys)
	}
}

// TestFailedInstancesShowTheValuesBeforeTheError holds that an instance which cannot be read to its end shows what was
// read before.
func TestFailedInstancesShowTheValuesBeforeTheError(t *testing.T) {
	d := open(t, `
seq: [{id: size, type: u1}]
instances:
  there: {pos: 3, type: part}
  list: {pos: 1, type: part, repeat: expr, repeat-expr: 2}
types: {part: {seq: [{id: a, type: u1}, {id: b, size: _root.size}]}}`, "01 0a0b 0c")
	assert.Equal(t, `
/size u1 0+1 1
/there part 3+1 [error: b needs 1 byte, but only 0 remain]
/there/a u1 3+1 12
/list part[] 1+3
/list/0 part 1+2
/list/0/a u1 1+1 10
/list/0/b bytes 2+1 1 byte
/list/1 part 3+1 [error: b needs 1 byte, but only 0 remain]
/list/1/a u1 3+1 12`, "\n"+outline(t, d))
}

// TestValuesThatAreAbsentOrTooLarge holds that absent values count as in the programs that the language's compiler
// makes, that a type may have the name of a built-in one of parameters, that numbers with leading zeros are decimal,
// and that what cannot be evaluated or decoded is an error of its field alone.
func TestValuesThatAreAbsentOrTooLarge(t *testing.T) {
	d := open(t, `
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
