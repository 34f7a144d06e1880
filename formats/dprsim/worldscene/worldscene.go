// Package worldscene makes scenes of what the files of DPRSim say: the catoms of a world as cubes, the objects and the
// camera of an experiment around them, and the files of a simulation as the steps of a series. The files are read by
// package dprsim, which hands over typed values.
//
// The simulator's z axis points up, that of a scene is y: worlds and objects are turned. The document does not say
// which axis of a CAMERA points up: y is taken.
package worldscene

import (
	"context"
	"fmt"
	"iter"
	"math"
	"strings"

	"assay/model"
	"assay/model/scene"
)

const (
	objectsMax = 10_000 // objects of an experiment that are drawn
	missingMax = 100    // sentences about what is not drawn
)

// upright turns the simulator's axes, of which z points up, to those of a scene.
var upright = scene.Matrix{0: 1, 6: -1, 9: 1, 15: 1}

// World returns the scene of a world: the catoms of each body, at their places in the simulator's axes.
func World(bodies ...*scene.Points) *scene.Scene {
	s := &scene.Scene{}
	for _, p := range bodies {
		s.Roots = append(s.Roots, &scene.Node{Transform: upright, Points: p})
	}
	return s
}

// Experiment is what an experiment says about its scene.
type Experiment struct {
	Objects iter.Seq[Object]
	Lattice string // LATTICE; empty if it does not say
	// Catoms returns those of its WORLD. An error is a sentence about the world.
	Catoms func(ctx context.Context) ([]*scene.Points, error)

	CameraAt, CameraLook *[3]float64 // CAMERA and CAMERALOOK; nil if it does not say
	Aspect               float32     // RESOLUTIONX by RESOLUTIONY; 0 if it does not say
}

// Scene returns the objects, the catoms and the camera of an experiment. Scene.Missing says what is not drawn and what
// was assumed.
func (e *Experiment) Scene(ctx context.Context) *scene.Scene {
	s := &scene.Scene{}
	e.addObjects(ctx, s)
	bodies, err := e.Catoms(ctx)
	if err != nil {
		missing(s, "%v", err)
	}
	s.Roots = append(s.Roots, World(bodies...).Roots...)
	if e.Lattice != "" && !strings.EqualFold(e.Lattice, "cube") {
		missing(s, "the lattice %s is not documented: catoms are drawn as cubes, as those of LATTICE=cube are",
			model.OneLine(e.Lattice, 40))
	}
	if n := e.camera(); n != nil && len(s.Roots) > 0 {
		s.Roots = append(s.Roots, n)
		missing(s, "the axis of CAMERA that points up is not documented: y is taken")
	}
	return s
}

// addObjects adds the objects, and makes the planes among them so large that they reach beyond everything else.
func (e *Experiment) addObjects(ctx context.Context, s *scene.Scene) {
	var planes []*scene.Node
	meshes := newSolids()
	number := 0
	for o := range e.Objects {
		if number++; number > objectsMax || ctx.Err() != nil {
			missing(s, "objects beyond the first %d are not drawn", objectsMax)
			break
		}
		n, err := o.node(meshes)
		if err != nil {
			missing(s, "object %d, %s, is not drawn: %v", number, model.OneLine(o.Type, 40), err)
			continue
		}
		s.Roots = append(s.Roots, n)
		if o.Type == "PLANE" {
			planes = append(planes, n.Children[0])
		}
	}
	size := 2 * e.reach(s.Roots)
	for _, square := range planes {
		enlarge := scene.TRS{Rotation: noTurn, Scale: [3]float32{size, size, 1}}
		square.Transform = square.Transform.Times(enlarge.Matrix())
	}
}

// reach returns how far the objects and the camera are from the origin along the farthest axis.
func (e *Experiment) reach(objects []*scene.Node) float32 {
	reach := float32(10)
	far := func(at ...float32) {
		for _, f := range at {
			reach = max(reach, f, -f)
		}
	}
	for _, n := range objects {
		far(n.Transform[12:15]...)
		for _, part := range n.Children {
			far(part.Transform[0], part.Transform[5], part.Transform[10])
		}
	}
	for _, p := range []*[3]float64{e.CameraAt, e.CameraLook} {
		if p != nil {
			far(float32(p[0]), float32(p[1]), float32(p[2]))
		}
	}
	return reach
}

// camera returns a camera that looks from CAMERA to CAMERALOOK; nil if one of them is not known.
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

func missing(s *scene.Scene, format string, args ...any) {
	if len(s.Missing) < missingMax {
		s.Missing = append(s.Missing, fmt.Sprintf(format, args...))
	}
}
