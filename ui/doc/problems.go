package doc

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/wording"
)

// problems is the list of what is wrong with a document.
type problems struct {
	report  *model.Report // nil while the file is looked at
	table   *rows.Table
	said    *widget.Label // instead of rows
	content fyne.CanvasObject
}

// sentenceMost is how wide a sentence may make its column, in device-independent pixels: it is shown as a whole.
const sentenceMost = 2400

// listOptions are those of the lists below.
var listOptions = rows.TableOptions{Header: true, MinSize: fyne.NewSize(100, 60), Grow: 560}

func newProblems(h host.Host, style *paint.Style, show func(problem model.Problem)) *problems {
	p := &problems{said: widget.NewLabel("")}
	p.said.Importance = widget.LowImportance
	p.said.Wrapping = fyne.TextWrapWord
	p.said.Alignment = fyne.TextAlignCenter
	options := listOptions
	options.Grow = sentenceMost
	p.table = rows.NewTable(h, style, p, options, rows.Column{Title: "", Width: 62},
		rows.Column{Title: "Offset", Width: 90, Align: paint.Trailing}, rows.Column{Title: "Problem", Width: 420},
		rows.Column{Title: "Where", Width: 200})
	p.table.OnCurrent = func(row int) { show(p.report.Problems[row]) }
	p.table.OnActivate = p.table.OnCurrent
	p.table.OnMenu = func(row int, at fyne.Position) {
		h.Menu(fyne.NewMenu("", fyne.NewMenuItem("Copy Problem", func() { h.Copy(p.report.Problems[row].Message) })),
			at)
	}
	p.content = container.NewStack(p.table, container.NewVBox(layout.NewSpacer(), p.said, layout.NewSpacer()))
	return p
}

func (p *problems) title() string { return "Problems" }

func (p *problems) rows() *rows.Table { return p.table }

func (p *problems) place() fyne.CanvasObject { return p.content }

func (p *problems) badge() string {
	if p.report == nil {
		return ""
	}
	return wording.Number(len(p.report.Problems) + p.report.Omitted)
}

// set shows the problems of a report on a file of that size.
func (p *problems) set(r *model.Report, size int64) {
	p.report = r
	p.table.SetData(p)
	switch {
	case r == nil:
		p.said.SetText("The file is being checked…")
	case len(r.Problems) == 0:
		p.said.SetText(verdict(r, size))
	default:
		p.said.SetText("")
	}
}

// Len is the number of problems.
func (p *problems) Len() int {
	if p.report == nil {
		return 0
	}
	return len(p.report.Problems)
}

// Cell describes one of them.
func (p *problems) Cell(row, column int) rows.Cell {
	problem := p.report.Problems[row]
	switch column {
	case 0:
		tone := paint.Dim
		switch problem.Severity {
		case model.Error:
			tone = paint.Error
		case model.Warning:
			tone = paint.Warning
		}
		return rows.Cell{Text: problem.Severity.String(), Tone: tone}
	case 1:
		return rows.Cell{Text: fmt.Sprintf("%#x", problem.Span.Offset), Mono: true, Tone: paint.Dim}
	case 2:
		return rows.Cell{Text: model.OneLine(problem.Message, 600)}
	}
	return rows.Cell{Text: model.OneLine(problem.Path, 400), Tone: paint.Dim, Ends: true}
}
