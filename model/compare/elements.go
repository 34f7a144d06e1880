package compare

import (
	"assay/model"
)

type elementKeys struct {
	keys    []uint64 // 0: no key
	digests []uint64 // 0: not computed
	bytes   int64    // of all elements
}

// matchElements joins elements by key, then by content, then by position between those.
func (e *engine) matchElements(m *matching) {
	if m.sides[0].count == 0 && m.sides[1].count == 0 {
		return
	}
	summarized := e.haveSummaries(m)
	list := e.listKeys
	if summarized {
		list = e.listSummaries
	}
	lists := [2]elementKeys{list(m.sides[0]), list(m.sides[1])}
	if e.err != nil {
		return
	}
	left, right := &m.sides[0], &m.sides[1]
	m.matchKeys(lists[0].keys, lists[1].keys)
	if !summarized {
		e.joinAliases(m)
		e.joinPartners(m)
	} else if left.summaries.Keyed && left.summaries.Distinct && right.summaries.Distinct {
		m.joinDistinct(lists)
	}
	e.joinRenamedElements(m)
	e.joinContents(m, lists)
	if summarized {
		e.trustSummaries(m, lists)
		return
	}
	for j := range right.count {
		if i := m.match[1][right.first+j]; i >= 0 && !e.strict {
			if d := lists[0].digests[int(i)-left.first]; d != 0 && d == lists[1].digests[j] {
				m.state[right.first+j] = stateSame
			}
		}
	}
}

