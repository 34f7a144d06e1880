package exporting

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model"
	"assay/model/export"
	"assay/model/folder"
	"assay/model/userdata"
	"assay/ui/ask"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// settings holds the options of an export and their widgets. They are saved between sessions.
type settings struct {
	p             *Panel
	preset        export.Preset // current settings; the name is unused
	template      export.Template
	rule          export.Rule
	templateError string // error of the name template

	folder        *control.Field
	names         *control.Field
	conflict      *control.Select
	presets       *control.Button // opens the menu of presets
	content       fyne.CanvasObject
	namesRow      fyne.CanvasObject // the row of the name template
	isSetting     bool              // the program is setting the widgets
	folderFocused bool              // the folder field is focused

	folderNote, namesNote *widget.Label // errors of the fields below them
	checkLane             *work.Lane
	checkedFolder         string // last folder that was checked, or is being checked

	suggested    suggestion // the latest suggestion for the export folder
	destinations []destination
}

// The settings of the last export, the visibility of the row with the name template, and the folders that the user
// chose for projects, the latest first.
const (
	namesRowShown = host.Setting[bool]("export.naming")
	lastSettings  = host.Setting[export.Preset]("export.settings")
	folders       = host.Setting[[]destination]("export.folders")
)

// conflicts lists the rules in the order of the drop-down list.
var conflicts = []struct {
	rule  export.Rule
	label string
}{
	{export.Number, "Add number"}, {export.Ask, "Ask"}, {export.Skip, "Skip"}, {export.Overwrite, "Overwrite"},
}

// keepNamesHint is displayed in an empty field of a name template.
const keepNamesHint = "Keep folder structure"

func newSettings(p *Panel) *settings {
	s := &settings{p: p, folderNote: newNote(), namesNote: newNote(), checkLane: p.group.Lane()}
	s.folder, s.names = control.NewField(p, "Export folder"), control.NewField(p, keepNamesHint)
	var labels []string
	for _, c := range conflicts {
		labels = append(labels, c.label)
	}
	s.conflict = control.NewSelect(p.Key, labels, nil)
	s.conflict.PlaceHolder = "Overwrite" // the longest choice
	choose := control.NewIcon(p, theme.FolderOpenIcon(), "Choose export folder",
		func() { s.askFolder(nil) })
	fold := control.NewIcon(p, theme.SettingsIcon(), "Show or hide the names of the files", s.toggleNames)
	templates := control.NewIcon(p, theme.MenuDropDownIcon(), "Choose a name template", nil)
	templates.OnTapped = func() { s.menuBelow(templates, s.templateItems()) }
	s.presets = control.NewButton(p.Key, "Presets", theme.MenuDropDownIcon(), nil)
	s.presets.IconPlacement = widget.ButtonIconTrailingText
	s.presets.OnTapped = func() { s.menuBelow(s.presets, s.presetItems()) }
	label := func(text string) fyne.CanvasObject {
		l := widget.NewLabel(text)
		l.Importance = widget.LowImportance
		return container.New(paint.MinWidth(minLabelWidth), l)
	}
	toLabel := widget.NewLabel("To") // paths are long, so this field has no wide label
	toLabel.Importance = widget.LowImportance
	s.namesRow = container.NewBorder(nil, nil, label("Names"), templates, s.names)
	s.content = container.NewVBox(s.folderNote, // above its field, so that the field does not move
		container.NewBorder(nil, nil, toLabel, container.NewHBox(choose, fold), s.folder),
		container.NewBorder(nil, nil, label("Existing"), s.presets, s.conflict), s.namesNote, s.namesRow)
	s.load()
	hasTemplate := s.preset.Names != "" && s.preset.Names != export.Keep
	namesRowShown.Load(&hasTemplate)
	paint.SetVisible(s.namesRow, hasTemplate || s.templateError != "")
	s.folder.OnFocus = func(focused bool) { s.folderFocused = focused }
	s.folder.OnChanged = func(string) { s.applyEdit() }
	s.names.OnChanged = func(string) { s.applyEdit() }
	s.conflict.OnChanged = func(string) { s.applyEdit() }
	for _, f := range []*control.Field{s.folder, s.names} {
		f.OnKey = func(k *fyne.KeyEvent, _ bool) bool {
			if k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter {
				p.Export()
				return true
			}
			return false
		}
	}
	return s
}

