package kaitai

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/formatstest"
	"assay/model"
)

// describe returns the description of a text.
func describe(t testing.TB, text string) *Description {
	t.Helper()
	d, err := (&Library{ImportsAnywhere: true}).Read("test.ksy", []byte("meta: {id: test, endian: le, encoding: UTF-8}\n"+text))
	require.NoError(t, err)
	return d
}

// openHex returns a document of bytes in hexadecimal.
func openHex(t testing.TB, text, file string) *model.Document {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(file, " ", ""))
	require.NoError(t, err)
	doc, err := describe(t, text).Open(context.Background(), model.NewSource("test", bytes.NewReader(b), int64(len(b))))
	require.NoError(t, err)
	return doc
}

// openWithoutErrors opens bytes by a description, and requires that the document has no problem of severity Error.
func openWithoutErrors(t *testing.T, description string, content []byte) *model.Document {
	t.Helper()
	described, err := (&Library{ImportsAnywhere: true}).Read("test.ksy", []byte(description))
	require.NoError(t, err)
	d, err := described.Open(context.Background(), model.NewSource("test", bytes.NewReader(content), int64(len(content))))
	require.NoError(t, err)
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	for _, p := range report.Problems {
		assert.NotEqual(t, model.Error, p.Severity, p.Message)
	}
	return d
}

// valueTextAt returns the text of the value at a path below a node.
func valueTextAt(t *testing.T, n *model.Node, path string) string {
	t.Helper()
	for name := range strings.SplitSeq(path, "/") {
		at := n.ChildNamed(name)
		require.NotNil(t, at, path)
		n = at
	}
	return n.ValueText()
}

// outline lists the nodes of a document: path, type, span and value.
func outline(t *testing.T, d *model.Document) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if n.Parent == nil {
			return true, nil
		}
		fmt.Fprintf(&out, "%s %s %d+%d", n.PathText(), n.Type, n.Offset, n.Size)
		if n.Value != nil {
			fmt.Fprintf(&out, " %s", n.ValueText())
		}
		for _, p := range n.Problems() {
			fmt.Fprintf(&out, " [%s: %s]", p.Severity, p.Message)
		}
		fmt.Fprintln(&out)
		return true, nil
	}, nil))
	return strings.TrimSuffix(out.String(), "\n")
}

