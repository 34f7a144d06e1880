package decode

import "assay/model"

// recorder builds the nodes of a recording cursor.
type recorder struct {
	openStruct               // the innermost open struct
	outer      []openStruct  // those around it
	last       *model.Node   // the last recorded node
	children   []*model.Node // of all open structs, the innermost's at the end
	arena      arena

	isElement bool // the outermost struct is an element of a list
}

// openStruct is an open struct, whose nodes are being recorded.
type openStruct struct {
	node *model.Node
	from int       // where its own begin in children
	lazy *lazyList // its elements that are decoded on demand
}

// newRecorder returns a recorder with the outermost struct open, and initial space for nodes.
func newRecorder(typ string, span model.Span, nodes int) *recorder {
	r := &recorder{arena: arena{nodes: make([]model.Node, nodes)}}
	r.restart(typ, span)
	return r
}

// record adds a node at an offset to the open struct. A name may come from the file; a path must be text.
func (r *recorder) record(name, typ string, span model.Span) *model.Node {
	n := r.arena.newNode()
	n.Name, n.Type, n.Span = ValidUTF8(name), typ, span
	r.children = append(r.children, n)
	r.last = n
	return n
}

// open begins a struct at an offset.
func (r *recorder) open(name, typ string, off int64) {
	n := r.record(name, typ, model.Span{Offset: off})
	r.outer = append(r.outer, r.openStruct)
	r.openStruct, r.last = openStruct{node: n, from: len(r.children)}, nil
}

// close ends the innermost open struct at an offset and returns it.
func (r *recorder) close(off int64) *model.Node {
	n := r.node
	r.setChildren(n)
	n.Size = off - n.Offset
	r.children = r.children[:r.from]
	r.openStruct, r.outer = r.outer[len(r.outer)-1], r.outer[:len(r.outer)-1]
	r.last = n
	return n
}

// setChildren sets the children of n, the innermost open struct, to the nodes recorded in it.
func (r *recorder) setChildren(n *model.Node) {
	if r.lazy != nil {
		n.SetChildren(r.lazy.children(n, r.children[r.from:]))
		return
	}
	if len(r.children) > r.from {
		l := r.arena.newList(len(r.children) - r.from)
		copy(l, r.children[r.from:])
		n.SetChildren(l)
	}
}

// restart opens another outermost struct, and reuses the nodes of the last one.
func (r *recorder) restart(typ string, span model.Span) {
	r.arena.reset()
	r.openStruct, r.outer, r.last, r.children = openStruct{node: r.arena.newNode()}, r.outer[:0], nil, r.children[:0]
	r.node.Type, r.node.Span = typ, span
}

// Node returns the node of the open struct, or nil if the struct has no node: a decoder then skips the work that only
// the key needs. A quiet cursor returns a node for an element that a list displays as a line without its fields.
func (c *Cursor) Node() *model.Node {
	switch {
	case c.rec != nil:
		return c.rec.node
	case c.depth == 1:
		return c.line
	}
	return nil
}

// Last returns the last recorded node, or the open struct before the first. It is nil after an error and unless the
// cursor records.
func (c *Cursor) Last() *model.Node {
	if c.rec == nil || c.err != nil {
		return nil
	}
	if c.rec.last == nil {
		return c.rec.node
	}
	return c.rec.last
}

// lastField returns the node of the last field, or nil after an error and unless the cursor records.
func (c *Cursor) lastField() *model.Node {
	if c.rec == nil || c.err != nil {
		return nil
	}
	return c.rec.last
}

// field records the next size bytes as a leaf with value v and moves past them. The cursor must record.
func (c *Cursor) field(name, typ string, size int64, v any) *model.Node {
	n := c.rec.record(name, typ, model.Span{Offset: c.Pos(), Size: size})
	n.Value = v
	c.skip(size)
	return n
}

