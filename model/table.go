package model

import "context"

// TableSource is a list of the document that can be shown as a table.
type TableSource struct {
	Name string
	// Assets says that row i is the i-th of the document's Payloads.
	Assets bool
	Open   func(ctx context.Context) (*Table, error)
}

// Table is rows of cells: a long list of like things, such as the catoms of a world by the fields of their modules. A
// cell is a Node value (a number, a string) or nil where the row has no such value. Package table sorts and filters.
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

// Column is one field of every row.
type Column struct {
	Name    string   // the field's name: "x"
	Group   string   // what the field belongs to: the module's name; empty if there are no groups
	Type    string   // the field's type as its document writes it
	Numeric bool     // cells are numbers, or missing
	Measure bool     // a size, a time, a state: a text that is typed alone is not looked for in it
	Class   bool     // what is the same in many rows: they can be grouped by it
	Names   []string // other names that a filter may call it
	Values  []string // of a Class, the values that there are; nil if they are not known
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
