package assets

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"assay/model/archive"
	"assay/model/query"
	"assay/ui/host"
	"assay/ui/rows"
)

// grouping is a way of grouping assets.
type grouping struct {
	name  string
	build func(ctx context.Context, a *archive.Archive) (*archive.Tree, error)
}

// treeGrouping lists all folders with their assets as a tree.
const treeGrouping = "Tree"

// Flat is the name of the grouping without groups.
const Flat = "Flat list"

func byFolders(ctx context.Context, a *archive.Archive) (*archive.Tree, error) { return a.Folders(ctx) }

var fixedGroupings = []grouping{
	{"Folders", byFolders}, {treeGrouping, byFolders},
	{Flat, func(_ context.Context, a *archive.Archive) (*archive.Tree, error) { return a.RootTree(), nil }},
}

// allGroupings returns the groupings of this archive: the fixed ones, and one for each column with classes of assets.
func (p *Panel) allGroupings() []grouping {
	all := fixedGroupings[:len(fixedGroupings):len(fixedGroupings)]
	if p.archive == nil {
		return all
	}
	for i, c := range p.archive.Columns() {
		if c.IsGroupable && p.archive.IsInformative(i) {
			all = append(all, grouping{"By " + c.Name,
				func(ctx context.Context, a *archive.Archive) (*archive.Tree, error) {
					return a.GroupBy(ctx, i)
				}})
		}
	}
	return all
}

// offerGroupings offers the groupings. Lists of names and thumbnails show one folder instead of a tree.
func (p *Panel) offerGroupings() {
	var names []string
	for _, g := range p.allGroupings() {
		if g.name != treeGrouping || p.mode == detailsMode {
			names = append(names, g.name)
		}
	}
	p.groupingChoice.Selected = p.chosenGrouping().name
	if !slices.Contains(names, p.groupingChoice.Selected) {
		p.groupingChoice.Selected = fixedGroupings[0].name
	}
	p.groupingChoice.SetOptions(names)
}

// SetGrouping sets the grouping by its name.
func (p *Panel) SetGrouping(name string) {
	if name != p.groupingName {
		p.groupingName = name
		p.regroup(nil)
	}
}

func (p *Panel) groupWord() string {
	if name := p.chosenGrouping().name; name == fixedGroupings[0].name || name == treeGrouping {
		return "folder"
	}
	return "group"
}

// enter opens a group, and remembers the one that was left for Back.
func (p *Panel) enter(g int) {
	if g != p.currentGroup {
		if grouping := p.chosenGrouping().name; p.historyOf != grouping {
			p.history, p.historyOf = host.History[[]string]{}, grouping
		}
		p.history.Visit(p.tree.Names(p.currentGroup), slices.Equal)
		p.history.Visit(p.tree.Names(g), slices.Equal)
	}
	p.openGroup(g)
}

// Back enters the group that was visited before the current one, and reports whether there is one.
func (p *Panel) Back() bool { return p.revisit(-1) }

// Forward reverts Back, and reports whether there is a group to go to.
func (p *Panel) Forward() bool { return p.revisit(1) }

func (p *Panel) revisit(step int) bool {
	if p.tree == nil || p.historyOf != p.chosenGrouping().name {
		return false
	}
	names, ok := p.history.Step(step)
	if ok {
		p.openGroup(p.tree.Find(names))
	}
	return ok
}

// openGroup opens a group. It selects the subgroup that contains the previous group, else the first row.
func (p *Panel) openGroup(g int) {
	p.opensGroup, p.previousSubgroup = true, -1
	for child := p.currentGroup; child > 0 && child != g; child = p.tree.Groups[child].Parent {
		if p.tree.Groups[child].Parent == g {
			p.previousSubgroup = child
		}
	}
	p.currentGroup = g
	if p.filterField.Text != "" {
		p.filterField.SetText("")
		return
	}
	p.update(0)
}

// rowAfterOpening returns the row to select in a group that was entered, or -1 if it is empty.
func (p *Panel) rowAfterOpening() int64 {
	first := int64(0)
	if p.listing.hasParent && p.listing.Len() > 1 {
		first = 1
	}
	for row := first; p.previousSubgroup >= 0 && row < p.listing.Len(); row++ {
		if g, ok := p.listing.group(row); ok && g == p.previousSubgroup {
			return row
		}
	}
	return min(first, p.listing.Len()-1)
}

