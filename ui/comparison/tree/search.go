package tree

import (
	"context"
	"time"

	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/find"
	"assay/ui/comparison/compared"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// matchesMost is how many matches are kept.
const matchesMost = 20_000

// searchPause is how long a person may go on typing before the search begins.
const searchPause = 150 * time.Millisecond

// Search is the field above the tree, which leaves the pairs that match.
type Search struct {
	host  host.Host
	group *work.Group
	lane  *work.Lane
	list  *Tree

	Typing  *control.Filter
	Field   *control.Field // of that
	Matches *widget.Label
	OnSay   func() // is called when matches says something else
}

// NewSearch makes the search field of a tree.
func NewSearch(h host.Host, group *work.Group, l *Tree) *Search {
	s := &Search{host: h, group: group, lane: group.Lane(), list: l}
	s.Typing = control.New(h, "Find in comparison", find.Columns, s.Again)
	s.Typing.Leave(s.leave)
	s.Field = s.Typing.Field
	s.Matches = widget.NewLabel("")
	s.Matches.Importance = widget.LowImportance
	s.Matches.Hide()
	return s
}

// Find returns the search field the keyboard.
func (s *Search) Find() { s.Field.Focus(s.list.View.Rows) }

func (s *Search) leave(into bool) {
	if into {
		s.goTo(0, 1)
	}
	s.list.View.Rows.Focus()
}

// Clear shows all pairs again.
func (s *Search) Clear() { s.Field.SetText("") }

// Again searches in the background for what the field says, among the states that are shown.
func (s *Search) Again() {
	found, v := s.list.Comparison, filter{states: s.list.filter.states}
	query, err := find.NewQuery(s.Field.Text)
	s.Typing.Wrong(err)
	switch {
	case found == nil:
		return
	case err != nil:
		s.stop()
		s.say("")
		return
	case query.Empty():
		s.stop()
		s.say("")
		s.list.setFilter(v)
		return
	}
	s.lane.Go(func(ctx context.Context) func() {
		if !s.group.Pause(ctx, searchPause) {
			return nil
		}
		w := searcher{ctx: ctx, query: query, filter: v, progress: s.group.Progress(ctx, func(int64, int64) {
			s.host.Busy("Searching", -1, s.stop)
		})}
		v.kept = w.below(found.Root())
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			s.host.Busy("", 0, nil)
			if v.kept == nil {
				v.kept = new(kept)
			}
			s.list.setFilter(v)
			s.say(w.summary())
		}
	})
}

func (s *Search) stop() {
	s.lane.Stop()
	s.host.Busy("", 0, nil)
}

func (s *Search) say(text string) {
	s.Matches.SetText(text)
	paint.Show(s.Matches, text != "")
	if s.OnSay != nil {
		s.OnSay()
	}
}

// FindNext goes to the next match.
func (s *Search) FindNext() { s.step(false) }

// FindPrevious goes to the match before.
func (s *Search) FindPrevious() { s.step(true) }

// step goes to the next match, or to the one before; without a search it begins one.
func (s *Search) step(back bool) {
	current := s.list.View.Rows.Current()
	switch {
	case s.Field.Text == "":
		s.Find()
	case back:
		s.goTo(current-1, -1)
	default:
		s.goTo(current+1, 1)
	}
}

// goTo goes to the first row that matches, from one on in a direction.
func (s *Search) goTo(row, by int64) {
	tree := s.list.View
	query, err := find.NewQuery(s.Field.Text)
	n := tree.Len()
	if err != nil || n == 0 || query.Empty() {
		return
	}
	for range min(n, opensMost*2) {
		row = (row + n) % n
		if matches(query, s.list.Pair(tree.At(row))) {
			tree.GoTo(row)
			return
		}
		row += by
	}
}

func matches(q *find.Query, p *compare.Pair) bool {
	return p.New != nil && q.Match(p.New) || p.Old != nil && q.Match(p.Old)
}

// searcher goes through the pairs that are shown.
type searcher struct {
	ctx      context.Context
	query    *find.Query
	filter   filter
	progress model.Progress
	looked   int64
	matches  int64
	full     bool
}

// summary says in a few words how much matches.
func (s *searcher) summary() string {
	switch {
	case s.matches == 0 && !s.filter.states.Has(compare.Same):
		return "no matches in the differences"
	case s.matches == 0:
		return "none"
	case s.full:
		return "first " + host.Number(s.matches) + " matches"
	}
	return host.Number(s.matches) + compared.Plural(s.matches, " match", " matches")
}

// below returns what matches below a pair; nil if nothing does.
func (s *searcher) below(p *compare.Pair) *kept {
	k := &kept{below: make(map[int]*kept)}
	p.Runs(func(r compare.Run) bool {
		if !s.filter.shows(r) {
			return true
		}
		for i := r.First; i < r.First+r.N; i++ {
			if s.looked++; s.looked%512 == 0 {
				s.progress(s.looked, 0)
			}
			if s.ctx.Err() != nil || s.full {
				return false
			}
			child := p.Child(i)
			hit := matches(s.query, child)
			if hit {
				s.matches++
				s.full = s.matches >= matchesMost
			}
			if !child.Leaf() {
				if deeper := s.below(child); deeper != nil {
					k.below[i] = deeper
				}
			}
			if hit || k.below[i] != nil {
				k.index = append(k.index, i)
			}
		}
		return true
	})
	if k.index == nil {
		return nil
	}
	return k
}
