package ppac

import (
	"sort"

	"assay/model"
)

// chainMark is how many elements lie between two that a chain remembers.
const chainMark = 16

// chain is a row of elements of different lengths. It was walked once; the place of every 16th was kept.
type chain struct {
	end   int64
	count int
	marks []int64
	walk  func(from int64, visit func(from, to int64) bool) // calls visit with elements from the one at from on, until it says no
}

// add puts an element behind the others.
func (c *chain) add(from, to int64) {
	if c.count%chainMark == 0 {
		c.marks = append(c.marks, from)
	}
	c.count++
	c.end = to
}

// at gives the i-th element.
func (c *chain) at(i int) model.Span {
	var s model.Span
	left := i % chainMark
	c.walk(c.marks[i/chainMark], func(from, to int64) bool {
		s = model.Span{Offset: from, Size: to - from}
		left--
		return left >= 0
	})
	return s
}

// lookup gives the element that holds the byte at off.
func (c *chain) lookup(off int64) (from, to int) {
	m := sort.Search(len(c.marks), func(m int) bool { return c.marks[m] > off }) - 1
	if m < 0 || off >= c.end {
		return 0, 0
	}
	i, found := m*chainMark, false
	c.walk(c.marks[m], func(_, to int64) bool {
		if found = off < to; !found {
			i++
		}
		return !found && i < c.count
	})
	if !found {
		return 0, 0
	}
	return i, i + 1
}
