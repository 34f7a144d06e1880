package gpb_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

func TestFilesOfTheExporterAreReadWhole(t *testing.T) {
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
			b := gpbtest.Encode(t, gpbtest.ExporterFile(test.animated, test.extra), test.version, gpbtest.ByOffset)
			whole := bytes.Clone(b)
			gpbtest.Miscount(b, test.miscount)
			d, report := checkInvariants(t, b)
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
			assert.Equal(t, test.rows, rows.ElementCount())
			if surplus, err := d.Find("/surplusReferences"); test.surplus > 0 {
				require.NoError(t, err)
				assert.Equal(t, test.surplus, surplus.ElementCount())
			} else {
				assert.Error(t, err)
			}
			f := read(t, b)
			assert.Equal(t, test.camera, f.Objects[0].(*gpb.Scene).ActiveCamera)
			assert.Equal(t, whole, gpbtest.Encode(t, f, test.version, gpbtest.ByOffset), "the typed content is all of the file")
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

// The mesh has more surplus indices than fit in one window of the cursor.
func TestLargeMeshOfTheExporterIsReadWhole(t *testing.T) {
	b := gpbtest.Encode(t, gpbtest.ExporterFile(false, 40_000), gpbtest.ExporterA, gpbtest.ByOffset)
	requireSound(t, b)
	for _, o := range read(t, b).Objects {
		if m, ok := o.(*gpb.Mesh); ok && m.ID == "quadmesh" {
			assert.EqualValues(t, 40_000, m.Surplus.Count)
			return
		}
	}
	assert.Fail(t, "there is no quadmesh")
}

// In layout c the last members of the Scene follow the surplus indices of the last mesh. The length of the camera's
// name can be the next index (7), and the surplus index the length of what is left before the ambient color (6).
func TestSurplusIndicesEndAtTheTail(t *testing.T) {
	for _, camera := range []string{"#Camera", "#C", ""} {
		f := gpbtest.ExporterFile(false, 1)
		f.Objects[0].(*gpb.Scene).ActiveCamera = camera
		f.Objects[1], f.Objects[2] = f.Objects[2], f.Objects[1]
		b := gpbtest.Encode(t, f, gpbtest.ExporterC, gpbtest.ByOffset)
		d, report := checkInvariants(t, b)
		assert.Empty(t, report.Gaps)
		assert.Equal(t, "1.2, laid out as the Blender exporter of 2013 (c)", d.Variant)
		got := read(t, b)
		assert.Equal(t, camera, got.Objects[0].(*gpb.Scene).ActiveCamera)
		assert.EqualValues(t, 1, got.Objects[2].(*gpb.Mesh).Surplus.Count)
	}
}

// The first file is one without its last mesh.
func TestDamagedFilesOfTheExporterAreReported(t *testing.T) {
	for _, v := range []gpbtest.Version{gpbtest.ExporterA, gpbtest.ExporterB, gpbtest.ExporterC} {
		whole := gpbtest.Encode(t, gpbtest.ExporterFile(true, 0), v, gpbtest.ByOffset)
		variant := requireSound(t, whole).Variant
		d, report := checkInvariants(t, whole[:len(whole)-60])
		assert.True(t, report.Bad())
		if v.Name != gpbtest.ExporterC.Name { // without its end it is like another
			assert.Equal(t, variant, d.Variant)
		}
		for i := range formatstest.Sweep(len(whole)) {
			checkInvariants(t, whole[:i])
		}
	}
}

func TestNullXrefsHaveNoValueInAnyLayout(t *testing.T) {
	for _, v := range gpbtest.Versions() {
		for size, v := range map[int64]gpbtest.Version{4: v, 5: v.WithHashes()} {
			f := &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("mesh")},
				Objects: []gpb.Object{&gpb.Scene{ID: "scene", ActiveCamera: "#", Nodes: []*gpb.Node{
					{ID: "absent", Parent: "#", Transform: gpbtest.Identity},
					{ID: "present", Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: "#mesh"}}}}}}
			d := requireSound(t, gpbtest.Encode(t, f, v, gpbtest.ByID))
			n, err := d.Find("/objects/0/nodes/0/model")
			require.NoError(t, err)
			assert.Equal(t, model.None{}, n.Value)
			assert.Equal(t, size, n.Size)
			camera, err := d.Find("/objects/0/activeCameraNode")
			require.NoError(t, err)
			assert.Nil(t, camera.Link)
			assert.Empty(t, camera.Problems())
		}
	}
}

func TestFontsWithTheUnicodeFlag(t *testing.T) {
	plain := gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{gpbtest.Font("f", 24,
		32)}}, gpbtest.V15Flag,
		gpbtest.ByID)
	d := requireSound(t, plain)
	assert.Equal(t, "1.5, laid out as 1.5 with a flag in fonts", d.Variant)
	assert.Equal(t, uint64(0), value(t, d, "/font/unicode"))
	assert.Equal(t, uint64(32), value(t, d, "/font/sizes/1/size"))
	assert.Equal(t, plain, gpbtest.Encode(t, read(t, plain), gpbtest.V15Flag, gpbtest.ByID))

	file := []byte("\x00\x01\x00\x00 a TrueType file")
	f := &gpb.Font{ID: "f", Family: "F", Unicode: true, FileSizes: gpbtest.Uints(12, 20), File: gpbtest.Bytes(file)}
	b := gpbtest.Encode(t, &gpb.File{Container: gpb.NoList, Objects: []gpb.Object{f}}, gpbtest.V15Flag, gpbtest.ByID)
	d = requireSound(t, b)
	assert.Equal(t, []any{uint64(12), uint64(20)}, value(t, d, "/font/sizes"))
	assert.Equal(t, b, gpbtest.Encode(t, read(t, b), gpbtest.V15Flag, gpbtest.ByID))
}
