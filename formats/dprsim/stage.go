package dprsim

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"assay/model"
	"assay/model/scene"
)

// objectsDrawn is how many objects of an experiment are drawn.
const objectsDrawn = 10_000

// views returns what there is to look at of an experiment: its world, its objects and its camera together.
func (x *experiment) views() func(context.Context, *model.Node) (model.View, error) {
	var mu sync.Mutex
	var whole *scene.Scene
	return func(ctx context.Context, _ *model.Node) (model.View, error) {
		mu.Lock()
		defer mu.Unlock()
		if whole == nil {
			s := x.stage(ctx)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			whole = s
		}
		if len(whole.Roots) == 0 {
			return nil, nil
		}
		return whole, nil
	}
}

// stage puts together what an experiment names. Of a key that is there twice the last one counts, but for objects.
func (x *experiment) stage(ctx context.Context) *scene.Scene {
	s := &scene.Scene{}
	values := make(map[string]string)
	objects := 0
	var planes []plane
	for i := range x.entries {
		e := x.entryJSON(i)
		if values[e.Key] = e.Value; e.Object == nil {
			continue
		}
		if objects++; objects > objectsDrawn || ctx.Err() != nil {
			break
		}
		n, p := e.Object.node()
		if n == nil || p != nil && p.d != 0 {
			missing(s, "object %d, %s, is not drawn%s", objects, model.OneLine(e.Object.Type, 40), unclear(p))
			continue
		}
		s.Roots = append(s.Roots, n)
		if p != nil {
			planes = append(planes, *p)
		}
	}
	if objects > objectsDrawn {
		missing(s, "objects beyond the first %d are not drawn", objectsDrawn)
	}
	lay(planes, s.Roots, values)
	x.populate(ctx, s, values[worldKey])
	if lattice := values["LATTICE"]; lattice != "" && !strings.EqualFold(strings.TrimSpace(lattice), "cube") {
		missing(s, "the lattice %s is not documented: catoms are drawn as cubes, as those of LATTICE=cube are",
			model.OneLine(lattice, 40))
	}
	if n := cameraOf(values); n != nil && len(s.Roots) > 0 {
		s.Roots = append(s.Roots, n)
		missing(s, "the axis of CAMERA that points up is not documented: y is taken")
	}
	return s
}

func missing(s *scene.Scene, format string, args ...any) {
	const most = 100
	if len(s.Missing) < most {
		s.Missing = append(s.Missing, fmt.Sprintf(format, args...))
	}
}

// populate adds the catoms of the world.
func (x *experiment) populate(ctx context.Context, s *scene.Scene, name string) {
	if name == "" || x.src.Path() == "" {
		return
	}
	folder := filepath.Dir(x.src.Path())
	x.src.NoteBeside(folder)
	file, ok := worldLink(name).Look(folder)
	x.src.NoteBeside(file)
	if !ok {
		missing(s, "the world %s is not beside the experiment", model.OneLine(name, 60))
		return
	}
	world, err := step(ctx, file, options{})
	if err != nil || len(world.Roots) == 0 {
		missing(s, "the world %s cannot be drawn", model.OneLine(name, 60))
		return
	}
	s.Roots = append(s.Roots, world.Roots...)
}

