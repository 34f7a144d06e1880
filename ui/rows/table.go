package rows

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/ui/host"
	"assay/ui/paint"
)

// TableData is the content of a table. Cell is called on the UI thread for the rows in view.
type TableData interface {
	Len() int
	Cell(row, column int) Cell
}

// TableEvents are the callbacks of a table. Any may be nil.
type TableEvents struct {
	OnCurrent  func(row int)
	OnActivate func(row int)
	OnClick    func(row int)
	OnMenu     func(row int, pos fyne.Position)
}

// Table displays a list in columns, such as results, problems or choices.
type Table struct {
	widget.BaseWidget
	TableEvents
	rows *Rows
	data TableData
}

var _ fyne.Widget = (*Table)(nil)

// NewTable returns a table; data may be nil.
func NewTable(h host.Host, style *paint.Style, data TableData, options Options, columns ...Column) *Table {
	t := &Table{data: data}
	t.rows = New(h, style, (*tableSource)(t), options)
	t.rows.SetColumns(columns...)
	forward := func(event *func(row int)) func(row int64) {
		return func(row int64) {
			if *event != nil && row >= 0 {
				(*event)(int(row))
			}
		}
	}
	t.rows.Events = Events{OnCurrent: forward(&t.OnCurrent), OnActivate: forward(&t.OnActivate),
		OnClick: forward(&t.OnClick), OnMenu: func(row int64, pos fyne.Position) {
			if t.OnMenu != nil && row >= 0 {
				t.OnMenu(int(row), pos)
			}
		}}
	t.ExtendBaseWidget(t)
	return t
}

// CreateRenderer implements fyne.Widget.
func (t *Table) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.rows) }

// MinSize implements fyne.CanvasObject.
func (t *Table) MinSize() fyne.Size { return t.rows.MinSize() }

// Refresh implements fyne.CanvasObject.
func (t *Table) Refresh() { t.rows.Refresh() }

// SetData displays other rows from the first one, without a current row.
func (t *Table) SetData(d TableData) {
	t.data = d
	t.rows.SetSource((*tableSource)(t))
}

// SetColumns sets the columns.
func (t *Table) SetColumns(columns ...Column) { t.rows.SetColumns(columns...) }

// Focus gives the keyboard focus to the table.
func (t *Table) Focus() { t.rows.Focus() }

// Current returns the current row, or -1.
func (t *Table) Current() int { return int(t.rows.Current()) }

// SetCurrent makes a row current and scrolls to it, without an event.
func (t *Table) SetCurrent(row int) { t.rows.GoTo(int64(row)) }

// Key handles a key of another widget, such as a field above the table.
func (t *Table) Key(ev *fyne.KeyEvent) { t.rows.TypedKey(ev) }

// tableSource implements Cells for a Table.
type tableSource Table

func (s *tableSource) Len() int64 {
	if s.data == nil {
		return 0
	}
	return int64(s.data.Len())
}

func (s *tableSource) Cell(row int64, column int) Cell { return s.data.Cell(int(row), column) }
