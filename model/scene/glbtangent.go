package scene

// findNormalMaps notes the meshes that are drawn with a texture of normals: they need tangents.
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

// directions are what the tangent and the binormal of a vertex are made of: along u and along v, of all its triangles.
type directions struct{ u, v [3]float64 }

// madeTangents makes the tangents of a mesh that has normals and texture coordinates but no tangents; ok is false if it
// cannot have any.
func (b *glb) madeTangents(t *table) (c column, ok bool, err error) {
	normals := t.element(Normal, 0)
	if !normals.exists() || t.element(Tangent, 0).exists() || len(t.sets()[TexCoord]) == 0 {
		return c, false, nil
	}
	sums, err := t.directions()
	if err != nil {
		return c, false, err
	}
	c = t.newColumn("TANGENT", 4)
	for i, d := range sums {
		n, _ := unit(normals.vector(i))
		up := double(n)
		p, some := unit(across(d.u, up))
		if !some { // any direction across the normal
			if p, some = unit(across([3]float64{1, 0, 0}, up)); !some {
				p = [3]float32{0, 1, 0}
			}
		}
		side := float32(1)
		if dot(cross(up, double(p)), d.v) < 0 {
			side = -1
		}
		c.put(p[0], p[1], p[2], side)
	}
	return c, true, nil
}

// across is the part of a direction that is across a normal.
func across(v, normal [3]float64) (out [3]float32) {
	along := dot(v, normal)
	for k := range out {
		out[k] = float32(v[k] - along*normal[k])
	}
	return out
}

// directions adds up for each vertex how its triangles lie under the texture.
func (t *table) directions() ([]directions, error) {
	positions, uvs := t.element(Position, 0), t.element(TexCoord, t.sets()[TexCoord][0])
	sums := make([]directions, t.Count)
	place := func(i uint32) (p [3]float64, u, v float64) {
		uv := double(uvs.vector(int(i)))
		return double(positions.vector(int(i))), uv[0], uv[1]
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
			p, u0, v0 := place(a)
			q, u1, v1 := place(b)
			r, u2, v2 := place(c)
			u1, v1, u2, v2 = u1-u0, v1-v0, u2-u0, v2-v0
			turn := 1.0 // large triangles count more: only the sign of their size under the texture matters
			if u1*v2-u2*v1 < 0 {
				turn = -1
			}
			var d directions
			for k := range p {
				e1, e2 := q[k]-p[k], r[k]-p[k]
				d.u[k], d.v[k] = turn*(e1*v2-e2*v1), turn*(e2*u1-e1*u2)
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
