package exporting

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/control"
)

func TestTheListHasRoomInASmallPanel(t *testing.T) {
	r := newRig(t)
	r.AddAll(sample())
	assert.False(t, r.settings.namesRow.Visible(), "it is seldom changed")
	r.window.Resize(fyne.NewSize(240, 290))
	assert.LessOrEqual(t, r.content.MinSize().Height, float32(290))
	assert.Zero(t, r.list.rows.Widths()[sizeColumn])
	assert.Greater(t, r.list.rows.Widths()[formColumn], control.TextWidth("Original"), "forms have room for their names")
	r.settings.toggle()
	r.Export()
	assert.True(t, r.settings.namesRow.Visible(), "as the user left it")
	r.reportView.showList()
	assert.True(t, newSettings(r.Panel).namesRow.Visible(), "also in the next session")
	r.settings.toggle()
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
