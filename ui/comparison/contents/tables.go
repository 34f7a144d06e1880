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

// TablesLens shows the list that the selected pair is, or is a part of, as one table of both versions.
type TablesLens struct {
	found     *compare.Comparison
	selection model.Path // path of the selected pair
	Sheet     *doc.Sheet
	lane      *work.Lane

	Visible   bool
	list      model.Path      // path of the pair of the displayed lists, or nil
	table     *contents.Table // table of the displayed lists
	displayed *versions       // the displayed table
	items     *compared.Items // nil until collected
	Has       bool            // the selected pair has such a list
	Plain     bool            // an array of numbers, which is more readable as a table
	going     bool            // the user selected the pair in the table

	OnSelect func(p *compare.Pair) // the user went to a pair
	OnList   func()                // called when it is determined whether the selected pair has a list
	OnError  func(err error)
}

// NewTables makes a lens without a table.
func NewTables(h host.Host, style *paint.Style, group *work.Group) *TablesLens {
	t := &TablesLens{Sheet: doc.NewVersions(h, style, group), lane: group.Lane()}
	t.Sheet.OnPath = t.goTo
	return t
}

// Set sets another comparison without a table.
func (t *TablesLens) Set(found *compare.Comparison) {
	t.lane.Stop()
	t.found = found
	t.list, t.table, t.Has, t.items = nil, nil, false, nil
	t.Sheet.ShowVersions(nil, nil)
}

// SetItems displays elements that only moved as moved from now on, as the tree does.
func (t *TablesLens) SetItems(m *compared.Items) {
	if t.items = m; t.table != nil {
		t.displayed.items = m
		t.Sheet.UpdateCount()
	}
}

// Show sets whether the table is visible.
func (t *TablesLens) Show(visible bool) {
	if t.Visible = visible; visible {
		t.load()
	}
}

// SelectPath takes the path of another pair.
func (t *TablesLens) SelectPath(path model.Path) {
	t.selection = path
	t.load()
}

// load finds the list of the selected pair and, if the table is in view, makes it.
func (t *TablesLens) load() {
	found, path, displayedList, visible := t.found, t.selection, t.list, t.Visible
	if found == nil || t.going {
		return
	}
	t.lane.Go(func(ctx context.Context) func() {
		pair := found.At(path)
		if pair == nil {
			return nil
		}
		list := contents.ListOf(found, pair)
		if list == nil {
			return func() { t.setList(found, nil, nil, false) }
		}
		listPath, plain := list.Path(), list.Leaf()
		if !visible || displayedList.Equal(listPath) && displayedList != nil {
			return func() { t.setList(found, listPath, nil, plain) }
		}
		table, err := contents.TableOf(ctx, found, pair)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			if err != nil {
				t.OnError(err)
				return
			}
			t.setList(found, listPath, table, plain)
		}
	})
}

// Step moves to the next or previous changed row; around: from the other end. It returns false at the end.
func (t *TablesLens) Step(step int, wrap bool) bool {
	if t.table == nil {
		return false
	}
	return t.Sheet.StepTo(t.table.Differences(), step, wrap)
}

// setList takes the list of the selected pair; made is its table, if it was not made before.
func (t *TablesLens) setList(found *compare.Comparison, list model.Path, table *contents.Table, plain bool) {
	if t.found != found {
		return
	}
	t.Has, t.Plain = list != nil, plain
	if table != nil {
		t.list, t.table = list, table
		t.displayed = &versions{Table: table, path: found.At(list).Node().PathText(), list: list, items: t.items}
		t.Sheet.ShowVersions(table.Table, t.displayed)
	}
	t.OnList()
	if t.Visible && t.table != nil && list != nil && t.list.Equal(list) {
		t.revealPair(table != nil)
	}
}

// revealPair brings the row of the selected pair into view; of a new table without one, the first that changed.
func (t *TablesLens) revealPair(first bool) {
	if row, ok := t.table.RowOf(t.found.At(t.list), t.selection); ok {
		t.Sheet.GoTo(row)
	} else if all := t.table.Differences(); first && len(all) > 0 {
		t.Sheet.GoTo(int64(all[0]))
	}
}

// goTo selects the pair of a row that the user went to.
func (t *TablesLens) goTo(path model.Path) {
	p := t.found.At(path)
	if p == nil {
		return
	}
	t.going = true
	t.OnSelect(p)
	t.going = false
}

// versions is a table of both versions as a sheet shows it.
type versions struct {
	*contents.Table
	path  string // path of the list
	list  model.Path
	items *compared.Items // nil until collected
}

// Status returns how a row changed.
func (v *versions) Status(row int64) compare.Status {
	status := v.Table.Status(row)
	if v.Path == nil || status != compare.Changed {
		return status
	}
	return v.items.StatusAt(v.Path(row), status)
}

// Number is the number of a row in the new version, and in the old one if it is another.
func (v *versions) Number(row int64) rows.Cell {
	old, new := v.Numbers(row)
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
			{Text: model.FormatValue(cmp.Or[any](new, "none")), Lit: true}}
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
func (v *versions) Differences() query.Order { return v.Table.Differences() }

// Summary returns the number of rows of each status as text.
func (v *versions) Summary() string {
	if v.Counts.Differences() == 0 {
		return "no changes in " + model.OneLine(v.path, 80)
	}
	return v.items.ListCounts(v.list, v.Counts).String() + " in " + model.OneLine(v.path, 80)
}
