package model

// Walk visits root and all its descendants, parents before children, in order. visit returns whether to visit the
// children of the node; Walk ends early when it returns an error, and returns that error. leave, if not nil, is called
// after a node's children. Walk keeps only the path to the current node, so files of any depth and length are fine.
func Walk(root *Node, visit func(n *Node) (below bool, err error), leave func(n *Node) error) error {
	w := walk{visit: visit, leave: leave}
	return w.run(root)
}

// Scan is Walk for callers that keep no nodes: nodes are good only until visit and leave return, and lists that have a
// Reader read their elements with it. clean, if not nil, gets the spans of elements that need no visit: their leaves
// own every byte of them once, and they have no problems.
func Scan(root *Node, visit func(n *Node) (below bool, err error), leave func(n *Node) error,
	clean func(Span) error) error {
	w := walk{visit: visit, leave: leave, clean: clean, scan: true}
	return w.run(root)
}

// ScanTo is Scan down to a level: visit must not go below a node of that level, which may be read without children.
// order, if not nil, returns the order in which the children of a node are visited; nil for the order of the file.
func ScanTo(root *Node, level int, visit func(n *Node) (below bool, err error), leave func(n *Node) error,
	order func(n *Node) []int) error {
	w := walk{visit: visit, leave: leave, scan: true, aloneLevel: level, order: order}
	return w.run(root)
}

type walk struct {
	visit      func(n *Node) (below bool, err error)
	leave      func(n *Node) error
	clean      func(Span) error
	scan       bool
	aloneLevel int // the level at which nodes are read without their children
	// order, if not nil, returns the order in which the children of a node are visited; nil for the order of the file.
	order func(n *Node) []int
	stack []step
}

// step is a node on the way down to the present one.
type step struct {
	n         *Node
	next, len int
	reader    Reader // nil if the children are not read with one
	from, to  int    // the children that reader reads
	order     []int  // nil for the order of the file; no reader otherwise
	stopped   func() bool
}

// hasNext reports whether another child is to be visited.
func (s *step) hasNext() bool { return s.next < s.len && (s.stopped == nil || !s.stopped()) }

// The minimum number of elements or bytes of a list that is read with a Reader.
const (
	minReaderElements = 8
	minReaderBytes    = 64 << 10
)

func (w *walk) enter(n *Node) error {
	below, err := w.visit(n)
	if err != nil {
		return err
	}
	s := step{n: n}
	if below {
		if s.len = n.Len(); w.order != nil {
			s.order = w.order(n)
		}
		if c, ok := n.children.(Stopper); ok {
			s.stopped = c.Stops()
		}
		if e, ok := n.children.(*Elements); ok && w.scan && e.Reader != nil && s.order == nil &&
			(e.Count >= minReaderElements || n.Size >= minReaderBytes) {
			s.reader, s.from, s.to = e.Reader(), len(e.First), len(e.First)+e.Count
		}
	}
	w.stack = append(w.stack, s)
	return nil
}

// nextChild returns the next child of s; nil if it needs no visit.
func (w *walk) nextChild(s *step) (*Node, error) {
	i := s.next
	s.next++
	if s.order != nil {
		return s.n.Child(s.order[i]), nil
	}
	if s.reader == nil || i < s.from || i >= s.to {
		return s.n.Child(i), nil
	}
	if w.clean != nil {
		if span, ok := s.reader.CheckedSpan(i - s.from); ok {
			return nil, w.clean(span)
		}
	}
	read := s.reader.Node
	if len(w.stack) == w.aloneLevel {
		read = s.reader.NodeAlone
	}
	n := read(i - s.from)
	n.Name, n.Index, n.Parent = IndexName(i-s.from), i, s.n
	return n, nil
}

func (w *walk) run(root *Node) error {
	if err := w.enter(root); err != nil {
		return err
	}
	for len(w.stack) > 0 {
		s := &w.stack[len(w.stack)-1]
		if s.hasNext() {
			c, err := w.nextChild(s)
			if err == nil && c != nil {
				err = w.enter(c)
			}
			if err != nil {
				return err
			}
			continue
		}
		n := s.n
		w.stack = w.stack[:len(w.stack)-1]
		if w.leave != nil {
			if err := w.leave(n); err != nil {
				return err
			}
		}
	}
	return nil
}
