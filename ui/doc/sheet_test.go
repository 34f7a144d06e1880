package doc_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/query"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
	"assay/ui/work"
)

// list returns a table of n rows: a falling number and a word.
func list(n int64) model.TableSource {
	return model.TableSource{Name: "Things", Open: func(context.Context) (*model.Table, error) {
		return &model.Table{Columns: []model.Column{{Name: "x", Numeric: true}, {Name: "word"}}, Rows: n,
			Cell: func(row int64, column int) any {
				if column == 0 {
					return n - row
				}
				return []string{"even", "odd"}[row%2]
			},
			Path: func(row int64) model.Path { return []int{7, int(row)} }}, nil
	}}
}

type sheetShown struct {
	*doc.Sheet
	style *paint.Style
	rows  *rows.Rows
	field *control.Field
	count *widget.Label
	went  model.Path
}

func sheetShow(t *testing.T, source model.TableSource) *sheetShown {
	t.Helper()
	app := test.NewTempApp(t)
	d := model.NewDocument(model.NewSource("t", bytes.NewReader(nil), 0), "test", "1", &model.Node{})
	s := &sheetShown{style: paint.NewStyle()}
	s.Sheet = doc.NewSheet(host.None{}, s.style, work.Inline(context.Background()), d, source)
	s.OnPath = func(p model.Path) { s.went = p }
	return placed(t, app, s)
}

// placed puts a sheet into a window, and returns it with its parts.
func placed(t *testing.T, app fyne.App, s *sheetShown) *sheetShown {
	w := app.NewWindow("t")
	t.Cleanup(w.Close)
	w.SetContent(container.NewStack(s.Content()))
	w.Resize(fyne.NewSize(500, 300))
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *rows.Rows:
			s.rows = o
		case *control.Field:
			s.field = o
		case *widget.Label:
			s.count = o
		case *fyne.Container:
			for _, c := range o.Objects {
				walk(c)
			}
		}
	}
	walk(s.Content())
	return s
}

func TestSheetSortsFiltersAndSelects(t *testing.T) {
	s := sheetShow(t, list(1_000_000))
	assert.Equal(t, "1,000,000 rows", s.count.Text)
	assert.Equal(t, []string{"     #          x  word", "      0 1,000,000  even", "      1   999,999  odd"},
		uitest.Lines(t, s.style, s.rows)[:3])
	s.rows.OnCurrent(999_999)
	assert.Equal(t, model.Path{7, 999_999}, s.went)

	s.rows.OnSort(1, rows.Ascending)
	s.rows.OnCurrent(0)
	assert.Equal(t, model.Path{7, 999_999}, s.went, "the smallest number is in the last row of the file")

	s.field.SetText("x <= 10 and word = even")
	assert.Equal(t, "5 of 1,000,000 rows", s.count.Text)
	s.rows.OnCurrent(0)
	assert.Equal(t, model.Path{7, 999_998}, s.went, "what is found is sorted")

	s.field.SetText("")
	assert.Equal(t, "1,000,000 rows", s.count.Text)
}

func TestSheetShowsTheErrorOfOpening(t *testing.T) {
	s := sheetShow(t, model.TableSource{Name: "Things", Open: func(context.Context) (*model.Table, error) {
		return nil, errors.New("the body ends early")
	}})
	require.NotNil(t, s.count)
	assert.Equal(t, "The body ends early.", s.count.Text)
	s.rows.OnCurrent(0)
	assert.Nil(t, s.went)
}

func TestRowsWithoutNodesSelectTheirOffset(t *testing.T) {
	s := sheetShow(t, model.TableSource{Name: "Keys", Open: func(context.Context) (*model.Table, error) {
		return &model.Table{Columns: []model.Column{{Name: "time", Numeric: true}}, Rows: 3,
			Cell:   func(row int64, _ int) any { return 3 - row },
			Offset: func(row int64) int64 { return 100 + 4*row }}, nil
	}})
	var went int64
	s.OnOffset = func(offset int64) { went = offset }
	s.rows.OnSort(1, rows.Ascending)
	s.rows.OnCurrent(0)
	assert.EqualValues(t, 108, went, "the smallest is in the last row")
}

// twice is a table of two versions: each old number is ten times the new one.
type twice struct{ t *model.Table }

func (twice) Number(int64) rows.Cell { return rows.Cell{} }
func (v twice) Cell(row int64, column int) rows.Cell {
	return rows.Cell{Text: model.FormatValue(v.t.Cell(row, column))}
}
func (twice) Differences() query.Order { return query.Order{1, 2, 3} }
func (twice) Summary() string          { return "" }

func (v twice) Before(row int64, column int) any {
	if n, ok := v.t.Cell(row, column).(int64); ok && row != 0 { // the first row is added
		return n * 10
	}
	return nil
}

func TestFilterMatchesBothVersions(t *testing.T) {
	app := test.NewTempApp(t)
	source, err := list(9).Open(t.Context())
	require.NoError(t, err)
	s := &sheetShown{style: paint.NewStyle()}
	s.Sheet = doc.NewVersions(host.None{}, s.style, work.Inline(context.Background()))
	placed(t, app, s)
	s.ShowVersions(source, twice{source})
	for filter, found := range map[string]int64{"": 9, "x = 8": 1, "x = 80": 1, "x = 90": 0, "x > 8": 9, "80": 1,
		"x = 8 and x = 80": 0} {
		s.field.SetText(filter)
		assert.Equal(t, found, s.rows.Len(), filter)
	}
}

func TestSelectedElementIsCurrentRow(t *testing.T) {
	app := test.NewTempApp(t)
	root, items := &model.Node{Type: "File"}, &model.Node{Name: "items", Type: "Item[]"}
	items.SetChildren(&model.Elements{Count: 50, Make: func(i int) *model.Node {
		n := &model.Node{Type: "Item", Key: "k" + model.IndexName(i), Parent: items}
		n.SetChildren(model.List{{Name: "id", Value: uint64(100 - i)}})
		return n
	}})
	root.SetChildren(model.List{items})
	d := model.NewDocument(model.NewSource("t", bytes.NewReader(nil), 0), "test", "1", root)
	s := &sheetShown{style: paint.NewStyle()}
	s.Sheet = doc.NewValues(host.None{}, s.style, work.Inline(context.Background()))
	placed(t, app, s)
	s.Select(doc.Selection{Document: d, Node: items.Child(7).Child(0)})
	assert.EqualValues(t, 7, s.rows.Current())
	assert.Contains(t, uitest.Lines(t, s.style, s.rows)[8], "k7")
	s.Select(doc.Selection{Document: d, Node: items.Child(40)})
	assert.EqualValues(t, 40, s.rows.Current())
	s.rows.OnSort(2, rows.Ascending)
	assert.EqualValues(t, 9, s.rows.Current(), "it stays on its element")
	s.Select(doc.Selection{Document: d, Node: items})
	assert.EqualValues(t, -1, s.rows.Current())
	assert.Equal(t, "50 rows of items", s.count.Text)
	s.Select(doc.Selection{Document: d, Node: root})
	assert.Zero(t, s.rows.Len())
	assert.Contains(t, uitest.Lines(t, s.style, s.rows)[0], "The selected node has no table of values.")
	s.Select(doc.Selection{Document: d, Node: items})
	assert.EqualValues(t, 50, s.rows.Len())
}
