package kaitai

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// TestFailedInstancesAreNotReadAgain tests that an instance that cannot be read is not read again for each object that
// needs it: a file four times as long takes about four times the work.
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

// TestInstancesAreEvaluatedAgainAfterMoreIsRead tests that an instance that failed when it was first needed is
// evaluated again after more is read, or for another object.
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
		assert.Equal(t, test.want[1:], outline(t, openHex(t, test.text, test.file)), test.name)
	}
}

// TestFailingExpressionsDoNotFailTheDocument opens, checks and dumps whole and cut files whose expressions fail in
// instances and attributes.
func TestFailingExpressionsDoNotFailTheDocument(t *testing.T) {
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

// TestBytesOfInstancesAreAccountedFor tests that the bytes that instances of sized elements read have owners, also if
// expressions name the list, as for the sections of a program.
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

func TestStoredBytesOfProcessedInstancesAreAccountedFor(t *testing.T) {
	d := openHex(t, "seq: [{id: n, type: u1}]\n"+
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

// TestErrorsOfObjectsAreOnTheNodeOfTheInstance has objects that end within their own sizes.
func TestErrorsOfObjectsAreOnTheNodeOfTheInstance(t *testing.T) {
	for keys, want := range map[string]string{
		"type: t, size: 1":                          "y needs 1 byte, but only 0 remain",
		"type: t, size: 1, process: xor(0)":         "y needs 1 byte, but only 0 remain (at 0x1 of the unpacked bytes)",
		"type: t, size: 2, process: zlib":           "process of a: zlib: invalid header",
		"type: t, size: 2, process: my":             "process of a: unknown process \"my\"; showing the raw bytes",
		"type: t, size: 2, valid: {expr: _.y == 1}": "a is an object, but _.y == 1 is expected",
		"type: t, valid: {expr: _.y == 1}":          "a is an object, but _.y == 1 is expected",
		"type: t, terminator: 1, include: true":     "y needs 1 byte, but only 0 remain",
	} {
		d := openHex(t, "instances: {a: {pos: 0, "+keys+"}}\ntypes: {t: {seq: [{id: x, type: u1}, {id: y, type: u1}]}}", "01 02")
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

func TestFailedInstancesShowTheValuesBeforeTheError(t *testing.T) {
	d := openHex(t, `
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
