package assets_test

import (
	"math"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
)

// duck is a rubber duck on the water: a body skinned to two joints, a beak and eyes that follow the head, and two
// animations.
func duck() *gpb.File {
	body := &surface{wide: 20, high: 12, at: func(u, v float64) vec {
		p := ellipsoid(u, v, vec{1.25, 0.75, 0.85})
		tail := math.Max(0, -p[0]-0.45)
		p[1] += 0.9 * tail * tail // the tail points up
		return p
	}}
	head := &surface{wide: 16, high: 10,
		at: func(u, v float64) vec { return ellipsoid(u, v, vec{0.55, 0.55, 0.52}).plus(vec{0.75, 1.05, 0}) }}
	beak := &surface{wide: 10, high: 6, at: func(u, v float64) vec { return ellipsoid(u, v, vec{0.38, 0.09, 0.26}) }}
	eye := &surface{wide: 8, high: 6, at: func(u, v float64) vec { return ellipsoid(u, v, vec{0.09, 0.09, 0.09}) }}

	neck := vec{0.55, 0.6, 0}
	skinned := &shape{id: "duckShape", bones: func(p vec) (a, b int, share float64) {
		return 0, 1, math.Min(1, math.Max(0, (p[1]-0.45)/0.4)) * math.Min(1, math.Max(0, (p[0]+0.1)/0.3))
	}}
	skinned.add(body, [4]float32{1, 0.83, 0.12, 1})
	skinned.add(head, [4]float32{1, 0.83, 0.12, 1})
	beakShape := &shape{id: "beakShape"}
	beakShape.add(beak, [4]float32{1, 0.45, 0.05, 1})
	eyeShape := &shape{id: "eyeShape"}
	eyeShape.add(eye, [4]float32{0.05, 0.05, 0.08, 1})
	water := &shape{id: "waterShape"}
	water.add(&surface{wide: 8, high: 8, at: func(u, v float64) vec {
		x, z := 8*u-4, 4-8*v
		return vec{x, -0.25 + 0.06*math.Sin(2*x)*math.Cos(1.5*z), z}
	}}, [4]float32{0.25, 0.55, 0.75, 1})

	eyes := []*gpb.Node{}
	for _, side := range []struct {
		id string
		z  float64
	}{{"eyeLeft", -0.3}, {"eyeRight", 0.3}} {
		eyes = append(eyes, &gpb.Node{ID: side.id, Parent: "head", Transform: move(vec{1.12, 1.2, side.z}.minus(neck)),
			Model: colored("#eyeShape", "black")})
	}
	headJoint := &gpb.Node{ID: "head", Joint: true, Parent: "spine", Transform: move(neck),
		Children: append([]*gpb.Node{{ID: "beak", Parent: "head", Transform: move(vec{1.35, 0.95, 0}.minus(neck)),
			Model: colored("#beakShape", "orange")}}, eyes...)}
	spine := &gpb.Node{ID: "spine", Joint: true, Parent: "duck", Transform: move(vec{}),
		Children: []*gpb.Node{headJoint}}
	skin := colored("#duckShape", "yellow")
	bind := append(floats(move(vec{})), floats(move(vec{}.minus(neck)))...)
	skin.Skin = &gpb.Skin{BindShape: move(vec{}), Joints: []string{"#spine", "#head"},
		BindPoses: gpbtest.Floats(bind...)}

	nodes := []*gpb.Node{
		{ID: "duck", Transform: move(vec{}),
			Children: []*gpb.Node{spine, {ID: "duckBody", Parent: "duck", Transform: move(vec{}), Model: skin}}},
		{ID: "water", Transform: move(vec{}), Model: colored("#waterShape", "blue")},
		{ID: "camera1", Transform: look(vec{3.2, 2.2, 4.2}, vec{0.2, 0.5, 0}),
			Camera: &gpb.Camera{ID: "cameraShape1", Aspect: 1.5, Near: 0.1, Far: 100, FieldOfView: 40}},
		{ID: "top", Transform: look(vec{0, 6, 0.01}, vec{}), Camera: &gpb.Camera{ID: "topShape", Orthographic: true,
			Aspect: 1, Near: 0.1, Far: 20, Width: 6, Height: 6}},
		{ID: "sun", Transform: look(vec{3, 6, 2}, vec{}),
			Light: &gpb.Light{ID: "sunShape", Kind: gpb.Directional, Color: [3]float32{1, 0.96, 0.88}}},
		{ID: "lamp", Transform: look(vec{-3, 4, 3}, vec{}), Light: &gpb.Light{ID: "lampShape", Kind: gpb.Spot,
			Color: [3]float32{0.3, 0.4, 0.6}, Range: 12, InnerAngle: 0.3, OuterAngle: 0.6}},
	}
	return &gpb.File{
		References: []gpb.Reference{{ID: "ambientShape", Type: gpb.TypeLight}},
		Meshes:     []*gpb.Mesh{skinned.mesh(), beakShape.mesh(), eyeShape.mesh(), water.mesh()},
		Objects: []gpb.Object{
			&gpb.Scene{ID: "__SCENE__", Nodes: nodes, ActiveCamera: "#camera1", Ambient: [3]float32{0.25, 0.25, 0.3}},
			&gpb.Animations{ID: "__Animations__", List: []*gpb.Animation{nod(neck), bob()}},
		},
	}
}

