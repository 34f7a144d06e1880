package uses

import (
	"fmt"
	"slices"

	"assay/model"
	"assay/model/graph"
	"assay/model/query"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/wording"
)

// The sections.
const (
	missing = iota
	unused
	twice
	allThings
)

var sectionNames = []string{"Missing", "Nobody refers to", "There twice", "All"}

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
	title string
}

// list is the rows of a section.
type list struct {
	section int
	graph   *graph.Graph
	rows    []row
	rowOf   map[int32]int32 // of things in a section that is not of all things
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
	more  string // besides the title, what has the words
}

// Has implements query.Thing.
func (f filtered) Has(w *query.Word) bool {
	t := f.graph.Thing(f.thing)
	return w.In(t.Name) || f.more != "" && w.In(f.more) || w.In(f.graph.Title(f.thing))
}

// Meets implements query.Thing.
func (f filtered) Meets(column int, t *query.Test) (met, any bool) {
	switch column {
	case nameColumn:
		return t.Met(f.graph.Thing(f.thing).Name), true
	case needsColumn:
		return t.Met(int64(len(f.graph.Needs(f.thing)))), true
	case usersColumn:
		return t.Met(int64(f.graph.Users(f.thing))), true
	}
	size := f.graph.Thing(f.thing).Size
	return size >= 0 && t.Met(size), size >= 0
}

// fill lists the things of a section that a filter leaves.
func (l *list) fill(g *graph.Graph, f *query.Filter) {
	l.graph, l.rows, l.rowOf = g, nil, make(map[int32]int32)
	add := func(r row) {
		more := ""
		if r.use != nil {
			more = r.use.Name
		}
		if f.Empty() || f.Match(filtered{g, r.thing, more}) {
			if _, is := l.rowOf[r.thing]; !is {
				l.rowOf[r.thing] = int32(len(l.rows))
			}
			l.rows = append(l.rows, r)
		}
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
			l.rows = append(l.rows, row{thing: -1, title: fmt.Sprintf("%s times the same %s, %s saved with one",
				wording.Number(int64(len(same.Things))), wording.Size(same.Size), wording.Size(same.Saved))})
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
	if r, ok := l.rowOf[thing]; ok {
		return int(r)
	}
	return -1
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
	switch {
	case column == nameColumn:
		c := rows.Cell{Text: model.OneLine(l.graph.Title(r.thing), 1000), Ends: true, Tip: t.Problem}
		if r.use != nil {
			c.Text, c.Hint, c.Span = r.use.Name, "for "+c.Text, 3
			if r.use.Count > 1 {
				c.Hint += ", " + wording.Number(int64(r.use.Count)) + " times"
			}
		}
		if t.Problem != "" {
			c.Tone = paint.Warning
		}
		return c
	case column == needsColumn:
		return number(len(l.graph.Needs(r.thing)))
	case column == usersColumn:
		return number(l.graph.Users(r.thing))
	}
	if t.Size < 0 {
		return rows.Cell{}
	}
	return rows.Cell{Text: wording.Size(t.Size), Tone: paint.Dim}
}

// number is a cell with a count; none is dim.
func number(n int) rows.Cell {
	c := rows.Cell{Text: wording.Number(int64(n))}
	if n == 0 {
		c.Tone = paint.Dim
	}
	return c
}
