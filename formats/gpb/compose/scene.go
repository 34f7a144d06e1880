package compose

import (
	"cmp"
	"context"
	"iter"
	"math"
	"path"
	"slices"
	"strconv"
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
	visitedMost = 2_000_000 // nodes that its entries are compared with, or make
)

// composer applies the entries of a .scene to the scene of its bundle. compose adds nodes of other bundles and new
// ones, names and places them, and assigns materials; assign only assigns materials.
type composer struct {
	ctx        context.Context
	resources  *project.Resources
	out        *scene.Scene
	assignment *material.Assignment
	file       string // path of the .scene
	bundles    map[string]*Bundle
	shapes     map[string]*scene.Collision // by the references to them
	names      map[string][]*scene.Node    // of the whole scene
	visited    int                         // nodes that entries were compared with, or made
}

// Scene makes the scene that a .scene, which is the project's file, describes; nil if it describes none. name is the
// file's.
func Scene(ctx context.Context, p *project.Project, file *properties.Namespace, name string) *scene.Scene {
	if a := composed(ctx, p, file, name); a != nil {
		return a.Scene
	}
	return nil
}

// composed makes the scene that a .scene describes, and returns it with its materials; nil if it describes none.
func composed(ctx context.Context, p *project.Project, file *properties.Namespace, name string) *material.Assignment {
	i := slices.IndexFunc(file.Spaces, func(n *properties.Namespace) bool { return n.Name == "scene" })
	if i < 0 {
		return nil
	}
	s := file.Space(file.Spaces[i])
	out := &scene.Scene{}
	r := project.NewResources(p, out)
	a := material.NewAssignment(out, r)
	c := &composer{ctx: ctx, resources: r, out: out, assignment: a, file: p.Path(),
		bundles: make(map[string]*Bundle)}
	if main := s.Get("path"); main != "" {
		if b := c.bundle(main); b != nil {
			bare, named := b.bareFirst()
			bare.Missing, bare.Incomplete, bare.Materials = out.Missing, out.Incomplete, out.Materials
			*out = *bare
			ambientAndUp(out, s)
			for _, n := range named {
				a.ByModel(b.project, n.node, n.names)
			}
			clips(r.Of(b.project), out)
		}
	}
	out.Name = cmp.Or(s.ID, strings.TrimSuffix(name, path.Ext(name)))
	c.compose(s)
	a.Apply()
	r.Close()
	return a
}

// compose applies the entries of a scene.
func (c *composer) compose(s *properties.Space) {
	c.entries(s, nil, 0)
	if n, _ := s.Nearest("animations"); n != nil {
		c.resources.Notef("the animations that %s names are not read", path.Base(c.file))
	}
	if id := s.Get("activeCamera"); id != "" {
		if n := c.byID(c.out.Roots, id); len(n) > 0 && n[0].Camera != nil {
			c.out.ActiveCamera = n[0]
		}
	}
}

// entryDepth is how deep entries may nest.
const entryDepth = 64

// entries applies the entries of a namespace to the nodes below parent; to those of the whole scene if it is nil.
func (c *composer) entries(s *properties.Space, parent *scene.Node, depth int) {
	for entry := range c.entriesOf(s, depth) {
		for _, n := range c.nodesOf(entry, parent) {
			c.assignment.ByEntry(n, entry, c.file)
			place(n, entry)
			c.terrain(n, entry)
			c.collision(n, entry)
			c.entries(entry, n, depth+1)
		}
	}
}

// assign assigns the materials and collision shapes of the entries of a namespace to those nodes below parent, or of
// the whole scene, that are there. Nothing else of them changes.
func (c *composer) assign(s *properties.Space, parent *scene.Node, depth int) {
	for entry := range c.entriesOf(s, depth) {
		file, id, other := strings.Cut(cmp.Or(entry.Get("url"), entry.ID), "#")
		switch {
		case other && file != "":
			continue // a node of another bundle
		case !other:
			id = file
		}
		for _, n := range c.byID(c.below(parent), id) {
			c.assignment.ByEntry(n, entry, c.file)
			c.collision(n, entry)
			c.assign(entry, n, depth+1)
		}
	}
}

