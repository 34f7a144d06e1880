package exporting

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
	"assay/ui/control"
	"assay/ui/host"
	"assay/ui/rows"
)

// No label of the settings overlaps the field beside it.
func TestLabelsOfTheSettingsFit(t *testing.T) {
	r := newRig(t)
	r.settings.toggleNames()
	r.content.Resize(fyne.NewSize(300, 900))
	n := 0
	for _, o := range test.LaidOutObjects(r.settings.content) {
		if l, ok := o.(*widget.Label); ok && l.Visible() {
			n++
			text := fyne.MeasureText(l.Text, theme.TextSize(), l.TextStyle).Width
			assert.LessOrEqual(t, text+theme.InnerPadding(), l.Size().Width, l.Text)
		}
	}
	assert.Equal(t, 3, n)
}

func TestTemplateNamesTheFiles(t *testing.T) {
	r, d := newRig(t), sample()
	r.AddAll(d)
	r.settings.names.SetText("{type}-{index}{ext}")
	assert.Equal(t, []string{"Text-1.txt", "Text-2.txt", "Mesh-3.mesh", "Text-4.txt"}, r.targets())
	r.settings.names.SetText("{nothing}")
	assert.True(t, r.footer.button.Disabled())
	r.Export()
	assert.NoDirExists(t, r.folder)
	items := r.settings.templateItems()
	items[1].Action()
	assert.Equal(t, []string{"a.txt", "b.txt", "m.mesh", "up.txt"}, r.targets())
	assert.True(t, r.settings.templateItems()[1].Checked)
}

func TestFormsByRowAndByType(t *testing.T) {
	r, d := newRig(t), document("made.bin", asset{name: "a.mesh", kind: "Mesh", content: "a"},
		asset{name: "b.mesh", kind: "Mesh", content: "b"}, asset{name: "c.txt", kind: "Text", content: "c"})
	r.AddAll(d)
	r.list.rows.OnMenu(0, fyne.Position{})
	r.choose("Export All of Type Mesh As", "upper")
	assert.Equal(t, []string{"a.up", "b.up", "c.txt"}, r.targets())
	press := func(row int64) {
		require.Equal(t, rows.Handled, r.list.press(rows.Pointer{Row: row, Column: formColumn,
			Button: desktop.MouseButtonPrimary, Scale: 1}))
	}
	press(1)
	assert.Equal(t, []string{"Original", "upper (default)"}, []string{r.popped.Items[0].Label, r.popped.Items[1].Label})
	assert.True(t, r.popped.Items[1].Checked)
	kind := r.popped.Items[3]
	assert.Equal(t, "All of Type Mesh", kind.Label)
	assert.Equal(t, "Original (default)", kind.ChildMenu.Items[0].Label, "of the type")
	assert.True(t, kind.ChildMenu.Items[1].Checked)
	r.choose("Original")
	assert.Equal(t, []string{"a.up", "b.mesh", "c.txt"}, r.targets())
	press(2)
	assert.Equal(t, "Original (default)", r.popped.Items[0].Label)
	assert.Len(t, r.popped.Items, 3, "text has its own bytes only")
	assert.Equal(t, rows.Pass, r.list.press(rows.Pointer{Row: 1, Column: fileColumn,
		Button: desktop.MouseButtonPrimary}))
	r.Export()
	assert.Equal(t, []string{"a.up=A", "b.mesh=b", "c.txt=c"}, r.written())
}

func TestNarrowPanelCutsNoText(t *testing.T) {
	r := newRig(t)
	r.AddAll(sample())
	width := r.content.MinSize().Width
	assert.LessOrEqual(t, width, float32(300), "what the window gives it at first")
	r.window.Resize(fyne.NewSize(width, 600))
	r.showQuestion(question{"All of that.", []string{"Export Anyway", "Stop"}, false}, func(answer) {})
	assert.Equal(t, width, r.content.MinSize().Width, "a question widens nothing")
	r.showQuestion(existsQuestion(export.Item{Target: "dir/a.txt", Size: 1}, r.folder), func(answer) {})
	r.settings.names.SetText("{nothing of that name}")
	r.window.Canvas().Capture()
	assert.Equal(t, width, r.content.MinSize().Width, "a question widens nothing")
	for _, o := range test.LaidOutObjects(r.content) {
		if l, ok := o.(*widget.Label); ok && l.Visible() {
			assert.Equal(t, fyne.TextTruncateOff, l.Truncation, l.Text)
		}
	}
	note := r.settings.namesNote
	assert.Contains(t, note.Text, "{nothing of that name}")
	assert.GreaterOrEqual(t, note.Size().Height, note.MinSize().Height, "all of its lines")
}

