package contents

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/compare"
	"assay/model/modeltest"
	"assay/model/scene"
)

// corner returns a triangle with a height.
func corner(height float32) *scene.Mesh {
	return &scene.Mesh{Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3}},
		Vertices: modeltest.Floats{0, 0, 0, 1, 0, 0, 0, height, 0},
		Parts:    []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2}}}}
}

func drawn(name string, height, x float32, below ...*scene.Node) *scene.Node {
	at := scene.Identity
	at[12] = x
	return &scene.Node{Name: name, Transform: at, Mesh: corner(height), Children: below}
}

func find(t *testing.T, s *scene.Scene, name string) (found *scene.Node) {
	t.Helper()
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Name == name {
			found = n
		}
	})
	require.NotNil(t, found, name)
	return found
}

func TestScenesAreColoredByStatus(t *testing.T) {
	old := &scene.Scene{Roots: []*scene.Node{drawn("stays", 1, 0), drawn("goes", 1, 0),
		drawn("was", 1, 0), drawn("moves", 1, 0), drawn("bends", 1, 0), drawn("top", 1, 0, drawn("inner", 1, 3))}}
	new := &scene.Scene{Roots: []*scene.Node{drawn("stays", 1, 0), drawn("comes", 1, 0), drawn("comes too", 1, 0),
		drawn("is", 1, 0), drawn("moves", 1, 5), drawn("bends", 3, 0), drawn("top", 1, 0), drawn("inner", 1, 3)}}
	s, err := compareScenes(t.Context(), (&compare.Comparison{}), old, new, map[string]string{"is": "was"})
	require.NoError(t, err)
	assert.Equal(t, compare.Counts{Same: 4, Moved: 1, Added: 2, Removed: 1, Changed: 1}, s.Counts)
	assert.EqualValues(t, 1, s.MovedVertices)
	assert.Equal(t, 2., s.MaxDistance)
	for name, status := range map[string]compare.Status{"stays": compare.Same, "comes": compare.Added, "comes too": compare.Added,
		"is":    compare.Same,
		"moves": compare.Moved, "inner": compare.Same} {
		assert.Equal(t, status.String(), find(t, s.New, name).Material(0).Name, name)
	}
	assert.Equal(t, "removed", find(t, s.Old, "goes").Material(0).Name)
	bends := find(t, s.New, "bends")
	at, size := bends.Mesh.Find(scene.Color, 0)
	require.Equal(t, []int{3, 3}, []int{at, size})
	all := make([]float32, 18)
	require.NoError(t, bends.Mesh.Vertices.Read(0, all))
	assert.Equal(t, toFloats(compare.Same.Color(compare.OnScene)), [3]float32(all[3:6]), "an unchanged corner")
	assert.Equal(t, toFloats(DistanceColor(1)), [3]float32(all[15:18]), "the corner that moved farthest")

	var ghosts []string
	s.Both.Walk(func(n *scene.Node, _ scene.Matrix) {
		if s.FromOld(n) && n.Mesh != nil {
			ghosts = append(ghosts, n.Name)
			assert.Equal(t, scene.AlphaBlend, n.Material(0).Alpha)
		}
	})
	assert.Equal(t, []string{"goes", "moves", "bends"}, ghosts)

	var changed []string
	s.Changes.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh != nil {
			changed = append(changed, n.Name)
		}
	})
	assert.ElementsMatch(t, []string{"comes", "comes too", "moves", "bends", "goes", "moves", "bends"}, changed)
	for i, name := range []string{"goes", "comes"} {
		assert.Equal(t, "same", find(t, s.Apart[i], "stays").Material(0).Name)
		assert.Nil(t, find(t, s.Apart[i], name).Material(0), "the material of the file")
	}

	// Unchanged parts are transparent and do not hide changes.
	assert.Equal(t, scene.AlphaBlend, find(t, s.New, "stays").Material(0).Alpha)
	assert.Less(t, find(t, s.New, "stays").Material(0).Diffuse[3], float32(.5))
	assert.Equal(t, scene.Opaque, find(t, s.New, "moves").Material(0).Alpha)
}

