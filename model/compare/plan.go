package compare

import (
	"fmt"
	"slices"

	"assay/model"
)

// identity names a node for the whole of a document.
type identity struct {
	typ, key string
}

// catalog is the keyed nodes of one document that are in memory. A key that repeats has a nil node.
type catalog struct {
	nodes map[identity]*model.Node
	order []*model.Node
}

// plan matches nodes with other parents or other keys before anything is compared.
func (e *engine) plan() {
	e.planChosen()
	var cats [2]catalog
	for side := range 2 {
		cats[side] = e.catalogOf(e.docs[side].Root())
	}
	if e.renames == nil {
		e.renames, e.similar = make(map[string]string), make(map[string]float64)
	}
	e.planFollowers(cats)
	e.planRenamed(cats)
	e.planSimilar(cats)
	e.planFollowers(cats)
	if !e.sameVariant {
		e.planAliases()
	}
	e.planMoved(cats)
}

func pathKey(p model.Path) string { return fmt.Sprint([]int(p)) }

func (e *engine) planChosen() {
	if len(e.opts.Pairs) == 0 {
		return
	}
	e.chosen = [2]map[string]model.Path{make(map[string]model.Path), make(map[string]model.Path)}
	for _, m := range e.opts.Pairs {
		l, r := m.Old, m.New
		if e.c.flipped {
			l, r = r, l
		}
		if e.docs[0].At(l) == nil || e.docs[1].At(r) == nil {
			e.fail(fmt.Errorf("a manual pair no longer exists in the files: %v and %v", m.Old, m.New))
			return
		}
		e.chosen[0][pathKey(l)], e.chosen[1][pathKey(r)] = r, l
	}
}

// childrenInMemory returns the children that are the same Node at each access: not the elements of long lists.
func childrenInMemory(n *model.Node) (nodes model.List) {
	switch c := n.Children().(type) {
	case nil:
	case model.List:
		nodes = c
	case *model.Elements:
		nodes = c.NodesInMemory()
	default:
		if c.Len() > 4096 {
			return nil
		}
		for i := range c.Len() {
			nodes = append(nodes, n.Child(i))
		}
	}
	return nodes
}

// catalogOf lists the keyed nodes at and below a node. Nodes may be nested tens of thousands of levels deep, so
// functions that visit whole documents are not recursive.
func (e *engine) catalogOf(root *model.Node) catalog {
	to := catalog{nodes: make(map[identity]*model.Node)}
	pending := []*model.Node{root}
	for len(pending) > 0 && !e.isStopped() {
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if n.Key != "" {
			id := identity{n.Type, n.Key}
			if _, ok := to.nodes[id]; ok {
				to.nodes[id] = nil
			} else {
				to.nodes[id] = n
				to.order = append(to.order, n)
			}
		}
		for _, c := range slices.Backward(childrenInMemory(n)) {
			pending = append(pending, c)
		}
	}
	return to
}

// planRenamed joins nodes with keys of one file only, if they have the same content and no other node has it.
func (e *engine) planRenamed(cats [2]catalog) {
	type content struct {
		typ    string
		digest uint64
	}
	var found [2]map[content]*model.Node
	var contents []content // of the left side, in the order of the file: of a key with two new ones the first counts
	for side := range 2 {
		found[side] = make(map[content]*model.Node)
		for _, n := range cats[side].order {
			id := identity{n.Type, n.Key}
			_, both := cats[1-side].nodes[id]
			if both || n.Size < minContent || e.partners[side][n] != nil {
				continue
			}
			key := content{n.Type, e.digest(n, side)}
			if e.err != nil {
				return
			}
			if _, twice := found[side][key]; twice {
				n = nil
			} else if side == 0 {
				contents = append(contents, key)
			}
			found[side][key] = n
		}
		if len(found[0]) == 0 {
			return
		}
	}
	for _, key := range contents {
		if l, r := found[0][key], found[1][key]; l != nil && r != nil {
			e.join(l, r)
			e.rename(l, r)
		}
	}
}

// planFollowers joins other nodes that have the key of a renamed one, such as the entry of an asset in an index.
func (e *engine) planFollowers(cats [2]catalog) {
	for _, l := range cats[0].order {
		to, ok := e.renames[l.Key]
		if !ok || e.partners[0][l] != nil || cats[0].nodes[identity{l.Type, l.Key}] == nil {
			continue
		}
		if r := cats[1].nodes[identity{l.Type, to}]; r != nil && e.partners[1][r] == nil {
			e.join(l, r)
		}
	}
}

func (e *engine) join(l, r *model.Node) { e.partners[0][l], e.partners[1][r] = r, l }

// planMoved joins nodes of one key that have another parent than before.
func (e *engine) planMoved(cats [2]catalog) {
	for _, l := range cats[0].order {
		id := identity{l.Type, l.Key}
		r := cats[1].nodes[id]
		if r != nil && cats[0].nodes[id] != nil && !e.haveSameParent(l, r) && e.areSameNode(l, r) {
			e.join(l, r)
		}
	}
}

