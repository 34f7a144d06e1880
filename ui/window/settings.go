package window

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/opening"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/tabs"
	"assay/ui/viewport"
)

// settingsTab displays the settings of the program, on several pages.
type settingsTab struct {
	tabHost
	row       *tabs.Tabs
	page      *fyne.Container
	content   fyne.CanvasObject
	shortcuts *shortcutList
}

var _ Tab = (*settingsTab)(nil)

var settingsPages = []tabs.Tab{{Title: "General"}, {Title: "Layout"}, {Title: "Export"}, {Title: "Folders"},
	{Title: "Shortcuts"}}

func (t *settingsTab) build(page int) fyne.CanvasObject {
	return []func() fyne.CanvasObject{t.general, t.layout, t.export, t.folders, t.keys}[page]()
}

func (w *Window) showSettings(page int) {
	t, ok := w.tabs.find(func(t Tab) bool { _, ok := t.(*settingsTab); return ok }).(*settingsTab)
	if !ok {
		t = &settingsTab{row: tabs.New(w.style), page: container.NewStack()}
		t.tabHost = tabHost{w, w, t}
		t.shortcuts = newShortcutList(t)
		t.row.SetTabs(settingsPages)
		t.row.OnSelect = t.show
		t.content = container.NewBorder(t.row, nil, nil, nil, t.page)
		w.tabs.add(t, nil)
	}
	w.tabs.reveal(t)
	t.show(page)
}

func (t *settingsTab) show(page int) {
	t.row.SetSelected(page)
	t.page.Objects = []fyne.CanvasObject{t.build(page)}
	t.page.Refresh()
	t.Focus()
}

// showCurrent displays the current page again, with the current settings.
func (t *settingsTab) showCurrent() { t.show(t.row.Selected()) }

func (t *settingsTab) Title() string { return "Settings" }

func (t *settingsTab) Hint() string { return "Appearance, layout, export, folders, and shortcuts" }

func (t *settingsTab) Content() fyne.CanvasObject { return t.content }

func (t *settingsTab) Status() (path, facts []tabs.Segment) { return nil, nil }

func (t *settingsTab) Close() {}

// Focus focuses the search field of the shortcuts, if they are displayed.
func (t *settingsTab) Focus() {
	if t.row.Selected() == len(settingsPages)-1 {
		t.shortcuts.search.Focus(t.page)
	}
}

// settingsForm is a page of settings: headings, and labels with controls.
type settingsForm struct{ rows []fyne.CanvasObject }

func (f *settingsForm) heading(text string) {
	f.rows = append(f.rows, widget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Bold: true}))
}

// labelWidth is the minimum width of the labels and lists of a form, in multiples of the text size.
const labelWidth = 15

// add adds a control with a label.
func (f *settingsForm) add(label string, object fyne.CanvasObject) {
	l := widget.NewLabel(label)
	l.Importance = widget.LowImportance
	sized := paint.StackMinSize(func(minSize fyne.Size) fyne.Size {
		return fyne.NewSize(max(minSize.Width, labelWidth*theme.TextSize()), minSize.Height)
	})
	if list, ok := object.(*control.Select); ok {
		object = container.New(sized, list)
	}
	f.rows = append(f.rows, container.NewBorder(nil, nil, container.New(sized, l), nil,
		container.NewHBox(object, layout.NewSpacer())))
}

// text adds an explanation below the last control.
func (f *settingsForm) text(text string) {
	l := widget.NewLabel(text)
	l.Importance, l.Wrapping = widget.LowImportance, fyne.TextWrapWord
	f.rows = append(f.rows, l)
}

// content returns the page.
func (f *settingsForm) content() fyne.CanvasObject {
	return container.NewVScroll(container.NewPadded(container.NewVBox(f.rows...)))
}

