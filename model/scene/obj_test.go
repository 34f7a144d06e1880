package scene_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
)

// twoTriangles is a triangle, and its mirror image twice as large.
func twoTriangles() *scene.Scene {
	m := triangle("tri")
	mirror := scene.Identity
	mirror[0], mirror[5], mirror[12] = -2, 2, 10
	return &scene.Scene{Roots: []*scene.Node{{Name: "one", Transform: scene.Identity, Mesh: m},
		{Name: "two 2", Transform: mirror, Mesh: m, Materials: []*scene.Material{{Name: "dark blue"}}}}}
}

func dots() *scene.Scene {
	return &scene.Scene{Roots: []*scene.Node{{Name: "cloud", Transform: at(1, 0, 0), Points: &scene.Points{Count: 2,
		Read: func(first int, into []scene.Dot) error {
			for i := range into {
				into[i] = scene.Dot{Position: [3]float32{float32(first + i), 2, -.5}, Color: [4]uint8{255, 0, 51, 7}}
			}
			return nil
		}}}}}
}

func TestOBJ(t *testing.T) {
	var out bytes.Buffer
	lost, err := twoTriangles().WriteOBJ(t.Context(), &out, "tri.mtl")
	require.NoError(t, err)
	assert.Empty(t, lost)
	assert.Equal(t, `mtllib tri.mtl
o one
v 0 0 0
v 1 0 0
v 0 1 0
vn 0 0 1
vn 0 0 1
vn 0 0 1
usemtl red
f 1//1 2//2 3//3
o two_2
v 10 0 0
v 8 0 0
v 10 2 0
vn 0 0 1
vn 0 0 1
vn 0 0 1
usemtl dark_blue
f 4//4 6//6 5//5
`, out.String())
	out.Reset()
	require.NoError(t, twoTriangles().WriteMTL(t.Context(), &out))
	assert.Equal(t, "newmtl red\nKd 0.8 0.8 0.8\nnewmtl dark_blue\nKd 0.8 0.8 0.8\n", out.String())
	out.Reset()
	_, err = dots().WriteOBJ(t.Context(), &out, "none.mtl")
	require.NoError(t, err)
	assert.Equal(t, "o cloud\nv 1 2 -0.5 1 0 0.2\np 1\nv 2 2 -0.5 1 0 0.2\np 2\n", out.String())
}

func TestOBJOfEverything(t *testing.T) {
	var out bytes.Buffer
	lost, err := full().WriteOBJ(t.Context(), &out, "")
	require.NoError(t, err)
	for _, what := range []string{"animations are left out", "cameras are left out", "skins are left out", "lights are left out",
		"texture coordinates after the first are left out", "coordinates that are no numbers are 0", "indices of vertices that do not exist are left out"} {
		assert.Contains(t, strings.Join(lost, "\n"), what)
	}
	assert.Contains(t, out.String(), "\nf 1/1/1 2/2/2 3/3/3\nf 2/2/2 4/4/4 3/3/3\n", "a strip turns every other triangle")
	assert.Contains(t, out.String(), "\nl 1 2\n")
	assert.Contains(t, out.String(), "\np 4\n")
	assert.NotContains(t, out.String(), "NaN")
	assert.NotContains(t, out.String(), "Inf")
}
