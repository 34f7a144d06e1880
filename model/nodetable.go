package model

import (
	"context"
	"slices"
	"strconv"
	"sync"
)

const (
	minTableRows    = 2   // rows of a list that is worth a table
	maxTableColumns = 200 // columns at most
	maxSpread       = 16  // numbers of an array that have a column each
	arrayRun        = 4096
)

// ListOf returns the list that n is or belongs to: an array, or a list whose elements have fields or values. It may be
// nil. A list of one element is returned only for itself.
func ListOf(n *Node) *Node {
	for minRows := 1; n != nil && n.Parent != nil; n, minRows = n.Parent, minTableRows {
		if a, ok := n.Value.(Array); ok && n.Leaf() {
			if a.Len() > maxSpread {
				return n
			}
			continue
		}
		if n.ElementCount() < minRows {
			continue
		}
		if first := n.Child(n.FirstElementIndex()); first.IsElement() && len(fieldsOf(first)) > 0 {
			return n
		}
	}
	return nil
}

// NodeTable returns a list, as ListOf has it, as a table: the numbers of an array, or the elements of a list with a
// column for each of the fields that the first one has, and for each number of their short arrays.
func NodeTable(list *Node) *Table { return nodeTable(list, false) }

// NamedTable returns a list as NodeTable does. Where its elements have names that no field shows, these are the first
// column.
func NamedTable(list *Node) *Table { return nodeTable(list, true) }

func nodeTable(list *Node, named bool) *Table {
	if a, ok := list.Value.(Array); ok && list.Leaf() {
		return arrayTable(list, a)
	}
	firstElement := list.FirstElementIndex()
	first := list.Child(firstElement)
	fields := fieldsOf(first)
	displaysName := func(f tableField) bool { return FormatValue(f.valueIn(first)) == first.DisplayName() }
	if named && first.DisplayName() != "" && !slices.ContainsFunc(fields, displaysName) {
		fields = slices.Insert(fields, 0, tableField{Column{Name: "name", Type: "string"}, nil, displayName})
	}
	t := &Table{Rows: int64(list.ElementCount())}
	for _, f := range fields {
		t.Columns = append(t.Columns, f.column)
	}
	path := list.Path()
	t.Path = func(row int64) Path { return append(append(Path(nil), path...), firstElement+int(row)) }
	var mu sync.Mutex
	var element *Node // the element that was read last
	elementRow := int64(-1)
	t.Cell = func(row int64, column int) any {
		mu.Lock()
		if row != elementRow {
			element, elementRow = list.Child(firstElement+int(row)), row
		}
		n := element
		mu.Unlock()
		return fields[column].valueIn(n)
	}
	t.Scan = func(ctx context.Context, columns []int, each func(row int64, cells []any) error) error {
		cells := make([]any, len(columns))
		var reader Reader
		if e, ok := list.Children().(*Elements); ok && e.Reader != nil {
			reader = e.Reader()
		}
		for row := range t.Rows {
			if row%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			var n *Node
			if reader != nil {
				n = reader.Node(int(row))
			} else {
				n = list.Child(firstElement + int(row))
			}
			for i, c := range columns {
				cells[i] = fields[c].valueIn(n)
			}
			if err := each(row, cells); err != nil {
				return err
			}
		}
		return nil
	}
	return t
}

// tableField is where the value of a column is in an element.
type tableField struct {
	column    Column
	path      []string
	component int // the index in a short array, or wholeValue, or displayName
}

const (
	wholeValue  = -1
	displayName = -2 // of the element
)

// fieldsOf lists the leaves of an element, down to two levels of structs. A leaf is its only field.
func fieldsOf(n *Node) (fields []tableField) {
	var collect func(n *Node, path []string, depth int)
	collect = func(n *Node, path []string, depth int) {
		if len(fields) >= maxTableColumns {
			return
		}
		if !n.Leaf() {
			for i := range n.Len() {
				if k := n.Child(i); depth < 3 && !k.IsElement() && len(fields) < maxTableColumns {
					collect(k, append(path[:len(path):len(path)], k.Name), depth+1)
				}
			}
			return
		}
		c := Column{Name: "value", Type: n.Type}
		if len(path) > 0 {
			c.Name = path[len(path)-1]
		}
		if len(path) > 1 {
			c.Group = path[len(path)-2]
		}
		_, c.Numeric = Float(n.Value)
		a, isArray := n.Value.(Array)
		if !isArray || a.Len() == 0 || a.Len() > maxSpread {
			fields = append(fields, tableField{c, path, wholeValue})
			return
		}
		values, err := a.Slice(0, a.Len())
		if err != nil {
			return
		}
		name := c.Name
		for i, v := range values {
			c.Name = name + "." + componentName(i, len(values))
			_, c.Numeric = Float(v)
			fields = append(fields, tableField{c, path, i})
		}
	}
	collect(n, nil, 0)
	return fields
}

