package render_test

import (
	"fmt"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

func BenchmarkDraw(b *testing.B) {
	for _, c := range []struct {
		triangles, samples int
		soft               bool
	}{{10_000, 1, false}, {100_000, 1, false}, {100_000, 1, true}, {100_000, 2, true}, {1_000_000, 1, false}} {
		b.Run(fmt.Sprintf("triangles=%d/samples=%d/soft=%v", c.triangles, c.samples, c.soft), func(b *testing.B) {
			m, err := render.Load(b.Context(), modeltest.Torus(c.triangles))
			require.NoError(b, err)
			img := image.NewNRGBA(image.Rect(0, 0, 800, 600))
			r := render.Renderer{Samples: c.samples, Soft: c.soft}
			v := render.View{Pitch: .5}
			for b.Loop() {
				v.Yaw += .05
				require.NoError(b, r.Draw(b.Context(), img, m, v))
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	s := modeltest.Torus(1_000_000)
	for b.Loop() {
		_, err := render.Load(b.Context(), s)
		require.NoError(b, err)
	}
}

func BenchmarkDrawCubes(b *testing.B) {
	const side = 70
	p := &scene.Points{Count: side * side * side, Edge: 1, Read: func(first int, into []scene.Dot) error {
		for i := range into {
			n := first + i
			into[i] = scene.Dot{Position: [3]float32{float32(n % side), float32(n / side % side),
				float32(n / side / side)}, Color: [4]uint8{uint8(n), 90, 60, 255}}
		}
		return nil
	}}
	m, err := render.Load(b.Context(), &scene.Scene{Roots: []*scene.Node{{Transform: scene.Identity, Points: p}}})
	require.NoError(b, err)
	img := image.NewNRGBA(image.Rect(0, 0, 800, 600))
	var r render.Renderer
	for b.Loop() {
		require.NoError(b, r.Draw(b.Context(), img, m, render.ThreeQuarter))
	}
}

// overlapping returns a scene of many instances of one mesh at one position.
func overlapping(instances, triangles int) *scene.Scene {
	one := modeltest.Torus(triangles).Roots[0]
	s := &scene.Scene{}
	for i := range instances {
		n := &scene.Node{Transform: scene.Identity, Mesh: one.Mesh}
		n.Transform[13] = float32(i) * 1e-4
		s.Roots = append(s.Roots, n)
	}
	return s
}

// BenchmarkDrawOverlapping fills the same pixels repeatedly.
func BenchmarkDrawOverlapping(b *testing.B) {
	for _, c := range []struct{ instances, triangles int }{{2000, 2000}, {20_000, 200}, {400_000, 8}} {
		b.Run(fmt.Sprintf("instances=%d/triangles=%d", c.instances, c.triangles), func(b *testing.B) {
			m, err := render.Load(b.Context(), overlapping(c.instances, c.triangles))
			require.NoError(b, err)
			img := image.NewNRGBA(image.Rect(0, 0, 256, 256))
			r := render.Renderer{Samples: 3, Soft: true}
			for b.Loop() {
				require.NoError(b, r.Draw(b.Context(), img, m, render.ThreeQuarter))
			}
		})
	}
}
