package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/render"
	"assay/model/scene"
)

// marked returns the number of pixels that differ with marks.
func marked(t *testing.T, s *scene.Scene, m render.Marks) (count int) {
	before := draw(t, s, front, 100)
	v := front
	v.Marks = m
	after := draw(t, s, v, 100)
	for i := range 100 * 100 {
		if before.NRGBAAt(i%100, i/100) != after.NRGBAAt(i%100, i/100) {
			count++
		}
	}
	return count
}

func TestCollisionShapesAndLightsAreDrawnOnRequest(t *testing.T) {
	plain := sceneOf(triangle(1, 0, 1, 0, 0))
	assert.Zero(t, marked(t, plain, render.Marks{Collisions: true, Lights: true}), "the scene has none")
	for _, shape := range []scene.CollisionShape{scene.BoxCollision, scene.SphereCollision, scene.CapsuleCollision,
		scene.MeshCollision} {
		n := triangle(1, 0, 1, 0, 0)
		n.Collision = &scene.Collision{Shape: shape}
		s := sceneOf(n)
		m, err := render.Load(t.Context(), s)
		require.NoError(t, err)
		assert.True(t, m.HasCollisions())
		assert.Positive(t, marked(t, s, render.Marks{Collisions: true}), "shape %d", shape)
	}
	for _, kind := range []scene.LightKind{scene.Directional, scene.Point, scene.Spot} {
		lamp := &scene.Node{Transform: scene.Identity, Light: &scene.Light{Kind: kind, Color: [3]float32{1, 1, 0}}}
		s := sceneOf(triangle(1, 0, 1, 0, 0), lamp)
		assert.Positive(t, marked(t, s, render.Marks{Lights: true}), "light %d", kind)
	}
}

// The number of drawn lines is limited.
func TestAHundredThousandCollisionShapesAreDrawn(t *testing.T) {
	shape := &scene.Collision{Shape: scene.SphereCollision, Radius: 1}
	s := sceneOf(triangle(1, 0, 1, 0, 0))
	for range 100_000 {
		s.Roots = append(s.Roots, &scene.Node{Transform: scene.Identity, Collision: shape})
	}
	assert.Positive(t, marked(t, s, render.Marks{Collisions: true}))
}
