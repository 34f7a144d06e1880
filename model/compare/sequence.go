package compare

import (
	"slices"

	"assay/model"
	"assay/model/compare/align"
)

// markMoved marks as moved the fewest children without which the others have the same order in both files. A child at
// the same index and offset counts as unmoved if others moved past it.
func (m *matching) markMoved() {
	m.markOutOfOrder()
	if m.isShuffled() {
		m.markOtherIndices()
		return
	}
	var unmoved []int
	moved := false
	for j, i := range m.match[1] {
		switch {
		case i < 0 || m.flags[j] != flagMoved:
		case m.hasSameIndex(int(i), j) && m.child(0, int(i)).Offset == m.child(1, j).Offset:
			unmoved = append(unmoved, j)
		default:
			moved = true
		}
	}
	for _, j := range unmoved {
		if moved {
			m.flags[j] = 0
		}
	}
}

// ignoreOrder makes properties that only moved in their namespace the same, and returns their number.
func (m *matching) ignoreOrder() (n int64) {
	for j := range m.match[1] {
		if m.flags[j] == flagMoved && !hasList(m.child(1, j)) {
			m.flags[j] = 0
			n++
		}
	}
	return n
}

// hasList reports whether a list is among the children of a node.
func hasList(n *model.Node) bool {
	for i := range n.Len() {
		if IsList(n.Child(i)) {
			return true
		}
	}
	return false
}

// isShuffled reports whether both lists have the same elements, and more than half of the elements at another index are
// out of order. Then all of these count as moved, as users compare indices.
func (m *matching) isShuffled() bool {
	l, r := &m.sides[0], &m.sides[1]
	if l.count != r.count {
		return false
	}
	moved, elsewhere := 0, 0
	for j := r.first; j < r.first+r.count; j++ {
		i := m.match[1][j]
		if i < 0 || !l.isElement(int(i)) {
			return false
		}
		if m.hasSameIndex(int(i), j) {
			continue
		}
		elsewhere++
		if m.flags[j]&flagMoved != 0 {
			moved++
		}
	}
	return elsewhere < 2*moved
}

// markOtherIndices marks the elements that are at another index, and no others but renamed ones.
func (m *matching) markOtherIndices() {
	for j := m.sides[1].first; j < m.sides[1].first+m.sides[1].count; j++ {
		switch {
		case !m.hasSameIndex(int(m.match[1][j]), j):
			m.flags[j] |= flagMoved
		case m.flags[j] == flagMoved:
			m.flags[j] = 0
		}
	}
}

// hasSameIndex reports whether two children have the same index in their lists.
func (m *matching) hasSameIndex(l, r int) bool { return l-m.sides[0].first == r-m.sides[1].first }

// markOutOfOrder marks the fewest children without which the others are in order. Of several solutions it chooses one
// that keeps children at the same index in both lists.
func (m *matching) markOutOfOrder() {
	if m.sides[1].count == 0 && !IsList(m.sides[0].node) {
		return
	}
	var left, right []int32
	for j, i := range m.match[1] {
		if i >= 0 && m.flags[j]&flagMoved == 0 {
			left, right = append(left, i), append(right, int32(j))
		}
	}
	if slices.IsSorted(left) {
		return
	}
	keep := align.LongestRising(left)
	if around := m.risingAround(left, right); countTrue(around) == countTrue(keep) {
		keep = around
	}
	for k, j := range right {
		if !keep[k] {
			m.flags[j] |= flagMoved
		}
	}
}

// risingAround marks the longest rising subsequence that contains all children with one index in both lists. left and
// right are the indexes of the matched children, in the order of the right side.
func (m *matching) risingAround(left, right []int32) []bool {
	firsts := [2]int{m.sides[0].first, m.sides[1].first}
	named := max(firsts[0], firsts[1]) // children before the elements
	indexOf := func(side int, child int32) int { return int(child) - firsts[side] + named }
	before := make([]int32, named+max(len(m.match[0])-firsts[0], len(m.match[1])-firsts[1])+1)
	for k, i := range left {
		if n := indexOf(0, i); n == indexOf(1, right[k]) {
			before[n+1] = 1
		}
	}
	for n := range before[1:] {
		before[n+1] += before[n] // the number of children with one index in both lists, before an index
	}
	var candidates, positions []int32
	for k, i := range left {
		if before[indexOf(0, i)] == before[indexOf(1, right[k])] { // it moved past no such child
			candidates, positions = append(candidates, i), append(positions, int32(k))
		}
	}
	keep := make([]bool, len(left))
	for k, rises := range align.LongestRising(candidates) {
		keep[positions[k]] = rises
	}
	return keep
}

func countTrue(marks []bool) (n int) {
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}

// joinContents joins elements without keys: equal contents in order, then by likeness or position between those.
func (e *engine) joinContents(m *matching, lists [2]elementKeys) {
	var unkeyed [2][]int
	for side := range lists {
		for i, k := range lists[side].keys {
			if k == 0 && m.isElementFree(side, i) {
				unkeyed[side] = append(unkeyed[side], i)
			}
		}
	}
	s := &sequence{matching: m, e: e, l: lists[0].digests, r: lists[1].digests}
	s.align(unkeyed[0], unkeyed[1])
}

// sequence aligns elements that only their content and their order distinguish.
type sequence struct {
	*matching
	e    *engine
	l, r []uint64
}

