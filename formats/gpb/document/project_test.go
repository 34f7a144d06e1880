package document_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/document"
	"assay/formats/gpb/gpbtest"
	"assay/model"
	"assay/model/scene"
)

// project writes a project to disk and returns a function that opens one of its files.
func project(t *testing.T, files map[string][]byte) func(name string) *model.Document {
	t.Helper()
	root := t.TempDir()
	for name, b := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, b, 0o600))
	}
	return func(name string) *model.Document {
		src, err := model.OpenFile(filepath.Join(root, filepath.FromSlash(name)))
		require.NoError(t, err)
		t.Cleanup(func() { src.Close() })
		open := document.OpenText
		if strings.HasSuffix(name, ".gpb") {
			open = document.Open
		}
		d, err := open(context.Background(), src)
		require.NoError(t, err)
		return d
	}
}

// inProject writes a project to disk and returns a function that looks at one of its files.
func inProject(t *testing.T, files map[string][]byte) func(name string) *scene.Scene {
	t.Helper()
	open := project(t, files)
	return func(name string) *scene.Scene {
		d := open(name)
		v, err := d.View(context.Background(), d.Root())
		require.NoError(t, err)
		s, _ := v.(*scene.Scene)
		require.NotNil(t, s, "%s shows a scene", name)
		return s
	}
}

// crates is a bundle of nodes that have one mesh of two parts, and the materials that each names.
func crates(t *testing.T, nodes ...string) []byte {
	parts := []*gpb.MeshPart{gpbtest.Part(gpb.Triangles, gpb.Index16, 0, 1, 2), gpbtest.Part(gpb.Triangles, gpb.Index16,
		2, 1, 0)}
	s := &gpb.Scene{ID: "scene"}
	for _, n := range nodes {
		id, names, ok := strings.Cut(n, "=")
		m := &gpb.Model{Mesh: "#crate"}
		if ok {
			m.Materials = strings.Split(names, ",")
		}
		s.Nodes = append(s.Nodes, &gpb.Node{ID: id, Transform: gpbtest.Identity, Model: m})
	}
	moves := &gpb.Animations{ID: "__Animations__", List: []*gpb.Animation{{Name: "movements",
		Channels: []*gpb.Channel{gpbtest.Channel(s.Nodes[0].ID, 9)}}}}
	moves.List[0].Channels[0].Times = gpbtest.Uints(0, 2000)
	f := &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Mesh("crate", []gpb.VertexElement{{Usage: 1, Size: 3}}, 3, parts...)},
		Objects: []gpb.Object{s, moves}}
	return gpbtest.Encode(t, f, gpbtest.V15, gpbtest.ByID)
}

// colors is a text of materials that have a color each.
func colors(names ...string) []byte {
	var b strings.Builder
	for i, n := range names {
		fmt.Fprintf(&b,
			"material %s\n{\n  technique {\n    pass\n    {\n      u_diffuseColor = %d, 0, 0, 1\n    }\n  }\n}\n", n,
			i+1)
	}
	return []byte(b.String())
}

