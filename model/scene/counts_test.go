package scene_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/scene"
)

func TestCountsOfAScene(t *testing.T) {
	mesh := &scene.Mesh{Count: 4, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
		{Usage: scene.TexCoord, Size: 2}, {Usage: scene.TexCoord, Set: 1, Size: 2}}}
	bone := &scene.Node{Name: "bone"}
	skin := &scene.Skin{Joints: []*scene.Node{bone, nil, bone}}
	s := &scene.Scene{Roots: []*scene.Node{{Mesh: mesh, Skin: skin}, {Mesh: mesh, Skin: skin}, bone,
		{Points: &scene.Points{Noun: "star", Count: 7}}}}
	assert.Equal(t, scene.Counts{Vertices: 8, UVSets: 2, Bones: 1, Points: 7, Noun: "star"}, s.Counts(),
		"a mesh counts where it is used, a joint once")
	wood, stone := &scene.Texture{Name: "wood", Path: "res/wood.png"}, &scene.Texture{Name: "stone.dds"}
	mesh.Parts = []*scene.Part{{Material: &scene.Material{Texture: &scene.Sampler{Texture: wood}}}, {}}
	s.Roots[1].Materials = []*scene.Material{nil, {Texture: &scene.Sampler{Texture: stone},
		Normal: &scene.Sampler{Texture: wood}, LightMap: &scene.Sampler{}}}
	assert.Equal(t, []string{"res/wood.png", "stone.dds"}, s.Counts().Textures, "each once; one was not found")
	assert.Zero(t, new(scene.Scene).Counts())
}
