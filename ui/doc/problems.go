package doc

import (
	"cmp"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// problems is the list of what is wrong with a document.
type problems struct {
	list
	doc    *model.Document
	report *model.Report             // nil while the file is looked at
	ways   *work.Lookup[int, string] // of rows
	said   *widget.Label             // instead of rows
}

// sentenceMost is how wide a sentence may make its column, in device-independent pixels: it is shown as a whole.
const sentenceMost = 2400

// listOptions are those of the lists below.
var listOptions = rows.TableOptions{Header: true, MinSize: fyne.NewSize(100, 60), Grow: 560}

func newProblems(h host.Host, style *paint.Style, group *work.Group, show func(problem model.Problem)) *problems {
	p := &problems{said: widget.NewLabel("")}
	p.said.Importance = widget.LowImportance
	p.said.Wrapping = fyne.TextWrapWord
	p.said.Alignment = fyne.TextAlignCenter
	options := listOptions
	options.Grow = sentenceMost
	table := rows.NewTable(h, style, p, options, rows.Column{Title: "", Width: 62},
		rows.Column{Title: "Offset", Width: 90, Align: paint.Trailing}, rows.Column{Title: "Problem", Width: 420},
		rows.Column{Title: "Where", Width: 200})
	table.OnCurrent = func(row int) { show(p.report.Problems[row]) }
	table.OnActivate = table.OnCurrent
	p.ways = work.NewLookup[int, string](group, table.Refresh)
	table.OnMenu = func(row int, at fyne.Position) {
		h.Menu(fyne.NewMenu("", fyne.NewMenuItem("Copy Problem", func() { h.Copy(p.report.Problems[row].Message) })),
			at)
	}
	content := container.NewStack(table, container.NewVBox(layout.NewSpacer(), p.said, layout.NewSpacer()))
	p.list = list{"Problems", table, content, p.count}
	return p
}

func (p *problems) count() string {
	if p.report == nil {
		return ""
	}
	return host.Number(len(p.report.Problems) + p.report.Omitted)
}

// set shows the problems of a document.
func (p *problems) set(d *model.Document, r *model.Report) {
	p.doc, p.report = d, r
	p.ways.Forget()
	p.table.SetData(p)
	switch {
	case r == nil:
		p.said.SetText("Checking the file…")
	case len(r.Problems) == 0:
		p.said.SetText(verdict(r, d.Source.Size()))
	default:
		p.said.SetText("")
	}
}

func (p *problems) Len() int {
	if p.report == nil {
		return 0
	}
	return len(p.report.Problems)
}

func (p *problems) Cell(row, column int) rows.Cell {
	problem := p.report.Problems[row]
	switch column {
	case 0:
		return rows.Cell{Text: problem.Severity.String(), Tone: paint.OfSeverity(problem.Severity)}
	case 1:
		return rows.Cell{Text: fmt.Sprintf("%#x", problem.Span.Offset), Mono: true, Tone: paint.Dim}
	case 2:
		return rows.Cell{Text: model.OneLine(problem.Message, 600)}
	}
	d := p.doc
	way := p.ways.Of(row, func() string {
		if n, err := d.Find(problem.Path); err == nil {
			return cmp.Or(n.TitleWay(), "the whole file")
		}
		return ""
	})
	return rows.Cell{Text: model.OneLine(cmp.Or(way, problem.Path), 400), Tone: paint.Dim, Ends: true}
}
