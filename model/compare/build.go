package compare

import (
	"slices"

	"assay/model"
)

// buildChildren returns the children, of which those that belong together were compared, in the order of the new file;
// nil if nothing differs, unless all asks for them.
func (e *engine) buildChildren(v *level, all bool) (*children, error) {
	var err error
	m, k := &v.matching, &children{counts: v.counts, changed: v.changed}
	oldF, newF := m.l, m.r
	toNew, toOld := m.toRight, m.toLeft
	rightOf := func(_, new int) int { return new }
	if e.c.flipped {
		oldF, newF, toNew, toOld = m.r, m.l, m.toLeft, m.toRight
		rightOf = func(old, _ int) int { return old }
	}
	removed := 0
	// flush puts what was removed after the sibling that it followed.
	flush := func() error {
		for removed < len(toNew) {
			to := toNew[removed]
			if to >= 0 && m.flags[rightOf(removed, int(to))]&flagMoved == 0 {
				return nil
			}
			if to == unmatched {
				if err := e.addUnmatched(k, oldF, removed); err != nil {
					return err
				}
			}
			removed++
		}
		return nil
	}
	for j, i := range toOld {
		if err := flush(); err != nil {
			return nil, err
		}
		switch i {
		case unmatched:
			err = e.addUnmatched(k, newF, j)
		case matchedElsewhere:
			err = e.addFromElsewhere(k, newF, j)
		default:
			at := rightOf(int(i), j)
			r := run{old: int(i), new: j, n: 1}
			setState(&r, m.state[at] == stateChanged, m.flags[at], v.result(at))
			switch {
			case r.renamed && r.status == Moved:
				k.counts.Add(ownRows(Moved, oldF.node.Child(int(i)), newF.node.Child(j)))
			case r.status != Changed:
				*k.counts.At(r.status)++
			}
			k.add(r)
			for ; m.flags[at]&flagMoved == 0 && removed <= int(i) && err == nil; removed++ {
				if toNew[removed] == unmatched {
					err = e.addUnmatched(k, oldF, removed)
				}
			}
		}
		if err != nil {
			return nil, err
		}
	}
	for ; removed < len(toNew); removed++ {
		if toNew[removed] == unmatched {
			if err := e.addUnmatched(k, oldF, removed); err != nil {
				return nil, err
			}
		}
	}
	for _, to := range toNew {
		k.changed = k.changed || to == matchedElsewhere
	}
	if k.counts.Differences() == 0 && !k.changed && !all {
		return nil, nil
	}
	k.runs, k.starts = slices.Clone(k.runs), slices.Clone(k.starts)
	return k, nil
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
	if _, long := m.r.node.Children().(*model.Elements); !long {
		return true
	}
	if right < m.r.first || right >= m.r.first+m.r.count {
		return true
	}
	e.budget--
	return e.budget >= 0
}

// addUnmatched adds a child that the other side does not have.
func (e *engine) addUnmatched(k *children, f family, i int) error {
	s := e.statusOfUnmatched(f.side)
	r := run{old: -1, new: i, n: 1, status: s}
	if s == Removed {
		r.old, r.new = i, -1
	}
	if i < f.first || i >= f.first+f.count {
		c := f.node.Child(i)
		if e.opts.ignores(c) {
			e.ignored++
			r.oneVersion = true
		} else if !e.sameVariant && (!IsList(f.node) || f.count > 0) && c.Key == "" {
			r.oneVersion = true
			e.only[fieldOf{f.node.Type, c.Name, s}]++
		}
	}
	if r.oneVersion {
		k.add(r)
		return nil
	}
	if _, long := f.node.Children().(*model.Elements); !long {
		p, err := e.unmatchedBelow(f.node.Child(i), f.side)
		if err != nil {
			return err
		}
		if p != nil {
			r.pair = p
			k.counts.Add(p.Counts)
			k.add(r)
			return nil
		}
		*k.counts.At(s) += int64(max(0, listedThings(f.node.Child(i))-1))
	}
	*k.counts.At(s)++
	k.add(r)
	return nil
}

// addFromElsewhere adds a child of the new file that was below another node in the old one.
func (e *engine) addFromElsewhere(k *children, f family, j int) error {
	n := f.node.Child(j)
	p := e.elsewhere(n, f.side)
	if p == nil {
		return e.addUnmatched(k, f, j)
	}
	pair, err := e.comparePartners(n, p, f.side)
	if err != nil {
		return err
	}
	k.counts.Add(pair.Counts)
	k.add(run{old: -1, new: j, n: 1, status: pair.Status, renamed: pair.Renamed, relocated: true, pair: pair})
	return nil
}
