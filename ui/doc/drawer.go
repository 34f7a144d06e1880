package doc

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/ui/paint"
	"assay/ui/table"
	"assay/ui/tabs"
	"assay/ui/wording"
)

// drawer is the place below the hex view for lists: problems, and what a search found. It is closed at first.
type drawer struct {
	parts
	p     *Pane
	tabs  *tabs.Tabs
	at    *fyne.Container // what is shown of the hex view, or it and the lists
	above fyne.CanvasObject
	split *container.Split
	share float64
	body  *fyne.Container

	problems *table.Table
	results  *table.Table
	report   *model.Report
	hits     *hitList
	shown    int
}

// The lists of a drawer.
const (
	problemList = iota
	resultList
)

func newDrawer(p *Pane) *drawer {
	d := &drawer{parts: parts{p: p}, p: p, share: 0.68, hits: &hitList{p: p}}
	d.tabs = tabs.New(p.style)
	d.tabs.OnSelect = d.show
	d.problems = table.New(d, p.style, (*problemData)(d), table.Options{Header: true, MinSize: fyne.NewSize(100, 60)},
		table.Column{Title: "", Width: 62}, table.Column{Title: "Offset", Width: 72, Align: paint.Trailing}, table.Column{Title: "Where", Width: 130}, table.Column{Title: "Problem", Width: 200})
	d.problems.OnCurrent = func(row int) { p.showProblem(d.report.Problems[row]) }
	d.problems.OnActivate = d.problems.OnCurrent
	d.problems.OnMenu = func(row int, at fyne.Position) {
		p.showMenu(at, fyne.NewMenuItem("Copy Problem", func() { p.copyText(d.report.Problems[row].Message) }))
	}
	d.results = table.New(d, p.style, d.hits, table.Options{Header: true, MinSize: fyne.NewSize(100, 60)},
		table.Column{Title: "Offset", Width: 72, Align: paint.Trailing}, table.Column{Title: "Bytes", Width: 230}, table.Column{Title: "In", Width: 200})
	d.results.OnCurrent = func(row int) { p.showHit(row) }
	d.results.OnActivate = d.results.OnCurrent
	return d
}

// Key closes the lists, or does what the key means in the pane.
func (d *drawer) Key(k *fyne.KeyEvent, shift bool) bool {
	if k.Name == fyne.KeyEscape {
		d.close()
		d.p.hex.Focus()
		return true
	}
	return d.parts.Key(k, shift)
}

// around puts the drawer below an object.
func (d *drawer) around(above fyne.CanvasObject) fyne.CanvasObject {
	d.above = above
	shut := widget.NewButtonWithIcon("", theme.CancelIcon(), func() { d.close() })
	shut.Importance = widget.LowImportance
	d.body = container.NewStack()
	head := container.NewBorder(nil, nil, nil, d.p.strip(shut), d.tabs)
	d.split = container.NewVSplit(container.NewStack(), container.NewBorder(head, nil, nil, nil, d.body))
	d.at = container.NewStack(above)
	return d.at
}

func (d *drawer) isOpen() bool { return len(d.at.Objects) == 1 && d.at.Objects[0] == d.split }

// open shows one of the lists.
func (d *drawer) open(list int) {
	if !d.isOpen() {
		d.split.Leading = d.above
		d.split.SetOffset(d.share)
		d.at.Objects = []fyne.CanvasObject{d.split}
		d.at.Refresh()
	}
	d.show(list)
}

func (d *drawer) show(list int) {
	d.shown = list
	d.retitle()
	d.tabs.SetSelected(list)
	lists := []fyne.CanvasObject{d.problems, d.results}
	d.body.Objects = lists[list : list+1]
	d.body.Refresh()
}

func (d *drawer) retitle() {
	t := []tabs.Tab{{Title: "Problems"}, {Title: "Results"}}
	if d.report != nil {
		t[problemList].Badge = wording.Number(len(d.report.Problems) + d.report.Omitted)
	}
	if n := len(d.hits.spans); n > 0 {
		t[resultList].Badge = wording.Number(n)
		if d.hits.more {
			t[resultList].Badge += "+"
		}
	}
	d.tabs.SetTabs(t)
	d.tabs.SetSelected(d.shown)
}

// close hides the lists.
func (d *drawer) close() {
	if !d.isOpen() {
		return
	}
	d.share = d.split.Offset
	d.split.Leading = container.NewStack()
	d.at.Objects = []fyne.CanvasObject{d.above}
	d.at.Refresh()
}

func (d *drawer) setReport(r *model.Report) {
	d.report = r
	d.problems.SetData((*problemData)(d))
	d.retitle()
}

// ToggleProblems opens or closes the list of problems.
func (p *Pane) ToggleProblems() {
	if p.drawer.isOpen() && p.drawer.shown == problemList {
		p.drawer.close()
		return
	}
	p.drawer.open(problemList)
	p.drawer.problems.Focus()
}

// problemData is the problems as a table sees them.
type problemData drawer

// Len is the number of problems.
func (d *problemData) Len() int {
	if d.report == nil {
		return 0
	}
	return len(d.report.Problems)
}

// Cell gives one of them.
func (d *problemData) Cell(row, column int) table.Cell {
	problem := d.report.Problems[row]
	switch column {
	case 0:
		tone := table.Dim
		switch problem.Severity {
		case model.Error:
			tone = table.Error
		case model.Warning:
			tone = table.Warning
		}
		return table.Cell{Text: problem.Severity.String(), Tone: tone}
	case 1:
		return table.Cell{Text: fmt.Sprintf("%x", problem.Span.Offset), Mono: true, Tone: table.Dim}
	case 2:
		return table.Cell{Text: model.OneLine(problem.Path, 400), Tone: table.Dim}
	}
	return table.Cell{Text: model.OneLine(problem.Message, 600)}
}