func TestSettingsAndPresetsAreSaved(t *testing.T) {
	r := newRig(t)
	r.settings.names.SetText("{key}{ext}")
	r.settings.conflict.SetSelectedIndex(2)
	r.settings.setForm("Mesh", "upper")
	saved, err := export.LoadPresets(r.presetFile)
	require.NoError(t, err)
	preset := r.settings.preset
	preset.Name = "it's mine"
	r.settings.savePreset(saved, preset)
	assert.Contains(t, r.notices[0], `--preset 'it'\''s mine'`)
	again := newSettings(r.Panel)
	assert.Equal(t, "{key}{ext}", again.names.Text)
	assert.Equal(t, export.Skip, again.rule)
	assert.Empty(t, again.folder.Text, "the folder follows the file")

	r.settings.setPreset(export.Preset{})
	assert.Empty(t, r.settings.preset.Forms)
	r.settings.presetItems()[5].Action()
	assert.Equal(t, "{key}{ext}", r.settings.names.Text)
	assert.Equal(t, map[string]string{"Mesh": "upper"}, r.settings.preset.Forms)
	r.AddAll(sample())
	assert.Equal(t, []string{"key0.txt", "key1.txt", "key2.up", "key3.txt"}, r.targets())
	items := r.settings.presetItems()
	items[len(items)-1].ChildMenu.Items[0].Action()
	assert.Len(t, r.settings.presetItems(), 6, "only those of the program are left")
	require.NoError(t, os.WriteFile(r.presetFile, []byte("nonsense"), 0o600))
	r.settings.presetItems()
	assert.Contains(t, r.notices[len(r.notices)-1], "presets.json cannot be read")
}

func TestThePresetOfTheProgramNamesTheButton(t *testing.T) {
	r := newRig(t)
	for i, preset := range export.StandardPresets() {
		r.settings.presetItems()[i].Action()
		assert.Equal(t, preset.Name, r.settings.presets.Text)
	}
	r.settings.setPreferred("")
	assert.Equal(t, "Presets", r.settings.presets.Text)
	r.settings.setPreferred("obj")
	assert.Equal(t, "Wavefront OBJ", r.settings.presets.Text)
}

func TestFolderMustBeChosen(t *testing.T) {
	r := newRig(t)
	r.AddAll(sample())
	r.settings.folder.SetText("")
	r.Export()
	note := r.settings.folderNote
	assert.Equal(t, "Choose an export folder first.", note.Text)
	assert.Equal(t, fyne.Focusable(r.settings.folder), r.window.Canvas().Focused())
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home) // on Windows
	r.settings.folder.SetText("~/out")
	assert.Empty(t, note.Text)
	assert.Equal(t, filepath.Join(home, "out"), r.settings.preset.Folder)
	r.settings.folder.SetText("out")
	assert.Equal(t, "Type the whole path of the folder, or choose it.", note.Text)
	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	r.settings.folder.SetText(filepath.Join(blocked, "below"))
	want := host.SentenceOf(blocked + " is a file; choose a folder")
	assert.Equal(t, want, note.Text, "while it is typed")
	note.SetText("")
	r.Export()
	assert.Equal(t, want, note.Text, "one problem, and no report")
	assert.Nil(t, r.reportView.report)
	assert.Empty(t, r.notices)
	r.settings.folder.SetText(r.folder)
	assert.False(t, note.Visible())
}

func TestAFolderIsNotSetWhileTheUserTypesOne(t *testing.T) {
	r := newRig(t)
	d, folder := sample(), r.settings.folder
	folder.SetText("")
	r.window.Canvas().Focus(folder)
	r.Add(d, nodes(t, d, "/items/0"))
	assert.Empty(t, folder.Text)
	test.Type(folder, "/tmp/x")
	r.window.Canvas().Unfocus()
	r.Add(d, nodes(t, d, "/items/1"))
	assert.Equal(t, "/tmp/x", folder.Text)
}

func TestTheDestinationFollowsTheFile(t *testing.T) {
	r := newRig(t)
	r.settings.suggested, r.settings.preset.Folder = suggestion{}, ""
	one, two := t.TempDir(), t.TempDir()
	open := func(folder, name string) *model.Document {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte("content"), 0o600))
		src, err := model.OpenFile(path)
		require.NoError(t, err)
		t.Cleanup(func() { src.Close() })
		d := model.NewDocument(src, "bytes", "", &model.Node{})
		d.Payloads = model.PayloadList{{Name: name}}
		return d
	}
	a, b, other := open(one, "a.bin"), open(one, "b.bin"), open(two, "c.bin")
	at := func(d *model.Document) string {
		r.NewDocumentSlot(Offer{Document: func() *model.Document { return d }}).Take()
		return r.settings.folder.Text
	}
	assert.Equal(t, filepath.Join(one, "a export"), at(a))
	assert.Equal(t, filepath.Join(two, "c export"), at(other))
	require.NoError(t, os.MkdirAll(filepath.Join(one, "a export", "old"), 0o700))
	assert.Equal(t, filepath.Join(one, "a export"), at(a), "a folder that is not empty is used as well")
	r.AddFiles("", []*model.Document{a, b})
	assert.Equal(t, filepath.Join(one, filepath.Base(one)+" export"), r.settings.folder.Text, "several files")
	r.AddFiles("", []*model.Document{other})
	assert.Equal(t, filepath.Dir(one), filepath.Dir(r.settings.folder.Text), "of several folders")
	r.Clear()
	listed := document("listed", asset{name: "a.bin"})
	r.NewDocumentSlot(Offer{Folder: one, Document: func() *model.Document { return listed }}).Take()
	ofTab := filepath.Join(one, filepath.Base(one)+" export")
	assert.Equal(t, ofTab, r.settings.folder.Text)
	r.AddFiles(one, []*model.Document{a})
	assert.Equal(t, ofTab, r.settings.folder.Text, "one file of the folder of the tab")
	r.AddAll(listed)
	assert.Equal(t, ofTab, r.settings.folder.Text, "a file that was dragged from the list")
	r.AddFiles(one, []*model.Document{other})
	assert.NotEqual(t, ofTab, r.settings.folder.Text, "a file from elsewhere")
	r.Clear()
	assert.Equal(t, filepath.Join(one, "a export"), at(a))
	r.settings.folder.SetText("/chosen")
	assert.Equal(t, filepath.Join(two, "c export"), at(other))
	assert.Equal(t, "/chosen", at(b), "another file of the project")
	again := newSettings(r.Panel)
	again.suggestFolder(suggestionFor(a))
	assert.Equal(t, "/chosen", again.folder.Text, "after a restart")
	assert.LessOrEqual(t, len(again.destinations), maxDestinations)
}

