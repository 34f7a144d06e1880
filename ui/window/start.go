package window

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/ui"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/desktop"
	"assay/ui/details"
	"assay/ui/doc"
	"assay/ui/tabs"
	"assay/ui/work"
)

// StartEvents holds the callbacks of a start page.
type StartEvents struct {
	OnOpen   func()
	OnFolder func()
	OnSample func(s ui.Sample)
	OnRecent func(path string)
	OnClear  func() // clears the recent files
	OnSteps  func() // explains the first steps
}

// Recent is a recently opened file.
type Recent struct {
	Name, Folder, Format string // display texts
	Missing              bool   // the file no longer exists
	Path                 string
	IsFolder             bool
}

// StartPage is the start page, which the window displays without tabs.
type StartPage struct {
	options   ui.Options
	events    StartEvents
	recent    []Recent
	folders   []Recent
	recentBox *fyne.Container // content that depends on the recent files
	content   fyne.CanvasObject
	width     float32 // width of the window
}

// NewStartPage returns the start page.
func NewStartPage(o ui.Options, keys *command.Keys, e StartEvents) *StartPage {
	p := &StartPage{options: o, events: e}
	icon := canvas.NewImageFromResource(fyne.NewStaticResource("icon.png", o.Icon))
	icon.FillMode = canvas.ImageFillContain
	icon.SetMinSize(fyne.NewSquareSize(56))
	title := widget.NewRichText(&widget.TextSegment{Text: "Assay",
		Style: widget.RichTextStyle{SizeName: theme.SizeNameHeadingText,
			Alignment: fyne.TextAlignCenter, ColorName: theme.ColorNameForeground}})
	about := widget.NewLabelWithStyle("Inspect game and simulation asset files: structure, bytes, and values.", fyne.TextAlignCenter, fyne.TextStyle{})
	open := control.NewButton(nil, "Open File…", theme.FolderOpenIcon(), e.OnOpen)
	open.Importance = widget.HighImportance
	folder := control.NewButton(nil, "Open Folder…", theme.FolderIcon(), e.OnFolder)
	steps := control.NewButton(nil, "First Steps", nil, e.OnSteps)
	p.recentBox = container.NewStack()
	hint := dim("Or drop files or a folder here   ·   "+keys.Text("file.open")+": Open   ·   "+
		keys.Text("help.shortcuts")+": Keyboard shortcuts",
		fyne.TextAlignCenter)
	page := container.NewScroll(container.NewCenter(container.NewVBox(
		container.NewCenter(container.NewHBox(icon, container.NewCenter(title))), about,
		container.NewCenter(container.NewHBox(open, folder, steps)), hint, p.recentBox)))
	p.content = container.New((*pageLayout)(p), page)
	p.SetRecent(nil)
	return p
}

// Content returns the canvas object of the page.
func (p *StartPage) Content() fyne.CanvasObject { return p.content }

// Recent returns the listed recent files.
func (p *StartPage) Recent() []Recent { return p.recent }

// SetRecent replaces the list of recent files.
func (p *StartPage) SetRecent(all []Recent) {
	p.recent, p.folders = nil, nil
	for _, r := range all {
		switch {
		case r.IsFolder && len(p.folders) < maxRecentFolders:
			p.folders = append(p.folders, r)
		case !r.IsFolder && len(p.recent) < maxRecentFiles:
			p.recent = append(p.recent, r)
		}
	}
	p.arrange()
}

// pageLayout arranges a StartPage for the available width.
type pageLayout StartPage

func (l *pageLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(size)
	if size.Width != l.width {
		l.width = size.Width
		(*StartPage)(l).arrange()
	}
}

