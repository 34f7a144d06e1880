package dprsim

import (
	"cmp"
	"context"
	"errors"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/model"
	"assay/model/scene"
)

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
	return &solids{scene.Sphere(false), scene.Cylinder(false), scene.Cylinder(true), scene.Box(), scene.Square()}
}

// node returns the scene node of the object. Cylinders extend along their z axis. A plane is a square of size 1
// perpendicular to (a, b, c) at the object's position. Alpha and mass are ignored: the published sample has visible
// objects with alpha 0.
func (o *Object) node(meshes *solids) (*scene.Node, error) {
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
		rotation, ok := facing([3]float64(size))
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

// sizeTransform returns the transform that makes a solid of size 1 as large along its axes, and moves it along z.
func sizeTransform(along, x, y, z float64) scene.Matrix {
	return scene.TRS{Translation: [3]float32{2: float32(along)}, Rotation: noRotation,
		Scale: [3]float32{float32(x), float32(y), float32(z)}}.Matrix()
}

// facing returns the rotation that points the z axis along a direction, and the y axis upwards as far as possible. It
// returns false if the direction has no length.
func facing(direction [3]float64) (scene.Matrix, bool) {
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

// The bounds of a series of states.
const (
	maxFolder = 20_000 // files of a folder that are examined
	maxSteps  = 10_000
)

// numbered is a name with a number as its last digits.
var numbered = regexp.MustCompile(`^(.*?)([0-9]+)([^0-9]*)$`)

// Series sets the steps of a scene: the files in the folder of file whose names differ in one number only, in numeric
// order. A single file has no steps. read returns the catoms of a file, which must not need the file afterwards.
func Series(s *scene.Scene, file string, read func(ctx context.Context, file string) ([]*scene.Points, error)) {
	names, index := series(filepath.Dir(file), filepath.Base(file))
	s.Step = index
	for _, name := range names {
		s.Steps = append(s.Steps, scene.Step{Name: name, Open: func(ctx context.Context) (*scene.Scene, error) {
			bodies, err := read(ctx, filepath.Join(filepath.Dir(file), name))
			if err != nil {
				return nil, err
			}
			step := World(bodies...)
			step.Name = name
			return step, nil
		}})
	}
}

// series returns the names of a series, or nil if there is only one, and the index of name among them.
func series(folder, name string) (names []string, index int) {
	digits := numbered.FindStringSubmatch(name)
	if digits == nil {
		return nil, 0
	}
	f, err := model.OpenShared(folder)
	if err != nil {
		return nil, 0
	}
	defer f.Close()
	all, _ := f.Readdirnames(maxFolder) // partial on an error
	var numbers []string
	for _, other := range all {
		n := numbered.FindStringSubmatch(other)
		if n != nil && n[1] == digits[1] && n[3] == digits[3] && len(numbers) < maxSteps {
			numbers = append(numbers, n[2])
		}
	}
	slices.SortFunc(numbers, compareNumbers)
	index = slices.Index(numbers, digits[2])
	if index < 0 || len(numbers) < 2 {
		return nil, 0
	}
	for _, number := range numbers {
		names = append(names, digits[1]+number+digits[3])
	}
	return names, index
}

// compareNumbers orders numbers of any length by their value, and equal values by falling numbers of leading zeros.
func compareNumbers(a, b string) int {
	x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y), strings.Compare(a, b))
}
