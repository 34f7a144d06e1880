package compare

import (
	"io"
	"maps"
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare/align"
)

const (
	maxSimilar      = 512      // items of a type without counterpart that are compared on each side
	maxSimilarList  = 1 << 14  // elements of a list in which such items are searched
	maxSimilarBytes = 1 << 20  // bytes of an item that are read
	maxSimilarTotal = 64 << 20 // and of all items of a side
)

// candidate is an item without counterpart, with its features.
type candidate struct {
	node     *model.Node
	features []uint64 // sorted, each once
	links    []string // keys of the nodes that it refers to, by the names of the right side
}

const (
	maxLinks   = 64 // references of an item that are followed
	linkNodes  = 512
	linkDepth  = 6
	linkWeight = 0.5 // weight of a reference to an item that has no other references
)

// links returns the keys that a node refers to.
func (e *engine) links(n *model.Node, side int) []string {
	var out []string
	remaining := linkNodes
	var walk func(n *model.Node, depth int)
	walk = func(n *model.Node, depth int) {
		children := childrenInMemory(n)
		if _, long := n.Children().(*model.Elements); !long {
			children = nil
			for i := range min(n.Len(), linkNodes) {
				children = append(children, n.Child(i))
			}
		}
		for _, c := range children {
			if remaining--; remaining < 0 || len(out) >= maxLinks || depth > linkDepth {
				return
			}
			if c.Link != nil && c.Link.Key != "" {
				key := c.Link.Key
				if to, ok := e.renames[key]; ok && side == 0 {
					key = to
				}
				out = append(out, key)
			}
			walk(c, depth+1)
		}
	}
	walk(n, 0)
	return out
}

// planSimilar pairs items with keys of one file only and similar contents: they were renamed and edited. Features that
// many items share do not count; the most similar items are paired.
func (e *engine) planSimilar(cats [2]catalog) {
	var unmatched [2]map[string][]*model.Node
	for side := range 2 {
		unmatched[side] = make(map[string][]*model.Node)
		for _, n := range cats[side].order {
			_, both := cats[1-side].nodes[identity{n.Type, n.Key}]
			if !both && e.partners[side][n] == nil && e.mayBeRenamed(n, side) {
				unmatched[side][n.Type] = append(unmatched[side][n.Type], n)
			}
		}
	}
	for _, typ := range slices.Sorted(maps.Keys(unmatched[0])) {
		for _, m := range e.similarPairs([2][]*model.Node{unmatched[0][typ], unmatched[1][typ]}) {
			e.join(m.left, m.right)
			e.renameSimilar(m)
		}
	}
	e.planSimilarElements(e.docs[0].Root(), e.docs[1].Root(), 0)
}

func (e *engine) rename(l, r *model.Node) {
	if _, ok := e.renames[l.Key]; !ok {
		e.renames[l.Key] = r.Key
		e.renamedLate = e.renamedLate || e.planned
	}
}

// renameSimilar records that an item has another key and, unless only the case of the key changed, the share of its
// content that it kept.
func (e *engine) renameSimilar(m similarPair) {
	e.rename(m.left, m.right)
	if !strings.EqualFold(m.left.Key, m.right.Key) {
		e.similar[m.left.Key+"\x00"+m.right.Key] = m.share
	}
}

// Similarity returns the share of its content that a renamed item kept, or 0 if the content is the same, or the item is
// not renamed, or only in case.
func (p *Pair) Similarity() float64 {
	if p.Status == Moved || p.Old == nil || p.New == nil {
		return 0
	}
	l, r := p.c.engine.sides(p.Old, p.New)
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	return p.c.engine.similar[l.Key+"\x00"+r.Key]
}

// isItem reports whether a node is an item that its content distinguishes from others.
func (e *engine) isItem(n *model.Node, side int) bool {
	item := e.docs[side].Item
	if item == nil {
		return false
	}
	t, ok := item(n)
	return ok && !t.Uniform
}

// mayBeRenamed reports whether an item may have another key in the other document.
func (e *engine) mayBeRenamed(n *model.Node, side int) bool {
	if n.Size < minContent || !e.isItem(n, side) {
		return false
	}
	if find := e.docs[1-side].FindKey; find != nil && n.Key != "" {
		if _, ok := find(n.Key); ok { // it has only another parent
			return false
		}
	}
	return true
}

// planSimilarElements records similar elements of long lists, which are not in memory, as renamed.
func (e *engine) planSimilarElements(l, r *model.Node, depth int) {
	_, okL := l.Children().(*model.Elements)
	_, okR := r.Children().(*model.Elements)
	if okL && okR {
		e.recordSimilarElements([2]childList{childrenOf(l, 0), childrenOf(r, 1)})
		return
	}
	if depth == aliasDepth {
		return
	}
	for _, c := range childrenInMemory(l) {
		if other := r.ChildNamed(c.Name); other != nil && !c.Leaf() && !other.Leaf() {
			e.planSimilarElements(c, other, depth+1)
		}
	}
}

// recordSimilarElements records the keys of similar elements of two lists as renamed, unless the lists are too long.
func (e *engine) recordSimilarElements(sides [2]childList) {
	for _, l := range sides {
		if list := l.node.Children().(*model.Elements); l.count == 0 || list.Count > maxSimilarList {
			return
		}
	}
	if !e.isItem(sides[0].node.Child(sides[0].first), 0) {
		return
	}
	var keys [2]map[string]bool
	for side, l := range sides {
		keys[side] = make(map[string]bool, l.count)
		for i := 0; i < l.count && !e.isStopped(); i++ {
			keys[side][l.node.Child(l.first+i).Key] = true
		}
	}
	if e.err != nil {
		return
	}
	var unmatched [2][]*model.Node
	for side, l := range sides {
		for i := range l.count {
			n := l.node.Child(l.first + i)
			if n.Key != "" && !keys[1-side][n.Key] && len(unmatched[side]) <= maxSimilar && e.mayBeRenamed(n, side) {
				unmatched[side] = append(unmatched[side], n)
			}
		}
	}
	for _, m := range e.similarPairs(unmatched) {
		e.renameSimilar(m)
	}
}