// line is a row of a tree: a group, or an asset.
type line struct {
	group, asset int32 // a line has either; the other is -1
	depth        int16
}

// arrangeTree adds the lines of all groups and their sorted assets. The content of closed groups has no lines.
func (s *listing) arrangeTree(tree *archive.Tree, closed func(folder string) bool, column int, order rows.Order) {
	assetsOf := make([]query.Order, len(tree.Groups)) // the assets of each group
	for _, i := range s.assets {
		g := tree.GroupOf(int(i))
		assetsOf[g] = append(assetsOf[g], i)
	}
	s.groups, s.assets, s.lines = nil, make(query.Order, 0, len(s.assets)), []line{}
	var add func(g int, path string, depth int16, hidden bool)
	add = func(g int, path string, depth int16, hidden bool) { // as deep as the folders
		subgroups := slices.Clone(tree.Groups[g].Groups)
		sortGroups(tree, subgroups, column, order)
		for _, g := range subgroups {
			path := path + "/" + tree.Groups[g].Name
			if s.groups = append(s.groups, g); !hidden {
				s.lines = append(s.lines, line{int32(g), -1, depth})
			}
			add(g, path, depth+1, hidden || closed(path))
		}
		for _, i := range assetsOf[g] {
			if s.assets = append(s.assets, i); !hidden {
				s.lines = append(s.lines, line{-1, int32(i), depth})
			}
		}
	}
	add(0, "", 0, false)
}

// isTree reports whether the assets are listed as a tree while there is no filter.
func (p *Panel) isTree() bool {
	return p.mode == detailsMode && p.chosenGrouping().name == treeGrouping
}

func (p *Panel) path(g int) string { return "/" + strings.Join(p.tree.Names(g), "/") }

// setExpanded opens or closes a group of the tree; the current row stays.
func (p *Panel) setExpanded(row int64, g int, open bool) {
	if p.closed == nil {
		p.closed = map[string]bool{}
	}
	p.closed[p.path(g)] = !open
	p.toggledRow = row
	p.update(0)
}

// expand opens the group of a row of the tree, or goes to its first row.
func (p *Panel) expand(row int64) {
	g, ok := p.listing.group(row)
	switch {
	case !ok || p.listing.lines == nil:
	case p.closed[p.path(g)]:
		p.setExpanded(row, g, true)
	case row+1 < p.listing.Len():
		p.goTo(row + 1)
	}
}

// collapse closes the group of a row of the tree, or goes to the row of its parent.
func (p *Panel) collapse(row int64) {
	if p.listing.lines == nil || row < 0 || row >= p.listing.Len() {
		return
	}
	if g, ok := p.listing.group(row); ok && !p.closed[p.path(g)] {
		p.setExpanded(row, g, false)
		return
	}
	for parent := row - 1; parent >= 0; parent-- {
		if p.listing.lines[parent].depth < p.listing.lines[row].depth {
			p.goTo(parent)
			return
		}
	}
}

// goTo selects a row as the user does.
func (p *Panel) goTo(row int64) {
	p.setSelection(row)
	p.selectionChanged()
}

// Step selects and returns the next asset for which matches is true, or the previous one if step is -1, in list order,
// also in groups that are not in view. It returns -1 at the end. It starts after the asset start, or at the beginning
// if start is -1.
func (p *Panel) Step(start, step int, matches func(i int) bool) int {
	all := p.listing.assets
	if !p.listing.filtered && p.listing.lines == nil && p.tree != nil && len(p.tree.Groups) > 1 {
		all = p.tree.AssetsBelow(0)
	}
	k := slices.Index(all, uint32(start))
	if k < 0 && step < 0 {
		return -1
	}
	for k += step; k >= 0 && k < len(all); k += cmp.Compare(step, 0) {
		if i := int(all[k]); matches(i) {
			if p.reveal(i); p.Current() == i {
				p.selectionChanged()
			} else {
				p.reportReveal = true
			}
			return i
		}
	}
	return -1
}
