package comparison

import (
	"context"
	"slices"

	"assay/model"
	"assay/model/compare"
	"assay/model/notes"
	"assay/ui/details"
	"assay/ui/noted"
	"assay/ui/rows"
)

// ReadNotes looks for the notes of both sides, in the background.
func (c *Comparison) ReadNotes() {
	found := c.c
	if found == nil {
		return
	}
	c.noting.Go(func(ctx context.Context) func() {
		var placed [2]*notes.Placement
		for side, d := range []*model.Document{found.Old, found.New} {
			var err error
			if placed[side], err = c.PlaceNotes(ctx, d, nil); err != nil {
				return nil // the bytes say that they cannot be read
			}
		}
		return func() {
			if c.c != found || placed[0].Equal(c.notes[0]) && placed[1].Equal(c.notes[1]) {
				return
			}
			c.notes = placed
			c.list.SetNoted(c.noted)
			c.bytes.SetNotes(placed)
			c.strip.SetNotes(placed)
			if c.pair != nil {
				c.choose(c.pair)
			}
		}
	})
}

// noted marks the row of a node of a side.
func (c *Comparison) noted(side int, n *model.Node) (flag rows.Mark, tip string) {
	return noted.Row(c.notes[side].On(n))
}

// noteLines are the notes on both nodes of a pair, as lines of details: one that is on both is there once.
func (c *Comparison) noteLines(p *compare.Pair) (lines []details.Line) {
	old, new := c.notes[0].On(p.Old), c.notes[1].On(p.New)
	add := func(side int, n notes.Placed) {
		l := noted.Lines([]notes.Placed{n}, nil)[0]
		text := l.Cells[1]
		text.Span = 0
		l.Cells = []rows.Cell{l.Cells[0], {}, {}}
		l.Cells[1+side] = text
		lines = append(lines, l)
	}
	for _, n := range old {
		isOnBoth := func(o notes.Placed) bool { return o.ID == n.ID }
		if slices.ContainsFunc(new, isOnBoth) {
			new = slices.DeleteFunc(new, isOnBoth)
			lines = append(lines, noted.Lines([]notes.Placed{n}, nil)...)
		} else {
			add(0, n)
		}
	}
	for _, n := range new {
		add(1, n)
	}
	return lines
}
