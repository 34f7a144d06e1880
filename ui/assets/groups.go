package assets

import (
	"context"
	"slices"
	"time"

	"assay/model/archive"
)

// grouping is a way to put assets into groups.
type grouping struct {
	name string
	make func(ctx context.Context, a *archive.Archive) (*archive.Tree, error)
}

// treeGrouping shows all folders with what is in them, as far as they are open.
const treeGrouping = "Tree"

// Flat is the name of no groups.
const Flat = "Flat list"

func byFolders(ctx context.Context, a *archive.Archive) (*archive.Tree, error) { return a.Folders(ctx) }

var groupings = []grouping{
	{"Folders", byFolders}, {treeGrouping, byFolders},
	{Flat, func(_ context.Context, a *archive.Archive) (*archive.Tree, error) { return a.Whole(), nil }},
}

// all are the ways that this archive has: by its folders, by nothing, by the columns that tell classes of assets.
func (p *Panel) all() []grouping {
	all := groupings[:len(groupings):len(groupings)]
	if p.archive == nil {
		return all
	}
	for i, c := range p.archive.Columns() {
		if c.Class && p.archive.Has(i) {
			all = append(all, grouping{"By " + c.Name,
				func(ctx context.Context, a *archive.Archive) (*archive.Tree, error) {
					return a.By(ctx, i)
				}})
		}
	}
	return all
}

func (p *Panel) offerGroupings() {
	var names []string
	for _, g := range p.all() {
		names = append(names, g.name)
	}
	p.by.SetOptions(names)
}

// SetGrouping groups the assets in the way with a name.
func (p *Panel) SetGrouping(name string) {
	if name != p.grouping {
		p.grouping = name
		p.regroup(nil, 0)
	}
}

// chosenGrouping is the one that was chosen, or the first where the assets have no such groups.
func (p *Panel) chosenGrouping() grouping {
	all := p.all()
	return all[max(0, slices.IndexFunc(all, func(g grouping) bool { return g.name == p.grouping }))]
}

func (p *Panel) groupWord() string {
	if name := p.chosenGrouping().name; name == groupings[0].name || name == treeGrouping {
		return "folder"
	}
	return "group"
}

// regroup makes the groups anew and shows the one with the names on the way down.
func (p *Panel) regroup(names []string, delay time.Duration) {
	p.stale = true
	p.show(names, delay)
}

// enter shows a group: the one below it that was shown before is selected then, else the first thing in it.
func (p *Panel) enter(g int) {
	p.entered, p.cameFrom = true, -1
	for from := p.at; from > 0 && from != g; from = p.tree.Groups[from].Parent {
		if p.tree.Groups[from].Parent == g {
			p.cameFrom = from
		}
	}
	p.at = g
	if p.filter.Text != "" {
		p.filter.SetText("")
		return
	}
	p.arrange(0)
}

// landing is the row that is selected where a group was entered; -1 where it has none.
func (p *Panel) landing() int64 {
	first := int64(0)
	if p.shown.up && p.shown.Len() > 1 {
		first = 1
	}
	for row := first; p.cameFrom >= 0 && row < p.shown.Len(); row++ {
		if g, ok := p.shown.group(row); ok && g == p.cameFrom {
			return row
		}
	}
	return min(first, p.shown.Len()-1)
}
