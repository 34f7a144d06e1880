package gpbtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/document"
	"assay/model"
	"assay/model/scene"
)

// Project writes a project to disk and returns a function that opens one of its files.
func Project(t *testing.T, files map[string][]byte) func(name string) *model.Document {
	t.Helper()
	return ProjectIn(t, t.TempDir(), nil, files)
}

// ProjectIn writes a project to a folder and returns a function that opens one of its files, with assignments.
func ProjectIn(t *testing.T, root string, given model.Assignments, files map[string][]byte,
) func(name string) *model.Document {
	t.Helper()
	for name, b := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, b, 0o600))
	}
	return func(name string) *model.Document {
		src, err := model.OpenFile(filepath.Join(root, filepath.FromSlash(name)))
		require.NoError(t, err)
		t.Cleanup(func() { src.Close() })
		src.SetAssignments(given)
		open := document.OpenText
		if strings.HasSuffix(name, ".gpb") {
			open = document.Open
		}
		d, err := open(context.Background(), src)
		require.NoError(t, err)
		return d
	}
}

// SceneIn writes a project to disk and returns a function that looks at one of its files.
func SceneIn(t *testing.T, files map[string][]byte) func(name string) *scene.Scene {
	t.Helper()
	open := Project(t, files)
	return func(name string) *scene.Scene { return Shown(t, open(name)) }
}

// Shown returns the scene that a document shows.
func Shown(t *testing.T, d *model.Document) *scene.Scene {
	t.Helper()
	v, err := d.View(context.Background(), d.Root())
	require.NoError(t, err)
	s, _ := v.(*scene.Scene)
	require.NotNil(t, s, "%s shows a scene", d.Source.Name())
	return s
}

// Crates returns a bundle of nodes that have one mesh of two parts, and the materials that each names.
func Crates(t *testing.T, nodes ...string) []byte {
	parts := []*gpb.MeshPart{Part(gpb.Triangles, gpb.Index16, 0, 1, 2), Part(gpb.Triangles, gpb.Index16,
		2, 1, 0)}
	s := &gpb.Scene{ID: "scene"}
	for _, n := range nodes {
		id, names, ok := strings.Cut(n, "=")
		m := &gpb.Model{Mesh: "#crate"}
		if ok {
			m.Materials = strings.Split(names, ",")
		}
		s.Nodes = append(s.Nodes, &gpb.Node{ID: id, Transform: Identity, Model: m})
	}
	moves := &gpb.Animations{ID: "__Animations__", List: []*gpb.Animation{{Name: "movements",
		Channels: []*gpb.Channel{Channel(s.Nodes[0].ID, 9)}}}}
	moves.List[0].Channels[0].Times = Uints(0, 2000)
	f := &gpb.File{Meshes: []*gpb.Mesh{Mesh("crate", []gpb.VertexElement{{Usage: 1, Size: 3}}, 3, parts...)},
		Objects: []gpb.Object{s, moves}}
	return Encode(t, f, V15, ByID)
}

// Colors returns a text of materials that have a color each.
func Colors(names ...string) []byte {
	var b strings.Builder
	for i, n := range names {
		fmt.Fprintf(&b,
			"material %s\n{\n  technique {\n    pass\n    {\n      u_diffuseColor = %d, 0, 0, 1\n    }\n  }\n}\n", n,
			i+1)
	}
	return []byte(b.String())
}

// MaterialNames returns the names of the materials of the parts of a node's mesh.
func MaterialNames(s *scene.Scene, node string) (names []string) {
	n := NodesByName(s)[node]
	if n == nil || n.Mesh == nil {
		return nil
	}
	for i := range n.Mesh.Parts {
		name := "none"
		if m := n.Material(i); m != nil {
			if name = m.Name; m.Shading == scene.UnknownShading {
				name += "?"
			}
		}
		names = append(names, name)
	}
	return names
}

// NodesByName returns the nodes of a scene by their names.
func NodesByName(s *scene.Scene) map[string]*scene.Node {
	out := make(map[string]*scene.Node)
	s.Walk(func(n *scene.Node, _ scene.Matrix) { out[n.Name] = n })
	return out
}

// Source returns a bundle in memory, around which there is nothing.
func Source(b []byte) *model.Source {
	return model.NewSource("test.gpb", bytes.NewReader(b), int64(len(b)))
}

// Open opens a bundle in memory, and checks its document.
func Open(t testing.TB, b []byte) (*model.Document, *model.Report) {
	t.Helper()
	d, err := document.Open(t.Context(), Source(b))
	require.NoError(t, err)
	report, err := d.Check(t.Context(), nil)
	require.NoError(t, err)
	return d, report
}

// Payload returns the asset with that key.
func Payload(t testing.TB, d *model.Document, key string) *model.Payload {
	t.Helper()
	for i := range d.Payloads.Len() {
		if p := d.Payloads.At(i); p.Key == key {
			return p
		}
	}
	require.Fail(t, "no payload "+key)
	return nil
}

// BlackDDS returns a DDS file of four pixels of 32 bits, black and half transparent.
func BlackDDS() []byte {
	b := make([]byte, 128, 144)
	copy(b, "DDS \x7c")
	b[12], b[16], b[80], b[88] = 2, 2, 0x41, 32
	b[92+2], b[96+1], b[100], b[104+3] = 0xff, 0xff, 0xff, 0xff // where red, green, blue and alpha are
	return append(b, bytes.Repeat([]byte{0, 0, 0, 0x80}, 4)...)
}
