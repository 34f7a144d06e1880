package exporting

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
	"assay/ui/rows"
)

func TestAssetsComeIntoTheListOnce(t *testing.T) {
	r, d := newRig(t), sample()
	r.Add(d, nodes(t, d, "/items/1"))
	r.Add(d, nodes(t, d, "/items/1", "/items/0"))
	assert.Equal(t, "1 asset added, 1 in the list already.", r.lastHint())
	assert.Equal(t, []string{"dir/b.txt", "dir/a.txt"}, r.targets())
	r.AddType(d, nodes(t, d, "/items/0"))
	assert.Equal(t, []string{"dir/b.txt", "dir/a.txt", "up.txt"}, r.targets())
	r.AddAll(d)
	assert.Equal(t, []string{"dir/b.txt", "dir/a.txt", "up.txt", "m.mesh"}, r.targets())
	assert.Equal(t, "4 files, 16 B, 1 renamed", r.count.Text)
	r.Add(d, nodes(t, d, "/"))
	assert.Equal(t, "All of that is in the list already.", r.lastHint())
	r.window.Canvas().Capture()
}

func TestAnyNodeAndAnyBytesAreAssets(t *testing.T) {
	r, d := newRig(t), sample()
	r.Add(d, nodes(t, d, "/head"))
	r.AddBytes(d, model.Span{Offset: 4, Size: 5})
	r.AddBytes(d, model.Span{Offset: 4, Size: 5})
	r.AddNodes(d, nodes(t, d, "/items/0"))
	assert.Equal(t, []string{"head.json", "made-4-9.bin", "items-0.json"}, r.targets())
	r.Export()
	got := r.written()
	require.Len(t, got, 3)
	assert.Contains(t, got[0], `head.json={"name":"head","type":"u32"`)
	assert.Equal(t, "made-4-9.bin=bytes", got[2])
	r.AddBytes(d, model.Span{})
	assert.Equal(t, "No bytes are selected.", r.lastHint())
}

func TestNothingMovesAsideForAnExport(t *testing.T) {
	r := newRig(t)
	r.AddAll(sample())
	list := r.content.MinSize()
	r.settings.folder.SetText("/" + strings.Repeat("a long folder/", 20))
	assert.Equal(t, list, r.content.MinSize())
	r.settings.folder.SetText(r.folder)
	r.progress.begin()
	assert.Equal(t, list, r.content.MinSize(), "with its progress")
	r.progress.end()
	r.Export()
	assert.Equal(t, list.Width, r.content.MinSize().Width, "with its report")
}

func TestProgressOfOneLargeFileAndOfManySmallOnes(t *testing.T) {
	for _, c := range []struct {
		now  export.Progress
		want float64
	}{
		{export.Progress{Items: 1, Bytes: 1 << 30}, 0},
		{export.Progress{Items: 1, Bytes: 1 << 30, Written: 1 << 29}, 0.5},
		{export.Progress{Items: 1, Bytes: 1 << 30, Written: 1 << 30, Done: 1}, 1},
		{export.Progress{Items: 100, Done: 50}, 0.5},
		{export.Progress{Items: 2, Bytes: 10, Written: 500}, 0},
		{export.Progress{}, 0},
	} {
		assert.InDelta(t, c.want, shareOf(c.now), 0.01, "%+v", c.now)
	}
}

func TestExportAndItsReport(t *testing.T) {
	r := newRig(t)
	d := document("made.bin", asset{name: "a.txt", kind: "Text", content: "a"}, asset{name: "bad.txt", kind: "Text", fails: true}, asset{name: "../c.txt", kind: "Text", content: "c"})
	r.AddAll(d)
	r.Export()
	assert.Equal(t, []string{"a.txt=a", "c.txt=c"}, r.written())
	assert.Equal(t, "2 files exported (2 B), 1 renamed, 1 failed. bad.txt cannot be read.", r.report.text.Text)
	data := (*reportData)(r.report)
	var rows []string
	for i := range data.Len() {
		rows = append(rows, data.Cell(i, 0).Text+" "+data.Cell(i, 1).Text+" "+data.Cell(i, 2).Text)
	}
	assert.Equal(t, []string{"failed bad.txt bad.txt cannot be read", "done c.txt its own name: ../c.txt", "done a.txt "}, rows, "what went wrong comes first")
	r.window.Canvas().Capture()

	var text, structured strings.Builder
	require.NoError(t, writeReport(r.report.report, "report.JSON", &structured))
	assert.True(t, json.Valid([]byte(structured.String())))
	require.NoError(t, writeReport(r.report.report, "report.txt", &text))
	assert.Contains(t, text.String(), "failed    key1  bad.txt")

	r.tap("List")
	assert.Equal(t, []string{"a (2).txt", "bad.txt", "c (2).txt"}, r.targets(), "the next export would number")
	assert.Nil(t, r.run)
}

