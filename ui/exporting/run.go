package exporting

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

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
)

// runningExport is the export that is being written.
type runningExport struct {
	stop     context.CancelFunc
	folder   string
	progress export.Progress // the latest progress that the export reported
}

// Running describes the running export in a sentence, or returns "".
func (p *Panel) Running() string {
	if p.running == nil {
		return ""
	}
	if p.running.progress.Items == 0 || p.running.progress.Planning {
		return "Preparing the export to " + p.running.folder + "."
	}
	return fmt.Sprintf("Exporting to %s: %s of %s written.", p.running.folder, host.Number(p.running.progress.Done),
		host.Count(p.running.progress.Items, "file"))
}

// Export exports the list.
func (p *Panel) Export() {
	if len(p.assets.items) > 0 {
		p.writeRows(p.assets.all())
	}
}

// writeRows exports rows of the list. Exported rows are removed from the list.
func (p *Panel) writeRows(selected rows.Intervals) {
	if p.running != nil || !p.settings.validate() {
		return
	}
	list := newExportList(p.closeDocument)
	for _, part := range selected.All() {
		list.addCopies(p.assets.items[part.From:min(part.To, int64(len(p.assets.items)))])
	}
	p.write(list, p.settings.preset.Folder, p.options(p.assets.documents()...), true)
}

// write exports a list to a folder, and keeps the list for Export Again. fromList reports that the assets come from the
// list of the panel.
func (p *Panel) write(list *exportList, folder string, o export.Options, fromList bool) {
	p.latest.clear()
	p.latest = latestExport{list, folder, o, fromList}
	items, picks, docs := slices.Clone(list.items), list.picks(list.all()), list.documents()
	ctx, stop := context.WithCancel(p.group.Context())
	r := &runningExport{stop: stop, folder: folder}
	p.running = r
	p.planning.Stop() // the export itself creates files, so their names would exist
	o.Progress = func(progress export.Progress) {
		p.group.Do(ctx, func() {
			r.progress = progress
			p.footer.show(progress)
		})
	}
	o.Ask = func(ctx context.Context, item export.Item) export.Answer {
		return p.askExisting(ctx, item, folder)
	}
	o.Excess = p.askExcess
	o.Inputs = p.OpenFiles()
	for _, d := range docs { // the tabs of exported files may be closed
		o.Inputs = append(o.Inputs, d.Source.Path())
	}
	p.reportView.showListTab()
	p.settings.showFolderError(nil) // the folder is checked again
	p.footer.showStart()
	release := hold(docs...)
	p.group.Write(func(window context.Context) func() {
		defer stop()
		report, stamps, err := runExport(ctx, folder, picks, o)
		release()
		if window.Err() != nil && err == nil {
			_ = saveReport(folder, report) // the panel is closed
		}
		return func() { p.finishExport(items, report, stamps, err) }
	})
}

// finishExport displays the result of an export of items.
func (p *Panel) finishExport(items []item, report *export.Report, stamps map[string]export.Stamp, err error) {
	folder, fromList := p.latest.folder, p.latest.fromList
	p.running = nil
	p.Changed() // Export Again may be available
	if p.OnEnd != nil {
		p.OnEnd()
	}
	p.footer.showIdle()
	p.question.RemoveAll()
	switch {
	case errors.Is(err, context.Canceled), err == nil && report.Canceled && report.Exported == 0:
		p.ShowHint("Export canceled. Nothing was written.")
	case errors.As(err, new(*export.FolderError)) && folder == p.settings.preset.Folder:
		p.settings.showFolderError(err)
		p.window.Canvas().Focus(p.settings.folder)
	case err != nil:
		p.notifyError(err)
	default:
		p.latest.options.Own = stamps
		if fromList {
			p.updateAfterExport(items, report)
		}
		p.reportView.show(report, folder)
		p.ShowHint(summary(report, fromList))
	}
	p.replan()
}