// newNote returns a label for the error of a field.
func newNote() *widget.Label {
	l := widget.NewLabel("")
	l.Wrapping, l.Importance = fyne.TextWrapWord, widget.DangerImportance
	l.Hide()
	return l
}

// showError displays the error of a field, or nothing.
func (s *settings) showError(l *widget.Label, text string) {
	if text = host.SentenceOf(text); text != l.Text {
		l.SetText(text)
		paint.SetVisible(l, text != "")
		s.content.Refresh()
	}
}

// toggleNames shows or hides the row of the name template.
func (s *settings) toggleNames() {
	paint.SetVisible(s.namesRow, !s.namesRow.Visible())
	namesRowShown.Save(s.namesRow.Visible())
	s.content.Refresh()
}

// minLabelWidth is the minimum width of a label, in device-independent pixels.
const minLabelWidth = 60

// load displays the settings of the last session.
func (s *settings) load() {
	lastSettings.Load(&s.preset)
	s.preset.Folder = "" // saved for each project
	folders.Load(&s.destinations)
	s.setPreset(s.preset)
}

// setPreset sets the settings and their widgets. An empty folder keeps the current one.
func (s *settings) setPreset(preset export.Preset) {
	if preset.Folder == "" {
		preset.Folder = s.preset.Folder
	}
	s.preset = preset
	s.isSetting = true
	s.folder.SetText(preset.Folder)
	s.folder.ShowEnd()
	s.names.SetText(preset.Names)
	rule, err := export.ParseRule(preset.Conflict)
	if err != nil {
		rule = export.Number
	}
	for i, c := range conflicts {
		if c.rule == rule {
			s.conflict.SetSelectedIndex(i)
		}
	}
	s.isSetting = false
	s.readWidgets()
}

// readWidgets reads the settings from the widgets, and displays their errors.
func (s *settings) readWidgets() {
	s.rule = export.Number
	if i := s.conflict.SelectedIndex(); i >= 0 {
		s.rule = conflicts[i].rule
	}
	s.preset.Folder, s.preset.Names, s.preset.Conflict = ask.ExpandHome(s.folder.Text), s.names.Text, s.rule.String()
	s.templateError = ""
	if t, err := export.ParseTemplate(s.names.Text); err != nil {
		s.templateError = err.Error()
		s.namesRow.Show()
	} else {
		s.template = t
	}
	s.showError(s.namesNote, s.templateError)
	s.showPreferred()
	if s.preset.Folder != s.checkedFolder {
		s.checkFolderLater()
	}
}

// showPreferred displays the preferred export format on the button of the presets.
func (s *settings) showPreferred() {
	text := "Presets"
	if s.preset.Prefer != "" {
		text = export.FormTitle(s.preset.Prefer)
	}
	for _, standard := range export.StandardPresets() {
		if standard.Prefer == s.preset.Prefer {
			text = standard.Name
		}
	}
	s.presets.SetText(text)
}

// checkFolderLater checks the export folder in the background and displays its error.
func (s *settings) checkFolderLater() {
	folder := s.preset.Folder
	s.checkedFolder = folder
	s.showError(s.folderNote, "")
	s.checkLane.Go(func(ctx context.Context) func() {
		if folder == "" || !s.p.group.Pause(ctx, planDelay) {
			return nil
		}
		err := folderError(folder)
		return func() {
			if err != nil && folder == s.suggested.folder {
				s.useDownloads()
				return
			}
			s.showFolderError(err)
		}
	})
}

