package exporting

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/export"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// reportView displays the result of an export instead of the list and its settings.
type reportView struct {
	Host
	p        *Panel
	report   *export.Report
	folder   string
	order    []int // rows, failed ones first
	detailed bool  // some rows failed, or were renamed, replaced or skipped
	table    *rows.Table
	text     *widget.Label
	more     *widget.Label // details of the current row
	open     *widget.Button
	again    *widget.Button
	body     fyne.CanvasObject
}

func newReportView(p *Panel) *reportView {
	v := &reportView{Host: p, p: p, text: widget.NewLabel(""), more: widget.NewLabel("")}
	v.text.Wrapping, v.more.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	v.table = rows.NewTable(v, p.style, nil, rows.TableOptions{Header: true, MinSize: fyne.NewSize(160, 70),
		Widths: v.widths},
		rows.Column{Title: "", Width: outcomeWidth}, rows.Column{Title: "File", Width: 132},
		rows.Column{Title: "Result", Width: 200})
	v.table.OnCurrent = v.tell
	v.table.OnMenu = func(row int, at fyne.Position) {
		r := v.report.Row(v.order[row])
		p.popUp([]*fyne.MenuItem{fyne.NewMenuItem("Copy Line", func() {
			fyne.CurrentApp().Clipboard().SetContent(strings.Join([]string{r.Outcome.String(), r.Key, r.Path,
				v.note(&r)}, "\t"))
		})}, at)
	}
	v.open = widget.NewButton("Open Folder", v.openFolder)
	save := widget.NewButton("Save…", v.askSave)
	again := widget.NewButton("Export Again", p.Again)
	v.again = again
	back := widget.NewButtonWithIcon("Back", theme.NavigateBackIcon(), v.back)
	top := container.NewStack(paint.NewBackdrop(theme.ColorNameHeaderBackground), v.text)
	v.body = container.NewBorder(top, container.NewVBox(v.more, again,
		container.NewBorder(nil, nil, back, container.NewHBox(save, v.open))), nil, nil, v.table)
	return v
}

// tell displays all details of a row, which the columns may cut off.
func (v *reportView) tell(row int) {
	r := v.report.Row(v.order[row])
	text := cmp.Or(r.Path, model.OneLine(r.Name, 200))
	if r.Outcome == export.Failed {
		text = cmp.Or(model.OneLine(v.report.Place(&r), 400), text)
	}
	if note := v.note(&r); note != "" {
		text += ": " + note
	}
	v.more.SetText(text)
	v.more.Show()
}

// Key closes the report on Escape, or passes the key to the window.
func (v *reportView) Key(k *fyne.KeyEvent, shift bool) bool {
	if k.Name == fyne.KeyEscape {
		v.back()
		return true
	}
	return v.Host.Key(k, shift)
}

// outcomeWidth fits each of the outcomes.
const outcomeWidth = 68

// notesFrom is the minimum width for a column of notes, in device-independent pixels.
const notesFrom = 340

// widths divides the width among the columns. Long notes get more than short ones.
func (v *reportView) widths(width float32) []float32 {
	rest := max(columnLeast, width-outcomeWidth)
	if width < notesFrom {
		return []float32{outcomeWidth, rest, 0}
	}
	note := float32(72)
	if v.detailed {
		note = max(note, rest*0.42)
	}
	return []float32{outcomeWidth, rest - note, note}
}

// show displays a report.
func (v *reportView) show(r *export.Report, folder string) {
	v.report, v.folder = r, folder
	v.detailed = r.Bad() || r.Renamed+r.Replaced+r.Skipped > 0
	var remarkable int
	v.order, remarkable = r.Order()
	v.text.SetText(summary(r))
	v.text.Importance = widget.SuccessImportance
	if r.Failed > 0 || r.Problem != "" {
		v.text.Importance = widget.DangerImportance
	} else if r.Bad() {
		v.text.Importance = widget.WarningImportance
	}
	v.text.Refresh()
	paint.Show(v.open, model.IsFolder(folder))
	paint.Show(v.again, len(v.p.last.items) > 0)
	v.table.SetData((*reportData)(v))
	if v.more.Hide(); remarkable > 0 {
		v.table.SetCurrent(0)
		v.tell(0)
	}
	v.p.body.Objects = []fyne.CanvasObject{v.body}
	v.p.body.Refresh()
}

