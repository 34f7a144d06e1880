package doc

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// maxListTitle is the maximum length of the name of a list, in characters.
const maxListTitle = 40

// Limits of the automatic width of a column, in device-independent pixels.
const (
	minColumnWidth = 48
	maxColumnWidth = 320
)

// Sheet displays a table in the pane of a document.
type Sheet struct {
	// OnPath is called with the path of the node of a row that the user selects.
	OnPath func(p model.Path)
	// OnOffset is called with the offset of a row that the user selects if the row is not a node.
	OnOffset func(offset int64)

	source   model.TableSource
	document *model.Document
	host     host.Host
	style    *paint.Style
	group    *work.Group
	lane     *work.Lane

	rows        *rows.Rows
	filter      *control.Filter
	count       *widget.Label
	changedOnly *control.Check // shows changed rows only; for two versions
	content     fyne.CanvasObject

	versions Versions // nil for a table of a single file

	listPath         model.Path // path of the displayed list if the sheet follows the selection; may be nil
	listTitle        string     // title of the followed list
	followsSelection bool
	selection        Selection // selection that it follows
	isOpened         bool
	table            *model.Table
	filteredRows     query.Order // filtered rows, in the order of the file
	displayedRows    query.Order // filtered rows, sorted
	sortColumn       int         // sorted column, or -1
	sortOrder        rows.Order
}

var (
	_ Panel    = (*Sheet)(nil)
	_ Selector = (*Sheet)(nil)
)

// NewSheet returns the table of a list of a document. The table is opened when it is first displayed.
func NewSheet(h host.Host, style *paint.Style, group *work.Group, d *model.Document, source model.TableSource) *Sheet {
	s := &Sheet{host: h, source: source, document: d, style: style, group: group, lane: group.Lane(), sortColumn: -1}
	s.rows = rows.New(h, style, (*body)(s), rows.Options{Header: true, Grow: maxColumnWidth, Empty: s.empty})
	s.rows.Events = rows.Events{OnSort: s.sort, OnCurrent: s.report, OnActivate: s.report, OnMenu: s.menu}
	s.filter = control.NewFilter(h, "Filter: text or conditions, such as x >= 5 y < 10", func() *query.List {
		if s.table == nil {
			return nil
		}
		return query.TableColumns(s.table)
	}, s.search)
	s.filter.SetOnLeave(func(bool) { s.rows.Focus() })
	s.count = widget.NewLabel("")
	s.count.Importance = widget.LowImportance
	s.changedOnly = control.NewCheck(h.Key, "Changed only", func(bool) { s.search() })
	s.changedOnly.Hide()
	head := container.NewBorder(nil, nil, s.changedOnly, s.count, s.filter.Field)
	s.content = s.filter.WithPopup(container.NewBorder(head, nil, nil, nil, s.rows))
	return s
}

// NewValues returns a table of the list that is or contains the selected node.
func NewValues(h host.Host, style *paint.Style, group *work.Group) *Sheet {
	s := NewSheet(h, style, group, nil, model.TableSource{Name: "Values", Open: func(context.Context) (*model.Table, error) {
		return &model.Table{}, nil
	}})
	s.followsSelection = true
	return s
}

// followSelection displays the list of another selected node.
func (s *Sheet) followSelection(selection Selection) {
	if selection.Document == nil || selection.Node == nil {
		return
	}
	list, table := listOf(selection)
	if list == nil {
		s.clear()
		return
	}
	s.selection = selection
	if selection.Document == s.document && s.listPath != nil && list.Path().Equal(s.listPath) {
		s.goToSelected()
		return
	}
	s.document, s.listPath, s.listTitle = selection.Document, list.Path(), model.OneLine(list.Title(), maxListTitle)
	s.source.Open = func(context.Context) (*model.Table, error) {
		if table == nil {
			return model.NamedTable(list), nil
		}
		return table, nil
	}
	s.table, s.filteredRows, s.displayedRows = nil, nil, nil
	s.sortColumn, s.sortOrder = -1, rows.Unsorted
	s.rows.SetSource((*body)(s))
	if s.isOpened {
		s.open()
	}
}

// clear displays that the selected node has no table.
func (s *Sheet) clear() {
	s.listPath, s.table, s.filteredRows, s.displayedRows = nil, nil, nil, nil
	s.lane.Stop()
	s.rows.SetSource((*body)(s))
	s.rows.SetColumns()
	s.count.SetText("")
}

// empty returns the text in place of rows.
func (s *Sheet) empty() string {
	switch {
	case s.followsSelection && s.listPath == nil:
		return "The selected node has no table of values. Select a list of records, or an array."
	case s.table != nil && s.table.Rows > 0:
		return host.NoMatches
	}
	return ""
}

