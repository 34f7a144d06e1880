package compare

import (
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare/similar"
)

const (
	alikeMost     = 512      // things of a type without a partner that are looked at on each side
	alikeListMost = 1 << 14  // elements of a list in which such things are looked for
	alikeBytes    = 1 << 20  // bytes of a thing that are looked at
	alikeTotal    = 64 << 20 // and of all things of a side
)

// candidate is a thing without a partner, with what it is made of.
type candidate struct {
	node     *model.Node
	features []uint64 // sorted, each once
	links    []string // keys of what it refers to, by the names of the right side
}

const (
	linksMost  = 64 // references of a thing that are looked at
	linkNodes  = 512
	linkDepth  = 6
	linkWeight = 0.5 // what a reference to one thing, which nothing else refers to, counts
)

// links are the keys that a thing refers to.
func (e *engine) links(n *model.Node, side int) []string {
	var out []string
	left := linkNodes
	var walk func(n *model.Node, depth int)
	walk = func(n *model.Node, depth int) {
		near := inMemory(n)
		if _, long := n.Children().(*model.Elements); !long {
			near = nil
			for i := range min(n.Len(), linkNodes) {
				near = append(near, n.Child(i))
			}
		}
		for _, c := range near {
			if left--; left < 0 || len(out) >= linksMost || depth > linkDepth {
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

// planSimilar finds things whose keys only one file has and whose contents are much alike: they were renamed and
// edited. What many of them have in common says nothing; of several that are alike, those most alike belong together.
func (e *engine) planSimilar(cats [2]catalogue) error {
	var lone [2]map[string][]*model.Node
	for side := range 2 {
		lone[side] = make(map[string][]*model.Node)
		for _, n := range cats[side].order {
			_, both := cats[1-side].nodes[identity{n.Type, n.Key}]
			if !both && e.partner[side][n] == nil && e.mayBeRenamed(n, side) {
				lone[side][n.Type] = append(lone[side][n.Type], n)
			}
		}
	}
	for _, typ := range typesOf(lone[0]) {
		found, err := e.similarPairs([2][]*model.Node{lone[0][typ], lone[1][typ]})
		if err != nil {
			return err
		}
		for _, m := range found {
			e.join(m.left, m.right)
			e.renameAlike(m)
		}
	}
	return e.planSimilarElements(e.left.Root(), e.right.Root(), 0)
}

func (e *engine) rename(l, r *model.Node) {
	if _, ok := e.renames[l.Key]; !ok {
		e.renames[l.Key] = r.Key
		e.renamedLate = e.renamedLate || e.planned
	}
}

// renameAlike notes that a thing has another key and, unless the keys are one but for the case, how much of its content
// stayed.
func (e *engine) renameAlike(m alikePair) {
	e.rename(m.left, m.right)
	if !strings.EqualFold(m.left.Key, m.right.Key) {
		e.alike[m.left.Key+"\x00"+m.right.Key] = m.share
	}
}

// Alike returns the share of the content that a renamed thing kept; 0 if all of it stayed, if only the case of its name
// is another one, or if it was not renamed.
func (c *Comparison) Alike(old, new *model.Node) float64 {
	l, r := c.engine.sides(old, new)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.engine.alike[l.Key+"\x00"+r.Key]
}

// isThing reports whether a node is a thing that its content can tell from others.
func (e *engine) isThing(n *model.Node, side int) bool {
	thing := e.doc(side).Thing
	if thing == nil {
		return false
	}
	t, is := thing(n)
	return is && !t.Uniform
}

// mayBeRenamed reports whether a thing may have another key in the other document.
func (e *engine) mayBeRenamed(n *model.Node, side int) bool {
	if n.Size < contentLeast || n.Leaf() || !e.isThing(n, side) {
		return false
	}
	if find := e.doc(1 - side).FindKey; find != nil && n.Key != "" {
		if _, there := find(n.Key); there { // it only has another place
			return false
		}
	}
	return true
}

func typesOf(lone map[string][]*model.Node) []string {
	var types []string
	for t := range lone {
		types = append(types, t)
	}
	slices.Sort(types)
	return types
}

// planSimilarElements does the same for elements of long lists, which are not in memory.
func (e *engine) planSimilarElements(l, r *model.Node, depth int) error {
	listL, okL := l.Children().(*model.Elements)
	listR, okR := r.Children().(*model.Elements)
	if okL && okR {
		return e.joinSimilarElements(familyOf(l, 0), familyOf(r, 1), listL, listR)
	}
	if depth == aliasDepth {
		return nil
	}
	for _, c := range inMemory(l) {
		other := r.Named(c.Name)
		if other == nil || c.Leaf() || other.Leaf() {
			continue
		}
		if err := e.planSimilarElements(c, other, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (e *engine) joinSimilarElements(l, r family, listL, listR *model.Elements) error {
	if l.count == 0 || r.count == 0 || listL.Count > alikeListMost || listR.Count > alikeListMost ||
		!e.isThing(l.node.Child(l.first), 0) {
		return nil
	}
	var keys [2]map[string]bool
	for side, f := range []family{l, r} {
		keys[side] = make(map[string]bool, f.count)
		for i := range f.count {
			if err := e.checkContext(); err != nil {
				return err
			}
			keys[side][f.node.Child(f.first+i).Key] = true
		}
	}
	var lone [2][]*model.Node
	for side, f := range []family{l, r} {
		for i := range f.count {
			n := f.node.Child(f.first + i)
			if n.Key != "" && !keys[1-side][n.Key] && len(lone[side]) <= alikeMost && e.mayBeRenamed(n, side) {
				lone[side] = append(lone[side], n)
			}
		}
	}
	found, err := e.similarPairs(lone)
	for _, m := range found {
		e.renameAlike(m)
	}
	return err
}

// similarPairs finds the pairs of things that are alike.
func (e *engine) similarPairs(nodes [2][]*model.Node) ([]alikePair, error) {
	if min(len(nodes[0]), len(nodes[1])) == 0 || max(len(nodes[0]), len(nodes[1])) > alikeMost {
		return nil, nil
	}
	var sides [2][]candidate
	for side := range nodes {
		for _, n := range nodes[side] {
			if err := e.checkContext(); err != nil {
				return nil, err
			}
			size := min(n.Size, alikeBytes)
			if e.alikeLeft[side] -= size; e.alikeLeft[side] < 0 {
				return nil, nil
			}
			f, err := e.features(side, model.Span{Offset: n.Offset, Size: size})
			if err != nil {
				return nil, err
			}
			sides[side] = append(sides[side], candidate{n, f, e.links(n, side)})
		}
	}
	return joinSimilar(sides[0], sides[1]), nil
}

// joinElementsRenamed joins elements whose keys were found to be names of one thing, and those that are alike.
func (e *engine) joinElementsRenamed(m *matching) error {
	if len(e.renames) > 0 {
		e.joinElementsByNames(m)
	}
	var lone [2][]*model.Node
	for side, f := range [2]family{m.l, m.r} {
		to := [2][]int32{m.toRight, m.toLeft}[side]
		for i := f.first; i < f.first+f.count; i++ {
			if to[i] != unmatched {
				continue
			}
			n := f.node.Child(i)
			if n.Key == "" || !e.isThing(n, side) {
				return nil
			}
			if !e.mayBeRenamed(n, side) {
				continue
			}
			if lone[side] = append(lone[side], n); len(lone[side]) > alikeMost {
				return nil
			}
		}
		if len(lone[side]) == 0 {
			return nil
		}
	}
	found, err := e.similarPairs(lone)
	for _, p := range found {
		m.join(p.left.Index, p.right.Index, flagMoved|flagRenamed)
		e.renameAlike(p)
	}
	return err
}

func (e *engine) joinElementsByNames(m *matching) {
	places := make(map[string]int)
	for j := m.r.first; j < m.r.first+m.r.count && len(places) <= alikeMost; j++ {
		if m.toLeft[j] != unmatched {
			continue
		}
		key := m.r.node.Child(j).Key
		if key == "" { // a list of vertices or the like: nothing of it has a name
			return
		}
		places[key] = j
	}
	looked := 0
	for i := m.l.first; i < m.l.first+m.l.count && looked <= alikeMost; i++ {
		if m.toRight[i] != unmatched {
			continue
		}
		looked++
		if to, ok := e.renames[m.l.node.Child(i).Key]; ok {
			if j, ok := places[to]; ok && m.areFree(i, j) {
				m.join(i, j, flagMoved|flagRenamed)
			}
		}
	}
}

// features are hashes of short windows of the bytes, of which an insertion changes only those around it.
func (e *engine) features(side int, s model.Span) ([]uint64, error) {
	b, err := e.windows[side].bytes(s)
	if err != nil {
		return nil, err
	}
	return similar.Features(b), nil
}

// alikePair is two things that are alike, with the share of their content that is in both.
type alikePair struct {
	left, right *model.Node
	share       float64
}

// joinSimilar pairs the most alike of two sides first. Things of one name, but for its case, are alike at once.
func joinSimilar(ls, rs []candidate) (pairs []alikePair) {
	distinctive := similar.Distinctive(featuresOfAll(ls), featuresOfAll(rs))
	linked := [2]map[string]int{linkCounts(ls), linkCounts(rs)}
	var found []similar.Match
	for i, l := range ls {
		for j, r := range rs {
			share := similar.Share(l.features, r.features, distinctive)
			called := ownTitle(l.node)
			if called != "" && called == ownTitle(r.node) || strings.EqualFold(l.node.Key, r.node.Key) {
				share++
			}
			if slices.ContainsFunc(l.links, func(key string) bool {
				return linked[0][key] == 1 && linked[1][key] == 1 && slices.Contains(r.links, key)
			}) {
				share += linkWeight
			}
			if share >= similar.Least {
				found = append(found, similar.Match{Old: i, New: j, Share: share})
			}
		}
	}
	for _, m := range similar.Best(found) {
		l, r := ls[m.Old], rs[m.New]
		pairs = append(pairs, alikePair{l.node, r.node, similar.Kept(l.features, r.features)})
	}
	return pairs
}

func featuresOfAll(all []candidate) [][]uint64 {
	out := make([][]uint64, len(all))
	for i, c := range all {
		out[i] = c.features
	}
	return out
}

// linkCounts is how many things refer to a key.
func linkCounts(all []candidate) map[string]int {
	n := make(map[string]int)
	for _, c := range all {
		for i, key := range c.links {
			if !slices.Contains(c.links[:i], key) {
				n[key]++
			}
		}
	}
	return n
}

// ownTitle returns what a thing is called besides its key.
func ownTitle(n *model.Node) string {
	if called := n.CallName(); called != n.Key {
		return called
	}
	return ""
}
