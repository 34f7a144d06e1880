package gpb

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// The bounds of a .scene.
const (
	bundlesMost = 64        // other bundles that nodes come from
	workMost    = 2_000_000 // nodes that its entries are compared with, or make
)

// composer applies the entries of a .scene to the scene of its bundle. Whole, it makes the scene as the .scene
// describes it: with nodes of other bundles, new nodes, places and names. Else it takes the materials only.
type composer struct {
	*dresser
	ctx     context.Context
	folder  string // of the .scene
	whole   bool
	bundles map[string]*File
	names   map[string][]*scene.Node // of the whole scene
	work    int                      // nodes that entries were compared with, or made
}

// compose applies the entries of a scene.
func (c *composer) compose(s *properties.Space) {
	c.entries(s, nil, 0)
	if id := s.Get("activeCamera"); id != "" && c.whole {
		if n := c.byID(c.out.Roots, id); len(n) > 0 && n[0].Camera != nil {
			c.out.ActiveCamera = n[0]
		}
	}
}

const entryDepth = 64

// entries applies the entries of a namespace, which mean nodes below parent; below all of the scene's if it is nil.
func (c *composer) entries(s *properties.Space, parent *scene.Node, depth int) {
	if depth > entryDepth {
		return
	}
	for _, entry := range s.Spaces() {
		if entry.Name != "node" || c.ctx.Err() != nil {
			continue
		}
		for _, n := range c.targets(entry, parent) {
			c.wear(n, entry, c.folder)
			if c.whole {
				move(n, entry)
				c.terrain(n, entry)
			}
			c.entries(entry, n, depth+1)
		}
	}
}

// targets returns the nodes that an entry means.
func (c *composer) targets(entry *properties.Space, parent *scene.Node) []*scene.Node {
	if c.work > workMost {
		c.missing("the entries of the scene lead to more nodes than are built")
		return nil
	}
	in := c.out.Roots
	if parent != nil {
		in = parent.Children
	}
	url := entry.Get("url")
	file, id, other := strings.Cut(url, "#")
	switch {
	case url == "":
		if found := c.byID(in, entry.ID); len(found) > 0 {
			return found
		}
		if !c.whole {
			return nil
		}
		n := &scene.Node{Name: entry.ID, Transform: scene.Identity}
		c.add(parent, n)
		return []*scene.Node{n}
	case !other || file == "":
		return c.renamed(c.byID(in, strings.TrimPrefix(url, "#")), strings.TrimPrefix(url, "#"), entry.ID)
	case !c.whole:
		return nil
	}
	f := c.bundle(file)
	if f == nil {
		return nil
	}
	s := f.first()
	s.Walk(func(*scene.Node, scene.Matrix) { c.work++ })
	found := c.renamed(c.byID(s.Roots, id), id, entry.ID)
	if len(found) == 0 {
		c.missing("%s has no node %s", oneLine(file), oneLine(id))
	}
	for _, n := range found {
		c.add(parent, n)
	}
	c.out.Animations = append(c.out.Animations, s.Animations...)
	return found
}

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

// byID returns the first node with an id, among nodes and what is below them; with a * at the id's end, all whose ids
// begin so.
func (c *composer) byID(in []*scene.Node, id string) (found []*scene.Node) {
	prefix, many := strings.CutSuffix(id, "*")
	if whole := len(in) > 0 && len(c.out.Roots) > 0 && &in[0] == &c.out.Roots[0]; whole && !many {
		all := c.withName(id)
		return all[:min(1, len(all))]
	}
	(&scene.Scene{Roots: in}).Walk(func(n *scene.Node, _ scene.Matrix) {
		c.work++
		if n.Name == id && !many && len(found) == 0 || many && strings.HasPrefix(n.Name, prefix) {
			found = append(found, n)
		}
	})
	return found
}

// withName returns the nodes of the scene with a name, in their order.
func (c *composer) withName(name string) (found []*scene.Node) {
	if c.names == nil {
		c.names = make(map[string][]*scene.Node)
		c.out.Walk(func(n *scene.Node, _ scene.Matrix) { c.names[n.Name] = append(c.names[n.Name], n) })
	}
	for _, n := range c.names[name] {
		if n.Name == name { // it may have got another since
			found = append(found, n)
		}
	}
	return found
}

// renamed returns nodes that were found by an id, or by one with a *, the name of the entry, and what a * stands for.
func (c *composer) renamed(nodes []*scene.Node, id, name string) []*scene.Node {
	prefix, many := strings.CutSuffix(id, "*")
	for _, n := range nodes {
		switch {
		case !c.whole:
			continue
		case many:
			n.Name = name + strings.TrimPrefix(n.Name, prefix)
		default:
			n.Name = name
		}
		if c.names != nil {
			c.names[n.Name] = append(c.names[n.Name], n)
		}
	}
	return nodes
}

