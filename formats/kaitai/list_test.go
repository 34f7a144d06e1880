package kaitai

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// TestRepeatHasItsExpression holds that the expression of a repetition may stand in it.
func TestRepeatHasItsExpression(t *testing.T) {
	d := openHex(t, "seq: [{id: n, type: u1}, {id: a, type: u1, repeat: {expr: n}}, {id: b, type: u1, repeat: {until: _ == 0}}]",
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
		d := openHex(t, "seq: [{id: a, type: "+kind+", repeat: eos, "+valid+"}]\ntypes:\n"+
			"  even: {seq: [{id: n, type: u1}, {id: m, type: u1, valid: _parent.a.size}]}\n"+
			"  uneven: {seq: [{id: n, type: u1, valid: _parent.a.size}, {id: m, size: 1}, {id: o, size: 1, if: false}]}", "0000 0101")
		report, err := d.Check(context.Background(), nil)
		require.NoError(t, err)
		for _, p := range report.Problems {
			assert.NotEqual(t, model.Error, p.Severity, "%s: %s", kind, p.Message)
		}
	}
}
