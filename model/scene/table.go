package scene

// table is the vertices of a mesh in memory.
type table struct {
	*Mesh
	all    []float32
	stride int
}

// table reads the vertices of a mesh.
func (m *Mesh) table() (t *table, err error) {
	t = &table{Mesh: m, stride: m.Stride()}
	t.all, err = m.ReadVertices()
	return t, err
}

// element is one element of all vertices of a table. at is its place in a vertex; -1 if there is none.
type element struct {
	*table
	at, size int
}

func (t *table) element(u Usage, set int) element {
	at, size := t.Find(u, set)
	return element{t, at, size}
}

func (e element) exists() bool { return e.at >= 0 }

// get returns up to four floats of a vertex, and how many there are.
func (e element) get(vertex int) (v [4]float32, n int) {
	n = copy(v[:], e.all[vertex*e.stride+e.at:][:e.size])
	return v, n
}

// clean is get with 0 for what is not a number; bad reports whether there was any.
func (e element) clean(vertex int) (v [4]float32, bad bool) {
	v, n := e.get(vertex)
	for i := range n {
		if !finite(v[i]) {
			v[i], bad = 0, true
		}
	}
	return v, bad
}

// vector returns a place or a direction, with 0 for what is not a number.
func (e element) vector(vertex int) [3]float32 {
	v, _ := e.clean(vertex)
	return [3]float32(v[:3])
}

// color returns a color as it is stored: one number is gray, and less than four are opaque.
func (e element) color(vertex int) [4]float32 {
	v, n := e.get(vertex)
	if n == 1 {
		v[1], v[2] = v[0], v[0]
	}
	if n < 4 {
		v[3] = 1
	}
	return v
}

// color8 returns a color in bytes.
func (e element) color8(vertex int) (c [4]uint8) {
	for k, f := range e.color(vertex) {
		c[k] = uint8(255*min(max(number(f), 0), 1) + .5)
	}
	return c
}
