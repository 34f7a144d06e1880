package comparison

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/notes"
	"assay/ui/comparison/contents"
	"assay/ui/control"
	"assay/ui/details"
	"assay/ui/noted"
	"assay/ui/rows"
)

// lowerPanel is the panel below the tree.
type lowerPanel uint8

const (
	bytesBelow lowerPanel = iota
	picturesBelow
	tableBelow
	textBelow
)

// Shares of the space.
const (
	listShare             = 0.62 // share of the height that the list has, with bytes below
	listShareWithPictures = 0.42 // share with pictures below
	listShareOfSingleNode = 0.2  // share for files with a single node
	treeShare             = 0.70 // share of the width left of the details
)

func (c *Comparison) layout() {
	top := container.NewHSplit(c.list.View.Rows, c.details)
	top.SetOffset(treeShare)
	c.lower = container.NewStack(c.bytes.Content)
	c.cover = control.NewMaximizer(c.lower, c.Keys())
	bottom := container.NewBorder(c.strip, nil, nil, nil, c.cover.Content())
	c.panes = container.NewVSplit(top, bottom)
	c.share = listShare
	c.panes.SetOffset(c.share)
	c.body = container.NewStack()
	// The notices have an area of their own: over the panes they would hide the tools of the pictures.
	c.content = c.Search.Filter.WithPopup(container.NewBorder(c.header.content, c.notices.Content(), nil, nil, c.body))
}

// TogglePictures switches between the preview and the bytes of the selected pair; for texts, between their lines, their
// preview and their bytes.
func (c *Comparison) TogglePictures() {
	next := c.nextLower()
	c.lowerChosen = true
	c.show(next)
}

// nextLower returns the panel that TogglePictures switches to.
func (c *Comparison) nextLower() lowerPanel {
	switch isDrawn := c.result != nil && contents.HasViews(c.result); {
	case c.lowerShown == textBelow && isDrawn && !plainText(c.result):
		return picturesBelow
	case c.lowerShown == textBelow, c.lowerShown == picturesBelow:
		return bytesBelow
	case c.hasText:
		return textBelow
	}
	return picturesBelow
}

// plainText reports whether the files are displayed only as lines.
func plainText(c *compare.Comparison) bool {
	return (c.Old.View == nil || c.Old.Format == "bytes") && (c.New.View == nil || c.New.Format == "bytes")
}

// ToggleTable shows the list that contains the selected pair as a table, or returns to the default panel.
func (c *Comparison) ToggleTable() {
	c.lowerChosen = c.lowerShown != tableBelow
	if c.lowerChosen {
		c.show(tableBelow)
	} else {
		c.show(c.defaultLower())
	}
}

// defaultLower returns the default panel below the tree.
func (c *Comparison) defaultLower() lowerPanel {
	switch {
	case c.hasText:
		return textBelow
	case c.result != nil && contents.HasViews(c.result):
		return picturesBelow
	}
	return bytesBelow
}

// show displays a panel below the list, and gives it its share of the height.
func (c *Comparison) show(panel lowerPanel) {
	share := listShare
	switch {
	case panel != bytesBelow && c.result != nil && c.result.BytesOnly:
		share = listShareOfSingleNode
	case panel != bytesBelow:
		share = listShareWithPictures
	}
	if c.panes.Offset == c.share { // the user did not choose it
		c.share = share
		c.panes.SetOffset(share)
	}
	c.showLower(panel)
	c.pictures.Show(panel == picturesBelow)
	c.tables.Show(panel == tableBelow)
	c.texts.SetVisible(panel == textBelow)
}

// showLower shows a panel below the tree.
func (c *Comparison) showLower(panel lowerPanel) {
	c.lowerShown = panel
	content := [...]fyne.CanvasObject{c.bytes.Content, c.pictures.Content, c.tables.Sheet.Content(),
		c.texts.Content()}[panel]
	if c.lower.Objects[0] != content {
		c.lower.Objects = []fyne.CanvasObject{content}
		c.lower.Refresh()
	}
	c.header.showLower(panel)
}

// onList is called when it is determined whether the selected pair has a table.
func (c *Comparison) onList() {
	c.header.showTable()
	if c.lowerShown != picturesBelow { // onKind of the pictures decides after they are loaded
		c.showDefault()
	}
}

// showDefault shows the pictures of the selected pair, else the table of an array of numbers, else its bytes. A panel
// that the user chose stays.
func (c *Comparison) showDefault() {
	if c.lowerChosen || !c.pictures.Visible {
		return
	}
	switch {
	case c.pictures.HasView():
		c.showLower(picturesBelow)
	case c.tables.HasList && c.tables.IsNumbers:
		c.showLower(tableBelow)
	default:
		c.showLower(bytesBelow)
	}
	if visible := c.lowerShown == tableBelow; visible != c.tables.Visible {
		c.tables.Show(visible)
	}
}

// Limits of the commands for the selected pairs.
const (
	maxCopiedLines = 10_000
	maxExported    = 100_000
)

// copyLines copies the selected pairs as lines of the report.
func (c *Comparison) copyLines() {
	blocks := changes.Blocks{Most: changes.MaxBlockBytes}
	c.copyEach(func(p *compare.Pair) string {
		l := changes.LineOf(p, &blocks)
		s := l.Sign + " " + l.Path
		if l.Change != "" {
			s += " " + l.Change
		}
		return s
	})
}

func (c *Comparison) copyOld() { c.copyEach(func(p *compare.Pair) string { return wholeValue(p.Old) }) }

