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

// neighbors lists the items that an item uses, those that use it, and those with the same content.
type neighbors struct {
	tab           *Uses
	item          int32 // -1: no item
	name          *control.Caption
	back, forward *control.Button
	list          *rows.List[row]
	content       fyne.CanvasObject
}

// maxUsers is the maximum number of users of an item that are listed.
const maxUsers = 10_000

func newNeighbors(t *Uses) *neighbors {
	a := &neighbors{tab: t, item: -1, name: control.NewCaption(t.ShowHint)}
	a.back = control.NewIcon(t, theme.NavigateBackIcon(), "Back", t.Back)
	a.forward = control.NewIcon(t, theme.NavigateNextIcon(), "Forward", t.Forward)
	a.list = rows.NewList(t, t.Style, rows.Options{Header: true, MinSize: fyne.NewSize(120, 80)}, a.columns()...)
	a.list.TitleOf = row.sectionTitle
	a.list.OnActivate = func(row int) { a.activate(a.list.Items[row]) }
	a.list.OnMenu = func(row int, pos fyne.Position) { t.menu(a.list.Items[row], pos) }
	head := paint.NewHeader(container.NewBorder(nil, nil, container.NewHBox(a.back, a.forward), nil, a.name))
	a.content = container.NewBorder(head, nil, nil, nil, a.list.Table)
	return a
}

// activate selects the item of a row, or opens the node of its reference.
func (a *neighbors) activate(r row) {
	if r.key == "" && r.item >= 0 && r.item != a.item {
		a.tab.Select(r.item)
		return
	}
	a.tab.open(r)
}

// set lists the references of an item.
func (a *neighbors) set(item int32) {
	a.item, a.list.Items = item, nil
	name := ""
	if item >= 0 {
		name = model.OneLine(a.tab.graph.Title(item), 1000)
		a.addNeeds(item)
		a.addUsers(item)
		a.addCopies(item)
	}
	a.name.SetText(name)
	a.list.Set(a.list.Items)
}

func (a *neighbors) addTitle(format string, args ...any) {
	a.list.Items = append(a.list.Items, row{item: -1, title: fmt.Sprintf(format, args...)})
}

func (a *neighbors) addNeeds(item int32) {
	uses := a.tab.graph.Needs(item)
	a.addTitle("Uses %s", itemCount(len(uses)))
	for i := range uses {
		target := uses[i].To
		if target == graph.Missing {
			target = item
		}
		a.list.Items = append(a.list.Items, row{item: target, use: &uses[i]})
		for _, key := range uses[i].Keys {
			a.list.Items = append(a.list.Items, row{item: target, key: key})
		}
	}
}

func (a *neighbors) addUsers(item int32) {
	n := a.tab.graph.Users(item)
	a.addTitle("Used by %s", itemCount(n))
	listed := 0
	for u := range a.tab.graph.UsedBy(item) {
		if listed++; listed > maxUsers {
			a.addTitle("and %s more", host.Number(int64(n-maxUsers)))
			return
		}
		a.list.Items = append(a.list.Items, row{item: u.From, use: &u})
	}
}

// addCopies lists the items with identical content.
func (a *neighbors) addCopies(item int32) {
	for _, set := range a.tab.graph.Duplicates {
		for _, i := range set.Items {
			if i != item {
				continue
			}
			a.addTitle("Identical to %s", itemCount(len(set.Items)-1))
			for _, duplicate := range set.Items[:min(len(set.Items), maxUsers)] {
				if duplicate != item {
					a.list.Items = append(a.list.Items, row{item: duplicate})
				}
			}
			return
		}
	}
}

func itemCount(n int) string {
	if n == 0 {
		return "no items"
	}
	return host.Count(int64(n), "item")
}

// columns returns the columns of the neighbors of an item.
func (a *neighbors) columns() []rows.ListColumn[row] {
	return []rows.ListColumn[row]{{Title: "Uses and used by", Share: 0.62, Cell: func(r row) rows.Cell {
		if r.key != "" {
			return rows.Cell{Text: "#" + model.OneLine(r.key, 1000), CutMiddle: true, Indent: 32, Tone: paint.Link}
		}
		c := rows.Cell{Text: model.OneLine(a.tab.graph.Title(r.item), 1000), CutMiddle: true, Indent: 16}
		if r.use != nil && r.use.To == graph.Missing {
			c.Text, c.Tone = r.use.Name, paint.Warning
		}
		return c
	}}, {Title: "Referenced at", Share: 0.38, Cell: func(r row) rows.Cell { return describeUse(r.use) }}}
}

// describeUse describes a reference: missing, matched by name, or its node.
func describeUse(u *graph.Use) rows.Cell {
	c := rows.Cell{Tone: paint.Dim}
	switch {
	case u == nil:
		return c
	case u.To == graph.Missing:
		c.Text, c.Tone = "missing", paint.Warning
	case u.Guessed:
		c.Text, c.Tip = "matched by name", "No explicit reference; matched by file name."
	default:
		c.Text, c.CutMiddle = u.Path, true
	}
	if u.Count > 1 {
		c.Text = host.Number(int64(u.Count)) + " times, " + c.Text
	}
	return c
}
