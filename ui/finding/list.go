package finding

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"assay/model"
	"assay/model/graph"
	"assay/model/query"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// The sections.
const (
	missing = iota
	unused
	twice
	allThings
)

var sectionNames = []string{"Missing", "Unused", "Duplicates", "All"}

// count is how many things are in a section; of those that are there twice, how many kinds.
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
	use   *graph.Use // the row is a reference of the thing, or to it
	key   string     // of the node of the thing that is meant; empty: the thing as a whole
	title string
}

// list is the rows of a section.
type list struct {
	section int
	graph   *graph.Graph
	rows    []row
}

func (l *list) isMissing() bool { return l.section == missing }

// columns are the columns of the section.
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
	needsColumn: {Name: "needs", Kind: query.Number}, usersColumn: {Name: "used by", Names: []string{"users"}, Kind: query.Number},
	sizeColumn: {Name: "size", Kind: query.Size}}}

// filtered is a thing as filters see it.
type filtered struct {
	graph *graph.Graph
	thing int32
	what  string // of what is missing: what it is; else empty
}

// Has implements query.Thing.
func (f filtered) Has(w *query.Word) bool {
	t := f.graph.Thing(f.thing)
	return w.In(t.Name) || f.what != "" && w.In(f.what) || w.In(f.graph.Title(f.thing))
}

// Meets implements query.Thing.
func (f filtered) Meets(column int, t *query.Test) (met, any bool) {
	switch column {
	case nameColumn:
		return t.Met(cmp.Or(f.what, f.graph.Thing(f.thing).Name)), true
	case needsColumn:
		return t.Met(int64(len(f.graph.Needs(f.thing)))), true
	case usersColumn:
		return t.Met(int64(f.graph.Users(f.thing))), true
	}
	size := f.graph.Thing(f.thing).Size
	return size >= 0 && t.Met(size), size >= 0
}

// fill lists the things of the section that a filter leaves, until the context ends.
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

// row returns the first row of a thing; -1 if it has none.
func (l *list) row(thing int32) int {
	return slices.IndexFunc(l.rows, func(r row) bool { return r.thing == thing && thing >= 0 })
}

// first returns the first row that is about a thing; -1 if there is none.
func (l *list) first() int {
	return slices.IndexFunc(l.rows, func(r row) bool { return r.thing >= 0 })
}

// thing is what a row is about; -1: nothing.
func (l *list) thing(row int) int32 {
	if row < 0 || row >= len(l.rows) {
		return -1
	}
	return l.rows[row].thing
}

// Len is the number of rows.
func (l *list) Len() int { return len(l.rows) }

// Cell is what stands in a column of a row.
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

// number is a cell with a count; none is dim.
func number(n int) rows.Cell {
	c := rows.Cell{Text: host.Number(int64(n))}
	if n == 0 {
		c.Tone = paint.Dim
	}
	return c
}
