package kaitai

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
)

func TestHostileDescriptionsAreRefused(t *testing.T) {
	types := new(strings.Builder)
	for i := range 30_000 {
		fmt.Fprintf(types, "  t%d: {seq: [{id: a, size: 1}]}\n", i)
	}
	nested := new(strings.Builder)
	for i := range 200 {
		fmt.Fprintf(nested, "%stypes:\n%s t:\n", strings.Repeat("  ", i), strings.Repeat("  ", i))
	}
	for name, test := range map[string]struct{ text, want string }{
		"many types":  {"meta: {id: x}\ntypes:\n" + types.String(), "more than 20000 types"},
		"deep types":  {"meta: {id: x}\n" + nested.String() + strings.Repeat("  ", 200) + "doc: x\n", "types nest deeper than 100"},
		"a long file": {"meta: {id: x}\ndoc: " + strings.Repeat("x", maxFile), "are allowed"},
		"parentheses": {"meta: {id: x}\nseq: [{id: a, size: '" + strings.Repeat("(", 1e5) + "'}]", "nests deeper than"},
		"many nodes":  {"meta: {id: x}\n-a: [" + strings.Repeat("x,", 1<<20) + "x]\n", "more than 524288 lines, commas, colons"},
		"many lines":  {"meta: {id: x}\n-a:\n" + strings.Repeat("- x\n", 1<<19+1), "more than 524288 lines, commas, colons"},
		"aliases": {"meta: {id: x}\n-a: &a [x,x,x,x,x,x,x,x,x]\n-b: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n-c: &c [*b,*b,*b,*b,*b,*b]\nseq: *c",
			"a mapping is expected, not a list"},
	} {
		_, err := (&Library{}).Read("x.ksy", []byte(test.text))
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), test.want, name)
		assert.Less(t, len(err.Error()), 400, name)
	}
}

