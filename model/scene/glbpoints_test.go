package scene_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

// block returns a scene of cubes at some positions.
func block(edge float32, at ...[3]float32) *scene.Scene {
	return &scene.Scene{Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Points: &scene.Points{Name: "world",
		Count: len(at), Edge: edge,
		Read: func(first int, into []scene.Dot) error {
			for i := range into {
				into[i] = scene.Dot{Position: at[first+i], Color: [4]uint8{uint8(first + i), 2, 3, 255}}
			}
			return nil
		}}}}}
}

func TestGLBOfCubesHasTheirOuterSides(t *testing.T) {
	none := float32(math.NaN())
	p, lost := parse(t, block(2, [3]float32{0, 0, 0}, [3]float32{2, 0, 0}, [3]float32{2, 2.5, 0},
		[3]float32{none, 0, 0}))
	assert.Empty(t, lost)
	part := p.doc.Meshes[0].Primitives[0]
	assert.Equal(t, 4, part.Mode)
	positions, normals := p.numbers(part.Attributes["POSITION"]), p.numbers(part.Attributes["NORMAL"])
	require.Len(t, positions, 4*16, "two of three cubes share a side")
	indices := p.numbers(*part.Indices)
	require.Len(t, indices, 6*16)
	for i := 0; i < len(indices); i += 3 {
		a, b, c := positions[int(indices[i][0])], positions[int(indices[i+1][0])], positions[int(indices[i+2][0])]
		n := normals[int(indices[i][0])]
		var dot float32
		for k := range 3 {
			x, y := (k+1)%3, (k+2)%3
			dot += n[k] * ((b[x]-a[x])*(c[y]-a[y]) - (b[y]-a[y])*(c[x]-a[x]))
		}
		assert.InDelta(t, 4, dot, 1e-6, "triangle %d is counterclockwise from outside", i/3)
	}
	assert.Equal(t, []float32{-1, -1, -1}, p.doc.Accessors[part.Attributes["POSITION"]].Min)
	assert.Equal(t, []float32{3, 3.5, 1}, p.doc.Accessors[part.Attributes["POSITION"]].Max)
	assert.Equal(t, []float32{40, 40, 60, 65535}, p.numbers(part.Attributes["COLOR_0"])[63])

	p, lost = parse(t, block(1, [3]float32{none, 0, 0}))
	assert.Len(t, lost, 2, "no cube has a valid position, so they are points")
	assert.Zero(t, p.doc.Meshes[0].Primitives[0].Mode)
}

// A reader that used the alpha of these points as opacity would draw nothing.
func TestPointsOfGLBAreOpaque(t *testing.T) {
	for _, edge := range []float32{0, 1} {
		s := block(edge, [3]float32{}, [3]float32{5, 0, 0})
		points := s.Roots[0].Points
		read := points.Read
		points.Read = func(first int, into []scene.Dot) error {
			err := read(first, into)
			into[len(into)-1].Color[3] = 0
			return err
		}
		p, lost := parse(t, s)
		assert.Equal(t, []string{`the alpha of points is not exported (1, in "world")`}, lost)
		for _, c := range p.numbers(p.doc.Meshes[0].Primitives[0].Attributes["COLOR_0"]) {
			assert.EqualValues(t, 65535, c[3])
		}
	}
}
