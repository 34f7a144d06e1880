package outline

import (
	"slices"
	"strings"

	"assay/ui/host"
)

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

const (
	longLevel = 5000 // minimum number of children whose collapsed ones are searched in the background
	maxNear   = 1000 // maximum number of nodes searched immediately
)

// LevelRange is a range of children in a long level, none of them expanded.
type LevelRange[L Level] struct {
	In       *Branch[L]
	From, To int // positions
}

// typeAhead goes to the next row that begins with the typed text: in a short level, or near the current row in a long
// one; else to the first result of a search through the long levels.
func (v *View[L]) typeAhead(prefix string) {
	seeker, _ := v.source.(Seeker[L])
	if seeker != nil {
		seeker.EndSeek()
	}
	prefix = strings.ToLower(prefix)
	row, ranges := v.findNear(prefix)
	switch previous := v.Outline; {
	case row >= 0:
		v.GoTo(row)
	case seeker != nil && len(ranges) > 0:
		seeker.Seek(ranges, prefix, func(r LevelRange[L], pos int) {
			if p := r.In.RowAt(pos); v.Outline == previous {
				if current, ok := v.Find(p.Path()); ok {
					v.Rows.Refresh()
					v.GoTo(v.RowOf(current))
				}
			}
		})
	}
}

// findNear returns the next row that begins with the typed text, if it is in a short level or near the current row;
// else -1 and the ranges of long levels to search.
func (v *View[L]) findNear(prefix string) (row int64, ranges []LevelRange[L]) {
	n := v.Len()
	start := max(0, v.Rows.Current())
	if len([]rune(prefix)) == 1 { // typing the same letter again moves on
		start = (start + 1) % max(n, 1)
	}
	for visited := int64(0); visited < n; {
		row := (start + visited) % n
		p := v.At(row)
		inLongLevel := p.Open == nil && p.In.Level.Len() >= longLevel
		if later := inLongLevel && len(ranges) > 0; !later && v.begins(p, prefix) {
			return row, nil
		}
		visited++
		if !inLongLevel {
			continue
		}
		r := LevelRange[L]{p.In, p.Pos + 1, p.In.nextOpen(p.Pos + 1)}
		if len(ranges) > 0 {
			r.From--
		}
		if row < start { // it began again at the top
			r.To = min(r.To, p.Pos+int(start-row))
		}
		for end := min(r.To, r.From+maxNear); len(ranges) == 0 && r.From < end; r.From++ {
			if v.begins(p.In.RowAt(r.From), prefix) {
				return row + int64(r.From-p.Pos), nil
			}
		}
		visited += int64(r.To - p.Pos - 1)
		if r.From < r.To {
			ranges = append(ranges, r)
		}
	}
	return -1, ranges
}

// begins reports whether the name or the label of a row begins with the typed text.
func (v *View[L]) begins(p RowPos[L], prefix string) bool {
	name, label := v.source.Names(p)
	return Begins(prefix, name, label)
}

// Begins reports whether a name begins with prefix, which is in lower case.
func Begins(prefix string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return name != "" && strings.HasPrefix(strings.ToLower(name), prefix)
	})
}

// nextOpen returns the position of the first expanded child from pos on, or the number of children.
func (b *Branch[L]) nextOpen(pos int) int {
	if _, i := b.expandedChild(pos); i < len(b.open) {
		return b.open[i].position
	}
	return b.Level.Len()
}