func TestFilesHaveTheNodesOfTheirDescriptions(t *testing.T) {
	for _, test := range []struct{ name, text, file, want string }{
		{"numbers", "seq: [{id: a, type: u2}, {id: b, type: s2be}, {id: c, type: f4}]", "0100 fffe 0000803f", `
/a u2le 0+2 1
/b s2be 2+2 -2
/c f4le 4+4 1`},
		{"an enumeration", "seq: [{id: a, type: u1, enum: e}, {id: b, type: u1, enum: e}]\nenums: {e: {1: one, 2: {id: two, doc: x}}}",
			"02 03", `
/a u1 0+1 two (2)
/b u1 1+1 3`},
		{"an enumeration of 64 bits", "seq: [{id: a, type: u8, enum: e, valid: {in-enum: true}}, {id: b, type: s8, enum: e, valid: {in-enum: true}}, {id: c, type: u1, if: 'a == e::big and b != e::big'}, {id: d, type: {switch-on: a, cases: {'e::minus': u2, 'e::big': u1}}}, {id: f, type: u8, enum: g, valid: {in-enum: true}}]\ninstances: {i: {value: a}, j: {value: 'e::big.to_i'}}\nenums: {e: {0xffff_ffff_ffff_ffff: big, -1: minus}, g: {-1: minus}}",
			"ffffffffffffffff ffffffffffffffff 01 02 ffffffffffffffff", `
/a u8le 0+8 big (18446744073709551615)
/b s8le 8+8 minus (-1)
/c u1 16+1 1
/d u1 17+1 2
/f u8le 18+8 18446744073709551615 [error: f is 18446744073709551615, which is not in the enumeration]
/i int 26+0 big (18446744073709551615)
/j int 26+0 18446744073709551615`},
		{"bit fields", "seq: [{id: a, type: b3}, {id: b, type: b1}, {id: c, type: b12}, {id: d, type: b4le}]", "b2 5c 0f", `
/a b3 0+1 5
/b b1 0+1 true
/c b12 0+2 604
/d b4le 2+1 15`},
		{"bit fields of one object after another", "seq: [{id: a, type: t, repeat: expr, repeat-expr: 3}, {id: b, type: b4}, {id: c, type: u1}]\ntypes: {t: {seq: [{id: x, type: b4}]}}",
			"a5 3c 07", `
/a t[] 0+2
/a/0 t 0+1
/a/0/x b4 0+1 10
/a/1 t 0+1
/a/1/x b4 0+1 5
/a/2 t 1+1
/a/2/x b4 1+1 3
/b b4 1+1 12
/c u1 2+1 7`},
		{"bit fields that go on after objects and choices", "seq: [{id: a, type: b4}, {id: o, type: t}, {id: c, type: {switch-on: a, cases: {10: b3}}}, {id: d, type: b1}, {id: s, type: t, size: 1}, {id: e, type: b4}]\ntypes: {t: {seq: [{id: x, type: b4}]}}",
			"a5 7f c0 90", `
/a b4 0+1 10
/o t 1+1
/o/x b4 1+1 7
/c b3 1+1 7
/d b1 1+1 true
/s t 2+1
/s/x b4 2+1 12
/e b4 3+1 9`},
		{"bit fields of both orders in a byte", "seq: [{id: a, type: b3}, {id: b, type: b7le}, {id: c, type: b6}]", "a5 5a", `
/a b3 0+1 5
/b b7le 0+2 69 [warning: b begins within a byte of a bit field of the other order, which Kaitai Struct does not allow]
/c b6 1+1 22 [warning: c begins within a byte of a bit field of the other order, which Kaitai Struct does not allow]`},
		{"elements of both orders in a byte", "seq: [{id: a, type: t, repeat: expr, repeat-expr: 2}, {id: b, type: b2be, repeat: expr, repeat-expr: 2}, {id: c, type: b4}, {id: d, type: b8le}]\ntypes: {t: {seq: [{id: x, type: b2le}, {id: y, type: b4}]}}", "c3 a5 5a 01", `
/a t[] 0+2
/a/0 t 0+1
/a/0/x b2le 0+1 3
/a/0/y b4 0+1 12 [warning: y begins within a byte of a bit field of the other order, which Kaitai Struct does not allow]
/a/1 t 0+2
/a/1/x b2le 0+1 0 [warning: x begins within a byte of a bit field of the other order, which Kaitai Struct does not allow]
/a/1/y b4 1+1 10
/b b2be[] 1+1 [1, 1]
/c b4 2+1 5
/d b8le 2+2 26 [warning: d begins within a byte of a bit field of the other order, which Kaitai Struct does not allow]`},
		{"a list of bits", "seq: [{id: a, type: b1, repeat: expr, repeat-expr: 8}, {id: b, type: u1, if: 'a[0] and not a[1]'}]", "80 07", `
/a b1[] 0+1 [true, false, false, false, false, false, false, false]
/b u1 1+1 7`},
		{"bits up to one that is set", "seq: [{id: a, type: b1, repeat: until, repeat-until: _}, {id: b, type: b4}]", "1a", `
/a b1[] 0+1
/a/0 b1 0+1 false
/a/1 b1 0+1 false
/a/2 b1 0+1 false
/a/3 b1 0+1 true
/b b4 0+1 10`},
		{"bit fields that are checked", "seq: [{id: a, type: b4, repeat: expr, repeat-expr: 2, valid: {max: 3}}, {id: b, type: b12, repeat: eos, valid: {any-of: [0x123, 0x456]}}]", "2f 12 34 57", `
/a b4[] 0+1
/a/0 b4 0+1 2
/a/1 b4 0+1 15 [error: a is 15, but at most 3 is expected]
/b b12[] 1+3
/b/0 b12 1+2 291
/b/1 b12 2+2 1111 [error: b is 1111, which is not one of the 2 allowed values]`},
		{"bit fields with names", "seq: [{id: a, type: b4, repeat: expr, repeat-expr: 2, enum: e}, {id: b, type: b1, repeat: expr, repeat-expr: 2, enum: e}, {id: c, type: u1, if: 'a[1] == e::two and b[0] == e::one'}]\nenums: {e: {1: one, 2: two}}", "12 80 07", `
/a b4[] 0+1
/a/0 b4 0+1 one (1)
/a/1 b4 0+1 two (2)
/b b1[] 1+1
/b/0 b1 1+1 one (1)
/b/1 b1 1+1 0
/c u1 2+1 7`},
		{"a list that its own elements end", "seq: [{id: a, type: u1, repeat: until, repeat-until: a.size == 3}, {id: b, type: b4, repeat: until, repeat-until: b.last == 5}, {id: c, size: 1, repeat: until, repeat-until: 'c[0] == c.last and c.size > 1'}]", "010203 15 aabbaa", `
/a u1[] 0+3
/a/0 u1 0+1 1
/a/1 u1 1+1 2
/a/2 u1 2+1 3
/b b4[] 3+1
/b/0 b4 3+1 1
/b/1 b4 3+1 5
/c bytes[] 4+3
/c/0 bytes 4+1 1 byte
/c/1 bytes 5+1 1 byte
/c/2 bytes 6+1 1 byte`},
		{"a list of an instance that its own elements end", "seq: [{id: n, type: u1}]\ninstances: {a: {pos: 0, type: u1, repeat: until, repeat-until: a.size == 2}, b: {pos: 0, type: t(b.size), repeat: until, repeat-until: 'b.last.x == 3'}}\ntypes: {t: {params: [{id: i, type: u1}], seq: [{id: x, type: u1}]}}", "01 02 03 04", `
/n u1 0+1 1
/a u1[] 0+2
/a/0 u1 0+1 1
/a/1 u1 1+1 2
/b t[] 0+3
/b/0 t 0+1
/b/0/i int 0+0 0
/b/0/x u1 0+1 1
/b/1 t 1+1
/b/1/i int 1+0 1
/b/1/x u1 1+1 2
/b/2 t 2+1
/b/2/i int 2+0 2
/b/2/x u1 2+1 3`},
		{"contents", "seq: [{id: a, contents: [A, '0x42', 67]}]", "414243", `
/a bytes 0+3 ABC (3 bytes)`},
		{"contents of signed and quoted numbers", `seq: [{id: a, contents: [-1, "010", "08", "-2", 0]}, {id: b, contents: ["0b1", "1_0"]}]`,
			"ff 0a 08 fe 00 306231315f30", `
/a bytes 0+5 5 bytes
/b bytes 5+6 0b11_0 (6 bytes)`},
		{"instances that need what comes later", "seq: [{id: a, type: t}, {id: n, type: u1}]\ntypes: {t: {seq: [{id: x, type: u1}], instances: {sum: {value: x + _root.n}, no: {value: 1, if: _root.n == 1}, at: {pos: _root.n, type: u1}}}}",
			"01 00", `
/a t 0+1
/a/x u1 0+1 1
/a/sum int 1+0 1
/a/at u1 0+1 1
/n u1 1+1 0`},
		{"long terminators", "seq: [{id: a, type: str, terminator: [1, 2, 3, 4, 5]}, {id: b, type: strz, encoding: csUTF16LE}]",
			"6162636465 0102030405 6100 0001 0000", `
/a str 0+10 abcde
/b strz 10+6 aĀ`},
		{"texts", "seq: [{id: a, type: strz}, {id: b, type: str, size: 4, encoding: UTF-16LE}, {id: c, type: str, size: 2, pad-right: 0}]",
			"616200 e9006200 6300", `
/a strz 0+3 ab
/b str 3+4 éb
/c str 7+2 c`},
		{"a terminator that stays", "seq: [{id: a, terminator: 0x7c, include: true}, {id: b, terminator: 0x7c, consume: false}, {id: c, type: u1}]",
			"417c 427c", `
/a bytes 0+2 2 bytes
/b bytes 2+1 1 byte
/c u1 3+1 124`},
		{"an object that begins again with its terminator", "seq: [{id: a, type: t, terminator: 9, consume: false, include: true}, {id: b, size: 2}]\ntypes: {t: {seq: [{id: x, size-eos: true}]}}",
			"05 09 06", `
/a t 0+2
/a/x bytes 0+2 2 bytes
/b bytes 1+2 2 bytes`},
		{"what is read when an object is given its parameters", "seq: [{id: a, type: t(_io.pos), size: 2}, {id: b, type: t(_io.pos)}]\ntypes: {t: {params: [{id: p, type: u1}], seq: [{id: x, type: u1}]}}",
			"05 06 07", `
/a t 0+2
/a/p int 0+0 2
/a/x u1 0+1 5
/b t 2+1
/b/p int 2+0 2
/b/x u1 2+1 7`},
		{"an instance of no bytes after the end", "instances: {a: {pos: 9, size: 0}, b: {pos: 9, type: str, size-eos: true, encoding: UTF-8}, c: {pos: 9, type: u1}}", "a5", `
/a bytes 1+0 0 bytes
/b str 1+0 
/c u1 0+0 [error: c: pos is 9, outside of the 1 bytes of the stream]`},
		{"no numbers between bit fields", "seq: [{id: a, type: b4}, {id: b, type: u2, repeat: expr, repeat-expr: 0}, {id: c, type: b4}, {id: d, type: u1, if: false}, {id: e, type: b4}]", "a5 7f 30", `
/a b4 0+1 10
/b u2le[] 1+0 []
/c b4 1+1 7
/e b4 2+1 3`},
		{"lists that the file cuts off", "seq: [{id: a, type: t, size: 3}, {id: b, type: b7, repeat: expr, repeat-expr: 4}]\ntypes: {t: {seq: [{id: x, type: u2, repeat: expr, repeat-expr: 2}]}}", "0100 02 ffff", `
/a t 0+3 [error: x: 2 numbers of 2 bytes do not fit in the remaining 3 bytes]
/a/x u2le[] 0+2 [1]
/b b7[] 3+2 [127, 127]`},
		{"a sized type", "seq: [{id: a, type: t, size: 3}, {id: b, type: u1}]\ntypes: {t: {seq: [{id: x, type: u1}]}}", "01 aabb 02", `
/a t 0+3
/a/x u1 0+1 1
/b u1 3+1 2`},
		{"a switch", "seq: [{id: k, type: u1}, {id: v, type: {switch-on: k, cases: {1: u2, 2: t}}}]\ntypes: {t: {seq: [{id: x, type: u1}]}}",
			"02 07", `
/k u1 0+1 2
/v t 1+1
/v/x u1 1+1 7`},
		{"a choice that no case fits", "seq: [{id: v, type: {switch-on: 3, cases: {1: t}}, terminator: 0}, {id: w, type: {switch-on: 3, cases: {1: t}}, size: 4, terminator: 9, pad-right: 0}]\ntypes: {t: {}}",
			"02 09 05 00", `
/w bytes 0+4 4 bytes`},
		{"numbers that a choice with a size has", "seq: [{id: v, type: {switch-on: _index, cases: {0: u1, 1: u2}}, size: 4, repeat: expr, repeat-expr: 3}]",
			"05 0600 09090909", `
/v switch[] 0+7
/v/0 u1 0+1 5
/v/1 u2le 1+2 6
/v/2 bytes 3+4 4 bytes`},
		{"contents with another size", "seq: [{id: a, contents: [5, 6], size: 4}, {id: b, type: u1}]", "05 06 07", `
/a bytes 0+2 2 bytes
/b u1 2+1 7`},
		{"a last resort that stands first", "seq: [{id: k, type: u1}, {id: v, type: {switch-on: k, cases: {_: u1, 1: u2}}}, {id: o, type: t}]\ntypes: {t: {meta: {endian: {switch-on: _root.k, cases: {_: be, 1: le}}}, seq: [{id: x, type: u2}]}}",
			"01 3412 0500", `
/k u1 0+1 1
/v u2le 1+2 4660
/o t 3+2
/o/x u2le 3+2 5`},
		{"a byte order that the object which reads another one chose", "seq: [{id: k, type: u1}, {id: a, type: t}]\ntypes: {t: {meta: {endian: {switch-on: k, cases: {2: be}}}, seq: [{id: x, type: in, parent: _root}, {id: y, type: in, parent: false, repeat: expr, repeat-expr: 2}], instances: {k: {value: _root.k}, z: {pos: 3, type: in, parent: _root}}, types: {in: {seq: [{id: v, type: u2}]}}}}",
			"02 0007 0008 0009", `
/k u1 0+1 2
/a t 1+6
/a/x in 1+2
/a/x/v u2be 1+2 7
/a/y in[] 3+4
/a/y/0 in 3+2
/a/y/0/v u2be 3+2 8
/a/y/1 in 5+2
/a/y/1/v u2be 5+2 9
/a/k int 7+0 2
/a/z in 3+2
/a/z/v u2be 3+2 8`},
		{"a list of less than nothing", "seq: [{id: n, type: s1}, {id: a, type: u1, repeat: expr, repeat-expr: n}, {id: b, type: b1, repeat: expr, repeat-expr: n}, {id: c, type: t, repeat: expr, repeat-expr: n}, {id: d, type: strz, repeat: expr, repeat-expr: n}, {id: e, type: u1}]\ntypes: {t: {seq: [{id: x, type: u1}]}}",
			"ff 07", `
/n s1 0+1 -1
/a u1[] 1+0 []
/b b1[] 1+0 []
/c t[] 1+0
/d strz[] 1+0
/e u1 1+1 7`},
		{"repetitions", "seq: [{id: n, type: u1}, {id: a, type: u2, repeat: expr, repeat-expr: n}, {id: s, type: strz, repeat: until, repeat-until: _ == ''}, {id: r, type: t, repeat: eos}]\ntypes: {t: {seq: [{id: x, type: u1}, {id: y, size: x}]}}",
			"02 0100 0200 4100 00 01ff 00", `
/n u1 0+1 2
/a u2le[] 1+4 [1, 2]
/s strz[] 5+3
/s/0 strz 5+2 A
/s/1 strz 7+1 
/r t[] 8+3
/r/0 t 8+2
/r/0/x u1 8+1 1
/r/0/y bytes 9+1 1 byte
/r/1 t 10+1
/r/1/x u1 10+1 0
/r/1/y bytes 11+0 0 bytes`},
		{"the position of an element", "seq: [{id: a, type: t, repeat: expr, repeat-expr: 2}]\ntypes: {t: {seq: [{id: x, size: _index + 1}, {id: y, type: u1, repeat: expr, repeat-expr: _index + 1, valid: _index}], instances: {i: {value: _index * 10}, far: {pos: _index, type: u1}, list: {pos: 0, type: u1, repeat: expr, repeat-expr: 2, valid: _index}}}}",
			"0a 00 0b0c 0001", `
/a t[] 0+6
/a/0 t 0+2
/a/0/x bytes 0+1 1 byte
/a/0/y u1[] 1+1
/a/0/y/0 u1 1+1 0
/a/0/i int 2+0 0
/a/0/far u1 0+1 10
/a/0/list u1[] 0+2
/a/0/list/0 u1 0+1 10 [error: list is 10, but 0 is expected]
/a/0/list/1 u1 1+1 0 [error: list is 0, but 1 is expected]
/a/1 t 2+4
/a/1/x bytes 2+2 2 bytes
/a/1/y u1[] 4+2
/a/1/y/0 u1 4+1 0
/a/1/y/1 u1 5+1 1
/a/1/i int 6+0 10
/a/1/far u1 1+1 0
/a/1/list u1[] 0+2
/a/1/list/0 u1 0+1 10 [error: list is 10, but 0 is expected]
/a/1/list/1 u1 1+1 0 [error: list is 0, but 1 is expected]`},
		{"instances", "seq: [{id: at, type: u1}, {id: rest, size: 3}]\ninstances: {twice: {value: at * 2}, there: {pos: at, type: u2}, absent: {value: 1, if: at == 9}}",
			"02 aa bbcc", `
/at u1 0+1 2
/rest bytes 1+3 3 bytes
/twice int 4+0 4
/there u2le 2+2 52411`},
		{"a process", "seq: [{id: a, size: 2, process: xor(0xff), type: t}]\ntypes: {t: {seq: [{id: x, type: u1}, {id: y, type: u1}]}}", "fe fd", `
/a t 0+2
/a/_raw bytes 0+2 2 bytes
/a/x u1 0+0 1
/a/y u1 0+0 2`},
		{"an instance that shows a part of what a process makes", "seq: [{id: n, type: u1}, {id: p, size: 3, process: xor(1), type: t}]\ninstances: {i: {value: p.f}, j: {io: p.f._io, pos: 1, type: u1}}\ntypes: {t: {seq: [{id: f, size: 2, type: u}]}, u: {seq: [{id: x, type: u1}]}}",
			"09 020304", `
/n u1 0+1 9
/p t 1+3
/p/_raw bytes 1+3 3 bytes
/p/f u 1+0
/p/f/x u1 1+0 3
/i u 4+0
/i/x u1 1+0 3
/j u1 1+0 2`},
		{"a process of one's own", "seq: [{id: a, size: 2, process: nothing.known(1)}]", "fe fd", `
/a bytes 0+2 2 bytes [error: process of a: unknown process "nothing.known"; showing the raw bytes]`},
		{"valid", "seq: [{id: a, type: u1, valid: 2}, {id: b, type: u1, valid: {min: 3}}, {id: c, type: u1, valid: {any-of: [1, 2]}}]", "01 02 03", `
/a u1 0+1 1 [error: a is 1, but 2 is expected]
/b u1 1+1 2 [error: b is 2, but at least 3 is expected]
/c u1 2+1 3 [error: c is 3, which is not one of the 2 allowed values]`},
		{"names that mean what they mean elsewhere", "seq: [{id: a, type: 'sub::other'}, {id: b, type: u1, enum: 'sub::e'}, {id: c, type: u1, if: 'b == sub::inner::e::one'}]\ntypes: {sub: {types: {inner: {}}}, other: {seq: [{id: x, type: u1}]}}\nenums: {e: {1: one}}",
			"05 01 07", `
/a other 0+1
/a/x u1 0+1 5
/b u1 1+1 one (1)
/c u1 2+1 7`},
		{"names of types with spaces", "seq: [{id: a, type: ' outer :: t ( 1 + 1 , f ) '}]\ntypes: {outer: {types: {t: {params: [{id: p, type: u1}, {id: q, type: u1}], seq: [{id: x, size: p}]}}}}\ninstances: {f: {value: 5}}",
			"0102", `
/a t 0+2
/a/p int 0+0 2
/a/q int 0+0 5
/a/x bytes 0+2 2 bytes
/f int 2+0 5`},
		{"parameters", "seq: [{id: a, type: t(3)}]\ntypes: {t: {params: [{id: n, type: u1}], seq: [{id: x, size: n}]}}", "010203", `
/a t 0+3
/a/n int 0+0 3
/a/x bytes 0+3 3 bytes`},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := openHex(t, test.text, test.file)
			assert.Equal(t, strings.TrimPrefix(test.want, "\n"), outline(t, d))
			if len(d.Root().Problems()) == 0 && !strings.Contains(test.text, "instances") {
				formatstest.Conform(t, d)
			}
		})
	}
}

