package scene_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/scene"
)

func TestPartsOfAMatrixMakeItAgain(t *testing.T) {
	for name, want := range map[string]scene.TRS{
		"nothing": {Rotation: [4]float32{3: 1}, Scale: [3]float32{1, 1, 1}},
		"all": {Translation: [3]float32{1, 2, 3}, Rotation: [4]float32{.5, -.5, .5, .5},
			Scale: [3]float32{2, 3, 4}},
		"mirrored": {Rotation: [4]float32{0, 0.6, 0, 0.8}, Scale: [3]float32{-2, 3, 4}},
		"x turn":   {Rotation: [4]float32{1, 0, 0, 0}, Scale: [3]float32{1, 1, 1}},
		"y turn":   {Rotation: [4]float32{0, 1, 0, 0}, Scale: [3]float32{1, 1, 1}},
		"z turn":   {Rotation: [4]float32{0, 0, 1, 0}, Scale: [3]float32{1, 1, 1}},
		"tiny":     {Rotation: [4]float32{0, 0.6, 0, 0.8}, Scale: [3]float32{1e-6, 2e-6, 3e-6}},
	} {
		t.Run(name, func(t *testing.T) {
			got, exact := want.Matrix().Parts()
			assert.True(t, exact)
			assert.InDeltaSlice(t, want.Translation[:], got.Translation[:], 1e-6)
			assert.InDeltaSlice(t, want.Scale[:], got.Scale[:], 1e-5)
			assert.InDeltaSlice(t, want.Rotation[:], got.Rotation[:], 1e-5)
		})
	}
	for name, scale := range map[string][3]float32{"flat x": {0, 2, 3}, "flat y": {1, 0, 3}, "flat z": {1, 2, 0},
		"line": {0, 0, 3}, "point": {}} {
		t.Run(name, func(t *testing.T) {
			m := scene.TRS{Rotation: [4]float32{.5, -.5, .5, .5}, Scale: scale}.Matrix()
			got, exact := m.Parts()
			assert.True(t, exact)
			again := got.Matrix()
			assert.InDeltaSlice(t, m[:], again[:], 1e-5)
		})
	}
	bad := scene.Identity
	bad[3] = nan
	_, exact := bad.Parts()
	assert.False(t, exact)
	bad = scene.Identity
	bad[4] = .5
	_, exact = bad.Parts()
	assert.False(t, exact)
	bad = scene.Identity
	bad[0], bad[1] = math.MaxFloat32, math.MaxFloat32
	long, _ := bad.Parts()
	assert.EqualValues(t, math.MaxFloat32, long.Scale[0], "the length of the axis overflows a float")
}