// bundle reads another bundle of the project, once.
func (c *composer) bundle(name string) *File {
	full := c.find(name, c.folder)
	if full == "" {
		return nil
	}
	if f, ok := c.bundles[full]; ok {
		return f
	}
	if len(c.bundles) >= bundlesMost {
		c.missing("there are nodes of more than %d bundles, and no more are read", bundlesMost)
		return nil
	}
	f, err := c.read(full)
	if err != nil {
		c.missing("%s", err)
	}
	c.bundles[full] = f
	return f
}

func (c *composer) read(full string) (*File, error) {
	src, err := c.project.Bundle(full)
	if err != nil {
		return nil, err
	}
	r, _, err := choose(c.ctx, src)
	if err != nil {
		return nil, err
	}
	r.file.project = c.project.For(full)
	return r.file, nil
}

// first returns the first scene of a file; without any, all of its meshes.
func (f *File) first() *scene.Scene {
	out, named := f.firstPlain()
	f.dress(out, named)
	return out
}

// firstPlain is first without what is around the file.
func (f *File) firstPlain() (*scene.Scene, []namedModel) {
	for _, o := range f.all() {
		if s, ok := o.(*Scene); ok {
			return f.plain(s)
		}
	}
	return f.drawing(), nil
}

// move moves, turns and scales a node, from where it is, as an entry says.
func move(n *scene.Node, entry *properties.Space) {
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

// vector reads so many numbers between commas; nil if there are others.
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

// dress gives a scene of the bundle what is around it, and returns what did.
func (f *File) dress(out *scene.Scene, named []namedModel) *dresser {
	d := newDresser(f.project, out)
	if f.project == nil {
		return d
	}
	s, full := d.description()
	for _, n := range named {
		d.named(n.node, n.names)
	}
	if s != nil {
		(&composer{dresser: d, ctx: context.Background(), folder: path.Dir(full)}).compose(s)
	}
	d.fitting()
	d.clips()
	d.finish()
	return d
}

// namedModel is a model with the names of its materials.
type namedModel struct {
	node  *scene.Node
	names []string
}

// description returns the scene of the .scene beside the bundle that is about it, and where it is; nil if there is
// none.
func (d *dresser) description() (*properties.Space, string) {
	files := d.project.Beside(".scene")
	for _, full := range files[:min(len(files), scenesMost)] {
		file := d.text(full)
		if file == nil {
			continue
		}
		for _, n := range file.Spaces {
			if n.Name != "scene" {
				continue
			}
			s := file.Space(n)
			if !d.project.Means(s.Get("path"), path.Dir(full)) {
				break
			}
			d.ambient(s)
			return s, full
		}
	}
	return nil, ""
}

// ambient takes the ambient color of a .scene.
func (d *dresser) ambient(s *properties.Space) {
	if color := vector(s.Get("ambientColor"), 3); color != nil {
		d.out.Ambient = [3]float32(color)
	}
}

// sceneOf makes the scene that a .scene describes; nil if it describes none.
func sceneOf(ctx context.Context, p *project.Project, file *properties.Namespace, name string) *scene.Scene {
	if d := compositionOf(ctx, p, file, name); d != nil {
		return d.out
	}
	return nil
}

// compositionOf makes the scene that a .scene describes, and returns what made it; nil if it describes none.
func compositionOf(ctx context.Context, p *project.Project, file *properties.Namespace, name string) *dresser {
	i := slices.IndexFunc(file.Spaces, func(n *properties.Namespace) bool { return n.Name == "scene" })
	if i < 0 {
		return nil
	}
	s := file.Space(file.Spaces[i])
	out := &scene.Scene{}
	d := newDresser(p, out)
	c := &composer{dresser: d, ctx: ctx, folder: path.Dir(p.Path()), whole: true, bundles: make(map[string]*File)}
	if main := s.Get("path"); main != "" {
		if f := c.bundle(main); f != nil {
			plain, named := f.firstPlain()
			plain.Missing, plain.Incomplete = out.Missing, out.Incomplete
			*out = *plain
			d.ambient(s)
			d.project = f.project
			for _, n := range named {
				d.named(n.node, n.names)
			}
			d.clips()
		}
	}
	d.project = p
	out.Name = cmp.Or(s.ID, strings.TrimSuffix(name, path.Ext(name)))
	c.compose(s)
	d.finish()
	return d
}
