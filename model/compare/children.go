package compare

import (
	"iter"
	"slices"

	"github.com/zeebo/xxh3"

	"assay/model"
	"assay/model/content"
)

// childList is the children of a node: the named ones, and the elements, which follow one another.
type childList struct {
	node      *model.Node
	side      int
	named     []int // child indexes of named children
	first     int   // child index of element 0
	count     int
	summaries *model.Summaries
}

func childrenOf(n *model.Node, side int) childList {
	l := childList{node: n, side: side}
	if list, ok := n.Children().(*model.Elements); ok {
		l.first, l.count, l.summaries = len(list.First), list.Count, list.Sums
		for _, c := range list.Last { // of a damaged file, the elements that are not like the others
			if !c.IsElement() {
				break
			}
			l.count++
			l.summaries = nil
		}
	} else {
		to := n.Len()
		for l.first < to && !n.Child(l.first).IsElement() {
			l.first++
		}
		for to > l.first && !n.Child(to-1).IsElement() {
			to--
		}
		l.count = to - l.first
	}
	for i := range l.first {
		l.named = append(l.named, i)
	}
	for i := l.first + l.count; i < n.Len(); i++ {
		l.named = append(l.named, i)
	}
	return l
}

func (l *childList) isElement(child int) bool { return child >= l.first && child < l.first+l.count }

// isStored reports whether a child is the same Node at each access.
func (l *childList) isStored(child int) bool {
	list, long := l.node.Children().(*model.Elements)
	return !long || list.InMemory || child < len(list.First) || child >= len(list.First)+list.Count
}

// matching records which children of two nodes match.
type matching struct {
	sides [2]childList
	match [2][]int32 // of each child of a side, the index of its counterpart
	flags []uint8    // of each right child
	state []uint8    // of each right child that has a left one; 0 until it is determined
}

const (
	unmatched        int32 = -1 // no counterpart
	matchedElsewhere int32 = -2 // its counterpart is below another node

	flagMoved   uint8 = 1
	flagRenamed uint8 = 2

	stateSame    uint8 = 1
	stateChanged uint8 = 2
)

func (m *matching) join(l, r int, flags uint8) {
	m.match[0][l], m.match[1][r] = int32(r), int32(l)
	m.flags[r] |= flags
}

// joinElements joins elements by their numbers.
func (m *matching) joinElements(l, r int, flags uint8) {
	m.join(m.sides[0].first+l, m.sides[1].first+r, flags)
}

// isElementFree reports whether an element is unmatched.
func (m *matching) isElementFree(side, element int) bool {
	return m.match[side][m.sides[side].first+element] == unmatched
}

func (m *matching) child(side, i int) *model.Node { return m.sides[side].node.Child(i) }

// areChildrenFree reports whether two children, by their child indexes, are unmatched.
func (m *matching) areChildrenFree(l, r int) bool {
	return m.match[0][l] == unmatched && m.match[1][r] == unmatched
}

// free returns the unmatched elements of a side, as child indexes.
func (m *matching) free(side int) iter.Seq[int] {
	return func(yield func(child int) bool) {
		l := &m.sides[side]
		for i := l.first; i < l.first+l.count; i++ {
			if m.match[side][i] == unmatched && !yield(i) {
				return
			}
		}
	}
}

// level is two nodes whose matching children are compared.
type level struct {
	matching
	next    int           // the right child that is compared next
	pairs   map[int]*Pair // the stored results, by right child
	counts  Counts        // of the rows of the results
	changed bool          // the results contain a change
}

// compareChildren compares the children of two nodes. It returns nil after an error.
func (e *engine) compareChildren(l, r *model.Node) *pairList {
	stack := []*level{e.newLevel(l, r)}
	for e.err == nil {
		top := stack[len(stack)-1]
		if top.isDone() {
			stack[len(stack)-1] = nil // in deep files, finished levels are as large as the results
			stack = stack[:len(stack)-1]
			pairs := e.buildChildren(top)
			if len(stack) == 0 {
				return pairs
			}
			e.record(stack[len(stack)-1], e.changedBelow(top.sides[0].node, top.sides[1].node, pairs))
			continue
		}
		l, r := top.child(0, int(top.match[1][top.next])), top.child(1, top.next)
		if p, below := e.compareThemselves(l, r); below {
			stack = append(stack, e.newLevel(l, r))
		} else {
			e.record(top, p)
		}
	}
	return nil
}

