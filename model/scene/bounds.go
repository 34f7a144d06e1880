package scene

import "math"

// Bounds returns the corners of the box around the vertices that some parts of the mesh use, moved by a matrix; ok is
// false if there are none.
func (m *Mesh) Bounds(parts []*Part, by Matrix) (low, high [3]float32, ok bool) {
	t, err := m.table()
	positions := t.element(Position, 0)
	if err != nil || !positions.exists() {
		return low, high, false
	}
	for i := range 3 {
		low[i], high[i] = math.MaxFloat32, -math.MaxFloat32
	}
	for _, p := range parts {
		indices, err := p.readIndices(m)
		if err != nil {
			continue
		}
		for _, i := range indices {
			if int(i) >= m.Count {
				continue
			}
			at, _ := positions.get(int(i))
			v := by.Apply([3]float32(at[:3]))
			if finite(v[0]) && finite(v[1]) && finite(v[2]) {
				ok = true
				for k := range 3 {
					low[k], high[k] = min(low[k], v[k]), max(high[k], v[k])
				}
			}
		}
	}
	return low, high, ok
}