// close displays the list again.
func (v *reportView) close() {
	if v.p.body.Objects[0] != v.p.main {
		v.p.body.Objects = []fyne.CanvasObject{v.p.main}
		v.p.body.Refresh()
	}
}

// back displays the list and focuses it.
func (v *reportView) back() {
	v.close()
	v.p.Focus()
}

// summary returns the report in a sentence or two.
func summary(r *export.Report) string {
	var parts []string
	if r.Exported > 0 {
		parts = append(parts, fmt.Sprintf("%s exported (%s)", host.Count(r.Exported, "file"), host.Size(r.Bytes)))
	}
	for _, c := range []struct {
		n    int
		what string
	}{{r.Renamed, "renamed"}, {r.Replaced, "replaced"}, {r.Doubtful, "with problems"}, {r.Skipped, "skipped"},
		{r.Failed, "failed"}} {
		if c.n > 0 {
			parts = append(parts, host.Number(c.n)+" "+c.what)
		}
	}
	if r.Cancelled {
		parts = append(parts, "canceled")
	}
	if len(parts) == 0 {
		parts = []string{"nothing to export"}
	}
	s := host.SentenceOf(strings.Join(parts, ", "))
	if why, where := r.Failure(); why != "" {
		s += " " + host.SentenceOf(model.OneLine(where, 400)+": "+why)
	}
	if r.Problem != "" {
		s += " " + host.SentenceOf(r.Problem)
	}
	return s
}

// note returns the remarks on a row, as one text.
func (v *reportView) note(r *export.Row) string {
	var parts []string
	if r.Problem != "" {
		parts = append(parts, model.OneLine(r.Problem, 600))
	}
	if r.Replaced() {
		parts = append(parts, "replaced an existing file")
	}
	if r.Renamed() {
		parts = append(parts, "original name: "+model.OneLine(r.Name, 200))
	}
	if r.Verdict == model.Valid {
		parts = append(parts, "verified")
	}
	return strings.Join(parts, "; ")
}

// reportData is the table source of the rows.
type reportData reportView

func (d *reportData) Len() int { return len(d.order) }

func (d *reportData) Cell(row, column int) rows.Cell {
	r := d.report.Row(d.order[row])
	switch column {
	case 0:
		tone := paint.Dim
		switch {
		case r.Outcome == export.Failed:
			tone = paint.Error
		case r.Outcome == export.Skipped || r.Problem != "":
			tone = paint.Warning
		}
		return rows.Cell{Text: [...]string{"failed", "skipped", "done"}[r.Outcome], Tone: tone}
	case 1:
		if r.Path == "" {
			return rows.Cell{Text: model.OneLine(r.Name, 400), Tone: paint.Dim}
		}
		return rows.Cell{Text: r.Path, Ends: true}
	}
	return rows.Cell{Text: (*reportView)(d).note(&r), Tone: paint.Dim}
}

// openFolder opens the folder in the system's file manager.
func (v *reportView) openFolder() {
	if err := fyne.CurrentApp().OpenURL(&url.URL{Scheme: "file", Path: filepath.ToSlash(v.folder)}); err != nil {
		v.p.complain(fmt.Errorf("cannot open the folder: %w", err))
	}
}

// askSave asks for a file and saves the report, as JSON if its name ends in .json, else as text.
func (v *reportView) askSave() {
	report := v.report
	v.p.ask.Save("Save report (.txt or .json)", v.folder, "export-report.txt",
		func(path string, out io.Writer) error {
			return writeReport(report, path, out)
		})
}

func writeReport(r *export.Report, path string, out io.Writer) error {
	if strings.EqualFold(filepath.Ext(path), ".json") {
		return r.WriteJSON(out)
	}
	return r.WriteText(out)
}