func TestFailedReadingIsAProblemAndKeepsEarlierValues(t *testing.T) {
	for _, test := range []struct{ name, text, file, want string }{
		{"the end", "seq: [{id: a, type: u1}, {id: b, type: u4}]", "01 02", "b needs 4 bytes, but only 1 remain"},
		{"contents", "seq: [{id: a, type: u1}, {id: b, contents: XY}]", "01 5858", "b is 58 58, not 58 59"},
		{"a size", "seq: [{id: a, type: u1}, {id: b, size: a - 2}]", "01 02", "size of b: it is -1"},
		{"a large size", "seq: [{id: a, type: u1}, {id: b, size: 0x7fffffffffffffff}]", "01 02", "b needs 9223372036854775807 bytes, but only 1 remain"},
		{"a size beyond 63 bits", "seq: [{id: a, type: u1}, {id: b, size: 0xffffffffffffffff}]", "01 02", "size of b: 18446744073709551615 is too large"},
		{"an expression", "seq: [{id: a, type: u1}, {id: b, size: 1 / (a - 1)}]", "01 02", "size of b: division by zero (column 3)"},
		{"no position", "seq: [{id: a, type: u1}, {id: b, size: _index}]", "01 02", "size of b: _index has no value here: test is not an element of a list"},
		{"no position in an instance", "seq: [{id: a, type: u1}]\ninstances: {b: {value: _index}}", "01", "b: _index has no value here: test is not an element of a list"},
		{"the position of what is none", "seq: [{id: a, type: u1}, {id: b, type: t, repeat: eos}]\ntypes: {t: {seq: [{id: x, size: _root._index}]}}", "01 02", "size of x: _index has no value here: test is not an element of a list"},
		{"a terminator", "seq: [{id: a, type: u1}, {id: b, type: strz}]", "01 02", "b has no terminator 00 in the remaining 1 bytes"},
		{"a count", "seq: [{id: a, type: u1}, {id: b, type: u4, repeat: expr, repeat-expr: 0x7fffffff}]", "01 02", "b: 2147483647 numbers of 4 bytes do not fit in the remaining 1 bytes"},
		{"elements of no bytes", "seq: [{id: a, type: u1}, {id: b, type: t, repeat: expr, repeat-expr: 0x7fffffff}]\ntypes: {t: {instances: {x: {value: 1}}}}", "01", "t: more than 65536 empty elements; the rest is skipped"},
	} {
		d := openHex(t, test.text, test.file)
		report, err := d.Check(context.Background(), nil)
		require.NoError(t, err)
		require.NotEmpty(t, report.Problems, test.name)
		var messages []string
		for _, p := range report.Problems {
			messages = append(messages, p.Message)
		}
		assert.Contains(t, messages, test.want, test.name)
		assert.Equal(t, "1", d.Root().Child(0).ValueText(), test.name)
	}
}

