package rows

import (
	"iter"
	"slices"
)

// selectAll selects all rows. It returns false if only one row can be selected.
func (r *Rows) selectAll() bool {
	if !r.options.Multi {
		return false
	}
	r.selection = rowsFrom(r.AllFrom, r.Len())
	r.selectionChanged()
	r.repaint()
	return true
}

// toggle adds the current row to the selection, or removes it.
func (r *Rows) toggle() bool {
	if !r.options.Multi || r.current < 0 {
		return false
	}
	r.selection.Toggle(r.current)
	r.selectionChanged()
	r.repaint()
	return true
}

// step makes the row delta rows below the current one current.
func (r *Rows) step(delta int64) {
	if r.current < 0 {
		r.goTo(r.first)
		return
	}
	r.goTo(r.current + delta)
}

// page moves the view and the current row by a page minus one row, so that the user keeps orientation.
func (r *Rows) page(direction int64) {
	step := direction * max(1, r.Page()-1)
	if r.current >= 0 {
		r.SetFirst(r.first + step)
	}
	r.step(step)
}

// goTo makes a row current and scrolls to it. If the shift key is down, it extends the selection.
func (r *Rows) goTo(row int64) {
	n := r.Len()
	if n == 0 {
		return
	}
	row = max(0, min(row, n-1))
	if r.options.Multi && r.isShiftDown() && r.anchor >= 0 {
		r.extend(row, false)
	} else {
		r.selectOnly(row)
	}
	r.ScrollTo(row)
}

// selectOnly makes a row current and the only selected one; -1 clears both.
func (r *Rows) selectOnly(row int64) {
	previous := r.selection
	r.selection = SingleRow(row)
	r.anchor = row
	r.makeCurrent(row)
	if !slices.Equal(previous.list, r.selection.list) {
		r.selectionChanged()
	}
	r.repaint()
}

// extend selects the rows from the anchor to row: in addition to the selection if add is true, else instead of it.
func (r *Rows) extend(row int64, add bool) {
	if !add {
		r.selection = Intervals{}
	}
	r.selection.Add(min(r.anchor, row), max(r.anchor, row)+1)
	r.makeCurrent(row)
	r.selectionChanged()
}

func (r *Rows) makeCurrent(row int64) {
	if row == r.current {
		return
	}
	r.current = row
	r.repaint()
	if r.OnCurrent != nil {
		r.OnCurrent(row)
	}
}

func (r *Rows) selectionChanged() {
	if r.OnSelection != nil {
		r.OnSelection()
	}
}

// Interval is the rows [From, To).
type Interval struct{ From, To int64 }

// Intervals is a set of rows, kept as sorted intervals that neither touch nor overlap.
type Intervals struct{ list []Interval }

// SingleRow returns the set of one row, or an empty set for -1.
func SingleRow(row int64) (s Intervals) {
	if row >= 0 {
		s.Add(row, row+1)
	}
	return s
}

// rowsFrom returns the set of the rows from first(), or from 0 if first is nil, up to n.
func rowsFrom(first func() int64, n int64) (s Intervals) {
	from := int64(0)
	if first != nil {
		from = first()
	}
	s.Add(from, n)
	return s
}

// All returns the intervals in order. They must not be changed.
func (s *Intervals) All() []Interval { return s.list }

// Below yields the rows in the set that are less than n.
func (s *Intervals) Below(n int64) iter.Seq[int64] {
	return func(yield func(row int64) bool) {
		for _, i := range s.list {
			for row := i.From; row < min(i.To, n); row++ {
				if !yield(row) {
					return
				}
			}
		}
	}
}

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

// Has reports whether a row is in the set.
func (s *Intervals) Has(row int64) bool {
	i := s.find(row)
	return i < len(s.list) && s.list[i].From <= row
}

// Add adds the rows [from, to) to the set.
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

// Toggle adds a row to the set, or removes it.
func (s *Intervals) Toggle(row int64) {
	if s.Has(row) {
		s.Remove(row, row+1)
	} else {
		s.Add(row, row+1)
	}
}

// Remove removes the rows [from, to) from the set.
func (s *Intervals) Remove(from, to int64) {
	if from >= to {
		return
	}
	i := s.find(from)
	j := i
	var remaining []Interval
	for j < len(s.list) && s.list[j].From < to {
		if s.list[j].From < from {
			remaining = append(remaining, Interval{s.list[j].From, from})
		}
		if s.list[j].To > to {
			remaining = append(remaining, Interval{to, s.list[j].To})
		}
		j++
	}
	s.list = slices.Replace(s.list, i, j, remaining...)
}

// InsertRows moves the rows from at on down by n. The inserted rows are not in the set.
func (s *Intervals) InsertRows(at, n int64) {
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

// RemoveRows removes the n rows from at, and moves the later rows up by n.
func (s *Intervals) RemoveRows(at, n int64) {
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
