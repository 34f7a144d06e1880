package model

import (
	"fmt"
	"strings"
)

// A path of more levels than the first of these is written with so many at either end.
const (
	pathWhole = 1000
	pathEnds  = 100
)

// Paths writes the paths of nodes as PathText does, for those who ask for them in the order of the structure: what one
// path shares with the next is not looked for again. In a path of more than a thousand levels it leaves out what is in
// the middle, as the paths of a chain of nodes would have the square of its size.
type Paths struct {
	way  []*Node // from the child of the root down to the node that was asked for last
	ends []int   // where the path of each of them ends in text
	at   map[*Node]int
	text []byte
}

// Text returns the path of a node.
func (p *Paths) Text(n *Node) string {
	if n.Parent == nil {
		return "/"
	}
	if p.at == nil {
		p.at = make(map[*Node]int)
	}
	var below []*Node // what is not on the way yet, from the bottom
	depth := 0
	for ; n.Parent != nil; n = n.Parent {
		if k, ok := p.at[n]; ok {
			depth = k + 1
			break
		}
		below = append(below, n)
	}
	p.cut(depth)
	for i := len(below) - 1; i >= 0; i-- {
		p.at[below[i]] = len(p.way)
		p.way = append(p.way, below[i])
		p.text = append(append(p.text, '/'), escapeName(below[i].Name)...)
		p.ends = append(p.ends, len(p.text))
	}
	k := len(p.way)
	if k <= pathWhole {
		return string(p.text)
	}
	var b strings.Builder
	b.Write(p.text[:p.ends[pathEnds-1]])
	fmt.Fprintf(&b, "/… %d levels …", k-2*pathEnds)
	b.Write(p.text[p.ends[k-pathEnds-1]:])
	return b.String()
}

// cut goes back to a way of so many nodes.
func (p *Paths) cut(depth int) {
	for _, n := range p.way[depth:] {
		delete(p.at, n)
	}
	p.way, p.ends = p.way[:depth], p.ends[:depth]
	end := 0
	if depth > 0 {
		end = p.ends[depth-1]
	}
	p.text = p.text[:end]
}