func (e *engine) similarPairs(nodes [2][]*model.Node) []similarPair {
	if min(len(nodes[0]), len(nodes[1])) == 0 || max(len(nodes[0]), len(nodes[1])) > maxSimilar {
		return nil
	}
	var sides [2][]candidate
	for side := range nodes {
		for _, n := range nodes[side] {
			size := min(n.Size, maxSimilarBytes)
			if e.similarBudget[side] -= size; e.similarBudget[side] < 0 || e.isStopped() {
				return nil
			}
			b := e.expandedHead(n, side)
			if b == nil {
				b = e.read(e.windows[side], model.Span{Offset: n.Offset, Size: size})
			}
			sides[side] = append(sides[side], candidate{n, align.Features(b), e.links(n, side)})
		}
	}
	if e.err != nil {
		return nil
	}
	return mostSimilar(sides[0], sides[1])
}

// expandedHead returns the first bytes of the content of an asset that is stored compressed, as compressed bytes cannot
// be compared for similarity. It returns nil for other nodes and if reading fails.
func (e *engine) expandedHead(n *model.Node, side int) []byte {
	payloads := e.docs[side].Payloads
	if payloads == nil || n.Key == "" {
		return nil
	}
	if e.assets[side] == nil {
		e.assets[side] = make(map[string]int)
		for i := range min(payloads.Len(), maxSimilarList) {
			if p := payloads.At(i); p != nil && p.Codec != "" && p.Problem == "" && p.Open != nil {
				e.assets[side][p.Key] = i
			}
		}
	}
	i, ok := e.assets[side][n.Key]
	if !ok {
		return nil
	}
	r, err := payloads.At(i).Open(e.ctx)
	if err != nil {
		return nil
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, maxSimilarBytes))
	if err != nil {
		return nil
	}
	return b
}

// joinRenamedElements joins elements if their keys were found to name one item, and similar elements.
func (e *engine) joinRenamedElements(m *matching) {
	if len(e.renames) > 0 {
		e.joinRenamedKeys(m)
	}
	var unmatched [2][]*model.Node
	for side := range unmatched {
		for i := range m.free(side) {
			n := m.child(side, i)
			if n.Key == "" || !e.isItem(n, side) {
				return
			}
			if !e.mayBeRenamed(n, side) {
				continue
			}
			if unmatched[side] = append(unmatched[side], n); len(unmatched[side]) > maxSimilar {
				return
			}
		}
		if len(unmatched[side]) == 0 {
			return
		}
	}
	for _, p := range e.similarPairs(unmatched) {
		m.join(p.left.Index, p.right.Index, flagMoved|flagRenamed)
		e.renameSimilar(p)
	}
}

func (e *engine) joinRenamedKeys(m *matching) {
	indexes := make(map[string]int)
	for j := range m.free(1) {
		key := m.child(1, j).Key
		if key == "" { // a list of vertices or the like: nothing of it has a name
			return
		}
		if indexes[key] = j; len(indexes) > maxSimilar {
			break
		}
	}
	examined := 0
	for i := range m.free(0) {
		if to, ok := e.renames[m.child(0, i).Key]; ok {
			if j, ok := indexes[to]; ok && m.areChildrenFree(i, j) {
				m.join(i, j, flagMoved|flagRenamed)
			}
		}
		if examined++; examined > maxSimilar {
			break
		}
	}
}

// similarPair is two similar items, with the share of their content that both have.
type similarPair struct {
	left, right *model.Node
	share       float64
}

// mostSimilar returns pairs of similar candidates, each candidate in one pair at most, the most similar first. Items
// with the same title, or with keys that differ only in case, count as similar.
func mostSimilar(ls, rs []candidate) (pairs []similarPair) {
	distinctive := align.Distinctive(featuresOfAll(ls), featuresOfAll(rs))
	linked := [2]map[string]int{linkCounts(ls), linkCounts(rs)}
	var found []align.Match
	for i, l := range ls {
		for j, r := range rs {
			share := align.Share(l.features, r.features, distinctive)
			title := ownTitle(l.node)
			if title != "" && title == ownTitle(r.node) || strings.EqualFold(l.node.Key, r.node.Key) {
				share++
			}
			if slices.ContainsFunc(l.links, func(key string) bool {
				return linked[0][key] == 1 && linked[1][key] == 1 && slices.Contains(r.links, key)
			}) {
				share += linkWeight
			}
			if share >= align.MinShare {
				found = append(found, align.Match{Old: i, New: j, Share: share})
			}
		}
	}
	for _, m := range align.BestMatches(found) {
		l, r := ls[m.Old], rs[m.New]
		pairs = append(pairs, similarPair{l.node, r.node, align.Similarity(l.features, r.features)})
	}
	return pairs
}

func featuresOfAll(candidates []candidate) [][]uint64 {
	out := make([][]uint64, len(candidates))
	for i, c := range candidates {
		out[i] = c.features
	}
	return out
}

// linkCounts returns the number of items that refer to each key.
func linkCounts(candidates []candidate) map[string]int {
	n := make(map[string]int)
	for _, c := range candidates {
		for i, key := range c.links {
			if !slices.Contains(c.links[:i], key) {
				n[key]++
			}
		}
	}
	return n
}

// ownTitle returns the title of a node, or "" if it is the key.
func ownTitle(n *model.Node) string {
	if called := n.DisplayName(); called != n.Key {
		return called
	}
	return ""
}
