package formats_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats"
	"assay/formats/gpb/gpbtest"
	"assay/formats/ppac/ppactest"
	"assay/model"
	"assay/model/export"
	"assay/model/scene"
	"assay/model/userdata"
)

// openGame returns a package with a bundle, its material and its texture, a picture of another format, and bytes that
// are named as a bundle. The types that are recorded of them say nothing.
func openGame(t *testing.T) *model.Document {
	t.Helper()
	var bundle, picture, archive bytes.Buffer
	require.NoError(t, gpbtest.Write(&bundle, gpbtest.Small(), gpbtest.V15, gpbtest.ByID))
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 5, 7))))
	const material = "material lambert1\n{\n technique {\n  sampler u_diffuseTexture\n  {\n   path = res/png/crate.png\n  }\n }\n}\n"
	targa := []byte{2: 2, 12: 1, 14: 1, 16: 24, 20: 255}
	a := ppactest.Archive{}
	for i, f := range []struct {
		name    string
		content []byte
	}{{"res/scene.gpb", bundle.Bytes()}, {"res/scene.material", []byte(material)},
		{"res/png/crate.png", picture.Bytes()}, {"", bundle.Bytes()}, {"res/rock.tga", targa},
		{"random.gpb", []byte("random")}} {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(0x100, 1, uint32(i)), Content: f.content,
			Codec: ppactest.Zlib})
		if f.name != "" {
			a.Assets[i].Metadata = ppactest.Pairs("filename", f.name)
		}
	}
	require.NoError(t, ppactest.Write(&archive, a))
	d, err := formats.Opener{}.Open(t.Context(), source("game.ppac", archive.Bytes()))
	require.NoError(t, err)
	return d
}

// TestAssetsHaveTheExportFormsOfTheirFiles exports assets of a package in the forms of their content.
func TestAssetsHaveTheExportFormsOfTheirFiles(t *testing.T) {
	d := openGame(t)
	forms := func(a *model.Payload) (names []string) {
		for _, f := range a.Forms {
			names = append(names, f.Name)
		}
		return names
	}
	whole := []string{"raw", "stored", "glb", "obj", "glb-unlit", "glb-lights", "glb-as-stored"}
	want := map[string][]string{"res/scene.gpb": whole, "res/scene.material": whole[:2], "res/png/crate.png": {"raw", "stored", "png"},
		"0100-0001-00000003.gpb": whole, "res/rock.tga": {"raw", "stored", "png"}, "random.gpb": whole}
	got, inBulk := make(map[string][]string), make(map[string][]string)
	for i := range d.Payloads.Len() {
		got[d.Payloads.At(i).Name] = forms(d.Payloads.At(i))
	}
	require.NoError(t, d.Payloads.(model.Describer).DescribeEach(t.Context(), 0, d.Payloads.Len(),
		func(_ int, a *model.Payload) bool {
			inBulk[a.Name] = forms(a)
			return true
		}))
	assert.Equal(t, want, got)
	assert.Equal(t, want, inBulk)

	write := func(name, form string) (string, error) {
		for i := range d.Payloads.Len() {
			for _, f := range d.Payloads.At(i).Forms {
				if d.Payloads.At(i).Name == name && f.Name == form {
					var b bytes.Buffer
					err := f.Write(t.Context(), &b)
					return b.String(), err
				}
			}
		}
		return "", errors.New("no such form")
	}
	glb, err := write("res/scene.gpb", "glb")
	var loss model.Loss
	if err != nil {
		require.ErrorAs(t, err, &loss)
	}
	assert.True(t, strings.HasPrefix(glb, "glTF"))
	assert.Contains(t, glb, "KHR_materials_unlit", "the material is looked for in the package")
	assert.NotContains(t, loss.Error(), "not there")
	drawn, err := write("res/rock.tga", "png")
	require.NoError(t, err)
	img, err := png.Decode(strings.NewReader(drawn))
	require.NoError(t, err)
	assert.Equal(t, image.Pt(1, 1), img.Bounds().Size())
	_, err = write("random.gpb", "glb")
	assert.EqualError(t, err, "nothing in it can be exported as glb")

	plan, err := export.NewPlan(t.Context(), export.DiscardFolder{}, []export.Pick{{From: d.Payloads, Count: 6}},
		export.Options{Usual: true})
	require.NoError(t, err)
	assert.Equal(t, "res/scene.gpb", plan.Item(0).Target, "the content is exported only if it is chosen")
}

