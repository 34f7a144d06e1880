package outline

import "assay/ui/host"

// Toggle expands or collapses the node of a row.
func (v *View[L]) Toggle(row int64) {
	if v.At(row).Open != nil {
		v.collapse(row)
	} else {
		v.expand(row)
	}
}

// expand expands a row as soon as it is ready.
func (v *View[L]) expand(row int64) {
	p := v.At(row)
	slow, ok := v.source.(Preparer[L])
	if !ok || slow.Ready(p) {
		v.insert(row, p)
		return
	}
	path, previous := p.Path(), v.Outline
	slow.Prepare(p, func() {
		if v.Outline != previous {
			return
		}
		if p, ok := v.Find(path); ok {
			v.insert(v.RowOf(p), p)
		}
	})
}

func (v *View[L]) insert(row int64, p RowPos[L]) {
	if _, n := v.Expand(p); n > 0 {
		v.Rows.Inserted(row+1, n)
	}
}

func (v *View[L]) collapse(row int64) {
	n := v.Collapse(v.At(row))
	if n == 0 {
		return
	}
	v.Forget() // a branch that is expanded again is another one
	current := v.Rows.Current()
	v.Rows.Removed(row+1, n)
	if current > row && current <= row+n {
		v.GoTo(row)
	}
}

func (v *View[L]) expandOrNext(row int64) {
	if v.At(row).Open == nil {
		v.expand(row)
	} else {
		v.GoTo(row + 1)
	}
}

func (v *View[L]) collapseOrUp(row int64) {
	p := v.At(row)
	if p.Open != nil {
		v.collapse(row)
	} else if parent, ok := p.Up(); ok {
		v.GoTo(v.RowOf(parent))
	}
}

// ExpandAll expands the whole subtree of a row, up to MaxRows rows, as far as it is ready.
func (v *View[L]) ExpandAll(row int64) {
	first, current := v.Rows.First(), v.Rows.Current()
	all := v.expandBelow(v.At(row))
	v.Rows.Refresh()
	v.Rows.SetCurrent(current)
	v.Rows.SetFirst(first)
	if !all {
		v.host.ShowHint("Expanded the first " + host.Number(v.MaxRows) + " rows. Expand the others individually.")
	}
}

// expandBelow expands all nodes below p, and reports whether it expanded all of them. MaxRows limits the number of
// nodes it visits.
func (v *View[L]) expandBelow(p RowPos[L]) bool {
	slow, _ := v.source.(Preparer[L])
	visited := int64(0)
	stack := []RowPos[L]{p}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if slow != nil && !slow.Ready(p) {
			continue
		}
		b, _ := v.Expand(p)
		if b == nil {
			continue
		}
		for pos := range b.Level.Len() {
			if visited++; visited > v.MaxRows {
				return false
			}
			if child := b.RowAt(pos); v.source.HasChildren(child) {
				stack = append(stack, child)
			}
		}
	}
	return true
}