func TestErrorsOfDescriptionsHaveFileLineAndPath(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "x.ksy: the description is empty; it begins with `meta`"},
		{"meta: [", "x.ksy:1: this is not YAML: did not find expected node content"},
		{"seq: []", "x.ksy:1: /meta/id: the id of the description is missing"},
		{"meta: {id: X}", "x.ksy:1: /meta/id: invalid id: \"X\", expected: /^[a-z][a-z0-9_]*$/"},
		{"meta: {id: x}\nsequence: []", "x.ksy:2: /sequence: unknown key; expected: meta, doc, doc-ref, to-string, params, seq, types, instances, enums, -webide-representation, -assay-view"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u4}", "x.ksy:3: /seq/0/type: unable to use type \"u4\" without default endianness"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: t}", "x.ksy:3: /seq/0/type: unable to find type \"t\", searching from x"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u1, enum: t}", "x.ksy:3: /seq/0/enum: unable to find enum \"t\", searching from x"},
		{"meta: {id: x}\nseq:\n  - {id: a, size: b}", "x.ksy:3: /seq/0/size: unable to access \"b\" in x context"},
		{"meta: {id: x}\nseq:\n  - {id: a, size: 1 +}", "x.ksy:3: /seq/0/size: parsing the expression \"1 +\" failed: an operand is expected before the end (column 4)"},
		{"meta: {id: x}\nseq:\n  - {id: a}", "x.ksy:3: /seq/0: one of size, size-eos, terminator or contents must be specified"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: {switch-on: 1, cases: {1: u1, 2: bytes}}}", "x.ksy:3: /seq/0: one of size, size-eos, terminator or contents must be specified"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u1, size: 4}", "x.ksy:3: /seq/0: size is for bytes, str, strz and described types, not for u1"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: {switch-on: 1, cases: {1: u1, 2: b3}}, encoding: ASCII}", "x.ksy:3: /seq/0: encoding is for str and strz, not for switch"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: f4le, enum: e}\nenums: {e: {}}", "x.ksy:3: /seq/0: enum is for whole numbers and bit fields, not for f4le"},
		{"meta: {id: x}\nseq:\n  - {id: a, size: 4, encoding: ASCII}", "x.ksy:3: /seq/0: encoding is for str and strz, not for bytes"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u4le, terminator: 0}", "x.ksy:3: /seq/0: terminator is for bytes, str, strz and described types, not for u4le"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: b4, include: true}", "x.ksy:3: /seq/0: include is for bytes, str, strz and described types, not for b4"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u1, consume: false}", "x.ksy:3: /seq/0: consume is for bytes, str, strz and described types, not for u1"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u1, eos-error: false}", "x.ksy:3: /seq/0: eos-error is for bytes, str, strz and described types, not for u1"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u1, repeat: {expr: 2, until: _ == 0}}", "x.ksy:3: /seq/0/repeat: only one of expr and until can be used"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: x, contents: a}", "x.ksy:3: /seq/0: contents is for bytes, not for x"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: b2, pad-right: 0}", "x.ksy:3: /seq/0: pad-right is for bytes, str, strz and described types, not for b2"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u1, process: zlib}", "x.ksy:3: /seq/0: process is for bytes, str, strz and described types, not for u1"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: x, process: zlib}", "x.ksy:3: /seq/0: process needs one of size, size-eos or terminator"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: str, size: 1}", "x.ksy:3: /seq/0/type: the type \"str\" needs an encoding, here or in meta/encoding"},
		{"meta: {id: x}\nparams:\n  - {type: u1}", "x.ksy:3: /params/0: the id of the parameter is missing"},
		{"meta: {id: x}\nparams:\n  - {id: a, size: 1}", "x.ksy:3: /params/0/size: unknown key; expected: id, doc, doc-ref, type, enum"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u1, pos: 1}", "x.ksy:3: /seq/0: pos, io and value are for instances"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u1, repeat: expr}", "x.ksy:3: /seq/0: repeat: expr needs repeat-expr"},
		{"meta: {id: x}\nseq:\n  - {id: a, type: u1}\n  - {id: a, type: u1}", "x.ksy:4: /seq/1: duplicate id \"a\" (also in /seq/0)"},
		{"meta:\n  id: x\n  imports: [missing]", "x.ksy:3: /meta/imports/0: the import \"missing\" is not found; looked for: ./missing.ksy"},
		{"meta:\n  id: x\n  imports: [../../etc/passwd]", "x.ksy:3: /meta/imports/0: the import \"../../etc/passwd\" is outside the folder of the description"},
		{"meta: {id: x}\nseq:\n  - {id: a, size: 1, process: xor}", "x.ksy:3: /seq/0/process: xor takes 1 arguments, not 0"},
	} {
		_, err := (&Library{}).Read("x.ksy", []byte(test.text))
		assert.EqualError(t, err, test.want, test.text)
	}
}

