package scene_test

import (
	"math"

	"assay/model/modeltest"
	"assay/model/scene"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

// triangle returns a mesh of one triangle with positions and normals.
func triangle(name string) *scene.Mesh {
	return &scene.Mesh{Name: name, Count: 3,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Normal, Size: 3}},
		Vertices: modeltest.Floats{0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1},
		Parts: []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2},
			Material: &scene.Material{Name: "red"}}}}
}

func translation(x, y, z float32) scene.Matrix {
	m := scene.Identity
	m[12], m[13], m[14] = x, y, z
	return m
}

func keyed(target *scene.Node, components []scene.Component, times, values []float32) *scene.Channel {
	return &scene.Channel{Target: target, TargetName: target.Name, Components: components,
		Read: func() ([]float32, []float32, error) { return times, values, nil }}
}

// full returns a scene with items of every kind.
func full() *scene.Scene {
	knee := &scene.Node{Name: "knee", Transform: translation(0, 1, 0)}
	hip := &scene.Node{Name: "hip", Transform: scene.Identity, Children: []*scene.Node{knee}}
	skinned := &scene.Mesh{Name: "leg", Count: 4,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.Normal, Size: 3},
			{Usage: scene.Tangent, Size: 3}, {Usage: scene.Binormal, Size: 3},
			{Usage: scene.TexCoord, Set: 2, Size: 2}, {Usage: scene.TexCoord, Set: 5, Size: 2},
			{Usage: scene.Color, Size: 4},
			{Usage: scene.Weights, Size: 4}, {Usage: scene.Joints, Size: 4}},
		Vertices: modeltest.Floats{
			0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 1, 0, 0, 0, .1, .2, 1, 1, 1, 1, .5, .5, 0, 0, 0, 1, 0, 0,
			1, 0, 0, 0, 0, 1, 1, 0, 0, 0, -1, 0, 1, 0, .1, .2, 1, 2, 0, 1, 1, 0, 1e35, nan, 1, 0, 1e30, 7,
			0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, .1, .2, 1, 0, 0, 1, -1, 0, 0, 0, 0, 0, 0, 0,
			1, 2, nan, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, .1, .2, 0, 0, 1, 1, .25, .5, 0, 0, 1, 1, 0, 0},
		Parts: []*scene.Part{
			{Primitive: scene.TriangleStrip, Indices: modeltest.Indices{0, 1, 2, 3}},
			{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2, 1, 2, 9, 0}},
			{Primitive: scene.LineStrip, Indices: modeltest.Indices{0, 1, 9, 2}},
			{Primitive: scene.PointList},
			{Primitive: scene.Triangles, Indices: modeltest.Indices{}}}}
	leg := &scene.Node{Name: "leg", Transform: scene.Identity, Mesh: skinned,
		Materials: []*scene.Material{{Name: "skin"}, nil, nil, {Name: "dots"}},
		Skin: &scene.Skin{Name: "skeleton", BindShape: translation(0, 0, 3), Joints: []*scene.Node{hip, knee},
			Inverse: []scene.Matrix{scene.Identity, translation(0, -1, 0)}}}
	mover := &scene.Node{Name: "mover", Transform: translation(1, 2, 3), Mesh: triangle("shared"),
		Camera: &scene.Camera{Name: "eye", Aspect: 1.5, FieldOfView: 1, Near: .1, Far: 100}}
	mover.Transform[0] = -2
	turned := scene.TRS{Translation: [3]float32{4, 5, 6}, Rotation: [4]float32{0.5, 0.5, -0.5, 0.5},
		Scale: [3]float32{1, 2, 3}}.Matrix()
	still := &scene.Node{Name: "still", Transform: turned, Mesh: mover.Mesh,
		Camera: &scene.Camera{Name: "map", Orthographic: true, Width: 8, Height: 6, Near: 1, Far: 50},
		Light: &scene.Light{Name: "lamp", Kind: scene.Spot, Color: [3]float32{1, .5, 4}, Range: 10, Inner: 2,
			Outer: 3}}
	sheared := &scene.Node{Name: "sheared", Transform: scene.Identity,
		Light: &scene.Light{Name: "sun", Color: [3]float32{1, 1, nan}},
		Points: &scene.Points{Name: "dots", Count: 5000, Read: func(first int, into []scene.Dot) error {
			for i := range into {
				into[i] = scene.Dot{Position: [3]float32{float32(first + i), -1, inf}, Color: [4]uint8{1, 2, 3, 255}}
			}
			return nil
		}}}
	sheared.Transform[4] = 1
	lost := &scene.Node{Name: "lost"}
	return &scene.Scene{Name: "full", Roots: []*scene.Node{leg, hip, mover, still, sheared, mover}, ActiveCamera: mover,
		Ambient: [3]float32{.1, .2, .3},
		Animations: []*scene.Animation{
			{Name: "walk", Channels: []*scene.Channel{
				keyed(mover, append(append(append([]scene.Component{}, scene.Scale...), scene.Rotate...),
					scene.Translate...), []float32{0, .5, .5, 1},
					[]float32{1, 1, 1, 0, 0, 0, 2, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 9, 9, 9, 0, 0, 0, 1, 0, 0, 0,
						2, 2, 2, 0, 0, 0, 0, 0, nan, 7}),
				keyed(knee, []scene.Component{scene.TranslateX}, []float32{0, 1}, []float32{5, 6}),
				keyed(knee, scene.Translate, []float32{0}, []float32{0, 0, 0}),
				keyed(lost, scene.Scale, []float32{0}, []float32{1, 1, 1})}},
			{Name: "nothing"}}}
}
