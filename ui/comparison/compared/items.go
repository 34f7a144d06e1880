package compared

import (
	"encoding/binary"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
)

// Items holds the changes of items, and the rows of items that only moved: the value of their position changed, so that
// the status of their pairs is Changed, but the tree displays and filters them as moved.
type Items struct {
	overview   *changes.Overview
	moved      map[string]bool  // items that only moved, by the key of their path
	rows       map[string]int64 // number of changed rows of such items at and below a path
	childItems map[string]int64 // number of such items directly below a path
}

// ItemsOf returns the items of a comparison. It may take a while.
func ItemsOf(c *compare.Comparison, o *changes.Overview) *Items {
	m := &Items{overview: o, moved: make(map[string]bool), rows: make(map[string]int64),
		childItems: make(map[string]int64)}
	if o.Unlisted > 0 {
		return m // the chips count the others as changed
	}
	for i := range o.Items {
		item := &o.Items[i]
		if item.Status != compare.Moved {
			continue
		}
		p := c.At(item.Path)
		if p == nil || p.Status != compare.Changed {
			continue
		}
		m.moved[keyOf(item.Path)] = true
		m.childItems[keyOf(item.Path[:max(len(item.Path)-1, 0)])]++
		for n := range len(item.Path) + 1 {
			m.rows[keyOf(item.Path[:n])] += p.Counts.Changed
		}
	}
	return m
}

// keyOf returns the key of a path in a map.
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
func (m *Items) StatusAt(path model.Path, status compare.Status) compare.Status {
	if m != nil && status == compare.Changed && m.moved[keyOf(path)] {
		return compare.Moved
	}
	return status
}

// ListCounts returns the number of elements of a list in each status; elements that only moved count as moved. m may be
// nil.
func (m *Items) ListCounts(list model.Path, counts compare.Counts) compare.Counts {
	if m != nil {
		n := min(m.childItems[keyOf(list)], counts.Changed)
		counts.Changed -= n
		counts.Moved += n
	}
	return counts
}

// Counts returns the numbers of rows at and below a pair; rows of items that only moved count as moved. m may be nil.
func (m *Items) Counts(p *compare.Pair) compare.Counts {
	if m == nil {
		return p.Counts
	}
	return m.CountsAt(p.Path(), p.Counts)
}

// CountsAt returns the numbers of rows at and below a path; c has the status of each pair. Rows of items that only
// moved count as moved.
func (m *Items) CountsAt(path model.Path, c compare.Counts) compare.Counts {
	n := m.rows[keyOf(path)]
	if n == 0 && m.inMoved(path) {
		n = c.Changed
	}
	n = min(n, c.Changed) // an item in another one is counted twice
	c.Changed -= n
	c.Moved += n
	return c
}

// HasMoved reports whether an item only moved. m may be nil.
func (m *Items) HasMoved() bool { return m != nil && len(m.moved) > 0 }

// inMoved reports whether a path is an item that only moved, or is below one.
func (m *Items) inMoved(path model.Path) bool {
	for n := len(path); n > 0 && m.HasMoved(); n-- {
		if m.moved[keyOf(path[:n])] {
			return true
		}
	}
	return false
}

// Change returns the change of an item, or the numbers of changed items below a pair, as a short text; "" for a pair
// without items. m may be nil.
func (m *Items) Change(p *compare.Pair) string {
	if m == nil || p.Status != compare.Changed || p.Leaf() || len(m.overview.Counts) == 0 || m.overview.Unlisted > 0 {
		return ""
	}
	change, counts := m.overview.At(p.Path())
	switch {
	case p.Parent() == nil:
		return CountsText(m.overview.Total(p.Counts))
	case change != nil:
		return strings.Join(change.Changes.Texts(), "; ")
	}
	return CountsText(counts)
}
