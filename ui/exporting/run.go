package exporting

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"assay/model/export"
	"assay/ui/host"
	"assay/ui/rows"
)

type runningExport struct {
	stop     context.CancelFunc
	folder   string
	progress export.Progress
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
	if p.running != nil || !p.settings.check() {
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
	p.reportView.close()
	p.settings.showFolder(nil) // the folder is checked again
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
		p.settings.showFolder(err)
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
