package assets_test

import (
	"math"

	"assay/model"
)

type vec [3]float64

func (a vec) plus(b vec) vec            { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) minus(b vec) vec           { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) times(f float64) vec       { return vec{a[0] * f, a[1] * f, a[2] * f} }
func (a vec) length() float64           { return math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2]) }
func (a vec) unit() vec                 { return a.times(1 / a.length()) }
func (a vec) floats() []float32         { return []float32{grid(a[0]), grid(a[1]), grid(a[2])} }
func floats(m [16]float32) []float32    { return m[:] }
func spanOf(n model.Numbers) model.Span { return model.Span{Offset: n.Offset, Size: n.Count * 4} }

func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// grid rounds to 1/16384, so that processors that multiply and add in one step give the same files.
func grid(f float64) float32 { return float32(math.Round(f*16384)/16384) + 0 }

func move(v vec) [16]float32 {
	return [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, grid(v[0]), grid(v[1]), grid(v[2]), 1}
}

// look is the place of something that looks along its negative z axis from one point to another.
func look(from, to vec) [16]float32 {
	z := from.minus(to).unit()
	x := vec{0, 1, 0}.cross(z).unit()
	y := z.cross(x)
	var m [16]float32
	for i, v := range []vec{x, y, z, from} {
		copy(m[4*i:], v.floats())
	}
	m[15] = 1
	return m
}
