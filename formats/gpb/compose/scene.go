package compose

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"

	"assay/formats/gpb"
	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// The bounds of a .scene.
const (
	bundlesMost = 64        // other bundles that nodes come from
	visitedMost = 2_000_000 // nodes that its entries are compared with or make, and channels that move copies
)

// composer makes the scene that a .scene describes. Its entries add nodes to the scene, too, and place them.
type composer struct {
	entries
	bundles   map[string]*Bundle    // by their paths; nil for those that cannot be read
	originals map[*Bundle]*original // of the bundles that nodes are copied from
	described map[string]*described // animations, by the references to them
	clips     int                   // of them
}

// Scene makes the scene that a .scene, which is the project's file, describes; nil if it describes none. name is the
// file's.
func Scene(ctx context.Context, p *project.Project, file *properties.Namespace, name string) *scene.Scene {
	if a := describedScene(ctx, p, file, name); a != nil {
		return a.Scene
	}
	return nil
}

// IsScene reports whether a text describes a scene.
func IsScene(file *properties.Namespace) bool { return sceneOf(file) != nil }

// sceneOf returns the scene that a text describes; nil if it describes none.
func sceneOf(file *properties.Namespace) *properties.Space {
	i := slices.IndexFunc(file.Spaces, func(n *properties.Namespace) bool { return n.Name == "scene" })
	if i < 0 {
		return nil
	}
	return file.Space(file.Spaces[i])
}

// describedScene makes the scene that a .scene describes, and returns it with its materials; nil if it describes none.
func describedScene(ctx context.Context, p *project.Project, file *properties.Namespace,
	name string) *material.Assignment {
	s := sceneOf(file)
	if s == nil {
		return nil
	}
	out := &scene.Scene{Name: cmp.Or(s.ID, strings.TrimSuffix(name, path.Ext(name)))}
	r := material.NewResources(ctx, p, out)
	a := material.NewAssignment(out, r)
	c := &composer{entries: newEntries(ctx, r, a, p.Path()), bundles: make(map[string]*Bundle),
		originals: make(map[*Bundle]*original), described: make(map[string]*described)}
	c.addMainBundle(s)
	c.applyEntries(s, nil)
	c.animations(s)
	c.noteExhausted(s)
	if id := s.Get("activeCamera"); id != "" {
		if n := c.nodes.find(id); n != nil && n.Camera != nil {
			out.ActiveCamera = n
		}
	}
	a.Apply()
	r.Close()
	return a
}

// addMainBundle puts the main bundle into the scene, if the .scene names one, and what holds for all of the scene.
func (c *composer) addMainBundle(s *properties.Space) {
	out, main := c.assignment.Scene, (*Bundle)(nil)
	if name := s.Get("path"); name != "" {
		main = c.bundle(name)
	}
	if main == nil {
		ambientAndUp(out, s)
		return
	}
	first := main.firstScene().attached()
	out.Roots, out.Animations = first.scene.Roots, first.scene.Animations
	out.ActiveCamera, out.Ambient = first.scene.ActiveCamera, first.scene.Ambient
	ambientAndUp(out, s)
	first.names.assign(c.assignment, out, main.project)
	addClips(c.resources.Of(main.project), out)
}

// ambientAndUp sets the ambient color that a .scene has, if it has one, and the axis against which its gravity pulls.
func ambientAndUp(out *scene.Scene, s *properties.Space) {
	if color := s.Vector("ambientColor", 3); color != nil {
		out.Ambient = [3]float32(color)
	}
	if physics := s.First("physics"); physics != nil {
		if g := physics.Vector("gravity", 3); g != nil {
			out.Gravity = upFrom(g)
		}
	}
}

// upFrom returns the axis against which a gravity pulls; unknown if it is not mostly down an axis.
func upFrom(gravity []float32) scene.Up {
	x, y, z := math.Abs(float64(gravity[0])), -gravity[1], -gravity[2]
	switch {
	case float64(y) > x && float64(y) > math.Abs(float64(z)):
		return scene.UpY
	case float64(z) > x && float64(z) > math.Abs(float64(y)):
		return scene.UpZ
	}
	return scene.UnknownUp
}

// bundle reads a bundle that the .scene names, once; nil if it cannot be read.
func (c *composer) bundle(name string) *Bundle {
	full := c.resources.Locate(name, path.Dir(c.file))
	if full == "" {
		return nil
	}
	if b, ok := c.bundles[full]; ok {
		return b
	}
	if len(c.bundles) >= bundlesMost {
		c.resources.Notef("there are nodes of more than %d bundles, and no more are read", bundlesMost)
		return nil
	}
	b, err := read(c.ctx, c.resources.Project, full)
	if err != nil {
		c.resources.Note(err.Error())
	}
	c.bundles[full] = b
	return b
}

// read reads a bundle of a project.
func read(ctx context.Context, p *project.Project, full string) (*Bundle, error) {
	src, err := p.HeldFile(full)
	if err != nil {
		return nil, err
	}
	f, err := gpb.Read(ctx, src)
	if err != nil {
		return nil, err
	}
	return NewBundle(f, p.For(full)), nil
}
