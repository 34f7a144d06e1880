package compose_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/gpbtest"
	"assay/model/scene"
)

// TestPictureOfTheSameNameIsSubstituted has a texture that is not where its material says: one of the same name
// elsewhere is drawn and written.
func TestPictureOfTheSameNameIsSubstituted(t *testing.T) {
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))))
	s := gpbtest.SceneIn(t, map[string][]byte{"res/a.gpb": gpbtest.Crates(t, "one=wood"),
		"res/old/wood.png": picture.Bytes(), "res/a.material": []byte("material wood\n{\n" +
			"sampler u_diffuseTexture\n{\npath = res/new/wood.png\n}\n}\n")})("res/a.gpb")
	const sentence = "guessed: res/old/wood.png by its name (res/new/wood.png was not found)"
	assert.Contains(t, s.Missing, sentence)
	assert.True(t, s.Incomplete)
	assert.Empty(t, s.Absent)
	texture := gpbtest.NodesByName(s)["one"].Material(0).Texture.Texture
	assert.Empty(t, texture.Missing)
	assert.Equal(t, sentence, texture.Substitution)

	var out bytes.Buffer
	_, err := s.WriteGLB(t.Context(), &out, scene.GLBOptions{})
	require.NoError(t, err)
	assert.Contains(t, out.String(), `"name":"wood","pbrMetallicRoughness":{"metallicFactor":0}`,
		"not the color of a material without its picture")
}
