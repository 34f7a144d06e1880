package compare

import (
	"cmp"
	"context"
	"slices"

	"assay/model"
)

const (
	minContent = 32      // bytes that a node must have to be matched by its content alone
	maxDigests = 1 << 18 // digests of nodes that are remembered
	maxPairs   = 2048    // results for elements of long lists that are remembered, of some 10 KB with their nodes
)

// engine computes a comparison from a left document, side 0, to a right one, side 1. After an error all methods return
// soon, with invalid results, until takeError returns the error.
type engine struct {
	ctx         context.Context
	err         error
	progress    model.Progress
	c           *Comparison
	opts        *Options
	docs        [2]*model.Document
	windows     [2]*window
	sameVariant bool
	strict      bool // values of the layout count
	steps       int
	storable    int // further results for elements of long lists to store

	ignored    int64
	byChecksum bool

	digests  [2]map[*model.Node]uint64
	partners [2]map[*model.Node]*model.Node // matching nodes below different parents, by side
	renames  map[string]string              // left key to right key
	similar  map[string]float64             // keys of both sides to the share of the content that stayed
	aliases  map[string]string              // as renames, for items with different keys in two versions of a format
	chosen   [2]map[string]model.Path       // path on one side to the path on the other that the user chose

	planned            bool // the plan is made
	renamedLate        bool // some of the renames were found after it
	fieldsOfOneVersion map[versionField]int64

	assets        [2]map[string]int // positions of the compressed assets among the payloads, by key
	similarBudget [2]int64          // bytes of each side that may still be read to find similar items
}

type versionField struct {
	typ, name string
	status    Status
}

func newEngine(ctx context.Context, c *Comparison, progress model.Progress) *engine {
	e := &engine{ctx: ctx, progress: progress, c: c, opts: &c.Options, docs: [2]*model.Document{c.Old, c.New},
		storable: maxPairs, similarBudget: [2]int64{maxSimilarTotal, maxSimilarTotal}}
	if c.flipped {
		e.docs[0], e.docs[1] = e.docs[1], e.docs[0]
	}
	e.windows = [2]*window{{src: e.docs[0].Source}, {src: e.docs[1].Source}}
	e.sameVariant = c.Old.Variant == c.New.Variant
	e.fieldsOfOneVersion = make(map[versionField]int64)
	for i := range 2 {
		e.digests[i] = make(map[*model.Node]uint64)
		e.partners[i] = make(map[*model.Node]*model.Node)
	}
	return e
}

// sides returns an old and a new node as a left and a right one, and the reverse.
func (e *engine) sides(old, new *model.Node) (l, r *model.Node) {
	if e.c.flipped {
		return new, old
	}
	return old, new
}

// statusOfUnmatched returns the status of a node that only one side has.
func (e *engine) statusOfUnmatched(side int) Status {
	if (side == 0) != e.c.flipped {
		return Removed
	}
	return Added
}

func (e *engine) pair(l, r *model.Node, s Status) *Pair {
	old, new := e.sides(l, r)
	return &Pair{c: e.c, Old: old, New: new, Status: s}
}

// fail keeps the first error, and reports whether there is one.
func (e *engine) fail(err error) bool {
	if e.err == nil {
		e.err = err
	}
	return e.err != nil
}

// takeError returns the first error, and clears it.
func (e *engine) takeError() error {
	err := e.err
	e.err = nil
	return err
}

// isStopped reports whether the work is to end. It is called for every node.
func (e *engine) isStopped() bool {
	if e.steps++; e.steps%1024 == 0 {
		e.fail(e.ctx.Err())
	}
	return e.err != nil
}

// compareRoots plans and compares; nil if the documents are the same.
func (e *engine) compareRoots() (*Pair, error) {
	e.plan()
	e.planned = true
	p := e.compare(e.docs[0].Root(), e.docs[1].Root())
	return p, cmp.Or(e.takeError(), e.ctx.Err())
}

