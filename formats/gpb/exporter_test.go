package gpb_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
	"assay/model/scene"
)

// exported is a file as the exporter of 2013 wrote it: the Scene, maybe Animations, then the meshes, of faces whose
// corners each have a vertex; extra corners have an index that is not counted.
func exported(animated bool, extra uint32) *gpb.File {
	corners := func(from, n uint32) []uint32 {
		all := make([]uint32, n)
		for i := range all {
			all[i] = from + uint32(i)
		}
		return all
	}
	face := func(id string, n uint32) *gpb.Mesh {
		m := mesh(id, []gpb.VertexElement{{Usage: 1, Size: 3}, {Usage: 7, Size: 4}, {Usage: 6, Size: 4}}, int(n),
			gpbtest.Part(gpb.Triangles, gpb.Index32, corners(0, n)...))
		m.Bounds = gpb.Bounds{}
		return m
	}
	quad, triangle := face("quadmesh", 6), face("trianglemesh", 3)
	if extra > 0 {
		quad.Surplus = gpbtest.Uints(corners(6, extra)...)
	}
	skin := &gpb.Skin{Joints: []string{"#bone"}, BindPoses: gpbtest.Floats(identity[:]...)}
	s := &gpb.Scene{ID: "__SCENE__", ActiveCamera: "#Camera", Ambient: [3]float32{1, 1, 1}, Nodes: []*gpb.Node{
		{ID: "Lamp", Transform: identity,
			Light: &gpb.Light{ID: "lamp", Kind: gpb.Spot, Color: [3]float32{1, 0.25, 0.5}, OuterAngle: 1}},
		{ID: "quad", Transform: identity, Model: &gpb.Model{Mesh: "#quadmesh", Skin: skin}},
		{ID: "Armature", Joint: true, Transform: identity, Children: []*gpb.Node{
			{ID: "bone", Joint: true, Transform: identity,
				Children: []*gpb.Node{{ID: "tip", Parent: "#bone", Transform: identity}}}}},
		{ID: "Camera", Transform: identity, Parent: "#",
			Camera: &gpb.Camera{ID: "Cameracam", Aspect: 1.7, Near: 1, Far: 9, FieldOfView: 45}},
		{ID: "triangle", Transform: identity, Model: &gpb.Model{Mesh: "#trianglemesh"}},
	}}
	f := &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{s}}
	if animated {
		walk := &gpb.Animation{ID: "walk", Name: "walk", Channels: []*gpb.Channel{channel("bone", 17)}}
		f.Objects = append(f.Objects, &gpb.Animations{ID: "__animations__", List: []*gpb.Animation{walk}})
	}
	f.Objects = append(f.Objects, quad, triangle)
	return f
}

func TestFilesOfTheExporter(t *testing.T) {
	for name, test := range map[string]struct {
		version         gpbtest.Version
		animated        bool
		extra           uint32
		miscount        int
		rows, surplus   int // of the two lists of references
		tail            string
		variant, camera string
	}{
		"a": {gpbtest.ExporterA, false, 0, 0, 11, 0, "/objects/0/ambientColor", "(a)",
			"#Camera"},
		"a, animated": {gpbtest.ExporterA, true, 0, 0, 13, 0, "/objects/0/ambientColor", "(a)", "#Camera"},
		"a, too few references": {gpbtest.ExporterA, false, 0, -4, 7, 4, "/objects/0/ambientColor", "(a)",
			"#Camera"},
		"a, one reference counted": {gpbtest.ExporterA, false, 0, -10, 1, 10, "/objects/0/ambientColor", "(a)",
			"#Camera"},
		"a, too many references": {gpbtest.ExporterA, false, 0, 3, 11, 0, "/objects/0/ambientColor", "(a)",
			"#Camera"},
		"a, an impossible count": {gpbtest.ExporterA, false, 0, 1 << 30, 11, 0, "/objects/0/ambientColor", "(a)",
			"#Camera"},
		"a, indices not counted": {gpbtest.ExporterA, true, 5, 0, 13, 0, "/objects/0/ambientColor", "(a)", "#Camera"},
		"b":                      {gpbtest.ExporterB, false, 0, 0, 11, 0, "", "(b)", ""},
		"b, animated, too few":   {gpbtest.ExporterB, true, 1, -2, 11, 2, "", "(b)", ""},
		"c": {gpbtest.ExporterC, false, 0, 0, 11, 0, "/objects/0/ambientColor", "(c)",
			"#Camera"},
		"c, animated, not counted": {gpbtest.ExporterC, true, 2, 5, 13, 0, "/objects/0/ambientColor", "(c)", "#Camera"},
	} {
		t.Run(name, func(t *testing.T) {
			b := write(t, exported(test.animated, test.extra), test.version, gpbtest.ByOffset)
			whole := bytes.Clone(b)
			gpbtest.Miscount(b, test.miscount)
			d, report := invariants(t, b)
			assert.Empty(t, report.Gaps)
			assert.Empty(t, report.Overlaps)
			if test.miscount == 0 {
				requireSound(t, b)
			} else {
				require.Equal(t, model.Warning, report.Worst)
				assert.Equal(t, "/references/count", report.Problems[0].Path)
			}
			assert.Equal(t, "1.2, laid out as the Blender exporter of 2013 "+test.variant, d.Variant)

			rows, err := d.Find("/references")
			require.NoError(t, err)
			assert.Equal(t, test.rows, rows.Elements())
			if surplus, err := d.Find("/surplusReferences"); test.surplus > 0 {
				require.NoError(t, err)
				assert.Equal(t, test.surplus, surplus.Elements())
			} else {
				assert.Error(t, err)
			}
			f := read(t, b)
			assert.Equal(t, test.camera, f.Objects[0].(*gpb.Scene).ActiveCamera)
			assert.Equal(t, whole, write(t, f, test.version, gpbtest.ByOffset), "the typed content is all of the file")
			if test.tail != "" {
				n, err := d.Find(test.tail)
				require.NoError(t, err)
				assert.Equal(t, n.PathText(), d.Owner(n.Offset).PathText())
			}
			p, ok := d.FindKey("tip")
			require.True(t, ok)
			assert.Equal(t, "/objects/0/nodes/2/children/0/children/0", d.At(p).PathText())
			p, ok = d.FindKey("Cameracam")
			require.True(t, ok)
			assert.Equal(t, "Camera", d.At(p).Type)
		})
	}
}

