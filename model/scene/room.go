package scene

// IsRoom reports whether triangles are a hull that is to be seen from inside: they enclose much of the box that they
// fill, and face inward, as their normals do. each visits the triangles, by the numbers of their vertices.
func IsRoom(positions, normals [][3]float32, each func(see func(a, b, c uint32))) bool {
	const much = .3
	if normals == nil {
		return false
	}
	var low, high [3]float64
	first := true
	each(func(a, b, c uint32) {
		for _, i := range [3]uint32{a, b, c} {
			for k, v := range double(positions[i]) {
				if first || v < low[k] {
					low[k] = v
				}
				if first || v > high[k] {
					high[k] = v
				}
			}
			first = false
		}
	})
	var size, middle [3]float64
	for k := range size {
		size[k], middle[k] = high[k]-low[k], (low[k]+high[k])/2
	}
	volume, agrees := 0., 0.
	each(func(a, b, c uint32) {
		p := double(positions[a])
		face := cross(minus(double(positions[b]), p), minus(double(positions[c]), p))
		volume += dot(face, minus(p, middle)) / 6
		for _, i := range [3]uint32{a, b, c} {
			agrees += dot(face, double(normals[i]))
		}
	})
	return volume < -much*size[0]*size[1]*size[2] && agrees > 0
}

// isRoom reports whether a part of a mesh is a room.
func (m *Mesh) isRoom(p *Part) (bool, error) {
	t, err := m.table()
	if err != nil {
		return false, err
	}
	place, direction := t.element(Position, 0), t.element(Normal, 0)
	if !place.exists() || !direction.exists() {
		return false, nil
	}
	idx, err := p.readIndices(m)
	if err != nil {
		return false, err
	}
	positions, normals := make([][3]float32, m.Count), make([][3]float32, m.Count)
	for i := range m.Count {
		positions[i], normals[i] = place.vector(i), direction.vector(i)
	}
	return IsRoom(positions, normals, func(see func(a, b, c uint32)) {
		p.Primitive.EachTriangle(idx, func(a, b, c uint32) {
			if n := uint32(m.Count); a < n && b < n && c < n {
				see(a, b, c)
			}
		})
	}), nil
}
