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
	"assay/ui/comparison/compared"
	"assay/ui/comparison/tree"
)

// picked does what can be done with the selected pairs: copying, exporting, and pairing by hand.
type picked struct {
	compared.Deps
	list     *tree.Tree
	in       *input
	complain func(err error)
}

// The most pairs that are copied, and nodes that are handed to the export, at once.
const (
	linesCopied  = 10_000
	exportedMost = 100_000
)

// copyLines copies the selected pairs as lines of the report.
func (k *picked) copyLines() {
	k.copyEach(func(p *compare.Pair) string {
		l := changes.LineOf(p)
		s := l.Sign + " " + l.Path
		if l.Change != "" {
			s += " " + l.Change
		}
		return s
	})
}

func (k *picked) copyOld() { k.copyEach(func(p *compare.Pair) string { return wholeValue(p.Old) }) }

func (k *picked) copyNew() { k.copyEach(func(p *compare.Pair) string { return wholeValue(p.New) }) }

func (k *picked) copyPath() { k.copyEach(func(p *compare.Pair) string { return p.Node().NamePath() }) }

func (k *picked) copyEach(line func(p *compare.Pair) string) {
	pairs := k.list.Selected(linesCopied)
	if len(pairs) == 0 {
		return
	}
	k.Group.Go(func(ctx context.Context) func() {
		var lines []string
		for _, p := range pairs {
			if ctx.Err() != nil {
				return nil
			}
			lines = append(lines, line(p))
		}
		return func() { k.Copy(strings.Join(lines, "\n")) }
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

var errEnough = errors.New("there are more than can be exported at once")

// exportSelected hands the new nodes of the selected pairs to the export.
func (k *picked) exportSelected() {
	var nodes []*model.Node
	for _, p := range k.list.Selected(exportedMost) {
		if p.New != nil {
			nodes = append(nodes, p.New)
		}
	}
	k.export(k.list.Comparison, nodes)
}

// ExportChanged hands everything to the export that is new or changed in the new file and has a key: only such things
// are assets.
func (k *picked) ExportChanged() {
	found := k.list.Comparison
	if found == nil {
		return
	}
	k.Busy("Gathering what changed", -1, nil)
	k.Group.Go(func(ctx context.Context) func() {
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
			k.Busy("", 0, nil)
			if err != nil {
				k.complain(err)
			}
			k.export(found, nodes)
		}
	})
}

func (k *picked) export(found *compare.Comparison, nodes []*model.Node) {
	if len(nodes) == 0 {
		k.Tell("Nothing here can be exported from the new file.")
		return
	}
	k.Export(found.New, nodes)
}

// menu opens the menu of a pair.
func (k *picked) menu(p *compare.Pair, at fyne.Position) {
	var items []*fyne.MenuItem
	add := func(label string, do func()) { items = append(items, fyne.NewMenuItem(label, do)) }
	line := func() { items = append(items, fyne.NewMenuItemSeparator()) }
	if old, new, ok := k.unmatchedPair(); ok {
		add("Pair These Two", func() { k.pair(old, new) })
		line()
	}
	if p.Old != nil {
		add("Copy Old Value", k.copyOld)
	}
	if p.New != nil {
		add("Copy New Value", k.copyNew)
	}
	add("Copy Path", k.copyPath)
	add("Copy as Text", k.copyLines)
	line()
	for i, n := range []*model.Node{p.Old, p.New} {
		if n != nil {
			add([]string{"Open in the Old File", "Open in the New File"}[i], func() { k.Open(k.in.sides[i], n.Path()) })
		}
	}
	if p.New != nil {
		line()
		add("Add to Export", k.exportSelected)
		add("Add Everything New or Changed to Export", k.ExportChanged)
	}
	line()
	if name := p.Node().Name; name != "" && p.Parent() != nil && !p.Node().Element() {
		add("Leave Out “"+model.OneLine(name, 40)+"” Everywhere", func() {
			k.in.change(func(o *compare.Options) { o.Names = append(slices.Clip(o.Names), name) })
		})
	}
	if p.Old == nil || p.New == nil {
		add("To pair by hand: select one removed and one added", nil)
		items[len(items)-1].Disabled = true
	}
	k.Menu(fyne.NewMenu("", items...), at)
}

// unmatchedPair returns one removed and one added node, if those two are selected.
func (k *picked) unmatchedPair() (old, new *model.Node, ok bool) {
	pairs := k.list.Selected(3)
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
func (k *picked) pair(old, new *model.Node) {
	k.in.change(func(o *compare.Options) {
		o.Pairs = append(slices.Clip(o.Pairs), compare.Match{Old: old.Path(), New: new.Path()})
	})
}
