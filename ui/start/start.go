// Package start is the empty window's page: what Assay is, and how to begin.
package start

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/ui/session"
)

// Events are what the owner of the page is told.
type Events struct {
	OnOpen   func()
	OnSample func(s session.Sample)
}

// New makes the page.
func New(o session.Options, e Events) fyne.CanvasObject {
	icon := canvas.NewImageFromResource(fyne.NewStaticResource("icon.png", o.Icon))
	icon.FillMode = canvas.ImageFillContain
	icon.SetMinSize(fyne.NewSquareSize(72))
	title := widget.NewRichText(&widget.TextSegment{Text: "Assay", Style: widget.RichTextStyle{SizeName: theme.SizeNameHeadingText, TextStyle: fyne.TextStyle{Bold: true}, Alignment: fyne.TextAlignCenter, ColorName: theme.ColorNameForeground}})
	about := widget.NewLabelWithStyle("See what is in a game or simulation asset file: its structure, its bytes, its values.", fyne.TextAlignCenter, fyne.TextStyle{})

	open := widget.NewButtonWithIcon("Open a File…", theme.FolderOpenIcon(), e.OnOpen)
	open.Importance = widget.HighImportance
	rows := []fyne.CanvasObject{container.NewCenter(icon), title, about, gap(8), container.NewCenter(open), gap(18)}
	if len(o.Samples) > 0 {
		rows = append(rows, dim("No file at hand? Try a sample:", fyne.TextAlignCenter, false), samples(o.Samples, e.OnSample), gap(12))
	}
	if len(o.Kinds) > 0 {
		rows = append(rows, kinds(o.Kinds), gap(14))
	}
	rows = append(rows, dim("or drop files on this window   ·   Ctrl+O opens   ·   F1 lists all shortcuts", fyne.TextAlignCenter, false))
	return container.NewCenter(container.NewVBox(rows...))
}

// samples lists what can be tried.
func samples(all []session.Sample, open func(session.Sample)) fyne.CanvasObject {
	grid := container.New(layout.NewFormLayout())
	for _, s := range all {
		grid.Add(widget.NewButtonWithIcon(s.Name, theme.FileIcon(), func() { open(s) }))
		grid.Add(widget.NewLabel(s.Title))
	}
	return container.NewCenter(grid)
}

// kinds lists what can be opened.
func kinds(all []session.Kind) fyne.CanvasObject {
	grid := container.New(layout.NewFormLayout())
	for _, k := range all {
		name := widget.NewLabelWithStyle(strings.ToUpper(k.Title[:1])+k.Title[1:], fyne.TextAlignTrailing, fyne.TextStyle{})
		grid.Add(name)
		grid.Add(dim(strings.Join(k.Extensions, "  "), fyne.TextAlignLeading, true))
	}
	return container.NewCenter(grid)
}

// dim is a text that steps back behind the others.
func dim(text string, align fyne.TextAlign, mono bool) fyne.CanvasObject {
	return widget.NewRichText(&widget.TextSegment{Text: text, Style: widget.RichTextStyle{Alignment: align, ColorName: theme.ColorNamePlaceHolder, TextStyle: fyne.TextStyle{Monospace: mono}}})
}

func gap(h float32) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(1, h), layout.NewSpacer())
}