// FuzzRead reads files by hostile descriptions.
func FuzzRead(f *testing.F) {
	f.Add([]byte(recordsDescription), []byte("RECS0000\x01\x02ab"))
	f.Add([]byte("meta: {id: a}\nseq: [{id: x, type: b3, repeat: eos}]\ninstances: {y: {pos: 0, size: 1, process: zlib}}"), []byte("abc"))
	f.Add([]byte("meta: {id: a, endian: le}\nseq: [{id: x, type: {switch-on: _io.size, cases: {3: a, _: u4}}}]"), []byte("abc"))
	f.Fuzz(func(t *testing.T, text, file []byte) {
		d, err := (&Library{}).Read("fuzz.ksy", text)
		if err != nil {
			return
		}
		doc, err := d.Open(context.Background(), model.NewSource("fuzz", bytes.NewReader(file), int64(len(file))))
		require.NoError(t, err)
		_, err = doc.Check(context.Background(), nil)
		require.NoError(t, err)
	})
}

func TestObjectOfAnotherDescriptionIsTheRootInside(t *testing.T) {
	folder := t.TempDir()
	main, part := filepath.Join(folder, "main.ksy"), filepath.Join(folder, "part.ksy")
	require.NoError(t, os.WriteFile(main, []byte("meta: {id: main, imports: [part]}\nseq: [{id: a, type: u1}, {id: p, type: part}]"), 0o644))
	require.NoError(t, os.WriteFile(part, []byte("meta: {id: part}\nseq: [{id: b, type: u1}]\ninstances: {same: {value: _root.b}}"), 0o644))
	described, err := (&Library{}).Load(main)
	require.NoError(t, err)
	d, err := described.Open(context.Background(), model.NewSource("test", bytes.NewReader([]byte{1, 2}), 2))
	require.NoError(t, err)
	assert.Equal(t, "/a u1 0+1 1\n/p part 1+1\n/p/b u1 1+1 2\n/p/same int 2+0 2", outline(t, d))
}