// newLevel matches the children of two nodes.
func (e *engine) newLevel(l, r *model.Node) *level {
	made := &level{}
	m := &made.matching
	for side, n := range [2]*model.Node{l, r} {
		m.sides[side], m.match[side] = childrenOf(n, side), slices.Repeat([]int32{unmatched}, n.Len())
	}
	m.flags, m.state = make([]uint8, r.Len()), make([]uint8, r.Len())
	if len(e.chosen[0]) > 0 {
		e.matchChosen(m)
	}
	e.matchNames(m)
	e.matchElements(m)
	m.markMoved()
	if e.opts.Texts.Order && content.KindOf(e.docs[0].Source).Text {
		e.ignored += m.ignoreOrder()
	}
	m.sides[0].named, m.sides[1].named = nil, nil
	return made
}

// isDone reports whether all matched children were compared or found to be the same.
func (l *level) isDone() bool {
	for l.next < len(l.match[1]) && (l.match[1][l.next] < 0 || l.state[l.next] == stateSame) {
		l.next++
	}
	return l.next == len(l.match[1])
}

// record stores the result for the next child, and counts its rows.
func (e *engine) record(l *level, p *Pair) {
	j := l.next
	l.next++
	l.state[j] = stateSame
	if p == nil || l.hasNewNeighbor(j) && p.hasOnlySpacing() {
		return
	}
	l.state[j], l.changed = stateChanged, true
	l.counts.Add(p.Counts)
	if e.reserveStorage(&l.matching, j) {
		if l.pairs == nil {
			l.pairs = make(map[int]*Pair)
		}
		l.pairs[j] = p
	}
}

// hasNewNeighbor reports whether a matched child moved, or has another child before it than in the old list.
func (l *level) hasNewNeighbor(j int) bool {
	i := l.match[1][j]
	if i == 0 || j == 0 {
		return int(i) != j
	}
	return l.flags[j]&flagMoved != 0 || l.match[1][j-1] != i-1
}

// hasOnlySpacing reports whether only the spacing below a pair changed. A property has the spacing of its location: the
// one at the beginning of a namespace has another than the next.
func (p *Pair) hasOnlySpacing() bool {
	if p.below == nil {
		return false
	}
	for _, r := range p.below.runs {
		for i := 0; i < r.n && r.status != Same && !r.uncounted; i++ {
			n := p.Old
			index := r.old + i
			if r.new >= 0 {
				n, index = p.New, r.new+i
			}
			if n.Child(index).Role != model.RoleSpacing {
				return false
			}
		}
	}
	return true
}

// matchNames matches the k-th fields of each name, unless their keys contradict.
func (e *engine) matchNames(m *matching) {
	if e.matchNamesInOrder(m) {
		return
	}
	type identifier struct {
		name string
		k    int
	}
	visited := make(map[string]int)
	left := make(map[identifier]int, len(m.sides[0].named))
	for _, i := range m.sides[0].named {
		name := m.child(0, i).Name
		left[identifier{name, visited[name]}] = i
		visited[name]++
	}
	clear(visited)
	for _, j := range m.sides[1].named {
		c := m.child(1, j)
		i, ok := left[identifier{c.Name, visited[c.Name]}]
		visited[c.Name]++
		if ok && m.areChildrenFree(i, j) && e.mayMatch(m.child(0, i), c) {
			m.join(i, j, e.renamedFlags(m.child(0, i), c))
		}
	}
	e.markMatchedElsewhere(m)
	if IsList(m.sides[0].node) {
		e.matchRenamedFields(m)
	}
}