// worn returns the names of the materials of the parts of a node's mesh.
func worn(s *scene.Scene, node string) (names []string) {
	n := nodesOf(s)[node]
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

func TestMaterialsThatABundleNames(t *testing.T) {
	look := inProject(t, map[string][]byte{
		"res/a/crates.gpb":      crates(t, "both=wood,iron", "first=wood", "unknown=stone,iron", "nothing"),
		"res/a/crates.material": colors("wood", "iron"),
		"res/b/crates.gpb":      crates(t, "both=wood,iron"),
	})
	s := look("res/a/crates.gpb")
	assert.Equal(t, []string{"wood", "iron"}, worn(s, "both"))
	assert.Equal(t, []string{"wood", "none"}, worn(s, "first"), "one name is for the first part")
	assert.Equal(t, []string{"stone?", "iron"}, worn(s, "unknown"))
	assert.Equal(t, []string{"none", "none"}, worn(s, "nothing"))
	assert.Equal(t, []string{"res/a/crates.material has no material stone"}, s.Missing)
	assert.Same(t, nodesOf(s)["both"].Material(0), nodesOf(s)["first"].Material(0))

	s = look("res/b/crates.gpb")
	assert.Equal(t, []string{"wood?", "iron?"}, worn(s, "both"))
	assert.Equal(t, []string{"there is no crates.material beside the bundle, which names materials"}, s.Missing)
}

const level = `scene level
{
    path = res/crates.gpb
    ambientColor = 0.1, 0.2, 0.3
    node one
    {
        material = res/look.material#stone
        material[1] = look.material#gold
        translate = 1, 2, 3
        rotate = 0, 1, 0, 90
        scale = 2, 2, 2
    }
    node Chair
    {
        url = Table*
        material = res/look.material
    }
    node three : one
    {
        url = four
    }
    node lamp
    {
        light
        {
            type = POINT
            color = 1, 0.5, 0
            range = 9
        }
        node far
        {
            url = res/other.gpb#both
        }
    }
    node nowhere
    {
        url = res/none.gpb#x
    }
    node two
    {
        material = res/look.material#no
        material[0] = ../../out.material
        material[7] = res/look.material#gold
    }
}`

func TestScenes(t *testing.T) {
	look := inProject(t, map[string][]byte{
		"res/crates.gpb":      crates(t, "one=wood", "Table", "Table1", "two", "four"),
		"res/crates.material": colors("wood"),
		"res/look.material":   colors("first", "stone", "gold"), "res/other.gpb": crates(t, "both=first,last"),
		"res/other.material": colors("first"),
		"res/level.scene":    []byte(level), "res/boy.animation": []byte("animation a\n{\n frameCount = 100\n clip walk\n {\n begin = 25\n end = 50\n repeatCount = INDEFINITE\n }\n" +
			" clip wrong\n {\n begin = 60\n end = 5\n }\n}\n"),
	})
	s := look("res/level.scene")
	assert.Equal(t, "level", s.Name)
	assert.Equal(t, [3]float32{.1, .2, .3}, s.Ambient)
	n := nodesOf(s)
	assert.Equal(t, []string{"wood", "gold"}, worn(s, "one"), "what is given to a part wins over what is given to all")
	want := scene.TRS{Translation: [3]float32{1, 2, 3}, Rotation: [4]float32{1: 0.70710677, 3: 0.70710677},
		Scale: [3]float32{2, 2, 2}}.Matrix()
	assert.InDeltaSlice(t, want[:], n["one"].Transform[:], 1e-5)
	assert.Equal(t, []string{"first", "first"}, worn(s, "Chair"))
	assert.Equal(t, []string{"first", "first"}, worn(s, "Chair1"), "a * stands for the rest of the name")
	assert.Equal(t, []string{"stone", "gold"}, worn(s, "three"))
	assert.Nil(t, n["four"])
	require.NotNil(t, n["lamp"].Light)
	assert.Equal(t, scene.Light{Name: "lamp", Kind: scene.Point, Color: [3]float32{1, .5, 0}, Range: 9},
		*n["lamp"].Light)
	require.Len(t, n["lamp"].Children, 1)
	assert.Equal(t, "crate", n["lamp"].Children[0].Mesh.Name, "a node of another bundle")
	require.NotEmpty(t, s.Animations[0].Clips)
	assert.Equal(t, []*scene.Clip{{Name: "walk", Start: .5, End: 1, Speed: 1}}, s.Animations[0].Clips)
	for _, what := range []string{"res/none.gpb is not in the project",
		"../../out.material leads out of the project and is not followed",
		"res/look.material has no material no", "material[7] is for a part that two does not have",
		"the clip wrong of res/boy.animation is not a range of its 100 frames"} {
		assert.Contains(t, s.Missing, what)
	}

	s = look("res/crates.gpb")
	assert.Equal(t, []string{"wood", "gold"}, worn(s, "one"), "a bundle has the materials of the .scene beside it")
	assert.Equal(t, []string{"first", "first"}, worn(s, "Table"), "and its own names")
	assert.Equal(t, scene.Identity, nodesOf(s)["one"].Transform)
}

func TestMaterialsByCodeOnly(t *testing.T) {
	look := inProject(t, map[string][]byte{
		"res/a/duck.gpb": crates(t, "one", "two"), "res/materials/duck.material": colors("any"),
		"res/b/room.gpb": crates(t, "one", "two"), "res/b/room.material": colors("base", "two"),
	})
	s := look("res/a/duck.gpb")
	assert.Equal(t, []string{"any", "any"}, worn(s, "one"), "the only material")
	assert.Contains(t, s.Missing[len(s.Missing)-1], "no file says which materials the nodes have")
	s = look("res/b/room.gpb")
	assert.Equal(t, []string{"none", "none"}, worn(s, "one"))
	assert.Equal(t, []string{"two", "two"}, worn(s, "two"), "the material of the node's name")
}

// TestHostileScenes has parents that lead in circles, and more materials than are read.
func TestHostileScenes(t *testing.T) {
	var names []string
	for i := range 12_000 {
		names = append(names, fmt.Sprintf("m%d", i))
	}
	var entries strings.Builder
	for i := range 12_000 {
		fmt.Fprintf(&entries, "node n%d : n%d\n{\n material = res/a.material#m%d\n}\n", i, (i+1)%12_000, i)
	}
	look := inProject(t, map[string][]byte{
		"res/a.gpb": crates(t, names...), "res/a.material": colors(names...),
		"res/a.scene": []byte("scene a : a\n{\n path = res/a.gpb\n" + entries.String() + "}\n"),
	})
	s := look("res/a.scene")
	assert.NotEmpty(t, s.Roots)
}
