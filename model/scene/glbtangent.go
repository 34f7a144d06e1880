package scene

// findNormalMaps records the meshes with normal maps: they need tangents.
func (b *glb) findNormalMaps() {
	b.usesNormalMap = make(map[*Mesh]bool)
	for _, n := range b.nodes {
		if n.Mesh == nil {
			continue
		}
		for i := range n.Mesh.Parts {
			if m := n.Material(i); m != nil && m.Normal != nil {
				b.usesNormalMap[n.Mesh] = true
			}
		}
	}
}

// texDirections are the sources of the tangent and the binormal of a vertex: along u and along v, over all its
// triangles.
type texDirections struct{ u, v [3]float64 }

// computeTangents computes the tangents of a mesh that has normals and texture coordinates but no tangents; ok is false
// if that is impossible.
func (b *glb) computeTangents(t *table) (c attribute, ok bool, err error) {
	normals := t.element(Normal, 0)
	if !normals.exists() || t.element(Tangent, 0).exists() || len(t.sets()[TexCoord]) == 0 {
		return c, false, nil
	}
	sums, err := t.sumTexDirections()
	if err != nil {
		return c, false, err
	}
	c = t.newAttribute("TANGENT", 4)
	for i, d := range sums {
		n, _ := unit(normals.vectorAt(i))
		up := toDouble(n)
		p, some := unit(perpendicular(d.u, up))
		if !some { // any direction perpendicular to the normal
			if p, some = unit(perpendicular([3]float64{1, 0, 0}, up)); !some {
				p = [3]float32{0, 1, 0}
			}
		}
		side := float32(1)
		if dot(cross(up, toDouble(p)), d.v) < 0 {
			side = -1
		}
		c.appendFloats(p[0], p[1], p[2], side)
	}
	return c, true, nil
}

// perpendicular returns the part of a direction that is perpendicular to a normal.
func perpendicular(v, normal [3]float64) (out [3]float32) {
	along := dot(v, normal)
	for k := range out {
		out[k] = float32(v[k] - along*normal[k])
	}
	return out
}

// sumTexDirections sums the texture directions of the triangles of each vertex.
func (t *table) sumTexDirections() ([]texDirections, error) {
	positions, uvs := t.element(Position, 0), t.element(TexCoord, t.sets()[TexCoord][0])
	sums := make([]texDirections, t.Count)
	vertexAt := func(i uint32) (p [3]float64, u, v float64) {
		uv := toDouble(uvs.vectorAt(int(i)))
		return toDouble(positions.vectorAt(int(i))), uv[0], uv[1]
	}
	for _, p := range t.Parts {
		idx, err := p.readIndices(t.Mesh)
		if err != nil {
			return nil, err
		}
		p.Primitive.EachTriangle(idx, func(a, b, c uint32) {
			if n := uint32(t.Count); a >= n || b >= n || c >= n {
				return
			}
			p, u0, v0 := vertexAt(a)
			q, u1, v1 := vertexAt(b)
			r, u2, v2 := vertexAt(c)
			u1, v1, u2, v2 = u1-u0, v1-v0, u2-u0, v2-v0
			sign := 1.0 // weighted by size: only the sign of the area in the texture matters
			if u1*v2-u2*v1 < 0 {
				sign = -1
			}
			var d texDirections
			for k := range p {
				e1, e2 := q[k]-p[k], r[k]-p[k]
				d.u[k], d.v[k] = sign*(e1*v2-e2*v1), sign*(e2*u1-e1*u2)
			}
			for _, i := range [3]uint32{a, b, c} {
				for k := range p {
					sums[i].u[k] += d.u[k]
					sums[i].v[k] += d.v[k]
				}
			}
		})
	}
	return sums, nil
}
