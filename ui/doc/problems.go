package doc

import (
	"cmp"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

type problems struct {
	list
	rows         *rows.List[model.Problem]
	doc          *model.Document
	report       *model.Report                // nil during the check
	titles       *work.Lookup[string, string] // titles of the paths of problems
	message      *widget.Label                // replaces an empty list
	chooseFolder *control.Button              // chooses the folder of files that may be missing
}

// maxMessageWidth is the maximum width of the column of messages, in device-independent pixels. Messages are not cut to
// the visible width.
const maxMessageWidth = 2400

// listOptions are the options of the lists in the drawer.
var listOptions = rows.Options{Header: true, MinSize: fyne.NewSize(100, 60), Grow: 560}

func newProblems(h host.Host, style *paint.Style, group *work.Group, show func(problem model.Problem)) *problems {
	p := &problems{message: widget.NewLabel("")}
	p.message.Importance = widget.LowImportance
	p.message.Wrapping = fyne.TextWrapWord
	p.message.Alignment = fyne.TextAlignCenter
	options := listOptions
	options.Grow = maxMessageWidth
	p.rows = rows.NewList(h, style, options, p.columns()...)
	table := p.rows.Table
	table.OnCurrent = func(row int) { show(p.rows.Items[row]) }
	table.OnActivate = table.OnCurrent
	p.titles = work.NewLookup[string, string](group, table.Refresh)
	table.OnMenu = func(row int, pos fyne.Position) {
		h.Menu(fyne.NewMenu("", fyne.NewMenuItem("Copy Problem", func() { h.Copy(p.rows.Items[row].Message) })), pos)
	}
	p.chooseFolder = control.NewButton(h.Key, "Choose Resource Folder…", theme.FolderOpenIcon(), nil)
	p.chooseFolder.Hide()
	content := container.NewBorder(nil, nil, nil, container.NewVBox(p.chooseFolder),
		container.NewStack(table, container.NewVBox(layout.NewSpacer(), p.message, layout.NewSpacer())))
	p.list = list{"Problems", table, content, p.count}
	return p
}

func (p *problems) count() string {
	if p.report == nil {
		return ""
	}
	return host.Number(len(p.report.Problems) + p.report.Omitted)
}

func (p *problems) set(d *model.Document, r *model.Report) {
	p.doc, p.report = d, r
	p.titles.Forget()
	p.rows.Set(nil)
	switch {
	case r == nil:
		p.message.SetText("Checking the file…")
		return
	case len(r.Problems) == 0:
		p.message.SetText(verdict(r, d.Source.Size()))
	default:
		p.message.SetText("")
	}
	p.rows.Set(r.Problems)
}

func (p *problems) columns() []rows.ListColumn[model.Problem] {
	return []rows.ListColumn[model.Problem]{
		{Title: "Severity", Width: 76,
			Value: func(problem model.Problem) any { return int(model.Error - problem.Severity) },
			Cell: func(problem model.Problem) rows.Cell {
				text := problem.Severity.String()
				if problem.Severity == model.Note {
					text = "minor" // notes are the user's
				}
				return rows.Cell{Text: text, Tone: paint.SeverityTone(problem.Severity)}
			}},
		{Title: "Offset", Width: 90, Align: paint.Trailing,
			Value: func(problem model.Problem) any { return problem.Span.Offset },
			Cell: func(problem model.Problem) rows.Cell {
				return rows.Cell{Text: fmt.Sprintf("%#x", problem.Span.Offset), Mono: true, Tone: paint.Dim}
			}},
		{Title: "Problem", Width: 420, Value: func(problem model.Problem) any { return problem.Message },
			Cell: func(problem model.Problem) rows.Cell {
				return rows.Cell{Text: model.OneLine(problem.Message, 600)}
			}},
		{Title: "Where", Width: 200, Value: func(problem model.Problem) any { return problem.Path },
			Cell: func(problem model.Problem) rows.Cell {
				text := model.OneLine(cmp.Or(p.titleOf(problem.Path), problem.Path), 400)
				return rows.Cell{Text: text, Tone: paint.Dim, CutMiddle: true}
			}},
	}
}

// titleOf returns the title of the path of a problem, or "" until it is known.
func (p *problems) titleOf(path string) string {
	d := p.doc
	return p.titles.Of(path, func() string {
		if n, err := d.Find(path); err == nil {
			return cmp.Or(n.TitlePath(), "the whole file")
		}
		return ""
	})
}
