package scene_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/scene"
)

func TestCountsAreOfUsesAndOfDistinctJointsAndTextures(t *testing.T) {
	mesh := &scene.Mesh{Count: 4, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
		{Usage: scene.TexCoord, Size: 2}, {Usage: scene.TexCoord, Set: 1, Size: 2}}}
	bone := &scene.Node{Name: "bone"}
	skin := &scene.Skin{Joints: []*scene.Node{bone, nil, bone}}
	s := &scene.Scene{Roots: []*scene.Node{{Mesh: mesh, Skin: skin}, {Mesh: mesh, Skin: skin}, bone,
		{Points: &scene.Points{Noun: "star", Count: 7}}}}
	assert.Equal(t, scene.Counts{Vertices: 8, UVSets: 2, Bones: 1, Points: 7, Noun: "star"}, s.Counts(),
		"a mesh counts for each node, a joint once")
	wood, stone := &scene.Texture{Name: "wood", Path: "res/wood.png"}, &scene.Texture{Name: "stone.dds"}
	mesh.Parts = []*scene.Part{{Material: &scene.Material{Texture: &scene.Sampler{Texture: wood}}}, {}}
	s.Roots[1].Materials = []*scene.Material{nil, {Texture: &scene.Sampler{Texture: stone},
		Normal: &scene.Sampler{Texture: wood}, LightMap: &scene.Sampler{}}}
	assert.Equal(t, []string{"res/wood.png", "stone.dds"}, s.Counts().Textures, "each once, with its path or its name")
	assert.Zero(t, new(scene.Scene).Counts())
}

func TestUnassignedPartsGetMaterialsOfSimilarNames(t *testing.T) {
	lit := &scene.Material{Name: "wood", Shading: scene.Lit, Origin: model.Material{File: "a.material", ID: "wood"}}
	blank := &scene.Material{Name: "sky", Shading: scene.Unlit, Diffuse: [4]float32{1, 1, 1, 1},
		Origin: model.Material{File: "skydome.material", ID: "sky"}}
	node := func(name string, materials ...*scene.Material) *scene.Node {
		m := triangle(name + "Shape")
		for len(m.Parts) < len(materials) {
			m.Parts = append(m.Parts, m.Parts[0])
		}
		return &scene.Node{Name: name, Transform: scene.Identity, Mesh: m, Materials: materials}
	}
	s := &scene.Scene{Roots: []*scene.Node{node("treeline0"), node("treeline1"), node("table", lit, nil),
		node("skydome", blank), node("box", lit), node("ufo")}}
	free := []model.Material{{File: "treeline.material", ID: "trees"}, {File: "a.material", ID: "wood"},
		{File: "b.material", ID: "table_top"}, {File: "c.material", ID: "box"}, {File: "skydome.png"}, {File: "t.png"}}
	got := s.Unassigned(free)
	assert.Equal(t, 3, got.Materials)
	to := func(node string, part int, file, id string) model.Assignment {
		return model.Assignment{To: model.Target{Node: node, Mesh: node + "Shape", Part: part},
			Material: model.Material{File: file, ID: id}}
	}
	assert.Equal(t, []model.Assignment{to("treeline0", model.AllParts, "treeline.material", "trees"),
		to("treeline1", model.AllParts, "treeline.material", "trees"), to("table", 1, "b.material", "table_top"),
		to("skydome", model.AllParts, "skydome.png", "")}, got.Pairs)
	assert.Zero(t, (&scene.Scene{Roots: []*scene.Node{node("box", lit)}}).Unassigned(free), "all parts have a material")
	s.Roots[0].Mesh.File = "res/a.gpb"
	assert.Equal(t, []string{"res/a.gpb"}, s.Files())
}
