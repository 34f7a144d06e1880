package exporting

import (
	"cmp"
	"context"
	"image"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/export"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// list displays the planned file of each asset in the export list.
type list struct {
	Host
	p        *Panel
	rows     *rows.Rows
	dropLine fyne.CanvasObject // marks the target position of dragged rows
	content  fyne.CanvasObject

	// Rows outside the current plan are planned one by one in the background, once they are visible.
	cache         map[int64]export.Item
	forms         []string // export formats of the rows displayed so far
	requestedRows []int64
	planning      bool
	epoch         int // incremented when the cache is cleared; results for an earlier epoch are discarded
}

// The columns.
const (
	fileColumn = iota
	formColumn
	sizeColumn
)

func newList(p *Panel) *list {
	l := &list{Host: p, p: p, cache: map[int64]export.Item{}, dropLine: paint.NewBackdrop(theme.ColorNamePrimary)}
	l.rows = rows.New(l, p.style, l, rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(160, 112),
		ColumnWidths: l.columnWidths})
	l.rows.SetColumns(rows.Column{Title: "File"}, rows.Column{Title: "Export as"},
		rows.Column{Title: "Size", Align: paint.AlignRight})
	l.rows.Events = rows.Events{
		OnActivate: func(row int64) { p.revealRow(row) },
		OnMenu:     p.menu,
		OnHover:    l.hover,
		OnCurrent:  l.hover,
		OnPress:    l.press,
		OnDrag:     func(int64, fyne.Position) rows.Drag { return p.dragRows() },
	}
	l.dropLine.Hide()
	l.content = container.NewStack(l.rows, container.NewWithoutLayout(l.dropLine))
	return l
}

// minWidthForSizes is the minimum width for a column of sizes, in device-independent pixels.
const minWidthForSizes = 340

// columnWidths divides the width among the columns. The format column fits the longest name of a format in the list.
// The file column gets the rest.
func (l *list) columnWidths(width float32) []float32 {
	form, size := control.TextWidth("Original"), control.TextWidth("999 KB")+2*cellMargin
	for _, f := range l.forms {
		form = max(form, control.TextWidth(export.FormTitle(f)))
	}
	if form += formMargins; width < minWidthForSizes {
		size = 0
	}
	return []float32{max(minColumnWidth, width-form-size), form, size}
}

// widenForForms makes the format column wide enough for the names of formats.
func (l *list) widenForForms(forms ...string) {
	count := len(l.forms)
	for _, f := range forms {
		if !slices.Contains(l.forms, f) {
			l.forms = append(l.forms, f)
		}
	}
	if len(l.forms) > count {
		l.rows.UpdateWidths()
	}
}

// Lengths in device-independent pixels.
const (
	minColumnWidth = 60
	cellMargin     = 7                 // margin on each side of the text
	formMargins    = 2*cellMargin + 16 // margins and the drop-down triangle
)

// Key changes the list, or passes the key to the window.
func (l *list) Key(k *fyne.KeyEvent, shift bool) bool {
	return l.runKey(command.KeyOf(k, shift)) || l.Host.Key(k, shift)
}

// Shortcut changes the list, or passes the shortcut to the panel.
func (l *list) Shortcut(s fyne.Shortcut) bool {
	return l.runKey(command.KeyOfShortcut(s)) || l.Host.Shortcut(s)
}

// runKey runs the command of a key in the list. It reports whether there is one.
func (l *list) runKey(k command.Key) bool {
	switch l.Keys().At(command.Export, k) {
	case "export.remove":
		l.p.Remove()
	case "export.move-up":
		l.p.moveBy(-1)
	case "export.move-down":
		l.p.moveBy(1)
	default:
		return false
	}
	return true
}

// press opens the menu of export formats if the format column was clicked.
func (l *list) press(ev rows.Pointer) rows.PressResult {
	if ev.Button != desktop.MouseButtonPrimary || ev.Modifier != 0 || ev.Column != formColumn || ev.Row < 0 ||
		ev.Row >= l.Len() {
		return rows.Pass
	}
	if s := l.rows.Selection(); !s.Has(ev.Row) {
		l.rows.SetCurrent(ev.Row)
	}
	origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(l.rows)
	rowPos := l.rows.RowPosition(ev.Row)
	l.p.formMenu(ev.Row, origin.Add(rowPos).AddXY(float32(ev.Cell.Min.X)/ev.Scale, 0))
	return rows.Handled
}

// clearCache discards the planned rows.
func (l *list) clearCache() {
	clear(l.cache)
	l.requestedRows = nil
	l.epoch++
	l.rows.Refresh()
}

func (l *list) Len() int64 { return int64(len(l.p.assets.items)) }

// planned returns the first item of a row in the plan, or nil.
func (l *list) planned(row int64) *export.Item {
	if l.p.plan == nil || row >= int64(len(l.p.firstItem)) {
		return nil
	}
	item := l.p.plan.Item(int(l.p.firstItem[row]))
	return &item
}

