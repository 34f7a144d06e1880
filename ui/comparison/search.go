package comparison

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/compare"
	"assay/model/find"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/look"
	"assay/ui/wording"
	"assay/ui/work"
)

// matchesMost is how many matches are kept.
const matchesMost = 20_000

// searchPause is how long a person may go on typing before the search begins.
const searchPause = 150 * time.Millisecond

// search is the field above the tree, which leaves the pairs that match.
type search struct {
	host  host.Host
	group *work.Group
	lane  *work.Lane
	list  *list

	field   *control.Field
	matches *widget.Label
	onSay   func() // is called when matches says something else
}

func newSearch(h host.Host, group *work.Group, l *list) *search {
	s := &search{host: h, group: group, lane: group.Lane(), list: l}
	s.field = control.NewField(h, "Find in both")
	s.field.Icon = theme.SearchIcon()
	s.field.OnChanged = func(string) { s.again() }
	s.field.Filters(s.leave)
	s.matches = widget.NewLabel("")
	s.matches.Importance = widget.LowImportance
	s.matches.Hide()
	return s
}

// Find returns the search field the keyboard.
func (s *search) Find() { s.field.Focus(s.list.tree.Rows) }

func (s *search) leave(into bool) {
	if into {
		s.goTo(0, 1)
	}
	s.list.tree.Rows.Focus()
}

// clear shows all pairs again.
func (s *search) clear() { s.field.SetText("") }

// again searches in the background for what the field says, among the states that are shown.
func (s *search) again() {
	found, v := s.list.c, filter{states: s.list.filter.states}
	query := find.NewQuery(strings.TrimSpace(s.field.Text))
	switch {
	case found == nil:
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

func (s *search) stop() {
	s.lane.Stop()
	s.host.Busy("", 0, nil)
}

func (s *search) say(text string) {
	s.matches.SetText(text)
	look.Show(s.matches, text != "")
	if s.onSay != nil {
		s.onSay()
	}
}

// FindNext goes to the next match.
func (s *search) FindNext() { s.step(false) }

// FindPrevious goes to the match before.
func (s *search) FindPrevious() { s.step(true) }

// step goes to the next match, or to the one before; without a search it begins one.
func (s *search) step(back bool) {
	current := s.list.tree.Rows.Current()
	switch {
	case s.field.Text == "":
		s.Find()
	case back:
		s.goTo(current-1, -1)
	default:
		s.goTo(current+1, 1)
	}
}

// goTo goes to the first row that matches, from one on in a direction.
func (s *search) goTo(row, by int64) {
	tree, query := s.list.tree, find.NewQuery(s.field.Text)
	n := tree.Len()
	if n == 0 || query.Empty() {
		return
	}
	for range min(n, opensMost*2) {
		row = (row + n) % n
		if matches(query, s.list.pair(tree.At(row))) {
			tree.GoTo(row)
			return
		}
		row += by
	}
}

func matches(q find.Query, p *compare.Pair) bool {
	return p.New != nil && q.Match(p.New) || p.Old != nil && q.Match(p.Old)
}

// searcher goes through the pairs that are shown.
type searcher struct {
	ctx      context.Context
	query    find.Query
	filter   filter
	progress model.Progress
	looked   int64
	matches  int64
	full     bool
}

// summary says in a few words how much matches.
func (s *searcher) summary() string {
	switch {
	case s.matches == 0 && !s.filter.states.has(compare.Same):
		return "none among the differences"
	case s.matches == 0:
		return "none"
	case s.full:
		return "first " + wording.Number(s.matches) + " matches"
	}
	return wording.Number(s.matches) + plural(s.matches, " match", " matches")
}

// below returns what matches below a pair; nil if nothing does.
func (s *searcher) below(p *compare.Pair) *kept {
	var k *kept
	keep := func(i int, below *kept) {
		if k == nil {
			k = new(kept)
		}
		k.index = append(k.index, i)
		if below != nil {
			if k.below == nil {
				k.below = make(map[int]*kept)
			}
			k.below[i] = below
		}
	}
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
				if s.matches++; s.matches >= matchesMost {
					s.full = true
				}
			}
			var deeper *kept
			if !child.Leaf() {
				deeper = s.below(child)
			}
			if hit || deeper != nil {
				keep(i, deeper)
			}
		}
		return true
	})
	return k
}
