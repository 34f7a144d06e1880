package material_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/document"
	"assay/formats/gpb/gpbtest"
	"assay/formats/gpb/material"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

func TestMaterialsArePreviewedOnSpheres(t *testing.T) {
	full := filepath.Join(t.TempDir(), "a.material")
	text := `
// two materials
material red
{
    u_diffuseColor = 1, 0, 0, 1
    sampler u_diffuseTexture
    {
        path = gone.png
    }
}
material blue : red
{
    u_diffuseColor = 0, 0, 1, 1
}
`
	require.NoError(t, os.WriteFile(full, []byte(text), 0o600))
	src, err := model.OpenFile(full)
	require.NoError(t, err)
	defer src.Close()
	d, err := document.OpenText(t.Context(), src)
	require.NoError(t, err)
	look := func(n *model.Node) *scene.Scene {
		v, err := d.View(context.Background(), n)
		require.NoError(t, err)
		return v.(*scene.Scene)
	}
	all := look(d.Root())
	require.Len(t, all.Roots, 2)
	assert.Equal(t, []string{"red", "blue"}, []string{all.Roots[0].Name, all.Roots[1].Name})
	assert.Equal(t, float32(2.4), all.Roots[1].Transform[12], "beside it")
	assert.Equal(t, []string{"gone.png is not in the project"}, all.Missing)
	path, ok := d.FindKey("blue")
	require.True(t, ok)
	blue := d.At(path)
	one := look(blue)
	require.Len(t, one.Roots, 1)
	assert.Equal(t, [4]float32{0, 0, 1, 1}, one.Roots[0].Materials[0].Diffuse)
	inner := blue
	for inner.Len() > 0 {
		inner = inner.Child(inner.Len() - 1)
	}
	assert.Same(t, one, look(inner), "of a part of it the same")
	assert.Len(t, look(d.Root()).Roots, 2)
}

// TestNotesOfMaterialsAreLimited has more notes about the materials of a text than are stored.
func TestNotesOfMaterialsAreLimited(t *testing.T) {
	var text strings.Builder
	for i := range 30 {
		fmt.Fprintf(&text, "material m%d\n{\nsampler u_diffuseTexture\n{\npath = a.png\nwrapS = a\nwrapT = b\n"+
			"minFilter = c\nmagFilter = d\n}\n}\n", i)
	}
	s := gpbtest.SceneIn(t, map[string][]byte{"a.material": []byte(text.String()), "a.png": nil})("a.material")
	require.Len(t, s.Missing, 101)
	assert.Equal(t, "and 20 more messages", s.Missing[100])
}

func TestAnyOfManyMaterialsIsPreviewed(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "material m%d\n{\n}\n", i)
	}
	text.WriteString("// the end\n")
	d := gpbtest.Project(t, map[string][]byte{"a.material": []byte(text.String())})("a.material")
	look := func(n *model.Node) []*scene.Node {
		v, err := d.View(t.Context(), n)
		require.NoError(t, err)
		return v.(*scene.Scene).Roots
	}
	members := d.Root().Child(0)
	last := look(members.Child(39))
	require.Len(t, last, 1)
	assert.Equal(t, "m39", last[0].Name)
	assert.Len(t, look(members.Child(40)), 36, "a comment is none of them, so the first are")
}

const goldScene = `scene s
{
    path = res/a/crates.gpb
    node one
    {
        material[1] = look.material#gold
    }
}
`

func TestMaterialsArePreviewedOnTheirMeshes(t *testing.T) {
	open := gpbtest.Project(t, map[string][]byte{
		"res/a/crates.gpb":           gpbtest.Crates(t, "one=wood,iron"),
		"res/a/crates.material":      gpbtest.Colors("wood", "iron", "unused"),
		"res/b/level.scene":          []byte(goldScene),
		"res/b/look.material":        gpbtest.Colors("silver", "gold"),
		"crates.gpb":                 gpbtest.Crates(t, "other"),
		"res/c/broken.material":      gpbtest.Colors("wood"),
		"res/c/broken.gpb":           []byte("\xABGPB\xBB\r\n\x1A\n"),
		"res/d/far/bundles/only.gpb": gpbtest.Crates(t, "one", "plain"),
		"res/d/texts/only.material":  gpbtest.Colors("plain"),
	})
	meshes := func(name string) (all []string) {
		d := open(name)
		v, err := d.View(t.Context(), d.Root())
		require.NoError(t, err)
		for _, n := range v.(*scene.Scene).Roots {
			mesh := n.Mesh
			for ; mesh == nil; mesh = n.Mesh {
				n = n.Children[0]
			}
			all = append(all, n.Materials[0].Name+" on "+mesh.Name)
			if mesh.Name == "sphere" {
				continue
			}
			low, high, ok := mesh.Bounds(mesh.Parts, n.Transform)
			require.True(t, ok)
			for k := range 3 {
				assert.LessOrEqual(t, max(-low[k], high[k]), float32(1.001), name)
			}
		}
		return all
	}
	assert.Equal(t, []string{"wood on crate", "iron on crate", "unused on sphere"}, meshes("res/a/crates.material"))
	assert.Equal(t, []string{"silver on sphere", "gold on crate"}, meshes("res/b/look.material"), "by a scene beside it")
	assert.Equal(t, []string{"wood on sphere"}, meshes("res/c/broken.material"))
	assert.Equal(t, []string{"plain on crate"}, meshes("res/d/texts/only.material"), "in another folder")
}

// TestHeirsShareABudget has thousands of materials that inherit a long one: the work for a scene is limited.
func TestHeirsShareABudget(t *testing.T) {
	var text strings.Builder
	text.WriteString("material base\n{\n")
	text.WriteString(strings.Repeat("technique\n{\npass\n{\n}\n}\n", 20_000))
	text.WriteString("}\n")
	for i := range 300 {
		fmt.Fprintf(&text, "material m%d : base\n{\n}\n", i)
	}
	src := model.NewSource("a.material", strings.NewReader(text.String()), int64(text.Len()))
	all, err := properties.Read(t.Context(), src)
	require.NoError(t, err)
	out := &scene.Scene{}
	r := material.NewResources(t.Context(), projectOf(nil), out)
	of := material.Text{Project: r.Project, Path: "res/a.material", File: all}
	for _, n := range all.Children[1:] {
		m := material.Read(r, material.Description{Text: of, Namespace: n}, "", [3]float32{})
		require.NotNil(t, m)
	}
	assert.Contains(t, strings.Join(out.Missing, "\n"), "too many inherited namespaces; the rest is ignored")
}

func TestNoMaterialIsReadAfterTheContextEnds(t *testing.T) {
	text := "material a\n{\n}\n"
	all, err := properties.Read(t.Context(), model.NewSource("a.material", strings.NewReader(text), int64(len(text))))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	r := material.NewResources(ctx, projectOf(nil), &scene.Scene{})
	assert.False(t, r.Canceled())
	cancel()
	assert.True(t, r.Canceled())
	p := material.NewPreview(r.Project, all, func(context.Context) iter.Seq[*material.Assigner] {
		return func(func(*material.Assigner) bool) {}
	})
	_, err = p.Scene(ctx, nil)
	assert.ErrorIs(t, err, context.Canceled)
}
