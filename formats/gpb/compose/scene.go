package compose

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"iter"
	"math"
	"path"
	"slices"
	"strings"
	"sync"

	"assay/formats/gpb"
	"assay/formats/gpb/material"
	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// The bounds of a .scene.
const (
	maxBundles = 64        // other bundles that nodes come from
	maxVisited = 2_000_000 // nodes that its entries are compared with or make, and channels that move copies
)

// composer applies a .scene to the scene of a bundle beside it, or to the scene that the .scene describes.
type composer struct {
	ctx        context.Context
	resources  *material.Resources
	assigner   *material.Assigner
	file       string // path of the .scene
	describes  bool   // the .scene describes the scene
	nodes      *nodeIndex
	shapes     map[string]*scene.Collision // by the references to them
	pictures   map[string]image.Point      // the sizes of pictures of sprites, by their paths
	bundles    map[string]*BundleScenes    // by their paths; nil if unreadable
	originals  map[*BundleScenes]*original // of the bundles that nodes are copied from
	animations map[string]*sceneAnimation  // by the references to them
	clips      clipAdder                   // to the animations
}

func newComposer(ctx context.Context, r *material.Resources, a *material.Assigner, file string) *composer {
	return &composer{ctx: ctx, resources: r, assigner: a, file: file, nodes: &nodeIndex{scene: a.Scene},
		shapes: make(map[string]*scene.Collision), pictures: make(map[string]image.Point),
		bundles: make(map[string]*BundleScenes), originals: make(map[*BundleScenes]*original),
		animations: make(map[string]*sceneAnimation), clips: clipAdder{resources: r}}
}

// Scene makes the scene that file, a .scene with this name in project p, describes.
func Scene(ctx context.Context, p *project.Project, file *properties.Namespace, name string) *scene.Scene {
	return describedScene(ctx, p, file, name).Scene
}

// IsScene reports whether a text describes a scene.
func IsScene(file *properties.Namespace) bool { return sceneOf(file) != nil }

// sceneOf returns the scene that a text describes, or nil.
func sceneOf(file *properties.Namespace) *properties.Space {
	i := slices.IndexFunc(file.Children, func(n *properties.Namespace) bool { return n.Name == "scene" })
	if i < 0 {
		return nil
	}
	return file.Space(file.Children[i])
}

// describedScene makes the scene that a .scene describes, with its materials.
func describedScene(ctx context.Context, p *project.Project, file *properties.Namespace,
	name string) *material.Assigner {
	s := sceneOf(file)
	out := &scene.Scene{Name: cmp.Or(s.ID, strings.TrimSuffix(name, path.Ext(name))), OthersUp: upAxisOfOthers(ctx, p)}
	r := material.NewResources(ctx, p, out)
	a := material.NewAssigner(out, r)
	c := newComposer(ctx, r, a, p.Path())
	c.describes = true
	c.addMainBundle(s)
	c.apply(s, nil)
	c.addAnimations(s)
	c.noteExhausted(s)
	if id := s.Get("activeCamera"); id != "" {
		if n := c.nodes.find(id); n != nil && n.Camera != nil {
			out.ActiveCamera = n
		}
	}
	a.Apply()
	a.MarkUndrawn()
	r.Close()
	return a
}

// addMainBundle adds the main bundle to the scene, if the .scene names one, and sets the properties of the whole scene.
func (c *composer) addMainBundle(s *properties.Space) {
	out, main := c.assigner.Scene, (*BundleScenes)(nil)
	if name := s.Get("path"); name != "" {
		main = c.bundle(name)
	}
	if main == nil {
		setAmbientAndGravity(out, s)
		return
	}
	first := main.firstScene().withSkeletons()
	out.Roots, out.Animations = first.scene.Roots, first.scene.Animations
	out.ActiveCamera, out.Ambient = first.scene.ActiveCamera, first.scene.Ambient
	setAmbientAndGravity(out, s)
	first.names.assign(c.assigner, out, main.project)
	addClips(c.resources.ForProject(main.project), out)
}

// setAmbientAndGravity sets the ambient color that a .scene has, if it has one, and the axis against which its gravity
// pulls.
func setAmbientAndGravity(out *scene.Scene, s *properties.Space) {
	if color := s.Vector("ambientColor", 3); color != nil {
		out.Ambient = [3]float32(color)
	}
	if physics := s.First("physics"); physics != nil {
		if g := physics.Vector("gravity", 3); g != nil {
			out.Gravity = upAxisOf(g)
		}
	}
}

// upAxisOf returns the axis against which a gravity pulls; unknown if it is not mostly down an axis.
func upAxisOf(gravity []float32) scene.Up {
	x, y, z := math.Abs(float64(gravity[0])), -gravity[1], -gravity[2]
	switch {
	case float64(y) > x && float64(y) > math.Abs(float64(z)):
		return scene.UpY
	case float64(z) > x && float64(z) > math.Abs(float64(y)):
		return scene.UpZ
	}
	return scene.UnknownUp
}