// node is an object as it stands in the scene; nil if what it is or where it is is not known. Alpha is not taken: the
// published sample has objects of alpha 0 that are to be seen. Angles are in degrees: yaw around z, then pitch around
// y, then roll around x. Cylinders lie along their z. A plane is at its object's place, across (a, b, c).
func (o *objectJSON) node() (*scene.Node, *plane) {
	v := make(map[string]float64)
	var numbers []float64
	for _, a := range o.Arguments {
		f, ok := a.Value.(float64)
		if !ok || f-f != 0 {
			return nil, nil
		}
		numbers = append(numbers, f)
		if _, ok := v[a.Name]; !ok { // a plane has a second b
			v[a.Name] = f
		}
	}
	paint := &scene.Material{Shading: scene.Lit, Diffuse: [4]float32{3: 1}}
	for k, name := range []string{"r", "g", "b"} {
		paint.Diffuse[k] = float32(min(max(v[name]/255, 0), 1))
	}
	at := scene.TRS{Translation: [3]float32{float32(v["x"]), float32(v["y"]), float32(v["z"])},
		Rotation: [4]float32{3: 1}, Scale: [3]float32{1, 1, 1}}
	turn := turned(2, v["yaw"]).Times(turned(1, v["pitch"])).Times(turned(0, v["roll"]))
	n := &scene.Node{Name: o.Type, Transform: upright.Times(at.Matrix()).Times(turn)}
	add := func(m *scene.Mesh, shift, x, y, z float64) {
		part := scene.TRS{Translation: [3]float32{2: float32(shift)}, Rotation: [4]float32{3: 1},
			Scale: [3]float32{float32(x), float32(y), float32(z)}}
		n.Children = append(n.Children, &scene.Node{Name: o.Type, Transform: part.Matrix(), Mesh: m,
			Materials: []*scene.Material{paint}})
	}
	radius, length := v["radius"], v["length"]
	switch o.Type {
	case "SPHERE":
		add(scene.Sphere(false), 0, radius, radius, radius)
	case "BOX":
		add(scene.Box(), 0, length, v["width"], v["depth"])
	case "CYL":
		add(scene.Cylinder(true), 0, radius, radius, length)
	case "CCYL":
		add(scene.Cylinder(false), 0, radius, radius, length)
		add(scene.Sphere(false), length/2, radius, radius, radius)
		add(scene.Sphere(false), -length/2, radius, radius, radius)
	case "PLANE":
		rest := numbers[min(len(numbers), len(commonArguments)):]
		if len(rest) != len(ownArguments[o.Type]) {
			return nil, nil
		}
		turn, ok := across([3]float64(rest))
		if !ok {
			return nil, nil
		}
		add(scene.Square(), 0, 1, 1, 1)
		n.Children[0].Transform = turn
		return n, &plane{n.Children[0], rest[3]}
	default:
		return nil, nil
	}
	return n, nil
}

// turned turns around an axis by degrees.
func turned(axis int, degrees float64) scene.Matrix {
	t := scene.TRS{Scale: [3]float32{1, 1, 1}}
	sin, cos := math.Sincos(degrees * math.Pi / 360)
	t.Rotation[axis], t.Rotation[3] = float32(sin), float32(cos)
	return t.Matrix()
}

// cameraOf is the camera that looks from CAMERA to CAMERALOOK; nil if it is not said where.
func cameraOf(values map[string]string) *scene.Node {
	from, ok := place3(values["CAMERA"])
	to, ok2 := place3(values["CAMERALOOK"])
	if !ok || !ok2 || from == to {
		return nil
	}
	back := unit([3]float64{from[0] - to[0], from[1] - to[1], from[2] - to[2]})
	side := unit(cross([3]float64{1: 1}, back))
	if side == ([3]float64{}) { // it looks straight up or down
		side = [3]float64{1}
	}
	up := cross(back, side)
	m := scene.Identity
	for k := range 3 {
		m[k], m[4+k], m[8+k], m[12+k] = float32(side[k]), float32(up[k]), float32(back[k]), float32(from[k])
	}
	return &scene.Node{Name: "CAMERA", Transform: m,
		Camera: &scene.Camera{FieldOfView: math.Pi / 4, Aspect: aspectOf(values), Near: .1, Far: 10_000}}
}

// aspectOf is the width of the picture for its height.
func aspectOf(values map[string]string) float32 {
	x, _ := strconv.ParseFloat(values["RESOLUTIONX"], 32)
	y, _ := strconv.ParseFloat(values["RESOLUTIONY"], 32)
	if !(x > 0 && y > 0) {
		return 0
	}
	return float32(x / y)
}

// place3 reads three finite numbers with commas between them.
func place3(text string) (p [3]float64, ok bool) {
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return p, false
	}
	for k, s := range parts {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || !(math.Abs(f) < 1e9) {
			return p, false
		}
		p[k] = f
	}
	return p, true
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// unit makes a direction 1 long; one without a length stays as it is.
func unit(a [3]float64) [3]float64 {
	length := math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2])
	if length < 1e-12 {
		return [3]float64{}
	}
	return [3]float64{a[0] / length, a[1] / length, a[2] / length}
}