// compare returns the pair of two matching nodes; nil if they are the same.
func (e *engine) compare(l, r *model.Node) *Pair {
	p, below := e.compareThemselves(l, r)
	if !below {
		return p
	}
	return e.changedBelow(l, r, e.compareChildren(l, r))
}

// compareThemselves compares two nodes, unless their children are to be compared: then it returns true for below. An
// empty list counts as a node with children.
func (e *engine) compareThemselves(l, r *model.Node) (p *Pair, below bool) {
	if e.isStopped() {
		return nil, false
	}
	if size := e.docs[0].Source.Size(); e.steps%1024 == 0 && e.progress != nil {
		e.progress(min(l.Offset, size), size)
	}
	switch {
	case e.opts.ignores(l) || e.opts.ignores(r):
		if !e.sameBytes(l.Span, r.Span) {
			e.ignored++
		}
	case isMixed(l, r):
		p = e.compareMixed(l, r)
	case !l.Leaf() || !r.Leaf():
		return nil, true
	case e.leavesDiffer(l, r):
		p = e.changedLeaf(l, r)
	}
	return p, false
}

// changedBelow returns the pair of two nodes with the pairs below it, or nil if nothing below differs.
func (e *engine) changedBelow(l, r *model.Node, pairs *pairList) *Pair {
	if pairs == nil || pairs.counts.Differences() == 0 && !pairs.changed {
		return nil
	}
	pairs.clip()
	p := e.pair(l, r, Changed)
	p.below, p.Counts = pairs, pairs.counts
	if p.isKeyed() {
		counts := ownRows(Changed, p.Old, p.New)
		if p.Counts.Differences() > 0 && !p.HasOtherKey() {
			counts.Parents = counts.Changed
		}
		p.Counts.Add(counts)
	}
	return p
}

func (e *engine) changedLeaf(l, r *model.Node) *Pair {
	p := e.pair(l, r, Changed)
	p.Counts = ownRows(Changed, p.Old, p.New)
	return p
}

// compareMixed compares a leaf with a node that has children: an optional part of one file only, a value that one
// version of the format wraps in a header, or content that one version stores bare.
func (e *engine) compareMixed(l, r *model.Node) *Pair {
	if e.renamedValue(l, r) {
		return nil
	}
	lv, rv := e.soleValue(l), e.soleValue(r)
	if lv != nil && rv != nil && (e.equalValues(lv, rv) && !e.sameVariant || e.tolerates(lv, rv)) {
		return nil
	}
	return e.changedLeaf(l, r)
}

// soleValue returns the one value of a node: its own, or the only block of bytes among its children.
func (e *engine) soleValue(n *model.Node) any {
	if n.Value != nil || n.Leaf() || n.Len() > 64 {
		return n.Value
	}
	var found any
	for i := range n.Len() {
		if b, ok := n.Child(i).Value.(model.Blob); ok {
			if found != nil {
				return nil
			}
			found = b
		}
	}
	return found
}

// versionFields lists the fields that only one version has.
func (e *engine) versionFields() []VersionField {
	var out []VersionField
	for f, n := range e.fieldsOfOneVersion {
		out = append(out, VersionField{Type: f.typ, Name: f.name, Status: f.status, Count: n})
	}
	slices.SortFunc(out, func(a, b VersionField) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Status, b.Status))
	})
	return out
}

