package dprsim

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"assay/model"
	"assay/model/scene"
)

// worldLink returns the link from an experiment's WORLD to the file that it names.
func worldLink(name string) *model.Link {
	return &model.Link{File: name, Resolve: func(folder string) (string, bool) { return resolveWorld(folder, name) }}
}

// resolveWorld finds the file of an experiment's WORLD in the experiment's folder or below it.
func resolveWorld(folder, name string) (string, bool) {
	root, err := os.OpenRoot(folder) // links do not lead out of it
	if err != nil {
		return "", false
	}
	defer root.Close()
	file, ok := worldIn(root.FS(), name)
	return filepath.Join(folder, filepath.FromSlash(file)), ok
}

// worldIn finds the file of an experiment's WORLD: first by the name as written, then with any extension (the
// document's own sample has .dpr), a world before a state.
func worldIn(files fs.FS, name string) (string, bool) {
	if name = path.Clean(strings.ReplaceAll(name, `\`, "/")); !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", false
	}
	isFile := func(name string) bool {
		info, err := fs.Stat(files, name)
		return err == nil && info.Mode().IsRegular()
	}
	if isFile(name) {
		return name, true
	}
	entries, _ := fs.ReadDir(files, path.Dir(name)) // an unreadable folder counts as empty
	for _, extension := range []string{strings.ToLower(path.Ext(name)), ".world", ".state"} {
		for _, f := range entries {
			other := f.Name()
			if strings.EqualFold(stem(other), stem(path.Base(name))) && strings.EqualFold(path.Ext(other), extension) {
				if other = path.Join(path.Dir(name), other); isFile(other) {
					return other, true
				}
			}
		}
	}
	return "", false
}

// openWorld opens the file of the WORLD of an experiment: beside it or, for a version of it, in the same version. It
// returns nil if there is none.
func openWorld(src *model.Source, name string) (*model.Source, error) {
	file := src.Path()
	if v := src.Version(); v != nil {
		file = v.Path
		if v.Files != nil {
			files := v.Files(filepath.Dir(file))
			if file, ok := worldIn(files, name); ok {
				b, err := fs.ReadFile(files, file)
				return model.NewSource(path.Base(file), bytes.NewReader(b), int64(len(b))), err
			}
		}
	}
	src.NoteDependency(filepath.Dir(file))
	found, ok := resolveWorld(filepath.Dir(file), name)
	src.NoteDependency(found)
	if !ok {
		return nil, nil
	}
	return model.OpenFile(found)
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

const (
	maxObjects = 10_000 // objects of an experiment that are drawn
	maxMissing = 100    // limits the messages about parts that are not drawn
)

// uprightTransform converts the simulator's axes, with z up, to a scene's.
var uprightTransform = scene.Matrix{0: 1, 6: -1, 9: 1, 15: 1}

// World returns the scene of a world: the catoms of each body in the simulator's axes.
func World(bodies ...*scene.Points) *scene.Scene {
	s := &scene.Scene{}
	for _, p := range bodies {
		s.Roots = append(s.Roots, &scene.Node{Transform: uprightTransform, Points: p})
	}
	return s
}

// Experiment holds the scene settings of an experiment.
type Experiment struct {
	Objects iter.Seq[*Object]
	// Lattice and CatomRadius are LATTICE and CATOM_RADIUS as written, or empty if absent.
	Lattice, CatomRadius string
	// Catoms returns the catoms of its WORLD. An error is a sentence about the world.
	Catoms func(ctx context.Context) ([]*scene.Points, error)

	CameraAt, CameraLook *[3]float64 // CAMERA and CAMERALOOK; nil if absent
	Aspect               float32     // RESOLUTIONX by RESOLUTIONY; 0 if absent
}

// Scene returns the objects, the catoms and the camera of an experiment. Scene.Missing lists the omitted parts and the
// assumptions.
func (e *Experiment) Scene(ctx context.Context) *scene.Scene {
	s := &scene.Scene{}
	planes := e.addObjects(ctx, s)
	bodies, err := e.Catoms(ctx)
	if err != nil {
		addMissing(s, "%v", err)
	}
	s.Roots = append(s.Roots, World(bodies...).Roots...)
	e.enlarge(planes, s)
	if e.Lattice != "" && !strings.EqualFold(e.Lattice, "cube") {
		addMissing(s, "unknown lattice %s; catoms are drawn as for LATTICE=cube",
			model.OneLine(e.Lattice, 40))
	}
	if e.CatomRadius != "" && len(bodies) > 0 {
		addMissing(s, "the meaning of CATOM_RADIUS=%s for a lattice is not documented: drawing catoms with an edge of 1",
			model.OneLine(e.CatomRadius, 40))
	}
	if n := e.camera(); n != nil && len(s.Roots) > 0 {
		s.Roots = append(s.Roots, n)
		addMissing(s, "which axis of CAMERA and CAMERALOOK points up, and the field of view, are not documented: "+
			"y and 45° are assumed")
	}
	return s
}

// addObjects adds the objects, and returns the planes among them, squares of size 1.
func (e *Experiment) addObjects(ctx context.Context, s *scene.Scene) (planes []*scene.Node) {
	meshes := newSolids()
	number := 0
	for o := range e.Objects {
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

// enlarge makes planes, squares of size 1, reach beyond everything else in the scene.
func (e *Experiment) enlarge(planes []*scene.Node, s *scene.Scene) {
	if len(planes) == 0 {
		return
	}
	size := 2 * min(e.reach(s), math.MaxFloat32/2)
	for _, square := range planes {
		enlarge := scene.TRS{Rotation: noRotation, Scale: [3]float32{size, size, 1}}
		square.Transform = square.Transform.Times(enlarge.Matrix())
	}
}

// reach returns how far the objects, the catoms and the camera are from the origin along the farthest axis.
func (e *Experiment) reach(s *scene.Scene) float32 {
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
	for _, p := range []*[3]float64{e.CameraAt, e.CameraLook} {
		if p != nil {
			far([3]float32{float32(p[0]), float32(p[1]), float32(p[2])}, 0)
		}
	}
	return reach
}

// camera returns a camera that looks from CAMERA to CAMERALOOK, or nil if either is absent.
func (e *Experiment) camera() *scene.Node {
	if e.CameraAt == nil || e.CameraLook == nil {
		return nil
	}
	from, to := *e.CameraAt, *e.CameraLook
	m, ok := facing([3]float64{from[0] - to[0], from[1] - to[1], from[2] - to[2]})
	if !ok {
		return nil
	}
	for k := range 3 {
		m[12+k] = float32(from[k])
	}
	return &scene.Node{Name: "CAMERA", Transform: m,
		Camera: &scene.Camera{FieldOfView: math.Pi / 4, Aspect: e.Aspect, Near: .1, Far: 10_000}}
}

func addMissing(s *scene.Scene, format string, args ...any) {
	if len(s.Missing) < maxMissing {
		s.Missing = append(s.Missing, fmt.Sprintf(format, args...))
	}
}