// goToSelected makes the row current that contains the selected node or byte.
func (s *Sheet) goToSelected() {
	if s.table == nil || s.listPath == nil || s.selection.Node == nil {
		return
	}
	row, path := int64(-1), s.selection.Node.Path()
	switch {
	case s.table.Path != nil && len(path) > len(s.listPath) && s.table.Rows > 0:
		if first := s.table.Path(0); len(first) == len(s.listPath)+1 {
			row = int64(path[len(s.listPath)] - first[len(s.listPath)])
		}
	case s.table.Offset != nil && s.table.Rows > 1 && s.selection.Offset > s.table.Offset(0):
		row = (s.selection.Offset - s.table.Offset(0)) / (s.table.Offset(1) - s.table.Offset(0))
	}
	switch {
	case row < 0 || row >= s.table.Rows:
		row = -1
	case s.displayedRows != nil:
		row = int64(slices.Index(s.displayedRows, uint32(row)))
	}
	if row != s.rows.Current() {
		s.rows.SetCurrent(row)
		if row >= 0 {
			s.rows.ScrollTo(row)
		}
	}
}

// listOf returns the list that is or contains the selected node, and its table if the format provides one, such as the
// keys of an animation.
func listOf(selection Selection) (*model.Node, *model.Table) {
	if selection.Document.Keys != nil {
		if channel, keys := selection.Document.Keys(selection.Node); channel != nil {
			return channel, keys
		}
	}
	return model.ListOf(selection.Node), nil
}

// menu opens the context menu, for copying rows.
func (s *Sheet) menu(_ int64, pos fyne.Position) {
	if s.table == nil {
		return
	}
	s.host.Menu(fyne.NewMenu("", fyne.NewMenuItem("Copy Table as CSV", s.copyCSV)), pos)
}

// maxCSVRows is the maximum number of copied rows.
const maxCSVRows = 1_000_000

// copyCSV copies the filtered rows in their displayed order, at most maxCSVRows.
func (s *Sheet) copyCSV() {
	t, order, versions := s.table, s.displayedRows, s.versions
	s.group.Go(func(ctx context.Context) func() {
		var out strings.Builder
		w := csv.NewWriter(&out)
		line := []string{"#"}
		for i := range t.Columns {
			line = append(line, t.Title(i))
		}
		_ = w.Write(line)
		n := min(order.Len(t), maxCSVRows)
		for row := range n {
			if row%1024 == 0 && ctx.Err() != nil {
				return nil
			}
			index := order.Row(row)
			line = append(line[:0], strconv.FormatInt(index, 10))
			for i := range t.Columns {
				if versions != nil {
					cell := versions.Cell(index, i)
					line = append(line, cell.String())
				} else {
					line = append(line, csvValue(t.Cell(index, i)))
				}
			}
			_ = w.Write(line)
		}
		w.Flush()
		return func() { s.host.Copy(out.String()) }
	})
}

