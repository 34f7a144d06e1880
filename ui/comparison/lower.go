package comparison

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/compare"
	"assay/model/notes"
	"assay/ui/comparison/bytes"
	"assay/ui/comparison/compared"
	"assay/ui/comparison/contents"
	"assay/ui/comparison/tree"
	"assay/ui/control"
	"assay/ui/details"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/rows"
)

// lowerPanel is the panel below the tree.
type lowerPanel uint8

const (
	bytesBelow lowerPanel = iota
	previewsBelow
	tableBelow
	textBelow
)

// Shares of the space.
const (
	treeHeightShare       = 0.62 // share of the height for the tree with bytes below
	treeShareWithPreviews = 0.42 // share of the height for the tree with previews below
	treeShareOfSingleNode = 0.2  // share of the height for the tree of a single node
	treeWidthShare        = 0.70 // share of the width for the tree left of the details
)

func (c *Comparison) layout() {
	top := container.NewHSplit(c.tree.View.Rows, c.details)
	top.SetOffset(treeWidthShare)
	c.lower = container.NewStack(c.bytes.Content)
	c.cover = control.NewMaximizer(c.lower, c.Keys())
	bottom := container.NewBorder(c.strip, nil, nil, nil, c.cover.Content())
	c.panes = container.NewVSplit(top, bottom)
	c.treeHeight = treeHeightShare
	c.panes.SetOffset(c.treeHeight)
	c.body = container.NewStack()
	// The notices have an area of their own: over the panes they would hide the tools of the pictures.
	c.content = c.Search.Filter.WithPopup(container.NewBorder(c.header.content, c.notices.Content(), nil, nil, c.body))
}

// TogglePreviews switches between the preview and the bytes of the selected pair; for texts, between their lines, their
// preview and their bytes.
func (c *Comparison) TogglePreviews() {
	next := c.nextLower()
	c.lowerChosen = true
	c.openLower(next)
}

// nextLower returns the panel that TogglePreviews switches to.
func (c *Comparison) nextLower() lowerPanel {
	switch isDrawn := c.result != nil && contents.HasViews(c.result); {
	case c.lowerShown == textBelow && isDrawn && !plainText(c.result):
		return previewsBelow
	case c.lowerShown == textBelow, c.lowerShown == previewsBelow:
		return bytesBelow
	case c.hasText:
		return textBelow
	}
	return previewsBelow
}

// plainText reports whether the files are displayed only as lines.
func plainText(c *compare.Comparison) bool {
	isPlain := func(d *model.Document) bool { return d.View == nil || d.Format == model.UnknownFormat }
	return isPlain(c.Old) && isPlain(c.New)
}

// ToggleTable shows the list that contains the selected pair as a table, or returns to the default panel.
func (c *Comparison) ToggleTable() {
	c.lowerChosen = c.lowerShown != tableBelow
	if c.lowerChosen {
		c.openLower(tableBelow)
	} else {
		c.openLower(c.defaultLower())
	}
}

// defaultLower returns the default panel below the tree.
func (c *Comparison) defaultLower() lowerPanel {
	switch {
	case c.hasText:
		return textBelow
	case c.result != nil && contents.HasViews(c.result):
		return previewsBelow
	}
	return bytesBelow
}

// openLower shows a panel below the tree and gives it its share of the height, unless the user chose one.
func (c *Comparison) openLower(panel lowerPanel) {
	share := treeHeightShare
	switch {
	case panel != bytesBelow && c.result != nil && c.result.BytesOnly:
		share = treeShareOfSingleNode
	case panel != bytesBelow:
		share = treeShareWithPreviews
	}
	if c.panes.Offset == c.treeHeight {
		c.treeHeight = share
		c.panes.SetOffset(share)
	}
	c.setLower(panel)
	c.previews.SetVisible(panel == previewsBelow)
	c.tables.SetVisible(panel == tableBelow)
	c.texts.SetVisible(panel == textBelow)
}

