package find

import (
	"context"
	"errors"
	"maps"
	"slices"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
)

// errEnough ends a walk early.
var errEnough = errors.New("enough")

// FilteredChildren is the part of a node's children that a filter keeps.
type FilteredChildren struct {
	Index []int32 // of the children, in order
	// Below has the part below a child, by index. A child without one matches itself, with all its descendants.
	Below map[int32]*FilteredChildren
}

// Filtered is the part of a tree that a filter keeps.
type Filtered struct {
	Tree      *FilteredChildren // nil if nothing matches
	Matches   int               // nodes that match
	Truncated bool              // there are more matches than the limit
}

// FilterProgress holds the optional callbacks of Filter.
type FilterProgress struct {
	Size     int64 // of the file, the total of Progress
	Progress model.Progress
	Found    func(Filtered) // the result so far, each time that the number of visited nodes has doubled
}

const firstFilterReport = 1 << 16 // nodes after which Found is called first

// Filter keeps the nodes below root that match, and their ancestors; at most limit matches.
func Filter(ctx context.Context, root *model.Node, match func(*model.Node) bool, limit int,
	progress FilterProgress) (Filtered, error) {
	f := treeFilter{match: match, limit: limit}
	count, next, reported := 0, firstFilterReport, 0
	err := model.Scan(root, func(n *model.Node) (bool, error) {
		if count++; count%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if progress.Progress != nil {
				progress.Progress(min(n.Offset, progress.Size), progress.Size)
			}
		}
		if count == next {
			next *= 2
			if progress.Found != nil && f.matches > reported {
				reported = f.matches
				progress.Found(f.result())
			}
		}
		return f.openNode(n)
	}, f.closeNode, nil)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil && !errors.Is(err, errEnough) {
		return Filtered{}, err
	}
	return f.result(), nil
}

// treeFilter is the state of Filter.
type treeFilter struct {
	match     func(*model.Node) bool
	limit     int
	matches   int
	truncated bool
	stack     []treeLevel       // the open nodes from the root down
	top       *FilteredChildren // of the root, once that is closed
}

// treeLevel is an open node.
type treeLevel struct {
	tree  *FilteredChildren
	index int32
	match bool
}

func (f *treeFilter) openNode(n *model.Node) (bool, error) {
	l := treeLevel{index: int32(n.Index)}
	if len(f.stack) > 0 {
		l.match = f.match(n)
	}
	if l.match {
		if f.matches == f.limit {
			f.truncated = true
			return false, errEnough
		}
		f.matches++
	}
	f.stack = append(f.stack, l)
	return true, nil
}

func (f *treeFilter) closeNode(*model.Node) error {
	k := len(f.stack) - 1
	l := f.stack[k]
	f.stack = f.stack[:k]
	switch {
	case k == 0:
		f.top = l.tree
	case l.match || l.tree != nil:
		addChild(&f.stack[k-1].tree, l.index, l.tree)
	}
	return nil
}

// result returns the matches so far. It shares the closed nodes, which no longer change.
func (f *treeFilter) result() Filtered {
	tree := f.top
	for k := len(f.stack) - 1; k >= 0; k-- {
		node := f.stack[k].tree.clone()
		if k+1 < len(f.stack) {
			if below := f.stack[k+1]; below.match || tree != nil {
				addChild(&node, below.index, tree)
			}
		}
		tree = node
	}
	return Filtered{Tree: tree, Matches: f.matches, Truncated: f.truncated}
}

func (f *FilteredChildren) clone() *FilteredChildren {
	if f == nil {
		return nil
	}
	return &FilteredChildren{Index: slices.Clone(f.Index), Below: maps.Clone(f.Below)}
}

func addChild(list **FilteredChildren, index int32, below *FilteredChildren) {
	if *list == nil {
		*list = &FilteredChildren{}
	}
	k := *list
	k.Index = append(k.Index, index)
	if below != nil {
		if k.Below == nil {
			k.Below = make(map[int32]*FilteredChildren)
		}
		k.Below[index] = below
	}
}

// nodeColumns are the columns of nodes for conditions. Any other name is the name of a field.
var nodeColumns = [...]struct {
	query.Column
	// test tests a node, and reports whether it has such a value.
	test func(n *model.Node, t *query.Test) (matches, exists bool)
}{
	{query.Column{Name: "name"}, func(n *model.Node, t *query.Test) (matches, exists bool) {
		return t.Matches(n.DisplayName()) || t.Matches(n.Name) || t.Matches(n.Key), true
	}},
	{query.Column{Name: "key"}, func(n *model.Node, t *query.Test) (matches, exists bool) {
		return t.Matches(n.Key), n.Key != ""
	}},
	{query.Column{Name: "type"}, func(n *model.Node, t *query.Test) (matches, exists bool) {
		return t.Matches(n.Type), true
	}},
	{query.Column{Name: "value"}, matchValue},
	{query.Column{Name: "size", Kind: query.Size}, func(n *model.Node, t *query.Test) (matches, exists bool) {
		return t.Matches(n.Size), true
	}},
	{query.Column{Name: "offset", Kind: query.Number}, func(n *model.Node, t *query.Test) (matches, exists bool) {
		return t.Matches(n.Offset), true
	}},
	{query.Column{Name: "problem"}, func(n *model.Node, t *query.Test) (matches, exists bool) {
		for _, p := range n.Problems() {
			matches, exists = matches || t.Matches(p.Message) || t.Matches(p.Severity.String()), true
		}
		return matches, exists
	}},
}

