package contents

import (
	"cmp"
	"context"
	"strconv"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
	"assay/model/query"
	"assay/ui/comparison/compared"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// TablesView shows the list that is or contains the selected pair as one table of both versions.
type TablesView struct {
	result    *compare.Comparison
	selection model.Path // path of the selected pair
	Sheet     *doc.Sheet
	lane      *work.Lane

	Visible     bool
	list        model.Path      // path of the pair of the displayed lists, or nil
	table       *contents.Table // table of the displayed lists
	displayed   *versions       // the displayed table
	items       *compared.Items // nil until collected
	HasList     bool            // the selected pair has such a list
	IsNumbers   bool            // an array of numbers, which is more readable as a table
	isSelecting bool            // a selection in the table is in progress

	OnSelect func(p *compare.Pair) // the user selected a pair
	OnList   func()                // called when it is determined whether the selected pair has a list
	OnError  func(err error)
}

// NewTables returns a view without a table.
func NewTables(h host.Host, style *paint.Style, group *work.Group) *TablesView {
	t := &TablesView{Sheet: doc.NewVersions(h, style, group), lane: group.Lane()}
	t.Sheet.OnPath = t.goTo
	return t
}

// Set sets another comparison without a table.
func (t *TablesView) Set(result *compare.Comparison) {
	t.lane.Stop()
	t.result = result
	t.list, t.table, t.HasList, t.items = nil, nil, false, nil
	t.Sheet.ShowVersions(nil, nil)
}

// SetItems displays elements that only moved as moved from now on, as the tree does.
func (t *TablesView) SetItems(m *compared.Items) {
	if t.items = m; t.table != nil {
		t.displayed.items = m
		t.Sheet.Update()
	}
}

// SetVisible sets whether the table is visible.
func (t *TablesView) SetVisible(visible bool) {
	if t.Visible = visible; visible {
		t.load()
	}
}

// SelectPath is called with the path of the selected pair.
func (t *TablesView) SelectPath(path model.Path) {
	t.selection = path
	t.load()
}

// load finds the list of the selected pair and, if the view is visible, creates its table.
func (t *TablesView) load() {
	result, path, displayedList, visible := t.result, t.selection, t.list, t.Visible
	if result == nil || t.isSelecting {
		return
	}
	t.lane.Go(func(ctx context.Context) func() {
		pair := result.At(path)
		if pair == nil {
			return nil
		}
		list := contents.ListOf(result, pair)
		if list == nil {
			return func() { t.setList(result, nil, nil, false) }
		}
		listPath, plain := list.Path(), list.Leaf()
		if !visible || displayedList.Equal(listPath) && displayedList != nil {
			return func() { t.setList(result, listPath, nil, plain) }
		}
		table, err := contents.TableOf(ctx, result, pair)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			if err != nil {
				t.OnError(err)
				return
			}
			t.setList(result, listPath, table, plain)
		}
	})
}

// Step moves to the next or previous changed row. With wrap it starts at the other end. It returns false at the end.
func (t *TablesView) Step(step int, wrap bool) bool {
	if t.table == nil {
		return false
	}
	return t.Sheet.StepTo(t.table.DifferingRows(), step, wrap)
}

// setList sets the list of the selected pair; table is its table, or nil if the displayed one is of this list.
func (t *TablesView) setList(result *compare.Comparison, list model.Path, table *contents.Table, plain bool) {
	if t.result != result {
		return
	}
	t.HasList, t.IsNumbers = list != nil, plain
	if table != nil {
		t.list, t.table = list, table
		t.displayed = &versions{Table: table, path: result.At(list).Node().PathText(), list: list, items: t.items}
		t.Sheet.ShowVersions(table.Table, t.displayed)
	}
	t.OnList()
	if t.Visible && t.table != nil && list != nil && t.list.Equal(list) {
		t.revealPair(table != nil)
	}
}

// revealPair scrolls to the row of the selected pair; in a new table without such a row, to the first changed row.
func (t *TablesView) revealPair(first bool) {
	if row, ok := t.table.RowOf(t.result.At(t.list), t.selection); ok {
		t.Sheet.GoTo(row)
	} else if all := t.table.DifferingRows(); first && len(all) > 0 {
		t.Sheet.GoTo(int64(all[0]))
	}
}

// goTo selects the pair of a row that the user selected.
func (t *TablesView) goTo(path model.Path) {
	p := t.result.At(path)
	if p == nil {
		return
	}
	t.isSelecting = true
	t.OnSelect(p)
	t.isSelecting = false
}

// versions is a table of both versions for a sheet.
type versions struct {
	*contents.Table
	path  string // path of the list
	list  model.Path
	items *compared.Items // nil until collected
}

// Status returns the status of a row.
func (v *versions) Status(row int64) compare.Status {
	status := v.Table.Status(row)
	if v.Path == nil || status != compare.Changed {
		return status
	}
	return v.items.StatusAt(v.Path(row), status)
}

// Number returns the number of a row in the new version, and the one in the old version if it differs.
func (v *versions) Number(row int64) rows.Cell {
	old, new := v.SideRows(row)
	cell := rows.Cell{Text: strconv.FormatInt(max(old, new), 10), Mono: true, Tone: compared.StatusTone(v.Status(row))}
	if old >= 0 && new >= 0 {
		if cell.Text = strconv.FormatInt(new, 10); old != new {
			cell.Text = strconv.FormatInt(old, 10) + " → " + cell.Text
		}
	}
	if s := v.Status(row); s != compare.Same {
		cell.Text = compared.Sign(s) + " " + cell.Text
	}
	return cell
}

// Cell returns the text of a cell; of a changed one the old and the new value.
func (v *versions) Cell(row int64, column int) rows.Cell {
	old, new, differ := v.Cells(row, column)
	status := v.Status(row)
	cell := rows.Cell{Mono: true, CutMiddle: !v.Columns[column].Numeric, HighlightTone: paint.Changed}
	switch {
	case differ:
		cell.Pieces = []paint.Piece{{Text: model.FormatValue(cmp.Or[any](old, "none"))}, {Text: " → "},
			{Text: model.FormatValue(cmp.Or[any](new, "none")), Highlighted: true}}
	default:
		cell.Text = model.FormatValue(v.Table.Cell(row, column))
	}
	switch status {
	case compare.Added, compare.Removed:
		cell.Tone = compared.StatusTone(status)
	case compare.Same:
		cell.Tone = paint.Dim
	}
	return cell
}

// Before returns the value of a cell in the old version.
func (v *versions) Before(row int64, column int) any {
	old, _, _ := v.Cells(row, column)
	return old
}

// Differences lists the rows that are not the same in both versions.
func (v *versions) Differences() query.Order { return v.Table.DifferingRows() }

// Summary returns the number of rows of each status as text.
func (v *versions) Summary() string {
	if v.Counts.Differences() == 0 {
		return "no changes in " + model.OneLine(v.path, 80)
	}
	return v.items.ListCounts(v.list, v.Counts).String() + " in " + model.OneLine(v.path, 80)
}