// componentName returns the name of one number of a short array.
func componentName(i, n int) string {
	if n <= 4 {
		return "xyzw"[i : i+1]
	}
	return strconv.Itoa(i)
}

// valueIn returns the field's value in an element, or nil.
func (f *tableField) valueIn(n *Node) any {
	if f.component == displayName {
		return n.DisplayName()
	}
	for _, name := range f.path {
		if n = n.ChildNamed(name); n == nil {
			return nil
		}
	}
	if f.component == wholeValue {
		switch n.Value.(type) {
		case Array, Blob:
			return FormatValue(n.Value)
		}
		return n.Value
	}
	a, ok := n.Value.(Array)
	if !ok {
		return nil
	}
	v, err := a.Slice(int64(f.component), 1)
	if err != nil || len(v) == 0 {
		return nil
	}
	return v[0]
}

// arrayTable returns the numbers of an array, read some thousands at once.
func arrayTable(n *Node, a Array) *Table {
	var mu sync.Mutex
	var values []any
	first := int64(0)
	t := &Table{Rows: a.Len(), Columns: []Column{{Name: "value", Type: n.Type}}}
	t.Cell = func(row int64, _ int) any {
		mu.Lock()
		defer mu.Unlock()
		if row < first || row >= first+int64(len(values)) {
			first = max(0, row-arrayRun/4)
			values, _ = a.Slice(first, arrayRun)
		}
		if row >= first+int64(len(values)) {
			return nil
		}
		return values[row-first]
	}
	if stored, ok := a.(Numbers); ok {
		t.Offset = func(row int64) int64 { return stored.Offset + row*stored.Form.Size() }
	}
	if a.Len() > 0 {
		_, t.Columns[0].Numeric = Float(t.Cell(0, 0))
	}
	return t
}

// TableSource is a list of the document that can be displayed as a table.
type TableSource struct {
	Name string
	// Assets reports whether row i is the i-th of the document's Payloads.
	Assets bool
	Open   func(ctx context.Context) (*Table, error)
}

// Table is rows of cells: a long list of similar items, such as the catoms of a world by the fields of their modules. A
// cell is a Node value (a number, a string), or nil if the row has no such value. Package query sorts and filters it.
type Table struct {
	Columns []Column
	Rows    int64
	// Cell reads one cell. It may be called from any goroutine.
	Cell func(row int64, column int) any
	// Scan reads the cells of some columns row by row, from the first row to the last, quicker than Cell does. The
	// cells are good until each returns. nil: Cell is used.
	Scan func(ctx context.Context, columns []int, each func(row int64, cells []any) error) error
	// Path returns the path of the row's node; nil if rows are not nodes.
	Path func(row int64) Path
	// Offset returns where the row is in the file, if it is not a node; nil if it is nowhere.
	Offset func(row int64) int64
}

// Column is a field of every row.
type Column struct {
	Name             string   // the field's name: "x"
	Group            string   // the owner of the field, such as the module's name; may be empty
	Type             string   // the field's type as its document writes it
	Numeric          bool     // cells are numbers, or missing
	OnlyByName       bool     // a size, a time, a state: a word without a column is not searched in it
	IsGroupable      bool     // few distinct values: rows can be grouped by them
	Names            []string // other names that a filter may call it
	Sum              bool     // cells are counts: a folder has their sum
	IsOptional       bool     // few users need it: a list displays it when asked
	MatchesExtension bool     // a file type: in a filter, the extension of the text in the first column matches too
	Values           []string // if rows can be grouped, the possible values; nil if they have not been collected
}

// Title returns the column's name, with its group where another column has the same name.
func (t *Table) Title(column int) string {
	c := t.Columns[column]
	if c.Group == "" {
		return c.Name
	}
	for i, other := range t.Columns {
		if i != column && other.Name == c.Name {
			return c.Group + "." + c.Name
		}
	}
	return c.Name
}