// nodeList is the list of nodeColumns, for query.Parse.
var nodeList = func() *query.List {
	l := &query.List{Fields: true}
	for _, c := range nodeColumns {
		l.Columns = append(l.Columns, c.Column)
	}
	return l
}()

// assetList lists the columns of assets, and of files, for conditions: the columns of every list of assets, by their
// numbers, then two more. Any other name is the name of a field of the asset's node.
var assetList = func() *query.List {
	l := query.TableColumns(&model.Table{Columns: archive.OwnColumns()})
	l.Columns = append(l.Columns, query.Column{Name: "key"}, query.Column{Name: "offset", Kind: query.Number})
	l.Fields = true
	l.Columns[archive.Checksum].Values = nil
	for v := model.Unrecorded; v <= model.Unknown; v++ {
		l.Columns[archive.Checksum].Values = append(l.Columns[archive.Checksum].Values, v.String())
	}
	return l
}()

var keyColumn, offsetColumn = len(assetList.Columns) - 2, len(assetList.Columns) - 1

// Columns returns the columns for conditions on nodes: class = Texture is a condition on a field of a node.
func Columns() *query.List { return nodeList }

// AllColumns returns the columns for conditions on assets and nodes; fields permits conditions on fields, too.
func AllColumns(fields bool) *query.List {
	l := &query.List{Columns: slices.Clone(assetList.Columns), Fields: fields}
	for _, c := range nodeList.Columns {
		if !slices.ContainsFunc(l.Columns, func(o query.Column) bool { return o.Name == c.Name }) {
			l.Columns = append(l.Columns, c)
		}
	}
	return l
}

// parsedFilter is a filter with the data to test nodes and assets.
type parsedFilter struct {
	filter  *query.Filter
	columns *query.List
	paths   map[*query.Word]*model.PathPattern // of the words that are paths in the structure
	fields  []string                           // that it has conditions on
	// NamesOnly restricts words to names.
	NamesOnly bool
}

func parseFilter(text string, columns *query.List) (parsedFilter, error) {
	f, err := query.Parse(text, columns)
	if err != nil {
		return parsedFilter{}, err
	}
	parsed := parsedFilter{filter: f, columns: columns, paths: make(map[*query.Word]*model.PathPattern)}
	f.EachWord(func(w *query.Word) {
		if w.Text() != "" && w.Text()[0] == '/' {
			parsed.paths[w] = model.NewPathPattern(w.Text())
		}
	})
	for _, c := range f.Columns() {
		if c >= len(columns.Columns) {
			parsed.fields = append(parsed.fields, f.Field(c))
		}
	}
	return parsed, nil
}

func (f *parsedFilter) Filter() *query.Filter { return f.filter }

// Fields returns the names of the fields that the filter has conditions on.
func (f *parsedFilter) Fields() []string { return f.fields }

// matchesPath reports whether a word is a path, and if so, whether it matches a node or an ancestor.
func (f *parsedFilter) matchesPath(w *query.Word, n *model.Node) (holds, isPath bool) {
	p := f.paths[w]
	return p != nil && n != nil && p.Matches(n), p != nil
}

// matchField tests the field of a node with the name of a column, or with another name of it.
func (f *parsedFilter) matchField(n *model.Node, column int, t *query.Test) (matches, exists bool) {
	add := func(name string) {
		if field := Field(n, name); field != nil && !matches {
			m, ok := matchValue(field, t)
			matches, exists = m, exists || ok
		}
	}
	add(f.columnName(column))
	if column < len(f.columns.Columns) {
		for _, name := range f.columns.Columns[column].Names {
			add(name)
		}
	}
	return matches, exists
}

// columnName returns the name of a column, or of its field.
func (f *parsedFilter) columnName(column int) string {
	if column < len(f.columns.Columns) {
		return f.columns.Columns[column].Name
	}
	return f.filter.Field(column)
}

// matchValue tests the value of a node, its symbol and its label; of a block of bytes the size.
func matchValue(n *model.Node, t *query.Test) (matches, exists bool) {
	if blob, ok := n.Value.(model.Blob); ok {
		return t.Matches(blob.Span.Size), true
	}
	symbol, label := n.Symbol(), n.Label()
	matches = symbol != "" && t.Matches(symbol) || label != "" && t.Matches(label) || n.Value != nil && t.Matches(n.Value)
	return matches, symbol != "" || label != "" || n.Value != nil
}
