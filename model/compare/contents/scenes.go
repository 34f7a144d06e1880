package contents

import (
	"context"
	"slices"

	"assay/model"
	"assay/model/compare"
	"assay/model/scene"
)

// CompareScenes compares two scenes, one of each document. The error is the context's.
func CompareScenes(ctx context.Context, c *compare.Comparison, old, new *scene.Scene) (*Marked, error) {
	names := make(map[string]string)
	err := c.Rows(func(p *compare.Pair) error {
		if p.Renamed && len(names) < maxNames {
			names[p.New.Key] = p.Old.Key
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	return compareScenes(ctx, c, old, new, names)
}

// compareScenes compares two scenes. names are the old names of nodes that were renamed.
func compareScenes(ctx context.Context, c *compare.Comparison, old, new *scene.Scene, names map[string]string) (*Marked,
	error) {
	p := &scenePair{c: c, ctx: ctx, meshes: make(map[[2]*scene.Mesh]*displacement),
		coloredMeshes: make(map[*meshChange]*scene.Mesh),
		names:         names, surfaces: &surfaceComparer{ctx: ctx, sums: make(map[*scene.Texture]textureSum)}}
	p.old, p.new = newSide(old), newSide(new)
	p.match()
	p.markChanges()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p.scenes(), nil
}

type scenePair struct {
	c             *compare.Comparison
	ctx           context.Context
	old, new      *sceneSide
	names         map[string]string
	surfaces      *surfaceComparer
	meshes        map[[2]*scene.Mesh]*displacement
	coloredMeshes map[*meshChange]*scene.Mesh // colored by movement
	counts        compare.Counts
	movedVertices int64
	maxDistance   float64
}

type sceneSide struct {
	scene *scene.Scene
	nodes []*scene.Node // as Walk visits them
	world map[*scene.Node]scene.Matrix
	match map[*scene.Node]*scene.Node // on the other side
	marks map[*scene.Node]*meshChange
}

type meshChange struct {
	status    compare.Status
	distances []float32        // of the vertices of its mesh; nil if no vertex moved
	touched   []bool           // the other changed vertices, or nil
	dots      []compare.Status // of its points; nil if all have the same status
}

func newSide(s *scene.Scene) *sceneSide {
	side := &sceneSide{scene: s, world: make(map[*scene.Node]scene.Matrix), match: make(map[*scene.Node]*scene.Node),
		marks: make(map[*scene.Node]*meshChange)}
	s.Walk(func(n *scene.Node, world scene.Matrix) {
		side.nodes = append(side.nodes, n)
		side.world[n] = world
	})
	return side
}

// match matches nodes: by name below matched nodes, then by name anywhere, then the only ones left below matched nodes.
func (p *scenePair) match() {
	unnamed := func(n *scene.Node) bool { return n.Name == "" }
	named := slices.DeleteFunc(slices.Clone(p.old.nodes), unnamed)
	for range 2 { // again for children of nodes that were found under another parent
		p.eachLevel(p.pairByName)
		p.pairByName(named, p.new.nodes)
		p.eachLevel(p.pairRemaining)
	}
}

func (p *scenePair) pair(old, new *scene.Node) {
	p.old.match[old], p.new.match[new] = new, old
}

func (p *scenePair) nameOf(n *scene.Node) string {
	if old, ok := p.names[n.Name]; ok {
		return old
	}
	return n.Name
}

// eachLevel calls do for the root nodes of both scenes, and for the children of each pair.
func (p *scenePair) eachLevel(do func(old, new []*scene.Node)) {
	do(p.old.scene.Roots, p.new.scene.Roots)
	for _, n := range p.new.nodes {
		if old := p.new.match[n]; old != nil {
			do(old.Children, n.Children)
		}
	}
}

// pairByName pairs the k-th nodes of each name.
func (p *scenePair) pairByName(old, new []*scene.Node) {
	left := make(map[string][]*scene.Node)
	for _, n := range old {
		if n != nil && p.old.match[n] == nil {
			left[n.Name] = append(left[n.Name], n)
		}
	}
	for _, n := range new {
		if n == nil || p.new.match[n] != nil {
			continue
		}
		name := p.nameOf(n)
		if nodes := left[name]; len(nodes) > 0 {
			if left[name] = nodes[1:]; p.old.match[nodes[0]] == nil {
				p.pair(nodes[0], n)
			}
		}
	}
}

// pairRemaining pairs the only nodes of two lists that are left.
func (p *scenePair) pairRemaining(old, new []*scene.Node) {
	onlyFree := func(list []*scene.Node, match map[*scene.Node]*scene.Node) (only *scene.Node) {
		for _, n := range list {
			switch {
			case n == nil || match[n] != nil:
			case only != nil:
				return nil
			default:
				only = n
			}
		}
		return only
	}
	a, b := onlyFree(old, p.old.match), onlyFree(new, p.new.match)
	if a != nil && b != nil && (a.Mesh == nil) == (b.Mesh == nil) && (a.Points == nil) == (b.Points == nil) {
		p.pair(a, b)
	}
}

// markChanges marks every drawn node with its change.
func (p *scenePair) markChanges() {
	draws := func(n *scene.Node) bool { return n.Mesh != nil || n.Points != nil }
	for _, n := range p.old.nodes {
		if draws(n) && (p.old.match[n] == nil || !draws(p.old.match[n])) {
			p.old.marks[n] = &meshChange{status: compare.Removed}
			p.counts.Removed++
		}
	}
	for _, n := range p.new.nodes {
		if p.ctx.Err() != nil {
			return
		}
		if !draws(n) {
			continue
		}
		old := p.new.match[n]
		if old == nil || !draws(old) {
			p.new.marks[n] = &meshChange{status: compare.Added}
			p.counts.Added++
			continue
		}
		a, b := p.markPair(old, n)
		p.old.marks[old], p.new.marks[n] = a, b
		if b.dots == nil {
			*p.counts.At(b.status)++
			continue
		}
		for _, s := range b.dots {
			*p.counts.At(s)++
		}
		for _, s := range a.dots {
			if s == compare.Removed {
				p.counts.Removed++
			}
		}
	}
}

func (p *scenePair) markPair(from, to *scene.Node) (a, b *meshChange) {
	a, b = new(meshChange), new(meshChange)
	changed := (from.Mesh == nil) != (to.Mesh == nil) || (from.Points == nil) != (to.Points == nil)
	if from.Mesh != nil && to.Mesh != nil {
		t := p.displacementOf(from, to)
		a.distances, b.distances = t.old, t.new
		changedAsWhole := t.changed || !p.surfaces.areSame(from, to)
		if !changedAsWhole {
			a.touched, b.touched = t.touched[0], t.touched[1]
		}
		changed = changed || changedAsWhole || t.new != nil || b.touched != nil
	}
	if from.Points != nil && to.Points != nil {
		a.dots, b.dots = p.compareDots(from.Points, to.Points)
		changed = changed || a.dots != nil
	}
	switch {
	case changed:
		a.status, b.status = compare.Changed, compare.Changed
	case !SameTransform(p.old.world[from], p.new.world[to]):
		a.status, b.status = compare.Moved, compare.Moved
	}
	return a, b
}

// displacement is the distances of the vertices of two meshes.
type displacement struct {
	old, new []float32 // by vertex; nil if no vertex moved
	touched  [2][]bool // by old and new vertex: it has another visible change; nil if no vertex has
	changed  bool      // the mesh as a whole has another visible change
}

// maxSearchedFloats is the maximum number of floats of a mesh whose vertices are compared. A larger mesh counts as
// changed.
const maxSearchedFloats = 16 << 20

// displacementOf compares the meshes of two nodes. A mesh that cannot be read or is too large counts as changed.
func (p *scenePair) displacementOf(old, new *scene.Node) *displacement {
	key := [2]*scene.Mesh{old.Mesh, new.Mesh}
	if t := p.meshes[key]; t != nil {
		return t
	}
	t := &displacement{changed: true}
	p.meshes[key] = t
	if max(old.Mesh.Count*old.Mesh.Stride(), new.Mesh.Count*new.Mesh.Stride()) > maxSearchedFloats {
		return t
	}
	m, err := CompareMeshes(p.ctx, old, new, Options{Tolerance: p.c.Options.Tolerance})
	if err != nil {
		return t
	}
	t.changed, t.touched = m.Visible, m.Touched
	if m.KeepsPositions() {
		return t
	}
	if t.old, t.new = m.Distances(); t.new == nil {
		t.changed = true
		return t
	}
	for _, d := range t.new {
		if d > 0 {
			p.movedVertices++
		}
	}
	far := max(slices.Max(t.old), slices.Max(t.new))
	p.maxDistance = max(p.maxDistance, float64(far))
	if far == 0 {
		t.old, t.new = nil, nil
	}
	return t
}

// maxDots is the maximum number of points of a compared cloud.
const maxDots = 4 << 20

// compareDots compares two clouds. It returns nil if all points are the same, or there are too many. Points are matched
// as in the comparison of the files if both have lists of the points; else by index if both have the same number; else
// by position.
func (p *scenePair) compareDots(old, new *scene.Points) (a, b []compare.Status) {
	if old.Count > maxDots || new.Count > maxDots || old.Read == nil || new.Read == nil {
		return nil, nil
	}
	from, to := make([]scene.Dot, old.Count), make([]scene.Dot, new.Count)
	if old.Read(0, from) != nil || new.Read(0, to) != nil {
		return nil, nil
	}
	a, b = make([]compare.Status, len(from)), make([]compare.Status, len(to))
	list := pairOfLists(p.c, old.List, new.List)
	switch {
	case list != nil:
		compareListed(list, from, to, a, b)
	case len(from) == len(to):
		compareByNumber(from, to, a, b)
	default:
		compareByPosition(from, to, a, compare.Removed)
		compareByPosition(to, from, b, compare.Added)
	}
	changed := func(s compare.Status) bool { return s != compare.Same }
	if !slices.ContainsFunc(a, changed) && !slices.ContainsFunc(b, changed) {
		return nil, nil
	}
	return a, b
}

// pairOfLists returns the pair of two lists of the documents; nil if they are not one.
func pairOfLists(c *compare.Comparison, old, new *model.Node) *compare.Pair {
	if old == nil || new == nil || c.Old == nil || old.Root() != c.Old.Root() || new.Root() != c.New.Root() {
		return nil
	}
	p := c.PairOf(new, false)
	if p.Old == nil || p.New == nil || p.Old.Span != old.Span || p.New.Span != new.Span || p.Leaf() {
		return nil
	}
	return p
}

// compareListed sets the status of each point by the pairs of two lists.
func compareListed(list *compare.Pair, from, to []scene.Dot, a, b []compare.Status) {
	oldFirst, newFirst := list.Old.FirstElementIndex(), list.New.FirstElementIndex()
	list.Runs(func(r compare.Run) bool {
		if r.Status == compare.Same || r.Uncounted || r.Known && r.Counts.Differences() == 0 {
			return true
		}
		for k := range r.N {
			i, j := r.Old+k-oldFirst, r.New+k-newFirst
			hasOld, hasNew := r.Old >= 0 && i >= 0 && i < len(from), r.New >= 0 && j >= 0 && j < len(to)
			status := r.Status
			if hasOld && hasNew && status == compare.Changed && isMoved(from[i], to[j]) {
				status = compare.Moved
			}
			if hasOld {
				a[i] = status
			}
			if hasNew {
				b[j] = status
			}
		}
		return true
	})
}

// compareByNumber compares points of one index.
func compareByNumber(from, to []scene.Dot, a, b []compare.Status) {
	for i := range from {
		switch {
		case isMoved(from[i], to[i]):
			a[i], b[i] = compare.Moved, compare.Moved
		case from[i].Color != to[i].Color:
			a[i], b[i] = compare.Changed, compare.Changed
		}
	}
}

// isMoved reports whether two points have different positions; points without a position count as equal.
func isMoved(a, b scene.Dot) bool {
	for i, x := range a.Position {
		if y := b.Position[i]; x != y && (x == x || y == y) {
			return true
		}
	}
	return false
}

// compareByPosition compares points at one position. A point without counterpart gets the status.
func compareByPosition(list, other []scene.Dot, out []compare.Status, status compare.Status) {
	colors := make(map[[3]float32][4]uint8, len(other))
	for _, d := range other {
		colors[d.Position] = d.Color
	}
	for i, d := range list {
		color, known := colors[d.Position]
		switch {
		case !known:
			out[i] = status
		case color != d.Color:
			out[i] = compare.Changed
		}
	}
}