func (c *Comparison) copyNew() { c.copyEach(func(p *compare.Pair) string { return wholeValue(p.New) }) }

func (c *Comparison) copyPath() {
	c.copyEach(func(p *compare.Pair) string { return p.Node().NamePath() })
}

func (c *Comparison) copyEach(line func(p *compare.Pair) string) {
	pairs := c.list.Selected(maxCopiedLines)
	if len(pairs) == 0 {
		return
	}
	c.Group.Go(func(ctx context.Context) func() {
		var lines []string
		for _, p := range pairs {
			if ctx.Err() != nil {
				return nil
			}
			lines = append(lines, line(p))
		}
		return func() { c.Copy(strings.Join(lines, "\n")) }
	})
}

// wholeValue is the full value of a node with a text.
func wholeValue(n *model.Node) string {
	if n == nil {
		return ""
	}
	if s, ok := n.Value.(string); ok {
		return s
	}
	return n.ValueText()
}

var errTooManyAssets = errors.New("too many assets to export at once")

// exportSelected exports the new nodes of the selected pairs.
func (c *Comparison) exportSelected() {
	var nodes []*model.Node
	for _, p := range c.list.Selected(maxExported) {
		if p.New != nil {
			nodes = append(nodes, p.New)
		}
	}
	c.export(c.result, nodes)
}

// ExportChanged exports all nodes with keys that are new or changed in the new file: only these are assets.
func (c *Comparison) ExportChanged() {
	found := c.result
	if found == nil {
		return
	}
	c.Busy("Collecting changes", -1, nil)
	c.Group.Go(func(ctx context.Context) func() {
		var nodes []*model.Node
		err := found.Rows(func(p *compare.Pair) error {
			if len(nodes) >= maxExported {
				return errTooManyAssets
			}
			if p.New != nil && p.New.Key != "" && (p.Status == compare.Added || p.Status == compare.Changed) {
				nodes = append(nodes, p.New)
			}
			return ctx.Err()
		})
		return func() {
			c.Busy("", 0, nil)
			if err != nil {
				c.notifyError(err)
			}
			c.export(found, nodes)
		}
	})
}

func (c *Comparison) export(found *compare.Comparison, nodes []*model.Node) {
	if len(nodes) == 0 {
		c.ShowHint("The selection has no assets in the new file.")
		return
	}
	c.Export(found.New, nodes)
}

func (c *Comparison) showPairMenu(p *compare.Pair, pos fyne.Position) {
	var items []*fyne.MenuItem
	add := func(label string, do func()) { items = append(items, fyne.NewMenuItem(label, do)) }
	line := func() { items = append(items, fyne.NewMenuItemSeparator()) }
	if old, new, ok := c.selectedUnmatched(); ok {
		add("Pair Selected", func() { c.pairByHand(old, new) })
		line()
	}
	if p.Old != nil {
		add("Copy Old Value", c.copyOld)
	}
	if p.New != nil {
		add("Copy New Value", c.copyNew)
	}
	add("Copy Path", c.copyPath)
	add("Copy as Text", c.copyLines)
	line()
	for i, n := range []*model.Node{p.Old, p.New} {
		if n != nil {
			add([]string{"Open in the Old File", "Open in the New File"}[i], func() {
				c.Open(c.input.sides[i],
					n.Path())
			})
		}
	}
	if p.New != nil {
		line()
		add("Add to Export", c.exportSelected)
		add("Add New and Changed Assets to Export List", c.ExportChanged)
	}
	line()
	if name := p.Node().Name; name != "" && p.Parent() != nil && !p.Node().Element() {
		add("Ignore “"+model.OneLine(name, 40)+"” Everywhere", func() {
			c.input.changeRules(func(o *compare.Options) { o.Names = append(slices.Clip(o.Names), name) })
		})
	}
	if p.Old == nil || p.New == nil {
		add("To pair nodes, select one removed and one added node", nil)
		items[len(items)-1].Disabled = true
	}
	c.Menu(fyne.NewMenu("", items...), pos)
}

// selectedUnmatched returns one removed and one added node, if those two are selected.
func (c *Comparison) selectedUnmatched() (old, new *model.Node, ok bool) {
	pairs := c.list.Selected(3)
	if len(pairs) != 2 {
		return nil, nil, false
	}
	for _, p := range pairs {
		switch {
		case p.New == nil && old == nil:
			old = p.Old
		case p.Old == nil && new == nil:
			new = p.New
		}
	}
	return old, new, old != nil && new != nil
}

// pairByHand compares an old node with a new one that the user paired.
func (c *Comparison) pairByHand(old, new *model.Node) {
	c.input.changeRules(func(o *compare.Options) {
		o.Pairs = append(slices.Clip(o.Pairs), compare.Match{Old: old.Path(), New: new.Path()})
	})
}

// ReadNotes looks for the notes of both sides, in the background.
func (c *Comparison) ReadNotes() {
	found := c.result
	if found == nil {
		return
	}
	c.noting.Go(func(ctx context.Context) func() {
		var placed [2]*notes.Placement
		for side, d := range []*model.Document{found.Old, found.New} {
			var err error
			if placed[side], err = c.PlaceNotes(ctx, d, nil); err != nil {
				return nil // the bytes panel reports that they cannot be read
			}
		}
		return func() {
			if c.result != found || placed[0].Equal(c.notes[0]) && placed[1].Equal(c.notes[1]) {
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
	return noted.RowFlag(c.notes[side].On(n))
}

// noteLines returns the notes on both nodes of a pair as lines of details, each once.
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
