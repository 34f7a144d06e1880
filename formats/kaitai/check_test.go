package kaitai

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// check returns the errors of a description with its imports, a line each.
func check(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	found, err := (&Library{ImportsAnywhere: true}).Check(filepath.Join(folder, "x.ksy"))
	require.NoError(t, err)
	var lines []string
	for _, e := range found {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", filepath.Base(e.File), e.Line, e.Column, e.Message))
	}
	return strings.Join(lines, "\n")
}

// TestCheckFindsAllErrors tests that a check lists each error with its line and column, without errors that only follow
// from others.
func TestCheckFindsAllErrors(t *testing.T) {
	assert.Equal(t, `x.ksy:5:48: size: a whole number is needed, not a text
x.ksy:6:19: unable to find type "nope", searching from x
x.ksy:7:43: encoding: unknown encoding "KLINGON"
x.ksy:8:32: if: "+" cannot be applied to a text and a whole number
x.ksy:9:20: unable to access "unknown" in x context
x.ksy:10:19: the parameter n is a whole number, not a text
x.ksy:11:24: size: the type x::part has no "none"
x.ksy:12:49: cases: a text cannot be compared with a whole number
x.ksy:13:23: parsing the expression "1 +" failed: an operand is expected before the end (column 4)
x.ksy:14:29: unable to find enum "nothing", searching from x
x.ksy:16:71: process: a whole number is needed, not a text
x.ksy:18:19: value: unknown encoding "bogus"
x.ksy:19:13: pos: a whole number is needed, not a text
x.ksy:20:18: value: a text has no "size"`, check(t, map[string]string{"x.ksy": `meta: {id: x, endian: le}
doc: none of these reaches a file
seq:
  - {id: name, type: str, size: 4, encoding: ASCII}
  - {id: body, if: name == 'x' or false, size: name}
  - {id: a, type: nope}
  - {id: b, type: str, size: 3, encoding: KLINGON}
  - {id: z, type: u4, if: name + 3}
  - {id: c, size: 'name.length + unknown'}
  - {id: v, type: part(name)}
  - {id: d, size: 1 + v.none, doc: x}
  - {id: e, type: {switch-on: z, cases: {1: u1, '"abc"': u1}}}
  - {id: f, size: '1 +'}
  - {id: g, type: u2, enum: nothing}
types:
  part: {params: [{id: n, type: u4}], seq: [{id: q, size: n, process: rol("a")}]}
instances:
  h: {value: 'body.to_s("bogus")'}
  i: {pos: '"x"', type: u1}
  j: {value: name.size}
`}))
}

// TestErrorsOfImportsHaveTheirLocations tests that errors have the lines of the imported file, also errors of YAML
// whose message gives no line.
func TestErrorsOfImportsHaveTheirLocations(t *testing.T) {
	assert.Equal(t, `x.ksy:2:39: size: a whole number is needed, not a boolean
y.ksy:2:25: value: a boolean is needed, not a text`, check(t, map[string]string{
		"x.ksy": "meta: {id: x, imports: [y]}\nseq: [{id: a, type: y}, {id: b, size: a.c}]",
		"y.ksy": "meta: {id: y}\ninstances: {c: {value: 'not \"\"'}}"}))
	for text, want := range map[string]string{
		"meta:\n  id: a\nseq: [*none]\n": "x.ksy:3:0: this is not YAML: unknown anchor 'none' referenced",
		"meta:\n  id: \x01\n":            "x.ksy:2:0: this is not YAML: control characters are not allowed",
	} {
		assert.Equal(t, want, check(t, map[string]string{"x.ksy": text}))
	}
}

func TestCheckAcceptsValidDescriptions(t *testing.T) {
	assert.Empty(t, check(t, map[string]string{"x.ksy": `
meta: {id: x, endian: le}
seq:
  - {id: a, type: t(1), repeat: until, repeat-until: _.n == 0 or _io.eof}
  - {id: b, type: {switch-on: a.last.n, cases: {1: u1, 'e::two': u2, _: s4}}}
  - {id: c, type: u1, repeat: expr, repeat-expr: b, valid: {max: 'a[0].n + 1'}}
  - {id: d, size: 'c[0] + c.max', if: a.size > 0 and _root.b != 3, process: 'xor([1, 2].as<bytes>)'}
instances:
  f: {value: 'a[0].as<t>.n * 1.5'}
  g: {value: '(f > 2 ? d : [1, 2]).length'}
  k: {value: '[0x61, 2].to_s("ASCII") + [b, 300][1].to_s'}
  h: {io: _root._io, pos: 'g + sizeof<t>', type: u1, enum: e}
  i: {value: '_parent.as<t>.p + f.to_i + "1".to_i'}
types: {t: {params: [{id: p, type: u4}], seq: [{id: n, type: u4}]}}
enums: {e: {2: two}}`}))
}

func TestErrorsOfOneFileAreTogether(t *testing.T) {
	found := new(findings)
	for _, e := range []Error{{File: "b", Line: 9}, {File: "a", Line: 7}, {File: "b", Line: 2}, {File: "a", Line: 3},
		{File: "b", Line: 9}} {
		found.report(&e)
	}
	found.sort()
	assert.Equal(t, Errors{{File: "b", Line: 2}, {File: "b", Line: 9}, {File: "a", Line: 3}, {File: "a", Line: 7}},
		found.errors)
}
