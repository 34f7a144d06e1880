package gpb_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/model"
)

// So it is in the engine: the string is not a reference.
func TestNodeEndsAfterAModelWithoutAReference(t *testing.T) {
	for name, minor := range map[string]gpbtest.Version{"1.1": gpbtest.V11, "1.2": gpbtest.V12, "1.5": gpbtest.V15} {
		for _, mesh := range []string{"m", "mesh", "other.gpb"} {
			t.Run(name+" "+mesh, func(t *testing.T) {
				node := func(id, mesh string) *gpb.Node {
					return &gpb.Node{ID: id, Transform: gpbtest.Identity, Model: &gpb.Model{Mesh: mesh}}
				}
				b := gpbtest.Encode(t, &gpb.File{Meshes: []*gpb.Mesh{gpbtest.Triangle("mesh")}, Objects: []gpb.Object{
					gpbtest.SceneOf(node("a", mesh), node("b", "#mesh"))}}, minor, gpbtest.ByID)
				d, report := open(t, b)
				assert.EqualValues(t, len(b), report.Accounted)
				assert.Equal(t, name, d.Variant)
				assert.Equal(t, model.None{}, value(t, d, "/objects/0/nodes/0/model"))
				assert.Equal(t, "#mesh", value(t, d, "/objects/0/nodes/1/model/mesh"))
				if len(mesh) == 1 {
					assert.Empty(t, report.Problems)
					return
				}
				require.Len(t, report.Problems, 1)
				assert.Equal(t, model.Warning, report.Problems[0].Severity)
				assert.Equal(t, "/objects/0/nodes/0/model", report.Problems[0].Path)
			})
		}
	}
}

func TestUnknownCameraTypeEndsTheObject(t *testing.T) {
	b := gpbtest.Encode(t, &gpb.File{Objects: []gpb.Object{gpbtest.SceneOf(&gpb.Node{ID: "n",
		Transform: gpbtest.Identity, Camera: &gpb.Camera{ID: "c", Aspect: 1}})}}, gpbtest.V12, gpbtest.ByID)
	f := read(t, b)
	camera := gpb.All[*gpb.Scene](f)[0].Nodes[0].Camera
	require.NotNil(t, camera)
	at := f.References[0].Offset
	assert.EqualValues(t, 1, b[at])
	b[at] = 3
	d, report := open(t, b)
	require.NotEmpty(t, report.Problems)
	assert.Equal(t, "a camera's type is 1 or 2, not 3", report.Problems[0].Message)
	assert.EqualValues(t, 3, value(t, d, "/objects/0/nodes/0/camera/cameraType"))
	_, err := d.Find("/objects/0/nodes/0/camera/aspectRatio")
	assert.Error(t, err)
}
