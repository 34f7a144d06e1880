package comparison

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
)

// The most pairs that are copied, and nodes that are handed to the export, at once.
const (
	linesCopied  = 10_000
	exportedMost = 100_000
)

// copyLines copies the selected pairs as lines of the report.
func (c *Comparison) copyLines() {
	c.copyEach(func(p *compare.Pair) string {
		l := changes.LineOf(p)
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
	pairs := c.list.Selected(linesCopied)
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

// wholeValue is a node's value in full, where it is a text.
func wholeValue(n *model.Node) string {
	if n == nil {
		return ""
	}
	if s, ok := n.Value.(string); ok {
		return s
	}
	return n.ValueText()
}

var errEnough = errors.New("too many assets to export at once")

// exportSelected hands the new nodes of the selected pairs to the export.
func (c *Comparison) exportSelected() {
	var nodes []*model.Node
	for _, p := range c.list.Selected(exportedMost) {
		if p.New != nil {
			nodes = append(nodes, p.New)
		}
	}
	c.export(c.c, nodes)
}

// ExportChanged hands everything to the export that is new or changed in the new file and has a key: only such things
// are assets.
func (c *Comparison) ExportChanged() {
	found := c.c
	if found == nil {
		return
	}
	c.Busy("Collecting changes", -1, nil)
	c.Group.Go(func(ctx context.Context) func() {
		var nodes []*model.Node
		err := found.Rows(func(p *compare.Pair) error {
			if len(nodes) >= exportedMost {
				return errEnough
			}
			if p.New != nil && p.New.Key != "" && (p.Status == compare.Added || p.Status == compare.Changed) {
				nodes = append(nodes, p.New)
			}
			return ctx.Err()
		})
		return func() {
			c.Busy("", 0, nil)
			if err != nil {
				c.complain(err)
			}
			c.export(found, nodes)
		}
	})
}

func (c *Comparison) export(found *compare.Comparison, nodes []*model.Node) {
	if len(nodes) == 0 {
		c.Tell("The selection has no assets in the new file.")
		return
	}
	c.Export(found.New, nodes)
}

// menu opens the menu of a pair.
func (c *Comparison) showPairMenu(p *compare.Pair, at fyne.Position) {
	var items []*fyne.MenuItem
	add := func(label string, do func()) { items = append(items, fyne.NewMenuItem(label, do)) }
	line := func() { items = append(items, fyne.NewMenuItemSeparator()) }
	if old, new, ok := c.unmatchedPair(); ok {
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
			add([]string{"Open in the Old File", "Open in the New File"}[i], func() { c.Open(c.in.sides[i], n.Path()) })
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
			c.in.change(func(o *compare.Options) { o.Names = append(slices.Clip(o.Names), name) })
		})
	}
	if p.Old == nil || p.New == nil {
		add("To pair nodes, select one removed and one added node", nil)
		items[len(items)-1].Disabled = true
	}
	c.Menu(fyne.NewMenu("", items...), at)
}

// unmatchedPair returns one removed and one added node, if those two are selected.
func (c *Comparison) unmatchedPair() (old, new *model.Node, ok bool) {
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

// pair compares an old node with a new one, because a person says that they belong together.
func (c *Comparison) pairByHand(old, new *model.Node) {
	c.in.change(func(o *compare.Options) {
		o.Pairs = append(slices.Clip(o.Pairs), compare.Match{Old: old.Path(), New: new.Path()})
	})
}