// align joins equal ends, then contents that are unique on both sides, then the elements between those.
func (s *sequence) align(ls, rs []int) {
	ls, rs = s.joinEnds(ls, rs)
	if len(ls) == 0 || len(rs) == 0 {
		return
	}
	found := align.Uniques(len(rs), len(ls), func(k int) uint64 { return s.r[rs[k]] },
		func(k int) uint64 { return s.l[ls[k]] })
	var anchors []align.Unique
	for _, u := range found {
		switch {
		case u.InOrder:
			anchors = append(anchors, u)
		case isContent(s.element(0, ls[u.B])):
			s.joinElements(ls[u.B], rs[u.A], flagMoved)
		}
	}
	fromL, fromR := 0, 0
	for _, u := range append(anchors, align.Unique{A: int32(len(rs)), B: int32(len(ls))}) {
		toL, toR := int(u.B), int(u.A)
		if toL < len(ls) {
			s.joinElements(ls[toL], rs[toR], 0)
		}
		s.fill(s.unmatchedOf(0, ls[fromL:toL]), s.unmatchedOf(1, rs[fromR:toR]))
		fromL, fromR = toL+1, toR+1
	}
	s.joinMoved(s.unmatchedOf(0, ls), s.unmatchedOf(1, rs))
}

// joinMoved joins elements that moved and changed: each with the most similar one of the other side, if they have more
// than half of their fields in common. It joins none if there are more than maxLikeness pairs.
func (s *sequence) joinMoved(ls, rs []int) {
	if len(ls)*len(rs) > maxLikeness {
		return
	}
	for _, j := range rs {
		r := s.element(1, j)
		if r.Leaf() || !isContent(r) {
			continue
		}
		best, limit := -1, 1+likenessOfField*min(r.Len(), likenessFields)/2
		for _, i := range ls {
			if v := s.likeness(i, j); v > limit && s.isElementFree(0, i) {
				best, limit = i, v
			}
		}
		if best >= 0 {
			s.joinElements(best, j, flagMoved)
		}
	}
}

// minRecord is the minimum size in bytes of a struct that is matched by its content alone if that is unique.
const minRecord = 8

// isContent reports whether an element can be matched by its content alone: a number may be equal by chance.
func isContent(n *model.Node) bool {
	return n.Size >= minContent || n.Size >= minRecord && !n.Leaf()
}

func (s *sequence) element(side, i int) *model.Node { return s.child(side, s.sides[side].first+i) }

// unmatchedOf returns the elements without counterpart.
func (s *sequence) unmatchedOf(side int, candidates []int) (out []int) {
	for _, i := range candidates {
		if s.isElementFree(side, i) {
			out = append(out, i)
		}
	}
	return out
}

// joinEnds joins the elements with equal content at both ends, and returns the elements between.
func (s *sequence) joinEnds(ls, rs []int) ([]int, []int) {
	for len(ls) > 0 && len(rs) > 0 && s.l[ls[0]] == s.r[rs[0]] {
		s.joinElements(ls[0], rs[0], 0)
		ls, rs = ls[1:], rs[1:]
	}
	for len(ls) > 0 && len(rs) > 0 && s.l[ls[len(ls)-1]] == s.r[rs[len(rs)-1]] {
		s.joinElements(ls[len(ls)-1], rs[len(rs)-1], 0)
		ls, rs = ls[:len(ls)-1], rs[:len(rs)-1]
	}
	return ls, rs
}

const (
	maxLikeness     = 1 << 12 // pairs of elements whose similarity is measured
	likenessFields  = 16      // that are compared
	likenessOfField = 3       // points for a field that is the same
	likenessOfEqual = 64      // points of equal elements
)

// fill joins the elements between two anchors: the most similar if there are few, else by position.
func (s *sequence) fill(ls, rs []int) {
	ls, rs = s.joinEnds(ls, rs)
	n := min(len(ls), len(rs))
	if n == 0 {
		return
	}
	if len(ls) == len(rs) || len(ls) > maxLikeness/len(rs) {
		for k := range n {
			s.joinElements(ls[k], rs[k], 0)
		}
		return
	}
	best := make([][]int, len(ls)+1)
	for i := range best {
		best[i] = make([]int, len(rs)+1)
	}
	likeness := make([]int, len(ls)*len(rs))
	for i := len(ls) - 1; i >= 0; i-- {
		for j := len(rs) - 1; j >= 0; j-- {
			v := s.likeness(ls[i], rs[j])
			likeness[i*len(rs)+j] = v
			best[i][j] = max(best[i+1][j], best[i][j+1], best[i+1][j+1]+v)
		}
	}
	for i, j := 0, 0; i < len(ls) && j < len(rs); {
		switch best[i][j] {
		case best[i+1][j+1] + likeness[i*len(rs)+j]:
			s.joinElements(ls[i], rs[j], 0)
			i++
			j++
		case best[i+1][j]:
			i++
		default:
			j++
		}
	}
}

// likeness returns how similar two elements are, in points: 1 if they share nothing, so that any pair is better than no
// pair.
func (s *sequence) likeness(i, j int) int {
	if s.l[i] == s.r[j] {
		return likenessOfEqual
	}
	l, r := s.element(0, i), s.element(1, j)
	if l.Type != r.Type {
		return 1
	}
	v := 1
	for k := range min(l.Len(), r.Len(), likenessFields) {
		if s.e.digest(l.Child(k), 0) == s.e.digest(r.Child(k), 1) {
			v += likenessOfField
		}
	}
	return v
}