// csvValue returns a value in the form that other programs read.
func csvValue(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// Title returns the name of the list.
func (s *Sheet) Title() string { return s.source.Name }

// Content returns the canvas object of the sheet, and opens the table on the first call.
func (s *Sheet) Content() fyne.CanvasObject {
	if !s.isOpened {
		s.isOpened = true
		s.open()
	}
	return s.content
}

func (s *Sheet) open() {
	if s.followsSelection && s.listPath == nil {
		return
	}
	s.count.SetText("Opening…")
	source := s.source
	s.lane.Go(func(ctx context.Context) func() {
		t, err := source.Open(ctx)
		return func() { s.show(t, err) }
	})
}

// Select opens the table of the reloaded document, or follows the selection.
func (s *Sheet) Select(selection Selection) {
	if s.followsSelection {
		s.followSelection(selection)
		return
	}
	if selection.Document == nil || selection.Document == s.document {
		return
	}
	s.document, s.table, s.filteredRows, s.displayedRows = selection.Document, nil, nil, nil
	for _, t := range selection.Document.Tables {
		if t.Name == s.source.Name {
			s.source = t
		}
	}
	s.rows.Refresh()
	if s.isOpened {
		s.open()
	}
}

func (s *Sheet) show(t *model.Table, err error) {
	if err != nil {
		s.count.SetText(host.Sentence(err))
		return
	}
	s.table = t
	columns := []rows.Column{{Title: "#", Min: s.numbersWidth(), Align: paint.AlignRight}}
	for i, c := range t.Columns {
		column := rows.Column{Title: t.Title(i), Min: minColumnWidth, Sortable: true}
		if c.Numeric {
			column.Align = paint.AlignRight
		}
		columns = append(columns, column)
	}
	s.rows.SetColumns(columns...)
	s.Update()
	s.goToSelected()
}

// numbersWidth returns the width of the widest row number.
func (s *Sheet) numbersWidth() float32 {
	last := rows.Cell{Text: strconv.FormatInt(max(0, s.table.Rows-1), 10), Mono: true}
	return max(minColumnWidth, rows.WidthOf(s.style.NewCanvas(nil, 1, paint.Colors{}), last))
}

// Update updates the rows and their number.
func (s *Sheet) Update() {
	visible := s.displayedRows.Len(s.table)
	text := host.Count(s.table.Rows, "row")
	if s.followsSelection && s.listTitle != "" {
		text += " of " + s.listTitle
	}
	if visible != s.table.Rows {
		text = host.Number(visible) + " of " + text
	}
	if s.versions != nil {
		text += ": " + s.versions.Summary()
	}
	s.count.SetText(text)
	s.rows.Refresh()
}

// sort sorts by a column. The first column is the order of the file.
func (s *Sheet) sort(column int, order rows.Order) {
	if s.table == nil {
		return
	}
	s.sortColumn, s.sortOrder = column-1, order
	s.arrange(func(context.Context) (query.Order, error) { return s.filteredRows, nil })
}

// search applies the filter.
func (s *Sheet) search() {
	if s.table == nil {
		return
	}
	filter, ok := s.filter.Parse()
	if !ok {
		return
	}
	t, v, all := s.table, s.versions, query.Order(nil)
	if v != nil && s.changedOnly.Checked {
		all = v.Differences()
	}
	s.arrange(func(ctx context.Context) (query.Order, error) {
		if !s.group.Pause(ctx, 150*time.Millisecond) {
			return nil, ctx.Err()
		}
		found, err := query.FilterTable(ctx, t, all, filter, nil)
		if v == nil || filter.Empty() || err != nil {
			return found, err
		}
		old, err := query.FilterTable(ctx, oldTable(t, v), all, filter, nil)
		union := append(append(make(query.Order, 0, len(found)+len(old)), found...), old...) // nil means all rows
		slices.Sort(union)
		return slices.Compact(union), err
	})
}

// arrange finds and sorts rows in the background.
func (s *Sheet) arrange(find func(ctx context.Context) (query.Order, error)) {
	t, column, sortOrder := s.table, s.sortColumn, s.sortOrder
	s.count.SetText("Searching…")
	s.lane.Go(func(ctx context.Context) func() {
		found, err := find(ctx)
		displayed := found
		if err == nil && column >= 0 && sortOrder != rows.Unsorted {
			displayed, err = query.Sort(ctx, t, found, column, sortOrder == rows.Descending)
		}
		return func() {
			if err != nil {
				s.count.SetText(host.Sentence(err))
				return
			}
			s.filteredRows, s.displayedRows = found, displayed
			s.rows.SetSort(column+1, sortOrder)
			s.rows.SetSource((*body)(s))
			s.Update()
			s.goToSelected()
		}
	})
}

// report passes the node or the offset of a row to OnPath or OnOffset.
func (s *Sheet) report(row int64) {
	if s.table == nil || row < 0 || row >= s.displayedRows.Len(s.table) {
		return
	}
	row = s.displayedRows.Row(row)
	switch {
	case s.table.Path != nil && s.OnPath != nil:
		s.OnPath(s.table.Path(row))
	case s.table.Offset != nil && s.OnOffset != nil:
		s.OnOffset(s.table.Offset(row))
	}
}

// body is the row source of a Sheet.
type body Sheet

func (b *body) Len() int64 {
	if b.table == nil {
		return 0
	}
	return b.displayedRows.Len(b.table)
}

// Cell returns the number of a row in the file for column 0, or one of its values.
func (b *body) Cell(row int64, column int) rows.Cell {
	if row > math.MaxUint32 {
		return rows.Cell{}
	}
	index := b.displayedRows.Row(row)
	if b.versions != nil {
		if column == 0 {
			return b.versions.Number(index)
		}
		return b.versions.Cell(index, column-1)
	}
	if column == 0 {
		return rows.Cell{Text: strconv.FormatInt(index, 10), Tone: paint.Dim, Mono: true}
	}
	column--
	text := host.FormatValue(b.table.Cell(index, column))
	return rows.Cell{Text: text, Mono: true, CutMiddle: !b.table.Columns[column].Numeric}
}

// GoTo makes a row current and scrolls to it, unless the filter hides it. It does not call OnPath.
func (s *Sheet) GoTo(row int64) {
	index := row
	if s.displayedRows != nil {
		index = int64(slices.Index(s.displayedRows, uint32(row)))
	}
	if index >= 0 && index != s.rows.Current() {
		s.rows.SetCurrent(index)
		s.rows.ScrollTo(index)
	}
}