// maxOthers is the maximum number of bundles beside a file whose cameras are examined.
const maxOthers = 8

// upAxisOfOthers returns a function that returns the axis that points up in the bundles beside a file.
func upAxisOfOthers(ctx context.Context, p *project.Project) func() scene.Up {
	ctx = context.WithoutCancel(ctx) // the scene outlives it
	return sync.OnceValue(func() scene.Up {
		siblings, _ := p.Siblings(".gpb")
		var ups [scene.UpZ + 1]bool
		for _, inRoot := range siblings[:min(len(siblings), maxOthers)] {
			if b, err := read(ctx, p, inRoot); err == nil {
				ups[b.firstScene().scene.CamerasUp()] = true
			}
		}
		switch {
		case ups[scene.UpY] == ups[scene.UpZ]:
			return scene.UnknownUp
		case ups[scene.UpZ]:
			return scene.UpZ
		}
		return scene.UpY
	})
}

// bundle reads a bundle that the .scene names, once, or returns nil if it cannot be read.
func (c *composer) bundle(name string) *BundleScenes {
	inRoot := c.resources.Locate(name, path.Dir(c.file))
	if inRoot == "" {
		return nil
	}
	if b, ok := c.bundles[inRoot]; ok {
		return b
	}
	if len(c.bundles) >= maxBundles {
		c.resources.Notef("there are nodes of more than %d bundles; the rest is ignored", maxBundles)
		return nil
	}
	b, err := read(c.ctx, c.resources.Project, inRoot)
	if err != nil {
		c.resources.Note(err.Error())
	}
	c.bundles[inRoot] = b
	return b
}

func read(ctx context.Context, p *project.Project, inRoot string) (*BundleScenes, error) {
	src, err := p.CachedFile(inRoot)
	if err != nil {
		return nil, err
	}
	f, err := gpb.Read(ctx, src)
	if err != nil {
		return nil, err
	}
	return NewBundleScenes(f, p.ForFile(inRoot)), nil
}

// ScenesAround returns the composed scenes around a .material, which is the project's file: of each .scene beside it,
// and of the bundle with its name.
func ScenesAround(ctx context.Context, p *project.Project) iter.Seq[*material.Assigner] {
	return func(yield func(*material.Assigner) bool) {
		scenes, _ := p.Siblings(".scene") // the bundle below reports a folder that cannot be read
		for _, inRoot := range scenes[:min(len(scenes), maxTexts)] {
			file, err := p.Text(inRoot)
			if err != nil || ctx.Err() != nil || !IsScene(file) {
				continue
			}
			if !yield(describedScene(ctx, p.ForFile(inRoot), file, path.Base(inRoot))) {
				return
			}
		}
		bundle := p.Find(path.Base(p.Stem())+".gpb", "")
		if inRoot := bundle.Path; inRoot != "" && ctx.Err() == nil {
			if b, err := read(ctx, p, inRoot); err == nil {
				yield(b.withSurroundings(ctx, b.firstScene().withSkeletons()))
			}
		}
	}
}

// The limits and the spacing of the collision shapes of a text that are drawn on their own.
const (
	maxShapes = 400
	shapeStep = 1.5 // of the largest of them
)

// Shapes returns the collision shapes of a text in rows, as lines, or nil. A shape without lengths is drawn for a mesh
// that is a cube with edges of length 1.
func Shapes(ctx context.Context, file *properties.Namespace, name string) *scene.Scene {
	out := &scene.Scene{Name: strings.TrimSuffix(name, path.Ext(name))}
	skipped := 0
	var largest float32
	for _, space := range file.Children {
		if !slices.Contains(collisionKinds, space.Name) {
			continue
		}
		if len(out.Roots) == maxShapes || ctx.Err() != nil {
			skipped++
			continue
		}
		if lines := shapeLines(file.Space(space)); len(lines) > 0 {
			largest = max(largest, extent(lines))
			out.Roots = append(out.Roots, &scene.Node{Name: space.ID, Offset: space.Offset, Transform: scene.Identity,
				Mesh: scene.LineMesh(space.ID, lines)})
		}
	}
	if len(out.Roots) == 0 {
		return nil
	}
	scene.ArrangeInRows(out.Roots, shapeStep*largest)
	if skipped > 0 {
		out.Missing = append(out.Missing, fmt.Sprintf("%d more collision shapes are not drawn", skipped))
	}
	return out
}

// shapeLines returns the lines of the shape that a namespace describes, around the origin, or nil.
func shapeLines(s *properties.Space) []scene.Segment {
	c := collisionShape(s)
	if c == nil {
		return nil
	}
	solid := *c
	solid.Center = [3]float32{}
	if solid.Shape == scene.MeshCollision {
		solid.Shape = scene.BoxCollision
	}
	return solid.Lines(scene.Identity, scene.MeshBounds{Low: [3]float32{-.5, -.5, -.5}, High: [3]float32{.5, .5, .5},
		Radius: .5})
}

