package rows

import "slices"

// Interval is the rows from From up to, not including, To.
type Interval struct{ From, To int64 }

// Intervals is a set of rows, kept as sorted intervals that neither touch nor overlap.
type Intervals struct{ list []Interval }

// Just returns the set of a row; that of -1 is empty.
func Just(row int64) (s Intervals) {
	if row >= 0 {
		s.Add(row, row+1)
	}
	return s
}

// All returns the intervals in order. They must not be changed.
func (s *Intervals) All() []Interval { return s.list }

// Clone returns a copy.
func (s *Intervals) Clone() Intervals { return Intervals{slices.Clone(s.list)} }

// Count returns the number of rows in the set.
func (s *Intervals) Count() int64 {
	n := int64(0)
	for _, i := range s.list {
		n += i.To - i.From
	}
	return n
}

// find returns the index of the first interval that ends after row.
func (s *Intervals) find(row int64) int {
	i, _ := slices.BinarySearchFunc(s.list, row, func(i Interval, row int64) int {
		if i.To <= row {
			return -1
		}
		return 1
	})
	return i
}

// Has says whether a row is in the set.
func (s *Intervals) Has(row int64) bool {
	i := s.find(row)
	return i < len(s.list) && s.list[i].From <= row
}

// Add puts the rows from up to to into the set.
func (s *Intervals) Add(from, to int64) {
	if from >= to {
		return
	}
	i := 0
	if from > 0 {
		i = s.find(from - 1) // an interval that ends at from is joined
	}
	j := i
	for j < len(s.list) && s.list[j].From <= to {
		from, to = min(from, s.list[j].From), max(to, s.list[j].To)
		j++
	}
	s.list = slices.Replace(s.list, i, j, Interval{from, to})
}

// Remove takes the rows from up to to out of the set.
func (s *Intervals) Remove(from, to int64) {
	if from >= to {
		return
	}
	i := s.find(from)
	j := i
	var rest []Interval
	for j < len(s.list) && s.list[j].From < to {
		if s.list[j].From < from {
			rest = append(rest, Interval{s.list[j].From, from})
		}
		if s.list[j].To > to {
			rest = append(rest, Interval{to, s.list[j].To})
		}
		j++
	}
	s.list = slices.Replace(s.list, i, j, rest...)
}

// Insert makes room for n rows before row at: the rows from at on move down. The new rows are not in the set.
func (s *Intervals) Insert(at, n int64) {
	if n <= 0 {
		return
	}
	var moved []Interval
	for _, i := range s.list {
		switch {
		case i.To <= at:
			moved = append(moved, i)
		case i.From >= at:
			moved = append(moved, Interval{i.From + n, i.To + n})
		default:
			moved = append(moved, Interval{i.From, at}, Interval{at + n, i.To + n})
		}
	}
	s.list = moved
}

// Cut takes the n rows from at out of the numbering: the rows after them move up.
func (s *Intervals) Cut(at, n int64) {
	if n <= 0 {
		return
	}
	s.Remove(at, at+n)
	moved := Intervals{}
	for _, i := range s.list {
		if i.From >= at {
			i.From, i.To = i.From-n, i.To-n
		}
		moved.Add(i.From, i.To)
	}
	*s = moved
}
