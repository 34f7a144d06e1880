package doc

import (
	"context"
	"slices"

	"assay/model"
	"assay/model/query"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// Versions is how the rows of a table are shown that are those of two versions of a list.
type Versions interface {
	// Number is what stands before a row.
	Number(row int64) rows.Cell
	// Cell is a cell with what it was and what it is.
	Cell(row int64, column int) rows.Cell
	// Before is the value of a cell in the old version; nil if the row is not in it.
	Before(row int64, column int) any
	// Differences lists the rows that are not the same in both versions; never nil.
	Differences() query.Order
	// Summary says how many rows are in which state.
	Summary() string
}

// NewVersions makes an empty table of two versions.
func NewVersions(h host.Host, style *paint.Style, group *work.Group) *Sheet {
	s := NewSheet(h, style, group, nil, model.TableSource{Name: "Table", Open: func(context.Context) (*model.Table, error) {
		return &model.Table{}, nil
	}})
	s.asked = true
	s.only.Show()
	return s
}

// ShowVersions shows another table of two versions; nil shows none.
func (s *Sheet) ShowVersions(t *model.Table, v Versions) {
	if t == nil {
		t, v = &model.Table{}, nil
	}
	s.lane.Stop()
	s.found, s.order = nil, nil
	s.column, s.sorted = -1, rows.Unsorted
	s.versions, s.filter.Text = v, ""
	s.filter.Refresh()
	s.show(t, nil)
	s.rows.SetSource((*body)(s))
	if v != nil && s.only.Checked {
		s.search()
	}
}

// before is a table of two versions with the values of the old one, which a filter looks at besides.
func before(t *model.Table, v Versions) *model.Table {
	return &model.Table{Rows: t.Rows, Columns: t.Columns, Cell: v.Before}
}

// StepTo goes to the next of some rows, or to the one before, as they are sorted; around: from the other end. It is
// false if none of them is shown there.
func (s *Sheet) StepTo(all query.Order, by int, around bool) bool {
	if s.table == nil {
		return false
	}
	wanted := make(map[uint32]bool, len(all))
	for _, row := range all {
		wanted[row] = true
	}
	n, at := s.order.Len(s.table), s.rows.Current()+int64(by)
	if around && by > 0 {
		at = 0
	} else if around {
		at = n - 1
	}
	for ; at >= 0 && at < n; at += int64(by) {
		if wanted[uint32(s.order.Row(at))] {
			s.rows.SetCurrent(at)
			s.rows.ScrollTo(at)
			s.goTo(at)
			return true
		}
	}
	return false
}

// GoTo makes a row current and brings it into view, if the filter shows it. OnPath is not told.
func (s *Sheet) GoTo(row int64) {
	at := row
	if s.order != nil {
		at = int64(slices.Index(s.order, uint32(row)))
	}
	if at >= 0 && at != s.rows.Current() {
		s.rows.SetCurrent(at)
		s.rows.ScrollTo(at)
	}
}
