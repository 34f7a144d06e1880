package graph_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/graph"
)

// open opens a text of lines: "use FILE", "maybe FILE", "key KEY" and "use FILE KEY"; in a package "asset KEY NAME
// CONTENT" begins an asset, which the lines after it belong to. In a CONTENT, ; stands for the end of a line.
func open(_ context.Context, src *model.Source) (*model.Document, error) {
	all, err := src.Bytes(model.Span{Size: src.Size()})
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(all, []byte("BROKEN")) {
		return nil, errors.New("it is broken")
	}
	root := &model.Node{Type: "Root", Span: model.Span{Size: src.Size()}}
	d := model.NewDocument(src, "made", "", root)
	var nodes model.List
	var assets model.PayloadList
	keys := make(map[string]model.Path)
	for i, line := range strings.Split(strings.TrimSpace(string(all)), "\n") {
		words := append(strings.SplitN(line, " ", 4), "", "", "")
		n := &model.Node{Name: fmt.Sprint(i), Type: words[0], Parent: root, Index: i}
		nodes = append(nodes, n)
		switch words[0] {
		case "use", "maybe":
			n.Link = &model.Link{File: words[1], Key: words[2], Optional: words[0] == "maybe"}
		case "key":
			n.Link = &model.Link{Key: words[1], Target: func() (model.Path, bool) {
				p, ok := keys[words[1]]
				return p, ok
			}}
		case "asset":
			d.IsPackage = true
			content := strings.ReplaceAll(words[3], ";", "\n")
			keys[words[1]] = model.Path{i}
			n.Key = words[1]
			assets = append(assets, &model.Payload{Key: words[1], Name: words[2], Node: n, Codec: "made",
				Size:   int64(len(content)),
				Stored: model.Span{Offset: int64(i), Size: int64(len(content))},
				Open: func(context.Context) (io.ReadCloser, error) {
					return io.NopCloser(strings.NewReader(content)), nil
				}})
		}
		if len(assets) > 0 && words[0] != "asset" {
			n.Key = assets[len(assets)-1].Key
			if words[0] == "key" { // the key of a reference is not that of its node
				n.Key = ""
				holder := &model.Node{Name: n.Name, Type: "Holder", Key: assets[len(assets)-1].Key, Parent: root, Index: i}
				n.Name, n.Index, n.Parent = "0", 0, holder
				holder.SetChildren(model.List{n})
				nodes[i] = holder
			}
		}
	}
	root.SetChildren(nodes)
	d.Payloads = assets
	return d, nil
}

func builder() *graph.Builder {
	return &graph.Builder{Open: open, FindDuplicates: true,
		OpenFile: func(ctx context.Context, path string) (*model.Document, error) {
			src, err := model.OpenFile(path)
			if err != nil {
				return nil, err
			}
			return open(ctx, src)
		},
		Opens: func(name string) bool { return path.Ext(name) == ".made" }}
}

// build writes files and returns their graph.
func build(t *testing.T, files map[string]string) *graph.Graph {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
		require.NoError(t, os.WriteFile(to, []byte(content), 0o600))
	}
	g, err := builder().Build(t.Context(), dir)
	require.NoError(t, err)
	return g
}

func text(t *testing.T, g *graph.Graph, parts ...graph.Part) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, g.WriteText(&out, parts))
	return out.String()
}

