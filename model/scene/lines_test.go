package scene

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// reach returns the bounds of lines.
func reach(all []Segment) (low, high [3]float32) {
	low, high = all[0][0], all[0][0]
	for _, l := range all {
		for _, p := range l {
			for k := range 3 {
				low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
			}
		}
	}
	return low, high
}

func TestLinesOfCollisionShapesHaveTheirExtent(t *testing.T) {
	mesh := MeshBounds{Low: [3]float32{-1, 0, -1}, High: [3]float32{1, 4, 1}, Radius: 3}
	double := TRS{Translation: [3]float32{10, 0, 0}, Rotation: [4]float32{3: 1}, Scale: [3]float32{2, 2, 2}}.Matrix()
	for name, c := range map[string]struct {
		shape     Collision
		world     Matrix
		low, high [3]float32
	}{
		"the box of the mesh": {Collision{Shape: BoxCollision}, Identity,
			[3]float32{-1, 0, -1}, [3]float32{1, 4, 1}},
		"the mesh is scaled": {Collision{Shape: BoxCollision}, double,
			[3]float32{8, 0, -2}, [3]float32{12, 8, 2}},
		"a box of its own size": {Collision{Shape: BoxCollision, Size: [3]float32{2, 2, 2}, Absolute: true}, double,
			[3]float32{9, -1, -1}, [3]float32{11, 1, 1}},
		"a center beside the mesh": {Collision{Shape: BoxCollision, Center: [3]float32{0, 1, 0}}, Identity,
			[3]float32{-1, 1, -1}, [3]float32{1, 5, 1}},
		"a center beside a scaled mesh": {Collision{Shape: BoxCollision, Size: [3]float32{2, 2, 2},
			Center: [3]float32{0, 1, 0}}, double, [3]float32{9, 5, -1}, [3]float32{11, 7, 1}},
		"a sphere": {Collision{Shape: SphereCollision}, Identity,
			[3]float32{-3, -1, -3}, [3]float32{3, 5, 3}},
		"a sphere of its own": {Collision{Shape: SphereCollision, Radius: 1}, Identity,
			[3]float32{-1, 1, -1}, [3]float32{1, 3, 1}},
		"a capsule": {Collision{Shape: CapsuleCollision}, Identity,
			[3]float32{-1, 0, -1}, [3]float32{1, 4, 1}},
		"a capsule of its own": {Collision{Shape: CapsuleCollision, Radius: 2, Height: 10}, Identity,
			[3]float32{-2, -3, -2}, [3]float32{2, 7, 2}},
	} {
		low, high := reach(c.shape.Lines(c.world, mesh))
		assert.InDeltaSlice(t, c.low[:], low[:], 1e-3, name)
		assert.InDeltaSlice(t, c.high[:], high[:], 1e-3, name)
	}
	assert.Empty(t, (&Collision{Shape: MeshCollision}).Lines(Identity, mesh), "the triangles of the mesh are the shape")
}

func TestLinesOfLightsHaveTheirRange(t *testing.T) {
	low, high := reach((&Light{Kind: Directional}).Lines(Identity, 4))
	assert.InDelta(t, -4, low[2], 1e-4, "the light shines along negative z")
	assert.InDelta(t, 0, high[2], 1e-4)
	low, high = reach((&Light{Kind: Point, Range: 7}).Lines(Identity, 4))
	assert.InDeltaSlice(t, []float32{-7, -7, -7, 7, 7, 7}, append(low[:], high[:]...), 1e-3, "a sphere of the range")
	low, high = reach((&Light{Kind: Spot, Range: 2, Outer: math.Pi / 4}).Lines(Identity, 4))
	assert.InDeltaSlice(t, []float32{-2, -2, -2, 2, 2, 0}, append(low[:], high[:]...), 1e-3, "a cone")
}