// entriesOf returns the entries of a namespace until the context ends; none if they are nested too deep, or led to too
// many nodes before.
func (c *composer) entriesOf(s *properties.Space, depth int) iter.Seq[*properties.Space] {
	return func(yield func(*properties.Space) bool) {
		if depth > entryDepth {
			return
		}
		for _, entry := range s.Spaces() {
			switch {
			case entry.Name != "node":
			case c.ctx.Err() != nil:
				return
			case c.visited > visitedMost:
				c.resources.Notef("the entries of the scene lead to more nodes than are built")
				return
			case !yield(entry):
				return
			}
		}
	}
}

// below returns the nodes below a node, or the roots of the scene if it is nil.
func (c *composer) below(parent *scene.Node) []*scene.Node {
	if parent == nil {
		return c.out.Roots
	}
	return parent.Children
}

// nodesOf returns the nodes that an entry is about: those of the scene that it names, of another bundle, or a new one.
func (c *composer) nodesOf(entry *properties.Space, parent *scene.Node) []*scene.Node {
	in := c.below(parent)
	url := entry.Get("url")
	file, id, other := strings.Cut(url, "#")
	switch {
	case url == "":
		if nodes := c.byID(in, entry.ID); len(nodes) > 0 {
			return nodes
		}
		n := &scene.Node{Name: entry.ID, Transform: scene.Identity}
		c.add(parent, n)
		return []*scene.Node{n}
	case !other || file == "":
		return c.renamed(c.byID(in, strings.TrimPrefix(url, "#")), strings.TrimPrefix(url, "#"), entry.ID)
	}
	return c.nodesOfBundle(file, id, entry.ID, parent)
}

// nodesOfBundle adds the nodes with an id, and the animations, of another bundle to the scene, below parent and under a
// name. It returns the nodes.
func (c *composer) nodesOfBundle(file, id, name string, parent *scene.Node) []*scene.Node {
	f := c.bundle(file)
	if f == nil {
		return nil
	}
	s := f.First()
	s.Walk(func(*scene.Node, scene.Matrix) { c.visited++ })
	nodes := c.renamed(c.byID(s.Roots, id), id, name)
	if len(nodes) == 0 {
		c.resources.Notef("%s has no node %s", file, id)
	}
	for _, n := range nodes {
		c.add(parent, n)
	}
	c.out.Animations = append(c.out.Animations, s.Animations...)
	return nodes
}

// add puts a node below another one, or at the top of the scene if parent is nil.
func (c *composer) add(parent, n *scene.Node) {
	if parent == nil {
		c.out.Roots = append(c.out.Roots, n)
	} else {
		parent.Children = append(parent.Children, n)
	}
	if c.names != nil {
		below := &scene.Scene{Roots: []*scene.Node{n}}
		below.Walk(func(n *scene.Node, _ scene.Matrix) {
			c.names[n.Name] = append(c.names[n.Name], n)
		})
	}
}

// byID returns the first node with an id among nodes and those below them; if the id ends in a *, all nodes whose ids
// begin with what is before it.
func (c *composer) byID(in []*scene.Node, id string) (nodes []*scene.Node) {
	prefix, many := strings.CutSuffix(id, "*")
	if whole := len(in) > 0 && len(c.out.Roots) > 0 && &in[0] == &c.out.Roots[0]; whole && !many {
		all := c.withName(id)
		return all[:min(1, len(all))]
	}
	(&scene.Scene{Roots: in}).Walk(func(n *scene.Node, _ scene.Matrix) {
		c.visited++
		if n.Name == id && !many && len(nodes) == 0 || many && strings.HasPrefix(n.Name, prefix) {
			nodes = append(nodes, n)
		}
	})
	return nodes
}