func TestBuildFindsReferences(t *testing.T) {
	keyed := build(t, map[string]string{"a.made": "use b.made one\nuse b.made two\nuse b.made one", "b.made": ""})
	assert.Equal(t, []string{"one", "two"}, keyed.Uses[0].Keys, "the keys of the referenced nodes")
	for name, test := range map[string]struct {
		files      map[string]string
		uses, rest string
	}{
		"a file": {map[string]string{"a.made": "use sub/b.png\nuse sub/b.png", "sub/b.png": "1"},
			"a.made\n  uses sub/b.png, 2 times\n", "unused: a.made\n"},
		"a missing file": {map[string]string{"a.made": "use b.png"},
			"a.made\n  uses b.png (missing)\n",
			"missing: b.png (used by a.made at /0)\nunused: a.made\n"},
		"an absent optional file": {map[string]string{"a.made": "maybe b.png"}, "", "unused: a.made\n"},
		"a circle": {map[string]string{"a.made": "use b.made", "b.made": "use a.made"},
			"a.made\n  uses b.made\nb.made\n  uses a.made\n", ""},
		"itself": {map[string]string{"a.made": "use a.made"}, "", "unused: a.made\n"},
		"a file outside of the folder": {map[string]string{"a.made": "use ../../../../../etc/passwd"},
			"a.made\n  uses ../../../../../etc/passwd (missing)\n",
			"missing: ../../../../../etc/passwd (used by a.made at /0)\nunused: a.made\n"},
		"assets of a package": {map[string]string{"p.made": "asset 1 one x\nkey 2\nasset 2 two y\nkey 2\nkey 9\nasset 3 three z"},
			"p.made: one\n  uses p.made: two\np.made: two\n  uses 9 (missing)\n",
			"missing: 9 (used by p.made: two at /4/0)\nunused: p.made\nunused: p.made: one\n" +
				"unused: p.made: three\n"},
		"assets without references": {map[string]string{"p.made": "asset 1 one x\nasset 2 two y", "b.made": "use p.made"},
			"b.made\n  uses p.made\n", "unused: b.made\n"},
		"an asset of another file": {map[string]string{"p.made": "asset 1 one x", "b.made": "use p.made 1\nuse p.made 7"},
			"b.made\n  uses p.made: one\n  uses p.made\n", "unused: b.made\n"},
		"files in a package": {map[string]string{
			"p.made": "asset 1 res/in.made use png/b.png;use png/c.png\nasset 2 res/png/b.png xx"},
			"p.made: res/in.made\n  uses p.made: res/png/b.png\n  uses png/c.png (missing)\n",
			"missing: png/c.png (used by p.made: res/in.made at /1)\nunused: p.made\n" +
				"unused: p.made: res/in.made\n"},
	} {
		g := build(t, test.files)
		assert.Equal(t, test.uses, text(t, g, graph.UsesPart), name)
		assert.Equal(t, test.rest, text(t, g, graph.MissingPart, graph.UnusedPart), name)
	}
}

func TestBuildFindsDuplicates(t *testing.T) {
	g := build(t, map[string]string{"a.bin": "12345", "sub/b.bin": "12345", "c.bin": "54321", "empty": "", "e2": "",
		"a export/a.bin": "12345",
		"p.made":         "asset 1 one 12345\nasset 2 two 999\nasset 3 three 999"})
	assert.Equal(t, "3 duplicates of 5 bytes (10 redundant):\n  a.bin\n  p.made: one\n  sub/b.bin\n"+
		"2 duplicates of 3 bytes (3 redundant):\n  p.made: two\n  p.made: three\n", text(t, g, graph.DuplicatesPart))
}

// TestUnopenedFilesAreComparedForDuplicates reads files and assets that do not have the format of their extension.
func TestUnopenedFilesAreComparedForDuplicates(t *testing.T) {
	g := build(t, map[string]string{"a.made": "BROKEN", "p.made": "asset 1 in.made BROKEN\nasset 2 x.made BROKEN"})
	assert.Equal(t, "3 duplicates of 6 bytes (12 redundant):\n  a.made\n  p.made: in.made\n  p.made: x.made\n",
		text(t, g, graph.DuplicatesPart))
}

func TestUnreadableFilesHaveProblems(t *testing.T) {
	g := build(t, map[string]string{"a.made": "BROKEN", "b.made": "asset 1 in.made BROKEN\nasset 2 x x", "c.made": "use a.made"})
	assert.Equal(t, "c.made\n  uses a.made\n", text(t, g, graph.UsesPart), "the rest is read")
	problems := make(map[string]string)
	for i := range int32(g.Len()) {
		if p := g.Item(i).Problem; p != "" {
			problems[g.Title(i)] = p
		}
	}
	assert.Equal(t, map[string]string{"a.made": "it is broken", "b.made: in.made": "it is broken"}, problems)

	_, err := builder().Build(t.Context(), filepath.Join(t.TempDir(), "none"))
	assert.Error(t, err)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = builder().Build(ctx, t.TempDir())
	assert.ErrorIs(t, err, context.Canceled)
}

