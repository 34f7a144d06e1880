package model

// Walk visits root and everything below it, parents before children, in order. visit says whether to go below the
// node; Walk ends early when it returns an error and gives that error back. leave, if not nil, is called after a
// node's children. Nothing is kept but the way down to the present node, so files of any depth and length are fine.
func Walk(root *Node, visit func(n *Node) (below bool, err error), leave func(n *Node) error) error {
	type step struct {
		n    *Node
		next int
		len  int
	}
	var way []step
	enter := func(n *Node) error {
		below, err := visit(n)
		if err != nil {
			return err
		}
		s := step{n: n}
		if below {
			s.len = n.Len()
		}
		way = append(way, s)
		return nil
	}
	if err := enter(root); err != nil {
		return err
	}
	for len(way) > 0 {
		s := &way[len(way)-1]
		if s.next < s.len {
			c := s.n.Child(s.next)
			s.next++
			if err := enter(c); err != nil {
				return err
			}
			continue
		}
		n := s.n
		way = way[:len(way)-1]
		if leave != nil {
			if err := leave(n); err != nil {
				return err
			}
		}
	}
	return nil
}
