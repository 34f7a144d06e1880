package assets_test

import (
	"cmp"
	"math"

	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
)

// bone is a joint of the toy: where it is while its skin is bound, and the joint above.
type bone struct {
	name  string
	above string
	at    vec
}

// bones of the toy, in the order of its skin. It looks along z; its left is where x is positive.
var bones = []bone{
	{"hips", "", vec{0, .95, 0}},
	{"spine", "hips", vec{0, 1.1, 0}},
	{"head", "spine", vec{0, 1.5, 0}},
	{"armLeft", "spine", vec{.25, 1.42, 0}},
	{"handLeft", "armLeft", vec{.27, 1.14, 0}},
	{"armRight", "spine", vec{-.25, 1.42, 0}},
	{"handRight", "armRight", vec{-.27, 1.14, 0}},
	{"legLeft", "hips", vec{.11, .92, 0}},
	{"shinLeft", "legLeft", vec{.11, .5, 0}},
	{"legRight", "hips", vec{-.11, .92, 0}},
	{"shinRight", "legRight", vec{-.11, .5, 0}},
}

// boneNumber is the place of a bone in the skin.
func boneNumber(name string) int {
	for i, b := range bones {
		if b.name == name {
			return i
		}
	}
	panic("no bone " + name)
}

// tube goes down from the point top, and ends round; wide is its radius at the top and at the bottom.
func tube(top vec, length float64, wide [2]float64, flat float64) *surface {
	return &surface{wide: 12, high: 9, at: func(u, v float64) vec {
		a, b := 2*math.Pi*u, math.Pi*v
		round := math.Pow(math.Max(math.Sin(b), 0), .45)
		along := (1 - math.Copysign(math.Pow(math.Abs(math.Cos(b)), .8), math.Cos(b))) / 2
		r := (wide[0] + (wide[1]-wide[0])*along) * round
		return top.plus(vec{r * math.Cos(a), -length * along, flat * r * math.Sin(a)})
	}}
}

// bead is an ellipsoid around a point.
func bead(center, radii vec, wide, high int) *surface {
	return &surface{wide: wide, high: high,
		at: func(u, v float64) vec { return ellipsoid(u, v, radii).plus(center) }}
}

