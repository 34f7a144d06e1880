package compare

import (
	"cmp"
	"slices"

	"github.com/zeebo/xxh3"

	"assay/model"
)

// family is the children of a node: the named ones, and the elements, which follow one another.
type family struct {
	node  *model.Node
	side  int
	names []int // child indexes of what is no element
	first int   // child index of element 0
	count int
	sums  *model.Summaries
}

func familyOf(n *model.Node, side int) family {
	f := family{node: n, side: side}
	if list, ok := n.Children().(*model.Elements); ok {
		f.first, f.count, f.sums = len(list.First), list.Count, list.Sums
		for _, c := range list.Last { // of a damaged file, the elements that are not like the others
			if !c.Element() {
				break
			}
			f.count++
			f.sums = nil
		}
		for i := range list.First {
			f.names = append(f.names, i)
		}
		for i := f.first + f.count; i < n.Len(); i++ {
			f.names = append(f.names, i)
		}
		return f
	}
	from, to := 0, n.Len()
	for from < to && !n.Child(from).Element() {
		f.names = append(f.names, from)
		from++
	}
	for to > from && !n.Child(to-1).Element() {
		to--
	}
	for i := to; i < n.Len(); i++ {
		f.names = append(f.names, i)
	}
	f.first, f.count = from, to-from
	return f
}

// kept reports whether a child is the same Node at each look.
func (f *family) kept(child int) bool {
	list, long := f.node.Children().(*model.Elements)
	return !long || list.Kept || child < len(list.First) || child >= len(list.First)+list.Count
}

// matching says which children of two nodes belong together.
type matching struct {
	l, r    family
	toLeft  []int32 // for each right child its left one, or none
	toRight []int32
	flags   []uint8 // of each right child
	state   []uint8 // of each right child that has a left one
}

const (
	unmatched        int32 = -1 // nothing belongs to it
	matchedElsewhere int32 = -2 // what belongs to it is below another node

	flagMoved   uint8 = 1
	flagRenamed uint8 = 2

	stateUnknown uint8 = 0
	stateSame    uint8 = 1
	stateChanged uint8 = 2
)

func (m *matching) join(l, r int, flags uint8) {
	m.toLeft[r], m.toRight[l] = int32(l), int32(r)
	m.flags[r] |= flags
}

func (m *matching) areFree(l, r int) bool {
	return m.toRight[l] == unmatched && m.toLeft[r] == unmatched
}

// level is two nodes of which the children that belong together are compared.
type level struct {
	matching
	next    int    // the right child that is compared next
	found   []kept // the results that are kept, by right child
	counts  Counts // of the rows of the results
	changed bool   // there are such
}

// kept is the result for a right child.
type kept struct {
	right int
	pair  *Pair
}

// result returns what was kept for a right child; nil if nothing was.
func (v *level) result(right int) *Pair {
	i, ok := slices.BinarySearchFunc(v.found, right, func(k kept, right int) int { return cmp.Compare(k.right, right) })
	if !ok {
		return nil
	}
	return v.found[i].pair
}

// children compares what is below two nodes; nil if there is no difference, unless all asks for the pairs in any case.
func (e *engine) children(l, r *model.Node, all bool) (*children, error) {
	top, err := e.level(l, r)
	if err != nil {
		return nil, err
	}
	way := []*level{top}
	for {
		v := way[len(way)-1]
		if v.isDone() {
			way[len(way)-1] = nil // of deep files, what was settled is as much as what is found
			way = way[:len(way)-1]
			if len(way) == 0 {
				return e.buildChildren(v, all)
			}
			k, err := e.buildChildren(v, false)
			if err != nil {
				return nil, err
			}
			e.record(way[len(way)-1], e.changedBelow(v.l.node, v.r.node, k))
			continue
		}
		l, r := v.l.node.Child(int(v.toLeft[v.next])), v.r.node.Child(v.next)
		p, below, err := e.compareThemselves(l, r)
		if err != nil {
			return nil, err
		}
		if !below {
			e.record(v, p)
			continue
		}
		if v, err = e.level(l, r); err != nil {
			return nil, err
		}
		way = append(way, v)
	}
}

// level finds out which children of two nodes belong together.
func (e *engine) level(l, r *model.Node) (*level, error) {
	v := &level{matching: matching{l: familyOf(l, 0), r: familyOf(r, 1)}}
	m := &v.matching
	nl, nr := l.Len(), r.Len()
	m.toLeft, m.toRight, m.flags = fill(nr), fill(nl), make([]uint8, nr)
	m.state = make([]uint8, nr)
	if len(e.chosen[0]) > 0 {
		e.matchChosen(m)
	}
	e.matchNames(m)
	if err := e.matchElements(m); err != nil {
		return nil, err
	}
	m.markMoved()
	m.l.names, m.r.names = nil, nil
	return v, nil
}

// isDone reports whether all children were compared that belong together and are not known to be the same.
func (v *level) isDone() bool {
	for v.next < len(v.toLeft) && (v.toLeft[v.next] < 0 || v.state[v.next] == stateSame) {
		v.next++
	}
	return v.next == len(v.toLeft)
}

// record takes the result for the child that was to be compared next: it counts the rows.
func (e *engine) record(v *level, p *Pair) {
	j := v.next
	v.next++
	v.state[j] = stateSame
	if p == nil {
		return
	}
	v.state[j], v.changed = stateChanged, true
	v.counts.Add(p.Counts)
	if e.isKept(&v.matching, j) {
		v.found = append(v.found, kept{j, p})
	}
}

func fill(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = unmatched
	}
	return s
}

