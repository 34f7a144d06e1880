package contents

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

// bumpyStride is the number of floats of a vertex of bumpy: position, normal, texture coordinates.
const bumpyStride = 8

// bumpy returns a grid of 5 × 5 vertices at different heights.
func bumpy() *scene.Mesh {
	m := quad()
	var v floats
	var t indices
	for i := range uint32(25) {
		x, y := float32(i%5), float32(i/5)
		v = append(v, x, y, x*x/7-y*y/3+1, 0, 0, 1, x/4, y/5)
		if x < 4 && y < 4 {
			t = append(t, i, i+1, i+6, i, i+6, i+5)
		}
	}
	m.Count, m.Vertices = 25, v
	m.Parts = []*scene.Part{{Primitive: scene.Triangles, Indices: t}}
	return m
}

func TestMeshChangesAreDescribed(t *testing.T) {
	positions := func(v floats, do func(p []float32)) {
		for i := 0; i < len(v); i += bumpyStride {
			do(v[i : i+3])
		}
	}
	normals := func(v floats, do func(n []float32)) {
		positions(v[3:], do)
	}
	swap := func(v floats, a, b int) {
		for k := range bumpyStride {
			v[a*bumpyStride+k], v[b*bumpyStride+k] = v[b*bumpyStride+k], v[a*bumpyStride+k]
		}
	}
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		do    func(v floats, i indices)
		want  []string
		still bool // no visible changes
	}{
		"moved": {func(v floats, _ indices) { positions(v, func(p []float32) { p[0] += 10 }) },
			[]string{"25 of 25 positions moved by (10, 0, 0)", "UVs unchanged"}, false},
		"some moved": {func(v floats, _ indices) { v[1], v[9] = v[1]+2, v[9]+2 },
			[]string{"2 of 25 positions moved by (0, 2, 0)", "UVs unchanged"}, false},
		"scaled": {func(v floats, _ indices) {
			positions(v, func(p []float32) { p[0], p[1], p[2] = 100*p[0], 100*p[1], 100*p[2] })
		}, []string{"25 of 25 positions scaled by 100", "UVs unchanged"}, false},
		"rotated": {func(v floats, _ indices) {
			positions(v, func(p []float32) { p[0], p[2] = p[2], -p[0] })
		}, []string{"25 of 25 positions rotated by 90° about y", "normals unchanged", "UVs unchanged"}, false},
		"rotated with the normals": {func(v floats, _ indices) {
			positions(v, func(p []float32) { p[0], p[2] = p[2], -p[0] })
			normals(v, func(n []float32) { n[0], n[2] = n[2], -n[0] })
		}, []string{"25 of 25 positions rotated by 90° about y", "normals follow", "UVs unchanged"}, false},
		"moved, with other normals": {func(v floats, _ indices) {
			positions(v, func(p []float32) { p[0]++ })
			normals(v, func(n []float32) { n[0], n[1], n[2] = -n[0], -n[1], -n[2] })
		}, []string{"25 of 25 positions moved by (1, 0, 0)", "25 of 25 normals reversed", "UVs unchanged"}, false},
		"mirrored": {func(v floats, _ indices) { positions(v, func(p []float32) { p[0] = -p[0] }) },
			[]string{"20 of 25 positions mirrored in x", "UVs unchanged"}, false},
		"mirrored UVs": {func(v floats, _ indices) {
			for i := 6; i < len(v); i += bumpyStride {
				v[i] = 1 - v[i]
			}
		}, []string{"20 of 25 UVs mirrored in u"}, false},
		"winding": {func(_ floats, i indices) {
			for k := 0; k < len(i); k += 3 {
				i[k], i[k+1] = i[k+1], i[k]
			}
		}, []string{"winding of 32 of 32 triangles reversed"}, false},
		"triangle order": {func(_ floats, i indices) {
			for k := range 3 {
				i[k], i[k+9] = i[k+9], i[k]
			}
		}, []string{"2 of 32 triangles at another index"}, true},
		"corner order": {func(_ floats, i indices) { i[0], i[1], i[2] = i[1], i[2], i[0] },
			[]string{"corner order of 1 of 32 triangles changed"}, true},
		"two swapped": {func(v floats, i indices) {
			swap(v, 3, 9)
			for k, at := range i {
				if at == 3 || at == 9 {
					i[k] = 12 - at
				}
			}
		}, []string{"2 of 25 vertices at another index"}, true},
		"two swapped, indices kept": {func(v floats, _ indices) { swap(v, 0, 12) },
			[]string{"2 of 25 vertices at another index", "8 of 32 triangles with other corners"}, false},
		"became NaN": {func(v floats, _ indices) { v[8] = nan },
			[]string{"1 of 25 positions became NaN or infinite"}, false},
		"UVs became NaN": {func(v floats, _ indices) { v[6], v[7], v[15] = nan, nan, 5 },
			[]string{"1 of 25 UVs became NaN or infinite", "1 of 25 UVs changed"}, false},
		"noise": {func(v floats, _ indices) {
			positions(v, func(p []float32) { p[2] = math.Nextafter32(p[2], 100) })
		}, []string{"25 of 25 positions differ only by rounding"}, true},
		"noise and one moved": {func(v floats, _ indices) {
			positions(v, func(p []float32) { p[2] = math.Nextafter32(p[2], 100) })
			v[2]++
		}, []string{"1 of 25 positions moved by (0, 0, 1)", "UVs unchanged"}, false},
	} {
		m := bumpy()
		c.do(m.Vertices.(floats), m.Parts[0].Indices.(indices))
		got, err := CompareMeshes(t.Context(), &scene.Node{Mesh: bumpy()}, &scene.Node{Mesh: m}, Options{})
		require.NoError(t, err)
		assert.Equal(t, c.want, got.Texts(), name)
		assert.Equal(t, c.still, got.KeepsPositions() && !got.Visible && got.Touched[1] == nil, name)
		if _, far := got.Distances(); c.still {
			assert.False(t, slices.ContainsFunc(far, func(d float32) bool { return d != 0 }), name)
		}
	}
}