// folderError returns the reason why files cannot be exported to a folder, or nil.
func folderError(folder string) error {
	if !filepath.IsAbs(folder) {
		return errors.New("type the whole path of the folder, or choose it")
	}
	return export.CheckFolder(folder)
}

// showFolderError displays the error of the export folder, or nothing.
func (s *settings) showFolderError(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	s.showError(s.folderNote, text)
}

// validate reports whether the settings allow an export. If not, it focuses the invalid field.
func (s *settings) validate() bool {
	field := s.folder
	switch folder := s.preset.Folder; {
	case s.templateError != "":
		field = s.names
	case folder == "":
		s.showFolderError(errors.New("choose an export folder first"))
	case !filepath.IsAbs(folder):
		s.showFolderError(folderError(folder))
	default:
		return true
	}
	s.p.ShowExport()
	s.p.reportView.showListTab()
	s.p.window.Canvas().Focus(field)
	return false
}

// applyEdit applies an edit of the user.
func (s *settings) applyEdit() {
	if s.isSetting {
		return
	}
	s.readWidgets()
	s.save()
	s.p.replan()
}

func (s *settings) save() {
	s.saveDestination()
	preset := s.preset
	preset.Folder = "" // saved for each project
	lastSettings.Save(preset)
}

// setForm sets the export format of all assets of a type; "" is the default.
func (s *settings) setForm(kind, form string) {
	forms := map[string]string{} // a copy, because a job may use the other map
	maps.Copy(forms, s.preset.Forms)
	if forms[kind] = form; form == "" {
		delete(forms, kind)
	}
	s.preset.Forms = forms
	s.save()
}

// askFolder asks for the folder, and calls done if the user chooses one.
func (s *settings) askFolder(done func()) {
	s.p.ask.Folder("Choose the export folder", s.folder.Text, func(path string) {
		s.folder.SetText(path)
		s.folder.ShowEnd()
		if done != nil {
			done()
		}
	})
}

// Defaults adds controls for the initial settings of exports, each with its label.
func (p *Panel) Defaults(add func(label string, control fyne.CanvasObject)) {
	s := p.settings
	labels, forms := []string{"Default format of each type"}, []string{""}
	for _, preset := range export.StandardPresets() {
		labels, forms = append(labels, preset.Name), append(forms, preset.Prefer)
	}
	form := control.NewSelect(p.Key, labels, nil)
	form.SetSelectedIndex(slices.Index(forms, s.preset.Prefer))
	form.OnChanged = func(string) { s.setPreferred(forms[form.SelectedIndex()]) }
	add("Formats", form)
	names := control.NewField(p, keepNamesHint)
	names.SetText(s.names.Text)
	names.OnChanged = s.names.SetText
	add("Names", container.NewGridWrap(fyne.NewSize(templateFieldWidth*theme.TextSize(), names.MinSize().Height), names))
	existing := control.NewSelect(p.Key, s.conflict.Options, s.conflict.SetSelected)
	existing.Selected = s.conflict.Selected
	add("Existing files", existing)
	n := len(s.destinations)
	forget := control.NewButton(p.Key, "Forget", nil, nil)
	forget.OnTapped = func() {
		s.destinations = nil
		fyne.CurrentApp().Preferences().RemoveValue(string(folders))
		forget.Disable()
	}
	paint.SetEnabled(forget, n > 0)
	add("Folders of "+host.Count(n, "project"), forget)
}

// templateFieldWidth is the width of the field of a name template in the settings, in multiples of the text size.
const templateFieldWidth = 26

// setPreferred sets the export format of all assets that support it; "" means the default of each type.
func (s *settings) setPreferred(form string) {
	if s.preset.Prefer = form; form != "" {
		s.preset.Forms = nil
	}
	s.showPreferred()
	s.save()
	s.p.changed()
}