// FileWriter returns a func that exports the list into an empty folder and returns a note on renamed and skipped files,
// or nil if the list is empty. The documents stay open until the caller calls release.
func (p *Panel) FileWriter() (write func(ctx context.Context, folder string) (note string, err error), release func()) {
	if len(p.assets.items) == 0 {
		return nil, nil
	}
	picks, o, docs := p.assets.picks(p.assets.all()), p.options(), p.assets.documents()
	o.Excess = p.askExcess
	return func(ctx context.Context, folder string) (note string, err error) {
		report, _, err := runExport(ctx, folder, picks, o)
		switch {
		case err != nil:
			return "", err
		case ctx.Err() != nil:
			return "", ctx.Err()
		case report.Bad():
			return "", errors.New(report.Summary())
		}
		if report.Renamed > 0 {
			note = fmt.Sprintf("; %s renamed because the name already exists, so the key differs",
				host.Count(int64(report.Renamed), "asset"))
		}
		if report.Skipped > 0 {
			note += fmt.Sprintf("; %s skipped because the name already exists", host.Count(int64(report.Skipped), "asset"))
		}
		return note, nil
	}, hold(docs...)
}

// saveReport writes the report of a stopped export beside its files.
func saveReport(folder string, r *export.Report) error {
	for n := 1; ; n++ {
		name := "assay-export-report.txt"
		if n > 1 {
			name = fmt.Sprintf("assay-export-report-%d.txt", n)
		}
		f, err := os.OpenFile(filepath.Join(folder, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		return errors.Join(r.WriteText(f), f.Close())
	}
}

// runExport plans and runs an export, and returns the report and the stamps of the written files. After an error
// nothing was exported.
func runExport(ctx context.Context, folder string, picks []export.Pick, o export.Options) (r *export.Report,
	stamps map[string]export.Stamp, err error) {
	d := export.OpenDirectory(folder)
	defer d.Close()
	plan, err := export.NewPlan(ctx, d, picks, o)
	if err != nil {
		return nil, nil, err
	}
	excess, ok, err := plan.Excess(ctx)
	if err != nil {
		return nil, nil, err
	}
	if ok {
		if !o.Excess(ctx, excess) {
			return nil, nil, context.Canceled
		}
		plan.Allow()
	}
	if files, _ := plan.Counts(); files > 0 {
		if err := d.Make(); err != nil {
			return nil, nil, err
		}
	}
	r = plan.Run(ctx)
	return r, r.Stamps(), nil
}

// question is a question to the user during an export.
type question struct {
	text    string
	choices []string
	repeats bool // more questions of this kind may follow
}

// existsQuestion returns the question whether to replace an existing file.
func existsQuestion(item export.Item, folder string) question {
	q := question{text: model.OneLine(item.Target, 200) + " already exists in this folder", repeats: true}
	for _, c := range existsChoices {
		q.choices = append(q.choices, c.label)
	}
	if existing, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(item.Target))); err == nil &&
		existing.Mode().IsRegular() {
		q.text += ": " + describeFile(existing.Size(), existing.ModTime())
		if item.Size >= 0 {
			q.text += ". New file: " + describeFile(item.Size, item.From.At(item.Index).ModTime)
		}
	}
	q.text += "."
	return q
}

// describeFile returns the size and the date of a file, as text.
func describeFile(bytes int64, modified time.Time) string {
	if modified.IsZero() {
		return host.Size(bytes)
	}
	return host.Size(bytes) + ", " + modified.Format("2006-01-02 15:04")
}

// answer is the choice of the user.
type answer struct {
	choice int  // index of the button
	all    bool // same answer for all following questions
}

// askUser displays a question in the panel and waits for the answer. It returns false if the export ends first.
func (p *Panel) askUser(ctx context.Context, q question) (a answer, ok bool) {
	answered := make(chan answer, 1)
	p.group.Do(ctx, func() {
		p.footer.showMessage("Waiting for an answer…", widget.MediumImportance)
		first := p.showQuestion(q, func(a answer) {
			p.question.RemoveAll()
			p.question.Refresh()
			select {
			case answered <- a:
			default:
			}
		})
		if p.ShowExport(); len(p.question.Objects) > 0 {
			p.window.Canvas().Focus(first)
		}
	})
	select {
	case a := <-answered:
		return a, true
	case <-ctx.Done():
		return answer{}, false
	}
}

