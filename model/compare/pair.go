package compare

import (
	"slices"
	"sort"
	"strings"

	"assay/model"
)

// Pair is a node of the old document and the matching one of the new; either may be nil. Pairs are made on access, so
// two accesses may return two Pair values for the same nodes.
type Pair struct {
	Old, New *model.Node
	Status   Status

	// Relocated means that a changed or moved pair has another parent, index or key.
	Relocated bool
	// Renamed means that the key of the pair changed.
	Renamed bool
	// Uncounted means that only one file has the node and that this is no difference: the format version of the other
	// file does not have the field, or the options ignore it.
	Uncounted bool
	// Counts are the rows of the report at and below the pair.
	Counts Counts

	c             *Comparison
	parent        *Pair
	index         int
	below         *pairList
	containsMoved bool // something below an added pair was elsewhere
}

// Node returns the new node, or the old one where there is no new one.
func (p *Pair) Node() *model.Node {
	if p.New != nil {
		return p.New
	}
	return p.Old
}

// Comparison returns the comparison that the pair is a part of.
func (p *Pair) Comparison() *Comparison { return p.c }

// Parent returns the pair that this one is a child of; nil for the root.
func (p *Pair) Parent() *Pair { return p.parent }

// Row reports whether the pair itself is a row of the report: a changed leaf, a keyed node with a change below it, or
// the topmost added, removed or moved node.
func (p *Pair) Row() bool {
	switch p.Status {
	case Same:
		return false
	case Changed:
		return p.Leaf() || p.isKeyed() || p.parent == nil && p.c.rootIsRow
	case Moved:
		return true
	}
	if p.Uncounted {
		return false
	}
	for up := p.parent; up != nil; up = up.parent {
		if up.Status == Added || up.Status == Removed || up.Uncounted {
			return false
		}
	}
	return true
}

// IsParent reports whether a row only contains other rows: the node itself did not change.
func (p *Pair) IsParent() bool {
	return p.Status == Changed && p.isKeyed() && !p.Leaf() && p.Counts.Parents > 0 && !p.HasOtherKey()
}

// CountIn adds the pair to c as one row.
func (p *Pair) CountIn(c *Counts) {
	c.Count(p.Status)
	c.countKeys(p.Status, p.Old, p.New)
	if p.IsParent() {
		c.Parents++
	}
}

// Leaf reports whether the pair has no nodes below it.
func (p *Pair) Leaf() bool {
	return (p.Old == nil || p.Old.Leaf()) && (p.New == nil || p.New.Leaf()) || p.isLeafMismatch()
}

// isLeafMismatch reports whether one side is a leaf and the other is not, so that they are compared as values.
func (p *Pair) isLeafMismatch() bool {
	return p.Status == Changed && p.Old != nil && p.New != nil && isMixed(p.Old, p.New)
}

// isMixed reports whether one of two nodes is a leaf and the other is not. A list without elements is not a leaf.
func isMixed(l, r *model.Node) bool {
	return l.Leaf() != r.Leaf() && !isEmptyList(l) && !isEmptyList(r)
}

func isEmptyList(n *model.Node) bool { return n.Leaf() && n.Size == 0 && n.Value == nil && IsList(n) }

func (p *Pair) isKeyed() bool {
	return p.Old != nil && p.Old.Key != "" || p.New != nil && p.New.Key != ""
}

// Len returns the number of pairs below this one. It may have to compare long lists.
func (p *Pair) Len() int {
	if p.Leaf() {
		return 0
	}
	return p.childPairs().total
}

// ChildNode returns a node of the i-th pair below this one, without a comparison.
func (p *Pair) ChildNode(i int) *model.Node {
	pairs := p.childPairs()
	n, index := pairs.find(i)
	r := pairs.runs[n]
	switch {
	case r.new >= 0:
		return p.New.Child(r.new + index)
	case r.pair != nil:
		return r.pair.Node()
	}
	return p.Old.Child(r.old + index)
}