func (l *pageLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// arrange puts the recent files beside the other content, or above it if the page is too narrow.
func (p *StartPage) arrange() {
	begin := p.introduction(fyne.TextAlignCenter)
	p.recentBox.Objects = []fyne.CanvasObject{begin}
	if len(p.recent)+len(p.folders) > 0 {
		list := p.list()
		side := container.NewHBox(layout.NewSpacer(), list, horizontalGap(36), p.introduction(fyne.TextAlignLeading),
			layout.NewSpacer())
		p.recentBox.Objects = []fyne.CanvasObject{side}
		if side.MinSize().Width > p.width {
			above := container.NewVBox(container.NewCenter(list), verticalGap(12), begin)
			p.recentBox.Objects = []fyne.CanvasObject{above}
		}
	}
	p.recentBox.Refresh()
}

// introduction returns the samples and the table of formats: centered on the page, or as a column beside the recent
// files.
func (p *StartPage) introduction(align fyne.TextAlign) fyne.CanvasObject {
	aligned := func(o fyne.CanvasObject) fyne.CanvasObject {
		if align == fyne.TextAlignCenter {
			return container.NewCenter(o)
		}
		return o
	}
	var rows []fyne.CanvasObject
	if len(p.options.Samples) > 0 {
		rows = append(rows, dim("Or try a sample:", align), aligned(samples(p.options.Samples, p.events.OnSample)))
	}
	if len(p.options.Kinds) > 0 {
		rows = append(rows, aligned(kinds(p.options.Kinds)))
	}
	return container.NewVBox(rows...)
}

// maxRecentFiles and maxRecentFolders are the maximum numbers of recent files and folders on the page, chosen so that
// the lists are as high as the column beside them.
const (
	maxRecentFiles   = 8
	maxRecentFolders = 4
)

// list returns the lists of recent files and folders.
func (p *StartPage) list() fyne.CanvasObject {
	clearAll := flat("Clear", nil, p.events.OnClear)
	var rows []fyne.CanvasObject
	for _, part := range []struct {
		title string
		all   []Recent
		icon  fyne.Resource
	}{{"Recent files", p.recent, theme.FileIcon()}, {"Recent folders", p.folders, theme.FolderIcon()}} {
		if len(part.all) == 0 {
			continue
		}
		title := container.NewHBox(dim(part.title, fyne.TextAlignLeading), layout.NewSpacer())
		if rows == nil {
			title.Add(clearAll)
		}
		rows = append(rows, title, p.grid(part.all, part.icon))
	}
	return container.NewVBox(rows...)
}

// grid returns a list of recent files or folders, one button for each.
func (p *StartPage) grid(all []Recent, icon fyne.Resource) fyne.CanvasObject {
	grid := container.New(layout.NewFormLayout())
	for _, r := range all {
		b := flat(r.Name, icon, func() { p.events.OnRecent(r.Path) })
		b.Alignment = widget.ButtonAlignLeading
		note := r.Format
		if r.IsFolder {
			note = ""
		}
		if r.Missing {
			b.Disable()
			note = "missing"
		}
		if note != "" {
			note += "   "
		}
		grid.Add(b)
		grid.Add(dim(note+Tail(r.Folder, maxFolderName), fyne.TextAlignLeading))
	}
	return grid
}

func flat(text string, icon fyne.Resource, do func()) *control.Button {
	b := control.NewButton(nil, text, icon, do)
	b.Importance = widget.LowImportance
	return b
}

// maxFolderName is the maximum length of a folder name, in characters.
const maxFolderName = 40

// Tail returns an ellipsis and the last maxLength characters of s, or all of s if it is not longer. The end of a folder
// path is the most specific part.
func Tail(s string, maxLength int) string {
	if r := []rune(s); len(r) > maxLength {
		return "…" + string(r[len(r)-maxLength:])
	}
	return s
}

// samples returns the list of the sample files.
func samples(all []ui.Sample, open func(ui.Sample)) fyne.CanvasObject {
	grid := container.New(layout.NewFormLayout())
	for _, s := range all {
		b := control.NewButton(nil, s.Name, theme.FileIcon(), func() { open(s) })
		b.Alignment = widget.ButtonAlignLeading
		grid.Add(b)
		grid.Add(widget.NewLabel(s.Title))
	}
	return grid
}

// kinds returns the table of the supported formats: names and extensions. Each column is one text, so that the page
// fits into a small window.
func kinds(all []ui.Kind) fyne.CanvasObject {
	var names, extensions []string
	for _, k := range all {
		names = append(names, k.Title)
		extensions = append(extensions, strings.Join(k.Extensions, "  "))
	}
	names = append(names, "other formats")
	extensions = append(extensions, "with a Kaitai Struct description (.ksy)")
	column := func(title string, lines []string) fyne.CanvasObject {
		return widget.NewRichText(
			&widget.TextSegment{Text: title, Style: widget.RichTextStyle{ColorName: theme.ColorNamePlaceHolder}},
			&widget.TextSegment{Text: strings.Join(lines, "\n")})
	}
	return container.NewHBox(column("Supported formats", names), column("Extensions", extensions))
}

// dim returns less prominent text.
func dim(text string, align fyne.TextAlign) fyne.CanvasObject {
	return widget.NewRichText(&widget.TextSegment{Text: text, Style: widget.RichTextStyle{Alignment: align,
		ColorName: theme.ColorNamePlaceHolder}})
}

func verticalGap(h float32) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(1, h), layout.NewSpacer())
}

func horizontalGap(w float32) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(w, 1), layout.NewSpacer())
}

// stepsTab explains the first steps with pictures.
type stepsTab struct{ content fyne.CanvasObject }

var _ Tab = (*stepsTab)(nil)

func (t *stepsTab) Title() string { return "First Steps" }

func (t *stepsTab) Hint() string { return "How to open, find, export, and compare" }

func (t *stepsTab) Content() fyne.CanvasObject { return t.content }

func (t *stepsTab) Status() (path, facts []tabs.Segment) { return nil, nil }

func (t *stepsTab) Focus() {}

func (t *stepsTab) Close() {}

// Size of the pictures, in device-independent pixels: they have 900 x 600 pixels.
const stepWidth, stepHeight = 720, 480

