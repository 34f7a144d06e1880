package viewport

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/modeltest"
	"assay/model/scene"
)

func TestTheUVLayoutIsBesideTheScene(t *testing.T) {
	s := moving()
	s.Roots[0].Mesh.Elements = append(s.Roots[0].Mesh.Elements, scene.Element{Usage: scene.TexCoord, Size: 2})
	s.Roots[0].Mesh.Vertices = modeltest.Floats{0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}
	s.Roots = append(s.Roots, &scene.Node{Name: "camera", Transform: scene.Identity})
	v, _ := shown(t, s)
	wide := v.canvas.size.Width
	v.canvas.TypedRune('u')
	assert.Less(t, v.canvas.size.Width, wide, "the scene makes room")
	assert.Equal(t, "n · 1 triangle", v.unwrap.caption.Text)
	assert.Greater(t, v.unwrap.picture.Image.Bounds().Dx(), 100)
	v.Select(s.Roots[1])
	assert.Equal(t, "No mesh selected.", v.unwrap.caption.Text)
	v.Select(s.Roots[0])
	assert.Equal(t, "n · 1 triangle", v.unwrap.caption.Text)
	v.canvas.TypedRune('u')
	assert.Equal(t, wide, v.canvas.size.Width)
}
