package find

import (
	"strings"

	"assay/model"
	"assay/model/query"
)

// Query is a filter of nodes. A word is in their name, type, value or key; a word that begins with a slash is a path in
// the structure, and finds what is there and below it. It may be used by several goroutines at once.
type Query struct {
	asking
	words []*query.Word // if it is nothing but these
}

// NewQuery reads a filter; an empty one matches nothing.
func NewQuery(text string) (*Query, error) {
	a, err := newAsking(text, ofNodes)
	if err != nil {
		return nil, err
	}
	return &Query{asking: a, words: a.filter.Words()}, nil
}

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
	if holds, isPath := a.q.isAt(w, a.Node); isPath {
		return holds
	}
	if a.q.NamesOnly {
		return w.In(a.CallName())
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
	if column < len(nodeColumns) {
		if met, any = nodeColumns[column].test(a.Node, t); met {
			return met, any
		}
	}
	met, there := a.q.meetsField(a.Node, column, t)
	return met, any || there
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