// choice returns a drop-down list of values with labels, and calls set with the value that the user chooses.
func choice[V comparable](keys control.Keys, current V, set func(v V), values []V, labels []string) *control.Select {
	s := control.NewSelect(keys, labels, nil)
	s.SetSelectedIndex(slices.Index(values, current))
	s.OnChanged = func(string) { set(values[s.SelectedIndex()]) }
	return s
}

// newSwitch returns a switch.
func newSwitch(keys control.Keys, label string, on bool, set func(on bool)) *control.Check {
	c := control.NewCheck(keys, label, nil)
	c.Checked, c.OnChanged = on, set
	return c
}

// separators are the choices for the separator of thousands.
var separators = []string{",", "\u00a0", "’", ""}

func (t *settingsTab) general() fyne.CanvasObject {
	w, f := t.w, &settingsForm{}
	f.heading("Appearance")
	f.add("Theme", choice(w.Key, w.prefs.mode(), w.setMode, []paint.Mode{paint.System, paint.Light, paint.Dark},
		[]string{"Follow System", "Light", "Dark"}))
	var sizes []float32
	var labels []string
	for s := float32(paint.SmallestText); s <= paint.LargestText; s++ {
		sizes, labels = append(sizes, s), append(labels, fmt.Sprint(s))
	}
	f.add("Text size", choice(w.Key, w.prefs.textSize(), func(s float32) {
		w.prefs.setTextSize(s)
		w.applyLook()
		t.showCurrent()
	}, sizes, labels))
	f.add("Numbers", choice(w.Key, w.prefs.separator(), func(s string) {
		w.prefs.setSeparator(s)
		w.renumber()
	}, separators, []string{"1,234,567", "1 234 567", "1’234’567", "1234567"}))
	f.heading("Start")
	f.add("Tabs", newSwitch(w.Key, "Reopen tabs on startup", w.prefs.reopens(), func(bool) { w.toggleReopening() }))
	f.heading("Default app")
	var extensions []string
	for _, k := range w.options.Kinds {
		extensions = append(extensions, k.Extensions...)
	}
	f.add("Open with Assay", control.NewButton(w.Key, "Set as Default App", nil, w.setDefault))
	f.text("From then on, the file manager opens these files with Assay: " + strings.Join(extensions, " "))
	f.heading("Reset")
	f.add("Everything on these pages", control.NewButton(w.Key, "Reset All Settings…", nil, t.resetAll))
	return f.content()
}

// viewKinds lists the kinds of views whose files can open with a large preview.
var viewKinds = []struct {
	kind  model.ViewKind
	label string
}{{model.SceneView, "Scenes"}, {model.PictureView, "Images and fonts"}, {model.SoundView, "Sounds"},
	{model.TextView, "Text"}, {model.OverviewView, "Packages (overview)"}, {model.SheetView, "Collections of images"}}

func (t *settingsTab) layout() fyne.CanvasObject {
	w, f := t.w, &settingsForm{}
	f.heading("Open with a large preview above the bytes")
	for _, v := range viewKinds {
		f.add("", newSwitch(w.Key, v.label, w.prefs.enlarges(v.kind), func(on bool) { w.prefs.setEnlarges(v.kind, on) }))
	}
	f.text(w.Keys().Text("view.large-preview") + " moves the preview to the side and back.")
	f.heading("Bytes and scenes")
	columns, background := 0, viewport.Backgrounds[0]
	doc.BytesPerRow.Load(&columns)
	f.add("Bytes per row", choice(w.Key, columns, func(n int) {
		doc.BytesPerRow.Save(n)
		for _, open := range w.tabs.all {
			if p := partOf[*doc.Pane](open); p != nil {
				p.SetBytesPerRow(n)
			}
		}
	}, bytesPerRow, bytesPerRowLabels()))
	viewport.Background.Load(&background)
	f.add("Background of scenes", choice(w.Key, background, func(name string) {
		viewport.Background.Save(name)
		for _, open := range w.tabs.all {
			if p := partOf[*preview.Preview](open); p != nil {
				p.Viewport().SetBackground(name)
			}
		}
	}, viewport.Backgrounds, viewport.Backgrounds))
	f.text("The up axis and the pose of scenes are remembered for each project when you choose them.")
	f.heading("Folders")
	f.add("", newSwitch(w.Key, "List files of unknown formats", w.prefs.listsOthers(), w.prefs.setListsOthers))
	f.heading("Panels and columns")
	f.add("Sizes of panels", control.NewButton(w.Key, "Reset", nil, func() {
		w.prefs.forget("document.layout")
		for _, open := range w.tabs.all {
			if p := partOf[*doc.Pane](open); p != nil {
				p.SetLayout(doc.DefaultLayout)
			}
		}
		t.ShowHint("The panels have their default sizes.")
	}))
	f.add("Columns of lists", control.NewButton(w.Key, "Reset", nil, func() {
		w.prefs.forget("tree.columns.", "lists.")
		t.ShowHint("Lists have their default columns from the next time that they are opened.")
	}))
	return f.content()
}

