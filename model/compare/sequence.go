package compare

import "assay/model/compare/align"

// markMoved marks the fewest children whose going makes the order of the others one in both files.
func (m *matching) markMoved() {
	if m.r.count == 0 && !IsList(m.l.node) {
		return
	}
	var seq, at []int32
	last, ordered := int32(-1), true
	for j, i := range m.toLeft {
		if i < 0 || m.flags[j]&flagMoved != 0 {
			continue
		}
		if i < last {
			ordered = false
			break
		}
		last = i
	}
	if ordered {
		return
	}
	for j, i := range m.toLeft {
		if i >= 0 && m.flags[j]&flagMoved == 0 {
			seq, at = append(seq, i), append(at, int32(j))
		}
	}
	keep := align.LongestRising(seq)
	for k, j := range at {
		if !keep[k] {
			m.flags[j] |= flagMoved
		}
	}
}

// joinContents joins elements without keys: equal contents in order, then by likeness or position between those.
func (e *engine) joinContents(m *matching, l, r items) error {
	ls, rs := unkeyed(l.keys, m.toRight, m.l.first), unkeyed(r.keys, m.toLeft, m.r.first)
	if len(ls) == 0 || len(rs) == 0 {
		return nil
	}
	s := &sequence{e: e, m: m, l: l.digests, r: r.digests}
	return s.align(ls, rs)
}

func unkeyed(keys []uint64, to []int32, first int) []int {
	var out []int
	for i, k := range keys {
		if k == 0 && to[first+i] == unmatched {
			out = append(out, i)
		}
	}
	return out
}

// sequence aligns elements that only their content and their order distinguish.
type sequence struct {
	e    *engine
	m    *matching
	l, r []uint64
}

func (s *sequence) join(i, j int, flags uint8) {
	s.m.join(s.m.l.first+i, s.m.r.first+j, flags)
}

// align joins equal ends, then contents that are unique on both sides, then what lies between.
func (s *sequence) align(ls, rs []int) error {
	ls, rs = s.trim(ls, rs)
	if len(ls) == 0 || len(rs) == 0 {
		return nil
	}
	found := align.Uniques(len(rs), len(ls), func(k int) uint64 { return s.r[rs[k]] },
		func(k int) uint64 { return s.l[ls[k]] })
	var anchors []align.Unique
	for _, u := range found {
		switch {
		case u.InOrder:
			anchors = append(anchors, u)
		case s.m.l.node.Child(s.m.l.first+ls[u.B]).Size >= contentLeast:
			s.join(ls[u.B], rs[u.A], flagMoved)
		}
	}
	fromL, fromR := 0, 0
	for n := 0; n <= len(anchors); n++ {
		toL, toR := len(ls), len(rs)
		if n < len(anchors) {
			toL, toR = int(anchors[n].B), int(anchors[n].A)
			s.join(ls[toL], rs[toR], 0)
		}
		if err := s.fill(s.left(ls[fromL:toL], s.m.toRight, s.m.l.first),
			s.left(rs[fromR:toR], s.m.toLeft, s.m.r.first)); err != nil {
			return err
		}
		fromL, fromR = toL+1, toR+1
	}
	return nil
}

// left is the elements that nothing was joined to.
func (s *sequence) left(of []int, to []int32, first int) []int {
	out := of[:0:0]
	for _, i := range of {
		if to[first+i] == unmatched {
			out = append(out, i)
		}
	}
	return out
}

func (s *sequence) trim(ls, rs []int) ([]int, []int) {
	for len(ls) > 0 && len(rs) > 0 && s.l[ls[0]] == s.r[rs[0]] {
		s.join(ls[0], rs[0], 0)
		ls, rs = ls[1:], rs[1:]
	}
	for len(ls) > 0 && len(rs) > 0 && s.l[ls[len(ls)-1]] == s.r[rs[len(rs)-1]] {
		s.join(ls[len(ls)-1], rs[len(rs)-1], 0)
		ls, rs = ls[:len(ls)-1], rs[:len(rs)-1]
	}
	return ls, rs
}

const likenessMax = 1 << 12 // cells of the table that finds the best pairs in a gap

// fill joins what lies between two anchors: the most alike where that can be found, else by position.
func (s *sequence) fill(ls, rs []int) error {
	ls, rs = s.trim(ls, rs)
	n := min(len(ls), len(rs))
	if n == 0 {
		return nil
	}
	if len(ls) == len(rs) || len(ls) > likenessMax/len(rs) {
		for k := range n {
			s.join(ls[k], rs[k], 0)
		}
		return nil
	}
	best := make([][]int, len(ls)+1)
	for i := range best {
		best[i] = make([]int, len(rs)+1)
	}
	like := make([]int, len(ls)*len(rs))
	for i := len(ls) - 1; i >= 0; i-- {
		for j := len(rs) - 1; j >= 0; j-- {
			v, err := s.likeness(ls[i], rs[j])
			if err != nil {
				return err
			}
			like[i*len(rs)+j] = v
			best[i][j] = max(best[i+1][j], best[i][j+1], best[i+1][j+1]+v)
		}
	}
	for i, j := 0, 0; i < len(ls) && j < len(rs); {
		switch best[i][j] {
		case best[i+1][j+1] + like[i*len(rs)+j]:
			s.join(ls[i], rs[j], 0)
			i++
			j++
		case best[i+1][j]:
			i++
		default:
			j++
		}
	}
	return nil
}

// likeness is how much two elements have in common: 1 for nothing, so that any pair is better than none.
func (s *sequence) likeness(i, j int) (int, error) {
	if s.l[i] == s.r[j] {
		return 64, nil
	}
	l, r := s.m.l.node.Child(s.m.l.first+i), s.m.r.node.Child(s.m.r.first+j)
	if l.Type != r.Type {
		return 1, nil
	}
	v := 1
	for k := range min(l.Len(), r.Len(), 16) {
		a, err := s.e.digest(l.Child(k), 0)
		if err != nil {
			return 0, err
		}
		b, err := s.e.digest(r.Child(k), 1)
		if err != nil {
			return 0, err
		}
		if a == b {
			v += 3
		}
	}
	return v, nil
}
