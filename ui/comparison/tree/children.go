package tree

import (
	"context"
	"sort"
	"time"

	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/find"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/outline"
	"assay/ui/paint"
	"assay/ui/work"
)

// searchResult is the result of a search below a pair: the matching children by index, and the results below them.
type searchResult struct {
	index   []int
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
func (l *Tree) rootLevel() *children {
	c := new(children)
	if l.Comparison != nil {
		c.add(0, 1)
	}
	return c
}

// Pair returns the pair of a row.
func (l *Tree) Pair(place rowPos) *compare.Pair {
	if place.IsRoot() {
		return l.Comparison.Root()
	}
	return place.In.Level.pair.Child(place.Index())
}

// Below returns the visible children of a pair.
func (l *Tree) Below(place rowPos) *children {
	p := l.Pair(place)
	c := &children{pair: p}
	if place.IsRoot() {
		c.filtered = l.filter.result
	} else if result := place.In.Level.filtered; result != nil {
		c.filtered = result.results[place.Index()]
	}
	if c.filtered != nil {
		for _, i := range c.filtered.index {
			c.add(i, 1)
		}
		return c
	}
	accepts := l.filter.filterBelow(p)
	p.Runs(func(r compare.Run) bool {
		if accepts(r) {
			c.add(r.First, r.N)
		}
		return true
	})
	return c
}

// Opens reports whether there is anything below a pair.
func (l *Tree) Opens(place rowPos) bool {
	if l.described.place == (rowPos{In: place.In, Pos: place.Pos}) && l.described.pair != nil {
		return !l.described.pair.Leaf()
	}
	return !l.Pair(place).Leaf()
}

// Names returns the name and the title of a pair.
func (l *Tree) Names(place rowPos) (name, called string) {
	n := l.Pair(place).Node()
	return n.Name, n.DisplayName()
}

// maxOnUIThread is the maximum number of children of a pair that are compared on the UI thread.
const maxOnUIThread = 4000

// Ready reports whether a pair can be expanded without comparing long lists.
func (l *Tree) Ready(place rowPos) bool {
	p := l.Pair(place)
	return p.Ready() || p.Old == nil || p.New == nil || p.Old.Len()+p.New.Len() <= maxOnUIThread
}

// Prepare compares the children of a pair in the background.
func (l *Tree) Prepare(place rowPos, done func()) {
	p := l.Pair(place)
	l.host.Busy("Comparing", -1, nil)
	l.openLane.Go(func(context.Context) func() {
		p.Len()
		return func() {
			l.host.Busy("", 0, nil)
			done()
		}
	})
}

// maxUnfolded is the maximum number of visible children of a pair that is expanded automatically.
const maxUnfolded = 60

// openChanges expands the differences, level by level, up to a limit. Added and removed nodes stay collapsed, and so do
// lists with many changes.
func (l *Tree) openChanges() {
	o := l.View.Outline
	queue := []rowPos{o.Root()}
	for len(queue) > 0 && o.Len() < maxOpened {
		place := queue[0]
		queue = queue[1:]
		p := l.Pair(place)
		if !place.IsRoot() && (!p.Ready() || l.filter.result == nil && l.visibleBelow(p) > maxUnfolded) {
			continue
		}
		b, _ := o.Expand(place)
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
func (l *Tree) visibleBelow(p *compare.Pair) int {
	n := 0
	accepts := l.filter.filterBelow(p)
	p.Runs(func(r compare.Run) bool {
		if accepts(r) {
			n += r.N
		}
		return true
	})
	return n
}

// maxMatches is the maximum number of stored matches.
const maxMatches = 20_000

// searchPause is the pause in typing after which the search begins.
const searchPause = 150 * time.Millisecond

// Search is the search field above the tree. While it has a text, only matching pairs are visible.
type Search struct {
	host  host.Host
	group *work.Group
	lane  *work.Lane
	list  *Tree

	Filter   *control.Filter
	Field    *control.Field // the input of Filter
	Matches  *widget.Label
	OnResult func() // called when the result of matches changes
}

// NewSearch returns the search field of a tree.
func NewSearch(h host.Host, group *work.Group, l *Tree) *Search {
	s := &Search{host: h, group: group, lane: group.Lane(), list: l}
	s.Filter = control.NewFilter(h, "Find in comparison", find.Columns, s.Rerun)
	s.Filter.OnLeave(s.focusList)
	s.Field = s.Filter.Field
	s.Matches = widget.NewLabel("")
	s.Matches.Importance = widget.LowImportance
	s.Matches.Hide()
	return s
}

// Find moves the keyboard focus to the search field.
func (s *Search) Find() { s.Field.Focus(s.list.View.Rows) }

func (s *Search) focusList(toList bool) {
	if toList {
		s.goTo(0, 1)
	}
	s.list.View.Rows.Focus()
}

// Clear shows all pairs again.
func (s *Search) Clear() { s.Field.SetText("") }

// Rerun searches in the background for the text of the field, among pairs with the visible statuses.
func (s *Search) Rerun() {
	found, v := s.list.Comparison, s.list.filter
	v.result = nil
	query, err := find.NewQuery(s.Field.Text)
	s.Filter.ShowError(err)
	switch {
	case found == nil:
		return
	case err != nil:
		s.stop()
		s.setMatchText("")
		return
	case query.Empty():
		s.stop()
		s.setMatchText("")
		s.list.setFilter(v)
		return
	}
	s.lane.Go(func(ctx context.Context) func() {
		if !s.group.Pause(ctx, searchPause) {
			return nil
		}
		search := searcher{ctx: ctx, query: query, filter: v, progress: s.group.Progress(ctx, func(int64, int64) {
			s.host.Busy("Searching", -1, s.stop)
		})}
		v.result = search.searchBelow(found.Root())
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			s.host.Busy("", 0, nil)
			if v.result == nil {
				v.result = new(searchResult)
			}
			s.list.setFilter(v)
			s.setMatchText(search.summary())
		}
	})
}

func (s *Search) stop() {
	s.lane.Stop()
	s.host.Busy("", 0, nil)
}

func (s *Search) setMatchText(text string) {
	s.Matches.SetText(text)
	paint.SetVisible(s.Matches, text != "")
	if s.OnResult != nil {
		s.OnResult()
	}
}

// FindNext moves to the next match.
func (s *Search) FindNext() { s.step(false) }

// FindPrevious moves to the previous match.
func (s *Search) FindPrevious() { s.step(true) }

// step moves to the next or previous match; without a search it starts one.
func (s *Search) step(backward bool) {
	current := s.list.View.Rows.Current()
	switch {
	case s.Field.Text == "":
		s.Find()
	case backward:
		s.goTo(current-1, -1)
	default:
		s.goTo(current+1, 1)
	}
}

// goTo moves to the first match at or after row in the direction of step.
func (s *Search) goTo(row, step int64) {
	tree := s.list.View
	query, err := find.NewQuery(s.Field.Text)
	n := tree.Len()
	if err != nil || n == 0 || query.Empty() {
		return
	}
	for range min(n, maxOpened*2) {
		row = (row + n) % n
		if matches(query, s.list.Pair(tree.At(row))) {
			tree.GoTo(row)
			return
		}
		row += step
	}
}

func matches(q *find.Query, p *compare.Pair) bool {
	return p.New != nil && q.Match(p.New) || p.Old != nil && q.Match(p.Old)
}

// searcher searches the visible pairs.
type searcher struct {
	ctx      context.Context
	query    *find.Query
	filter   filter
	progress model.Progress
	visited  int64
	matches  int64
	full     bool
}

// summary returns the number of matches as a short text.
func (s *searcher) summary() string {
	switch {
	case s.matches == 0 && !s.filter.states.Has(compare.Same):
		return "no matches in the differences"
	case s.matches == 0:
		return "none"
	case s.full:
		return "first " + host.Number(s.matches) + " matches"
	}
	return host.Count(s.matches, "match")
}

// searchBelow returns the matches below a pair, or nil.
func (s *searcher) searchBelow(p *compare.Pair) *searchResult {
	found := &searchResult{results: make(map[int]*searchResult)}
	accepts := s.filter.filterBelow(p)
	p.Runs(func(r compare.Run) bool {
		if !accepts(r) {
			return true
		}
		for i := r.First; i < r.First+r.N; i++ {
			if s.visited++; s.visited%512 == 0 {
				s.progress(s.visited, 0)
			}
			if s.ctx.Err() != nil || s.full {
				return false
			}
			child := p.Child(i)
			hit := matches(s.query, child)
			if hit {
				s.matches++
				s.full = s.matches >= maxMatches
			}
			if !child.Leaf() {
				if deeper := s.searchBelow(child); deeper != nil {
					found.results[i] = deeper
				}
			}
			if hit || found.results[i] != nil {
				found.index = append(found.index, i)
			}
		}
		return true
	})
	if found.index == nil {
		return nil
	}
	return found
}