// Child returns the i-th pair below this one.
func (p *Pair) Child(i int) *Pair {
	pairs := p.childPairs()
	r, index := pairs.find(i)
	var child *Pair
	if stored := pairs.runs[r].pair; stored != nil {
		copied := *stored // stored pairs are shared, so they have no parent
		child = &copied
	} else {
		child = p.c.expand(p, pairs.runs[r], index)
	}
	child.parent, child.index = p, i
	return child
}

func (p *Pair) childPairs() *pairList {
	if p.below == nil {
		p.c.openChildren(p)
	}
	return p.below
}

// run is consecutive children of one status: n of them, starting at old and new (-1 if that side has no child).
type run struct {
	old, new  int
	n         int
	status    Status
	renamed   bool
	relocated bool
	uncounted bool
	pair      *Pair // the result for a single child, if it was stored
}

// pairList has the pairs below a pair, in the order of the new file. A removed child follows the
// sibling that it followed in the old file.
type pairList struct {
	runs   []run
	starts []int
	counts Counts
	total  int
	// changed means that there is a change, perhaps without a row: a child has another parent now.
	changed bool
}

func (p *pairList) add(r run) {
	if r.n == 0 {
		return
	}
	if n := len(p.runs); n > 0 && r.pair == nil {
		last := &p.runs[n-1]
		copied := *last
		copied.old, copied.new, copied.n = r.old, r.new, r.n
		if copied == r && continues(last.old, last.n, r.old) && continues(last.new, last.n, r.new) {
			last.n += r.n
			p.total += r.n
			return
		}
	}
	p.starts = append(p.starts, p.total)
	p.runs = append(p.runs, r)
	p.total += r.n
}

// clip frees the unused capacity.
func (p *pairList) clip() { p.runs, p.starts = slices.Clone(p.runs), slices.Clone(p.starts) }

func continues(first, n, next int) bool {
	if first < 0 || next < 0 {
		return first == next
	}
	return first+n == next
}

// find returns the run of child i, and the index of the child in the run.
func (p *pairList) find(i int) (r, index int) {
	r = sort.Search(len(p.starts), func(r int) bool { return p.starts[r] > i }) - 1
	return r, i - p.starts[r]
}

// Run is consecutive pairs of one status below a pair.
type Run struct {
	First, N  int
	Old, New  int // the first children of the run in both nodes; -1 if that side has no child
	Status    Status
	Uncounted bool
	// Counts are the numbers of rows at and below the pairs of the run, as far as they are stored: of changed elements
	// of long lists only the first few thousand are.
	Counts Counts
	Known  bool // Counts are complete
}

// Runs calls do with the pairs below p in runs, until it returns false: a million equal pairs are one step. It may have
// to compare long lists, as Len does.
func (p *Pair) Runs(do func(r Run) bool) {
	if p.Leaf() {
		return
	}
	pairs := p.childPairs()
	for i, r := range pairs.runs {
		out := Run{First: pairs.starts[i], N: r.n, Old: r.old, New: r.new, Status: r.status, Uncounted: r.uncounted,
			Known: true}
		switch {
		case r.pair != nil:
			out.Counts = r.pair.Counts
		case r.status == Changed:
			out.Known = false
		case r.renamed && r.status == Moved && p.New.Child(r.new).Key != "":
			out.Counts.Removed, out.Counts.Added = int64(r.n), int64(r.n)
		case !r.uncounted:
			*out.Counts.At(r.status) = int64(r.n)
		}
		if !do(out) {
			return
		}
	}
}

// Ready reports whether Len, Child and Runs return without comparing.
func (p *Pair) Ready() bool { return p.below != nil || p.Leaf() }

// IsList reports whether a node is a list of any number of members, rather than a struct with fields.
func IsList(n *model.Node) bool { return strings.HasSuffix(n.Type, "[]") }
