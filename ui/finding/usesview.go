package finding

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/graph"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// The sections.
const (
	missingSection = iota
	unusedSection
	duplicatesSection
	allSection
)

var sectionNames = []string{"Missing", "Unused", "Duplicates", "All"}

// count returns the number of items in a section: of missing names in Missing, of sets in Duplicates.
func (u *Uses) count(section int) int {
	switch section {
	case missingSection:
		names := map[string]bool{}
		for use := range u.graph.UsedBy(graph.Missing) {
			names[use.Name] = true
		}
		return len(names)
	case unusedSection:
		return len(u.graph.Unused())
	case duplicatesSection:
		return len(u.graph.Duplicates)
	}
	return u.graph.Len()
}

// row is a row of one of the lists: a title, an item, a reference, or a node.
type row struct {
	item  int32      // -1: the row is a title
	use   *graph.Use // a reference from or to the item
	key   string     // key of the node that the reference is to; empty: the whole item
	title string
}

// hasItem reports whether a row is not a title.
func hasItem(r row) bool { return r.item >= 0 }

func (r row) sectionTitle() (title string, ok bool) { return r.title, !hasItem(r) }

// name returns the name of the missing item of a reference, or of the row's item.
func (r row) name(g *graph.Graph) string {
	if r.use != nil {
		return r.use.Name
	}
	return g.Item(r.item).Name
}

// filterColumns returns the columns that filters test.
func filterColumns(g *graph.Graph) *query.ItemColumns[row] {
	return &query.ItemColumns[row]{Columns: []query.ItemColumn[row]{
		{Column: query.Column{Name: "name"}, Value: func(r row) any { return r.name(g) }},
		{Column: query.Column{Name: "uses", Names: []string{"needs"}, Kind: query.Number},
			Value: func(r row) any { return int64(len(g.Needs(r.item))) }},
		{Column: query.Column{Name: "used by", Names: []string{"users"}, Kind: query.Number},
			Value: func(r row) any { return int64(g.UserCount(r.item)) }},
		{Column: query.Column{Name: "size", Kind: query.Size}, Value: func(r row) any {
			if size := g.Item(r.item).Size; size >= 0 {
				return size
			}
			return nil
		}},
	}, Words: func(r row, contains func(text string) bool) bool {
		return contains(r.name(g)) || contains(g.Title(r.item))
	}}
}

// titleCell returns the cell with the file and the asset of a row.
func (u *Uses) titleCell(r row) rows.Cell {
	c := rows.Cell{Text: model.OneLine(u.listedGraph.Title(r.item), 1000), CutMiddle: true,
		Tip: u.listedGraph.Item(r.item).Problem}
	if c.Tip != "" {
		c.Tone = paint.Warning
	}
	return c
}

// missingColumns returns the columns of missing items.
func (u *Uses) missingColumns() []rows.ListColumn[row] {
	return []rows.ListColumn[row]{
		{Title: "Missing item and its users", Share: 1, Cell: func(r row) rows.Cell {
			c := u.titleCell(r)
			c.Indent = 16
			return c
		}},
		{Title: "Times", Width: numberWidth, Align: paint.AlignRight,
			Cell: func(r row) rows.Cell { return countCell(r.use.Count) }},
	}
}

// numberWidth is the width of a column of numbers, in device-independent pixels.
const numberWidth = 74

