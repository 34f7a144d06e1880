package scene

// Find gives the place of an element in a vertex, in floats, and its size; -1 if there is none.
func (m *Mesh) Find(u Usage, set int) (at, size int) { return m.find(u, set) }

// EachTriangle gives the triangles that indices make, all turned the same way. Whether their vertices exist is for the
// caller to see.
func (p Primitive) EachTriangle(indices []uint32, give func(a, b, c uint32)) {
	p.triangles(indices, give)
}

// EachLine gives the lines that indices make, likewise.
func (p Primitive) EachLine(indices []uint32, give func(a, b uint32)) { p.lines(indices, give) }

// PartIndices gives the indices of a part of the mesh: its own, or all vertices in order.
func (m *Mesh) PartIndices(p *Part) Indices { return p.indices(m) }

// Material is the name of the material of a part of the node's mesh.
func (n *Node) Material(part int) string { return n.material(part) }
