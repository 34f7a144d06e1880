package doc

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/find"
	"assay/ui/wording"
)

const (
	filterMax   = 100_000
	filterDelay = 120 * time.Millisecond // after the last letter
)

// FocusFilter puts the keyboard into the filter.
func (p *Pane) FocusFilter() { p.filter.Focus(p.tree) }

func (p *Pane) filterKey(ev *fyne.KeyEvent, _ bool) bool {
	switch ev.Name {
	case fyne.KeyEscape:
		if p.filter.Text != "" {
			p.filter.SetText("")
		} else {
			p.tree.Focus()
		}
		return true
	case fyne.KeyDown, fyne.KeyReturn, fyne.KeyEnter:
		p.tree.Focus()
		return true
	}
	return false
}

// refilter shows what matches the filter's text.
func (p *Pane) refilter() {
	q := p.query()
	if q.Empty() {
		p.filtering.Stop()
		p.busy("", 0, nil)
		p.matches.say("")
		if p.tree.Filtered() {
			p.tree.SetFilter(nil)
		}
		return
	}
	root, size := p.tree.Root(), p.doc.Source.Size()
	p.filtering.Go(func(ctx context.Context) func() {
		if !p.group.Pause(ctx, filterDelay) {
			return nil
		}
		progress := p.group.Progress(ctx, func(done, total int64) {
			p.busy("Filtering", float64(done)/float64(max(1, total)), func() { p.filter.SetText("") })
		})
		grown := false
		show := func(f find.Filtered, all bool) {
			p.matches.say(matches(f, all))
			if grown {
				p.tree.GrowFilter(&f)
			} else {
				p.tree.SetFilter(&f)
			}
			grown = true
		}
		f, err := find.Filter(ctx, root, q.Match, filterMax, find.Told{Size: size, Progress: progress,
			Found: func(f find.Filtered) { p.group.Show(ctx, func() { show(f, false) }) }})
		if err != nil {
			return nil
		}
		return func() {
			p.busy("", 0, nil)
			show(f, true)
		}
	})
}

// matches says how many nodes match: of all, or so far.
func matches(f find.Filtered, all bool) string {
	n := wording.Number(f.Matches)
	switch {
	case !all:
		return n + "…"
	case f.More:
		return n + "+"
	case f.Matches == 0:
		return "none"
	}
	return n
}

// Groupings names the orders that the tree can show, the file's own first.
func (p *Pane) Groupings() []string {
	names := []string{"File order"}
	for _, g := range p.doc.Groups {
		names = append(names, g.Name)
	}
	return names
}

// Grouping is the order that is shown, by its number in Groupings.
func (p *Pane) Grouping() int { return p.grouping }

// SetGrouping shows the structure in another order.
func (p *Pane) SetGrouping(i int) {
	if i == p.grouping || i < 0 || i > len(p.doc.Groups) {
		return
	}
	d := p.doc
	if i == 0 {
		p.grouping = 0
		p.tree.SetRoot(d.Source.Name(), d.Root(), nil)
		p.regrouped()
		return
	}
	g := d.Groups[i-1]
	p.busy("Grouping", -1, p.choosing.Stop)
	p.choosing.Go(func(ctx context.Context) func() {
		root, err := g.Build(ctx)
		return func() {
			p.busy("", 0, nil)
			if err != nil {
				p.complain(err)
				p.showChoices()
				return
			}
			p.grouping = i
			p.tree.SetRoot(g.Name, root, func(n *model.Node) *model.Node {
				if n.Link == nil || !n.Leaf() {
					return nil
				}
				return p.resolve(n)
			})
			p.regrouped()
		}
	})
}

func (p *Pane) regrouped() {
	p.showChoices()
	p.status()
	if p.node != nil && p.grouping == 0 {
		p.tree.Reveal(p.node.Path())
	}
	if !p.query().Empty() {
		p.refilter()
	}
}

// showChoices shows the selectors above the tree: orders, and ways to read the file.
func (p *Pane) showChoices() {
	p.choices.RemoveAll()
	if len(p.doc.Groups) > 0 {
		s := widget.NewSelect(p.Groupings(), nil)
		s.SetSelectedIndex(p.grouping)
		s.OnChanged = func(string) { p.SetGrouping(s.SelectedIndex()) }
		p.choices.Add(s)
	}
	for _, w := range p.doc.Switches {
		s := widget.NewSelect(w.Choices, nil)
		s.PlaceHolder = w.Name
		s.SetSelectedIndex(w.Current)
		s.OnChanged = func(string) { p.reopen(w, s.SelectedIndex()) }
		label := widget.NewLabel(w.Name)
		label.Importance = widget.LowImportance
		p.choices.Add(label)
		p.choices.Add(s)
	}
	p.head.Refresh() // first, as its height goes with what it holds
	p.treeAt.Refresh()
}

// reopen reads the file in another way.
func (p *Pane) reopen(w model.Switch, choice int) {
	if choice == w.Current {
		return
	}
	p.busy("Reading", -1, p.choosing.Stop)
	p.choosing.Go(func(ctx context.Context) func() {
		d, err := w.Reopen(ctx, choice)
		return func() {
			p.busy("", 0, nil)
			if err != nil {
				p.complain(err)
				p.showChoices()
				return
			}
			p.SetDocument(d)
			if p.OnReplaced != nil {
				p.OnReplaced(d)
			}
		}
	})
}
