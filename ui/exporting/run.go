package exporting

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/export"
	"assay/ui/look"
	"assay/ui/wording"
)

// running is an export that goes on.
type running struct {
	stop    context.CancelFunc
	ended   chan struct{}
	leaving atomic.Bool // the window closes: there is no other place for the report than the folder
	folder  string
	now     export.Progress
}

// Running says in a sentence what export goes on; empty if none does.
func (p *Panel) Running() string {
	if p.run == nil {
		return ""
	}
	if p.run.now.Items == 0 || p.run.now.Planning {
		return "An export to " + p.run.folder + " is being planned."
	}
	return fmt.Sprintf("%s of %s are exported to %s.", wording.Number(p.run.now.Done),
		wording.Count(p.run.now.Items, "file"), p.run.folder)
}

// Export writes what is in the list.
func (p *Panel) Export() {
	switch {
	case p.run != nil || len(p.basket.items) == 0:
		return
	case p.settings.wrong != "":
		p.complain(errors.New(p.settings.wrong))
		return
	case !filepath.IsAbs(p.settings.preset.Folder):
		p.complain(errors.New("choose the folder to write to"))
		return
	}
	p.write(p.basket.picks(p.basket.all()))
}

// write writes picks.
func (p *Panel) write(picks []export.Pick) {
	ctx, stop := context.WithCancel(p.group.Context())
	o, folder := p.options(), p.settings.preset.Folder
	r := &running{stop: stop, ended: make(chan struct{}), folder: folder}
	p.run = r
	p.planning.Stop() // its names would change while the files appear
	o.Progress = func(now export.Progress) {
		p.group.Show(ctx, func() {
			r.now = now
			p.foot.show(now)
		})
	}
	o.Ask = func(ctx context.Context, item export.Item) export.Answer {
		return p.answer(ctx, questionOf(item, folder))
	}
	p.report.close()
	p.foot.begin()
	p.group.Go(func(context.Context) func() {
		defer close(r.ended)
		defer stop()
		report, err := runAll(ctx, folder, picks, o)
		if r.leaving.Load() && err == nil {
			_ = leaveReport(folder, report) // there is no one left to tell
		}
		return func() {
			p.run = nil
			p.foot.end()
			p.question.RemoveAll()
			switch {
			case errors.Is(err, context.Canceled):
				p.Tell("The export was stopped before anything was written.")
			case err != nil:
				p.complain(err)
			default:
				p.report.show(report, folder)
			}
			p.replan()
		}
	})
}

// leaveReport writes the report of an export that was stopped beside its files.
func leaveReport(folder string, r *export.Report) error {
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

// runAll plans and writes. An error means that there was no export at all.
func runAll(ctx context.Context, folder string, picks []export.Pick, o export.Options) (*export.Report, error) {
	d := export.OpenDirectory(folder)
	defer d.Close()
	plan, err := export.NewPlan(ctx, d, picks, o)
	if err != nil {
		return nil, err
	}
	return plan.Run(ctx), nil
}

// closeWait is how long the window waits at its end for an export that was told to stop.
const closeWait = 10 * time.Second

// leave ends the export that goes on, and waits until its unfinished files are gone.
func (p *Panel) leave() {
	if p.run == nil {
		return
	}
	p.run.leave()
	select {
	case <-p.run.ended:
	case <-time.After(closeWait):
	}
}

// leave stops the export, which leaves its report in the folder.
func (r *running) leave() {
	r.leaving.Store(true)
	r.stop()
}

// questionOf says what is in the folder, and what would come.
func questionOf(item export.Item, folder string) string {
	text := model.OneLine(item.Target, 200) + " is in the folder already"
	if there, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(item.Target))); err == nil &&
		there.Mode().IsRegular() {
		text += ": " + fileOf(there.Size(), there.ModTime())
		if item.Size >= 0 {
			text += ". The new one: " + fileOf(item.Size, item.From.At(item.Index).ModTime)
		}
	}
	return text + "."
}

// fileOf is a file's size and day.
func fileOf(bytes int64, modified time.Time) string {
	if modified.IsZero() {
		return size(bytes)
	}
	return size(bytes) + ", " + modified.Format(time.DateOnly)
}

// answer shows a question in the panel and waits for the answer.
func (p *Panel) answer(ctx context.Context, question string) export.Answer {
	answered := make(chan export.Answer, 1)
	p.group.Show(ctx, func() {
		p.foot.say("Waiting for an answer…", widget.MediumImportance)
		p.showQuestion(question, func(a export.Answer) {
			p.question.RemoveAll()
			p.question.Refresh()
			select {
			case answered <- a:
			default:
			}
		})
		p.ShowExport()
	})
	select {
	case a := <-answered:
		return a
	case <-ctx.Done():
		return export.Answer{Rule: export.Skip, All: true}
	}
}

func (p *Panel) showQuestion(question string, answer func(export.Answer)) {
	text := widget.NewLabel(question)
	text.Wrapping = fyne.TextWrapWord
	all := widget.NewCheck("The same for all that follow", nil)
	buttons := container.NewHBox()
	for _, b := range []struct {
		label string
		rule  export.Rule
	}{{"Number", export.Number}, {"Skip", export.Skip}, {"Overwrite", export.Overwrite}} {
		buttons.Add(widget.NewButton(b.label, func() { answer(export.Answer{Rule: b.rule, All: all.Checked}) }))
	}
	ground := look.NewTint(theme.ColorNameWarning, 0x2a)
	p.question.Objects = []fyne.CanvasObject{container.NewStack(ground, container.NewVBox(text, buttons, all))}
	p.question.Refresh()
}