func TestDifferentImportsOfOneIDAreAnError(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	part := "meta: {id: x}\nseq: [{id: v, type: u1}]"
	write("a/x.ksy", part)
	write("b/x.ksy", "meta: {id: x, endian: le}\nseq: [{id: v, type: u2}]")
	write("c/copy.ksy", part)
	write("opaque.ksy", "meta: {id: x}\ndoc: of another file")
	for text, want := range map[string]string{
		"meta:\n  id: main\n  imports: [a/x, c/copy]": "",
		"meta:\n  id: main\n  imports: [a/x, b/x]":    `main.ksy:3: /meta/imports/1: b/x.ksy and a/x.ksy have the same id "x"`,
		"meta:\n  id: x\n  imports: [a/x]":            `main.ksy:3: /meta/imports/0: a/x.ksy and main.ksy have the same id "x"`,
		"meta:\n  id: main\n  imports: [a/x]\nseq: [{id: o, type: opaque}]": `main.ksy:4: /seq/0/type: opaque.ksy and a/x.ksy ` +
			`have the same id "x"`,
	} {
		_, err := (&Library{}).Load(write("main.ksy", text))
		if want == "" {
			assert.NoError(t, err, text)
			continue
		}
		require.Error(t, err, text)
		assert.Equal(t, want, strings.ReplaceAll(filepath.ToSlash(err.Error()), filepath.ToSlash(folder)+"/", ""), text)
	}
}

