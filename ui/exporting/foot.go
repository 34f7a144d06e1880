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

// foot is what stands below the settings: what the list comes to, or how far an export is, and the button that begins
// or stops one.
type foot struct {
	text    *widget.Label
	bar     *widget.ProgressBar
	button  *widget.Button
	content fyne.CanvasObject
	export  func()
	stop    func()
}

// exportList is the label of the button that exports the list.
const exportList = "Export List"

func newFoot(export, stop func()) *foot {
	f := &foot{text: widget.NewLabel(""), bar: widget.NewProgressBar(), button: widget.NewButton(exportList, export),
		export: export, stop: stop}
	f.text.Wrapping = fyne.TextWrapWord
	f.bar.TextFormatter = func() string { return "" }
	f.bar.Hide()
	f.button.Importance = widget.HighImportance
	bar := container.New(layout.NewCustomPaddedLayout(0, 0, 6, 6), f.bar)
	f.content = container.NewVBox(container.New(paint.Sized(thin), bar),
		container.NewBorder(nil, nil, nil, container.NewCenter(f.button), container.New(paint.Sized(twoLines), f.text)))
	return f
}

// say shows a sentence about the list.
func (f *foot) say(text string, i widget.Importance) {
	f.text.Importance = i
	f.text.SetText(text)
}

// begin shows that an export goes on.
func (f *foot) begin() {
	f.bar.SetValue(0)
	f.bar.Show()
	f.say("Preparing…", widget.MediumImportance)
	f.turn("Stop", widget.MediumImportance, f.stop)
}

// stopping shows that the export has been told to stop.
func (f *foot) stopping() {
	f.say("Stopping…", widget.MediumImportance)
	f.button.Disable()
}

// end shows that none does.
func (f *foot) end() {
	f.bar.Hide()
	f.turn(exportList, widget.HighImportance, f.export)
}

func (f *foot) turn(label string, i widget.Importance, do func()) {
	f.button.Importance, f.button.OnTapped = i, do
	f.button.SetText(label)
	paint.Enable(f.button, true)
}

// show shows how far the export is.
func (f *foot) show(now export.Progress) {
	f.bar.SetValue(shareOf(now))
	if f.button.Disabled() {
		return // it is stopping
	}
	if now.Planning {
		f.say(fmt.Sprintf("Preparing: %d%% of %s", 100*now.Done/max(1, now.Items), host.Count(now.Items, "asset")),
			widget.MediumImportance)
		return
	}
	text := fmt.Sprintf("%s of %s\n%s", host.Number(now.Done), host.Count(now.Items, "file"), host.Size(now.Written))
	if now.Bytes > now.Written {
		text += " of " + host.Size(now.Bytes)
	}
	f.say(text, widget.MediumImportance)
}

// shareOf is how far an export has come, of 1. A file takes its time besides that of its bytes.
func shareOf(now export.Progress) float64 {
	const aFile = 64 << 10
	files, bytes := float64(max(1, now.Items))*aFile, float64(now.Bytes)
	return (float64(now.Done)*aFile + min(bytes, float64(now.Written))) / (files + bytes)
}

// thin keeps a small height for a progress bar, whether it is shown or not.
func thin(fyne.Size) fyne.Size { return fyne.NewSize(40, 5) }

// twoLines keeps the room for two lines of a text, or for more where it has more.
func twoLines(least fyne.Size) fyne.Size {
	line := fyne.MeasureText("M", theme.TextSize(), fyne.TextStyle{}).Height
	return fyne.NewSize(80, max(2*line+2*theme.InnerPadding(), least.Height))
}
