package noted

import (
	"assay/model/notes"
	"assay/model/query"
)

// The columns of the list, in which filters have conditions.
const (
	colorColumn = iota
	noteColumn
	whereColumn
	offsetColumn
	sizeColumn
)

var columns = query.List{Columns: []query.Column{colorColumn: {Name: "color", Values: colors()},
	noteColumn: {Name: "note"}, whereColumn: {Name: "where"}, offsetColumn: {Name: "offset", Kind: query.Number},
	sizeColumn: {Name: "size", Kind: query.Size}}}

func colors() (names []string) {
	for _, c := range notes.Colors() {
		names = append(names, c.String())
	}
	return names
}

// filtered is a note as filters see it.
type filtered notes.Placed

// Has implements query.Thing.
func (f filtered) Has(w *query.Word) bool {
	return w.In(f.Text) || w.In(f.Where) || w.In(f.Color.String())
}

// Meets implements query.Thing.
func (f filtered) Meets(column int, t *query.Test) (met, is bool) {
	switch column {
	case colorColumn:
		return t.Met(f.Color.String()), true
	case noteColumn:
		return t.Met(f.Text), true
	case whereColumn:
		return t.Met(f.Where), true
	case offsetColumn:
		return t.Met(f.At.Offset), true
	}
	return t.Met(f.At.Size), true
}
