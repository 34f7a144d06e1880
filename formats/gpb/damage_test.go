package gpb_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

// small is a file with one of each common object.
func small() *gpb.File {
	skin := &gpb.Skin{BindShape: identity, Joints: []string{"#joint"}, BindPoses: gpbtest.Floats(identity[:]...)}
	return &gpb.File{
		References: []gpb.Reference{{ID: "ambient", Type: gpb.TypeLight}},
		Meshes:     []*gpb.Mesh{triangle("mesh")},
		Objects: []gpb.Object{
			&gpb.Scene{ID: "scene", ActiveCamera: "#cam", Nodes: []*gpb.Node{
				{ID: "body", Transform: at(1, 2, 3), Model: &gpb.Model{Mesh: "#mesh", Skin: skin, Materials: []string{"lambert1"}},
					Children: []*gpb.Node{{ID: "joint", Joint: true, Parent: "body", Transform: identity}}},
				{ID: "cam", Transform: identity, Camera: &gpb.Camera{ID: "camShape", Aspect: 1.5, Near: 1, Far: 10, FieldOfView: 45}},
				{ID: "lamp", Transform: identity, Light: &gpb.Light{ID: "lampShape", Kind: gpb.Spot, Range: 4, OuterAngle: 1}},
			}},
			&gpb.Animations{ID: "__Animations__", List: []*gpb.Animation{{Name: "walk", Channels: []*gpb.Channel{channel("joint", 9)}}}},
			font("font", 7),
		},
	}
}

// invariants are what holds of any bytes whatever.
func invariants(t testing.TB, b []byte) (*model.Document, *model.Report) {
	t.Helper()
	d, report := open(t, b)
	var gaps int64
	for _, g := range report.Gaps {
		gaps += g.Size
	}
	require.EqualValues(t, len(b), report.Accounted+gaps)

	owned := make([]bool, len(b))
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		require.True(t, n.Span.Within(int64(len(b))), "%s is at %s of %d", n.PathText(), n.Span, len(b))
		if n.Leaf() && n.Parent != nil {
			for i := n.Offset; i < n.End(); i++ {
				owned[i] = true
			}
		}
		if n.Link != nil && n.Link.Target != nil {
			if p, ok := n.Link.Target(); ok {
				require.NotNil(t, d.At(p))
			}
		}
		return true, nil
	}, nil))
	count := 0
	for _, o := range owned {
		if o {
			count++
		}
	}
	require.EqualValues(t, report.Accounted, count)
	for _, p := range report.Problems {
		require.NotEmpty(t, p.Message)
		require.True(t, p.Span.Offset >= 0 && p.Span.Offset <= int64(len(b)), "%s", p.Message)
	}
	require.NoError(t, d.Dump(context.Background(), io.Discard, report))
	return d, report
}

func TestEveryTruncation(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.V11, gpbtest.V15} {
		whole := write(t, small(), v, gpbtest.ByID)
		for n := range len(whole) {
			_, report := invariants(t, whole[:n])
			require.True(t, report.Bad(), "%s, %d of %d bytes", v.Name, n, len(whole))
		}
	}
}

func TestEveryByteFlipped(t *testing.T) {
	for mask, v := range map[byte]gpbtest.Version{0x01: gpbtest.V10a, 0xFF: gpbtest.V11, 0x80: gpbtest.V11Document, 0x7F: gpbtest.V15} {
		whole := write(t, small(), v, gpbtest.ByID)
		for i := range whole {
			b := bytes.Clone(whole)
			b[i] ^= mask
			invariants(t, b)
		}
	}
}

func TestEveryNumberAtItsLimit(t *testing.T) {
	whole := write(t, small(), gpbtest.V12, gpbtest.ByID)
	for i := range len(whole) - 4 {
		b := bytes.Clone(whole)
		copy(b[i:], "\xff\xff\xff\xff")
		invariants(t, b)
	}
}

// keys gives the keys of the nodes that were read at the offsets where whole has them.
func keys(d *model.Document) map[string]int64 {
	out := make(map[string]int64)
	_ = model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if n.Key != "" && n.Type != "Reference" {
			out[n.Key] = n.Offset
		}
		return true, nil
	}, nil)
	return out
}

