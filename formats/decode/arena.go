package decode

import "assay/model"

// arena allocates nodes and lists of children, many at a time. Without it the dump of a million small elements takes
// 1.4 times as long (whole processes, seconds of CPU).
type arena struct {
	nodes              []model.Node
	lists              []*model.Node
	nextNode, nextList int // where the unused ones of these blocks begin
	used               int // nodes that were handed out
	largest            int // how large a block may become; 0: arenaMost
}

// Blocks grow from arenaFirst to arenaMost nodes, to arenaReused where reset takes them back again and again.
const (
	arenaFirst  = 8
	arenaMost   = 64
	arenaReused = 1 << 14
)

// blockSize returns the size of the block after one of n.
func (a *arena) blockSize(n int) int { return min(max(arenaFirst, 2*n), max(a.largest, arenaMost)) }

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
