package exporting

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/export"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
)

const (
	// maxPlanned is the maximum number of assets in a list that is planned before the export starts; the files of a
	// longer one are named during the export.
	maxPlanned = 50_000
	planDelay  = 120 * time.Millisecond // time without typing before the plan is computed
)

// replan plans the files in the background.
func (p *Panel) replan() {
	p.plan, p.firstItem, p.isPlanning = nil, nil, false
	p.planning.Stop()
	p.list.clearCache()
	if p.running != nil {
		return // the export itself creates files, so their names would exist
	}
	n := len(p.assets.items)
	switch {
	case n == 0:
		p.footer.showMessage("", widget.LowImportance)
	case p.settings.templateError != "":
		p.footer.showMessage(host.Count(n, "asset"), widget.MediumImportance)
	case n > maxPlanned:
		p.footer.showMessage(host.Count(n, "asset")+" (file names are decided during export)", widget.MediumImportance)
	default:
		p.isPlanning = true
		p.footer.showMessage(host.Count(n, "asset"), widget.MediumImportance)
		p.startPlanning(p.assets.picks(p.assets.all()))
	}
	paint.SetEnabled(p.footer.button, n > 0 && p.settings.templateError == "")
}

func (p *Panel) startPlanning(picks []export.Pick) {
	o, folder := p.options(p.assets.documents()...), p.settings.preset.Folder
	p.planning.Go(func(ctx context.Context) func() {
		if !p.group.Pause(ctx, planDelay) {
			return nil
		}
		plan, exact, err := planExport(ctx, folder, picks, o)
		if ctx.Err() != nil {
			return nil
		}
		var firstOf []int32
		var forms []string
		excess := false
		if err == nil {
			firstOf, forms = firstItems(plan)
			_, excess, err = plan.Excess(ctx)
		}
		return func() {
			p.isPlanning = false
			if err != nil {
				p.notifyError(err)
				return
			}
			p.plan, p.firstItem = plan, firstOf
			p.list.widenForForms(forms...)
			p.list.rows.Refresh()
			p.showTotals(plan, exact, excess)
		}
	})
}

// planExport plans an export without writing. exact reports that the plan predicts every file that will be skipped.
func planExport(ctx context.Context, folder string, picks []export.Pick, o export.Options,
) (plan *export.Plan, exact bool, err error) {
	var target export.Folder = export.DiscardFolder{}
	if filepath.IsAbs(folder) {
		d := export.OpenDirectory(folder)
		defer d.Close()
		target = export.DiscardFolder{Like: d}
	}
	if plan, err = export.NewPlan(ctx, target, picks, o); err == nil {
		exact, err = plan.Foresee(ctx)
	}
	return plan, exact, err
}

// firstItems returns the index of the first item of each pick, because a format may write several files, and all
// formats.
func firstItems(plan *export.Plan) (firstOf []int32, forms []string) {
	for i := range plan.Len() {
		item := plan.Item(i)
		if !item.First() {
			continue
		}
		firstOf = append(firstOf, int32(i))
		if !slices.Contains(forms, item.Form) {
			forms = append(forms, item.Form)
		}
	}
	return firstOf, forms
}

// options returns the current options for assets of some documents.
func (p *Panel) options(docs ...*model.Document) export.Options {
	return export.Options{Names: p.settings.template.ForFiles(docs), Conflict: p.settings.rule, Usual: true, Once: true,
		Forms: p.settings.preset.Forms, Prefer: p.settings.preset.Prefer}
}

// showTotals displays the number of files and bytes of a plan, and the numbers of renamed, existing and failing files.
func (p *Panel) showTotals(plan *export.Plan, exact, excess bool) {
	files, bytes := plan.Counts()
	text := host.Count(files, "file")
	unsized, renamed, existing, identical, failing := false, 0, 0, 0, 0
	for i := range plan.Len() {
		item := plan.Item(i)
		unsized = unsized || item.Size < 0
		switch {
		case item.Problem != "":
			failing++
		case item.Same != "":
			identical++
		case item.Exists:
			existing++
		case item.Renamed:
			renamed++
		}
	}
	switch {
	case !unsized:
		text += ", " + host.Size(bytes)
	case bytes > 0:
		text += ", at least " + host.Size(bytes)
	}
	switch {
	case renamed > 0 && exact:
		text += ", " + host.Number(renamed) + " renamed"
	case renamed > 0:
		text += ", " + host.Number(renamed) + " renamed or skipped"
	}
	if identical > 0 {
		text += ", " + host.Number(identical) + " with the same content"
	}
	if existing > 0 {
		mark, _ := ruleText(p.settings.rule)
		text += ", " + host.Number(existing) + " existing (" + mark + ")"
	}
	importance := widget.MediumImportance
	if failing > 0 {
		text += ", " + host.Number(failing) + " cannot be exported"
		importance = widget.WarningImportance
	}
	if excess {
		text += "; expands to far more than its stored size"
		importance = widget.WarningImportance
	}
	p.footer.showMessage(text, importance)
}