// haveSummaries reports whether both lists offer comparable summaries: the elements are of one shape.
func (e *engine) haveSummaries(m *matching) bool {
	l, r := &m.sides[0], &m.sides[1]
	if l.summaries == nil || r.summaries == nil || l.summaries.Keyed != r.summaries.Keyed {
		return false
	}
	for _, side := range m.sides {
		if side.count > 0 && (side.node.Child(side.first).Key != "") != side.summaries.Keyed {
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

const summaryChunk = 4096

// eachSummary calls do for the summary of each element.
func (e *engine) eachSummary(sums *model.Summaries, count int, do func(i int, s *model.Summary)) {
	part := make([]model.Summary, min(summaryChunk, count))
	for first := 0; first < count; first += summaryChunk {
		p := part[:min(summaryChunk, count-first)]
		if e.fail(e.ctx.Err()) || e.fail(sums.Fill(e.ctx, first, p)) {
			return
		}
		for i := range p {
			do(first+i, &p[i])
		}
	}
}

func newElementKeys(n int) elementKeys {
	return elementKeys{keys: make([]uint64, n), digests: make([]uint64, n)}
}

func (e *engine) listSummaries(l childList) elementKeys {
	list := newElementKeys(l.count)
	e.eachSummary(l.summaries, l.count, func(i int, s *model.Summary) {
		if l.summaries.Keyed {
			list.keys[i] = nonZeroKey(s.Key)
		}
		list.digests[i] = s.Digest | 1<<63
		list.bytes += s.Span.Size
	})
	return list
}

// nonZeroKey turns a key into one that is not 0. Only two different keys become equal.
func nonZeroKey(key uint64) uint64 {
	if key == 0 {
		return 0x9e3779b97f4a7c15
	}
	return key
}

func (e *engine) listKeys(l childList) elementKeys {
	list := newElementKeys(l.count)
	element := l.elementReader()
	for i := 0; i < l.count && !e.isStopped(); i++ {
		if list.keys[i] = e.keyOf(element(i)); list.keys[i] == 0 {
			list.digests[i] = e.digest(l.node.Child(l.first+i), l.side) | 1<<63
		}
	}
	return list
}

// elementReader returns a func that returns element i with at least type and key. The node is valid until the next
// call.
func (l *childList) elementReader() func(i int) *model.Node {
	child := func(i int) *model.Node { return l.node.Child(l.first + i) }
	list, long := l.node.Children().(*model.Elements)
	if !long || list.Reader == nil || list.InMemory {
		return child
	}
	read := list.Reader()
	return func(i int) *model.Node {
		if i < list.Count {
			return read.NodeAlone(i)
		}
		return child(i)
	}
}

const maxLookAhead = 64

// matchKeys matches elements with equal keys: in one pass where the order of the lists agrees, then the rest by
// occurrence.
func (m *matching) matchKeys(l, r []uint64) {
	i, j := 0, 0
	var restL, restR []int
	for i < len(l) && j < len(r) {
		switch {
		case l[i] == 0 || !m.isElementFree(0, i):
			i++
		case r[j] == 0 || !m.isElementFree(1, j):
			j++
		case l[i] == r[j]:
			m.joinElements(i, j, 0)
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
	if len(restL) > 0 && len(restR) > 0 {
		m.matchByOccurrence(l, r, restL, restR)
	}
}

// matchByOccurrence matches the k-th elements with each key in the rest of both lists.
func (m *matching) matchByOccurrence(l, r []uint64, restL, restR []int) {
	const endOfList = -1
	heads := make(map[uint64]int32, len(restR)) // by key, the index in restR of the first unmatched element
	next := make([]int32, len(restR))           // the index of the next one with the same key, or endOfList
	for k := len(restR) - 1; k >= 0; k-- {
		key := r[restR[k]]
		if key == 0 {
			continue
		}
		next[k] = endOfList
		if h, ok := heads[key]; ok {
			next[k] = h
		}
		heads[key] = int32(k)
	}
	for _, i := range restL {
		k, ok := heads[l[i]]
		if !ok || k == endOfList || l[i] == 0 {
			continue
		}
		if m.isElementFree(0, i) && m.isElementFree(1, restR[k]) {
			m.joinElements(i, restR[k], 0)
		}
		heads[l[i]] = next[k]
	}
}

// resync returns how many elements to skip on each side to reach equal keys, or 1, 1 if they are beyond maxLookAhead.
func resync(l, r []uint64) (skipL, skipR int) {
	for d := 1; d <= maxLookAhead; d++ {
		if d < len(r) && r[d] == l[0] {
			return 0, d
		}
		if d < len(l) && l[d] == r[0] {
			return d, 0
		}
	}
	return 1, 1
}

// joinAliases joins elements that have different keys in two versions of the format.
func (e *engine) joinAliases(m *matching) {
	if len(e.aliases) == 0 {
		return
	}
	indexes := make(map[string]int)
	for j := range m.free(1) {
		indexes[m.child(1, j).Key] = j
	}
	for i := range m.free(0) {
		if to := e.aliases[m.child(0, i).Key]; to != "" {
			if j, ok := indexes[to]; ok && m.areChildrenFree(i, j) {
				m.join(i, j, 0)
			}
		}
	}
}

// joinPartners joins elements that were recognized under other keys, and marks elements with a counterpart elsewhere.
func (e *engine) joinPartners(m *matching) {
	if len(e.partners[0]) == 0 {
		return
	}
	indexes := make(map[*model.Node]int)
	for j := range m.free(1) {
		if m.sides[1].isStored(j) {
			indexes[m.child(1, j)] = j
		}
	}
	for i := range m.free(0) {
		if !m.sides[0].isStored(i) {
			continue
		}
		p := e.partners[0][m.child(0, i)]
		if j, ok := indexes[p]; ok && p != nil {
			m.join(i, j, flagMoved|flagRenamed)
			delete(indexes, p)
		} else if p != nil {
			m.match[0][i] = matchedElsewhere
		}
	}
	for n, j := range indexes {
		if e.partners[1][n] != nil {
			m.match[1][j] = matchedElsewhere
		}
	}
}

// joinDistinct matches elements with different keys and the same content, if that content occurs once on each side.
func (m *matching) joinDistinct(lists [2]elementKeys) {
	var indexes [2]map[uint64]int // the elements by their digests; -1 for a digest that several have
	for side := range lists {
		indexes[side] = make(map[uint64]int)
		for i, d := range lists[side].digests {
			if !m.isElementFree(side, i) {
				continue
			}
			if _, twice := indexes[side][d]; twice {
				i = -1
			}
			indexes[side][d] = i
		}
	}
	for d, i := range indexes[0] {
		if j, ok := indexes[1][d]; ok && i >= 0 && j >= 0 {
			m.joinElements(i, j, flagMoved|flagRenamed)
		}
	}
}

// trustSummaries marks elements with equal digests as the same. Contents with recorded digests are read, unless they
// are too many.
func (e *engine) trustSummaries(m *matching, lists [2]elementKeys) {
	l, r := &m.sides[0], &m.sides[1]
	recorded := l.summaries.Recorded || r.summaries.Recorded
	read := e.strict || recorded && (e.opts.Contents == Full ||
		e.opts.Contents == Automatic && lists[0].bytes+lists[1].bytes <= maxAutomatic)
	spansL := spanReader{e: e, sums: l.summaries, count: l.count}
	spansR := spanReader{e: e, sums: r.summaries, count: r.count}
	for j := range r.count {
		index := r.first + j
		i := int(m.match[1][index]) - l.first
		if m.match[1][index] < 0 || lists[0].digests[i] != lists[1].digests[j] {
			continue
		}
		if !read {
			e.byChecksum = e.byChecksum || recorded
		} else if e.isStopped() {
			return
		} else if !e.sameBytes(spansL.spanAt(i), spansR.spanAt(j)) {
			continue
		}
		m.state[index] = stateSame
	}
}

// spanReader reads the spans of elements, mostly one after the other.
type spanReader struct {
	e     *engine
	sums  *model.Summaries
	count int
	part  []model.Summary
	from  int
}

func (s *spanReader) spanAt(i int) model.Span {
	if i < s.from || i >= s.from+len(s.part) {
		s.from = i
		if s.part == nil {
			s.part = make([]model.Summary, 0, 1024)
		}
		s.part = s.part[:min(1024, s.count-i)]
		if s.e.fail(s.sums.Fill(s.e.ctx, i, s.part)) {
			return model.Span{}
		}
	}
	return s.part[i-s.from].Span
}
