package decode

import (
	"strings"

	"assay/model"
)

// recorder builds the nodes of what a cursor reads.
type recorder struct {
	level               // the innermost open struct
	outer []level       // those around it
	last  *model.Node   // what was recorded last
	kids  []*model.Node // children of all open structs, the innermost's at the end
	room  room

	element bool // the outermost struct is an element of a list
}

// level is an open struct.
type level struct {
	node *model.Node
	from int   // where its children begin in kids
	long *long // its elements that are decoded when they are looked at
}

// newRecorder has room for so many nodes to begin with.
func newRecorder(typ string, span model.Span, nodes int) *recorder {
	r := &recorder{room: room{nodes: make([]model.Node, nodes)}}
	r.restart(typ, span)
	return r
}

// room is where nodes and lists of children come from: a few allocations for many of them.
type room struct {
	nodes      []model.Node
	lists      []*model.Node
	node, list int // how much of the present blocks is handed out
	made       int // nodes that were handed out
	most       int // how large a block may become
}

// Blocks grow from the first of these sizes to the second, where they are used again and again to the third.
const (
	roomFirst = 8
	roomMost  = 64
	roomAgain = 1 << 14
)

// grown is the size of the block after one of n.
func (r *room) grown(n int) int { return min(max(roomFirst, 2*n), max(r.most, roomMost)) }

func (r *room) newNode() *model.Node {
	r.made++
	if r.node == len(r.nodes) {
		r.nodes, r.node = make([]model.Node, r.grown(len(r.nodes))), 0
	}
	n := &r.nodes[r.node]
	r.node++
	return n
}

func (r *room) newList(n int) model.List {
	if n > len(r.lists)-r.list {
		r.lists, r.list = make([]*model.Node, max(n, r.grown(len(r.lists)))), 0
	}
	l := r.lists[r.list : r.list+n : r.list+n]
	r.list += n
	return l
}

// reset takes back all nodes and lists of the present blocks.
func (r *room) reset() {
	r.made = 0
	clear(r.nodes[:r.node])
	r.node, r.list = 0, 0
}

// record adds a node at an offset to the open struct. A name may come from the file; a path must be text.
func (r *recorder) record(name, typ string, span model.Span) *model.Node {
	n := r.room.newNode()
	n.Name, n.Type, n.Span = strings.ToValidUTF8(name, "\uFFFD"), typ, span
	r.kids = append(r.kids, n)
	r.last = n
	return n
}

// open begins a struct at an offset.
func (r *recorder) open(name, typ string, off int64) {
	n := r.record(name, typ, model.Span{Offset: off})
	r.outer = append(r.outer, r.level)
	r.level, r.last = level{node: n, from: len(r.kids)}, nil
}

// close ends the innermost open struct at an offset and returns it.
func (r *recorder) close(off int64) *model.Node {
	n := r.node
	r.adopt(n)
	n.Size = off - n.Offset
	r.kids = r.kids[:r.from]
	r.level, r.outer = r.outer[len(r.outer)-1], r.outer[:len(r.outer)-1]
	r.last = n
	return n
}

// adopt makes what was recorded in n, the innermost open struct, its children.
func (r *recorder) adopt(n *model.Node) {
	if r.long != nil {
		n.SetChildren(r.long.under(n, r.kids[r.from:]))
		return
	}
	if len(r.kids) > r.from {
		l := r.room.newList(len(r.kids) - r.from)
		copy(l, r.kids[r.from:])
		n.SetChildren(l)
	}
}

// restart opens another outermost struct in the place of the last one, whose nodes are used again.
func (r *recorder) restart(typ string, span model.Span) {
	r.room.reset()
	r.level, r.outer, r.last, r.kids = level{node: r.room.newNode()}, r.outer[:0], nil, r.kids[:0]
	r.node.Type, r.node.Span = typ, span
}

// Node returns the node of the open struct. It is nil if nothing of the struct is shown: a decoder then leaves out what
// only the key needs. A quiet cursor returns one for an element of which a list shows the line, but not the fields.
func (c *Cursor) Node() *model.Node {
	switch {
	case c.rec != nil:
		return c.rec.node
	case c.depth == 1:
		return c.line
	}
	return nil
}

// Last is the node that was recorded last, the open struct if there is none; nil after an error and unless the cursor
// records.
func (c *Cursor) Last() *model.Node {
	if c.rec == nil || c.err != nil {
		return nil
	}
	if c.rec.last == nil {
		return c.rec.node
	}
	return c.rec.last
}

// recorded is the node of the field that was just read; nil after an error and unless the cursor records.
func (c *Cursor) recorded() *model.Node {
	if c.rec == nil || c.err != nil {
		return nil
	}
	return c.rec.last
}

// field records the next size bytes as a leaf with that value and goes on after them. v is only looked at by a cursor
// that records.
func (c *Cursor) field(name, typ string, size int64, v any) *model.Node {
	n := c.rec.record(name, typ, model.Span{Offset: c.Pos(), Size: size})
	n.Value = v
	c.skip(size)
	return n
}

// Add puts a node that was made otherwise into the open struct, and goes on after it.
func (c *Cursor) Add(n *model.Node) {
	if c.rec == nil || c.err != nil {
		return
	}
	c.rec.kids = append(c.rec.kids, n)
	c.rec.last = n
	if n.End() > c.Pos() && n.End() <= c.end {
		c.seek(n.End())
	}
}