func TestReorderedVerticesAreMatched(t *testing.T) {
	grid := func(order []int, up float32) *scene.Mesh {
		m := &scene.Mesh{Count: len(order), Elements: []scene.Element{{Usage: scene.Position, Size: 3}}}
		var v modeltest.Floats
		for _, i := range order {
			y := float32(0)
			if i == 7 {
				y = up
			}
			v = append(v, float32(i), y, 0)
		}
		m.Vertices = v
		return m
	}
	old := grid([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0)
	reversed := grid([]int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, .25)
	p := &scenePair{c: new(compare.Comparison), ctx: context.Background(),
		meshes: make(map[[2]*scene.Mesh]*displacement)}
	moved := p.displacementOf(&scene.Node{Mesh: old}, &scene.Node{Mesh: reversed})
	assert.Equal(t, []float32{0, 0, .25, 0, 0, 0, 0, 0, 0, 0}, moved.new)
	assert.Equal(t, []float32{0, 0, 0, 0, 0, 0, 0, .25, 0, 0}, moved.old)
	turned := &scene.Node{Mesh: grid([]int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, 0)}
	assert.Nil(t, p.displacementOf(&scene.Node{Mesh: old}, turned).new, "another order is not a motion")
}

func TestOnlyVerticesThatChangedAreColored(t *testing.T) {
	lit := func(order []int, normal float32) *scene.Mesh {
		m := &scene.Mesh{Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
			{Usage: scene.Normal, Size: 3}}, Parts: []*scene.Part{{Primitive: scene.Triangles,
			Indices: modeltest.Indices{0, 1, 2}}}}
		all := []modeltest.Floats{{0, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1}, {0, 1, 0, 0, normal, 1}}
		var v modeltest.Floats
		for _, i := range order {
			v = append(v, all[i]...)
		}
		m.Vertices = v
		return m
	}
	same, changed := toFloats(compare.Same.Color(compare.OnScene)), toFloats(compare.Changed.Color(compare.OnScene))
	for _, order := range [][]int{{0, 1, 2}, {1, 2, 0}} { // of the new vertices
		s, err := compareScenes(t.Context(), (&compare.Comparison{}),
			&scene.Scene{Roots: []*scene.Node{{Name: "a", Mesh: lit([]int{0, 1, 2}, 0)}}},
			&scene.Scene{Roots: []*scene.Node{{Name: "a", Mesh: lit(order, 1)}}}, nil)
		require.NoError(t, err)
		assert.EqualValues(t, 1, s.Counts.Changed)
		for side, of := range []*scene.Scene{s.Old, s.New} {
			m := find(t, of, "a").Mesh
			at, _ := m.Find(scene.Color, 0)
			require.GreaterOrEqual(t, at, 0)
			all := make([]float32, m.Count*m.Stride())
			require.NoError(t, m.Vertices.Read(0, all))
			for i := range m.Count {
				vertex, want := all[i*m.Stride():], same
				if vertex[1] == 1 {
					want = changed
				}
				assert.Equal(t, want, [3]float32(vertex[at:][:3]), "%v: vertex %d of side %d", order, i, side)
			}
		}
	}
}

func TestTexturesAreComparedByTheirBytes(t *testing.T) {
	painted := func(path, bytes string) *scene.Scene {
		n := drawn("a", 1, 0)
		texture := &scene.Texture{Name: path, Path: path}
		if bytes != "" {
			texture.Open = func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(bytes)), nil
			}
		}
		n.Materials = []*scene.Material{{Texture: &scene.Sampler{Texture: texture}}}
		return &scene.Scene{Roots: []*scene.Node{n}}
	}
	for _, c := range []struct {
		name     string
		old, new *scene.Scene
		want     compare.Counts
	}{
		{"in another folder", painted("old/duck.png", "yellow"), painted("new/duck.png", "yellow"),
			compare.Counts{Same: 1}},
		{"painted again", painted("duck.png", "yellow"), painted("duck.png", "green"), compare.Counts{Changed: 1}},
		{"missing, of one name", painted("duck.png", ""), painted("duck.png", ""), compare.Counts{Same: 1}},
		{"missing, of two names", painted("duck.png", ""), painted("drake.png", ""), compare.Counts{Changed: 1}},
		{"gone", painted("duck.png", "yellow"), painted("duck.png", ""), compare.Counts{Changed: 1}},
	} {
		s, err := compareScenes(t.Context(), (&compare.Comparison{}), c.old, c.new, nil)
		require.NoError(t, err)
		assert.Equal(t, c.want, s.Counts, c.name)
	}
}

func TestPointsAreColoredByStatus(t *testing.T) {
	cloud := func(x ...float32) *scene.Scene {
		return &scene.Scene{Roots: []*scene.Node{{Name: "world", Transform: scene.Identity, Points: &scene.Points{
			Count: len(x), Edge: 1, Read: func(first int, into []scene.Dot) error {
				for i := range into {
					into[i] = scene.Dot{Position: [3]float32{x[first+i]}, Color: [4]uint8{1, 2, 3, 255}}
				}
				return nil
			}}}}}
	}
	colors := func(s *scene.Scene) (out []string) {
		p := s.Roots[0].Points
		dots := make([]scene.Dot, p.Count)
		require.NoError(t, p.Read(0, dots))
		for _, d := range dots {
			for status := range compare.Removed + 1 {
				if c := status.Color(compare.OnScene); [4]uint8{c.R, c.G, c.B, 255} == d.Color {
					out = append(out, status.String())
				}
			}
		}
		return out
	}
	s, err := compareScenes(t.Context(), (&compare.Comparison{}), cloud(1, 2, 3), cloud(1, 5, 3), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"same", "moved", "same"}, colors(s.New))
	assert.Equal(t, compare.Counts{Same: 2, Moved: 1}, s.Counts)
	s, err = compareScenes(t.Context(), (&compare.Comparison{}), cloud(1, 2, 3), cloud(1, 3), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"same", "removed", "same"}, colors(s.Old))
	assert.Equal(t, []string{"same", "same"}, colors(s.New))
}