// matchNamesInOrder joins the fields if both nodes have the same ones, as nearly all have.
func (e *engine) matchNamesInOrder(m *matching) bool {
	ls, rs := m.sides[0].named, m.sides[1].named
	if len(ls) != len(rs) || len(e.partners[0]) > 0 || len(e.chosen[0]) > 0 {
		return false
	}
	for k, i := range ls {
		if m.child(0, i).Name != m.child(1, rs[k]).Name {
			return false
		}
	}
	for k, i := range ls {
		m.join(i, rs[k], e.renamedFlags(m.child(0, i), m.child(1, rs[k])))
	}
	return true
}

// mayMatch reports whether neither node is matched to another one.
func (e *engine) mayMatch(l, r *model.Node) bool {
	pl, pr := e.partners[0][l], e.partners[1][r]
	return pl == nil && pr == nil || pl == r
}

// renamedFlags returns the flags of a pair of fields: of one item under two keys, or of two items in one field.
func (e *engine) renamedFlags(l, r *model.Node) uint8 {
	if l.Key == r.Key {
		return 0
	}
	if l.Key != "" && r.Key != "" && e.mayBeRenamed(l, 0) && e.mayBeRenamed(r, 1) {
		e.rename(l, r)
		return flagMoved | flagRenamed
	}
	if e.partners[0][l] == r {
		return flagMoved | flagRenamed
	}
	return 0
}

// markMatchedElsewhere marks named children that belong to nodes elsewhere.
func (e *engine) markMatchedElsewhere(m *matching) {
	for side := range m.sides {
		for _, i := range m.sides[side].named {
			if m.match[side][i] == unmatched && e.partners[side][m.child(side, i)] != nil {
				m.match[side][i] = matchedElsewhere
			}
		}
	}
}

// matchRenamedFields joins named members of a list that have the same content under another name.
func (e *engine) matchRenamedFields(m *matching) {
	left := make(map[uint64]int)
	for side := range m.sides {
		for _, k := range m.sides[side].named {
			c := m.child(side, k)
			if m.match[side][k] != unmatched || c.Size < minContent {
				continue
			}
			d := e.digest(c, side)
			if e.takeError() != nil { // only its name identifies it
				continue
			}
			if i, ok := left[d]; side == 0 {
				left[d] = k
			} else if ok && m.areChildrenFree(i, k) {
				m.join(i, k, flagMoved|flagRenamed)
			}
		}
		if len(left) == 0 {
			return
		}
	}
}

// matchChosen matches children that the user paired, and marks children with a counterpart elsewhere.
func (e *engine) matchChosen(m *matching) {
	pl, pr := m.sides[0].node.Path(), m.sides[1].node.Path()
	for i := range m.match[0] {
		to, ok := e.chosen[0][pathKey(append(pl, i))]
		if !ok {
			continue
		}
		if len(to) == len(pr)+1 && pr.Equal(to[:len(pr)]) {
			flags := flagMoved
			if m.child(0, i).Key != m.child(1, to[len(pr)]).Key {
				flags |= flagRenamed
			}
			m.join(i, to[len(pr)], flags)
		} else {
			m.match[0][i] = matchedElsewhere
		}
	}
	for j := range m.match[1] {
		if _, ok := e.chosen[1][pathKey(append(pr, j))]; ok && m.match[1][j] == unmatched {
			m.match[1][j] = matchedElsewhere
		}
	}
}

// counterpart returns the node matched to n under another parent, or nil.
func (e *engine) counterpart(n *model.Node, side int) *model.Node {
	if len(e.chosen[side]) > 0 {
		if to, ok := e.chosen[side][pathKey(n.Path())]; ok {
			return e.docs[1-side].At(to)
		}
	}
	return e.partners[side][n]
}

// keyOf identifies a node among its siblings, or returns 0 if it has no key. A key may repeat with another type, but
// two versions of a format may have two types for one item.
func (e *engine) keyOf(n *model.Node) uint64 {
	if n.Key == "" {
		return 0
	}
	if !e.sameVariant {
		return xxh3.HashString(n.Key) | 1
	}
	return mixHash(xxh3.HashString(n.Type), xxh3.HashString(n.Key)) | 1
}