func (t *settingsTab) export() fyne.CanvasObject {
	f := &settingsForm{}
	f.heading("Exports begin with")
	t.w.exporting.Defaults(f.add)
	return f.content()
}

func (t *settingsTab) folders() fyne.CanvasObject {
	w, f := t.w, &settingsForm{}
	folderRow := func(text, remove string, do func()) {
		l := control.NewCaption(w.ShowHint)
		l.Text = text
		f.rows = append(f.rows, container.NewBorder(nil, nil, nil, control.NewButton(w.Key, remove, nil, func() {
			do()
			t.showCurrent()
		}), l))
	}
	f.heading("Resource folders of projects")
	n := 0
	opening.Resources.Each(func(project, folder string) {
		n++
		folderRow(project+"  →  "+folder, "Forget", func() {
			opening.Resources.Forget(project)
			w.rereadResources()
		})
	})
	if n == 0 {
		f.text("None. A scene that misses files offers to choose a folder for its project.")
	}
	if w.supportsDescriptionFolders(nil) {
		f.heading("Folders of descriptions (" + w.options.Descriptions.Title + ")")
		for _, folder := range w.options.DescriptionFolders.All()[1:] {
			folderRow(folder, "Remove", func() { w.removeDescriptions(folder, t.showCurrent) })
		}
		f.add("Own folder", widget.NewLabel(w.options.DescriptionFolders.All()[0]))
		f.add("", control.NewButton(w.Key, "Add Folder…", nil, func() { w.askDescriptions(t.showCurrent) }))
	}
	return f.content()
}

func (t *settingsTab) keys() fyne.CanvasObject { return t.shortcuts.content }

// renumber displays all tabs with the current separator of thousands. Panes format numbers when a document is set, so
// open files are reloaded.
func (w *Window) renumber() {
	w.applyLook()
	for _, t := range w.tabs.all {
		switch t := t.(type) {
		case *docTab:
			t.reload()
		case *folderTab:
			t.ResourcesChanged()
		case changeList:
			t.Reload()
		}
	}
	w.Changed()
}

// resetAll resets all settings after a confirmation.
func (t *settingsTab) resetAll() {
	w := t.w
	w.ask.Confirm("Reset all settings?", "Appearance, layout, columns, export settings, resource folders, and shortcuts "+
		"get their defaults. Notes, assigned materials, recent files, and description folders stay.",
		"Reset", "Keep", func() {
			w.prefs.forget("")
			model.SetSeparator(w.prefs.separator())
			w.renumber()
			t.shortcuts.resetAll()
			t.showCurrent()
			w.Notify(host.Notice{ID: "reset", Text: "All settings have their defaults."})
		})
}

// preferences holds the settings that the window saves between sessions.
type preferences struct{ fyne.Preferences }

// The first window is large enough for three columns, and fits on a small screen.
const (
	defaultWidth  = 1360
	defaultHeight = 830
	minWidth      = 480
	minHeight     = 320
	// No screen is larger than 8K, and displays refuse windows of invalid sizes.
	maxWidth  = 7680
	maxHeight = 4320
)