func TestViewOfAFileOfTheExporter(t *testing.T) {
	d, _ := open(t, write(t, exported(false, 2), gpbtest.ExporterA, gpbtest.ByOffset))
	s := looked(t, d, "/").(*scene.Scene)
	assert.Equal(t, [3]float32{1, 0.5, 0.25}, s.Roots[0].Light.Color, "stored as red, blue, green")
	assert.Equal(t, scene.Identity, s.Roots[1].Skin.BindShape, "all zeros are none")
	assert.Equal(t, 6, s.Roots[1].Mesh.Count)
	assert.Equal(t, "quadmesh", looked(t, d, "/objects/1/parts").(*scene.Scene).Roots[0].Mesh.Name)
}

// TestDamagedFilesOfTheExporter has one without its last mesh, and one whose first node is broken.
func TestDamagedFilesOfTheExporter(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.ExporterA, gpbtest.ExporterB, gpbtest.ExporterC} {
		whole := write(t, exported(true, 0), v, gpbtest.ByOffset)
		variant := requireSound(t, whole).Variant
		d, report := invariants(t, whole[:len(whole)-60])
		assert.True(t, report.Bad())
		if v.Name != gpbtest.ExporterC.Name { // without its end it is like another
			assert.Equal(t, variant, d.Variant)
		}
		for i := range whole {
			invariants(t, whole[:i])
		}
	}
}

func TestNullXrefsInEveryLayout(t *testing.T) {
	for _, v := range gpbtest.Versions() {
		for size, v := range map[int64]gpbtest.Version{4: v, 5: v.WithHashes()} {
			f := &gpb.File{Meshes: []*gpb.Mesh{triangle("mesh")},
				Objects: []gpb.Object{&gpb.Scene{ID: "scene", ActiveCamera: "#", Nodes: []*gpb.Node{
					{ID: "absent", Parent: "#", Transform: identity},
					{ID: "present", Transform: identity, Model: &gpb.Model{Mesh: "#mesh"}}}}}}
			d := requireSound(t, write(t, f, v, gpbtest.ByID))
			n, err := d.Find("/objects/0/nodes/0/model")
			require.NoError(t, err)
			assert.Equal(t, model.None{}, n.Value)
			assert.Equal(t, size, n.Size)
			camera, err := d.Find("/objects/0/activeCameraNode")
			require.NoError(t, err)
			assert.Nil(t, camera.Link)
			assert.Empty(t, camera.Problems)
		}
	}
}

func TestFontsWithAFlag(t *testing.T) {
	plain := write(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{font("f", 24, 32)}}, gpbtest.V15Flag,
		gpbtest.ByID)
	d := requireSound(t, plain)
	assert.Equal(t, "1.5, laid out as 1.5 with a flag in fonts", d.Variant)
	assert.Equal(t, uint64(0), value(t, d, "/font/unicode"))
	assert.Equal(t, uint64(32), value(t, d, "/font/sizes/1/size"))
	assert.Equal(t, plain, write(t, read(t, plain), gpbtest.V15Flag, gpbtest.ByID))

	file := []byte("\x00\x01\x00\x00 a TrueType file")
	f := &gpb.Font{ID: "f", Family: "F", Unicode: true, InFile: gpbtest.Uints(12, 20), File: gpbtest.Bytes(file)}
	b := write(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}}, gpbtest.V15Flag, gpbtest.ByID)
	d = requireSound(t, b)
	assert.Equal(t, []any{uint64(12), uint64(20)}, value(t, d, "/font/sizes"))
	assert.Equal(t, b, write(t, read(t, b), gpbtest.V15Flag, gpbtest.ByID))
	p := payload(t, d, "f.ttf")
	assert.Equal(t, file, form(t, p, "raw"))
}
