package exporting

import (
	"context"
	"image"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/export"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/wording"
)

// list is the rows of the basket: for each asset the file that it will become.
type list struct {
	Host
	p    *Panel
	rows *rows.Rows

	// Rows that no plan knows are described in the background, those in view only.
	known  map[int64]about
	wanted []int64
	asking bool
	wide   bool // there is room for all columns
	sized  bool // the user chose their widths
	epoch  int  // of the basket: what was asked before it changed is not wanted
}

// about is what a row shows before there is a plan.
type about struct {
	name, form string
	size       int64
}

// The columns.
const (
	fileColumn = iota
	formColumn
	sizeColumn
	assetColumn
	fromColumn
)

func newList(p *Panel) *list {
	l := &list{Host: p, p: p, known: map[int64]about{}}
	l.rows = rows.New(l, p.style, l, rows.Options{Header: true, Multi: true, MinSize: fyne.NewSize(160, 70)})
	l.setColumns(false)
	l.rows.Events = rows.Events{
		OnActivate: func(row int64) { p.goTo(row) },
		OnMenu:     p.menu,
		OnHover:    l.hover,
		OnResize:   func(int, float32) { l.sized = true },
		OnDrag:     func(int64, fyne.Position) rows.Drag { return p.dragRows() },
	}
	return l
}

// Key removes the selected rows, or does what the key means in the window.
func (l *list) Key(k *fyne.KeyEvent, shift bool) bool {
	if k.Name == fyne.KeyDelete {
		l.p.Remove()
		return true
	}
	return l.Host.Key(k, shift)
}

// The widths of columns, and from where on there is room for all of them, in device-independent pixels.
const (
	formWidth  = 50
	sizeWidth  = 64
	assetWidth = 170
	fromWidth  = 110
	leastFile  = 90
	wideFrom   = 560
)

func (l *list) setColumns(wide bool) {
	l.wide, l.sized = wide, false
	columns := []rows.Column{{Title: "File", Width: 160, Min: leastFile}, {Title: "As", Width: formWidth}, {Title: "Size", Width: sizeWidth, Min: sizeWidth, Align: paint.Trailing}}
	if wide {
		columns = append(columns, rows.Column{Title: "Asset", Width: assetWidth}, rows.Column{Title: "From", Width: fromWidth, Min: fromWidth})
	}
	l.rows.SetColumns(columns...)
}

// Frame gives the files' names the room that is there.
func (l *list) Frame(c *paint.Canvas, width, _ int) {
	w := float32(width) / c.Scale
	if wide := w >= wideFrom; wide != l.wide {
		l.setColumns(wide)
	}
	if l.sized {
		return
	}
	rest := w - formWidth - sizeWidth
	if l.wide {
		rest -= assetWidth + fromWidth
	}
	if widths := l.rows.Widths(); widths[0] != max(leastFile, rest) {
		widths[0] = max(leastFile, rest)
		l.rows.SetWidths(widths)
	}
}

// changed forgets what was known of the rows.
func (l *list) changed() {
	clear(l.known)
	l.wanted = nil
	l.epoch++
	l.rows.Refresh()
}

// end shows the last row.
func (l *list) end() {
	if n := l.rows.Len(); n > 0 {
		l.rows.ScrollTo(n - 1)
	}
}

// Len is the number of rows.
func (l *list) Len() int64 { return int64(len(l.p.basket.items)) }

// planned gives the item of the plan that a row begins with.
func (l *list) planned(row int64) *export.Item {
	if l.p.plan == nil || row >= int64(len(l.p.planAt)) {
		return nil
	}
	return &l.p.plan.Items[l.p.planAt[row]]
}