// itemColumns returns the columns of the other sections.
func (u *Uses) itemColumns() []rows.ListColumn[row] {
	return []rows.ListColumn[row]{
		{Title: "Name", Share: 1, Cell: u.titleCell, Value: func(r row) any { return r.name(u.listedGraph) }},
		{Title: "Uses", Width: numberWidth, Align: paint.AlignRight,
			Value: func(r row) any { return len(u.listedGraph.Needs(r.item)) },
			Cell:  func(r row) rows.Cell { return countCell(len(u.listedGraph.Needs(r.item))) }},
		{Title: "Used by", Width: numberWidth, Align: paint.AlignRight,
			Value: func(r row) any { return u.listedGraph.UserCount(r.item) },
			Cell:  func(r row) rows.Cell { return countCell(u.listedGraph.UserCount(r.item)) }},
		{Title: "Size", Width: 86, Align: paint.AlignRight,
			Value: func(r row) any { return u.listedGraph.Item(r.item).Size },
			Cell: func(r row) rows.Cell {
				if size := u.listedGraph.Item(r.item).Size; size >= 0 {
					return rows.Cell{Text: host.Size(size), Tone: paint.Dim}
				}
				return rows.Cell{}
			}},
	}
}

// rowsOf returns the rows of a section whose items match.
func rowsOf(g *graph.Graph, section int, match func(r row) bool) (all []row) {
	add := func(r row) {
		if match(r) {
			all = append(all, r)
		}
	}
	switch section {
	case missingSection:
		all = missingRows(g, match)
	case unusedSection:
		for _, i := range g.Unused() {
			add(row{item: i})
		}
	case duplicatesSection:
		for _, duplicates := range g.Duplicates {
			title := len(all)
			all = append(all, row{item: -1, title: fmt.Sprintf("%s identical copies of %s (removing the others saves %s)",
				host.Number(len(duplicates.Items)), host.Size(duplicates.Size), host.Size(duplicates.Saved))})
			for _, i := range duplicates.Items {
				add(row{item: i})
			}
			if len(all) == title+1 {
				all = all[:title]
			}
		}
	default:
		for i := range int32(g.Len()) {
			add(row{item: i})
		}
	}
	return all
}

// missingRows returns the users of each missing item below its name, items with many users first.
func missingRows(g *graph.Graph, match func(r row) bool) (all []row) {
	users := map[string][]row{}
	for u := range g.UsedBy(graph.Missing) {
		if r := (row{item: u.From, use: &u}); match(r) {
			users[u.Name] = append(users[u.Name], r)
		}
	}
	names := slices.SortedFunc(maps.Keys(users), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(users[b]), len(users[a])), model.CompareNames(a, b))
	})
	for _, name := range names {
		title := fmt.Sprintf("%s – used by %s", model.OneLine(name, 1000), itemCount(len(users[name])))
		all = append(append(all, row{item: -1, title: title}), users[name]...)
	}
	return all
}

// countCell returns a cell with a count, which is dim if it is 0.
func countCell(n int) rows.Cell {
	c := rows.Cell{Text: host.Number(n)}
	if n == 0 {
		c.Tone = paint.Dim
	}
	return c
}

// neighbors lists the items that an item uses, those that use it, and those with the same content.
type neighbors struct {
	tab           *Uses
	item          int32 // -1: no item
	name          *control.Caption
	back, forward *control.Button
	list          *rows.List[row]
	content       fyne.CanvasObject
}

// maxUsers is the maximum number of users of an item that are listed, and of items with the same content.
const maxUsers = 10_000

func newNeighbors(t *Uses) *neighbors {
	n := &neighbors{tab: t, item: -1, name: control.NewCaption(t.ShowHint)}
	n.back = control.NewIcon(t, theme.NavigateBackIcon(), "Back", t.Back)
	n.forward = control.NewIcon(t, theme.NavigateNextIcon(), "Forward", t.Forward)
	n.list = rows.NewList(t, t.Style, rows.Options{Header: true, MinSize: fyne.NewSize(120, 80)}, n.columns()...)
	n.list.TitleOf = row.sectionTitle
	n.list.OnActivate = func(row int) { n.activate(n.list.Items[row]) }
	n.list.OnMenu = func(row int, pos fyne.Position) { t.menu(n.list.Items[row], pos) }
	head := paint.NewHeader(container.NewBorder(nil, nil, container.NewHBox(n.back, n.forward), nil, n.name))
	n.content = container.NewBorder(head, nil, nil, nil, n.list.Table)
	return n
}