// footer is the part below the settings. It displays the totals of the list or the progress of an export, and the
// button that starts or stops an export.
type footer struct {
	text    *widget.Label
	bar     *widget.ProgressBar
	button  *control.Button
	content fyne.CanvasObject
	export  func()
	stop    func()
}

// exportListLabel is the label of the button that exports the list.
const exportListLabel = "Export List"

func newFooter(export, stop func()) *footer {
	f := &footer{text: widget.NewLabel(""), bar: widget.NewProgressBar(),
		button: control.NewButton(nil, exportListLabel, nil, export),
		export: export, stop: stop}
	f.text.Wrapping = fyne.TextWrapWord
	f.bar.TextFormatter = func() string { return "" }
	f.bar.Hide()
	f.button.Importance = widget.HighImportance
	bar := container.New(layout.NewCustomPaddedLayout(0, 0, 6, 6), f.bar)
	f.content = container.NewVBox(container.New(paint.StackMinSize(minBarSize), bar),
		container.NewBorder(nil, nil, nil, container.NewCenter(f.button),
			container.New(paint.StackMinSize(minTextSize), f.text)))
	return f
}

// showMessage displays a message about the list.
func (f *footer) showMessage(text string, i widget.Importance) {
	f.text.Importance = i
	f.text.SetText(text)
}

// showStart displays the start of an export.
func (f *footer) showStart() {
	f.bar.SetValue(0)
	f.bar.Show()
	f.showMessage("Preparing…", widget.MediumImportance)
	f.setButton("Stop", widget.MediumImportance, f.stop)
}

// showStopping displays that the export is being stopped.
func (f *footer) showStopping() {
	f.showMessage("Stopping…", widget.MediumImportance)
	f.button.Disable()
}

// showIdle displays that no export is running.
func (f *footer) showIdle() {
	f.bar.Hide()
	f.setButton(exportListLabel, widget.HighImportance, f.export)
}

func (f *footer) setButton(label string, i widget.Importance, do func()) {
	f.button.Importance, f.button.OnTapped = i, do
	f.button.SetText(label)
	paint.SetEnabled(f.button, true)
}

func (f *footer) show(progress export.Progress) {
	f.bar.SetValue(fractionOf(progress))
	if f.button.Disabled() {
		return // the export is being stopped
	}
	if progress.Planning {
		f.showMessage(fmt.Sprintf("Preparing: %d%% of %s", 100*progress.Done/max(1, progress.Items),
			host.Count(progress.Items, "asset")),
			widget.MediumImportance)
		return
	}
	text := fmt.Sprintf("%s of %s\n%s", host.Number(progress.Done), host.Count(progress.Items, "file"),
		host.Size(progress.Written))
	if progress.Bytes > progress.Written {
		text += " of " + host.Size(progress.Bytes)
	}
	f.showMessage(text, widget.MediumImportance)
}

// fractionOf returns the completed fraction of an export, 0 to 1. Each file counts as 64 KiB in addition to its bytes.
func fractionOf(progress export.Progress) float64 {
	const fileWeight = 64 << 10
	files, bytes := float64(max(1, progress.Items))*fileWeight, float64(progress.Bytes)
	return (float64(progress.Done)*fileWeight + min(bytes, float64(progress.Written))) / (files + bytes)
}

// minBarSize returns the minimum size of a progress bar, visible or not.
func minBarSize(fyne.Size) fyne.Size { return fyne.NewSize(40, 5) }

// minTextSize returns the minimum size of the text, at least two lines high.
func minTextSize(minSize fyne.Size) fyne.Size {
	line := fyne.MeasureText("M", theme.TextSize(), fyne.TextStyle{}).Height
	return fyne.NewSize(80, max(2*line+2*theme.InnerPadding(), minSize.Height))
}