func TestNaNIsEqualToEqualBits(t *testing.T) {
	old, new := bumpy(), bumpy()
	for _, m := range []*scene.Mesh{old, new} {
		m.Vertices.(floats)[8], m.Vertices.(floats)[3] = float32(math.NaN()), float32(math.NaN())
	}
	got, err := Compare(t.Context(), &scene.Node{Mesh: old}, &scene.Node{Mesh: new}, Options{})
	require.NoError(t, err)
	assert.Empty(t, got)
	new.Vertices.(floats)[16] += .5
	got, err = Compare(t.Context(), &scene.Node{Mesh: old}, &scene.Node{Mesh: new}, Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"1 of 25 positions moved by (0.5, 0, 0)", "UVs unchanged"}, got.Texts())
}

func TestToleranceHoldsForMeshes(t *testing.T) {
	new := bumpy()
	for i := range new.Count {
		new.Vertices.(floats)[i*bumpyStride] += .004
	}
	new.Vertices.(floats)[1] += .5
	got, err := CompareMeshes(t.Context(), &scene.Node{Mesh: bumpy()}, &scene.Node{Mesh: new}, Options{Tolerance: .01})
	require.NoError(t, err)
	assert.Equal(t, []string{"1 of 25 positions moved by (0.004, 0.5, 0)", "UVs unchanged"}, got.Texts())
	_, far := got.Distances()
	assert.NotZero(t, far[0])
	assert.Zero(t, far[1])
}

func TestSplitVerticesDrawTheSame(t *testing.T) {
	new := bumpy()
	v, i := new.Vertices.(floats), new.Parts[0].Indices.(indices)
	new.Vertices, new.Count = append(v, v[:bumpyStride]...), new.Count+1
	i[0] = 25
	got, err := CompareMeshes(t.Context(), &scene.Node{Mesh: bumpy()}, &scene.Node{Mesh: new}, Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"25 → 26 vertices", "25 of the positions are in both", "drawn triangles unchanged"}, got.Texts())
	assert.True(t, got.KeepsPositions())
	assert.False(t, got.Visible)
}
