package assets

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"assay/model/archive"
	"assay/model/query"
	"assay/ui/rows"
)

// grouping is a way of grouping assets.
type grouping struct {
	name string
	make func(ctx context.Context, a *archive.Archive) (*archive.Tree, error)
}

// treeGrouping lists all folders with their assets as a tree.
const treeGrouping = "Tree"

// Flat is the name of the grouping without groups.
const Flat = "Flat list"

func byFolders(ctx context.Context, a *archive.Archive) (*archive.Tree, error) { return a.Folders(ctx) }

var groupings = []grouping{
	{"Folders", byFolders}, {treeGrouping, byFolders},
	{Flat, func(_ context.Context, a *archive.Archive) (*archive.Tree, error) { return a.Whole(), nil }},
}

// all returns the groupings of this archive: the fixed ones, and one for each column with classes of assets.
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

// SetGrouping sets the grouping by its name.
func (p *Panel) SetGrouping(name string) {
	if name != p.grouping {
		p.grouping = name
		p.regroup(nil, 0)
	}
}

// chosenGrouping returns the chosen grouping, or the first one if the assets do not have it.
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

// regroup makes the groups again and enters the group with the path names.
func (p *Panel) regroup(names []string, delay time.Duration) {
	p.stale = true
	p.show(names, delay)
}

// enter goes to a group. It selects the group that contains the previous one, else the first row.
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

// landing returns the row to select in a group that was entered, or -1 if it is empty.
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

// line is a row of a tree: a group, or an asset.
type line struct {
	group, asset int32 // one is -1
	depth        int16
}

// layTree adds the lines of all groups and their sorted assets. The content of closed groups has no lines.
func (s *listing) layTree(tree *archive.Tree, closed func(folder string) bool, column int, order rows.Order) {
	own := make([]query.Order, len(tree.Groups)) // the assets of each group
	for _, i := range s.rows {
		g := tree.Of(int(i))
		own[g] = append(own[g], i)
	}
	s.groups, s.rows, s.lines = nil, make(query.Order, 0, len(s.rows)), []line{}
	var lay func(g int, path string, depth int16, hidden bool)
	lay = func(g int, path string, depth int16, hidden bool) { // no deeper than folders are
		in := slices.Clone(tree.Groups[g].Groups)
		sortGroups(tree, in, column, order)
		for _, g := range in {
			path := path + "/" + tree.Groups[g].Name
			if s.groups = append(s.groups, g); !hidden {
				s.lines = append(s.lines, line{int32(g), -1, depth})
			}
			lay(g, path, depth+1, hidden || closed(path))
		}
		for _, i := range own[g] {
			if s.rows = append(s.rows, i); !hidden {
				s.lines = append(s.lines, line{-1, int32(i), depth})
			}
		}
	}
	lay(0, "", 0, false)
}

// isTree reports whether the listing is a tree, unless a filter is set.
func (p *Panel) isTree() bool { return p.mode == details && p.chosenGrouping().name == treeGrouping }

func (p *Panel) path(g int) string { return "/" + strings.Join(p.tree.Names(g), "/") }

func (b *body) path(g int) string { return (*Panel)(b).path(g) }

// setOpen opens or closes a group of the tree; the current row stays.
func (p *Panel) setOpen(row int64, g int, open bool) {
	if p.closed == nil {
		p.closed = map[string]bool{}
	}
	p.closed[p.path(g)] = !open
	p.kept = row
	p.arrange(0)
}

// open opens the group of a row of the tree, or goes to its first row.
func (p *Panel) open(row int64) {
	g, ok := p.shown.group(row)
	switch {
	case !ok || p.shown.lines == nil:
	case p.closed[p.path(g)]:
		p.setOpen(row, g, true)
	case row+1 < p.shown.Len():
		p.goTo(row + 1)
	}
}

// close closes the group of a row of the tree, or goes to the row of its parent.
func (p *Panel) close(row int64) {
	if p.shown.lines == nil || row < 0 || row >= p.shown.Len() {
		return
	}
	if g, ok := p.shown.group(row); ok && !p.closed[p.path(g)] {
		p.setOpen(row, g, false)
		return
	}
	for up := row - 1; up >= 0; up-- {
		if p.shown.lines[up].depth < p.shown.lines[row].depth {
			p.goTo(up)
			return
		}
	}
}

// goTo selects a row as the user does.
func (p *Panel) goTo(row int64) {
	p.setSelection(row)
	p.selected()
}

// Step selects and returns the next asset for which wanted is true, or the previous one if by is -1, in list order,
// also in groups that are not in view. It returns -1 at the end. It starts after the asset from, or at the beginning if
// from is -1.
func (p *Panel) Step(from, by int, wanted func(i int) bool) int {
	all := p.shown.rows
	if !p.shown.filtered && p.shown.lines == nil && p.tree != nil && len(p.tree.Groups) > 1 {
		all = p.tree.Below(0)
	}
	k := slices.Index(all, uint32(from))
	if k < 0 && by < 0 {
		return -1
	}
	for k += by; k >= 0 && k < len(all); k += cmp.Compare(by, 0) {
		if i := int(all[k]); wanted(i) {
			if p.reveal(i); p.Current() == i {
				p.selected()
			} else {
				p.stepping = true
			}
			return i
		}
	}
	return -1
}
