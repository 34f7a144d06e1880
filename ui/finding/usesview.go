package finding

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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

// neighbors lists the references from and to one item.
type neighbors struct {
	tab           *Uses
	thing         int32 // -1: no item
	name          *control.Caption
	back, forward *control.Button
	table         *rows.Table
	rows          []row
	content       fyne.CanvasObject
}

// usersMost is the maximum number of users of an item that are listed.
const usersMost = 10_000

func newAround(t *Uses) *neighbors {
	a := &neighbors{tab: t, thing: -1, name: control.NewCaption(t.ShowHint)}
	a.back = control.NewIcon(t, theme.NavigateBackIcon(), "Back", t.Back)
	a.forward = control.NewIcon(t, theme.NavigateNextIcon(), "Forward", t.Forward)
	a.table = rows.NewTable(t, t.Style, a, rows.TableOptions{Header: true, MinSize: fyne.NewSize(120, 80),
		Widths: func(width float32) []float32 { return []float32{width * 0.62, width * 0.38} }},
		rows.Column{Title: "Uses and used by"}, rows.Column{Title: "Referenced at"})
	a.table.OnActivate = func(row int) { a.activate(a.rows[row]) }
	a.table.OnMenu = func(row int, at fyne.Position) { t.menu(a.rows[row], at) }
	head := paint.NewHeader(container.NewBorder(nil, nil, container.NewHBox(a.back, a.forward), nil, a.name))
	a.content = container.NewBorder(head, nil, nil, nil, a.table)
	return a
}

// activate selects the item of a row, or opens the node of its reference.
func (a *neighbors) activate(r row) {
	if r.key == "" && r.thing >= 0 && r.thing != a.thing {
		a.tab.Go(r.thing)
		return
	}
	a.tab.open(r)
}

func (a *neighbors) enable(back, forward bool) {
	paint.Enable(a.back, back)
	paint.Enable(a.forward, forward)
}

// set lists the references of an item.
func (a *neighbors) set(thing int32) {
	a.thing, a.rows = thing, nil
	name := ""
	if thing >= 0 {
		name = model.OneLine(a.tab.graph.Title(thing), 1000)
		a.needs(thing)
		a.users(thing)
		a.same(thing)
	}
	a.name.SetText(name)
	a.table.SetData(a)
}

func (a *neighbors) title(format string, args ...any) {
	a.rows = append(a.rows, row{thing: -1, title: fmt.Sprintf(format, args...)})
}

func (a *neighbors) needs(thing int32) {
	uses := a.tab.graph.Needs(thing)
	a.title("Uses %s", things(len(uses)))
	for i := range uses {
		to := uses[i].To
		if to == graph.Missing {
			to = thing
		}
		a.rows = append(a.rows, row{thing: to, use: &uses[i]})
		for _, key := range uses[i].Keys {
			a.rows = append(a.rows, row{thing: to, key: key})
		}
	}
}

func (a *neighbors) users(thing int32) {
	n := a.tab.graph.Users(thing)
	a.title("Used by %s", things(n))
	listed := 0
	for u := range a.tab.graph.UsedBy(thing) {
		if listed++; listed > usersMost {
			a.title("and %s more", host.Number(int64(n-usersMost)))
			return
		}
		a.rows = append(a.rows, row{thing: u.From, use: &u})
	}
}

// same lists the items with identical content.
func (a *neighbors) same(thing int32) {
	for _, t := range a.tab.graph.Twice {
		for _, i := range t.Things {
			if i != thing {
				continue
			}
			a.title("Identical to %s", things(len(t.Things)-1))
			for _, other := range t.Things[:min(len(t.Things), usersMost)] {
				if other != thing {
					a.rows = append(a.rows, row{thing: other})
				}
			}
			return
		}
	}
}

func things(n int) string {
	if n == 0 {
		return "no items"
	}
	return host.Count(int64(n), "item")
}

func (a *neighbors) Len() int { return len(a.rows) }

// Cell returns the cell of a row.
func (a *neighbors) Cell(at, column int) rows.Cell {
	r := a.rows[at]
	switch {
	case r.thing < 0:
		return rows.Cell{Text: r.title, Head: true, Span: 1}
	case r.key != "" && column == 0:
		return rows.Cell{Text: "#" + model.OneLine(r.key, 1000), Ends: true, Indent: 32, Tone: paint.Link}
	case column == 1:
		return how(r.use)
	}
	c := rows.Cell{Text: model.OneLine(a.tab.graph.Title(r.thing), 1000), Ends: true, Indent: 16}
	if r.use != nil && r.use.To == graph.Missing {
		c.Text, c.Tone = r.use.Name, paint.Warning
	}
	return c
}

// how describes a reference: missing, matched by name, or its node.
func how(u *graph.Use) rows.Cell {
	c := rows.Cell{Tone: paint.Dim}
	switch {
	case u == nil:
		return c
	case u.To == graph.Missing:
		c.Text, c.Tone = "missing", paint.Warning
	case u.Guessed:
		c.Text, c.Tip = "matched by name", "No explicit reference; matched by file name."
	default:
		c.Text, c.Ends = u.Path, true
	}
	if u.Count > 1 {
		c.Text = host.Number(int64(u.Count)) + " times, " + c.Text
	}
	return c
}

// The sections.
const (
	missing = iota
	unused
	twice
	allThings
)

var sectionNames = []string{"Missing", "Unused", "Duplicates", "All"}

// count returns the number of items in a section, or the number of sets of duplicates.
func (t *Uses) count(section int) int {
	switch section {
	case missing:
		return t.graph.Users(graph.Missing)
	case unused:
		return len(t.graph.Unused())
	case twice:
		return len(t.graph.Twice)
	}
	return t.graph.Len()
}