func TestNaNIsWithinNoLimits(t *testing.T) {
	d := openHex(t, "seq: [{id: f, type: f4, valid: {max: 1.0}}, {id: g, type: f4, valid: {min: 1.0}}, {id: h, type: u1, if: f < 1.0}]\n"+
		"instances: {is: {value: f <= f}}", "0000c07f 0000c07f 01")
	assert.Equal(t, `/f f4le 0+4 NaN [error: f is NaN, but at most 1 is expected]
/g f4le 4+4 NaN [error: g is NaN, but at least 1 is expected]
/is bool 8+0 false`, outline(t, d))
}

func TestSizeofIsTheSizeOfAnObject(t *testing.T) {
	for seq, want := range map[string]string{
		"":                                 "0",
		"{type: b3}, {type: u1}":           "2",
		"{type: b3}, {type: f}":            "2",
		"{type: b4}, {type: c}":            "2",
		"{type: b4}, {type: e}, {size: 1}": "2",
		"{type: b3}, {type: f, repeat: expr, repeat-expr: 4}, {type: b1}":   "4",
		"{type: f}, {type: f, size: 2}, {type: b4}":                         "4",
		"{type: c, repeat: expr, repeat-expr: 3}":                           "3",
		"{type: b4}, {type: c, repeat: expr, repeat-expr: 2}, {type: b4le}": "4",
		"{type: b1}, {type: m}":                                             "3",
		"{type: n, repeat: expr, repeat-expr: 2}":                           "no",
		"{type: n}": "2",
		"{type: b1}, {type: {switch-on: 1, cases: {1: u1}}, size: 2}": "no",
		"{type: b1}, {type: {switch-on: 1, cases: {1: c}}, size: 2}":  "3",
		"{type: u1, if: true}": "no",
	} {
		for _, show := range []string{"sizeof<t>", "o._sizeof"} {
			d := openHex(t, "seq: [{id: o, type: t}]\ninstances: {i: {value: "+show+"}}\ntypes: {t: {seq: ["+seq+"]}, f: {seq: [{type: b4}]}, "+
				"c: {seq: [{type: u1}]}, e: {}, m: {seq: [{type: b4}, {type: u1}]}, n: {seq: [{type: u1}, {type: b4}]}}", "0102030405060708")
			i := d.Root().ChildNamed("i")
			if want == "no" && show == "sizeof<t>" {
				require.Len(t, i.Problems(), 1, seq)
				assert.Equal(t, "i: the type t has no fixed size", i.Problems()[0].Message, seq)
				continue
			}
			size := fmt.Sprint(d.Root().Child(0).Size)
			if want != "no" {
				assert.Equal(t, want, size, seq)
			}
			assert.Equal(t, size, i.ValueText(), seq)
		}
	}
}

