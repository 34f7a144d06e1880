package compare

import (
	"sort"

	"assay/model"
)

// Pair is a node of the old document and the one of the new that it belongs to; either is nil if there is none.
// Pairs are made when they are looked at, so two looks may give two Pair values for one pair of nodes.
type Pair struct {
	Old, New *model.Node
	Status   Status

	// Relocated says that a changed pair is also in another place, or under another key.
	Relocated bool
	// Renamed says that the pair has another key than before.
	Renamed bool
	// OneVersion says that a field is missing only because the other file's version of the format does not have it.
	OneVersion bool
	// Was is the old node of a thing that Changes lists as added, under its new key; nil for others.
	Was *model.Node
	// Counts are the rows of the report at and below the pair.
	Counts Counts

	c          *Comparison
	parent     *Pair
	index      int
	kids       *children
	holdsMoved bool // something below an added pair was elsewhere
}

// Node is the new node, or the old one where there is no new one.
func (p *Pair) Node() *model.Node {
	if p.New != nil {
		return p.New
	}
	return p.Old
}

// Comparison returns the comparison that the pair is a part of.
func (p *Pair) Comparison() *Comparison { return p.c }

// Parent is the pair that this one is a child of; nil for the root.
func (p *Pair) Parent() *Pair { return p.parent }

// Index is the position among the parent's children.
func (p *Pair) Index() int { return p.index }

// Row reports whether the pair itself is a row of the report: a changed leaf, a keyed node with a change below it, or
// the top of what was added, removed or moved.
func (p *Pair) Row() bool {
	switch p.Status {
	case Same:
		return false
	case Changed:
		return p.Leaf() || p.keyed() || p.parent == nil && p.c.rootRow
	case Moved:
		return true
	}
	if p.OneVersion {
		return false
	}
	for up := p.parent; up != nil; up = up.parent {
		if up.Status == Added || up.Status == Removed || up.OneVersion {
			return false
		}
	}
	return true
}

// IsParent reports whether a row says only what other rows are in: nothing of its own changed.
func (p *Pair) IsParent() bool {
	return p.Status == Changed && p.keyed() && !p.Leaf() && p.Counts.Parents > 0
}

// CountIn adds the row that a pair is.
func (p *Pair) CountIn(c *Counts) {
	c.Count(p.Status)
	if p.IsParent() {
		c.Parents++
	}
}

// Leaf reports whether there is nothing to compare below the pair.
func (p *Pair) Leaf() bool {
	return (p.Old == nil || p.Old.Leaf()) && (p.New == nil || p.New.Leaf()) || p.isMixed()
}

// isMixed reports whether one side is a leaf and the other is not, so that they are compared as values.
func (p *Pair) isMixed() bool {
	return p.Status == Changed && p.Old != nil && p.New != nil && isMixed(p.Old, p.New)
}

// isMixed reports whether one of two nodes is a leaf and the other is not. A list without elements is not a leaf.
func isMixed(l, r *model.Node) bool {
	return l.Leaf() != r.Leaf() && !isEmptyList(l) && !isEmptyList(r)
}

func isEmptyList(n *model.Node) bool { return n.Leaf() && n.Size == 0 && n.Value == nil && IsList(n) }

func (p *Pair) keyed() bool {
	return p.Old != nil && p.Old.Key != "" || p.New != nil && p.New.Key != ""
}

// Len is the number of pairs below this one. It may have to compare long lists.
func (p *Pair) Len() int {
	if p.Leaf() {
		return 0
	}
	return p.below().total
}

// ChildNode is a node of the i-th pair below this one, without a comparison.
func (p *Pair) ChildNode(i int) *model.Node {
	k := p.below()
	n, at := k.find(i)
	r := k.runs[n]
	switch {
	case r.new >= 0:
		return p.New.Child(r.new + at)
	case r.pair != nil:
		return r.pair.Node()
	}
	return p.Old.Child(r.old + at)
}

// Child returns the i-th pair below this one.
func (p *Pair) Child(i int) *Pair {
	k := p.below()
	r, at := k.find(i)
	var child *Pair
	if kept := k.runs[r].pair; kept != nil {
		copied := *kept // what is kept is everybody's, and has no parent
		child = &copied
	} else {
		child = p.c.expand(p, k.runs[r], at)
	}
	child.parent, child.index = p, i
	return child
}

func (p *Pair) below() *children {
	if p.kids == nil {
		p.c.open(p)
	}
	return p.kids
}

// run is consecutive children of one state: n of them, from old and from new on (-1: that side has none).
type run struct {
	old, new   int
	n          int
	status     Status
	renamed    bool
	relocated  bool
	oneVersion bool
	pair       *Pair // what was found out about a single child, if it was kept
}

// children are the pairs below a pair, in the order of the new file with what was removed in its old place.
type children struct {
	runs   []run
	starts []int
	counts Counts
	total  int
	// changed says that something changed although there may be no row for it: what was here is elsewhere now.
	changed bool
}

func (k *children) add(r run) {
	if r.n == 0 {
		return
	}
	if n := len(k.runs); n > 0 && r.pair == nil {
		last := &k.runs[n-1]
		like := *last
		like.old, like.new, like.n = r.old, r.new, r.n
		if like == r && continues(last.old, last.n, r.old) && continues(last.new, last.n, r.new) {
			last.n += r.n
			k.total += r.n
			return
		}
	}
	k.starts = append(k.starts, k.total)
	k.runs = append(k.runs, r)
	k.total += r.n
}

func continues(first, n, next int) bool {
	if first < 0 || next < 0 {
		return first == next
	}
	return first+n == next
}

// find returns the run that child i is in, and its place in the run.
func (k *children) find(i int) (r, at int) {
	r = sort.Search(len(k.starts), func(r int) bool { return k.starts[r] > i }) - 1
	return r, i - k.starts[r]
}
