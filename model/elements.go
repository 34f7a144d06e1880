package model

import (
	"context"
	"slices"
	"strconv"
)

var smallIndexes = func() (s [256]string) {
	for i := range s {
		s[i] = strconv.Itoa(i)
	}
	return s
}()

// IndexName returns the name of the i-th element of a list.
func IndexName(i int) string {
	if i >= 0 && i < len(smallIndexes) {
		return smallIndexes[i]
	}
	return strconv.Itoa(i)
}

// Elements is the Children of a long list: a few nodes that come first (the count), then Count elements which are
// created on access, then optional nodes (surplus bytes, a guard).
type Elements struct {
	First List
	Last  List
	Count int
	// Solid promises that the leaves below own every byte of the elements once and no other byte, so that a million
	// records need no check.
	Solid    bool
	InMemory bool              // Make returns the same node each time
	Make     func(i int) *Node // i from 0 to Count-1; the node's name is set by Elements
	Lookup   func(off int64) (from, to int)
	Sums     *Summaries // optional: the summaries for comparing long lists without creating nodes
	// Reader returns a Reader for reading all elements; nil if there is no faster way than Make.
	Reader func() Reader
	// Stopped reports whether reading stopped, after which the elements are empty; nil if it never stops.
	Stopped func() bool
}

// Reader reads the elements of a long list, in any order, and reuses its memory. It is not safe for use from several
// goroutines at once.
type Reader interface {
	// Node decodes the i-th element as Make does. The node and all below it are good until the next call.
	Node(i int) *Node
	// NodeAlone is Node for callers that do not read its children.
	NodeAlone(i int) *Node
	// CheckedSpan reads the i-th element without nodes and returns its span. It reports whether its leaves own every
	// byte of its span once, no byte outside of it, and nothing is wrong with it.
	CheckedSpan(i int) (Span, bool)
}

// Len returns the number of nodes, the first ones included.
func (e *Elements) Len() int { return len(e.First) + e.Count + len(e.Last) }

// At returns the i-th node.
func (e *Elements) At(i int) *Node {
	if i < len(e.First) {
		return e.First[i]
	}
	if i >= len(e.First)+e.Count {
		return e.Last[i-len(e.First)-e.Count]
	}
	n := e.Make(i - len(e.First))
	if name := IndexName(i - len(e.First)); n.Name != name || n.Index != i {
		n.Name, n.Index = name, i
	}
	return n
}

// Named implements Namer: a number is the name of an element, and other names are searched in the fields.
func (e *Elements) Named(name string) int {
	isNamed := func(k *Node) bool { return k.Name == name }
	if i := slices.IndexFunc(e.First, isNamed); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(e.Last, isNamed); i >= 0 {
		return len(e.First) + e.Count + i
	}
	if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < e.Count && IndexName(i) == name {
		return len(e.First) + i
	}
	return -1
}

// NodesInMemory returns the nodes that are in memory.
func (e *Elements) NodesInMemory() List {
	nodes := append(List(nil), e.First...)
	for i := 0; e.InMemory && i < e.Count; i++ {
		nodes = append(nodes, e.At(len(e.First)+i))
	}
	return append(nodes, e.Last...)
}

// Find returns the nodes that may contain the byte at off. Nodes of First and Last come before the elements.
func (e *Elements) Find(off int64) (int, int) {
	for i, n := range e.First {
		if n.Contains(off) {
			return i, i + 1
		}
	}
	for i, n := range e.Last {
		if n.Contains(off) {
			return len(e.First) + e.Count + i, len(e.First) + e.Count + i + 1
		}
	}
	if e.Lookup == nil {
		return len(e.First), e.Len()
	}
	from, to := e.Lookup(off)
	return from + len(e.First), to + len(e.First)
}

// Stopper is a Children whose reading may stop before all nodes have been read.
type Stopper interface {
	// Stops returns a function that reports whether reading stopped, or nil if it never does.
	Stops() func() bool
}

// Stops implements Stopper.
func (e *Elements) Stops() func() bool { return e.Stopped }

// Summary holds the data of one element of a long list for a comparison.
type Summary struct {
	Key    uint64 // equal exactly where the nodes' keys are equal
	Digest uint64 // of all values except the key and those whose Role follows from the layout
	Span   Span   // the element's bytes
}

// Summaries describes the elements of a long list in bulk, so that two versions of a million elements compare without
// a million nodes. Element 0 is the first one after the list's First nodes.
type Summaries struct {
	// Keyed reports whether Summary.Key is set; without it the elements must have no keys.
	Keyed bool
	// Recorded reports whether Digest is made of the checksums and sizes which the file records for a content, without
	// reading the content itself.
	Recorded bool
	// Distinct reports whether elements with equal digests are the same item, under any key.
	Distinct bool
	// Fill describes len(out) elements from first on, until ctx ends. It may be called from any goroutine.
	Fill func(ctx context.Context, first int, out []Summary) error
}