// showQuestion displays a question, and returns the button of the first choice.
func (p *Panel) showQuestion(q question, answered func(answer)) (first *control.Button) {
	text := widget.NewLabel(q.text)
	text.Wrapping = fyne.TextWrapWord
	canvas := p.window.Canvas()
	focused := canvas.Focused()
	forAll := control.NewCheck(p.Key, "Do this for all remaining files", nil)
	buttons := container.NewHBox()
	for i, label := range q.choices {
		buttons.Add(control.NewButton(p.Key, label, nil, func() {
			if focused == nil {
				canvas.Unfocus()
			} else {
				canvas.Focus(focused)
			}
			answered(answer{i, forAll.Checked})
		}))
	}
	if !q.repeats {
		forAll.Hide()
	}
	background := paint.NewTint(theme.ColorNameWarning, 0x2a)
	p.question.Objects = []fyne.CanvasObject{container.NewStack(background, container.NewVBox(text, buttons, forAll))}
	p.question.Refresh()
	return buttons.Objects[0].(*control.Button)
}

// existsChoices lists the answers for a file name that already exists.
var existsChoices = []struct {
	label string
	rule  export.Rule
}{{"Keep Both", export.Number}, {"Skip", export.Skip}, {"Overwrite", export.Overwrite}}

// askExisting asks for a rule for a file name that already exists in the folder.
func (p *Panel) askExisting(ctx context.Context, item export.Item, folder string) export.Answer {
	a, ok := p.askUser(ctx, existsQuestion(item, folder))
	if !ok {
		return export.Answer{Rule: export.Skip, All: true}
	}
	return export.Answer{Rule: existsChoices[a.choice].rule, All: a.all}
}

// askExcess asks whether to continue an export of extreme size.
func (p *Panel) askExcess(ctx context.Context, excess export.Excess) bool {
	a, ok := p.askUser(ctx, question{text: host.Sentence(excess), choices: []string{"Export Anyway", "Stop"}})
	return ok && a.choice == 0
}

// latestExport is the latest export, which Export Again repeats.
type latestExport struct {
	*exportList
	folder   string
	options  export.Options // options of the export, with the files that it wrote
	fromList bool           // the assets came from the list
}

// updateAfterExport removes the exported assets from the list, and the assets whose files exist with the same content.
// The others stay, with the reason of the failure.
func (p *Panel) updateAfterExport(items []item, r *export.Report) {
	exported := make(map[key]bool, len(items))
	last := -1
	for row := range r.Rows() {
		if row.First() {
			last++
			exported[items[last].key()] = true
			delete(p.failures, items[last].key())
		}
		if row.Outcome == export.Exported || row.SameFile() != "" {
			continue
		}
		exported[items[last].key()] = false
		if row.Outcome == export.Failed {
			p.failures[items[last].key()] = row.Problem
		}
	}
	var exportedRows rows.Intervals
	for i, entry := range p.assets.items {
		if exported[entry.key()] {
			exportedRows.Add(int64(i), int64(i)+1)
		}
	}
	p.assets.remove(exportedRows)
	p.list.rows.SetSelection(rows.Intervals{})
	p.changed()
}

// Again repeats the latest export: the same assets in the same formats, to the same folder. It replaces the files of
// the latest export that nobody has changed.
func (p *Panel) Again() {
	if l := p.latest; p.CanRepeat() {
		p.ShowExport()
		o := l.options
		o.Conflict = p.settings.rule
		repeated := newExportList(p.closeDocument)
		repeated.addCopies(l.items)
		p.write(repeated, l.folder, o, l.fromList)
	}
}

// CanRepeat reports whether there is an export to repeat.
func (p *Panel) CanRepeat() bool { return p.running == nil && len(p.latest.items) > 0 }

// Forget releases a document that is open only for Export Again.
func (p *Panel) Forget(d *model.Document) {
	var missing rows.Intervals
	for i, entry := range p.latest.items {
		if entry.source.doc == d {
			missing.Add(int64(i), int64(i)+1)
		}
	}
	p.latest.remove(missing)
	paint.SetVisible(p.reportView.repeatButton, p.CanRepeat())
}
