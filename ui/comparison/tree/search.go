package tree

import (
	"context"
	"time"

	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/find"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// maxMatches is the maximum number of stored matches.
const maxMatches = 20_000

// searchPause is the pause in typing after which the search begins.
const searchPause = 150 * time.Millisecond

// Search is the search field above the tree. While it has a text, only matching pairs are visible.
type Search struct {
	host  host.Host
	group *work.Group
	lane  *work.Lane
	tree  *Tree

	Filter   *control.Filter
	Field    *control.Field // the input of Filter
	Matches  *widget.Label
	OnResult func() // called when the result of matches changes
}

// NewSearch returns the search field of a tree.
func NewSearch(h host.Host, group *work.Group, t *Tree) *Search {
	s := &Search{host: h, group: group, lane: group.Lane(), tree: t}
	s.Filter = control.NewFilter(h, "Find in comparison", find.Columns, s.Rerun)
	s.Filter.SetOnLeave(s.focusList)
	s.Field = s.Filter.Field
	s.Matches = widget.NewLabel("")
	s.Matches.Importance = widget.LowImportance
	s.Matches.Hide()
	return s
}

// FocusFind moves the keyboard focus to the search field.
func (s *Search) FocusFind() { s.Field.Focus(s.tree.View.Rows) }

func (s *Search) focusList(toList bool) {
	if toList {
		s.goTo(0, 1)
	}
	s.tree.View.Rows.Focus()
}

// Clear shows all pairs again.
func (s *Search) Clear() { s.Field.SetText("") }

// Rerun searches in the background for the text of the field, among pairs with the visible statuses.
func (s *Search) Rerun() {
	result, v := s.tree.Comparison, s.tree.filter
	v.result = nil
	query, err := find.NewQuery(s.Field.Text)
	s.Filter.ShowError(err)
	switch {
	case result == nil:
		return
	case err != nil:
		s.stop()
		s.setMatchText("")
		return
	case query.Empty():
		s.stop()
		s.setMatchText("")
		s.tree.setFilter(v)
		return
	}
	s.lane.Go(func(ctx context.Context) func() {
		if !s.group.Pause(ctx, searchPause) {
			return nil
		}
		search := searcher{ctx: ctx, query: query, filter: v, progress: s.group.Progress(ctx, func(int64, int64) {
			s.host.Busy("Searching", -1, s.stop)
		})}
		v.result = search.searchBelow(result.Root())
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			s.host.Busy("", 0, nil)
			if v.result == nil {
				v.result = new(searchResult)
			}
			s.tree.setFilter(v)
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
	s.OnResult()
}

// FindNext moves to the next match.
func (s *Search) FindNext() { s.step(false) }

// FindPrevious moves to the previous match.
func (s *Search) FindPrevious() { s.step(true) }

// step moves to the next or previous match; without a search it starts one.
func (s *Search) step(backward bool) {
	current := s.tree.View.Rows.Current()
	switch {
	case s.Field.Text == "":
		s.FocusFind()
	case backward:
		s.goTo(current-1, -1)
	default:
		s.goTo(current+1, 1)
	}
}

// goTo moves to the first match at or after row in the direction of step.
func (s *Search) goTo(row, step int64) {
	tree := s.tree.View
	query, err := find.NewQuery(s.Field.Text)
	n := tree.Len()
	if err != nil || n == 0 || query.Empty() {
		return
	}
	for range min(n, maxOpened*2) {
		row = (row + n) % n
		if matches(query, s.tree.Pair(tree.At(row))) {
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
	case s.matches == 0 && !s.filter.statuses.Has(compare.Same):
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
				found.indexes = append(found.indexes, i)
			}
		}
		return true
	})
	if found.indexes == nil {
		return nil
	}
	return found
}
