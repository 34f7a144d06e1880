package exporting

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/export"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tabs"
)

// reportView displays the result of an export, in a tab beside the tab of the list.
type reportView struct {
	Host         // the panel as the host of the widgets
	panel        *Panel
	report       *export.Report
	folder       string
	table        *rows.List[int] // rows of the report, failed ones first
	text         *widget.Label
	detail       *widget.Label // details of the current row
	openButton   *control.Button
	repeatButton *control.Button
	body         fyne.CanvasObject
}

func newReportView(p *Panel) *reportView {
	v := &reportView{Host: p, panel: p, text: widget.NewLabel(""), detail: widget.NewLabel("")}
	v.text.Wrapping, v.detail.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	v.table = rows.NewList[int](v, p.style, rows.Options{Header: true, MinSize: fyne.NewSize(160, 70)})
	v.table.OnCurrent = v.showDetails
	v.table.OnMenu = func(row int, pos fyne.Position) {
		r := v.report.Row(v.table.Items[row])
		p.popUp([]*fyne.MenuItem{fyne.NewMenuItem("Copy Line", func() {
			fyne.CurrentApp().Clipboard().SetContent(strings.Join([]string{r.Outcome.String(), r.Key, r.Path,
				v.remarksOn(&r)}, "\t"))
		})}, pos)
	}
	v.openButton = control.NewButton(p.Key, "Open Folder", nil, v.openFolder)
	save := control.NewButton(p.Key, "Save…", nil, v.askSave)
	v.repeatButton = control.NewButton(p.Key, "Export Again", nil, p.Again)
	top := container.NewStack(paint.NewBackdrop(theme.ColorNameHeaderBackground), v.text)
	v.body = container.NewBorder(top, container.NewVBox(v.detail,
		container.NewBorder(nil, nil, v.repeatButton, container.NewHBox(save, v.openButton))), nil, nil, v.table.Table)
	return v
}

// showDetails displays all details of a row. The columns may truncate them.
func (v *reportView) showDetails(row int) {
	r := v.report.Row(v.table.Items[row])
	text := cmp.Or(r.Path, r.SameFile(), model.OneLine(r.Name, 200))
	if r.Outcome == export.Failed {
		text = cmp.Or(model.OneLine(v.report.FilePath(&r), 400), text)
	}
	if note := v.remarksOn(&r); note != "" {
		text += ": " + note
	}
	v.detail.SetText(text)
	v.detail.Show()
}

// Key displays the list on Escape, or passes the key to the window.
func (v *reportView) Key(k *fyne.KeyEvent, shift bool) bool {
	if k.Name == fyne.KeyEscape {
		v.focusList()
		return true
	}
	return v.Host.Key(k, shift)
}

var outcomeTexts = [...]string{export.Failed: "failed", export.Skipped: "skipped", export.Exported: "done"}

func (v *reportView) columns() []rows.ListColumn[int] {
	return []rows.ListColumn[int]{{Width: 82, Cell: func(i int) rows.Cell {
		r := v.report.Row(i)
		text, tone := outcomeTexts[r.Outcome], paint.Dim
		switch {
		case r.Outcome == export.Failed:
			tone = paint.Error
		case r.SameFile() != "":
			text = "unchanged"
		case r.Outcome == export.Skipped || r.Doubtful:
			tone = paint.Warning
		}
		return rows.Cell{Text: text, Tone: tone}
	}}, {Title: "File", Share: 1, Min: minColumnWidth, Cell: func(i int) rows.Cell {
		r := v.report.Row(i)
		remarks := v.remarksOn(&r)
		cell := rows.Cell{Text: r.Path, CutMiddle: true, Hint: guessDetails.ReplaceAllString(remarks, "$1"), Tip: remarks}
		if r.Path == "" {
			cell.Text, cell.Tone = model.OneLine(cmp.Or(r.SameFile(), r.Target, r.Name), 400), paint.Dim
		}
		return cell
	}}}
}