func (p preferences) size() fyne.Size {
	w, h := p.FloatWithFallback("window.width", defaultWidth), p.FloatWithFallback("window.height", defaultHeight)
	return fyne.NewSize(float32(min(max(w, minWidth), maxWidth)), float32(min(max(h, minHeight), maxHeight)))
}

// setSize saves the width and the height in one step. The toolkit writes the first change at once but later ones after
// a delay, which is too late if the display ended.
func (p preferences) setSize(s fyne.Size) {
	width, height := float64(s.Width), float64(s.Height)
	if writer, ok := p.Preferences.(interface{ WriteValues(func(map[string]any)) }); ok {
		writer.WriteValues(func(values map[string]any) { values["window.width"], values["window.height"] = width, height })
		return
	}
	p.SetFloat("window.width", width)
	p.SetFloat("window.height", height)
}

func (p preferences) mode() paint.Mode {
	switch m := paint.Mode(p.String("look.mode")); m {
	case paint.Light, paint.Dark:
		return m
	}
	return paint.System
}

func (p preferences) setMode(m paint.Mode) { p.SetString("look.mode", string(m)) }

func (p preferences) textSize() float32 {
	size := p.FloatWithFallback("look.text", paint.DefaultTextSize)
	return float32(min(max(size, paint.SmallestText), paint.LargestText))
}

func (p preferences) setTextSize(s float32) { p.SetFloat("look.text", float64(s)) }

// layout returns the saved layout of a document tab, or nil.
func (p preferences) layout() *doc.Layout {
	var l *doc.Layout
	layoutSetting.Load(&l)
	return l
}

// layoutSetting is the layout of document tabs.
const layoutSetting = host.Setting[*doc.Layout]("document.layout")

func (p preferences) setLayout(l doc.Layout) { layoutSetting.Save(&l) }

// enlargedKey returns the key of the setting whether views of a kind are enlarged.
func enlargedKey(k model.ViewKind) string { return fmt.Sprintf("preview.large.%d", k) }

// enlarges reports whether the preview of a file is enlarged if its first view is of kind k. The default is true for
// scenes, images and sounds.
func (p preferences) enlarges(k model.ViewKind) bool {
	return p.BoolWithFallback(enlargedKey(k), k == model.SceneView || k == model.PictureView || k == model.SoundView)
}

func (p preferences) setEnlarges(k model.ViewKind, large bool) {
	if large != p.enlarges(k) {
		p.SetBool(enlargedKey(k), large)
	}
}

// separator returns the separator of thousands.
func (p preferences) separator() string { return p.StringWithFallback("look.separator", ",") }

func (p preferences) setSeparator(s string) {
	p.SetString("look.separator", s)
	model.SetSeparator(s)
}

// forget removes the settings whose keys begin with one of the prefixes. The size of the window stays.
func (p preferences) forget(prefixes ...string) {
	writer, ok := p.Preferences.(interface{ WriteValues(func(map[string]any)) })
	if !ok {
		return
	}
	writer.WriteValues(func(values map[string]any) {
		maps.DeleteFunc(values, func(key string, _ any) bool {
			return !strings.HasPrefix(key, "window.") && slices.ContainsFunc(prefixes,
				func(prefix string) bool { return strings.HasPrefix(key, prefix) })
		})
	})
}

// reopens reports whether the tabs of the last session are restored.
func (p preferences) reopens() bool     { return p.BoolWithFallback("open.tabs", true) }
func (p preferences) setReopens(b bool) { p.SetBool("open.tabs", b) }

// listsOthers reports whether folders also list files of unknown formats.
func (p preferences) listsOthers() bool     { return p.BoolWithFallback("folder.others", true) }
func (p preferences) setListsOthers(b bool) { p.SetBool("folder.others", b) }

func (p preferences) folder() string     { return p.String("open.folder") }
func (p preferences) setFolder(f string) { p.SetString("open.folder", f) }
