package kaitai

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func TestRepeatMayContainItsExpression(t *testing.T) {
	d := openHex(t, "seq: [{id: n, type: u1}, {id: a, type: u1, repeat: {expr: n}}, {id: b, type: u1, repeat: {until: _ == 0}}]",
		"02 0a0b 0100")
	assert.Equal(t, "/n u1 0+1 2\n/a u1[] 1+2 [10, 11]\n/b u1[] 3+2\n/b/0 u1 3+1 1\n/b/1 u1 4+1 0", outline(t, d))
}

// TestListWhoseElementsNeedOneAnotherTakesLinearTime reads a list whose elements each need the one before, such as the
// constants of a Java class.
func TestListWhoseElementsNeedOneAnotherTakesLinearTime(t *testing.T) {
	const n = 20_000
	file := binary.LittleEndian.AppendUint16(nil, n)
	for i := range n {
		if i%10 == 3 { // a wide constant takes two elements, the second without bytes
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

// TestValidFindsTheElementInItsList tests that a checked element is the last of its list, and that an element being
// read sees only those before it.
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

// TestElementsEqualSingleAttributes tests that two elements of a list have the values, names and problems of two
// attributes with the same keys.
func TestElementsEqualSingleAttributes(t *testing.T) {
	whole := []string{"", "enum: e", "valid: {max: 1}", "valid: {expr: _ == 1}", "enum: e, valid: {in-enum: true}"}
	for kind, keys := range map[string][]string{
		"type: u1": whole, "type: u2": whole, "type: s2be": whole, "type: b4": whole, "type: b4le": whole, "type: b12": whole,
		"type: b1":      {"", "enum: e", "valid: true", "valid: {expr: _}"},
		"type: f4":      {"", "valid: {max: 1}"},
		"size: 2":       {"", "process: xor(1)", "valid: '[1, 2]'"},
		"terminator: 0": {"", "include: true", "valid: '[0x13, 0x26]'"},
		"type: strz":    {"", "valid: {any-of: ['\"a\"']}"},
		"type: t": {"", "size: 2", "size: 3, process: xor(1)", "valid: {expr: _.n == 1}", "size: 2, valid: {expr: _.n == 1}",
			"size: 3, process: xor(1), valid: {expr: _.n == 1}", "terminator: 0, valid: {expr: _.n == 1}"},
		"type: 'str'": {"size: 2", "size: 1, process: xor(1)", "size: 2, pad-right: 0x26"},
		"type: {switch-on: 1, cases: {1: u2, _: b4}}": {"", "valid: 1"},
		"type: {switch-on: 1, cases: {1: b4, _: u2}}": {"", "enum: e", "valid: 1"},
		"type: {switch-on: 1, cases: {1: t, _: u2}}":  {"", "size: 3", "valid: {expr: _.n == 1}"},
		"type: {switch-on: 1, cases: {2: t}}":         {"size: 2", "size: 2, valid: '[1, 2]'"},
		"size: 3, pad-right: 0":                       {"", "terminator: 0x26"},
	} {
		for _, key := range keys {
			for _, repeat := range []string{"expr, repeat-expr: 2", "until, repeat-until: a.size == 2"} {
				attribute := strings.TrimSuffix(kind+", "+key, ", ")
				single := readPair(t, "[{id: a, "+attribute+"}, {id: a1, "+attribute+"}]", "v: {value: a}, w: {value: a1}")
				list := readPair(t, "[{id: a, "+attribute+", repeat: "+repeat+"}]", "v: {value: 'a[0]'}, w: {value: 'a[1]'}")
				want := append(describeNodes(single.Child(0)), describeNodes(single.Child(1))...)
				elements := list.Child(0)
				if row, is := elements.Value.(model.Array); is {
					values, err := row.Slice(0, 2)
					require.NoError(t, err)
					assert.Equal(t, []any{single.Child(0).Value, single.Child(1).Value}, values, attribute)
				} else {
					got := append(describeNodes(elements.Child(0)), describeNodes(elements.Child(1))...)
					assert.Equal(t, want, got, attribute)
				}
				for _, name := range []string{"v", "w"} {
					assert.Equal(t, describeNodes(single.ChildNamed(name)), describeNodes(list.ChildNamed(name)), "%s, as %s",
						attribute, name)
				}
			}
		}
	}
}

// readPair returns the root of a file that is read with a seq and instances.
func readPair(t *testing.T, seq, instances string) *model.Node {
	t.Helper()
	return openHex(t, fmt.Sprintf(`
seq: %s
instances: {%s}
types: {t: {seq: [{id: n, type: u1}, {id: m, type: b4}]}}
enums: {e: {0: zero, 1: one, 0x13: nineteen}}`, seq, instances), "13 26 00 05 01 00 02 03").Root()
}

// describeNodes lists the types, spans, values and problems of a node and its descendants.
func describeNodes(n *model.Node) []string {
	var problems []string
	for _, p := range n.Problems() {
		problems = append(problems, strings.ReplaceAll(p.Message, "a1 ", "a "))
	}
	all := []string{fmt.Sprint(n.Type, n.Span, n.ValueText(), problems)}
	for i := range n.Len() {
		all = append(all, describeNodes(n.Child(i))...)
	}
	return all
}

// TestAttributesAreReadTheSameInEveryPosition reads attributes in seq, as instances at a position, in objects with a
// size, and in bytes that a process made, with fixed and chosen byte orders.
func TestAttributesAreReadTheSameInEveryPosition(t *testing.T) {
	kinds := []string{"type: u1", "type: u2", "type: s4be", "type: f4", "type: b3", "type: b12le", "type: str, size: 3", "type: strz",
		"size: 2", "terminator: 0x26, include: true", "size: 4, pad-right: 0", "type: pair", "type: pair, size: 5",
		"type: {switch-on: 2, cases: {1: u2, 2: pair}}", "size: 2, process: xor(3)", "type: pair, size: 3, process: rol(1)"}
	repeats := []string{"", "repeat: expr, repeat-expr: 2", "repeat: until, repeat-until: a.size == 2"}
	places := map[string]string{
		"a":   "seq: [{id: a, %s}]",
		"i/a": "seq: [{id: i, type: inner}]\n", "s/a": "seq: [{id: s, type: inner, size: 8}]\n",
		"p/a": "seq: [{id: p, type: inner, size-eos: true, process: xor(0)}]\n",
		"q/a": "seq: [{id: q, type: placed}]\n",
	}
	for order, meta := range map[string]string{"le": "le", "be": "be", "chosen": "{switch-on: 1, cases: {0: le, _: be}}"} {
		for _, kind := range kinds {
			for _, repeat := range repeats {
				attribute := strings.TrimSuffix(kind+", "+repeat, ", ")
				var want []string
				for _, path := range slices.Sorted(maps.Keys(places)) {
					text := places[path]
					if path == "a" {
						text = fmt.Sprintf(text, attribute)
					}
					text = fmt.Sprintf("meta: {id: test, encoding: ASCII, endian: %s}\n%s\ntypes:\n"+
						"  inner: {seq: [{id: a, %s}]}\n  placed: {instances: {a: {pos: 0, %s}}}\n"+
						"  pair: {seq: [{id: x, type: u1}, {id: y, type: u2}]}", meta, text, attribute, attribute)
					d, err := (&Library{}).Read("test.ksy", []byte(text))
					require.NoError(t, err, text)
					file := []byte{0x13, 0x26, 0, 5, 0x26, 0x61, 0, 3}
					doc, err := d.Open(t.Context(), model.NewSource("test", bytes.NewReader(file), int64(len(file))))
					require.NoError(t, err)
					n, err := doc.Find("/" + path)
					require.NoError(t, err, text)
					got := describeWithoutSpans(n)
					if path == "a" {
						want = got
					}
					assert.Equal(t, want, got, "%s: %s, as %s", order, attribute, path)
				}
			}
		}
	}
}

// describeWithoutSpans is describeNodes without the spans.
func describeWithoutSpans(n *model.Node) []string {
	all := []string{fmt.Sprint(n.Name, n.Type, n.ValueText(), len(n.Problems()))}
	for i := range n.Len() {
		all = append(all, describeWithoutSpans(n.Child(i))...)
	}
	return all
}