func TestASinglePackageIsNotUnused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.made")
	require.NoError(t, os.WriteFile(path, []byte("asset 1 one x\nkey 2\nasset 2 two y"), 0o600))
	g, err := builder().Build(t.Context(), path)
	require.NoError(t, err)
	assert.Equal(t, "unused: p.made: one\n", text(t, g, graph.UnusedPart))
}

// TestReferencesAreBounded reads a file with more references than the limit.
func TestReferencesAreBounded(t *testing.T) {
	var all strings.Builder
	for i := range 1<<18 + 1 {
		fmt.Fprintf(&all, "use ../%d.png\n", i)
	}
	g := build(t, map[string]string{"a.made": all.String()})
	assert.Equal(t, "it has more than 262144 references; only the first are listed", g.Item(0).Problem)
	assert.Len(t, g.Uses, 1<<18)
}

func TestGraphIsWrittenAsDOTAndJSON(t *testing.T) {
	g := build(t, map[string]string{"a.made": "use b.png\nuse \"gone\"", "b.png": "1", "c.png": "1"})
	var out bytes.Buffer
	require.NoError(t, g.WriteDOT(&out))
	assert.Equal(t, "digraph assay {\n  rankdir=LR;\n  node [shape=box];\n  t0 [label=\"a.made\"];\n  t1 [label=\"b.png\"];\n"+
		"  t0 -> t1;\n  m0 [label=\"\\\"gone\\\"\", style=dashed, color=red];\n  t0 -> m0;\n}\n", out.String())
	out.Reset()
	require.NoError(t, g.WriteJSON(&out, graph.Parts))
	assert.JSONEq(t, `{"uses":[{"file":"a.made","size":20,"needs":[
		{"to":{"file":"b.png","size":1},"name":"b.png","path":"/0","count":1},{"to":null,"name":"\"gone\"","path":"/1","count":1}]}],
		"missing":[{"name":"\"gone\"","from":{"file":"a.made","size":20},"path":"/1","count":1}],
		"unused":[{"file":"a.made","size":20},{"file":"c.png","size":1}],
		"twice":[{"size":1,"saved":1,"things":[{"file":"b.png","size":1},{"file":"c.png","size":1}]}]}`, out.String())
	out.Reset()
	require.NoError(t, g.WriteJSON(&out, []graph.Part{graph.UnusedPart}))
	var some map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(out.Bytes(), &some))
	assert.Len(t, some, 1, "only the requested part")
}

// failing is a file whose reads fail after a number of times.
type failing struct {
	*strings.Reader
	reads int
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if f.reads--; f.reads < 0 {
		return 0, errors.New("input/output error")
	}
	return f.Reader.ReadAt(p, off)
}

// TestFailedReadsAreProblems tests that a file has a problem if it was recognized but not read completely, by its
// decoder or for duplicates.
func TestFailedReadsAreProblems(t *testing.T) {
	for name, ofDuplicates := range map[string]bool{"its decoder": false, "a comparison": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.made"), []byte("use b"), 0o600))
			b := builder()
			b.FindDuplicates = ofDuplicates
			b.OpenFile = func(ctx context.Context, _ string) (*model.Document, error) {
				const content = "asset 1 one x\nasset 2 two y"
				src := model.NewSource("a.made", &failing{strings.NewReader(content), 1}, int64(len(content)))
				d, err := open(ctx, src)
				if err != nil {
					return nil, err
				}
				late := func() error {
					_, err := d.Source.Bytes(model.Span{Size: 1})
					return err
				}
				if !ofDuplicates {
					require.Error(t, late())
				}
				for i := range d.Payloads.Len() {
					d.Payloads.At(i).Open = func(context.Context) (io.ReadCloser, error) { return nil, late() }
				}
				return d, nil
			}
			g, err := b.Build(t.Context(), dir)
			require.NoError(t, err)
			assert.Contains(t, g.Item(0).Problem, "input/output error")
		})
	}
}
