package find

import (
	"context"
	"maps"
	"slices"
	"strings"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
)

// Limits of FieldNames: nodes of a file, and elements of each list in it.
const (
	maxFieldNodes    = 1 << 16
	maxFieldElements = 8
)

// FieldNames returns the names of the fields of a document, in alphabetical order. It reads only the first nodes.
func FieldNames(d *model.Document) []string {
	names := make(map[string]bool)
	todo := []*model.Node{d.Root()}
	for examined := 0; len(todo) > 0 && examined < maxFieldNodes; examined++ {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		elements := 0
		for i := 0; i < n.Len() && elements < maxFieldElements; i++ {
			c := n.Child(i)
			if c.IsElement() {
				elements++
			} else {
				names[c.Name] = true
			}
			todo = append(todo, c)
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// ColumnsOf are Columns with the names of the fields of a document, which can be typed in a filter of it.
func ColumnsOf(d *model.Document) *query.List {
	l := &query.List{Columns: slices.Clone(nodeList.Columns)}
	for _, name := range FieldNames(d) {
		isColumn := func(c query.Column) bool { return strings.EqualFold(c.Name, name) }
		if !slices.ContainsFunc(nodeList.Columns, isColumn) {
			l.Columns = append(l.Columns, query.Column{Name: name})
		}
	}
	return l
}

// Query is a filter of nodes. A word matches their name, type, value or key; a word that begins with a slash is a path
// in the structure, and matches the node there and nodes below it. It may be used by several goroutines at once.
type Query struct {
	parsedFilter
	words []*query.Word // if it consists only of these
}

// NewQuery reads a filter; an empty query has no matches.
func NewQuery(text string) (*Query, error) {
	f, err := parseFilter(text, nodeList)
	if err != nil {
		return nil, err
	}
	return &Query{parsedFilter: f, words: f.filter.Words()}, nil
}

// Words returns the words to search for, in lower case.
func (q *Query) Words() []string { return q.filter.RequiredWords() }

// Empty reports whether there is nothing to search for.
func (q *Query) Empty() bool { return q.filter.Empty() }

// Match reports whether the filter holds for a node.
func (q *Query) Match(n *model.Node) bool {
	if q.words == nil {
		return !q.filter.Empty() && q.filter.Match(&nodeItem{q: q, Node: n})
	}
	item := nodeItem{q: q, Node: n}
	for _, w := range q.words {
		if !item.Has(w) {
			return false
		}
	}
	return true
}

// nodeItem is a node that a filter tests.
type nodeItem struct {
	q *Query
	*model.Node
	text, label string // its value and its label, as they are searched
	hasText     bool
}

// Has reports whether a word is in the texts of the node, or whether the node is at that path.
func (i *nodeItem) Has(w *query.Word) bool {
	if holds, isPath := i.q.matchesPath(w, i.Node); isPath {
		return holds
	}
	if i.q.NamesOnly {
		return w.In(i.DisplayName())
	}
	if w.In(i.Name) || w.In(i.Type) || w.In(i.Key) || w.In(i.Symbol()) {
		return true
	}
	if !i.hasText {
		i.text, i.label, i.hasText = ValueText(i.Node), i.Label(), true
	}
	return w.In(i.text) || w.In(i.label)
}

// MatchColumn tests the property of the node for a column, or its field with the name of the column: name, type and
// size may also be fields.
func (i *nodeItem) MatchColumn(column int, t *query.Test) (matches, exists bool) {
	if column < len(nodeColumns) {
		if matches, exists = nodeColumns[column].test(i.Node, t); matches {
			return matches, exists
		}
	}
	matches, ok := i.q.matchField(i.Node, column, t)
	return matches, exists || ok
}

// maxFoldedFields is the number of children among which a field is found regardless of case.
const maxFoldedFields = 64

// Field returns the child of a node with a name, also in another case, or nil.
func Field(n *model.Node, name string) *model.Node {
	if c := n.ChildNamed(name); c != nil {
		return c
	}
	if _, list := n.Children().(*model.Elements); list {
		return nil
	}
	for i := range min(n.Len(), maxFoldedFields) {
		if c := n.Child(i); strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// maxSearchedText is the number of bytes of a long text that are searched.
const maxSearchedText = 64 << 10

// ValueText returns the value of a node for searching: as it is displayed, but with more of a long text.
func ValueText(n *model.Node) string {
	switch v := n.Value.(type) {
	case string:
		return v[:min(len(v), maxSearchedText)]
	case model.Blob:
		return "" // its size is no content
	}
	return model.FormatValue(n.Value)
}

// AssetQuery is a filter of assets. A word matches their name, type or key; a word that begins with a slash is a path
// in the structure, and matches assets at it or below it. It may be used by several goroutines at once.
type AssetQuery struct{ parsedFilter }

// NewAssetQuery reads a filter; an empty one matches everything.
func NewAssetQuery(text string) (*AssetQuery, error) {
	f, err := parseFilter(text, assetList)
	if err != nil {
		return nil, err
	}
	return &AssetQuery{f}, nil
}

// NeedsNodes reports whether assets must be given with their nodes: the filter has conditions on fields, or paths.
func (q *AssetQuery) NeedsNodes() bool {
	return len(q.fields) > 0 || len(q.paths) > 0 || slices.Contains(q.filter.Columns(), archive.Checksum)
}

// Match reports whether the filter holds for an asset. A condition on its checksum reads it.
func (q *AssetQuery) Match(ctx context.Context, p *model.Payload) bool {
	return q.filter.Match(&assetItem{q, ctx, p, archive.AssetOf(p)})
}

// assetItem is an asset that a filter tests.
type assetItem struct {
	q   *AssetQuery
	ctx context.Context
	*model.Payload
	asset archive.Asset
}

// Has reports whether a word is in the texts of the asset, or whether its node is at that path.
func (i *assetItem) Has(w *query.Word) bool {
	if holds, isPath := i.q.matchesPath(w, i.Node); isPath {
		return holds
	}
	return w.In(i.asset.Name) || !i.q.NamesOnly && (w.In(i.asset.Type) || w.In(i.Key))
}

// MatchColumn tests the property of the asset for a column, else the field of its node with the name of the column. For
// a checksum, it tests the verdict, and its value.
func (i *assetItem) MatchColumn(column int, t *query.Test) (matches, exists bool) {
	if v := i.value(column); v != nil {
		return t.Matches(v), true
	}
	isChecksum := column == archive.Checksum
	if i.Node != nil {
		matches, exists = i.q.matchField(i.Node, column, t)
		f := Field(i.Node, i.q.columnName(column))
		isChecksum = isChecksum || f != nil && f.Role == model.RoleSum
	}
	if isChecksum && !matches {
		return i.matchVerdict(t), true
	}
	return matches, exists
}

// value returns the property of the asset for a column, without reading its content, or nil.
func (i *assetItem) value(column int) any {
	switch {
	case column < keyColumn:
		return i.asset.Cell(column)
	case column == keyColumn && i.Key != "":
		return i.Key
	case column == offsetColumn && i.Stored.Size >= 0:
		return i.Stored.Offset
	}
	return nil
}

// matchVerdict tests the verdict on the recorded checksum. The asset is read only if a verdict can pass the test.
func (i *assetItem) matchVerdict(t *query.Test) bool {
	possible := false
	for v := model.Unrecorded; v <= model.Unknown; v++ {
		possible = possible || t.Matches(v.String())
	}
	if !possible {
		return false
	}
	v, _, err := i.Check(i.ctx)
	if err != nil {
		v = model.Unknown
	}
	return t.Matches(v.String())
}
