package exporting

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/export"
	"assay/ui/host"
	"assay/ui/paint"
)

// footer is the part below the settings. It displays the totals of the list or the progress of an export, and the
// button that starts or stops an export.
type footer struct {
	text    *widget.Label
	bar     *widget.ProgressBar
	button  *widget.Button
	content fyne.CanvasObject
	export  func()
	stop    func()
}

// exportListLabel is the label of the button that exports the list.
const exportListLabel = "Export List"

func newFooter(export, stop func()) *footer {
	f := &footer{text: widget.NewLabel(""), bar: widget.NewProgressBar(),
		button: widget.NewButton(exportListLabel, export),
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