func TestSizeOfAnObjectIsUnknownUntilItIsRead(t *testing.T) {
	text := "seq: [{id: skip, type: u4}, {id: r, size: skip + 4, type: rec}]\ninstances: {all: {value: r._sizeof}}\n" +
		"types: {rec: {seq: [{id: name, type: strz}, {id: v, type: %s}]}}"
	wrong := "_sizeof of test::rec is unknown until it is read"
	for end, want := range map[string]string{
		"u1, if: _sizeof < 0": "/r rec 4+4 [error: if of v: " + wrong + "]\n/r/name strz 4+3 ab\n/all value 8+0 [error: all: " + wrong + "]",
		"u2":                  "/r rec 4+4 [error: v needs 2 bytes, but only 1 remain]\n/r/name strz 4+3 ab\n/all value 8+0 [error: all: " + wrong + "]",
		"u1":                  "/r rec 4+4\n/r/name strz 4+3 ab\n/r/v u1 7+1 7\n/all int 8+0 4",
	} {
		assert.Equal(t, "/skip u4le 0+4 0\n"+want, outline(t, openHex(t, fmt.Sprintf(text, end), "00000000 616200 07")), end)
	}
	d := openHex(t, "seq: [{id: r, type: rec}]\ninstances: {all: {value: r._sizeof}}\ntypes: {rec: {seq: [{id: none, size: 0, if: 'true'}]}}", "")
	assert.Equal(t, "0", valueTextAt(t, d.Root(), "all"))

	d = openHex(t, "seq: [{id: n, type: u1}, {id: a, type: b16, if: 'n._sizeof == 1 and b._sizeof == 3'}, {id: b, size: 3}, {id: o, type: o, if: false}]\n"+
		"instances: {in: {value: o.n._sizeof}, sized: {value: b._sizeof}}\ntypes: {o: {seq: [{id: n, type: u8}]}}", "01 1234 050607")
	assert.Equal(t, "3", valueTextAt(t, d.Root(), "sized"))
	assert.Equal(t, "4660", valueTextAt(t, d.Root(), "a"))
	assert.Equal(t, "in: n of an absent attribute (column 2)", d.Root().ChildNamed("in").Problems()[0].Message)
}

// TestUnreadAttributesAreErrorsInExpressions has expressions that need an attribute that could not be read, or one
// after them.
func TestUnreadAttributesAreErrorsInExpressions(t *testing.T) {
	d := openHex(t, "seq: [{id: a, size: 1, type: t}]\ninstances: {x: {value: a.r}, y: {value: a.s}, q: {value: a.q}}\n"+
		"types: {t: {seq: [{id: q, size: 0}, {id: r, type: u2}, {id: s, type: u1}]}}", "01")
	assert.Equal(t, `/a t 0+1 [error: r needs 2 bytes, but only 1 remain]
/a/q bytes 0+0 0 bytes
/x value 1+0 [error: x: r was not read]
/y value 1+0 [error: y: s was not read]
/q bytes 1+0 0 bytes`, outline(t, d))
}

func TestInstancesWhoseConditionFailsHaveAnError(t *testing.T) {
	for condition, why := range map[string]string{
		"no.n == 1":  "n of an absent attribute (column 3)",
		"cut.n == 1": "n was not read",
		"n":          "a boolean is needed, not a whole number",
		"i == 1":     "the instance i depends on itself",
		"1 / n == 1": "division by zero (column 3)",
		"_index > 0": "_index has no value here: test is not an element of a list",
	} {
		for _, keys := range []string{"value: n + 1", "pos: 0, type: u1", "pos: 0, type: s", "pos: 0, size: 1", "type: u1",
			"io: cut._io, pos: 0, type: s", "pos: 0, type: u1, repeat: eos", "pos: 0, type: s, size: 1, repeat: expr, repeat-expr: 1",
			"pos: 0, size-eos: true, process: xor(1), type: s", "pos: 0, type: {switch-on: n, cases: {0: s, _: u1}}, valid: 3"} {
			d := openHex(t, "seq: [{id: n, type: u1}, {id: no, type: s, if: n == 1}, {id: cut, size: 1, type: s}]\n"+
				"types: {s: {seq: [{id: m, type: u1}, {id: n, type: u1}]}}\n"+
				"instances: {i: {if: '"+condition+"', "+keys+"}, other: {value: i, if: 'true'}}", "00 01")
			for _, name := range []string{"i", "other"} {
				n := d.Root().ChildNamed(name)
				require.NotNil(t, n, "%s of %s", condition, keys)
				require.Len(t, n.Problems(), 1, "%s of %s", condition, keys)
				assert.Equal(t, name+": "+why, n.Problems()[0].Message, keys)
			}
		}
	}
}