// nod turns the head left and right, as scale, rotation and translation.
func nod(neck vec) *gpb.Animation {
	var times []uint32
	var values []float32
	for i := range 17 {
		angle := 0.5 * math.Sin(2*math.Pi*float64(i)/16)
		times = append(times, uint32(125*i))
		values = append(values, 1, 1, 1, 0, grid(math.Sin(angle/2)), 0, grid(math.Cos(angle/2)), grid(neck[0]),
			grid(neck[1]), grid(neck[2]))
	}
	return &gpb.Animation{Name: "nod", Channels: []*gpb.Channel{
		{Target: "head", Attribute: 17, Times: gpbtest.Uints(times...), Values: gpbtest.Floats(values...),
			Interpolation: gpbtest.Uints(1)}}}
}

// bob moves the duck up and down with the waves.
func bob() *gpb.Animation {
	var times []uint32
	var values []float32
	for i := range 9 {
		times = append(times, uint32(500*i))
		values = append(values, 0, grid(0.12*math.Sin(2*math.Pi*float64(i)/8)), 0)
	}
	return &gpb.Animation{Name: "bob", Channels: []*gpb.Channel{
		{Target: "duck", Attribute: 9, Times: gpbtest.Uints(times...), Values: gpbtest.Floats(values...),
			Interpolation: gpbtest.Uints(1)}}}
}

func colored(mesh, material string) *gpb.Model {
	return &gpb.Model{Mesh: mesh, Materials: []string{material}}
}

// surface is a grid of points: u and v run from 0 to 1.
type surface struct {
	wide, high int
	at         func(u, v float64) vec
}

func ellipsoid(u, v float64, r vec) vec {
	a, b := 2*math.Pi*u, math.Pi*v
	return vec{r[0] * math.Cos(a) * math.Sin(b), r[1] * math.Cos(b), r[2] * math.Sin(a) * math.Sin(b)}
}

// shape collects surfaces as one mesh with a part for each.
type shape struct {
	id       string
	colored  bool
	vertices []float32
	count    uint32
	lo, hi   vec
	parts    []*gpb.MeshPart
	// bones returns the joints of a vertex, and how much it follows b; nil without a skin.
	bones func(p vec) (a, b int, share float64)
}

// add adds a surface as a part.
func (s *shape) add(f *surface, color [4]float32) { s.join(&color, f) }

// join adds surfaces as one part. Either all surfaces of a shape have a color, or none.
func (s *shape) join(color *[4]float32, all ...*surface) {
	var indices []uint32
	for _, f := range all {
		indices = append(indices, s.points(f, color)...)
	}
	s.parts = append(s.parts, gpbtest.Part(gpb.Triangles, gpb.Index16, indices...))
}

// points adds the vertices of a surface, and returns the indices of its triangles.
func (s *shape) points(f *surface, color *[4]float32) (indices []uint32) {
	first := s.count
	for y := range f.high + 1 {
		for x := range f.wide + 1 {
			u, v := float64(x)/float64(f.wide), float64(y)/float64(f.high)
			p := f.at(u, v)
			const d = 1e-3
			inside := math.Min(1-d, math.Max(d, v)) // at the poles of an ellipsoid there is no direction around
			n := f.at(u+d, inside).minus(f.at(u-d, inside)).cross(f.at(u, inside+d).minus(f.at(u, inside-d))).unit()
			if s.count == 0 {
				s.lo, s.hi = p, p
			}
			for k := range 3 {
				s.lo[k], s.hi[k] = math.Min(s.lo[k], p[k]), math.Max(s.hi[k], p[k])
			}
			s.vertices = append(append(append(s.vertices, p.floats()...), n.floats()...), grid(u), grid(v))
			if s.colored = color != nil; s.colored {
				s.vertices = append(s.vertices, color[:]...)
			}
			if s.bones != nil {
				a, b, w := s.bones(p)
				s.vertices = append(s.vertices, grid(1-w), grid(w), 0, 0, float32(a), float32(b), 0, 0)
			}
			s.count++
		}
	}
	row := uint32(f.wide + 1)
	for y := range uint32(f.high) {
		for x := range uint32(f.wide) {
			a := first + y*row + x
			indices = append(indices, a, a+1, a+row, a+1, a+row+1, a+row)
		}
	}
	return indices
}

func (s *shape) mesh() *gpb.Mesh {
	format := []gpb.VertexElement{{Usage: 1, Size: 3}, {Usage: 2, Size: 3}, {Usage: 8, Size: 2}}
	if s.colored {
		format = append(format, gpb.VertexElement{Usage: 3, Size: 4})
	}
	if s.bones != nil {
		format = append(format, gpb.VertexElement{Usage: 6, Size: 4}, gpb.VertexElement{Usage: 7, Size: 4})
	}
	n := gpbtest.Floats(s.vertices...)
	b, err := n.Source.Bytes(spanOf(n))
	if err != nil {
		panic(err)
	}
	center := s.lo.plus(s.hi).times(0.5)
	m := &gpb.Mesh{ID: s.id, Format: format, Vertices: gpbtest.Bytes(b), Parts: s.parts}
	copy(m.Bounds.Min[:], s.lo.floats())
	copy(m.Bounds.Max[:], s.hi.floats())
	copy(m.Bounds.Center[:], center.floats())
	m.Bounds.Radius = grid(s.hi.minus(center).length())
	return m
}
