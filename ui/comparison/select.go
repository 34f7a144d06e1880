package comparison

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/model"
	"assay/model/compare"
	"assay/ui/status"
)

// choose takes the pair that the user went to.
func (c *Comparison) choose(p *compare.Pair) {
	c.pair, c.selected = p, p.Path()
	c.details.show(describePair(c.c, p))
	c.strip.setSelected(p)
	c.bytes.selectPair(p)
	c.read(p)
	c.Changed()
}

// read reads what the details show besides.
func (c *Comparison) read(p *compare.Pair) {
	found, path := c.c, c.selected
	c.reading.Go(func(ctx context.Context) func() {
		own := found.At(path)
		if own == nil {
			return nil
		}
		more := readPair(ctx, own, func(path model.Path) { c.goTo(path) })
		return func() {
			if len(more) > 0 && c.pair == p {
				c.details.add(more)
			}
		}
	})
}

// goTo selects the pair at a place and shows it, whatever hides it.
func (c *Comparison) goTo(path model.Path) {
	if c.c == nil {
		return
	}
	tree := c.list.tree
	if !tree.Reveal(path) && c.head.search.Text != "" {
		c.head.search.SetText("") // what was searched for hides it
		c.list.setView(view{states: c.states})
		tree.Reveal(path)
	}
	if !tree.CurrentPath().Equal(path) {
		if p := c.c.At(path); p != nil && p.Status == compare.Same {
			c.setStates(c.states | 1<<compare.Same)
			tree.Reveal(path)
		}
	}
	if p := c.list.current(); p != nil {
		c.choose(p)
	}
}

// NextChange goes to the next change, from the first one again behind the last.
func (c *Comparison) NextChange() {
	c.step((*compare.Pair).Next, func(root *compare.Pair) *compare.Pair { return root.Next() }, "From the first change again.")
}

// PreviousChange goes to the change before, from the last one again before the first.
func (c *Comparison) PreviousChange() {
	c.step((*compare.Pair).Previous, func(root *compare.Pair) *compare.Pair {
		p := last(root)
		if p.Row() {
			return p
		}
		return p.Previous()
	}, "From the last change again.")
}

// step goes on by rows until one is shown; behind the end, from the beginning again.
func (c *Comparison) step(by, begin func(p *compare.Pair) *compare.Pair, wrapped string) {
	if c.c == nil {
		return
	}
	found, from, shown := c.c, c.selected, c.states
	c.going.Go(func(ctx context.Context) func() {
		p := found.At(from)
		if p == nil {
			p = found.Root()
		}
		around := false
		for p = by(p); ; p = by(p) {
			if p == nil {
				if around {
					return func() { c.Tell("There are no such changes.") }
				}
				around = true
				if p = begin(found.Root()); p == nil {
					return func() { c.Tell("There are no changes.") }
				}
			}
			if ctx.Err() != nil {
				return nil
			}
			if (p.Leaf() || p.Status != compare.Changed) && p.Row() && shown.has(p.Status) {
				break
			}
		}
		path := p.Path()
		return func() {
			c.goTo(path)
			if around {
				c.Tell(wrapped)
			}
		}
	})
}

// last is the last pair at or below one.
func last(p *compare.Pair) *compare.Pair {
	for !p.Leaf() && p.Counts.Differences() > 0 {
		n := p.Len()
		if n == 0 {
			break
		}
		p = p.Child(n - 1)
	}
	return p
}

// Key does what a key without a modifier means here.
func (c *Comparison) Key(k *fyne.KeyEvent, shift bool) bool {
	switch k.Name {
	case fyne.KeyF8:
		c.NextChange()
	case fyne.KeyF7:
		c.PreviousChange()
	case fyne.KeyF3:
		if c.head.search.Text == "" {
			c.Find()
		} else if shift {
			c.stepMatch(-1)
		} else {
			c.stepMatch(1)
		}
	case fyne.KeyF5:
		c.Again()
	default:
		return c.Host.Key(k, shift)
	}
	return true
}

// Shortcut does what a shortcut means here.
func (c *Comparison) Shortcut(s fyne.Shortcut) bool {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		c.copyBoth()
		return true
	case *desktop.CustomShortcut:
		if s.Modifier == fyne.KeyModifierAlt {
			switch s.KeyName {
			case fyne.KeyDown:
				c.NextChange()
				return true
			case fyne.KeyUp:
				c.PreviousChange()
				return true
			}
		}
		if s.Modifier == fyne.KeyModifierShortcutDefault && s.KeyName == fyne.KeyF {
			c.Find()
			return true
		}
	}
	return c.Host.Shortcut(s)
}

// Status is what the status line says while the comparison is in view.
func (c *Comparison) Status() (way, facts []status.Segment) {
	if c.c == nil {
		return []status.Segment{{Text: c.Title(), Tone: status.Dim}}, nil
	}
	if c.pair != nil {
		for p := c.pair; p != nil; p = p.Parent() {
			name := p.Node().Name
			if p.Parent() == nil {
				name = c.c.New.Source.Name()
			}
			path := p.Path()
			way = append([]status.Segment{{Text: model.OneLine(name, 80), On: func() { c.goTo(path) }}}, way...)
		}
		if n := len(way); n > 0 {
			way[n-1].On = nil
		}
	}
	tone := status.Good
	if !c.c.Same() {
		tone = status.Warning
	}
	facts = append(facts, status.Segment{Text: "F7  F8", Hint: "F8 or Alt+Down goes to the next change, F7 or Alt+Up to the one before", Tone: status.Dim},
		status.Segment{Text: formats(c.c), Tone: status.Dim}, status.Segment{Text: c.c.Summary(), Tone: tone})
	return way, facts
}

// formats names the formats of both sides, once if they are one.
func formats(c *compare.Comparison) string {
	old, new := c.Old.Format+" "+c.Old.Variant, c.New.Format+" "+c.New.Variant
	if old == new {
		return new
	}
	return old + " → " + new
}