func TestSoundObjectsOfDamagedFilesAreShown(t *testing.T) {
	whole := write(t, small(), gpbtest.V12, gpbtest.ByID)
	sound := keys(requireSound(t, whole))
	place := func(id string) int { return int(sound[id]) }
	const table = 11 // the count of references

	tests := map[string]struct {
		at    int
		bytes string
		lost  []string
		path  string // of the first problem
	}{
		"count of references": {table, "\xff\xff\xff\xff", nil, "/references/count"},
		"count of meshes":     {place("mesh") - 4, "\xff\xff\xff\xff", nil, "/"},
		"no meshes":           {place("mesh") - 4, "\x00\x00\x00\x00", nil, "/objects"},
		"count of objects":    {place("scene") - 4, "\xff\xff\xff\x00", nil, "/"},
		"an object less":      {place("scene") - 4, "\x02\x00\x00\x00", nil, "/recovered"},
		"an object more":      {place("scene") - 4, "\x04\x00\x00\x00", nil, "/objects"},
		"vertex elements":     {place("mesh"), "\xff\xff\xff\xff", nil, "/meshes/0/vertexFormat"},
		"no vertex elements":  {place("mesh"), "\x00\x00\x00\x00", nil, "/meshes/0/vertices"},
		"vertex usage":        {place("mesh") + 4, "\x10\x00\x00\x00", nil, "/meshes/0/vertexFormat/0/usage"},
		"vertex size":         {place("mesh") + 8, "\xff\xff\xff\xff", nil, "/meshes/0/vertices"},
		"node type":           {place("body"), "\x03\x00\x00\x00", []string{"body"}, "/objects/0/nodes/0"},
		"children":            {place("body") + 72, "\x40\x42\x0f\x00", []string{"body"}, "/objects/0/nodes/0/children"},
		"camera type":         {place("camShape"), "\x09", []string{"cam"}, "/objects/0/nodes/1/camera"},
		"light type":          {place("lampShape"), "\xff", []string{"lamp"}, "/objects/0/nodes/2/light"},
		"channels":            {place("__Animations__") + 12, "\xff\xff\xff\xff", nil, "/objects/1/animations/0/channels"},
		"style":               {place("font") + 4 + len("Family of font"), "\x03\x00\x00\x00", nil, "/objects/2/style"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := bytes.Clone(whole)
			copy(b[test.at:], test.bytes)
			d, report := invariants(t, b)
			require.True(t, report.Bad())
			i := slices.IndexFunc(report.Problems, func(p model.Problem) bool { return p.Severity > model.Note })
			assert.Equal(t, test.path, report.Problems[i].Path, report.Problems[i].Message)
			got := keys(d)
			for key, off := range sound {
				if !slices.Contains(test.lost, key) && key != "joint TRANSLATE" {
					assert.Equal(t, off, got[key], key)
				}
			}
		})
	}
}

// TestDamageDoesNotChangeTheLayout has both layouts of 1.1 without most of their scene: what is left must not be read in
// the other one.
func TestDamageDoesNotChangeTheLayout(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.V10a, gpbtest.V11, gpbtest.V11Document, gpbtest.V12, gpbtest.V13, gpbtest.V14, gpbtest.V15} {
		whole := write(t, everything(v), v, gpbtest.ByID)
		variant := requireSound(t, whole).Variant
		for _, field := range []string{"__SCENE__", "root", "j0", "skinnedNode"} {
			b := bytes.Clone(whole)
			copy(b[keys(requireSound(t, whole))[field]:], "\xff\xff\xff")
			d, _ := invariants(t, b)
			assert.Equal(t, variant, d.Variant, "%s, %s broken", v.Name, field)
		}
	}
}

// TestHostileTable has thousands of references that lead into each other's objects.
func TestHostileTable(t *testing.T) {
	var b []byte
	b = append(b, "\xABGPB\xBB\r\n\x1A\n\x01\x01"...)
	const refs, body = 4000, 64 << 10
	b = le32(b, refs)
	first := len(b) + refs*16
	for i := range refs {
		b = le32(b, 4)
		b = append(b, fmt.Sprintf("%04x", i)...)
		b = le32(b, uint32(gpb.TypeMeshSkin))
		b = le32(b, uint32(first+8*i))
	}
	for range body / 4 {
		b = le32(b, 256)
	}
	_, report := open(t, b)
	assert.True(t, report.Bad())
}

func le32(b []byte, v uint32) []byte { return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24)) }

func FuzzOpen(f *testing.F) {
	for _, v := range gpbtest.Versions() {
		f.Add(write(f, small(), v, gpbtest.ByID))
		f.Add(write(f, everything(v), v, gpbtest.ByOffset))
	}
	f.Add(write(f, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{font("f", 4)}}, gpbtest.V15, gpbtest.ByID))
	f.Add(write(f, &gpb.File{Container: gpb.OneList, Objects: []gpb.Object{triangle("m"), sceneOf()}}, gpbtest.V12, gpbtest.ByID))
	f.Fuzz(func(t *testing.T, b []byte) { invariants(t, b) })
}
