package comparison

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
	"assay/model/find"
	"assay/ui/wording"
)

// matchesMost is how many matches are kept.
const matchesMost = 20_000

// searchPause is how long a person may go on typing before the search begins.
const searchPause = 150 * time.Millisecond

// Find gives the search field the keyboard.
func (c *Comparison) Find() { c.head.search.Focus(c.list.tree.Rows) }

func (c *Comparison) searchKey(k *fyne.KeyEvent, _ bool) bool {
	switch k.Name {
	case fyne.KeyEscape:
		c.head.search.SetText("")
		c.list.tree.Rows.Focus()
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeyDown:
		c.stepMatch(0)
		c.list.tree.Rows.Focus()
	default:
		return false
	}
	return true
}

// refind searches in the background for what the field says, among the states that are shown.
func (c *Comparison) refind() {
	if c.c == nil {
		return
	}
	text := strings.TrimSpace(c.head.search.Text)
	if text == "" {
		c.searching.Stop()
		c.Busy("", 0, nil)
		c.sayMatches("")
		c.list.setView(view{states: c.states})
		return
	}
	found, v := c.c, view{states: c.states}
	query := find.NewQuery(text)
	c.searching.Go(func(ctx context.Context) func() {
		if !c.Group.Pause(ctx, searchPause) {
			return nil
		}
		s := searcher{ctx: ctx, query: query, view: v, progress: c.Group.Progress(ctx, func(done, _ int64) {
			c.Busy("Searching", -1, func() {
				c.searching.Stop()
				c.Busy("", 0, nil)
			})
		})}
		left := s.below(found.Root())
		if s.ctx.Err() != nil {
			return nil
		}
		return func() {
			c.Busy("", 0, nil)
			if left == nil {
				left = new(kept)
			}
			v.kept = left
			c.list.setView(v)
			switch {
			case s.matches == 0 && !v.states.has(compare.Same):
				c.sayMatches("none among the differences")
			case s.matches == 0:
				c.sayMatches("none")
			case s.full:
				c.sayMatches("first " + wording.Number(s.matches) + " matches")
			default:
				c.sayMatches(fmt.Sprintf("%s %s", wording.Number(s.matches), verb(s.matches, "match", "matches")))
			}
		}
	})
}

func (c *Comparison) sayMatches(text string) {
	c.head.matches.SetText(text)
	if text == "" {
		c.head.matches.Hide()
	} else {
		c.head.matches.Show()
	}
}

// stepMatch goes to the next row whose pair matches, or to the one before; 0 takes the first one.
func (c *Comparison) stepMatch(by int64) {
	query := find.NewQuery(c.head.search.Text)
	tree := c.list.tree
	n := tree.Len()
	if c.c == nil || n == 0 || query.Empty() {
		return
	}
	row := tree.Rows.Current()
	if by == 0 {
		row, by = 0, 1
	}
	for range min(n, opensMost*2) {
		row = (row + by + n) % n
		if matches(query, c.list.pair(tree.At(row))) {
			tree.GoTo(row)
			return
		}
	}
}

func matches(q find.Query, p *compare.Pair) bool {
	return p.New != nil && q.Match(p.New) || p.Old != nil && q.Match(p.Old)
}

// searcher goes through the pairs that are shown.
type searcher struct {
	ctx      context.Context
	query    find.Query
	view     view
	progress model.Progress
	looked   int64
	matches  int64
	full     bool
}

// below gives what matches below a pair; nil if nothing does.
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
		if !s.view.shows(r) {
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