func TestTemplateShowsWhatItDoes(t *testing.T) {
	r, d := newRig(t), sample()
	r.AddAll(d)
	r.settings.names.SetText("{type}-{index}{ext}")
	assert.Equal(t, []string{"Text-1.txt", "Text-2.txt", "Mesh-3.mesh", "Text-4.txt"}, r.targets())
	r.settings.names.SetText("{nothing}")
	assert.Contains(t, r.count.Text, "Unknown field {nothing}")
	assert.True(t, r.export.Disabled())
	r.Export()
	assert.Contains(t, r.notices[0], "Unknown field")
	assert.NoDirExists(t, r.folder)
	items := r.settings.templateItems()
	items[1].Action()
	assert.Equal(t, []string{"a.txt", "b.txt", "m.mesh", "up.txt"}, r.targets())
	assert.True(t, r.settings.templateItems()[1].Checked)
}

func TestConflicts(t *testing.T) {
	for _, c := range []struct {
		rule    export.Rule
		answer  string
		all     bool
		written []string
		asked   int
	}{
		{export.Number, "", false, []string{"a (2).txt=a", "a.txt=old", "b (2).txt=b", "b.txt=old"}, 0},
		{export.Skip, "", false, []string{"a.txt=old", "b.txt=old"}, 0},
		{export.Overwrite, "", false, []string{"a.txt=a", "b.txt=b"}, 0},
		{export.Ask, "Overwrite", false, []string{"a.txt=a", "b.txt=b"}, 2},
		{export.Ask, "Skip", true, []string{"a.txt=old", "b.txt=old"}, 1},
		{export.Ask, "Number", true, []string{"a (2).txt=a", "a.txt=old", "b (2).txt=b", "b.txt=old"}, 1},
	} {
		r := newRig(t)
		asked := 0
		r.onShow = func() func() {
			if len(r.question.Objects) == 0 {
				return nil
			}
			asked++
			for _, o := range test.LaidOutObjects(r.question) {
				switch o := o.(type) {
				case *widget.Check:
					o.SetChecked(c.all)
				case *widget.Label:
					assert.Regexp(t, `^[ab]\.txt is in the folder already: 3 B, \d{4}-\d\d-\d\d\. The new one: 1 B\.$`, o.Text)
				}
			}
			r.tap(c.answer)
			return nil
		}
		require.NoError(t, os.MkdirAll(r.folder, 0o700))
		for _, name := range []string{"a.txt", "b.txt"} {
			require.NoError(t, os.WriteFile(filepath.Join(r.folder, name), []byte("old"), 0o600))
		}
		for i := range conflicts {
			if conflicts[i].rule == c.rule {
				r.settings.conflict.SetSelectedIndex(i)
			}
		}
		r.AddAll(document("made.bin", asset{name: "a.txt", content: "a"}, asset{name: "b.txt", content: "b"}))
		if c.rule != export.Number {
			assert.Contains(t, r.count.Text, "2 there already")
		}
		r.Export()
		assert.Equal(t, c.written, r.written(), "%s %s", c.rule, c.answer)
		assert.Equal(t, c.asked, asked, "%s %s", c.rule, c.answer)
		assert.Empty(t, r.question.Objects)
	}
}

func TestFormsByRowAndByType(t *testing.T) {
	r, d := newRig(t), document("made.bin", asset{name: "a.mesh", kind: "Mesh", content: "a"}, asset{name: "b.mesh", kind: "Mesh", content: "b"}, asset{name: "c.txt", kind: "Text", content: "c"})
	r.AddAll(d)
	r.list.rows.OnMenu(0, fyne.Position{})
	r.choose("All of Type Mesh as", "upper")
	assert.Equal(t, []string{"a.up", "b.up", "c.txt"}, r.targets())
	r.list.rows.SetCurrent(1)
	r.list.rows.OnMenu(1, fyne.Position{})
	r.choose("Write as", "raw")
	assert.Equal(t, []string{"a.up", "b.mesh", "c.txt"}, r.targets())
	r.list.rows.SetCurrent(2)
	r.list.rows.OnMenu(2, fyne.Position{})
	assert.Len(t, r.popped.Items[0].ChildMenu.Items, 2, "text has its own bytes only")
	r.Export()
	assert.Equal(t, []string{"a.up=A", "b.mesh=b", "c.txt=c"}, r.written())
}

func TestRowsLeaveTheList(t *testing.T) {
	r, d := newRig(t), sample()
	r.AddAll(d)
	r.list.rows.SetCurrent(1)
	r.list.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	assert.Equal(t, []string{"dir/a.txt", "m.mesh", "up.txt"}, r.targets())
	r.list.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
	var all rows.Intervals
	all.Add(0, 3)
	assert.Equal(t, all, r.list.selected())
	r.Remove()
	assert.Zero(t, r.Len())
	assert.True(t, r.export.Disabled())
	assert.True(t, r.empty.Visible())
	r.AddAll(d)
	assert.Equal(t, 4, r.Len(), "what left can come again")
	r.Clear()
	assert.Zero(t, r.Len())
	r.Remove()
}