// row is one of a list.
type row struct {
	thing int32      // -1: the row is a title
	use   *graph.Use // a reference from or to the item
	key   string     // of the node that the reference is to; empty: the whole item
	title string
}

// list is the rows of a section.
type list struct {
	section int
	graph   *graph.Graph
	rows    []row
}

func (l *list) isMissing() bool { return l.section == missing }

func (l *list) columns() []rows.Column {
	if l.isMissing() {
		return []rows.Column{{Title: "Missing item"}, {Title: "Used by"}, {Title: "Times", Align: paint.Trailing}}
	}
	return []rows.Column{{Title: "Name"}, {Title: "Uses", Align: paint.Trailing},
		{Title: "Used by", Align: paint.Trailing}, {Title: "Size", Align: paint.Trailing}}
}

// widths divides the width among the columns.
func (l *list) widths(width float32) []float32 {
	number, size := min(74, width*0.16), min(86, width*0.2)
	if l.isMissing() {
		return []float32{(width - number) * 0.52, (width - number) * 0.48, number}
	}
	return []float32{width - 2*number - size, number, number, size}
}

// The columns that filters are about.
const (
	nameColumn = iota
	needsColumn
	usersColumn
	sizeColumn
)

var columns = query.List{Columns: []query.Column{nameColumn: {Name: "name"},
	needsColumn: {Name: "uses", Names: []string{"needs"}, Kind: query.Number},
	usersColumn: {Name: "used by", Names: []string{"users"}, Kind: query.Number},
	sizeColumn:  {Name: "size", Kind: query.Size}}}

// filtered is an item for filters.
type filtered struct {
	graph *graph.Graph
	thing int32
	what  string // the name of a missing item; else empty
}

func (f filtered) Has(w *query.Word) bool {
	t := f.graph.Thing(f.thing)
	return w.In(t.Name) || f.what != "" && w.In(f.what) || w.In(f.graph.Title(f.thing))
}

func (f filtered) MatchColumn(column int, t *query.Test) (met, any bool) {
	switch column {
	case nameColumn:
		return t.Matches(cmp.Or(f.what, f.graph.Thing(f.thing).Name)), true
	case needsColumn:
		return t.Matches(int64(len(f.graph.Needs(f.thing)))), true
	case usersColumn:
		return t.Matches(int64(f.graph.Users(f.thing))), true
	}
	size := f.graph.Thing(f.thing).Size
	return size >= 0 && t.Matches(size), size >= 0
}

// fill lists the items of the section that match the filter, until the context ends.
func (l *list) fill(ctx context.Context, f *query.Filter) {
	g := l.graph
	add := func(r row) {
		what := ""
		if r.use != nil {
			what = r.use.Name
		}
		if ctx.Err() != nil || !f.Empty() && !f.Match(filtered{g, r.thing, what}) {
			return
		}
		l.rows = append(l.rows, r)
	}
	switch l.section {
	case missing:
		for u := range g.UsedBy(graph.Missing) {
			add(row{thing: u.From, use: &u})
		}
	case unused:
		for _, i := range g.Unused() {
			add(row{thing: i})
		}
	case twice:
		for _, same := range g.Twice {
			title := len(l.rows)
			l.rows = append(l.rows, row{thing: -1, title: fmt.Sprintf("%s identical copies of %s (removing the others saves %s)",
				host.Number(int64(len(same.Things))), host.Size(same.Size), host.Size(same.Saved))})
			for _, i := range same.Things {
				add(row{thing: i})
			}
			if len(l.rows) == title+1 {
				l.rows = l.rows[:title]
			}
		}
	default:
		for i := range int32(g.Len()) {
			add(row{thing: i})
		}
	}
}

// row returns the first row of an item, or -1.
func (l *list) row(thing int32) int {
	return slices.IndexFunc(l.rows, func(r row) bool { return r.thing == thing && thing >= 0 })
}

// first returns the first row with an item, or -1.
func (l *list) first() int {
	return slices.IndexFunc(l.rows, func(r row) bool { return r.thing >= 0 })
}

// thing returns the item of a row, or -1.
func (l *list) thing(row int) int32 {
	if row < 0 || row >= len(l.rows) {
		return -1
	}
	return l.rows[row].thing
}

func (l *list) Len() int { return len(l.rows) }

// Cell returns the cell of a row.
func (l *list) Cell(at, column int) rows.Cell {
	r := l.rows[at]
	if r.thing < 0 {
		return rows.Cell{Text: r.title, Head: true, Span: 3}
	}
	t := l.graph.Thing(r.thing)
	title := rows.Cell{Text: model.OneLine(l.graph.Title(r.thing), 1000), Ends: true, Tip: t.Problem}
	if t.Problem != "" {
		title.Tone = paint.Warning
	}
	switch {
	case r.use != nil && column == 0:
		return rows.Cell{Text: r.use.Name, Ends: true}
	case r.use != nil && column == 1:
		return title
	case r.use != nil:
		return number(r.use.Count)
	case column == nameColumn:
		return title
	case column == needsColumn:
		return number(len(l.graph.Needs(r.thing)))
	case column == usersColumn:
		return number(l.graph.Users(r.thing))
	case t.Size < 0:
		return rows.Cell{}
	}
	return rows.Cell{Text: host.Size(t.Size), Tone: paint.Dim}
}

// number returns a cell with a count, which is dim if it is 0.
func number(n int) rows.Cell {
	c := rows.Cell{Text: host.Number(int64(n))}
	if n == 0 {
		c.Tone = paint.Dim
	}
	return c
}
