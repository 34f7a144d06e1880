package compare

import (
	"context"

	"assay/model"
)

// items is what is known of the elements of a list before they are compared.
type items struct {
	keys    []uint64 // 0: no key
	digests []uint64 // 0: not computed
	bytes   int64    // of all elements
}

// matchElements joins elements by key, then by content, then by position between those.
func (e *engine) matchElements(m *matching) error {
	if m.l.count == 0 && m.r.count == 0 {
		return nil
	}
	bulk := e.summarized(m)
	var l, r items
	var err error
	if bulk {
		if l, err = e.summaries(m.l); err == nil {
			r, err = e.summaries(m.r)
		}
	} else {
		if l, err = e.items(m.l); err == nil {
			r, err = e.items(m.r)
		}
	}
	if err != nil {
		return err
	}
	m.joinKeys(l.keys, r.keys)
	if !bulk {
		e.joinAliases(m)
		e.joinPartners(m)
	} else if m.l.sums.Keyed && m.l.sums.Distinct && m.r.sums.Distinct {
		m.joinDistinct(l, r)
	}
	if err := e.joinElementsRenamed(m); err != nil {
		return err
	}
	if err := e.joinContents(m, l, r); err != nil {
		return err
	}
	if bulk {
		return e.trustSummaries(m, l, r)
	}
	for j := range m.r.count {
		if i := m.toLeft[m.r.first+j]; i >= 0 && !e.strict {
			if d := l.digests[int(i)-m.l.first]; d != 0 && d == r.digests[j] {
				m.state[m.r.first+j] = stateSame
			}
		}
	}
	return nil
}

// summarized reports whether both lists offer summaries that mean the same: the elements are of one shape.
func (e *engine) summarized(m *matching) bool {
	l, r := m.l, m.r
	if l.sums == nil || r.sums == nil || l.sums.Keyed != r.sums.Keyed {
		return false
	}
	for _, f := range []family{l, r} {
		if f.count > 0 && (f.node.Child(f.first).Key != "") != f.sums.Keyed {
			return false
		}
	}
	return l.count == 0 || r.count == 0 || sameShape(l.node.Child(l.first), r.node.Child(r.first), 0)
}

const shapeDepth = 8

// sameShape reports whether two nodes have the same names and types below them.
func sameShape(l, r *model.Node, depth int) bool {
	if l.Type != r.Type || depth > 0 && l.Name != r.Name {
		return false
	}
	if depth == shapeDepth || IsList(l) {
		return true
	}
	if l.Len() != r.Len() {
		return false
	}
	for i := range l.Len() {
		if !sameShape(l.Child(i), r.Child(i), depth+1) {
			return false
		}
	}
	return true
}

const summaryPart = 4096

func (e *engine) summaries(f family) (items, error) {
	it := items{keys: make([]uint64, f.count), digests: make([]uint64, f.count)}
	part := make([]model.Summary, min(summaryPart, f.count))
	for at := 0; at < f.count; at += summaryPart {
		if err := e.ctx.Err(); err != nil {
			return it, err
		}
		p := part[:min(summaryPart, f.count-at)]
		if err := f.sums.Fill(e.ctx, at, p); err != nil {
			return it, err
		}
		for i, s := range p {
			if f.sums.Keyed {
				it.keys[at+i] = spread(s.Key)
			}
			it.digests[at+i] = s.Digest | 1<<63
			it.bytes += s.Span.Size
		}
	}
	return it, nil
}

// spread turns a key into one that is never 0. It keeps different keys different but for two.
func spread(key uint64) uint64 {
	if key == 0 {
		return 0x9e3779b97f4a7c15
	}
	return key
}

func (e *engine) items(f family) (items, error) {
	it := items{keys: make([]uint64, f.count), digests: make([]uint64, f.count)}
	line := f.lines()
	for i := range f.count {
		if err := e.checkContext(); err != nil {
			return it, err
		}
		if it.keys[i] = e.keyOf(line(i)); it.keys[i] != 0 {
			continue
		}
		d, err := e.digest(f.node.Child(f.first+i), f.side)
		if err != nil {
			return it, err
		}
		it.digests[i] = d | 1<<63
	}
	return it, nil
}

// lines returns what returns element after element, of which nothing but type and key is looked at. Each is good until
// the next.
func (f *family) lines() func(i int) *model.Node {
	child := func(i int) *model.Node { return f.node.Child(f.first + i) }
	list, long := f.node.Children().(*model.Elements)
	if !long || list.Reader == nil || list.Kept {
		return child
	}
	read := list.Reader()
	return func(i int) *model.Node {
		if i < list.Count {
			return read.Line(i)
		}
		return child(i)
	}
}

const lookAhead = 64

// joinKeys joins elements of equal keys: in passing where both lists have them in one order, the k-th of a key with the
// k-th where not.
func (m *matching) joinKeys(l, r []uint64) {
	free := func(i, j int) bool { return m.areFree(m.l.first+i, m.r.first+j) }
	i, j := 0, 0
	var restL, restR []int
	for i < len(l) && j < len(r) {
		switch {
		case l[i] == 0 || m.toRight[m.l.first+i] != unmatched:
			i++
		case r[j] == 0 || m.toLeft[m.r.first+j] != unmatched:
			j++
		case l[i] == r[j]:
			m.join(m.l.first+i, m.r.first+j, 0)
			i++
			j++
		default:
			skipL, skipR := resync(l[i:], r[j:])
			for range skipL {
				restL = append(restL, i)
				i++
			}
			for range skipR {
				restR = append(restR, j)
				j++
			}
		}
	}
	for ; i < len(l); i++ {
		restL = append(restL, i)
	}
	for ; j < len(r); j++ {
		restR = append(restR, j)
	}
	if len(restL) == 0 || len(restR) == 0 {
		return
	}
	next := make([]int32, len(restR))
	heads := make(map[uint64]int32, len(restR))
	for k := len(restR) - 1; k >= 0; k-- {
		key := r[restR[k]]
		if key == 0 {
			continue
		}
		next[k] = unmatched
		if h, ok := heads[key]; ok {
			next[k] = h
		}
		heads[key] = int32(k)
	}
	for _, i := range restL {
		k, ok := heads[l[i]]
		if !ok || k == unmatched || l[i] == 0 {
			continue
		}
		if free(i, restR[k]) {
			m.join(m.l.first+i, m.r.first+restR[k], 0)
		}
		heads[l[i]] = next[k]
	}
}