func TestADocumentStaysReadableWhileItsAssetsAreListed(t *testing.T) {
	r := newRig(t)
	path := filepath.Join(t.TempDir(), "file.bin")
	require.NoError(t, os.WriteFile(path, []byte("0123456789"), 0o600))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	d := model.NewDocument(src, "made", "", &model.Node{Type: "File", Span: model.Span{Size: 10}})
	r.AddBytes(d, model.Span{Offset: 2, Size: 3})
	require.NoError(t, src.Close(), "the tab is closed")
	r.Forget(d)
	r.Export()
	assert.Equal(t, []string{"file-2-5.bin=234"}, r.written())
}

func TestReloadFindsTheAssetsAgain(t *testing.T) {
	r := newRig(t)
	old := sample()
	r.AddAll(old)
	r.Add(old, nodes(t, old, "/head"))
	r.basket.items[2].form = "upper"
	now := document("made.bin", asset{name: "new/a.txt", kind: "Text", content: "a"}, asset{name: "new/b.txt", kind: "Text", content: "b"}, asset{name: "n.mesh", kind: "Mesh", content: "m"})
	r.Replace(old, now)
	assert.Equal(t, []string{"new/a.txt", "new/b.txt", "n.up", "head.json"}, r.targets())
	assert.Equal(t, "1 asset of the export list is not in made.bin any more.", r.notices[0])
}

func TestSettingsAreRememberedAndPresetsSaved(t *testing.T) {
	r := newRig(t)
	r.settings.names.SetText("{key}{ext}")
	r.settings.conflict.SetSelectedIndex(2)
	r.settings.setForm("Mesh", "upper")
	saved, err := export.LoadPresets(r.presets)
	require.NoError(t, err)
	preset := r.settings.preset
	preset.Name = "it's mine"
	r.settings.savePreset(saved, preset)
	assert.Contains(t, r.notices[0], `--preset 'it'\''s mine'`)
	again := newSettings(r.Panel)
	assert.Equal(t, "{key}{ext}", again.names.Text)
	assert.Equal(t, export.Skip, again.rule)
	assert.Equal(t, r.folder, again.folder.Text)

	r.settings.use(export.Preset{})
	assert.Empty(t, r.settings.forms())
	r.settings.presetItems()[0].Action()
	assert.Equal(t, "{key}{ext}", r.settings.names.Text)
	assert.Equal(t, map[string]string{"Mesh": "upper"}, r.settings.forms())
	r.AddAll(sample())
	assert.Equal(t, []string{"key0.txt", "key1.txt", "key2.up", "key3.txt"}, r.targets())
	items := r.settings.presetItems()
	items[len(items)-1].ChildMenu.Items[0].Action()
	assert.Len(t, r.settings.presetItems(), 1, "no preset is left")
	require.NoError(t, os.WriteFile(r.presets, []byte("nonsense"), 0o600))
	r.settings.presetItems()
	assert.Contains(t, r.notices[len(r.notices)-1], "presets.json cannot be read")
}

func TestFolderMustBeChosen(t *testing.T) {
	r := newRig(t)
	r.AddAll(sample())
	r.settings.folder.SetText("")
	r.Export()
	assert.Contains(t, r.notices[0], "Choose the folder")
	blocked := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(blocked, nil, 0o600))
	r.settings.folder.SetText(filepath.Join(blocked, "below"))
	r.Export()
	assert.Contains(t, r.report.text.Text, "4 failed")
}

func TestThePanelIsInOneSlotAtATime(t *testing.T) {
	r := newRig(t)
	first, second := r.slot, r.NewSlot()
	second.Take()
	second.Take()
	assert.Empty(t, first.at.Objects)
	assert.Len(t, second.at.Objects, 1)
	assert.Equal(t, "Export", second.Title())
}

func TestLongListsAreDescribedWhereTheyAreSeen(t *testing.T) {
	r := newRig(t)
	assets := make([]asset, planMax+10)
	for i := range assets {
		assets[i] = asset{name: "n" + model.IndexName(i) + ".txt", kind: "Text"}
	}
	d := document("made.bin", assets...)
	r.AddAll(d)
	assert.Nil(t, r.plan)
	assert.Contains(t, r.count.Text, "50,010 assets")
	r.window.Canvas().Capture()
	assert.Contains(t, r.list.known, r.list.rows.Len()-1, "the last row is in view and described")
	assert.Less(t, len(r.list.known), 100)
	assert.Equal(t, "n50009.txt", r.list.known[r.list.rows.Len()-1].name)
}
