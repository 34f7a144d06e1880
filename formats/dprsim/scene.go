package dprsim

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"

	"assay/model"
	"assay/model/scene"
)

const (
	maxObjects = 10_000 // objects of an experiment that are drawn
	maxMissing = 100    // limits the messages about parts that are not drawn
)

// uprightTransform converts the simulator's axes, with z up, to a scene's.
var uprightTransform = scene.Matrix{0: 1, 6: -1, 9: 1, 15: 1}

// pointsScene returns the scene of a world: the catoms of each body, turned from the simulator's axes to the scene's.
func pointsScene(bodies ...*scene.Points) *scene.Scene {
	s := &scene.Scene{}
	for _, p := range bodies {
		s.Roots = append(s.Roots, &scene.Node{Transform: uprightTransform, Points: p})
	}
	return s
}

// sceneSettings holds the entries of an experiment that its scene depends on.
type sceneSettings struct {
	objects iter.Seq[*object]
	// lattice and catomRadius are LATTICE and CATOM_RADIUS as written, or empty if absent.
	lattice, catomRadius string
	// catoms returns the catoms of its WORLD. An error is a sentence about the world.
	catoms func(ctx context.Context) ([]*scene.Points, error)

	cameraAt, cameraLook *[3]float64 // CAMERA and CAMERALOOK; nil if absent
	aspect               float32     // RESOLUTIONX by RESOLUTIONY; 0 if absent
}

// scene returns the objects, the catoms and the camera of an experiment. Scene.Missing lists the omitted parts and the
// assumptions.
func (settings *sceneSettings) scene(ctx context.Context) *scene.Scene {
	s := &scene.Scene{}
	planes := settings.addObjects(ctx, s)
	bodies, err := settings.catoms(ctx)
	if err != nil {
		addMissing(s, "%v", err)
	}
	s.Roots = append(s.Roots, pointsScene(bodies...).Roots...)
	settings.enlargePlanes(planes, s)
	if settings.lattice != "" && !strings.EqualFold(settings.lattice, "cube") {
		addMissing(s, "unknown lattice %s; catoms are drawn as for LATTICE=cube",
			model.OneLine(settings.lattice, 40))
	}
	if settings.catomRadius != "" && len(bodies) > 0 {
		addMissing(s, "the meaning of CATOM_RADIUS=%s for a lattice is not documented: drawing catoms with an edge of 1",
			model.OneLine(settings.catomRadius, 40))
	}
	if n := settings.camera(); n != nil && len(s.Roots) > 0 {
		s.Roots = append(s.Roots, n)
		addMissing(s, "which axis of CAMERA and CAMERALOOK points up, and the field of view, are not documented: "+
			"y and 45° are assumed")
	}
	return s
}

// addObjects adds the objects, and returns the planes among them, squares of size 1.
func (settings *sceneSettings) addObjects(ctx context.Context, s *scene.Scene) (planes []*scene.Node) {
	meshes := newSolids()
	number := 0
	for o := range settings.objects {
		if ctx.Err() != nil {
			break
		}
		if number++; number > maxObjects {
			addMissing(s, "objects beyond the first %d are not drawn", maxObjects)
			break
		}
		n, err := o.node(meshes)
		if err != nil {
			addMissing(s, "object %d, %s, is not drawn: %v", number, model.OneLine(o.Type, 40), err)
			continue
		}
		s.Roots = append(s.Roots, n)
		if o.Type == "PLANE" {
			planes = append(planes, n.Children[0])
		}
	}
	return planes
}

// enlargePlanes makes planes, squares of size 1, reach beyond everything else in the scene.
func (settings *sceneSettings) enlargePlanes(planes []*scene.Node, s *scene.Scene) {
	if len(planes) == 0 {
		return
	}
	size := 2 * min(settings.reach(s), math.MaxFloat32/2)
	for _, square := range planes {
		enlarge := scene.TRS{Rotation: noRotation, Scale: [3]float32{size, size, 1}}
		square.Transform = square.Transform.Times(enlarge.Matrix())
	}
}

// reach returns how far the objects, the catoms and the camera are from the origin along the farthest axis.
func (settings *sceneSettings) reach(s *scene.Scene) float32 {
	reach := float32(10)
	far := func(position [3]float32, margin float32) {
		for _, f := range position {
			if f = max(f, -f) + margin; f > reach && f <= math.MaxFloat32 { // a catom without a position is at NaN
				reach = f
			}
		}
	}
	boxes := make(map[*scene.Mesh][2][3]float32) // around the few solids that all objects share
	s.Walk(func(n *scene.Node, world scene.Matrix) {
		switch {
		case n.Points != nil:
			// Catoms that cannot be read are not drawn either.
			_ = n.Points.Each(func(d *scene.Dot) error { far(world.Apply(d.Position), n.Points.Edge/2); return nil })
		case n.Mesh != nil:
			box, ok := boxes[n.Mesh]
			if !ok {
				box[0], box[1], _ = n.Mesh.Bounds(n.Mesh.Parts, scene.Identity)
				boxes[n.Mesh] = box
			}
			for corner := range 8 {
				far(world.Apply([3]float32{box[corner&1][0], box[corner>>1&1][1], box[corner>>2][2]}), 0)
			}
		}
	})
	for _, p := range []*[3]float64{settings.cameraAt, settings.cameraLook} {
		if p != nil {
			far([3]float32{float32(p[0]), float32(p[1]), float32(p[2])}, 0)
		}
	}
	return reach
}

