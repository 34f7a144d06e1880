package model

// Walk visits root and everything below it, parents before children, in order. visit says whether to go below the
// node; Walk ends early when it returns an error, and returns that error. leave, if not nil, is called after a node's
// children. Nothing is kept but the way down to the present node, so files of any depth and length are fine.
func Walk(root *Node, visit func(n *Node) (below bool, err error), leave func(n *Node) error) error {
	w := walk{visit: visit, leave: leave}
	return w.run(root)
}

// Scan is Walk for one who keeps no node: nodes are good only until visit and leave return, and lists that have a
// Reader go through their elements with it. clean, if not nil, is told the spans of elements that need no visit:
// their leaves own every byte of them once, and nothing is wrong with them.
func Scan(root *Node, visit func(n *Node) (below bool, err error), leave func(n *Node) error,
	clean func(Span) error) error {
	w := walk{visit: visit, leave: leave, clean: clean, scan: true}
	return w.run(root)
}

// ScanTo is Scan down to a level: visit must not go below a node of that level, which may have nothing below it. order,
// if not nil, returns the children of a node in the order in which they are visited; nil for that of the file.
func ScanTo(root *Node, level int, visit func(n *Node) (below bool, err error), leave func(n *Node) error,
	order func(n *Node) []int) error {
	w := walk{visit: visit, leave: leave, scan: true, lines: level, order: order}
	return w.run(root)
}

type walk struct {
	visit func(n *Node) (below bool, err error)
	leave func(n *Node) error
	clean func(Span) error
	scan  bool
	lines int // the level of which only lines are looked at
	// order returns the children of a node in another order than the file's; nil for that of the file.
	order func(n *Node) []int
	way   []step
}

// step is a node on the way down to the present one.
type step struct {
	n         *Node
	next, len int
	reader    Reader // nil if the children are not read with one
	from, to  int    // the children that reader reads
	order     []int  // nil for that of the file; then there is no reader
	stopped   func() bool
}

// Stopper is a Children whose reading may stop before all nodes were looked at.
type Stopper interface {
	// Stops returns the function that reports whether it did; nil if it never does.
	Stops() func() bool
}

// Stops implements Stopper.
func (e *Elements) Stops() func() bool { return e.Stopped }

// hasNext reports whether another child is to be visited.
func (s *step) hasNext() bool { return s.next < s.len && (s.stopped == nil || !s.stopped()) }

// readerFrom is how many elements a list must have to be worth a Reader, or how many bytes.
const (
	readerFrom  = 8
	readerBytes = 64 << 10
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
			(e.Count >= readerFrom || n.Size >= readerBytes) {
			s.reader, s.from, s.to = e.Reader(), len(e.First), len(e.First)+e.Count
		}
	}
	w.way = append(w.way, s)
	return nil
}

// child returns the next child of s; nil if it needs no visit.
func (w *walk) child(s *step) (*Node, error) {
	i := s.next
	s.next++
	if s.order != nil {
		return s.n.Child(s.order[i]), nil
	}
	if s.reader == nil || i < s.from || i >= s.to {
		return s.n.Child(i), nil
	}
	if w.clean != nil {
		if span, ok := s.reader.Clean(i - s.from); ok {
			return nil, w.clean(span)
		}
	}
	make := s.reader.Node
	if len(w.way) == w.lines {
		make = s.reader.Line
	}
	n := make(i - s.from)
	n.Name, n.Index, n.Parent = IndexName(i-s.from), i, s.n
	return n, nil
}

func (w *walk) run(root *Node) error {
	if err := w.enter(root); err != nil {
		return err
	}
	for len(w.way) > 0 {
		s := &w.way[len(w.way)-1]
		if s.hasNext() {
			c, err := w.child(s)
			if err == nil && c != nil {
				err = w.enter(c)
			}
			if err != nil {
				return err
			}
			continue
		}
		n := s.n
		w.way = w.way[:len(w.way)-1]
		if w.leave != nil {
			if err := w.leave(n); err != nil {
				return err
			}
		}
	}
	return nil
}