// destination is the folder that the user chose for the exports of a project.
type destination struct {
	Project string `json:"project"` // path of a folder
	Folder  string `json:"folder"`
}

// maxDestinations is the maximum number of projects with a saved export folder.
const maxDestinations = 100

// suggestion is a suggested export folder. The zero suggestion belongs to no document.
type suggestion struct {
	project string // the folder for which the user's choice is saved; empty for a document without a file
	folder  string // the default export folder
}

// suggestionFor returns the suggestion for documents: for one, beside its file, and for several, in the folder that
// contains their files.
func suggestionFor(all ...*model.Document) suggestion {
	if len(all) == 0 {
		return suggestion{}
	}
	onDisk := slices.DeleteFunc(slices.Clone(all), func(d *model.Document) bool { return d.Source.Path() == "" })
	if len(onDisk) == 0 {
		return suggestion{"", exportFolder(downloads(), all[0].Source.Stem())}
	}
	first := onDisk[0].Source
	parent := filepath.Dir(first.Path())
	if len(onDisk) == 1 {
		return suggestion{cmp.Or(first.Resources(), parent), exportFolder(parent, first.Stem())}
	}
	for _, d := range onDisk {
		for !folder.Contains(parent, d.Source.Path()) && parent != filepath.Dir(parent) {
			parent = filepath.Dir(parent)
		}
	}
	return suggestionForFolder(parent)
}

// downloads returns the user's folder for downloads, or the home folder.
func downloads() string {
	if folder := userdata.Downloads(); model.IsFolder(folder) {
		return folder
	}
	return userdata.Home()
}

// suggestionForFolder returns the suggestion for the files below a folder.
func suggestionForFolder(path string) suggestion {
	return suggestion{path, exportFolder(path, strings.Trim(filepath.Base(path), string(filepath.Separator)))}
}

// exportFolder returns the export folder for a file or a folder with a name.
func exportFolder(parent, name string) string {
	return filepath.Join(parent, export.SafeName(name+folder.ExportSuffix))
}

// suggestFolder displays the export folder of a suggestion: the one that the user chose for its project, else the
// default. For the zero suggestion it clears a suggested folder. It does not change a folder that the user is typing.
func (s *settings) suggestFolder(next suggestion) {
	if s.folderFocused {
		return
	}
	if next == (suggestion{}) {
		if s.suggested != next {
			s.suggested, s.preset.Folder = next, ""
			s.setPreset(s.preset)
		}
		return
	}
	if next == s.suggested && s.preset.Folder != "" {
		return
	}
	chosenBefore := s.suggested == (suggestion{}) && s.preset.Folder != "" // chosen before the first document
	s.suggested = next
	if chosenBefore {
		s.saveDestination()
		return
	}
	preset := s.preset
	preset.Folder = next.folder
	for _, chosen := range s.destinations {
		if chosen.Project == next.project {
			preset.Folder = chosen.Folder
			break
		}
	}
	s.setPreset(preset)
}

// useDownloads replaces a default folder that cannot be written, such as one below an installed game, by a folder in
// the user's downloads.
func (s *settings) useDownloads() {
	preset := s.preset
	preset.Folder = filepath.Join(downloads(), filepath.Base(preset.Folder))
	s.setPreset(preset)
	s.p.replan()
}

// saveDestination saves the folder that the user chose for the project of the current suggestion, unless it is the
// default.
func (s *settings) saveDestination() {
	if s.suggested == (suggestion{}) {
		return
	}
	project := s.suggested.project
	s.destinations = slices.DeleteFunc(s.destinations, func(d destination) bool { return d.Project == project })
	if f := s.preset.Folder; f != "" && f != s.suggested.folder {
		s.destinations = slices.Insert(s.destinations, 0, destination{project, f})
	}
	s.destinations = s.destinations[:min(len(s.destinations), maxDestinations)]
	folders.Save(s.destinations)
}
