package render_test

import (
	"encoding/binary"
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

// FuzzDraw makes a scene of bytes: its transform, the elements of a vertex, a primitive, indices and coordinates.
func FuzzDraw(f *testing.F) {
	f.Add([]byte{4, 3, 0, 1, 2, 0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64}, 0.5, 0.2, 1.0)
	f.Add([]byte("a scene of letters and nothing else, which is as good as any other"), 1e300, -3.0, 0.01)
	f.Add([]byte{0xFF, 0xFF, 0x7F, 0x7F, 0xFF, 0xFF, 0x7F, 0xFF, 0, 0, 0xC0, 0x7F, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		math.Inf(1), 0.0, 0.0)
	f.Fuzz(func(t *testing.T, b []byte, yaw, pitch, distance float64) {
		if len(b) < 4 {
			return
		}
		floats := make(modeltest.Floats, len(b)/4)
		for i := range floats {
			floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		var idx modeltest.Indices
		for _, v := range b {
			idx = append(idx, uint32(int8(v)))
		}
		m := &scene.Mesh{Vertices: floats, Parts: []*scene.Part{{Primitive: scene.Primitive(b[0] % 8), Indices: idx},
			{Primitive: scene.Primitive(b[1] % 8)}}}
		for k, u := range []scene.Usage{scene.Position, scene.Normal, scene.Color} {
			m.Elements = append(m.Elements, scene.Element{Usage: u, Size: int(b[k] % 5)})
		}
		if s := m.Stride(); s > 0 {
			m.Count = len(floats) / s
		}
		n := &scene.Node{Transform: scene.Identity, Mesh: m}
		copy(n.Transform[:min(12, int(b[3]%17))], floats)
		n.Points = &scene.Points{Count: len(floats) / 3, Edge: floats[0],
			Read: func(first int, into []scene.Dot) error {
				for i := range into {
					copy(into[i].Position[:], floats[3*(first+i):])
				}
				return nil
			}}
		model, err := render.Load(t.Context(), &scene.Scene{Roots: []*scene.Node{n}})
		require.NoError(t, err)
		img := image.NewNRGBA(image.Rect(0, 0, 24, 18))
		r := render.Renderer{Samples: int(b[0] % 4), Soft: b[1]%2 == 0}
		for _, v := range []render.View{{Yaw: yaw, Pitch: pitch, Distance: distance}, render.ThreeQuarter} {
			require.NoError(t, r.Draw(t.Context(), img, model, v))
		}
	})
}