// PaintRow paints one row.
func (l *list) PaintRow(c *paint.Canvas, row int64, bounds image.Rectangle, state rows.State) {
	it := l.p.basket.items[row]
	label := func(column int, text string, col paint.Color, align paint.Align) {
		if column >= state.Cells() {
			return
		}
		c.Label(state.Cell(bounds, column), text, paint.Regular, col, align)
	}
	label(fromColumn, it.from.doc.Source.Name(), c.Colors.Dim, paint.Left)
	if plan := l.planned(row); plan != nil {
		text, col := plan.Target, c.Colors.Foreground
		switch {
		case plan.Problem != "":
			text, col = plan.Problem, c.Colors.Error
		case plan.Exists:
			col = c.Colors.Warning
		case plan.Renamed:
			col = c.Colors.Primary
		}
		label(fileColumn, model.OneLine(text, 400), col, paint.Left)
		label(formColumn, plan.Form, c.Colors.Dim, paint.Left)
		if plan.Size >= 0 {
			label(sizeColumn, size(plan.Size), c.Colors.Dim, paint.Trailing)
		}
		label(assetColumn, model.OneLine(plan.Key, 200), c.Colors.Dim, paint.Left)
		return
	}
	a, ok := l.known[row]
	if !ok {
		l.ask(row)
		label(fileColumn, "…", c.Colors.Faint, paint.Left)
		return
	}
	label(fileColumn, model.OneLine(a.name, 400), c.Colors.Dim, paint.Left)
	label(formColumn, a.form, c.Colors.Dim, paint.Left)
	if a.size >= 0 {
		label(sizeColumn, size(a.size), c.Colors.Dim, paint.Trailing)
	}
}

// knownMax is how many described rows are remembered.
const knownMax = 4096

// ask has a row described in the background.
func (l *list) ask(row int64) {
	if l.p.planBusy {
		return // the plan comes
	}
	l.wanted = append(l.wanted, row)
	if l.asking {
		return
	}
	l.asking = true
	epoch := l.epoch
	l.p.group.Go(func(ctx context.Context) func() { return func() { l.describe(epoch) } })
}

// describe describes the rows that were asked for, once the frame that asked is painted.
func (l *list) describe(epoch int) {
	wanted := l.wanted
	l.wanted = nil
	if epoch != l.epoch || len(wanted) == 0 {
		l.asking = false
		return
	}
	items := make([]item, len(wanted))
	for i, row := range wanted {
		items[i] = l.p.basket.items[row]
	}
	names, forms := l.p.settings.template, l.p.settings.forms()
	l.p.group.Go(func(ctx context.Context) func() {
		abouts := make([]about, len(items))
		for i, it := range items {
			if ctx.Err() != nil {
				return nil
			}
			abouts[i] = describe(it, names, forms, int(wanted[i])+1)
		}
		return func() {
			l.asking = false
			if epoch != l.epoch {
				return
			}
			if len(l.known) > knownMax {
				clear(l.known)
			}
			for i, row := range wanted {
				l.known[row] = abouts[i]
			}
			l.rows.Refresh()
		}
	})
}

func describe(it item, names export.Template, forms map[string]string, row int) about {
	a := it.payload()
	f := model.Form{Name: "raw"}
	for _, want := range []string{it.form, forms[a.Type]} {
		if g, ok := formNamed(a, want); ok {
			f = g
			break
		}
	}
	if len(a.Forms) > 0 && f.Name == "raw" && it.form == "" && forms[a.Type] == "" {
		f = a.Forms[0]
	}
	d := about{name: export.SafePath(names.Name(a, f, row, it.from.doc.Source.Name())), form: f.Name, size: a.Size}
	if !f.Own() {
		d.size = -1
	}
	return d
}

func formNamed(a *model.Payload, name string) (model.Form, bool) {
	for _, f := range a.Forms {
		if f.Name == name && name != "" {
			return f, true
		}
	}
	return model.Form{}, false
}

// hover says more about a row than its columns show.
func (l *list) hover(row int64) {
	if row < 0 {
		l.p.Tell("")
		return
	}
	plan := l.planned(row)
	switch {
	case plan == nil:
		l.p.Tell("")
	case plan.Problem != "":
		l.p.Tell(wording.SentenceOf(plan.Problem))
	case plan.Exists:
		l.p.Tell(plan.Target + " is in the folder already: " + existing(l.p.settings.rule))
	case plan.Renamed:
		l.p.Tell(model.OneLine(plan.Name, 200) + " becomes " + plan.Target)
	default:
		l.p.Tell(model.OneLine(plan.Key, 200) + " becomes " + plan.Target)
	}
}

func existing(r export.Rule) string {
	switch r {
	case export.Skip:
		return "it is skipped."
	case export.Overwrite:
		return "it is replaced."
	}
	return "you will be asked."
}

// selected is the selected rows, or the current one.
func (l *list) selected() rows.Intervals {
	s := l.rows.Selection()
	if row := l.rows.Current(); s.Count() == 0 && row >= 0 {
		s.Add(row, row+1)
	}
	return s
}
