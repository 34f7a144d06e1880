package compare

import (
	"slices"

	"assay/model"
)

// buildChildren returns the children, of which those that belong together were compared, in the order of the new file;
// nil if nothing differs, unless all asks for them.
func (e *engine) buildChildren(v *level, all bool) *children {
	m, k := &v.matching, &children{counts: v.counts, changed: v.changed}
	old, new := 0, 1
	rightOf := func(_, new int) int { return new }
	if e.c.flipped {
		old, new = 1, 0
		rightOf = func(old, _ int) int { return old }
	}
	toNew := m.to[old]
	removed := 0
	// flush puts what was removed after the sibling that it followed.
	flush := func() {
		for ; removed < len(toNew); removed++ {
			to := toNew[removed]
			if to >= 0 && m.flags[rightOf(removed, int(to))]&flagMoved == 0 {
				return
			}
			if to == unmatched {
				e.addUnmatched(k, m.sides[old], removed)
			}
		}
	}
	for j, i := range m.to[new] {
		flush()
		switch i {
		case unmatched:
			e.addUnmatched(k, m.sides[new], j)
		case matchedElsewhere:
			e.addFromElsewhere(k, m.sides[new], j)
		default:
			at := rightOf(int(i), j)
			r := run{old: int(i), new: j, n: 1}
			setState(&r, m.state[at] == stateChanged, m.flags[at], v.found[at])
			switch {
			case r.renamed && r.status == Moved:
				k.counts.Add(ownRows(Moved, m.child(old, int(i)), m.child(new, j)))
			case r.status != Changed:
				*k.counts.At(r.status)++
			}
			k.add(r)
			for ; m.flags[at]&flagMoved == 0 && removed <= int(i); removed++ {
				if toNew[removed] == unmatched {
					e.addUnmatched(k, m.sides[old], removed)
				}
			}
		}
		if e.err != nil {
			return nil
		}
	}
	for ; removed < len(toNew); removed++ {
		if toNew[removed] == unmatched {
			e.addUnmatched(k, m.sides[old], removed)
		}
	}
	k.changed = k.changed || slices.Contains(toNew, matchedElsewhere)
	if k.counts.Differences() == 0 && !k.changed && !all {
		return nil
	}
	k.runs, k.starts = slices.Clone(k.runs), slices.Clone(k.starts)
	return k
}

// setState sets the state of a run of one pair.
func setState(r *run, changed bool, flags uint8, kept *Pair) {
	moved := flags&flagMoved != 0
	r.renamed = flags&flagRenamed != 0
	switch {
	case changed:
		r.status, r.pair, r.relocated = Changed, kept, moved
		if kept != nil {
			kept.Relocated, kept.Renamed = moved, r.renamed
		}
	case moved:
		r.status = Moved
	}
}

// isKept reports whether the result for a child is kept: always for what is in memory anyway, up to a limit for
// elements of long lists.
func (e *engine) isKept(m *matching, right int) bool {
	f := &m.sides[1]
	if _, long := f.node.Children().(*model.Elements); !long || !f.isElement(right) {
		return true
	}
	e.budget--
	return e.budget >= 0
}

// addUnmatched adds a child that the other side does not have.
func (e *engine) addUnmatched(k *children, f family, i int) {
	s := e.statusOfUnmatched(f.side)
	r := run{old: -1, new: i, n: 1, status: s}
	if s == Removed {
		r.old, r.new = i, -1
	}
	c := func() *model.Node { return f.node.Child(i) }
	if !f.isElement(i) {
		if e.opts.ignores(c()) {
			e.ignored++
			r.oneVersion = true
		} else if !e.sameVariant && (!IsList(f.node) || f.count > 0) && c().Key == "" {
			r.oneVersion = true
			e.only[fieldOf{f.node.Type, c().Name, s}]++
		}
	}
	_, long := f.node.Children().(*model.Elements)
	switch {
	case r.oneVersion:
	case long:
		*k.counts.At(s)++
	default:
		if r.pair = e.unmatchedBelow(c(), f.side); r.pair != nil {
			k.counts.Add(r.pair.Counts)
		} else {
			*k.counts.At(s) += int64(max(1, listedThings(c())))
		}
	}
	k.add(r)
}

// addFromElsewhere adds a child of the new file that was below another node in the old one.
func (e *engine) addFromElsewhere(k *children, f family, j int) {
	n := f.node.Child(j)
	p := e.elsewhere(n, f.side)
	if p == nil {
		e.addUnmatched(k, f, j)
		return
	}
	if pair := e.comparePartners(n, p, f.side); e.err == nil {
		k.counts.Add(pair.Counts)
		k.add(run{old: -1, new: j, n: 1, status: pair.Status, renamed: pair.Renamed, relocated: true, pair: pair})
	}
}
