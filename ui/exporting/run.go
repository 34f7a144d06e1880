package exporting

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	stop  context.CancelFunc
	ended chan struct{}
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
	r := &running{stop: stop, ended: make(chan struct{})}
	p.run = r
	p.planning.Stop() // its names would change while the files appear
	o, preset, folder := p.options(), p.settings.preset, p.settings.preset.Folder
	o.Progress = func(now export.Progress) { p.group.Show(ctx, func() { p.progress.show(now) }) }
	o.Ask = func(ctx context.Context, item export.Item) export.Answer {
		return p.answer(ctx, questionOf(item, folder))
	}
	p.report.close()
	p.progress.begin()
	p.enable()
	p.group.Go(func(context.Context) func() {
		defer close(r.ended)
		defer stop()
		report, err := runAll(ctx, folder, picks, preset, o)
		return func() {
			p.run = nil
			p.progress.end()
			p.question.RemoveAll()
			switch {
			case errors.Is(err, context.Canceled):
				p.Tell("The export was cancelled before anything was written.")
			case err != nil:
				p.complain(err)
			default:
				p.report.show(report, folder)
			}
			p.replan()
		}
	})
}

// runAll plans and writes. An error means that there was no export at all.
func runAll(ctx context.Context, folder string, picks []export.Pick, preset export.Preset, o export.Options) (*export.Report, error) {
	if err := preset.Apply(ctx, picks); err != nil {
		return nil, err
	}
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

// stopRun ends the export that goes on, and waits until its unfinished files are gone.
func (p *Panel) stopRun() {
	if p.run == nil {
		return
	}
	p.run.stop()
	select {
	case <-p.run.ended:
	case <-time.After(closeWait):
	}
}

// questionOf says what is in the folder, and what would come.
func questionOf(item export.Item, folder string) string {
	text := model.OneLine(item.Target, 200) + " is in the folder already"
	if there, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(item.Target))); err == nil && there.Mode().IsRegular() {
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
		p.progress.text.SetText("Waiting for an answer…")
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
	all := widget.NewCheck("for all", nil)
	buttons := container.NewHBox()
	for _, b := range []struct {
		label string
		rule  export.Rule
	}{{"Number", export.Number}, {"Skip", export.Skip}, {"Overwrite", export.Overwrite}} {
		buttons.Add(widget.NewButton(b.label, func() { answer(export.Answer{Rule: b.rule, All: all.Checked}) }))
	}
	buttons.Add(all)
	p.question.Objects = []fyne.CanvasObject{container.NewStack(look.NewTint(theme.ColorNameWarning, 0x2a), container.NewVBox(text, buttons))}
	p.question.Refresh()
}

// progress shows how far an export is, in the place of its button.
type progress struct {
	p      *Panel
	bar    *widget.ProgressBar
	text   *widget.Label
	body   fyne.CanvasObject
	before []fyne.CanvasObject
}

func newProgress(p *Panel) *progress {
	g := &progress{p: p, bar: widget.NewProgressBar(), text: widget.NewLabel("")}
	g.bar.TextFormatter = func() string { return "" }
	g.text.Truncation = fyne.TextTruncateEllipsis
	cancel := widget.NewButton("Cancel", func() {
		if p.run != nil {
			p.run.stop()
			g.text.SetText("Cancelling…")
		}
	})
	thin := container.New(thinBar{}, g.bar)
	g.body = container.NewBorder(nil, nil, nil, cancel, container.NewVBox(g.text, thin))
	return g
}

// thinBar gives a progress bar a small height.
type thinBar struct{}

// Layout is called by Fyne.
func (thinBar) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(6, 0))
		o.Resize(fyne.NewSize(s.Width-12, s.Height))
	}
}

// MinSize is called by Fyne.
func (thinBar) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(40, 6) }

func (g *progress) begin() {
	g.bar.SetValue(0)
	g.text.SetText("Planning…")
	g.before = g.p.foot.Objects
	g.p.foot.Objects = []fyne.CanvasObject{g.before[0], g.body}
	g.p.foot.Refresh()
}

func (g *progress) show(now export.Progress) {
	g.bar.SetValue(shareOf(now))
	text := fmt.Sprintf("%s of %s, %s", wording.Number(now.Done), wording.Count(now.Items, "file"), size(now.Written))
	if now.Bytes > now.Written {
		text += " of " + size(now.Bytes)
	}
	g.text.SetText(text)
}

// shareOf is how far an export has come, of 1. A file takes its time besides that of its bytes.
func shareOf(now export.Progress) float64 {
	const aFile = 64 << 10
	files, bytes := float64(max(1, now.Items))*aFile, float64(now.Bytes)
	return (float64(now.Done)*aFile + min(bytes, float64(now.Written))) / (files + bytes)
}

func (g *progress) end() {
	g.p.foot.Objects = g.before
	g.p.foot.Refresh()
}