// camera returns a camera that looks from CAMERA to CAMERALOOK, or nil if either is absent or both are the same point.
func (settings *sceneSettings) camera() *scene.Node {
	if settings.cameraAt == nil || settings.cameraLook == nil {
		return nil
	}
	from, to := *settings.cameraAt, *settings.cameraLook
	m, ok := rotationTowards([3]float64{from[0] - to[0], from[1] - to[1], from[2] - to[2]})
	if !ok {
		return nil
	}
	for k := range 3 {
		m[12+k] = float32(from[k])
	}
	return &scene.Node{Name: "CAMERA", Transform: m,
		Camera: &scene.Camera{FieldOfView: math.Pi / 4, Aspect: settings.aspect, Near: .1, Far: 10_000}}
}

func addMissing(s *scene.Scene, format string, args ...any) {
	if len(s.Missing) < maxMissing {
		s.Missing = append(s.Missing, fmt.Sprintf(format, args...))
	}
}

var (
	errNotDescribed = errors.New("the type or its arguments are not specified")
	errNoDirection  = errors.New("a, b, and c are all zero")
	errNoSide       = errors.New("the sign of d is not specified for planes")
)

var (
	noRotation = [4]float32{3: 1}
	noScale    = [3]float32{1, 1, 1}
)

// solids are the meshes that all objects of a scene share.
type solids struct {
	sphere, pipe, cylinder, box, square *scene.Mesh
}

func newSolids() *solids {
	return &solids{scene.SphereMesh(scene.VUp), scene.OpenCylinderMesh(), scene.CylinderMesh(), scene.BoxMesh(),
		scene.SquareMesh()}
}

// node returns the scene node of the object. Cylinders extend along their z axis. A plane is a square of size 1
// perpendicular to (a, b, c) at the object's position. Alpha and mass are ignored: the published sample has visible
// objects with alpha 0.
func (o *object) node(meshes *solids) (*scene.Node, error) {
	numbers, ok := o.numbers()
	if !ok {
		return nil, errNotDescribed
	}
	n := &scene.Node{Name: o.Type, Transform: uprightTransform.Times(placement(numbers))}
	paint, size := paintOf([3]float64(numbers[6:])), numbers[len(commonArguments):]
	add := func(m *scene.Mesh, t scene.Matrix) {
		n.Children = append(n.Children, &scene.Node{Name: o.Type, Transform: t, Mesh: m,
			Materials: []*scene.Material{paint}})
	}
	radius := size[0]
	switch o.Type {
	case "SPHERE":
		add(meshes.sphere, sizeTransform(0, radius, radius, radius))
	case "CYL":
		add(meshes.cylinder, sizeTransform(0, radius, radius, size[1]))
	case "CCYL": // capped by half spheres
		length := size[1]
		add(meshes.pipe, sizeTransform(0, radius, radius, length))
		add(meshes.sphere, sizeTransform(length/2, radius, radius, radius))
		add(meshes.sphere, sizeTransform(-length/2, radius, radius, radius))
	case "BOX":
		add(meshes.box, sizeTransform(0, size[0], size[1], size[2]))
	case "PLANE":
		rotation, ok := rotationTowards([3]float64(size))
		switch {
		case size[3] != 0:
			return nil, errNoSide
		case !ok:
			return nil, errNoDirection
		}
		add(meshes.square, rotation)
	}
	return n, nil
}

// placement returns an object's position and rotation in the simulator's axes, of its x, y, z, yaw, pitch and roll,
// which are assumed to be in degrees about z, then y, then x.
func placement(arguments []float64) scene.Matrix {
	t := scene.TRS{Rotation: noRotation, Scale: noScale}
	for k := range t.Translation {
		t.Translation[k] = float32(arguments[k])
		axis := [3]float32{}
		axis[2-k] = 1
		t.Rotation = t.Rotate(axis, arguments[3+k]*math.Pi/180)
	}
	return t.Matrix()
}

// paintOf returns the material of a color of 0 to 255.
func paintOf(color [3]float64) *scene.Material {
	m := &scene.Material{Shading: scene.Lit, Diffuse: [4]float32{3: 1}}
	for k, v := range color {
		m.Diffuse[k] = float32(min(max(v/255, 0), 1))
	}
	return m
}

// sizeTransform returns the transform that scales a solid along its axes, and moves it along z.
func sizeTransform(along, x, y, z float64) scene.Matrix {
	return scene.TRS{Translation: [3]float32{2: float32(along)}, Rotation: noRotation,
		Scale: [3]float32{float32(x), float32(y), float32(z)}}.Matrix()
}

// rotationTowards returns the rotation that points the z axis along a direction, and the y axis upwards as far as
// possible. It returns false if the direction has no length.
func rotationTowards(direction [3]float64) (scene.Matrix, bool) {
	z := unit(direction)
	x := unit(cross([3]float64{1: 1}, z))
	if x == ([3]float64{}) { // straight up or down
		x = [3]float64{1}
	}
	y := cross(z, x)
	m := scene.Identity
	for k := range 3 {
		m[k], m[4+k], m[8+k] = float32(x[k]), float32(y[k]), float32(z[k])
	}
	return m, z != [3]float64{}
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// unit returns a direction of length 1; zeros if it has no length.
func unit(a [3]float64) [3]float64 {
	length := math.Hypot(math.Hypot(a[0], a[1]), a[2])
	if length < 1e-12 {
		return [3]float64{}
	}
	return [3]float64{a[0] / length, a[1] / length, a[2] / length}
}