// haveSameParent reports whether two nodes are in the same list, below the same keyed node or below no keyed node.
func (e *engine) haveSameParent(l, r *model.Node) bool {
	for {
		l, r = l.Parent, r.Parent
		if l == nil || r == nil {
			return l == nil && r == nil
		}
		if l.Key != "" || r.Key != "" {
			return l.Type == r.Type && (l.Key == r.Key || e.partners[0][l] == r)
		}
		if l.Name != r.Name && !(l.IsElement() && r.IsElement()) {
			return false
		}
	}
}

// areSameNode reports whether two nodes of one key are the same in the whole of both documents, by the key or by their
// content.
func (e *engine) areSameNode(l, r *model.Node) bool {
	if findL, findR := e.docs[0].FindKey, e.docs[1].FindKey; findL != nil && findR != nil {
		_, inLeft := findL(l.Key)
		_, inRight := findR(r.Key)
		if inLeft && inRight {
			return true
		}
	}
	return l.Size >= minContent && r.Size >= minContent && e.digest(l, 0) == e.digest(r, 1)
}

// unmatchedBelow searches a subtree of only one file for nodes that match elsewhere in the other. It returns the pair
// of the subtree with the found pairs in it, or nil if there are none.
func (e *engine) unmatchedBelow(n *model.Node, side int) *Pair {
	if len(e.partners[side]) == 0 || e.statusOfUnmatched(side) == Removed {
		return nil
	}
	found := make(map[int]*Pair)
	for _, c := range childrenInMemory(n) {
		if e.isStopped() {
			return nil
		}
		if p := e.partners[side][c]; p != nil {
			found[c.Index] = e.comparePartners(c, p, side)
		} else if below := e.unmatchedBelow(c, side); below != nil {
			below.Counts.Added-- // not the topmost added node
			found[c.Index] = below
		}
	}
	if len(found) == 0 {
		return nil
	}
	if list, ok := n.Children().(*model.Elements); ok && !list.InMemory {
		return nil
	}
	p := &Pair{c: e.c, New: n, Status: Added, below: new(pairList), containsMoved: true}
	for i := range n.Len() {
		r := run{old: -1, new: i, n: 1, status: Added, pair: found[i]}
		if r.pair != nil {
			r.status = r.pair.Status
			p.Counts.Add(r.pair.Counts)
		}
		p.below.add(r)
	}
	p.Counts.Added++
	return p
}

// comparePartners compares a node with its counterpart below another parent.
func (e *engine) comparePartners(n, partner *model.Node, side int) *Pair {
	l, r := n, partner
	if side == 1 {
		l, r = r, l
	}
	p := e.compare(l, r)
	if p == nil {
		p = e.pair(l, r, Moved)
		p.Counts = ownRows(Moved, p.Old, p.New)
	}
	p.Relocated, p.Renamed = true, l.Key != r.Key
	return p
}

// maxAliases is the maximum number of elements whose names are read.
const maxAliases = 1 << 16

// nameTable holds the keyed items of one document by title. A title that repeats has no key.
type nameTable struct {
	keys      map[identity]string
	order     []identity // of keys, as in the file
	names     map[string]bool
	remaining int
}

// planAliases finds items with different keys in two versions of a format, such as a number and a UUID, by their paths
// and titles.
func (e *engine) planAliases() {
	var found [2]nameTable
	for side := range 2 {
		found[side] = nameTable{keys: make(map[identity]string), names: make(map[string]bool), remaining: maxAliases}
		found[side].collect(e.docs[side].Root(), 0)
	}
	e.aliases = make(map[string]string)
	for _, id := range found[0].order {
		l, r := found[0].keys[id], found[1].keys[id]
		if l == "" || r == "" || found[1].names[l] || found[0].names[r] || e.aliases[l] != "" {
			continue
		}
		e.aliases[l] = r
		if _, ok := e.renames[l]; !ok {
			e.renames[l] = r
		}
	}
}

const aliasDepth = 4 // lists are near the root

func (t *nameTable) collect(n *model.Node, depth int) {
	if depth > aliasDepth || n.Leaf() {
		return
	}
	for i := range n.Len() {
		if t.remaining--; t.remaining < 0 {
			return
		}
		c := n.Child(i)
		if c.Key == "" {
			t.collect(c, depth+1)
			continue
		}
		t.names[c.Key] = true
		label := ownName(c)
		if label == "" {
			continue
		}
		id := identity{c.Type, label}
		if _, twice := t.keys[id]; twice {
			t.keys[id] = ""
		} else {
			t.keys[id] = c.Key
			t.order = append(t.order, id)
		}
	}
}

// ownName returns the path and the name that a node gives itself, empty if it gives neither.
func ownName(n *model.Node) string {
	label := ""
	for i := range min(n.Len(), 16) {
		c := n.Child(i)
		if s, ok := c.Value.(string); ok && c.Role == model.RoleName {
			label += s + "\x00"
		}
	}
	return label
}