// Cell implements rows.Cells.
func (l *list) Cell(row int64, column int) rows.Cell {
	item := l.planned(row)
	tone := paint.Normal
	if item == nil {
		cached, ok := l.cache[row]
		if !ok {
			if l.planRow(row); column == fileColumn {
				return rows.Cell{Text: "…", Tone: paint.Faint}
			}
			return rows.Cell{}
		}
		item, tone = &cached, paint.Dim
	}
	switch column {
	case formColumn:
		return rows.Cell{Text: export.FormTitle(item.Form), Tone: paint.Dim,
			Mark: rows.Mark{Paint: paintDropDown, Tone: paint.Dim}}
	case sizeColumn:
		if item.Size < 0 {
			return rows.Cell{}
		}
		return rows.Cell{Text: host.Size(item.Size), Tone: paint.Dim}
	}
	cell := rows.Cell{Text: model.OneLine(item.Target, 400), Tone: tone, CutMiddle: true}
	var mark string
	mark, cell.Tip = l.describe(row, item)
	cell.Hint = mark
	switch {
	case item.Problem != "" || l.p.failures[l.p.assets.items[row].key()] != "":
		cell.Text, cell.Tone = cmp.Or(cell.Text, model.OneLine(item.Name, 400)), paint.Error
	case item.Same != "":
		cell.Text, cell.Tone = model.OneLine(item.Same, 400), paint.Faint
	case item.Exists:
		cell.Tone = paint.Warning
	}
	if len(l.p.assets.sources) > 1 && !strings.Contains("/"+item.Target, "/"+item.File+"/") {
		cell.Hint = strings.TrimPrefix(mark+" · "+item.File, " · ")
	}
	return cell
}

// describe returns the effect of the next export on the file of a row, or why the last one failed: in a few words, and
// as a sentence.
func (l *list) describe(row int64, item *export.Item) (mark, sentence string) {
	failure := l.p.failures[l.p.assets.items[row].key()]
	name := model.OneLine(item.Name, 200)
	switch {
	case item.Problem != "":
		return item.Problem, host.SentenceOf(item.Problem)
	case failure != "":
		return "failed: " + failure, host.SentenceOf("The last export of " + name + " failed: " + failure)
	case item.Same != "":
		return "same content", item.Same + " has the same content, so this file is not written."
	case item.Exists:
		mark, task := ruleText(l.p.settings.rule)
		return "exists, " + mark, item.Target + " already exists, so " + task
	case item.IsNumbered():
		return "name exists", name + " will be exported as " + item.Target + ", because the name already exists."
	case item.Renamed:
		return "renamed", name + " will be exported as " + item.Target + "."
	}
	return "", model.OneLine(item.Key, 200) + " will be exported as " + item.Target + "."
}

// paintDropDown paints the triangle of a drop-down menu.
func paintDropDown(c *paint.Canvas, r image.Rectangle, col paint.Color) {
	c.Shape(r, "exporting.choice", col, func(p paint.Pen) { p.Polygon(.1, .3, .9, .3, .5, .8) })
}

// maxCachedRows is the maximum number of cached rows.
const maxCachedRows = 4096

// planRow plans a row in the background.
func (l *list) planRow(row int64) {
	if l.p.isPlanning {
		return // the plan will contain the row
	}
	l.requestedRows = append(l.requestedRows, row)
	if l.planning {
		return
	}
	l.planning = true
	l.p.group.Go(func(context.Context) func() { return l.planRequested })
}

// planRequested plans the requested rows after the frame that requested them was painted.
func (l *list) planRequested() {
	requested, epoch := l.requestedRows, l.epoch
	l.requestedRows = nil
	picks := make([]export.Pick, len(requested))
	for i, row := range requested {
		picks[i] = l.p.assets.items[row].pick()
	}
	options := l.p.options(l.p.assets.documents()...)
	l.p.group.Go(func(context.Context) func() {
		items := make([]export.Item, len(picks))
		for i, pick := range picks {
			items[i] = export.PlanOne(pick, int(requested[i])+1, options)
		}
		return func() {
			l.planning = false
			l.rows.Refresh()
			if epoch != l.epoch {
				return // the visible rows are requested again
			}
			if len(l.cache) > maxCachedRows {
				clear(l.cache)
			}
			for i, row := range requested {
				l.cache[row] = items[i]
				l.widenForForms(items[i].Form)
			}
		}
	})
}

// hover displays details of a row as a hint.
func (l *list) hover(row int64) {
	sentence := ""
	if row >= 0 {
		if item := l.planned(row); item != nil {
			_, sentence = l.describe(row, item)
		}
	}
	l.ShowHint(sentence)
}

// ruleText describes the handling of an existing file, in a few words and as the end of a sentence.
func ruleText(r export.Rule) (mark, sentence string) {
	switch r {
	case export.Skip:
		return "skipped", "it will be skipped. Choose another handling of existing files to export it."
	case export.Overwrite:
		return "overwritten", "it will be overwritten."
	}
	return "will ask", "you will be asked."
}

// selected returns the selected rows, or the current one.
func (l *list) selected() rows.Intervals {
	s := l.rows.Selection()
	if row := l.rows.Current(); s.Count() == 0 && row >= 0 {
		s.Add(row, row+1)
	}
	return s
}

// gapAt returns the index in the list for rows dropped at a position of the window, and the vertical position of the
// gap in the list. It returns false outside the list.
func (l *list) gapAt(pos fyne.Position) (row int64, y float32, ok bool) {
	origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(l.rows)
	size, first := l.rows.Size(), l.rows.First()
	top := l.rows.RowPosition(first - 1).Y
	height := l.rows.RowPosition(first).Y - top
	pos = pos.Subtract(origin)
	if pos.X < 0 || pos.Y < 0 || pos.X >= size.Width || pos.Y >= size.Height || height <= 0 {
		return 0, 0, false
	}
	row = min(l.Len(), first+max(0, int64((pos.Y-top)/height+0.5)))
	return row, top + float32(row-first)*height, true
}

// showGap displays the target position of dragged rows.
func (l *list) showGap(y float32) {
	l.dropLine.Move(fyne.NewPos(0, y-1))
	l.dropLine.Resize(fyne.NewSize(l.rows.Size().Width, 2))
	l.dropLine.Show()
	canvas.Refresh(l.dropLine)
}