func (v *reportView) show(r *export.Report, folder string) {
	v.report, v.folder = r, folder
	order, remarkable := r.Order()
	v.text.SetText(summary(r, v.panel.latest.fromList))
	v.text.Importance = widget.SuccessImportance
	if r.Failed > 0 || r.Problem != "" {
		v.text.Importance = widget.DangerImportance
	} else if r.Bad() || r.Skipped > r.Same {
		v.text.Importance = widget.WarningImportance
	}
	v.text.Refresh()
	paint.SetVisible(v.openButton, model.IsFolder(folder))
	paint.SetVisible(v.repeatButton, v.panel.CanRepeat())
	v.table.SetColumns(v.columns()...)
	v.table.Set(order)
	if v.detail.Hide(); remarkable > 0 {
		v.table.SetCurrent(0)
		v.showDetails(0)
	}
	v.panel.tabs.SetTabs([]tabs.Tab{{Title: "List"}, {Title: "Report"}})
	v.panel.tabs.Show()
	v.panel.showTab(reportTab)
}

// showListTab displays the list. The report stays in its tab.
func (v *reportView) showListTab() { v.panel.showTab(listTab) }

// focusList displays the list and focuses it.
func (v *reportView) focusList() {
	v.showListTab()
	v.panel.Focus()
}

// summary returns the report in a sentence or two.
func summary(r *export.Report, listed bool) string {
	var parts []string
	skipped := "skipped"
	if r.Canceled {
		skipped = "not written (canceled)"
	}
	if r.Exported > 0 {
		parts = append(parts, fmt.Sprintf("%s exported (%s)", host.Count(r.Exported, "file"), host.Size(r.Bytes)))
	}
	for _, c := range []struct {
		n    int
		name string
	}{{r.Renamed, "renamed"}, {r.Replaced, "replaced"}, {r.Doubtful, "with problems"}, {r.Skipped - r.Same, skipped},
		{r.Same, "already there, unchanged"}, {r.Failed, "failed"}} {
		switch {
		case c.n > 0 && len(parts) == 0:
			parts = append(parts, host.Count(c.n, "file")+" "+c.name)
		case c.n > 0:
			parts = append(parts, host.Number(c.n)+" "+c.name)
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing to export"}
	}
	s := host.SentenceOf(strings.Join(parts, ", "))
	if listed && r.Failed+r.Skipped > r.Same {
		s += " What was not written stays in the list."
	}
	if r.Problem != "" {
		s += " " + host.SentenceOf(r.Problem)
	}
	return s
}

func (v *reportView) remarksOn(r *export.Row) string {
	var parts []string
	if r.Problem != "" && r.SameFile() == "" {
		parts = append(parts, model.OneLine(r.Problem, 600))
	}
	if r.ReplacedFile() {
		parts = append(parts, "replaced")
	}
	switch {
	case r.HasOtherName() && r.IsNumbered():
		parts = append(parts, model.OneLine(r.Wanted, 200)+" exists")
	case r.HasOtherName():
		parts = append(parts, "original name: "+model.OneLine(r.Name, 200))
	}
	if r.Verdict == model.Valid {
		parts = append(parts, "checksum OK")
	}
	return strings.Join(parts, "; ")
}

// guessDetails are the details after a guess, in parentheses.
var guessDetails = regexp.MustCompile(`(` + model.Guessed + `[^;(]*) \([^;)]*\)`)

// openFolder opens the folder in the system's file manager.
func (v *reportView) openFolder() {
	if err := fyne.CurrentApp().OpenURL(&url.URL{Scheme: "file", Path: filepath.ToSlash(v.folder)}); err != nil {
		v.panel.notifyError(fmt.Errorf("cannot open the folder: %w", err))
	}
}

// askSave asks for a file and saves the report, as JSON if its name ends in .json, else as text.
func (v *reportView) askSave() {
	report := v.report
	v.panel.ask.Save("Save report (.txt or .json)", v.folder, "export-report.txt",
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
