package comparison

import (
	"context"
	"slices"

	"assay/model"
	"assay/model/compare"
	"assay/model/notes"
	"assay/ui/comparison/bytes"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/tree"
	"assay/ui/details"
	"assay/ui/noted"
	"assay/ui/rows"
)

// selectPair shows the pair that the user selected in all panels.
func (c *Comparison) selectPair(p *compare.Pair) {
	c.pair, c.selected = p, p.Path()
	c.details.ShowPair(slices.Insert(tree.DescribePair(c.result, p, c.list.Items().Status(p)), 1, c.noteLines(p)...))
	c.strip.SetSelected(p)
	c.bytes.SelectPair(p)
	c.previews.SelectPair(p)
	c.texts.SelectPair(p)
	c.tables.SelectPath(c.selected)
	c.readDetails(p)
	c.Changed()
}

// readDetails loads the rest of the details.
func (c *Comparison) readDetails(p *compare.Pair) {
	result, path := c.result, c.selected
	c.reading.Go(func(ctx context.Context) func() {
		pair := result.At(path)
		if pair == nil {
			return nil
		}
		lines := tree.ReadDetails(ctx, result, pair, c.goTo)
		return func() {
			if len(lines) > 0 && c.pair == p {
				c.details.Add(lines)
			}
		}
	})
}

// onAligned adds the ranges of bytes that differ to the details of long values, and of files that were compared only as
// bytes.
func (c *Comparison) onAligned(a *bytes.Alignment, wholeFiles bool) {
	var differ []details.Line
	switch p := c.pair; {
	case wholeFiles && c.result.BytesOnly:
		c.strip.SetAlignment(a)
		differ = c.ranges(a)
	case !wholeFiles && p != nil && p.Leaf() && compared.IsLong(p.Old) && compared.IsLong(p.New):
		differ = c.ranges(a)
	default:
		return
	}
	c.details.SetRanges(differ)
}

// ranges returns the ranges of bytes that differ as lines of details.
func (c *Comparison) ranges(a *bytes.Alignment) []details.Line {
	if a.Edits == 0 || a.Old.Size == 0 || a.New.Size == 0 {
		return nil
	}
	return tree.Ranges(a.Edits, a.New.Offset, a.Differences(), c.bytes.GoTo)
}

// ReadNotes looks for the notes of both sides, in the background.
func (c *Comparison) ReadNotes() {
	result := c.result
	if result == nil {
		return
	}
	c.noting.Go(func(ctx context.Context) func() {
		var placed [2]*notes.Placement
		for side, d := range []*model.Document{result.Old, result.New} {
			var err error
			if placed[side], err = c.PlaceNotes(ctx, d, nil); err != nil {
				return nil // the bytes panel reports that they cannot be read
			}
		}
		return func() {
			if c.result != result || placed[0].Equal(c.notes[0]) && placed[1].Equal(c.notes[1]) {
				return
			}
			c.notes = placed
			c.list.SetNoted(c.noteMark)
			c.bytes.SetNotes(placed)
			c.strip.SetNotes(placed)
			if c.pair != nil {
				c.selectPair(c.pair)
			}
		}
	})
}

// noteMark marks the row of a node of a side.
func (c *Comparison) noteMark(side int, n *model.Node) (flag rows.Mark, tip string) {
	return noted.RowFlag(c.notes[side].OnNode(n))
}

// noteLines returns the notes on both nodes of a pair as lines of details, each once.
func (c *Comparison) noteLines(p *compare.Pair) (lines []details.Line) {
	old, new := c.notes[0].OnNode(p.Old), c.notes[1].OnNode(p.New)
	add := func(side int, n notes.PlacedNote) {
		l := noted.Lines([]notes.PlacedNote{n}, nil)[0]
		text := l.Cells[1]
		text.Span = 0
		l.Cells = []rows.Cell{l.Cells[0], {}, {}}
		l.Cells[1+side] = text
		lines = append(lines, l)
	}
	for _, n := range old {
		isOnBoth := func(o notes.PlacedNote) bool { return o.ID == n.ID }
		if slices.ContainsFunc(new, isOnBoth) {
			new = slices.DeleteFunc(new, isOnBoth)
			lines = append(lines, noted.Lines([]notes.PlacedNote{n}, nil)...)
		} else {
			add(0, n)
		}
	}
	for _, n := range new {
		add(1, n)
	}
	return lines
}
