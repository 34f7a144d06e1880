package kaitai

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// TestFailedInstancesAreNotReadAgain holds that an instance which cannot be read to its end is not read again for each
// object that needs it: four times the file takes about four times the work.
func TestFailedInstancesAreNotReadAgain(t *testing.T) {
	rows := "seq: [{id: rows, type: row, repeat: eos}]"
	types := "rec: {seq: [{id: n, type: u1}, {id: d, size: n}]}, row: {seq: [{id: n, type: u1}, {id: body, size: n, type: body}]}, " +
		"body: {seq: [{id: a, type: u1, if: _root.big.size == 0}]}"
	for name, text := range map[string]string{
		"while the file is read": rows + "\ninstances: {big: {pos: 0, type: rec, repeat: eos}}\ntypes: {" + types + "}",
		"while another instance is": "instances: {all: {pos: 0, type: all}, big: {pos: 0, type: rec, repeat: eos}}\n" +
			"types: {" + types + ", all: {" + rows + "}}",
	} {
		described := describe(t, text)
		work := func(rows int) float64 {
			file := append(bytes.Repeat([]byte{1, 7}, rows), 9) // the last one is cut
			return testing.AllocsPerRun(1, func() {
				_, err := described.Open(t.Context(), model.NewSource("test", bytes.NewReader(file), int64(len(file))))
				require.NoError(t, err)
			})
		}
		assert.Less(t, work(800), 6*work(200), name)
	}
}

// TestInstancesAreEvaluatedAgainAfterMoreIsRead holds that what an instance could not have when it was first needed is
// no failure later, when more is read or when it is needed by something else.
func TestInstancesAreEvaluatedAgainAfterMoreIsRead(t *testing.T) {
	for _, test := range []struct{ name, text, file, want string }{
		{"an attribute after it", "seq: [{id: a, size: 1, type: t}, {id: n, type: u1}, {id: b, type: u1, if: a.up == 2}]\n" +
			"types: {t: {seq: [{id: x, type: u1, if: up == 2}], instances: {up: {value: _root.n}}}}", "01 02 03", `
/a t 0+1 [error: if of x: n was not read]
/n u1 1+1 2
/b u1 2+1 3`},
		{"the last element of a list", "seq: [{id: a, type: t, size: 2, repeat: expr, repeat-expr: 2}]\n" +
			"types: {t: {seq: [{id: n, type: u1}, {id: x, type: u1, if: n + _root.last == 2}]}}\ninstances: {last: {value: 'a[1].n'}}",
			"00 01 02 03", `
/a t[] 0+4
/a/0 t 0+2
/a/0/n u1 0+1 0
/a/0/x u1 1+1 1
/a/1 t 2+2
/a/1/n u1 2+1 2
/last int 4+0 2`},
		{"what needs it", "seq: [{id: n, type: u1}]\n" +
			"types: {t: {seq: [{id: x, size: 0, type: u}, {id: n, type: u1}]}, u: {seq: [{id: a, type: u1, if: _root.b == 1}]}}\n" +
			"instances: {a: {pos: 0, type: t}, b: {value: a.n}, c: {value: b + 1}}", "01", `
/n u1 0+1 1
/a t 0+1
/a/x u 0+0 [error: a needs 1 byte, but only 0 remain]
/a/n u1 0+1 1
/b int 1+0 1
/c int 1+0 2`},
	} {
		assert.Equal(t, test.want[1:], outline(t, open(t, test.text, test.file)), test.name)
	}
}

// TestErrorsOfExpressionsAreProblems holds that whatever an expression of a description fails on, in an instance or in
// an attribute, of a whole file and of one that is cut anywhere, what is wrong is a problem of the document.
func TestErrorsOfExpressionsAreProblems(t *testing.T) {
	keys := []string{"{value: '%s'}", "{value: n, if: '%s == 1'}", "{pos: '%s', type: s}", "{pos: 0, size: '%s'}", "{pos: 0, size: '%s', type: s}",
		"{io: '%s', pos: 0, type: s}", "{pos: 0, type: u1, repeat: expr, repeat-expr: '%s'}", "{pos: 0, type: s, repeat: expr, repeat-expr: '%s'}",
		"{pos: 0, type: s, repeat: until, repeat-until: '%s == 1'}", "{pos: 0, type: b3, valid: {expr: '%s == 1'}}", "{pos: 0, type: s, parent: '%s'}",
		"{pos: 0, size: 2, type: s, process: 'xor(%s)'}", "{pos: 0, size: 1, process: 'rol(%s)'}", "{pos: 0, type: 'p(%s)'}", "{pos: 0, size: 1, type: 'p(%s)'}",
		"{pos: 0, type: {switch-on: '%s', cases: {0: s, _: u1}}}", "{pos: 0, size: 2, type: {switch-on: 0, cases: {'%s': s}}}", "{pos: 0, type: l}"}
	for _, fails := range []string{"n / 0", "no.n", "cut.n", "cut.no", "i", "later", "_index", "_parent.n", "cut._sizeof", "i._io", "list[7].n", "list.last.n",
		"_root.sub.i", "[n][n]", "\"x\"", "0x8000000000000000", "-1"} {
		for _, key := range keys {
			if strings.Contains(key, "%s") {
				key = fmt.Sprintf(key, fails)
			}
			body := "seq: [{id: n, type: u1}, {id: no, type: s, if: n == 9}, {id: cut, size: n & 1, type: s}, " +
				"{id: list, type: s, repeat: expr, repeat-expr: 2}, {id: framed, size: 1, type: f}, {id: later, size: 1}], " +
				"instances: {i: " + key + ", sub: {pos: 0, type: t, if: _parent == _root}, again: {value: i}}"
			text := "{meta: {id: test}, " + body + ", types: {t: {" + body + "}, " +
				"s: {seq: [{id: m, type: b4}, {id: n, type: b4}], instances: {up: {value: _parent}}}, " +
				"f: {seq: [{id: x, type: u1, if: _parent.i == 1}]}, " +
				"p: {params: [{id: a, type: any}], seq: [{id: x, type: u1, if: a == 1}]}, " +
				"l: {seq: [{id: x, type: s, repeat: eos}, {id: y, size: 'x[0].n'}], to-string: x}}}"
			described, err := (&Library{}).Read("test.ksy", []byte(text))
			require.NoError(t, err, text)
			file := []byte{1, 0x10, 0x21, 0x32, 0x43, 1, 2, 3}
			for cut := range len(file) + 1 {
				doc, err := described.Open(t.Context(), model.NewSource("test", bytes.NewReader(file[:cut]), int64(cut)))
				require.NoError(t, err)
				report, err := doc.Check(t.Context(), nil)
				require.NoError(t, err)
				require.NoError(t, doc.Dump(t.Context(), io.Discard, report), "%s, %d bytes", key, cut)
			}
		}
	}
}