// matchNames joins the k-th field of a name with the k-th of that name. Fields with keys that say otherwise part.
func (e *engine) matchNames(m *matching) {
	if e.matchNamesInOrder(m) {
		return
	}
	type ident struct {
		name string
		k    int
	}
	seen := make(map[string]int)
	left := make(map[ident]int, len(m.l.names))
	for _, i := range m.l.names {
		name := m.l.node.Child(i).Name
		left[ident{name, seen[name]}] = i
		seen[name]++
	}
	clear(seen)
	for _, j := range m.r.names {
		c := m.r.node.Child(j)
		i, ok := left[ident{c.Name, seen[c.Name]}]
		seen[c.Name]++
		if ok && m.areFree(i, j) && e.mayMatch(m.l.node.Child(i), c) {
			m.join(i, j, e.renamedFlags(m.l.node.Child(i), c))
		}
	}
	e.markMatchedElsewhere(m, m.l.names, m.r.names)
	if IsList(m.l.node) {
		e.matchRenamedFields(m)
	}
}

// matchNamesInOrder joins the fields if both nodes have the same ones, as nearly all have.
func (e *engine) matchNamesInOrder(m *matching) bool {
	if len(m.l.names) != len(m.r.names) || len(e.partner[0]) > 0 || len(e.chosen[0]) > 0 {
		return false
	}
	for k, i := range m.l.names {
		if m.l.node.Child(i).Name != m.r.node.Child(m.r.names[k]).Name {
			return false
		}
	}
	for k, i := range m.l.names {
		m.join(i, m.r.names[k], e.renamedFlags(m.l.node.Child(i), m.r.node.Child(m.r.names[k])))
	}
	return true
}

// mayMatch reports whether two nodes are not known to belong to others.
func (e *engine) mayMatch(l, r *model.Node) bool {
	pl, pr := e.partner[0][l], e.partner[1][r]
	return pl == nil && pr == nil || pl == r
}

// renamedFlags are the flags of a pair of fields: of one thing under two keys, or of the things that stand in one
// field.
func (e *engine) renamedFlags(l, r *model.Node) uint8 {
	if l.Key == r.Key {
		return 0
	}
	if l.Key != "" && r.Key != "" && e.mayBeRenamed(l, 0) && e.mayBeRenamed(r, 1) {
		e.rename(l, r)
		return flagMoved | flagRenamed
	}
	if e.partner[0][l] == r {
		return flagMoved | flagRenamed
	}
	return 0
}

// markMatchedElsewhere marks children that belong to nodes elsewhere.
func (e *engine) markMatchedElsewhere(m *matching, ls, rs []int) {
	if len(e.partner[0]) == 0 {
		return
	}
	for _, i := range ls {
		if m.toRight[i] == unmatched && e.partner[0][m.l.node.Child(i)] != nil {
			m.toRight[i] = matchedElsewhere
		}
	}
	for _, j := range rs {
		if m.toLeft[j] == unmatched && e.partner[1][m.r.node.Child(j)] != nil {
			m.toLeft[j] = matchedElsewhere
		}
	}
}

// matchRenamedFields joins named members of a list that have the same content under another name.
func (e *engine) matchRenamedFields(m *matching) {
	left := make(map[uint64]int)
	for _, i := range m.l.names {
		c := m.l.node.Child(i)
		if m.toRight[i] != unmatched || c.Size < contentLeast {
			continue
		}
		if d, err := e.digest(c, 0); err == nil {
			left[d] = i
		}
	}
	if len(left) == 0 {
		return
	}
	for _, j := range m.r.names {
		c := m.r.node.Child(j)
		if m.toLeft[j] != unmatched || c.Size < contentLeast {
			continue
		}
		d, err := e.digest(c, 1)
		if err != nil {
			continue
		}
		if i, ok := left[d]; ok && m.areFree(i, j) {
			m.join(i, j, flagMoved|flagRenamed)
		}
	}
}

// matchChosen joins children that were said to belong together, and sends away those that belong elsewhere.
func (e *engine) matchChosen(m *matching) {
	pl, pr := m.l.node.Path(), m.r.node.Path()
	for i := range m.toRight {
		to, ok := e.chosen[0][placeOf(append(pl, i))]
		if !ok {
			continue
		}
		if len(to) == len(pr)+1 && pr.Equal(to[:len(pr)]) {
			flags := flagMoved
			if m.l.node.Child(i).Key != m.r.node.Child(to[len(pr)]).Key {
				flags |= flagRenamed
			}
			m.join(i, to[len(pr)], flags)
		} else {
			m.toRight[i] = matchedElsewhere
		}
	}
	for j := range m.toLeft {
		if _, ok := e.chosen[1][placeOf(append(pr, j))]; ok && m.toLeft[j] == unmatched {
			m.toLeft[j] = matchedElsewhere
		}
	}
}

// elsewhere returns the node of the other side that n belongs to although their parents do not; nil if there is none.
func (e *engine) elsewhere(n *model.Node, side int) *model.Node {
	if len(e.chosen[side]) > 0 {
		if to, ok := e.chosen[side][placeOf(n.Path())]; ok {
			return e.doc(1 - side).At(to)
		}
	}
	return e.partner[side][n]
}

// keyOf identifies a node among its siblings; 0 if it has no key. A key may repeat with another type, but two versions
// of a format may have two types for one thing.
func (e *engine) keyOf(n *model.Node) uint64 {
	if n.Key == "" {
		return 0
	}
	if !e.sameVariant {
		return xxh3.HashString(n.Key) | 1
	}
	return mixHash(xxh3.HashString(n.Type), xxh3.HashString(n.Key)) | 1
}

func sortVersionFields(f []VersionField) {
	slices.SortFunc(f, func(a, b VersionField) int {
		if c := cmp.Compare(a.Type, b.Type); c != 0 {
			return c
		}
		if c := cmp.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return cmp.Compare(a.In, b.In)
	})
}