// box is a cube without its lower side, around a point, turned by an angle.
func box(center vec, half float64, turn float64) (all []*surface) {
	sin, cos := math.Sin(turn), math.Cos(turn)
	for _, side := range [][3]vec{
		{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}}, {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
		{{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
	} {
		all = append(all, &surface{wide: 1, high: 1, at: func(u, v float64) vec {
			p := side[0].plus(side[1].times(2*u - 1)).plus(side[2].times(2*v - 1)).times(half)
			return vec{p[0]*cos + p[2]*sin, p[1], p[2]*cos - p[0]*sin}.plus(center)
		}})
	}
	return all
}

// ground is a square that looks up.
func ground(center vec, half float64, squares int) *surface {
	return &surface{wide: squares, high: squares, at: func(u, v float64) vec {
		return center.plus(vec{(2*u - 1) * half, 0, (1 - 2*v) * half})
	}}
}

// toy is a wooden boy who walks and waves, between crates and a ball: a skin of six materials, and textures.
func toy() *gpb.File {
	boy := toyBody()
	items := map[string]*shape{"floor": {id: "floorShape"}, "rug": {id: "rugShape"}, "crates": {id: "cratesShape"},
		"ball": {id: "ballShape"}, "shadow": {id: "shadowShape"}}
	items["floor"].join(nil, ground(vec{}, 1.75, 1))
	items["rug"].join(nil, ground(vec{.05, .01, .2}, .85, 1))
	items["shadow"].join(nil, ground(vec{0, .02, 0}, .5, 1))
	items["crates"].join(nil, append(append(box(vec{-1.05, .4, -1}, .4, .3), box(vec{-.08, .32, -1.2}, .32, -.2)...),
		box(vec{-.98, 1.08, -1.05}, .28, -.35)...)...)
	items["ball"].join(nil, bead(vec{1.05, .3, .55}, vec{.3, .3, .3}, 24, 14))

	f := &gpb.File{References: []gpb.Reference{{ID: "ambientShape", Type: gpb.TypeLight}}}
	nodes := []*gpb.Node{{ID: "toy", Transform: move(vec{}), Children: []*gpb.Node{toyBones("hips")}}}
	f.Meshes = append(f.Meshes, boy.mesh())
	dress := &gpb.Model{Mesh: "#boyShape", Materials: []string{"skin", "face", "hair", "shirt", "jeans", "shoes"}}
	dress.Skin = &gpb.Skin{BindShape: move(vec{})}
	var bind []float32
	for _, b := range bones {
		dress.Skin.Joints = append(dress.Skin.Joints, "#"+b.name)
		bind = append(bind, floats(move(vec{}.minus(b.at)))...)
	}
	dress.Skin.BindPoses = gpbtest.Floats(bind...)
	nodes = append(nodes, &gpb.Node{ID: "boy", Transform: move(vec{}), Model: dress})
	for _, name := range []string{"floor", "rug", "shadow", "crates", "ball"} {
		f.Meshes = append(f.Meshes, items[name].mesh())
		nodes = append(nodes, &gpb.Node{ID: name, Transform: move(vec{}),
			Model: &gpb.Model{Mesh: "#" + items[name].id, Materials: []string{name}}})
	}
	nodes = append(nodes,
		&gpb.Node{ID: "camera", Transform: look(vec{1.9, 1.7, 3.3}, vec{0, .8, 0}),
			Camera: &gpb.Camera{ID: "cameraShape", Aspect: 1.5, Near: .1, Far: 100, FieldOfView: 42}},
		&gpb.Node{ID: "sun", Transform: look(vec{2.2, 4, 3}, vec{}),
			Light: &gpb.Light{ID: "sunShape", Kind: gpb.Directional, Color: [3]float32{1, .97, .9}}})
	f.Objects = []gpb.Object{
		&gpb.Scene{ID: "__SCENE__", Nodes: nodes, ActiveCamera: "#camera", Ambient: [3]float32{.5, .5, .55}},
		&gpb.Animations{ID: "__Animations__", List: []*gpb.Animation{toyMoves()}},
	}
	return f
}

// toyBones is a bone, and those that hang on it.
func toyBones(name string) *gpb.Node {
	b := bones[boneNumber(name)]
	n := &gpb.Node{ID: b.name, Joint: true, Parent: cmp.Or(b.above, "toy"), Transform: move(b.local())}
	for _, below := range bones {
		if below.above == name {
			n.Children = append(n.Children, toyBones(below.name))
		}
	}
	return n
}

// local is where a bone is from the one above.
func (b bone) local() vec {
	if b.above == "" {
		return b.at
	}
	return b.at.minus(bones[boneNumber(b.above)].at)
}

// toyBody is the skin: a part for each material.
func toyBody() *shape {
	s := &shape{id: "boyShape"}
	only := func(name string) func(vec) (int, int, float64) {
		return func(vec) (int, int, float64) { return boneNumber(name), 0, 0 }
	}
	// bend goes from one bone to another below it, around the height at which the lower one is.
	bend := func(upper, lower string) func(vec) (int, int, float64) {
		return func(p vec) (int, int, float64) {
			share := (bones[boneNumber(lower)].at[1]-p[1])/.12 + .5
			return boneNumber(upper), boneNumber(lower), math.Min(1, math.Max(0, share))
		}
	}
	add := func(bones func(vec) (int, int, float64), f *surface) []uint32 {
		s.bones = bones
		return s.points(f, nil)
	}
	part := func(indices ...[]uint32) {
		var all []uint32
		for _, i := range indices {
			all = append(all, i...)
		}
		s.parts = append(s.parts, gpbtest.Part(gpb.Triangles, gpb.Index16, all...))
	}
	var skin, shirt, jeans, shoes [][]uint32
	shirt = append(shirt, add(func(p vec) (int, int, float64) {
		return boneNumber("hips"), boneNumber("spine"), math.Min(1, math.Max(0, (p[1]-.92)/.25))
	}, tube(vec{0, 1.52, 0}, .68, [2]float64{.23, .2}, .68)))
	for _, side := range []struct {
		name string
		x    float64
	}{{"Left", 1}, {"Right", -1}} {
		arm, leg := bones[boneNumber("arm"+side.name)].at, bones[boneNumber("leg"+side.name)].at
		shirt = append(shirt, add(only("arm"+side.name), tube(arm.plus(vec{.005 * side.x, .09, 0}), .28,
			[2]float64{.1, .09}, 1)))
		skin = append(skin, add(bend("arm"+side.name, "hand"+side.name), tube(arm.plus(vec{.01 * side.x, -.05, 0}), .5,
			[2]float64{.062, .05}, 1)),
			add(only("hand"+side.name), bead(arm.plus(vec{.02 * side.x, -.58, .01}), vec{.06, .085, .075}, 12, 8)))
		jeans = append(jeans, add(bend("leg"+side.name, "shin"+side.name), tube(leg.plus(vec{0, .09, 0}), .92,
			[2]float64{.125, .09}, 1)))
		shoes = append(shoes, add(only("shin"+side.name), bead(vec{leg[0], .07, .06}, vec{.09, .075, .17}, 14, 8)))
	}
	head := vec{0, 1.74, 0}
	skin = append(skin, add(only("head"), tube(vec{0, 1.6, 0}, .16, [2]float64{.075, .08}, 1)))
	face := add(only("head"), bead(head, vec{.2, .235, .205}, 24, 16))
	hair := add(only("head"), &surface{wide: 22, high: 8, at: func(u, v float64) vec {
		p := ellipsoid(u, v*(.42+.16*math.Max(0, -math.Sin(2*math.Pi*u))), vec{.222, .25, .228})
		return head.plus(vec{0, .012, -.012}).plus(p)
	}})
	part(skin...)
	part(face)
	part(hair)
	part(shirt...)
	part(jeans...)
	part(shoes...)
	return s
}

const (
	frameMillis = 40
	walkFrames  = 25 // a second
	waveFrames  = 50
)

// toyMoves is the animation of the toy: steps in the first second, waving after it.
func toyMoves() *gpb.Animation {
	a := &gpb.Animation{Name: "movements"}
	for _, b := range bones {
		var times []uint32
		var values []float32
		for i := range walkFrames + waveFrames + 1 {
			turn, shift := waving(b.name, float64(i-walkFrames)/waveFrames)
			if i < walkFrames {
				turn, shift = walking(b.name, 2*math.Pi*(float64(i)/walkFrames+.25))
			}
			at := b.local().plus(shift)
			q := [4]float64{3: 1}
			if angle := turn.length(); angle > 1e-9 {
				for k := range 3 {
					q[k] = turn[k] / angle * math.Sin(angle/2)
				}
				q[3] = math.Cos(angle / 2)
			}
			times = append(times, uint32(frameMillis*i))
			values = append(values, 1, 1, 1, grid(q[0]), grid(q[1]), grid(q[2]), grid(q[3]), grid(at[0]), grid(at[1]),
				grid(at[2]))
		}
		a.Channels = append(a.Channels, &gpb.Channel{Target: b.name, Attribute: 17, Times: gpbtest.Uints(times...),
			Values: gpbtest.Floats(values...), Interpolation: gpbtest.Uints(1)})
	}
	return a
}

// walking is how a bone is turned, around an axis as long as the angle, and moved at a moment of two steps.
func walking(bone string, phase float64) (turn, shift vec) {
	sin, cos := math.Sin(phase), math.Cos(phase)
	const stride = .5
	switch bone {
	case "hips":
		return vec{0, -.08 * sin, 0}, vec{0, -.1 * sin * sin, 0}
	case "spine":
		return vec{.06, .2 * sin, 0}, vec{}
	case "head":
		return vec{-.04, -.12*sin - .1, 0}, vec{}
	case "legLeft":
		return vec{-stride * sin, 0, 0}, vec{}
	case "legRight":
		return vec{stride * sin, 0, 0}, vec{}
	case "shinLeft":
		return vec{.12 + .8*math.Max(0, cos), 0, 0}, vec{}
	case "shinRight":
		return vec{.12 + .8*math.Max(0, -cos), 0, 0}, vec{}
	case "armLeft":
		return vec{.6 * sin, 0, .12}, vec{}
	case "armRight":
		return vec{-.6 * sin, 0, -.12}, vec{}
	case "handLeft":
		return vec{-.45 + .25*sin, 0, 0}, vec{}
	case "handRight":
		return vec{-.45 - .25*sin, 0, 0}, vec{}
	}
	return vec{}, vec{}
}

// waving is the same while the toy stands and waves.
func waving(bone string, share float64) (turn, shift vec) {
	up := math.Min(1, 4*math.Min(share, 1-share))
	switch bone {
	case "head":
		return vec{0, -.15 * up, -.1 * up}, vec{}
	case "armLeft":
		return vec{0, 0, .1}, vec{}
	case "armRight":
		return vec{0, 0, -.1 - 2.2*up}, vec{}
	case "handRight":
		return vec{0, 0, up * (-.5 + .45*math.Sin(6*math.Pi*share))}, vec{}
	}
	return vec{}, vec{}
}