// withName returns the nodes of the scene with a name, in their order.
func (c *composer) withName(name string) (nodes []*scene.Node) {
	if c.names == nil {
		c.names = make(map[string][]*scene.Node)
		c.out.Walk(func(n *scene.Node, _ scene.Matrix) { c.names[n.Name] = append(c.names[n.Name], n) })
	}
	for _, n := range c.names[name] {
		if n.Name == name { // it may have got another since
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// renamed gives nodes that have an id, which may end in a *, the name of an entry, followed by what the * stands for.
func (c *composer) renamed(nodes []*scene.Node, id, name string) []*scene.Node {
	prefix, many := strings.CutSuffix(id, "*")
	for _, n := range nodes {
		rest := ""
		if many {
			rest = strings.TrimPrefix(n.Name, prefix)
		}
		n.Name = name + rest
		if c.names != nil {
			c.names[n.Name] = append(c.names[n.Name], n)
		}
	}
	return nodes
}

// bundle reads another bundle of the project, once.
func (c *composer) bundle(name string) *Bundle {
	full := c.resources.Locate(name, path.Dir(c.file))
	if full == "" {
		return nil
	}
	if f, ok := c.bundles[full]; ok {
		return f
	}
	if len(c.bundles) >= bundlesMost {
		c.resources.Notef("there are nodes of more than %d bundles, and no more are read", bundlesMost)
		return nil
	}
	f, err := read(c.ctx, c.resources.Project, full)
	if err != nil {
		c.resources.Note(err.Error())
	}
	c.bundles[full] = f
	return f
}

// read reads a bundle of a project.
func read(ctx context.Context, p *project.Project, full string) (*Bundle, error) {
	src, err := p.ReadFile(full)
	if err != nil {
		return nil, err
	}
	f, err := gpb.Read(ctx, src)
	if err != nil {
		return nil, err
	}
	return NewBundle(f, p.For(full)), nil
}

// place moves, turns and scales a node from where it is, and gives it a light or a camera, as an entry says.
func place(n *scene.Node, entry *properties.Space) {
	t, _ := n.Transform.Parts()
	moved := false
	if v := vector(entry.Get("translate"), 3); v != nil {
		for i := range 3 {
			t.Translation[i] += v[i]
		}
		moved = true
	}
	if v := vector(entry.Get("rotate"), 4); v != nil {
		t.Rotation = t.Turned([3]float32(v), float64(v[3])*math.Pi/180)
		moved = true
	}
	if v := vector(entry.Get("scale"), 3); v != nil {
		for i := range 3 {
			t.Scale[i] *= v[i]
		}
		moved = true
	}
	if moved {
		n.Transform = t.Matrix()
	}
	for _, below := range entry.Spaces() {
		switch below.Name {
		case "light":
			n.Light = sceneLight(below, entry.ID)
		case "camera":
			n.Camera = sceneCamera(below, entry.ID)
		}
	}
}

func sceneLight(s *properties.Space, name string) *scene.Light {
	kinds := map[string]scene.LightKind{"POINT": scene.Point, "SPOT": scene.Spot}
	l := &scene.Light{Name: name, Kind: kinds[s.Get("type")],
		Range: number(s.Get("range"), 0), Inner: number(s.Get("innerAngle"), 0) * math.Pi / 180,
		Outer: number(s.Get("outerAngle"), 0) * math.Pi / 180}
	if v := vector(s.Get("color"), 3); v != nil {
		l.Color = [3]float32(v)
	}
	return l
}

func sceneCamera(s *properties.Space, name string) *scene.Camera {
	zoom := number(s.Get("zoom"), 1)
	return &scene.Camera{Name: name, Orthographic: s.Get("type") == "ORTHOGRAPHIC",
		Aspect:      number(s.Get("aspectRatio"), 0),
		FieldOfView: number(s.Get("fieldOfView"), 45) * math.Pi / 180, Width: zoom, Height: zoom,
		Near: number(s.Get("nearPlane"), 0.2), Far: number(s.Get("farPlane"), 100)}
}

// vector returns the n numbers of a value; nil if it is not n numbers with commas between them.
func vector(v string, n int) []float32 {
	parts := strings.Split(v, ",")
	if len(parts) != n {
		return nil
	}
	out := make([]float32, n)
	for i, part := range parts {
		f, err := strconv.ParseFloat(strings.TrimSpace(part), 32)
		if err != nil || !(math.Abs(f) < 1e30) {
			return nil
		}
		out[i] = float32(f)
	}
	return out
}

func number(v string, otherwise float32) float32 {
	if f := vector(v, 1); f != nil {
		return f[0]
	}
	return otherwise
}

// ambientAndUp sets the ambient color that a .scene has, if it has one, and the axis against which its gravity pulls.
func ambientAndUp(out *scene.Scene, s *properties.Space) {
	if color := vector(s.Get("ambientColor"), 3); color != nil {
		out.Ambient = [3]float32(color)
	}
	for _, below := range s.Spaces() {
		if below.Name != "physics" {
			continue
		}
		if g := vector(below.Get("gravity"), 3); g != nil {
			out.Up = upFrom(g)
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
