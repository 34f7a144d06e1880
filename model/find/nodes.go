package find

import (
	"strings"

	"assay/model"
	"assay/model/query"
)

// columns are what a filter can ask of every node; any other name is that of a field of some nodes.
var columns = &query.List{Fields: true, Columns: []query.Column{
	name: {Name: "name", Names: []string{"key"}}, typ: {Name: "type"}, value: {Name: "value"},
	size: {Name: "size", Kind: query.Size}, offset: {Name: "offset", Kind: query.Number}, problem: {Name: "problem"},
}}

const (
	name = iota
	typ
	value
	size
	offset
	problem
)

// Columns are what a filter of nodes has conditions on: class = Texture is one on a field of a node.
func Columns() *query.List { return columns }

// Query is a filter of nodes. A word is in their name, type, value or key; a word that begins with a slash is a path in
// the structure, and finds what is there and below it. It is not for several goroutines at once.
type Query struct {
	filter *query.Filter
	paths  paths
	words  []*query.Word // if it is nothing but these
}

// paths are the words of a filter that are paths in the structure.
type paths map[*query.Word]*model.PathPattern

// hold reports whether a word is a path, and if so, whether a node is there or below it.
func (p paths) hold(w *query.Word, n *model.Node) (holds, isPath bool) {
	if !strings.HasPrefix(w.Text(), "/") {
		return false, false
	}
	if p[w] == nil {
		p[w] = model.NewPathPattern(w.Text())
	}
	return n != nil && p[w].Holds(n), true
}

// NewQuery reads a filter; an empty one matches nothing.
func NewQuery(text string) (*Query, error) {
	f, err := query.Parse(text, columns)
	if err != nil {
		return nil, err
	}
	return &Query{filter: f, paths: make(paths), words: f.Words()}, nil
}

// Filter returns what was read.
func (q *Query) Filter() *query.Filter { return q.filter }

// Words returns the words that it looks for, in lower case.
func (q *Query) Words() []string { return q.filter.Lit() }

// Empty reports whether there is nothing to search for.
func (q *Query) Empty() bool { return q.filter.Empty() }

// Match reports whether the filter holds for a node.
func (q *Query) Match(n *model.Node) bool {
	if q.words == nil {
		return !q.filter.Empty() && q.filter.Match(&asked{q: q, Node: n})
	}
	a := asked{q: q, Node: n}
	for _, w := range q.words {
		if !a.Has(w) {
			return false
		}
	}
	return true
}

// asked is a node that a filter asks for what is in it.
type asked struct {
	q *Query
	*model.Node
	text, label string // its value and its label, as they are searched
	known       bool
}

// Has reports whether a word is in what is shown of the node, or whether that is at a path.
func (a *asked) Has(w *query.Word) bool {
	if holds, isPath := a.q.paths.hold(w, a.Node); isPath {
		return holds
	}
	if w.In(a.Name) || w.In(a.Type) || w.In(a.Key) || w.In(a.Symbol()) {
		return true
	}
	if !a.known {
		a.text, a.label, a.known = ValueText(a.Node), a.Label(), true
	}
	return w.In(a.text) || w.In(a.label)
}

// Meets tests what is known of the node, or its field with the name of the column: name, type and size, too, may be
// those of a field.
func (a *asked) Meets(column int, t *query.Test) (met, any bool) {
	switch column {
	case name:
		met, any = t.Met(a.CallName()) || t.Met(a.Name) || t.Met(a.Key), true
	case typ:
		met, any = t.Met(a.Type), true
	case value:
		return meets(a.Node, t)
	case size:
		met, any = t.Met(a.Size), true
	case offset:
		met, any = t.Met(a.Offset), true
	case problem:
		for _, p := range a.Problems() {
			met, any = met || t.Met(p.Message) || t.Met(p.Severity.String()), true
		}
	}
	if !met {
		m, there := meetsField(a.Node, columns, a.q.filter, column, t)
		met, any = m, any || there
	}
	return met, any
}

// meetsField tests the field of a node with the name of a column, or with another name of it.
func meetsField(n *model.Node, of *query.List, filter *query.Filter, column int, t *query.Test) (met, any bool) {
	var names []string
	if column < len(of.Columns) {
		names = append([]string{of.Columns[column].Name}, of.Columns[column].Names...)
	} else {
		names = []string{filter.Field(column)}
	}
	for _, name := range names {
		if f := Field(n, name); f != nil && !met {
			m, there := meets(f, t)
			met, any = m, any || there
		}
	}
	return met, any
}

// meets tests the value of a node: what it is, and what names it; of a block of bytes its size.
func meets(n *model.Node, t *query.Test) (met, any bool) {
	if blob, ok := n.Value.(model.Blob); ok {
		return t.Met(blob.Span.Size), true
	}
	symbol, label := n.Symbol(), n.Label()
	met = symbol != "" && t.Met(symbol) || label != "" && t.Met(label) || n.Value != nil && t.Met(n.Value)
	return met, symbol != "" || label != "" || n.Value != nil
}

// fieldsMost is the number of children among which a field is looked for whatever the case of its name.
const fieldsMost = 64

// Field returns the child of a node with a name, also in another case; nil if there is none.
func Field(n *model.Node, name string) *model.Node {
	if c := n.Named(name); c != nil {
		return c
	}
	if _, list := n.Children().(*model.Elements); list {
		return nil
	}
	for i := range min(n.Len(), fieldsMost) {
		if c := n.Child(i); strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// searchedText is how much of a long text is searched.
const searchedText = 64 << 10

// ValueText returns the value of a node as it is searched: as it is shown, of a long text more.
func ValueText(n *model.Node) string {
	switch v := n.Value.(type) {
	case string:
		return v[:min(len(v), searchedText)]
	case model.Blob:
		return "" // its size is no content
	}
	return model.FormatValue(n.Value)
}