// TestAssetsAreExportedAsSeveralFiles writes a bundle in a package as OBJ, whose files are known when the bundle is
// opened.
func TestAssetsAreExportedAsSeveralFiles(t *testing.T) {
	dir := t.TempDir()
	out := export.OpenDirectory(dir)
	defer out.Close()
	pick := func(i int) []export.Pick {
		return []export.Pick{{From: openGame(t).Payloads, Index: i, Count: 1, Form: "obj"}}
	}
	plan, err := export.NewPlan(t.Context(), out, pick(0), export.Options{})
	require.NoError(t, err)
	names := map[string]string{"res/scene.obj": "mtllib scene.mtl", "res/scene.mtl": "map_Kd crate.png",
		"res/crate.png": "PNG"}
	require.Equal(t, len(names), plan.Len())
	for i := range plan.Len() {
		assert.Contains(t, names, plan.Item(i).Target)
	}
	for r := range plan.Run(t.Context()).Rows() {
		assert.Equal(t, export.Exported, r.Outcome, "%s: %s", r.Path, r.Problem)
	}
	for name, part := range names {
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Contains(t, string(b), part, name)
	}
	plan, err = export.NewPlan(t.Context(), export.DiscardFolder{}, pick(5), export.Options{})
	require.NoError(t, err)
	assert.Equal(t, "nothing in it can be exported as obj", plan.Item(0).Problem, "what is no bundle")
}

// TestAssetsAreChosenByThePathsOfTheirContents chooses by the paths and the keys that a tree prints, although the list
// of assets is that of the index.
func TestAssetsAreChosenByThePathsOfTheirContents(t *testing.T) {
	d := openGame(t)
	for pattern, want := range map[string][]int{"/assets/res~1scene.gpb": {0}, "/assets/2": {2},
		"/assets/0100-0001-00000003": {3}, "/assets/res*": {0, 1, 2, 4}, "/assets/none": nil} {
		choose, err := export.NewChooser([]string{pattern})
		require.NoError(t, err)
		assert.Empty(t, choose.Choose(t.Context(), d.Payloads, "game.ppac", ""))
		leads, err := choose.Follow(t.Context(), []*model.Document{d})
		require.NoError(t, err)
		assert.Equal(t, want != nil, leads, pattern)
		var found []int
		for _, p := range choose.Choose(t.Context(), d.Payloads, "game.ppac", "") {
			for i := range p.Len() {
				found = append(found, p.Index+i)
			}
		}
		assert.Equal(t, want, found, pattern)
	}
}

// TestABundleInAPackageHasItsMaterialsFromThere opens a bundle inside of a package that has its material and its
// texture.
func TestABundleInAPackageHasItsMaterialsFromThere(t *testing.T) {
	d := openGame(t)
	src, err := d.Nested(t.Context(), d.Payloads.At(0), model.ExpandLimit)
	require.NoError(t, err)
	defer src.Close()
	in, err := formats.Opener{}.Open(t.Context(), src)
	require.NoError(t, err)
	v, err := in.View(t.Context(), in.Root())
	require.NoError(t, err)
	var m *scene.Material
	v.(*scene.Scene).Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh != nil {
			m = n.Material(0)
		}
	})
	require.NotNil(t, m)
	require.NotNil(t, m.Texture, "%v", v.(*scene.Scene).Missing)
	assert.Equal(t, "res/png/crate.png", m.Texture.Texture.Path)
	img, err := m.Texture.Texture.Image(t.Context())
	require.NoError(t, err)
	assert.Equal(t, image.Pt(5, 7), img.Bounds().Size())
}

// TestPartsOfABundleInAPackageAreAssignedByHand gives a part of a bundle inside of a package a picture of the package.
func TestPartsOfABundleInAPackageAreAssignedByHand(t *testing.T) {
	whole := openGame(t).Source
	b, err := whole.Bytes(model.Span{Size: whole.Size()})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "game.ppac")
	require.NoError(t, os.WriteFile(file, b, 0o600))
	store := userdata.AssignmentsIn(t.TempDir())
	look := func() *scene.Scene {
		src, err := model.OpenFile(file)
		require.NoError(t, err)
		t.Cleanup(func() { src.Close() })
		src.SetAssignments(store)
		d, err := formats.Opener{}.Open(t.Context(), src)
		require.NoError(t, err)
		inside, err := d.Nested(t.Context(), d.Payloads.At(0), model.ExpandLimit)
		require.NoError(t, err)
		t.Cleanup(func() { inside.Close() })
		in, err := formats.Opener{}.Open(t.Context(), inside)
		require.NoError(t, err)
		v, err := in.View(t.Context(), in.Root())
		require.NoError(t, err)
		return v.(*scene.Scene)
	}
	s := look()
	require.NotNil(t, s.Materials)
	assert.Equal(t, file, s.Materials.Root(), "what is assigned is kept for the package")
	all, err := s.Materials.List(t.Context())
	require.NoError(t, err)
	crate := model.Material{File: "res/png/crate.png"}
	assert.Equal(t, []model.Material{{File: "res/scene.material", ID: "lambert1"}, crate, {File: "res/rock.tga"}}, all)
	var mesh *scene.Mesh
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh != nil {
			mesh = n.Mesh
		}
	})
	require.NotNil(t, mesh)
	require.NoError(t, store.Set(file, []model.Assignment{{Material: crate,
		To: model.Target{File: mesh.File, Mesh: mesh.Name, Part: model.AllParts}}}))
	var m *scene.Material
	look().Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh != nil {
			m = n.Material(0)
		}
	})
	require.NotNil(t, m)
	assert.Equal(t, crate, m.Origin)
	img, err := m.Texture.Texture.Image(t.Context())
	require.NoError(t, err)
	assert.Equal(t, image.Pt(5, 7), img.Bounds().Size())
}