// Add adds a node created elsewhere to the open struct, and moves past it.
func (c *Cursor) Add(n *model.Node) {
	if c.rec == nil || c.err != nil {
		return
	}
	c.rec.children = append(c.rec.children, n)
	c.rec.last = n
	if n.End() > c.Pos() && n.End() <= c.end {
		c.seek(n.End())
	}
}

// As sets the type of the field that was just read.
func (c *Cursor) As(typ string) {
	if n := c.lastField(); n != nil {
		n.Type = typ
	}
}

// Type sets the type of the open struct.
func (c *Cursor) Type(typ string) {
	if n := c.Node(); n != nil && c.err == nil {
		n.Type = typ
	}
}

// Symbol names the value of the field that was just read.
func (c *Cursor) Symbol(s string) {
	if n := c.lastField(); n != nil {
		n.Symbols = model.Symbol(s)
	}
}

// Role sets the role that the value of the last field has in the file.
func (c *Cursor) Role(r model.Role) {
	if n := c.lastField(); n != nil {
		n.Role = r
	}
}

// CopyValueUp sets the value of the open struct to the value of the last field, which remains its child.
func (c *Cursor) CopyValueUp() {
	c.noteValue()
	if leaf := c.lastField(); leaf != nil {
		n := c.rec.node
		n.Value, n.Symbols = leaf.Value, leaf.Symbols
		n.SetRaw(leaf.Raw())
	}
}

// CollapseStruct turns the open struct into a leaf with the value, symbol, link, role and problems of the field that
// was just read: for elements of a list that are plain values.
func (c *Cursor) CollapseStruct() {
	c.noteValue()
	leaf := c.lastField()
	if leaf == nil {
		return
	}
	n := c.rec.node
	n.Value, n.Symbols, n.Link, n.Role, n.Bits = leaf.Value, leaf.Symbols, leaf.Link, leaf.Role, leaf.Bits
	n.SetRaw(leaf.Raw())
	n.AddProblems(leaf.Problems()...)
	c.rec.children, c.rec.last = c.rec.children[:c.rec.from], nil
}

// noteValue keeps a quiet cursor that reads a line from being Clean: only a recorded node has the value of a line, so
// listReader.NodeAlone must decode the node.
func (c *Cursor) noteValue() {
	if c.line != nil && c.depth == 1 {
		c.raise(Sound)
	}
}

// Key sets the key of the open struct, which identifies it among its siblings.
func (c *Cursor) Key(key string) {
	if n := c.Node(); n != nil && c.err == nil {
		n.Key = key
	}
}

// arena allocates nodes and lists of children, many at a time. Without it the dump of a million small elements takes
// 1.4 times as long (whole processes, seconds of CPU).
type arena struct {
	nodes              []model.Node
	lists              []*model.Node
	nextNode, nextList int // where the unused ones of these blocks begin
	used               int // nodes that were handed out
	maxBlock           int // how large a block may become; 0: maxArena
}

// Blocks grow from arenaFirst to maxArena nodes, to arenaReused where reset takes them back again and again.
const (
	arenaFirst  = 8
	maxArena    = 64
	arenaReused = 1 << 14
)

// blockSize returns the size of the block after one of n.
func (a *arena) blockSize(n int) int { return min(max(arenaFirst, 2*n), max(a.maxBlock, maxArena)) }

func (a *arena) newNode() *model.Node {
	a.used++
	if a.nextNode == len(a.nodes) {
		a.nodes, a.nextNode = make([]model.Node, a.blockSize(len(a.nodes))), 0
	}
	n := &a.nodes[a.nextNode]
	a.nextNode++
	return n
}

func (a *arena) newList(n int) model.List {
	if n > len(a.lists)-a.nextList {
		a.lists, a.nextList = make([]*model.Node, max(n, a.blockSize(len(a.lists)))), 0
	}
	l := a.lists[a.nextList : a.nextList+n : a.nextList+n]
	a.nextList += n
	return l
}

// reset takes back all nodes and lists of the present blocks.
func (a *arena) reset() {
	a.used = 0
	clear(a.nodes[:a.nextNode])
	a.nextNode, a.nextList = 0, 0
}