// TestImportsStayInTheirFolder tests that the description of a project reads nothing outside its folder, by a path or
// by a link, and that cyclic imports end.
func TestImportsStayInTheirFolder(t *testing.T) {
	top := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(top, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	write("secret.ksy", "meta: {id: secret}\nseq: [{id: a, type: u1}]")
	write("in/own.ksy", "meta: {id: own, imports: [part]}\nseq: [{id: a, type: part}]")
	write("in/part.ksy", "meta: {id: part, imports: [own]}\nseq: [{id: a, type: u1}]\ninstances: {o: {pos: 0, type: own}}")
	above := write("in/above.ksy", "meta: {id: above, imports: [../secret]}\nseq: [{id: a, type: secret}]")
	modeltest.Symlink(t, top, filepath.Join(top, "in", "link"))
	linked := write("in/linked.ksy", "meta: {id: linked, imports: [link/secret]}\nseq: [{id: a, type: secret}]")
	modeltest.Symlink(t, filepath.Join(top, "secret.ksy"), filepath.Join(top, "in", "file.ksy"))
	file := write("in/linkedfile.ksy", "meta: {id: linkedfile, imports: [file]}\nseq: [{id: a, type: secret}]")

	d, err := (&Library{}).Load(filepath.Join(top, "in/own.ksy"))
	require.NoError(t, err)
	assert.Len(t, d.Files, 2, "own is imported again and read once")
	for _, file := range []string{above, linked, file} {
		_, err := (&Library{}).Load(file)
		assert.ErrorContains(t, err, "is outside the folder of the description", file)
		_, err = (&Library{ImportsAnywhere: true}).Load(file)
		assert.NoError(t, err, "the user's own file may")
	}
}

// TestImportsAreBoundedTogether tests that a description and its imports share the limits.
func TestImportsAreBoundedTogether(t *testing.T) {
	folder := t.TempDir()
	for name, test := range map[string]struct{ text, want string }{
		"bytes": {"doc: " + strings.Repeat("x", maxFile/4), "bytes with its imports"},
		"signs": {"-a: [" + strings.Repeat("x,", maxSigns/4) + "]", "lines, commas, colons"},
		"nodes": {"-a: &a [" + strings.Repeat("x,", 500) + "x]\nseq: [{id: y, size: 1, -b: [" +
			strings.Repeat("*a,", 500) + "*a]}]", ""},
		"types": {"types: {" + manyTypes(maxTypes/4) + "}", "types"},
	} {
		var imports []string
		for i := range 5 {
			id := fmt.Sprintf("%s%d", name, i)
			require.NoError(t, os.WriteFile(filepath.Join(folder, id+".ksy"), []byte("meta: {id: "+id+"}\n"+test.text), 0o600))
			imports = append(imports, id)
		}
		_, err := (&Library{}).Read(filepath.Join(folder, "x.ksy"), []byte("meta: {id: x, imports: ["+strings.Join(imports, ", ")+"]}"))
		if test.want == "" {
			assert.NoError(t, err, name)
			continue
		}
		assert.ErrorContains(t, err, test.want, name)
	}
}

// manyTypes returns types in YAML.
func manyTypes(n int) string {
	types := new(strings.Builder)
	for i := range n {
		fmt.Fprintf(types, "t%d: {doc: x},", i)
	}
	return types.String()
}

func TestReadingOfHostileFilesEnds(t *testing.T) {
	var bomb bytes.Buffer
	z := zlib.NewWriter(&bomb)
	for range 40 {
		_, err := z.Write(make([]byte, 1<<20))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	for name, test := range map[string]struct {
		text string
		file []byte
		want string
	}{
		"a bomb":       {"seq: [{id: a, size-eos: true, process: zlib}]", bomb.Bytes(), "expand to more than"},
		"an empty key": {"seq: [{id: a, size: 1, process: 'xor([].as<bytes>)'}]", []byte{1}, "the key of xor is empty"},
		"no end":       {"seq: [{id: a, type: t, repeat: until, repeat-until: 'false'}]\ntypes: {t: {}}", []byte{1}, "empty elements"},
		"nesting":      {"seq: [{id: a, type: u1}, {id: b, type: test, if: not _io.eof}]", make([]byte, 1<<17), "nested deeper than"},
		"long texts":   {"instances:\n  a0: {value: '\"0123456789\"'}\n" + doublingInstances(60), []byte{1}, "the text would have"},
		"a negative":   {"instances: {a: {pos: -1, type: u1}}", []byte{1}, "pos is -1, outside of the 1 bytes"},
		"far away":     {"instances: {a: {pos: 0x7fffffffffffffff, type: u1}}", []byte{1}, "outside of the 1 bytes"},
		"needs itself": {"seq: [{id: x, size: 0, type: u}, {id: y, size: 0, type: v}]\n" +
			"instances: {i: {pos: 0, type: test}, j: {pos: 0, type: test}}\n" +
			"types: {u: {seq: [{id: a, type: u1, if: _parent.i.x.a == 1}]}, v: {seq: [{id: a, type: u1, if: _parent.j.x.a == 1}]}}",
			[]byte{1}, "if of a: a was not read"},
		"needs too many": {"instances:\n  a0: {value: 1}\n" + doublingInstances(1200), []byte{1}, "more than 1000 instances need one another"},
	} {
		doc, err := describe(t, test.text).Open(context.Background(),
			model.NewSource(name, bytes.NewReader(test.file), int64(len(test.file))))
		require.NoError(t, err, name)
		report, err := doc.Check(context.Background(), nil)
		require.NoError(t, err, name)
		var messages []string
		for _, p := range report.Problems {
			messages = append(messages, p.Message)
		}
		assert.Contains(t, strings.Join(messages, "\n"), test.want, name)
	}
}

// TestNestedLabelsAreBounded tests that labels of objects in the labels of one another do not multiply.
func TestNestedLabelsAreBounded(t *testing.T) {
	var types strings.Builder
	for i := range 30 {
		fmt.Fprintf(&types, "  t%d: {-webide-representation: '%s', seq: [{id: a, type: t%d}]}\n", i, strings.Repeat("{a}", 20), i+1)
	}
	d := openHex(t, "seq: [{id: a, type: t0}]\ntypes:\n"+types.String()+"  t30: {seq: [{id: n, type: u1}]}\n", "01")
	assert.Empty(t, d.Root().Child(0).Label())
}

// doublingInstances returns n instances, each twice the one before it, the last first.
func doublingInstances(n int) string {
	var text strings.Builder
	for i := n; i > 0; i-- {
		fmt.Fprintf(&text, "  a%d: {value: a%d + a%d}\n", i, i-1, i-1)
	}
	return text.String()
}
