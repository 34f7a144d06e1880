package doc

import (
	"context"

	"assay/model"
	"assay/model/query"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// Versions supplies the cells of a table with the rows of two versions of a list.
type Versions interface {
	// Number returns the cell before a row.
	Number(row int64) rows.Cell
	// Cell returns a cell with the old and the new value.
	Cell(row int64, column int) rows.Cell
	// Before returns the value of a cell in the old version, or nil if the row is not in it.
	Before(row int64, column int) any
	// Differences lists the rows that differ between the versions. It is never nil.
	Differences() query.Order
	// Summary returns the number of rows in each state, as text.
	Summary() string
}

// NewVersions returns an empty table of two versions.
func NewVersions(h host.Host, style *paint.Style, group *work.Group) *Sheet {
	s := NewSheet(h, style, group, nil, model.TableSource{Name: "Table", Open: func(context.Context) (*model.Table, error) {
		return &model.Table{}, nil
	}})
	s.isOpened = true
	s.changedOnly.Show()
	return s
}

// ShowVersions displays a table of two versions. Without a table the sheet is empty.
func (s *Sheet) ShowVersions(t *model.Table, v Versions) {
	if t == nil {
		t, v = &model.Table{}, nil
	}
	s.lane.Stop()
	s.filteredRows, s.displayedRows = nil, nil
	s.sortColumn, s.sortOrder = -1, rows.Unsorted
	s.versions, s.filter.Field.Text = v, ""
	s.filter.Field.Refresh()
	s.show(t, nil)
	s.rows.SetSource((*body)(s))
	if v != nil && s.changedOnly.Checked {
		s.search()
	}
}

// oldTable returns a table of two versions with the values of the old one, so that a filter also matches those.
func oldTable(t *model.Table, v Versions) *model.Table {
	return &model.Table{Rows: t.Rows, Columns: t.Columns, Cell: v.Before}
}

// StepTo selects the next row of wanted, or the previous one if step is negative, in the displayed order. With wrap it
// starts from the other end. It returns false if there is no such row.
func (s *Sheet) StepTo(wanted query.Order, step int, wrap bool) bool {
	if s.table == nil {
		return false
	}
	isWanted := make(map[uint32]bool, len(wanted))
	for _, row := range wanted {
		isWanted[row] = true
	}
	n, visibleRow := s.displayedRows.Len(s.table), s.rows.Current()+int64(step)
	if wrap && step > 0 {
		visibleRow = 0
	} else if wrap {
		visibleRow = n - 1
	}
	for ; visibleRow >= 0 && visibleRow < n; visibleRow += int64(step) {
		if isWanted[uint32(s.displayedRows.Row(visibleRow))] {
			s.rows.SetCurrent(visibleRow)
			s.rows.ScrollTo(visibleRow)
			s.report(visibleRow)
			return true
		}
	}
	return false
}