// showSteps opens the first steps.
func (w *Window) showSteps() {
	if t := w.tabs.find(func(t Tab) bool { _, ok := t.(*stepsTab); return ok }); t != nil {
		w.tabs.reveal(t)
		return
	}
	rows := container.NewVBox()
	light := w.prefs.mode().IsLight()
	for _, s := range w.options.Steps {
		title := widget.NewRichText(&widget.TextSegment{Text: s.Title, Style: widget.RichTextStyleSubHeading})
		text := widget.NewLabel(s.Text)
		text.Wrapping = fyne.TextWrapWord
		picture := canvas.NewImageFromResource(fyne.NewStaticResource(fmt.Sprint(s.Title, light, ".png"), s.Picture(light)))
		picture.FillMode = canvas.ImageFillContain
		picture.SetMinSize(fyne.NewSize(stepWidth, stepHeight))
		rows.Add(title)
		rows.Add(container.NewGridWrap(fyne.NewSize(stepWidth, 5*theme.TextSize()), text))
		frame := canvas.NewRectangle(color.Transparent)
		frame.StrokeColor, frame.StrokeWidth = theme.Color(theme.ColorNameSeparator), 1
		rows.Add(container.NewStack(picture, frame))
	}
	w.tabs.add(&stepsTab{container.NewScroll(container.NewPadded(container.NewCenter(rows)))}, nil)
}

// recents is the list of recent files for the menu and the start page.
type recents struct {
	w      *Window
	lane   *work.Lane
	memory *desktop.Memory // nil: recent files are not saved
	files  []Recent
}

// addFile adds a file to the list.
func (r *recents) addFile(path string, d *model.Document) {
	variant, _, _ := strings.Cut(d.Variant, ",") // without the explanation after the comma
	format := strings.TrimSpace(d.Format + " " + variant)
	r.change(func() error {
		return errors.Join(r.memory.AddRecent(path, format, time.Now()), desktop.AddRecent(path))
	})
}

// addFolder adds a folder to the list.
func (r *recents) addFolder(path string) {
	r.change(func() error { return r.memory.AddRecent(path, folderFormat, time.Now()) })
}

// folderFormat is the format of a recent folder.
const folderFormat = "folder"

func (r *recents) clear() { r.change(r.memory.ClearRecent) }

func (r *recents) change(do func() error) {
	if r.memory == nil {
		return
	}
	r.w.group.Write(func(context.Context) func() {
		err := do()
		return func() {
			r.w.cannotRemember(err)
			r.reload()
		}
	})
}

// reload reloads the list of recent files.
func (r *recents) reload() {
	if r.memory == nil {
		return
	}
	r.lane.Go(func(context.Context) func() {
		var all []Recent
		for _, f := range r.memory.Recent() {
			all = append(all, Recent{Name: model.FileName(f.Path),
				Folder: model.OneLine(shortFolder(filepath.Dir(f.Path)), 200),
				Format: model.OneLine(f.Format, 80), Missing: f.Missing(), Path: f.Path,
				IsFolder: f.Format == folderFormat})
		}
		return func() {
			if !slices.Equal(all, r.files) {
				r.files = all
				r.w.showRecents(all)
			}
		}
	})
}

// shortFolder abbreviates the user's home folder as ~.
func shortFolder(folder string) string {
	home, err := os.UserHomeDir()
	if err != nil || len(home) < 2 {
		return folder
	}
	if rest, ok := strings.CutPrefix(folder, home); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return folder
}

const (
	maxRecentItems = 15 // maximum number of files in the menu, which must fit on a small screen
	maxFolderLabel = 48 // maximum length of a folder name, in characters
)

func recentLabel(r Recent) string {
	label := r.Name
	if r.Missing {
		label += "   (missing)"
	} else if r.Format != "" {
		label += "   (" + r.Format + ")"
	}
	return label + "   " + Tail(r.Folder, maxFolderLabel)
}

// manualTab displays the format reference.
type manualTab struct{ *details.Manual }

var _ Tab = (*manualTab)(nil)

func (t *manualTab) Title() string { return "Format Reference" }

func (t *manualTab) Hint() string { return "Explains the fields of each format" }

func (t *manualTab) Status() (path, facts []tabs.Segment) { return nil, nil }

func (t *manualTab) Close() {}

// manual returns the tab with the format reference, and opens it if necessary.
func (w *Window) manual() *manualTab {
	t, ok := w.tabs.find(func(t Tab) bool { _, ok := t.(*manualTab); return ok }).(*manualTab)
	if ok {
		w.tabs.reveal(t)
		return t
	}
	var pages []*model.Page
	if w.options.Pages != nil {
		pages = w.options.Pages()
	}
	t = &manualTab{}
	t.Manual = details.NewManual(&tabHost{w, w, t}, w.style, pages)
	w.tabs.add(t, nil)
	return t
}

// showPage opens the format reference at the section about a field.
func (w *Window) showPage(m model.Meaning) { w.manual().Show(m) }

// canExplainField reports whether a field or the file as a whole is selected, and the format reference describes it.
func canExplainField(t Tab) bool {
	p := partOf[*doc.Pane](t)
	return p != nil && p.Selection().Node != nil && p.Meaning().Page != nil
}
