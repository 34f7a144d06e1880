package tree

import (
	"encoding/binary"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/ui/comparison/compared"
)

// Items holds the changes of items, and the rows of those that only moved: the value of their position changed, so that
// the status of their pairs is Changed, but the tree displays and filters them as moved.
type Items struct {
	overview *changes.Overview
	moved    map[string]bool  // items that only moved, by the key of their path
	rows     map[string]int64 // changed rows of such items at and below a path
	within   map[string]int64 // such items directly below a path
}

// ItemsOf returns the items of a comparison. It may take a while.
func ItemsOf(c *compare.Comparison, o *changes.Overview) *Items {
	m := &Items{overview: o, moved: make(map[string]bool), rows: make(map[string]int64),
		within: make(map[string]int64)}
	if o.Unlisted > 0 {
		return m // the chips count the others as changed
	}
	for i := range o.Items {
		t := &o.Items[i]
		if t.Status != compare.Moved {
			continue
		}
		p := c.At(t.Path)
		if p == nil || p.Status != compare.Changed {
			continue
		}
		m.moved[keyOf(t.Path)] = true
		m.within[keyOf(t.Path[:max(len(t.Path)-1, 0)])]++
		for n := range len(t.Path) + 1 {
			m.rows[keyOf(t.Path[:n])] += p.Counts.Changed
		}
	}
	return m
}

// keyOf returns a path as the key of a map.
func keyOf(path model.Path) string {
	var key []byte
	for _, i := range path {
		key = binary.AppendUvarint(key, uint64(i))
	}
	return string(key)
}

// Status returns the status of a pair, which is Moved for an item that only moved. m may be nil.
func (m *Items) Status(p *compare.Pair) compare.Status {
	return m.StatusAt(p.Path(), p.Status)
}

// StatusAt returns the status of a pair at a path. m may be nil.
func (m *Items) StatusAt(path model.Path, own compare.Status) compare.Status {
	if m != nil && own == compare.Changed && m.moved[keyOf(path)] {
		return compare.Moved
	}
	return own
}

// ListCounts returns the number of elements of a list in each status; those that only moved count as moved.
// m may be nil.
func (m *Items) ListCounts(list model.Path, own compare.Counts) compare.Counts {
	if m != nil {
		n := min(m.within[keyOf(list)], own.Changed)
		own.Changed -= n
		own.Moved += n
	}
	return own
}

// Counts returns the numbers of rows at and below a pair; those of items that only moved count as moved. m may be nil.
func (m *Items) Counts(p *compare.Pair) compare.Counts {
	if m == nil {
		return p.Counts
	}
	return m.countsAt(p.Path(), p.Counts)
}

func (m *Items) countsAt(path model.Path, c compare.Counts) compare.Counts {
	n := m.rows[keyOf(path)]
	if n == 0 && m.inMoved(path) {
		n = c.Changed
	}
	n = min(n, c.Changed) // an item in another one is counted twice
	c.Changed -= n
	c.Moved += n
	return c
}

// inMoved reports whether a path is that of an item that only moved, or below it.
func (m *Items) inMoved(path model.Path) bool {
	for n := len(path); n > 0 && len(m.moved) > 0; n-- {
		if m.moved[keyOf(path[:n])] {
			return true
		}
	}
	return false
}

// filter selects the visible pairs.
type filter struct {
	states compared.States
	items  *Items        // nil until collected
	kept   *searchResult // the result of a search below the root; nil without a search
}

// below returns a func that reports whether the pairs of a run below p are visible, themselves or because of pairs
// below them.
func (v filter) below(p *compare.Pair) func(r compare.Run) bool {
	var path model.Path
	if v.items != nil && len(v.items.moved) > 0 {
		path = append(p.Path(), 0)
	}
	return func(r compare.Run) bool {
		if path != nil && r.Known && r.Counts.Changed > 0 {
			path[len(path)-1] = r.First
			r.Counts = v.items.countsAt(path, r.Counts)
		}
		switch {
		case v.states.Has(compare.Same) &&
			(r.Status == compare.Same || r.OneVersion || r.Known && r.Counts.Differences() == 0):
			return true
		case r.OneVersion || r.Status == compare.Same:
			return false
		case !r.Known: // not looked into: it may be any
			return v.states&compared.Differing != 0
		}
		return v.states.Any(r.Counts)
	}
}
