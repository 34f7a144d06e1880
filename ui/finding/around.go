package finding

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"assay/model"
	"assay/model/graph"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// around is what a thing needs, and who uses it.
type around struct {
	tab           *Uses
	thing         int32 // -1: none
	name          *control.Caption
	back, forward *control.Button
	table         *rows.Table
	rows          []row
	content       fyne.CanvasObject
}

// usersMost is how many of those who use a thing are listed.
const usersMost = 10_000

func newAround(t *Uses) *around {
	a := &around{tab: t, thing: -1, name: control.NewCaption(t.Tell)}
	a.back = control.NewIcon(t, theme.NavigateBackIcon(), "Back", t.Back)
	a.forward = control.NewIcon(t, theme.NavigateNextIcon(), "Forward", t.Forward)
	a.table = rows.NewTable(t, t.Style, a, rows.TableOptions{Header: true, MinSize: fyne.NewSize(120, 80),
		Widths: func(width float32) []float32 { return []float32{width * 0.62, width * 0.38} }},
		rows.Column{Title: "Uses and used by"}, rows.Column{Title: "Referenced at"})
	a.table.OnActivate = func(row int) { a.lead(a.rows[row]) }
	a.table.OnMenu = func(row int, at fyne.Position) { t.menu(a.rows[row], at) }
	head := paint.Head(container.NewBorder(nil, nil, container.NewHBox(a.back, a.forward), nil, a.name))
	a.content = container.NewBorder(head, nil, nil, nil, a.table)
	return a
}

// lead goes on to what a row is about.
func (a *around) lead(r row) {
	if r.key == "" && r.thing >= 0 && r.thing != a.thing {
		a.tab.Go(r.thing)
		return
	}
	a.tab.open(r)
}

func (a *around) enable(back, forward bool) {
	paint.Enable(a.back, back)
	paint.Enable(a.forward, forward)
}

// set shows what is around a thing.
func (a *around) set(thing int32) {
	a.thing, a.rows = thing, nil
	name := ""
	if thing >= 0 {
		name = model.OneLine(a.tab.graph.Title(thing), 1000)
		a.needs(thing)
		a.users(thing)
		a.same(thing)
	}
	a.name.SetText(name)
	a.table.SetData(a)
}

func (a *around) title(format string, args ...any) {
	a.rows = append(a.rows, row{thing: -1, title: fmt.Sprintf(format, args...)})
}

func (a *around) needs(thing int32) {
	uses := a.tab.graph.Needs(thing)
	a.title("Uses %s", things(len(uses)))
	for i := range uses {
		to := uses[i].To
		if to == graph.Missing {
			to = thing
		}
		a.rows = append(a.rows, row{thing: to, use: &uses[i]})
		for _, key := range uses[i].Keys {
			a.rows = append(a.rows, row{thing: to, key: key})
		}
	}
}

func (a *around) users(thing int32) {
	n := a.tab.graph.Users(thing)
	a.title("Used by %s", things(n))
	listed := 0
	for u := range a.tab.graph.UsedBy(thing) {
		if listed++; listed > usersMost {
			a.title("and %s more", host.Number(int64(n-usersMost)))
			return
		}
		a.rows = append(a.rows, row{thing: u.From, use: &u})
	}
}

// same lists who has the same bytes.
func (a *around) same(thing int32) {
	for _, t := range a.tab.graph.Twice {
		for _, i := range t.Things {
			if i != thing {
				continue
			}
			a.title("Identical to %s", things(len(t.Things)-1))
			for _, other := range t.Things[:min(len(t.Things), usersMost)] {
				if other != thing {
					a.rows = append(a.rows, row{thing: other})
				}
			}
			return
		}
	}
}

func things(n int) string {
	if n == 0 {
		return "no items"
	}
	return host.Count(int64(n), "item")
}

// Len is the number of rows.
func (a *around) Len() int { return len(a.rows) }

// Cell is what stands in a column of a row.
func (a *around) Cell(at, column int) rows.Cell {
	r := a.rows[at]
	switch {
	case r.thing < 0:
		return rows.Cell{Text: r.title, Head: true, Span: 1}
	case r.key != "" && column == 0:
		return rows.Cell{Text: "#" + model.OneLine(r.key, 1000), Ends: true, Indent: 32, Tone: paint.Link}
	case column == 1:
		return how(r.use)
	}
	c := rows.Cell{Text: model.OneLine(a.tab.graph.Title(r.thing), 1000), Ends: true, Indent: 16}
	if r.use != nil && r.use.To == graph.Missing {
		c.Text, c.Tone = r.use.Name, paint.Warning
	}
	return c
}

// how says in what way one refers to the other.
func how(u *graph.Use) rows.Cell {
	c := rows.Cell{Tone: paint.Dim}
	switch {
	case u == nil:
		return c
	case u.To == graph.Missing:
		c.Text, c.Tone = "missing", paint.Warning
	case u.Guessed:
		c.Text, c.Tip = "matched by name", "No explicit reference; matched by file name."
	default:
		c.Text, c.Ends = u.Path, true
	}
	if u.Count > 1 {
		c.Text = host.Number(int64(u.Count)) + " times, " + c.Text
	}
	return c
}
