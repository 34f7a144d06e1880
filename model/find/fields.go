package find

import (
	"maps"
	"slices"
	"strings"

	"assay/model"
	"assay/model/query"
)

// The most nodes of a file, and elements of a list in it, whose names are looked at.
const (
	fieldsLooked   = 1 << 16
	elementsLooked = 8
)

// FieldNames returns the names of the fields of a document, in alphabetical order. It looks at the first nodes only.
func FieldNames(d *model.Document) []string {
	known := make(map[string]bool)
	todo := []*model.Node{d.Root()}
	for looked := 0; len(todo) > 0 && looked < fieldsLooked; looked++ {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		elements := 0
		for i := 0; i < n.Len() && elements < elementsLooked; i++ {
			c := n.Child(i)
			if c.Element() {
				elements++
			} else {
				known[c.Name] = true
			}
			todo = append(todo, c)
		}
	}
	return slices.Sorted(maps.Keys(known))
}

// ColumnsOf are Columns with the names of the fields of a document, which can be typed in a filter of it.
func ColumnsOf(d *model.Document) *query.List {
	l := &query.List{Columns: slices.Clone(ofNodes.Columns)}
	for _, name := range FieldNames(d) {
		if !slices.ContainsFunc(ofNodes.Columns, func(c query.Column) bool { return strings.EqualFold(c.Name, name) }) {
			l.Columns = append(l.Columns, query.Column{Name: name})
		}
	}
	return l
}