// extent returns the width of lines around the origin; it ignores coordinates that are too large to draw.
func extent(lines []scene.Segment) (widest float32) {
	for _, l := range lines {
		for _, f := range append(l[0][:], l[1][:]...) {
			if size := float32(math.Abs(float64(f))); size < 1e9 {
				widest = max(widest, 2*size)
			}
		}
	}
	return widest
}

// address selects the nodes of an entry by an id, or all by a prefix of their ids.
type address struct {
	file string // another bundle than the main one
	id   string
	many bool
}

// parseAddress parses a url: file#id, or an id of the main bundle. A * at the end, but not by itself, matches any rest
// of an id. As in the engine (splitURL), a url with a dot names a file.
func parseAddress(url string) (a address) {
	a.id = url
	if len(url) > 1 {
		a.id, a.many = strings.CutSuffix(url, "*")
	}
	if !strings.Contains(a.id, ".") {
		return a
	}
	if i := strings.LastIndexByte(a.id, '#'); i >= 0 {
		a.file, a.id = a.id[:i], a.id[i+1:]
	} else {
		a.file, a.id = a.id, ""
	}
	return a
}

// String returns the id for a message, with the * of a prefix, or "without an id".
func (a address) String() string {
	switch {
	case a.many:
		return a.id + "*"
	case a.id == "":
		return "without an id"
	}
	return a.id
}

// nodeIndex finds nodes by name in a scene that changes: nodes are added and renamed. Of several with one name it
// returns the first in the order of search.
type nodeIndex struct {
	scene     *scene.Scene
	byName    map[string][]*scene.Node // includes renamed nodes; nil until needed
	unordered map[string]bool          // names with nodes that may not be in the order of search
	renamed   map[*scene.Node]string   // the original names of renamed nodes
	visited   int                      // number of visited or added nodes
}

// findAll returns the nodes of an address without a file, below parent or, if that is nil, in the whole scene.
func (x *nodeIndex) findAll(parent *scene.Node, a address) []*scene.Node {
	switch {
	case parent != nil:
		return x.searchBelow(parent, a)
	case a.many:
		return x.searchBelow(searchRoot(x.scene.Roots), a)
	}
	if n := x.find(a.id); n != nil {
		return []*scene.Node{n}
	}
	return nil
}

// searchBelow returns the nodes of an address below one, which need not be in the scene.
func (x *nodeIndex) searchBelow(top *scene.Node, a address) (found []*scene.Node) {
	for n := range search(top) {
		x.visited++
		switch {
		case a.many && strings.HasPrefix(n.Name, a.id):
			found = append(found, n)
		case !a.many && n.Name == a.id:
			return []*scene.Node{n}
		}
	}
	return found
}

// find returns the node of the scene with an id, or nil.
func (x *nodeIndex) find(id string) *scene.Node {
	if x.byName == nil {
		x.byName, x.unordered = make(map[string][]*scene.Node), make(map[string]bool)
		x.index(searchRoot(x.scene.Roots))
		clear(x.unordered)
	}
	named := x.byName[id]
	for len(named) > 0 && named[0].Name != id {
		named = named[1:]
	}
	if x.unordered[id] && len(named) > 1 {
		named = nil
		for n := range search(searchRoot(x.scene.Roots)) {
			if x.visited++; n.Name == id {
				named = append(named, n)
			}
		}
	}
	x.unordered[id] = false
	x.byName[id] = named
	if len(named) == 0 {
		return nil
	}
	return named[0]
}

// searchRoot returns a node with these children, for a search.
func searchRoot(nodes []*scene.Node) *scene.Node { return &scene.Node{Children: nodes} }

// index adds the nodes below one to the index.
func (x *nodeIndex) index(top *scene.Node) {
	for n := range search(top) {
		x.addName(n)
	}
}

func (x *nodeIndex) addName(n *scene.Node) {
	x.byName[n.Name] = append(x.byName[n.Name], n)
	x.unordered[n.Name] = len(x.byName[n.Name]) > 1
}

// add adds a node below another one, or at the top of the scene if that is nil.
func (x *nodeIndex) add(parent, n *scene.Node) {
	if parent == nil {
		x.scene.Roots = append(x.scene.Roots, n)
	} else {
		parent.Children = append(parent.Children, n)
	}
	if x.byName != nil {
		x.index(searchRoot([]*scene.Node{n}))
	}
}

// rename replaces a prefix of the ids of nodes by a name.
func (x *nodeIndex) rename(nodes []*scene.Node, prefix, name string) {
	if x.renamed == nil {
		x.renamed = make(map[*scene.Node]string)
	}
	for _, n := range nodes {
		if _, again := x.renamed[n]; !again {
			x.renamed[n] = n.Name
		}
		n.Name = name + strings.TrimPrefix(n.Name, prefix)
		if x.byName != nil {
			x.addName(n)
		}
	}
}

func (x *nodeIndex) restoreNames() {
	for n, name := range x.renamed {
		n.Name = name
	}
}
