package tree

import (
	"context"
	"sort"

	"assay/model"
	"assay/model/compare"
	"assay/ui/comparison/compared"
	"assay/ui/outline"
)

// searchResult is the result of a search below a pair: the matching children by index, and the results below them.
type searchResult struct {
	indexes []int
	results map[int]*searchResult
}

type rowPos = outline.RowPos[*children]

// children are the visible pairs below one: one segment for consecutive pairs, so that a million of them are cheap.
type children struct {
	pair     *compare.Pair // nil: only the root is visible
	visible  int
	segments []segment
	filtered *searchResult
}

// segment is consecutive visible children.
type segment struct {
	child, count  int
	visibleBefore int // visible children before it
}

func (c *children) Len() int { return c.visible }

// Index is the position among a pair's own children.
func (c *children) Index(pos int) int {
	i := sort.Search(len(c.segments), func(i int) bool { return c.segments[i].visibleBefore > pos }) - 1
	return c.segments[i].child + pos - c.segments[i].visibleBefore
}

// Position returns the row of a child among its siblings, and false if it is not visible.
func (c *children) Position(index int) (int, bool) {
	i := sort.Search(len(c.segments), func(i int) bool { return c.segments[i].child > index }) - 1
	if i < 0 || index >= c.segments[i].child+c.segments[i].count {
		return 0, false
	}
	return c.segments[i].visibleBefore + index - c.segments[i].child, true
}

func (c *children) add(child, n int) {
	if last := len(c.segments) - 1; last >= 0 && c.segments[last].child+c.segments[last].count == child {
		c.segments[last].count += n
	} else {
		c.segments = append(c.segments, segment{child, n, c.visible})
	}
	c.visible += n
}

// rootLevel is the level above the root.
func (t *Tree) rootLevel() *children {
	c := new(children)
	if t.Comparison != nil {
		c.add(0, 1)
	}
	return c
}

// Pair returns the pair of a row.
func (t *Tree) Pair(position rowPos) *compare.Pair {
	if position.IsRoot() {
		return t.Comparison.Root()
	}
	return position.In.Level.pair.Child(position.Index())
}

// Below returns the visible children of a pair.
func (t *Tree) Below(position rowPos) *children {
	p := t.Pair(position)
	c := &children{pair: p}
	if position.IsRoot() {
		c.filtered = t.filter.result
	} else if result := position.In.Level.filtered; result != nil {
		c.filtered = result.results[position.Index()]
	}
	if c.filtered != nil {
		for _, i := range c.filtered.indexes {
			c.add(i, 1)
		}
		return c
	}
	accepts := t.filter.filterBelow(p)
	p.Runs(func(r compare.Run) bool {
		if accepts(r) {
			c.add(r.First, r.N)
		}
		return true
	})
	return c
}

// HasChildren reports whether there is anything below a pair.
func (t *Tree) HasChildren(position rowPos) bool {
	if t.described.position == (rowPos{In: position.In, Pos: position.Pos}) && t.described.pair != nil {
		return !t.described.pair.Leaf()
	}
	return !t.Pair(position).Leaf()
}

// Names returns the name and the title of a pair.
func (t *Tree) Names(position rowPos) (name, called string) {
	n := t.Pair(position).Node()
	return n.Name, n.DisplayName()
}

// maxOnUIThread is the maximum number of children of a pair that are compared on the UI thread.
const maxOnUIThread = 4000

// Ready reports whether a pair can be expanded without comparing long lists.
func (t *Tree) Ready(position rowPos) bool {
	p := t.Pair(position)
	return p.Ready() || p.Old == nil || p.New == nil || p.Old.Len()+p.New.Len() <= maxOnUIThread
}

// Prepare compares the children of a pair in the background.
func (t *Tree) Prepare(position rowPos, done func()) {
	p := t.Pair(position)
	t.host.Busy("Comparing", -1, nil)
	t.openLane.Go(func(context.Context) func() {
		p.Len()
		return func() {
			t.host.Busy("", 0, nil)
			done()
		}
	})
}

// maxUnfolded is the maximum number of visible children of a pair that is expanded automatically.
const maxUnfolded = 60

// openChanges expands the differences, level by level, up to a limit. Added and removed nodes stay collapsed, and so do
// lists with many changes.
func (t *Tree) openChanges() {
	o := t.View.Outline
	queue := []rowPos{o.Root()}
	for len(queue) > 0 && o.Len() < maxOpened {
		position := queue[0]
		queue = queue[1:]
		p := t.Pair(position)
		if !position.IsRoot() && (!p.Ready() || t.filter.result == nil && t.visibleBelow(p) > maxUnfolded) {
			continue
		}
		b, _ := o.Expand(position)
		if b == nil {
			continue
		}
		add := func(child int) {
			if pos, ok := b.Level.Position(child); ok {
				queue = append(queue, b.RowAt(pos))
			}
		}
		if result := b.Level.filtered; result != nil {
			for i := range result.results {
				add(i)
			}
			continue
		}
		p.Runs(func(r compare.Run) bool {
			if r.Known && r.N == 1 && (r.Status == compare.Changed || r.Counts.Differences() > 1) &&
				r.Counts.Differences() > 0 {
				add(r.First)
			}
			return len(queue) < maxOpened
		})
	}
}

// visibleBelow returns the number of visible children of a pair.
func (t *Tree) visibleBelow(p *compare.Pair) int {
	n := 0
	accepts := t.filter.filterBelow(p)
	p.Runs(func(r compare.Run) bool {
		if accepts(r) {
			n += r.N
		}
		return true
	})
	return n
}

// filter selects the visible pairs.
type filter struct {
	statuses compared.Statuses
	items    *compared.Items // nil until collected
	result   *searchResult   // the result of a search below the root; nil without a search
}

// filterBelow returns a func that reports whether the pairs of a run below p are visible, themselves or because of
// pairs below them.
func (f filter) filterBelow(p *compare.Pair) func(r compare.Run) bool {
	var path model.Path
	if f.items.HasMoved() {
		path = append(p.Path(), 0)
	}
	return func(r compare.Run) bool {
		if path != nil && r.Known && r.Counts.Changed > 0 {
			path[len(path)-1] = r.First
			r.Counts = f.items.CountsAt(path, r.Counts)
		}
		switch {
		case f.statuses.Has(compare.Same) &&
			(r.Status == compare.Same || r.Uncounted || r.Known && r.Counts.Differences() == 0):
			return true
		case r.Uncounted || r.Status == compare.Same:
			return false
		case !r.Known: // not examined: it may be any
			return f.statuses&compared.Differing != 0
		}
		return f.statuses.Any(r.Counts)
	}
}
