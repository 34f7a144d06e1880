package dprsim

import "assay/model/scene"

// plane is an object without an end, of which a square is drawn: its node, across z, and d of ax + by + cz and d.
type plane struct {
	square *scene.Node
	d      float64
}

// unclear says why a plane is not drawn.
func unclear(p *plane) string {
	if p == nil {
		return ""
	}
	return ": the document does not say to which side d moves it"
}

// lay makes planes so large that they reach beyond everything else whose place is known.
func lay(planes []plane, all []*scene.Node, values map[string]string) {
	reach := float32(10)
	far := func(at ...float32) {
		for _, f := range at {
			reach = max(reach, f, -f)
		}
	}
	for _, n := range all {
		far(n.Transform[12:15]...)
		for _, part := range n.Children {
			far(part.Transform[0], part.Transform[5], part.Transform[10])
		}
	}
	for _, key := range []string{"CAMERA", "CAMERALOOK"} {
		if p, ok := place3(values[key]); ok {
			far(float32(p[0]), float32(p[1]), float32(p[2]))
		}
	}
	for _, p := range planes {
		size := scene.TRS{Rotation: [4]float32{3: 1}, Scale: [3]float32{2 * reach, 2 * reach, 1}}
		p.square.Transform = p.square.Transform.Times(size.Matrix())
	}
}

// across turns z to a direction; false if it has none.
func across(to [3]float64) (scene.Matrix, bool) {
	z := unit(to)
	x := unit(cross([3]float64{1: 1}, z))
	if x == ([3]float64{}) { // along y
		x = [3]float64{1}
	}
	y := cross(z, x)
	m := scene.Identity
	for k := range 3 {
		m[k], m[4+k], m[8+k] = float32(x[k]), float32(y[k]), float32(z[k])
	}
	return m, z != [3]float64{}
}
