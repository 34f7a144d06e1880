package decode

import (
	"errors"
	"sync"

	"assay/model"
)

// sparseFrom is how many nodes a cursor records before it leaves out the leaves of sparse structs. Structs that nest
// have fewer in real files.
const sparseFrom = 1 << 14

// EnterSparse is Enter for a struct in a sparse one, which LeaveSparse must close: the leaves before the new struct
// need not be kept. It is for structs of which a file may have a million inside of each other.
func (c *Cursor) EnterSparse(name, typ string) bool {
	if c.err == nil && c.rec != nil && c.depth < MaxDepth && c.rec.room.made >= sparseFrom {
		c.rec.leaveOut()
	}
	return c.Enter(name, typ)
}

// LeaveSparse is Leave for a struct of which the leaves before and after other structs need not be kept. When they are
// looked at, again reads all fields as they were read before, and calls Kept in the place of those structs.
func (c *Cursor) LeaveSparse(again func(e *Cursor)) {
	if c.rec == nil {
		c.depth--
		return
	}
	if c.rec.long != nil || c.rec.made != nil {
		panic("decode: a sparse struct with elements of another kind")
	}
	first, kids := c.rec.left, c.rec.kids[c.rec.from:]
	last := len(kids)
	if c.err == nil && c.rec.room.made >= sparseFrom {
		last = plainFrom(kids)
	}
	if first == 0 && last == len(kids) {
		c.leave()
		return
	}
	if c.sparses == nil {
		c.sparses = &sparses{look: c.Quiet(model.Span{})}
	}
	s := &sparse{all: c.sparses, count: first + len(kids), first: first, again: again}
	c.rec.drop(last)
	n := c.leave()
	if l, ok := n.Children().(model.List); ok {
		s.kept = l
		for i, k := range l {
			k.Index = first + i
		}
	}
	s.owner = n
	n.SetChildren(s)
}

// Kept goes past the structs in a sparse one whose fields are read again.
func (c *Cursor) Kept() {
	s := c.again
	if s == nil || c.err != nil || len(s.kept) == 0 {
		return
	}
	c.rec.kids = c.rec.kids[:min(s.first, len(c.rec.kids))]
	if s.first+len(s.kept) == s.count {
		c.stop(errRead)
	} else {
		c.seek(s.kept[len(s.kept)-1].End())
	}
}

// errRead stops a cursor that has read again what it was to read.
var errRead = errors.New("the rest is kept")

// plainFrom returns where the leaves after the last struct begin; the end if one of them has a problem.
func plainFrom(kids []*model.Node) int {
	for i := len(kids); i > 0; i-- {
		switch n := kids[i-1]; {
		case !n.Leaf():
			return i
		case !plainLeaf(n):
			return len(kids)
		}
	}
	return 0
}

// plainLeaf reports whether a node can be made again: it is a leaf without a problem.
func plainLeaf(n *model.Node) bool { return n.Leaf() && len(n.Problems()) == 0 }

// sparse is the children of a struct: leaves that are not kept, nodes that are, and leaves again.
type sparse struct {
	all   *sparses
	owner *model.Node
	kept  model.List
	first int // how many leaves come before what is kept
	count int
	again func(e *Cursor)
}

// sparses reads the leaves of sparse structs, and holds those that were looked at last.
type sparses struct {
	mu     sync.Mutex
	look   *Cursor
	last   *sparse
	leaves model.List
}

// Len is the number of fields.
func (s *sparse) Len() int { return s.count }

// Held returns the fields that are kept.
func (s *sparse) Held() model.List { return s.kept }

// At returns the i-th field.
func (s *sparse) At(i int) *model.Node {
	switch k := i - s.first; {
	case k < 0:
		return s.all.of(s)[i]
	case k < len(s.kept):
		return s.kept[k]
	}
	return s.all.of(s)[i-len(s.kept)]
}

// Find returns the field that may hold the byte at off.
func (s *sparse) Find(off int64) (from, to int) {
	if k := len(s.kept); k > 0 && off >= s.kept[0].Offset && off < s.kept[k-1].End() {
		return s.first, s.first + k
	}
	return s.search(func(n *model.Node) bool { return n.Contains(off) })
}

// Named returns the position of a field.
func (s *sparse) Named(name string) int {
	from, to := s.search(func(n *model.Node) bool { return n.Name == name })
	if from == to {
		return -1
	}
	return from
}

// search returns the first field that is looked for: those that are kept are looked at first.
func (s *sparse) search(found func(n *model.Node) bool) (from, to int) {
	for i, n := range s.kept {
		if found(n) {
			return s.first + i, s.first + i + 1
		}
	}
	for _, n := range s.all.of(s) {
		if found(n) {
			return n.Index, n.Index + 1
		}
	}
	return 0, 0
}

// of returns the leaves of a struct that are not kept.
func (a *sparses) of(s *sparse) model.List {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last != s {
		a.last, a.leaves = s, a.read(s)
	}
	return a.leaves
}

// read reads the fields of a struct again.
func (a *sparses) read(s *sparse) model.List {
	e := a.look
	e.Reset(s.owner.Span)
	e.rec, e.once, e.again = newRecorder(s.owner.Type, s.owner.Span, s.count-len(s.kept)+1), true, s
	s.again(e)
	leaves := e.rec.kids
	e.rec, e.again = nil, nil
	for len(leaves) < s.count-len(s.kept) { // the file has changed
		leaves = append(leaves, &model.Node{Span: model.Span{Offset: s.owner.Offset}})
	}
	leaves = leaves[:s.count-len(s.kept)]
	for i, n := range leaves {
		n.Parent, n.Index = s.owner, i
		if i >= s.first {
			n.Index = i + len(s.kept)
		}
	}
	return leaves
}