// setLower shows a panel below the tree in the height that it has.
func (c *Comparison) setLower(panel lowerPanel) {
	c.lowerShown = panel
	content := [...]fyne.CanvasObject{c.bytes.Content, c.previews.Content, c.tables.Sheet.Content(),
		c.texts.Content()}[panel]
	if c.lower.Objects[0] != content {
		c.lower.Objects = []fyne.CanvasObject{content}
		c.lower.Refresh()
	}
	c.header.updateLower(panel)
}

// onList is called when it is determined whether the selected pair has a table.
func (c *Comparison) onList() {
	c.header.enableTable()
	if c.lowerShown != previewsBelow { // OnKind of the previews calls showLowerOfPair after they are loaded
		c.showLowerOfPair()
	}
}

// showLowerOfPair shows the previews of the selected pair, else the table of an array of numbers, else its bytes. A
// panel that the user chose stays.
func (c *Comparison) showLowerOfPair() {
	if c.lowerChosen || !c.previews.Visible {
		return
	}
	switch {
	case c.previews.HasView():
		c.setLower(previewsBelow)
	case c.tables.HasList && c.tables.IsNumbers:
		c.setLower(tableBelow)
	default:
		c.setLower(bytesBelow)
	}
	if visible := c.lowerShown == tableBelow; visible != c.tables.Visible {
		c.tables.SetVisible(visible)
	}
}

// NextChange moves to the next change: in the panel below the tree if it has the focus, or if the tree has no changes.
func (c *Comparison) NextChange() {
	if !c.stepInLower(1) {
		c.Steps.NextChange()
	}
}

// PreviousChange moves to the previous change, in the same way.
func (c *Comparison) PreviousChange() {
	if !c.stepInLower(-1) {
		c.Steps.PreviousChange()
	}
}

// stepper moves to the next change in a direction. With wrap it starts at the other end. It returns false at the end.
type stepper func(step int, wrap bool) bool

// stepInLower steps in the panel below the tree. It returns false to step through the tree.
func (c *Comparison) stepInLower(delta int) bool {
	noun, step := c.lowerStepper()
	if step != nil {
		c.lowerWrapper.Step(c, noun, delta, func(wrap bool) bool { return step(delta, wrap) })
	}
	return step != nil
}

// lowerStepper returns the stepper of the panel below the tree and the noun for its changes, or nil to step through the
// tree.
func (c *Comparison) lowerStepper() (noun string, step stepper) {
	if c.result == nil || !c.isLowerFocused() && c.treeHasChanges() {
		return "", nil
	}
	switch c.lowerShown {
	case textBelow:
		return "changed line", c.texts.Step
	case tableBelow:
		return "changed row", c.tables.Step
	case bytesBelow:
		return "range of bytes that differ", c.bytes.Step
	}
	return c.previews.Steps()
}

// ToggleMaximized maximizes the panel below the tree, or restores it.
func (c *Comparison) ToggleMaximized() { c.cover.Toggle() }

// treeHasChanges reports whether the tree has a row to step to.
func (c *Comparison) treeHasChanges() bool {
	if c.result.BytesOnly || c.result.Root().Leaf() {
		return false
	}
	n := c.result.Counts()
	return n.Differences() > 0 || c.tree.Statuses().Has(compare.Same)
}

// isLowerFocused reports whether the panel below the tree has the focus.
func (c *Comparison) isLowerFocused() bool {
	driver := fyne.CurrentApp().Driver()
	canvas := driver.CanvasForObject(c.lower)
	if canvas == nil {
		return false
	}
	focused, ok := canvas.Focused().(fyne.CanvasObject)
	return ok && paint.Contains(c.lower, driver.AbsolutePositionForObject(focused))
}

// selectPair shows the pair that the user selected in all panels.
func (c *Comparison) selectPair(p *compare.Pair) {
	c.pair, c.selected = p, p.Path()
	c.details.ShowPair(slices.Insert(tree.DescribePair(c.result, p, c.tree.Items().Status(p)), 1, c.noteLines(p)...))
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
			c.tree.SetNoted(c.noteMark)
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