// activate selects the item of a row, or opens the node of its reference.
func (n *neighbors) activate(r row) {
	if r.key == "" && r.item >= 0 && r.item != n.item {
		n.tab.Select(r.item)
		return
	}
	n.tab.open(r)
}

// set lists the references of an item.
func (n *neighbors) set(item int32) {
	n.item, n.list.Items = item, nil
	name := ""
	if item >= 0 {
		name = model.OneLine(n.tab.graph.Title(item), 1000)
		n.addNeeds(item)
		n.addUsers(item)
		n.addCopies(item)
	}
	n.name.SetText(name)
	n.list.Set(n.list.Items)
}

func (n *neighbors) addTitle(format string, args ...any) {
	n.list.Items = append(n.list.Items, row{item: -1, title: fmt.Sprintf(format, args...)})
}

// addNeeds lists the references of an item. The row of a missing target opens the reference.
func (n *neighbors) addNeeds(item int32) {
	uses := n.tab.graph.Needs(item)
	n.addTitle("Uses %s", itemCount(len(uses)))
	for i := range uses {
		target := uses[i].To
		if target == graph.Missing {
			target = item
		}
		n.list.Items = append(n.list.Items, row{item: target, use: &uses[i]})
		for _, key := range uses[i].Keys {
			n.list.Items = append(n.list.Items, row{item: target, key: key})
		}
	}
}

func (n *neighbors) addUsers(item int32) {
	count := n.tab.graph.UserCount(item)
	n.addTitle("Used by %s", itemCount(count))
	listed := 0
	for u := range n.tab.graph.UsedBy(item) {
		if listed++; listed > maxUsers {
			n.addTitle("and %s more", host.Number(count-maxUsers))
			return
		}
		n.list.Items = append(n.list.Items, row{item: u.From, use: &u})
	}
}

// addCopies lists the items with identical content.
func (n *neighbors) addCopies(item int32) {
	for _, set := range n.tab.graph.Duplicates {
		for _, i := range set.Items {
			if i != item {
				continue
			}
			n.addTitle("Identical to %s", itemCount(len(set.Items)-1))
			for _, duplicate := range set.Items[:min(len(set.Items), maxUsers)] {
				if duplicate != item {
					n.list.Items = append(n.list.Items, row{item: duplicate})
				}
			}
			return
		}
	}
}

func itemCount(n int) string {
	if n == 0 {
		return "no items"
	}
	return host.Count(n, "item")
}

// columns returns the columns of the neighbors of an item.
func (n *neighbors) columns() []rows.ListColumn[row] {
	return []rows.ListColumn[row]{{Title: "Uses and used by", Share: 0.62, Cell: func(r row) rows.Cell {
		if r.key != "" {
			return rows.Cell{Text: "#" + model.OneLine(r.key, 1000), CutMiddle: true, Indent: 32, Tone: paint.Link}
		}
		c := rows.Cell{Text: model.OneLine(n.tab.graph.Title(r.item), 1000), CutMiddle: true, Indent: 16}
		if r.use != nil && r.use.To == graph.Missing {
			c.Text, c.Tone = r.use.Name, paint.Warning
		}
		return c
	}}, {Title: "Referenced at", Share: 0.38, Cell: func(r row) rows.Cell { return describeUse(r.use) }}}
}

// describeUse describes a reference: missing, matched by name, or its node.
func describeUse(u *graph.Use) rows.Cell {
	c := rows.Cell{Tone: paint.Dim}
	switch {
	case u == nil:
		return c
	case u.To == graph.Missing:
		c.Text, c.Tone, c.CutMiddle = strings.TrimSuffix("missing, "+u.Path, ", "), paint.Warning, true
	case u.Guessed:
		c.Text, c.Tip = "matched by name", "No explicit reference; matched by file name."
	default:
		c.Text, c.CutMiddle = u.Path, true
	}
	if u.Count > 1 {
		c.Text = host.Number(u.Count) + " times, " + c.Text
	}
	return c
}