func TestADefaultFolderMustBeUsable(t *testing.T) {
	r := newRig(t)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	r.settings.suggested, r.settings.preset.Folder = suggestion{}, ""
	r.settings.suggestFolder(suggestion{"project", filepath.Join(file, "game export")})
	assert.Equal(t, filepath.Join(downloads(), "game export"), r.settings.folder.Text)
	assert.False(t, r.settings.folderNote.Visible())
}

func TestTheListHasRoomInASmallPanel(t *testing.T) {
	r := newRig(t)
	r.AddAll(sample())
	assert.False(t, r.settings.namesRow.Visible(), "it is seldom changed")
	r.window.Resize(fyne.NewSize(240, 290))
	assert.LessOrEqual(t, r.content.MinSize().Height, float32(290))
	assert.Zero(t, r.list.rows.Widths()[sizeColumn])
	assert.Greater(t, r.list.rows.Widths()[formColumn], control.TextWidth("Original"), "forms have room for their names")
	r.settings.toggleNames()
	r.Export()
	assert.True(t, r.settings.namesRow.Visible(), "as the user left it")
	r.reportView.focusList()
	assert.True(t, newSettings(r.Panel).namesRow.Visible(), "also in the next session")
	r.settings.toggleNames()
	r.window.Resize(fyne.NewSize(500, 700))
	assert.False(t, r.settings.namesRow.Visible())
	assert.NotZero(t, r.list.rows.Widths()[sizeColumn])
}

func TestAWrongTemplateIsShownOnce(t *testing.T) {
	r := newRig(t)
	r.AddAll(sample())
	r.settings.names.SetText("{nothing}")
	assert.True(t, r.settings.namesRow.Visible())
	assert.Contains(t, r.settings.namesNote.Text, "Unknown field {nothing}")
	r.Export()
	assert.Equal(t, fyne.Focusable(r.settings.names), r.window.Canvas().Focused())
	assert.NotContains(t, r.footer.text.Text, "nothing")
	assert.Empty(t, r.notices)
	r.settings.names.SetText("{name}")
	assert.False(t, r.settings.namesNote.Visible())
}

func TestReportDetailsHaveTruncatedTexts(t *testing.T) {
	r := newRig(t)
	r.window.Resize(fyne.NewSize(240, 300))
	r.AddAll(document("made.bin", asset{name: "a.txt", kind: "Text", content: "a"},
		asset{name: "bad.txt", kind: "Text", fails: true}))
	r.Export()
	assert.Equal(t, filepath.Join(r.folder, "bad.txt")+": bad.txt cannot be read", r.reportView.detail.Text,
		"what went wrong comes first")
	r.reportView.showDetails(1)
	assert.Equal(t, "a.txt", r.reportView.detail.Text)
	assert.Contains(t, test.LaidOutObjects(r.content), r.reportView.detail)
}

func TestFilesAreWrittenIntoANewFolderBesideTheDocument(t *testing.T) {
	r := newRig(t)
	path := filepath.Join(t.TempDir(), "made.bin")
	require.NoError(t, os.WriteFile(path, []byte("bytes"), 0o600))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	d := sample()
	d.Source = src
	t.Cleanup(func() { _ = src.Close() })
	r.AddAll(d)
	assert.Equal(t, r.folder, r.settings.folder.Text, "a folder that was chosen stays")
	r.Clear()
	r.settings.folder.SetText("")
	r.AddAll(d)
	beside := filepath.Join(filepath.Dir(path), "made export")
	assert.Equal(t, beside, r.settings.folder.Text)
	assert.Equal(t, beside, r.settings.preset.Folder)
	r.Export()
	assert.FileExists(t, filepath.Join(beside, "m.mesh"))
	r.settings.applyEdit()
	assert.NotContains(t, fyne.CurrentApp().Preferences().String(string(lastSettings)), "made export", "another file has another one")
	again := newRig(t)
	again.settings.folder.SetText("")
	again.AddAll(d)
	assert.Equal(t, beside, again.settings.folder.Text)
}