// resync says how many elements to pass over on either side so that the next ones have one key.
func resync(l, r []uint64) (skipL, skipR int) {
	for d := 1; d <= lookAhead; d++ {
		if d < len(r) && r[d] == l[0] {
			return 0, d
		}
		if d < len(l) && l[d] == r[0] {
			return d, 0
		}
	}
	return 1, 1
}

// joinAliases joins elements that the two versions of the format key in two ways.
func (e *engine) joinAliases(m *matching) {
	if len(e.aliases) == 0 {
		return
	}
	places := make(map[string]int)
	for j := m.r.first; j < m.r.first+m.r.count; j++ {
		if m.toLeft[j] == unmatched {
			places[m.r.node.Child(j).Key] = j
		}
	}
	for i := m.l.first; i < m.l.first+m.l.count; i++ {
		if m.toRight[i] != unmatched {
			continue
		}
		if to := e.aliases[m.l.node.Child(i).Key]; to != "" {
			if j, ok := places[to]; ok && m.areFree(i, j) {
				m.join(i, j, 0)
			}
		}
	}
}

// joinPartners joins elements that were recognised under other keys, and sends away those that belong elsewhere.
func (e *engine) joinPartners(m *matching) {
	if len(e.partner[0]) == 0 {
		return
	}
	places := make(map[*model.Node]int)
	for j := m.r.first; j < m.r.first+m.r.count; j++ {
		if m.toLeft[j] == unmatched && m.r.kept(j) {
			places[m.r.node.Child(j)] = j
		}
	}
	for i := m.l.first; i < m.l.first+m.l.count; i++ {
		if m.toRight[i] != unmatched || !m.l.kept(i) {
			continue
		}
		p := e.partner[0][m.l.node.Child(i)]
		if j, ok := places[p]; ok && p != nil {
			m.join(i, j, flagMoved|flagRenamed)
			delete(places, p)
		} else if p != nil {
			m.toRight[i] = matchedElsewhere
		}
	}
	for n, j := range places {
		if e.partner[1][n] != nil {
			m.toLeft[j] = matchedElsewhere
		}
	}
}

// unmatchedOnce returns the elements that nothing was joined to by their digests; -1 for a digest that several have.
func unmatchedOnce(digests []uint64, to []int32) map[uint64]int {
	found := make(map[uint64]int)
	for i, d := range digests {
		if to[i] != unmatched {
			continue
		}
		if _, twice := found[d]; twice {
			i = -1
		}
		found[d] = i
	}
	return found
}

// joinDistinct joins elements of other keys whose content is the same, if there is only one such on each side.
func (m *matching) joinDistinct(l, r items) {
	left, right := unmatchedOnce(l.digests, m.toRight[m.l.first:]), unmatchedOnce(r.digests, m.toLeft[m.r.first:])
	for d, i := range left {
		if j, ok := right[d]; ok && i >= 0 && j >= 0 {
			m.join(m.l.first+i, m.r.first+j, flagMoved|flagRenamed)
		}
	}
}

// trustSummaries marks what the digests say to be the same. Contents that are only recorded are read, unless they are
// too many.
func (e *engine) trustSummaries(m *matching, l, r items) error {
	read := e.strict
	recorded := m.l.sums.Recorded || m.r.sums.Recorded
	if recorded {
		switch e.opts.Contents {
		case Full:
			read = true
		case Automatic:
			read = read || l.bytes+r.bytes <= automaticMax
		}
	}
	spansL := spanReader{ctx: e.ctx, sums: m.l.sums, count: m.l.count}
	spansR := spanReader{ctx: e.ctx, sums: m.r.sums, count: m.r.count}
	for j := range m.r.count {
		at := m.r.first + j
		i := int(m.toLeft[at]) - m.l.first
		if m.toLeft[at] < 0 || l.digests[i] != r.digests[j] {
			continue
		}
		if read {
			if err := e.checkContext(); err != nil {
				return err
			}
			a, err := spansL.at(i)
			if err != nil {
				return err
			}
			b, err := spansR.at(j)
			if err != nil {
				return err
			}
			same, err := e.sameBytes(a, b)
			if err != nil {
				return err
			}
			if !same {
				continue
			}
		} else if recorded {
			e.byChecksum = true
		}
		m.state[at] = stateSame
	}
	return nil
}

// spanReader reads the spans of elements, mostly one after the other.
type spanReader struct {
	ctx   context.Context // of the comparison
	sums  *model.Summaries
	count int
	part  []model.Summary
	from  int
}

func (s *spanReader) at(i int) (model.Span, error) {
	if i < s.from || i >= s.from+len(s.part) {
		s.from = i
		if s.part == nil {
			s.part = make([]model.Summary, 0, 1024)
		}
		s.part = s.part[:min(1024, s.count-i)]
		if err := s.sums.Fill(s.ctx, i, s.part); err != nil {
			s.part = s.part[:0]
			return model.Span{}, err
		}
	}
	return s.part[i-s.from].Span, nil
}
