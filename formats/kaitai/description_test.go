package kaitai

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMagicIsOfConstantContents(t *testing.T) {
	for first, want := range map[string][][]byte{
		"{id: a, contents: PAK1}": {[]byte("PAK1")},
		"{id: a, contents: P}":    nil,
		`{id: a, type: str, size: 4, encoding: ASCII, valid: {any-of: ['"RIFF"', '"RIFX"']}}`: {[]byte("RIFF"),
			[]byte("RIFX")},
		`{id: a, type: str, size: 4, encoding: ASCII, valid: {any-of: ['"RIFF"', _io.size.to_s]}}`: nil,
		"{id: a, type: u4le, valid: {any-of: [1, 2]}}":                                             nil,
	} {
		d, err := (&Library{}).Read("x.ksy", []byte("meta: {id: x}\nseq: ["+first+"]"))
		require.NoError(t, err, first)
		assert.Equal(t, want, d.Magic(), first)
	}
}

func TestFilesThatTheCompilerReadsHaveNoProblems(t *testing.T) {
	for name, test := range map[string]struct{ text, file string }{
		"valid of the attribute itself": {"seq: [{id: a, type: u1}, {id: b, type: u1, valid: {expr: a == 1 or b > 3}}]", "02 04"},
		"an object that is read": {"seq: [{id: a, type: t}]\ntypes:\n  t: {seq: [{id: h, type: h}, {id: b, size: _root.a.h.n}]}\n" +
			"  h: {seq: [{id: n, type: u1}]}", "02 00 00"},
		"an absent value": {"seq: [{id: a, type: u1}, {id: b, type: u1, if: a > 9}, {id: c, type: u1, if: b > 3}, " +
			"{id: d, type: u1, if: (b & 1) == 0}]", "01 02"},
	} {
		report, err := openHex(t, test.text, test.file).Check(t.Context(), nil)
		require.NoError(t, err, name)
		assert.Empty(t, report.Problems, name)
	}
}

func TestImportsMayBeOneText(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	write("part.ksy", "meta: {id: part}\nseq: [{id: a, type: u1}]")
	d, err := (&Library{}).Load(write("main.ksy", "meta: {id: main, imports: part}\nseq: [{id: a, type: part}]"))
	require.NoError(t, err)
	assert.Len(t, d.Files, 2)
}