// buildChildren returns the children in the order of the new file, with the results of their comparison.
func (e *engine) buildChildren(l *level) *pairList {
	m, pairs := &l.matching, &pairList{counts: l.counts, changed: l.changed}
	oldSide, newSide := 0, 1
	rightOf := func(_, new int) int { return new }
	if e.c.flipped {
		oldSide, newSide = 1, 0
		rightOf = func(old, _ int) int { return old }
	}
	toNew := m.match[oldSide]
	nextOld := 0
	// addRemoved adds the removed children before an index of the old list.
	addRemoved := func(end int) {
		for ; nextOld < end; nextOld++ {
			if toNew[nextOld] == unmatched {
				e.addUnmatched(pairs, m.sides[oldSide], nextOld)
			}
		}
	}
	hasMoved := func(i int) bool { return toNew[i] < 0 || m.flags[rightOf(i, int(toNew[i]))]&flagMoved != 0 }
	for j, i := range m.match[newSide] {
		end := nextOld // removed children follow the sibling that they followed in the old list
		for end < len(toNew) && hasMoved(end) {
			end++
		}
		addRemoved(end)
		switch i {
		case unmatched:
			e.addUnmatched(pairs, m.sides[newSide], j)
		case matchedElsewhere:
			e.addFromElsewhere(pairs, m.sides[newSide], j)
		default:
			index := rightOf(int(i), j)
			r := run{old: int(i), new: j, n: 1}
			setStatus(&r, m.state[index] == stateChanged, m.flags[index], l.pairs[index])
			switch {
			case r.renamed && r.status == Moved:
				pairs.counts.Add(ownRows(Moved, m.child(oldSide, int(i)), m.child(newSide, j)))
			case r.status != Changed:
				*pairs.counts.At(r.status)++
			}
			pairs.add(r)
			if m.flags[index]&flagMoved == 0 {
				addRemoved(int(i) + 1)
			}
		}
		if e.err != nil {
			return nil
		}
	}
	addRemoved(len(toNew))
	pairs.changed = pairs.changed || slices.Contains(toNew, matchedElsewhere)
	return pairs
}

func setStatus(r *run, changed bool, flags uint8, stored *Pair) {
	moved := flags&flagMoved != 0
	r.renamed = flags&flagRenamed != 0
	switch {
	case changed:
		r.status, r.pair, r.relocated = Changed, stored, moved
		if stored != nil {
			stored.Relocated, stored.Renamed = moved, r.renamed
		}
	case moved:
		r.status = Moved
	}
}

// reserveStorage reports whether the result for a child is stored: always if its list is in memory, else for the first
// maxPairs children, which it counts.
func (e *engine) reserveStorage(m *matching, right int) bool {
	l := &m.sides[1]
	if _, long := l.node.Children().(*model.Elements); !long || !l.isElement(right) {
		return true
	}
	e.storable--
	return e.storable >= 0
}

// addUnmatched adds a child that the other side does not have.
func (e *engine) addUnmatched(pairs *pairList, l childList, i int) {
	s := e.statusOfUnmatched(l.side)
	r := run{old: -1, new: i, n: 1, status: s}
	if s == Removed {
		r.old, r.new = i, -1
	}
	c := func() *model.Node { return l.node.Child(i) }
	if e.opts.Texts.Comments && l.isElement(i) && c().Role == model.RoleComment {
		e.ignored++
		r.uncounted = true
	} else if !l.isElement(i) {
		if e.opts.ignores(c()) {
			e.ignored++
			r.uncounted = true
		} else if !e.sameVariant && (!IsList(l.node) || l.count > 0) && c().Key == "" {
			r.uncounted = true
			e.fieldsOfOneVersion[versionField{l.node.Type, c().Name, s}]++
		}
	}
	_, long := l.node.Children().(*model.Elements)
	switch {
	case r.uncounted:
	case long:
		*pairs.counts.At(s)++
	default:
		if r.pair = e.unmatchedBelow(c(), l.side); r.pair != nil {
			pairs.counts.Add(r.pair.Counts)
		} else {
			*pairs.counts.At(s) += int64(max(1, listedItems(c())))
		}
	}
	pairs.add(r)
}

// addFromElsewhere adds a child of the new file that was below another node in the old one.
func (e *engine) addFromElsewhere(pairs *pairList, l childList, j int) {
	n := l.node.Child(j)
	p := e.counterpart(n, l.side)
	if p == nil {
		e.addUnmatched(pairs, l, j)
		return
	}
	if pair := e.comparePartners(n, p, l.side); e.err == nil {
		pairs.counts.Add(pair.Counts)
		pairs.add(run{old: -1, new: j, n: 1, status: pair.Status, renamed: pair.Renamed, relocated: true, pair: pair})
	}
}
