package exporting

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/rows"
	"assay/ui/thumbnail"
)

func TestAssetsComeIntoTheListOnce(t *testing.T) {
	r, d := newRig(t), sample()
	r.Add(d, nodes(t, d, "/items/1"))
	r.Add(d, nodes(t, d, "/items/1", "/items/0"))
	assert.Equal(t, "Added 1 asset to the export list; 1 already there.", r.lastHint())
	assert.Equal(t, []string{"dir/b.txt", "dir/a.txt"}, r.targets())
	r.AddType(d, nodes(t, d, "/items/0"))
	assert.Equal(t, []string{"dir/b.txt", "dir/a.txt", "up.txt"}, r.targets())
	r.AddAll(d)
	assert.Equal(t, []string{"dir/b.txt", "dir/a.txt", "up.txt", "m.mesh"}, r.targets())
	assert.Equal(t, "4 files, 16 B, 1 renamed", r.foot.text.Text)
	r.Add(d, nodes(t, d, "/"))
	assert.Equal(t, "The selected assets are already in the export list.", r.lastHint())
	r.window.Canvas().Capture()
}

func TestAnyNodeAndAnyBytesAreAssets(t *testing.T) {
	r, d := newRig(t), sample()
	r.Add(d, nodes(t, d, "/head"))
	r.AddBytes(d, model.Span{Offset: 4, Size: 5})
	r.AddBytes(d, model.Span{Offset: 4, Size: 5})
	r.AddNodes(d, nodes(t, d, "/items/0"))
	assert.Equal(t, []string{"head.json", "made-4-9.bin", "key0.json"}, r.targets())
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
	r.foot.begin()
	assert.Equal(t, list, r.content.MinSize(), "with its progress")
	r.foot.end()
	r.Export()
	assert.Equal(t, list.Width, r.content.MinSize().Width, "with its report")
}

// TestLabelsOfTheSettingsFit holds that no label of the settings runs into the field beside it.
func TestLabelsOfTheSettingsFit(t *testing.T) {
	r := newRig(t)
	r.settings.toggle()
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
	d := document("made.bin", asset{name: "a.txt", kind: "Text", content: "a"},
		asset{name: "bad.txt", kind: "Text", fails: true}, asset{name: "../c.txt", kind: "Text", content: "c"})
	r.AddAll(d)
	r.Export()
	assert.Equal(t, []string{"a.txt=a", "c.txt=c"}, r.written())
	assert.Equal(t, "2 files exported (2 B), 1 renamed, 1 failed. What was not written stays in the list.",
		r.report.text.Text)
	assert.Equal(t, filepath.Join(r.folder, "bad.txt")+": bad.txt cannot be read", r.report.more.Text)
	data := r.report.table
	var rows []string
	for i := range data.Len() {
		rows = append(rows, data.Cell(i, 0).Text+" "+data.Cell(i, 1).Text+" "+data.Cell(i, 1).Hint)
	}
	assert.Equal(t, []string{"failed bad.txt bad.txt cannot be read", "done c.txt original name: ../c.txt",
		"done a.txt "}, rows, "what went wrong comes first")
	r.window.Canvas().Capture()

	var text, structured strings.Builder
	require.NoError(t, writeReport(r.report.report, "report.JSON", &structured))
	assert.True(t, json.Valid([]byte(structured.String())))
	require.NoError(t, writeReport(r.report.report, "report.txt", &text))
	assert.Contains(t, text.String(), "failed    key1  "+filepath.Join(r.folder, "bad.txt")+": bad.txt cannot be read")

	r.report.showList()
	assert.Equal(t, []string{"bad.txt"}, r.targets(), "what was exported has left the list")
	r.Clear()
	r.AddAll(d)
	assert.Equal(t, []string{"a (2).txt", "bad.txt", "c (2).txt"}, r.targets(), "the next export would number")
	assert.Equal(t, []string{"a.txt", "", "c.txt"}, []string{r.list.planned(0).Same, r.list.planned(1).Same,
		r.list.planned(2).Same}, "but for what is there with the same content")
	assert.Equal(t, "a.txt", r.list.Cell(0, fileColumn).Text)
	assert.Equal(t, "1 file, 0 B, 2 already there", r.foot.text.Text)
	r.list.hover(0)
	assert.Equal(t, "a.txt already exists with the same content and will be skipped.", r.lastHint())
	r.Export()
	assert.Equal(t, []string{"a.txt=a", "c.txt=c"}, r.written())
	assert.Nil(t, r.run)
}

func TestTemplateShowsWhatItDoes(t *testing.T) {
	r, d := newRig(t), sample()
	r.AddAll(d)
	r.settings.names.SetText("{type}-{index}{ext}")
	assert.Equal(t, []string{"Text-1.txt", "Text-2.txt", "Mesh-3.mesh", "Text-4.txt"}, r.targets())
	r.settings.names.SetText("{nothing}")
	assert.True(t, r.foot.button.Disabled())
	r.Export()
	assert.NoDirExists(t, r.folder)
	items := r.settings.templateItems()
	items[1].Action()
	assert.Equal(t, []string{"a.txt", "b.txt", "m.mesh", "up.txt"}, r.targets())
	assert.True(t, r.settings.templateItems()[1].Checked)
}

// TestOpenFilesAreNotOverwritten holds that an export leaves the files in tabs as they are.
func TestOpenFilesAreNotOverwritten(t *testing.T) {
	r := newRig(t)
	require.NoError(t, os.MkdirAll(r.folder, 0o700))
	for _, name := range []string{"a.txt", "b.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(r.folder, name), []byte("old"), 0o600))
	}
	r.files = []string{filepath.Join(r.folder, "a.txt")}
	for i := range conflicts {
		if conflicts[i].rule == export.Overwrite {
			r.settings.conflict.SetSelectedIndex(i)
		}
	}
	r.AddAll(document("made.bin", asset{name: "a.txt", content: "a"}, asset{name: "b.txt", content: "b"}))
	r.Export()
	assert.Equal(t, []string{"a.txt=old", "b.txt=b"}, r.written())
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
		{export.Ask, "Keep Both", true, []string{"a (2).txt=a", "a.txt=old", "b (2).txt=b", "b.txt=old"}, 1},
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
				case *control.Check:
					o.SetChecked(c.all)
				case *widget.Label:
					assert.Regexp(t, `^[ab]\.txt already exists in this folder: 3 B, \d{4}-\d\d-\d\d\. New file: 1 B\.$`,
						o.Text)
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
			assert.Contains(t, r.foot.text.Text, "2 existing (")
		}
		r.Export()
		assert.Equal(t, c.written, r.written(), "%s %s", c.rule, c.answer)
		assert.Equal(t, c.asked, asked, "%s %s", c.rule, c.answer)
		assert.Empty(t, r.question.Objects)
	}
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

func TestRowsAreReordered(t *testing.T) {
	r, d := newRig(t), sample()
	r.AddAll(d)
	r.window.Canvas().Capture()
	chosen := func(from, to int64) {
		var s rows.Intervals
		s.Add(from, to)
		r.list.rows.SetSelection(s)
	}
	place := func(row int64) fyne.Position { // the lower edge of a row
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(r.list.rows)
		return at.Add(r.list.rows.RowPosition(row)).AddXY(20, 1)
	}
	chosen(0, 2)
	drag := r.dragRows()
	require.NotNil(t, drag)
	drag.Dragged(fyne.NewPos(4000, 10))
	assert.False(t, r.list.line.Visible())
	drag.Dragged(place(2))
	assert.True(t, r.list.line.Visible())
	drag.DragEnd()
	assert.False(t, r.list.line.Visible())
	assert.Equal(t, []string{"m.mesh", "dir/a.txt", "dir/b.txt", "up.txt"}, r.targets())
	selected := r.list.selected()
	assert.Equal(t, []rows.Interval{{From: 1, To: 3}}, selected.All(), "they stay selected")
	assert.Empty(t, r.notices, "that nothing leaves the window matters only there")
	drag = r.dragRows()
	drag.Dragged(fyne.NewPos(4000, 10))
	drag.DragEnd()
	assert.Len(t, r.notices, 1)

	up, down := &desktop.CustomShortcut{KeyName: fyne.KeyUp, Modifier: fyne.KeyModifierAlt},
		&desktop.CustomShortcut{KeyName: fyne.KeyDown, Modifier: fyne.KeyModifierAlt}
	r.list.rows.TypedShortcut(down)
	r.list.rows.TypedShortcut(down)
	assert.Equal(t, []string{"m.mesh", "up.txt", "dir/a.txt", "dir/b.txt"}, r.targets())
	chosen(1, 2)
	r.list.rows.TypedShortcut(up)
	assert.Equal(t, []string{"up.txt", "m.mesh", "dir/a.txt", "dir/b.txt"}, r.targets())
	r.Export()
	assert.Len(t, r.written(), 4)
}

func TestAddingGoesBackToTheList(t *testing.T) {
	r, d := newRig(t), sample()
	r.Add(d, nodes(t, d, "/items/0"))
	r.Export()
	require.Equal(t, []fyne.CanvasObject{r.report.body}, r.body.Objects)
	assert.True(t, r.report.open.Visible())
	r.Add(d, nodes(t, d, "/items/1"))
	assert.Equal(t, []fyne.CanvasObject{r.main}, r.body.Objects)
	require.NoError(t, os.RemoveAll(r.folder))
	r.report.show(r.report.report, r.folder)
	assert.False(t, r.report.open.Visible(), "there is no folder")
}

func TestNothingIsCutInANarrowPanel(t *testing.T) {
	r := newRig(t)
	r.AddAll(sample())
	width := r.content.MinSize().Width
	assert.LessOrEqual(t, width, float32(300), "what the window gives it at first")
	r.window.Resize(fyne.NewSize(width, 600))
	r.showQuestion(question{"All of that.", []string{"Export Anyway", "Stop"}, false}, func(answer) {})
	assert.Equal(t, width, r.content.MinSize().Width, "a question widens nothing")
	r.showQuestion(takenQuestion(export.Item{Target: "dir/a.txt", Size: 1}, r.folder), func(answer) {})
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

func TestAnExportThatIsLeftWritesItsReport(t *testing.T) {
	r := newRig(t)
	d := document("made.bin", asset{name: "a.txt", content: "a"}, asset{name: "slow.txt", content: "b"},
		asset{name: "c.txt", content: "c"})
	d.Payloads.(model.PayloadList)[1].Open = func(ctx context.Context) (io.ReadCloser, error) {
		r.Close() // with the window
		return nil, ctx.Err()
	}
	r.AddAll(d)
	assert.Empty(t, r.Running())
	r.Export()
	var names []string
	for _, f := range r.written() {
		name, _, _ := strings.Cut(f, "=")
		names = append(names, name)
	}
	assert.Contains(t, names, "assay-export-report.txt")
	assert.NotContains(t, names, "slow.txt", "whole files only")
	b, err := os.ReadFile(filepath.Join(r.folder, "assay-export-report.txt"))
	require.NoError(t, err)
	assert.Contains(t, string(b), "slow.txt: cancel")
}

func TestAnExportHoldsItsFilesOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.bin")
	require.NoError(t, os.WriteFile(path, []byte("content"), 0o600))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	r := newRig(t)
	d := model.NewDocument(src, "bytes", "", &model.Node{})
	p := model.SpanPayload(d, model.Span{Size: 7})
	open := p.Open
	p.Open = func(ctx context.Context) (io.ReadCloser, error) {
		r.Clear()
		src.Close() // its tab
		return open(ctx)
	}
	p.Name = "whole.bin"
	d.Payloads = model.PayloadList{p}
	r.AddAll(d)
	r.Export()
	assert.Equal(t, []string{"whole.bin=content"}, r.written())
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
	assert.True(t, r.foot.button.Disabled())
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
	r.Export()
	assert.Equal(t, []string{"file-2-5.bin=234"}, r.written())
}

func TestReloadFindsTheAssetsAgain(t *testing.T) {
	r := newRig(t)
	old := sample()
	r.AddAll(old)
	r.Add(old, nodes(t, old, "/head"))
	r.basket.items[2].setForm("upper")
	now := document("made.bin", asset{name: "new/a.txt", kind: "Text", content: "a"},
		asset{name: "new/b.txt", kind: "Text", content: "b"}, asset{name: "n.mesh", kind: "Mesh", content: "m"})
	r.Replace(old, now)
	assert.Equal(t, []string{"new/a.txt", "new/b.txt", "n.up", "head.json"}, r.targets())
	assert.Equal(t, "Removed 1 asset that is no longer in made.bin from the export list.", r.notices[0])
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
	assert.Empty(t, again.folder.Text, "the folder follows the file")

	r.settings.use(export.Preset{})
	assert.Empty(t, r.settings.preset.Forms)
	r.settings.presetItems()[5].Action()
	assert.Equal(t, "{key}{ext}", r.settings.names.Text)
	assert.Equal(t, map[string]string{"Mesh": "upper"}, r.settings.preset.Forms)
	r.AddAll(sample())
	assert.Equal(t, []string{"key0.txt", "key1.txt", "key2.up", "key3.txt"}, r.targets())
	items := r.settings.presetItems()
	items[len(items)-1].ChildMenu.Items[0].Action()
	assert.Len(t, r.settings.presetItems(), 6, "only those of the program are left")
	require.NoError(t, os.WriteFile(r.presets, []byte("nonsense"), 0o600))
	r.settings.presetItems()
	assert.Contains(t, r.notices[len(r.notices)-1], "presets.json cannot be read")
}

func TestFolderMustBeChosen(t *testing.T) {
	r := newRig(t)
	r.AddAll(sample())
	r.settings.folder.SetText("")
	r.Export()
	note := r.settings.folderNote
	assert.Equal(t, "Choose an export folder first.", note.Text)
	assert.Equal(t, fyne.Focusable(r.settings.folder), r.window.Canvas().Focused())
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
	assert.Nil(t, r.report.report)
	assert.Empty(t, r.notices)
	r.settings.folder.SetText(r.folder)
	assert.False(t, note.Visible())
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
	assert.Contains(t, r.foot.text.Text, "50,010 assets")
	r.list.rows.ScrollTo(r.list.Len() - 1)
	r.window.Canvas().Capture()
	assert.Contains(t, r.list.known, r.list.rows.Len()-1, "the last row is in view and described")
	assert.Less(t, len(r.list.known), 100)
	assert.Equal(t, "n50009.txt", r.list.known[r.list.rows.Len()-1].Target)
}

func TestAnExportOutOfProportionIsAQuestion(t *testing.T) {
	r := newRig(t)
	d := document("made.bin")
	var all model.PayloadList
	for i := range 300 {
		all = append(all, &model.Payload{Key: fmt.Sprint(i), Name: fmt.Sprint(i), Size: 8 << 20,
			Stored: model.Span{Size: 8 << 20}, Open: func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader("in truth it is small")), nil
			}})
	}
	d.Payloads = all
	r.AddAll(d)
	assert.Equal(t, "300 files, 2.5 GB; expands to far more than its stored size", r.foot.text.Text)

	r.onShow = func() func() { r.tap("Stop"); return func() {} }
	r.Export()
	assert.NoDirExists(t, r.folder)
	assert.Contains(t, r.lastHint(), "Export canceled. Nothing was written.")

	r.onShow = func() func() { r.tap("Export Anyway"); return func() {} }
	r.Export()
	assert.Len(t, r.written(), 300)
}

func TestEachRowLeadsToWhatItIsOf(t *testing.T) {
	r := newRig(t)
	d := sample()
	r.Add(d, nodes(t, d, "/items/1"))
	r.AddBytes(d, model.Span{Offset: 2, Size: 1})
	apart := document("apart.bin", asset{name: "a"}, asset{name: "b"}) // as a folder lists the assets of its files
	for _, a := range apart.Payloads.(model.PayloadList) {
		a.Node = nil
	}
	r.AddFiles("", []*model.Document{apart})
	for row := range r.list.Len() {
		r.menu(row, fyne.Position{})
		r.choose("Show in Tree")
	}
	assert.Equal(t, []string{"made.bin[1 1]", "made.bin[0]", ": asset 0", ": asset 1"}, r.gone)
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

// A package of the export list has a folder of its own, of which it says what has another name than the list says.
func TestTheFilesOfAPackage(t *testing.T) {
	r := newRig(t)
	write, _ := r.FilesInto()
	assert.Nil(t, write, "the list is empty")
	r.AddAll(document("one.bin", asset{name: "a.txt", kind: "Text", content: "one"},
		asset{name: "same.txt", kind: "Text", content: "same"}))
	r.AddAll(document("two.bin", asset{name: "a.txt", kind: "Text", content: "two"},
		asset{name: "same.txt", kind: "Text", content: "same"}))
	write, done := r.FilesInto()
	defer done()
	folder := t.TempDir()
	note, err := write(t.Context(), folder)
	require.NoError(t, err)
	assert.Equal(t, "; 1 asset renamed because the name already exists, so the key differs; 1 asset skipped because the name already exists", note)
	all, err := os.ReadDir(folder)
	require.NoError(t, err)
	assert.Len(t, all, 3)

	stopped, stop := context.WithCancel(t.Context())
	stop()
	_, err = write(stopped, t.TempDir())
	assert.ErrorIs(t, err, context.Canceled)
}

// The list must not write again what it wrote: the next press exports what is new.
func TestExportedAssetsLeaveTheListAndComeBack(t *testing.T) {
	r, d := newRig(t), document("made.bin", asset{name: "a.mesh", kind: "Mesh", content: "a"},
		asset{name: "bad.txt", kind: "Text", fails: true})
	r.AddAll(d)
	r.AddBytes(d, model.Span{Offset: 2, Size: 3})
	r.basket.items[0].setForm("upper")
	r.Export()
	r.report.showList()
	assert.Equal(t, []string{"bad.txt"}, r.targets())
	assert.Equal(t, "failed: bad.txt cannot be read", r.list.Cell(0, fileColumn).Hint)
	assert.Contains(t, r.list.Cell(0, fileColumn).Tip, "bad.txt cannot be read")
	first := r.written()
	require.NoError(t, os.RemoveAll(r.folder))
	r.settings.folder.SetText(filepath.Join(t.TempDir(), "other"))
	r.report.again.OnTapped()
	assert.Equal(t, first, r.written(), "in the same form, to the same folder")
	r.Forget(d)
	require.NoError(t, os.RemoveAll(r.folder))
	r.Again()
	assert.NoDirExists(t, r.folder, "a closed document is not held open")
	assert.False(t, r.report.again.Visible())
	assert.Empty(t, r.latest.held)
}

// Export Again is there after each export, also after one without the list, and after a reload.
func TestExportAgainAfterExportAll(t *testing.T) {
	r, d := newRig(t), sample()
	r.settings.suggestedFor = siteOf(d)
	r.NewOffer(Offer{Document: func() *model.Document { return d }}).Take()
	r.tap("All")
	first := r.written()
	require.Len(t, first, 4)
	assert.True(t, r.report.again.Visible())
	require.NoError(t, os.RemoveAll(r.folder))
	r.Replace(d, sample())
	r.Again()
	assert.Equal(t, first, r.written())
	require.NoError(t, os.WriteFile(filepath.Join(r.folder, "m.mesh"), []byte("edited"), 0o600))
	r.Again()
	assert.Equal(t, "4 files exported (16 B), 2 renamed, 3 replaced.", r.report.text.Text)
	assert.Contains(t, r.written(), "m.mesh=edited", "only its own files are replaced")
	assert.Contains(t, r.written(), "m (2).mesh=mesh")
	r.settings.conflict.SetSelected("Skip")
	r.Again()
	assert.Equal(t, "3 files exported (12 B), 1 renamed, 3 replaced, 1 skipped.", r.report.text.Text)
}

// What is skipped stays in the list, so that another rule can be chosen for it.
func TestSkippedAssetsStayInTheList(t *testing.T) {
	r := newRig(t)
	require.NoError(t, os.MkdirAll(r.folder, 0o700))
	for name, content := range map[string]string{"same.txt": "a", "other.txt": "x"} {
		require.NoError(t, os.WriteFile(filepath.Join(r.folder, name), []byte(content), 0o600))
	}
	r.settings.conflict.SetSelected("Skip")
	r.AddAll(document("made.bin", asset{name: "same.txt", content: "a"}, asset{name: "other.txt", content: "b"},
		asset{name: "new.txt", content: "c"}))
	assert.Equal(t, "1 file, 1 B, 1 already there, 1 existing (skipped)", r.foot.text.Text)
	r.Export()
	assert.Equal(t, "1 file exported (1 B), 1 skipped, 1 already there, unchanged. What was not written stays in the list.",
		r.report.text.Text)
	r.report.showList()
	assert.Equal(t, []string{"other.txt"}, r.targets())
	assert.Equal(t, "exists, skipped", r.list.Cell(0, fileColumn).Hint)
	r.settings.conflict.SetSelected("Overwrite")
	assert.Equal(t, "exists, overwritten", r.list.Cell(0, fileColumn).Hint)
	r.Export()
	assert.Equal(t, []string{"new.txt=c", "other.txt=b", "same.txt=a"}, r.written())
	assert.Zero(t, r.Len())
}

func TestTheDestinationFollowsTheFile(t *testing.T) {
	r := newRig(t)
	r.settings.suggestedFor, r.settings.preset.Folder = site{}, ""
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
		r.NewOffer(Offer{Document: func() *model.Document { return d }}).Take()
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
	assert.Equal(t, filepath.Join(one, "a export"), at(a))
	r.settings.folder.SetText("/chosen")
	assert.Equal(t, filepath.Join(two, "c export"), at(other))
	assert.Equal(t, "/chosen", at(b), "another file of the project")
	again := newSettings(r.Panel)
	again.suggest(siteOf(a))
	assert.Equal(t, "/chosen", again.folder.Text, "after a restart")
	assert.LessOrEqual(t, len(again.destinations), destinationsMost)
}

func TestADefaultFolderMustBeUsable(t *testing.T) {
	r := newRig(t)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	r.settings.suggestedFor, r.settings.preset.Folder = site{}, ""
	r.settings.suggest(site{"project", filepath.Join(file, "game export")})
	assert.Equal(t, filepath.Join(downloads(), "game export"), r.settings.folder.Text)
	assert.False(t, r.settings.folderNote.Visible())
}

func TestButtonsExportWithoutTheList(t *testing.T) {
	d := sample()
	for _, c := range []struct {
		label   string
		form    string // of the menu; empty: the button itself
		filter  bool
		written []string
	}{
		{"All", "", false, []string{"dir/a.txt=aaa", "dir/b.txt=bb", "m.mesh=mesh", "up.txt=hostile"}},
		{"Filtered", "", true, []string{"dir/b.txt=bb"}},
		{"Filtered", "", false, nil},
		{"Selected", "", false, []string{"m.mesh=mesh"}},
		{"Selected", "Everything as it is", false, []string{"m.mesh=mesh"}},
	} {
		r := newRig(t)
		r.settings.suggestedFor = siteOf(d)
		r.settings.setForm("Mesh", "raw")
		r.NewOffer(Offer{Document: func() *model.Document { return d },
			Selected: func() doc.Nodes { return nodes(t, d, "/items/2") },
			Filtered: func() (doc.Nodes, []int, bool) { return nil, []int{1}, c.filter }}).Take()
		require.NoError(t, os.MkdirAll(r.folder, 0o700))
		if c.form == "" {
			r.tap(c.label)
		} else {
			for _, item := range r.bulk.forms(r.bulk.selected) {
				if item.Label == c.form {
					item.Action()
				}
			}
		}
		assert.Equal(t, c.written, r.written(), c.label)
		assert.Zero(t, r.Len())
	}
}

func TestAFolderKeepsItsFolders(t *testing.T) {
	root := t.TempDir()
	open := func(name string) *model.Document {
		d := document(name, asset{name: "a.txt", content: name})
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(name), 0o600))
		src, err := model.OpenFile(path)
		require.NoError(t, err)
		d.Source = src
		return d
	}
	listed := document("listed", asset{name: "x/one.bin", content: "1"}, asset{name: "y/one.bin", content: "2"})
	for form, want := range map[string][]string{
		"glb": {"x/one.bin/a.txt=x/one.bin", "y/one.bin/a.txt=y/one.bin"},
		"raw": {"x/one.bin=1", "y/one.bin=2"},
	} {
		r := newRig(t)
		r.settings.suggestedFor = siteOfFolder(root)
		r.NewOffer(Offer{Folder: root, Document: func() *model.Document { return listed },
			Open: func(context.Context, *model.Document, []int) ([]*model.Document, error) {
				return []*model.Document{open("x/one.bin"), open("y/one.bin")}, nil
			}}).Take()
		require.NoError(t, os.MkdirAll(r.folder, 0o700))
		o := r.options()
		o.Prefer = form
		r.bulk.all(o)
		assert.Equal(t, want, r.written(), form)
		r.Again()
		assert.Equal(t, want, r.written(), "again")
	}
}

func TestTheRootIsNoSelection(t *testing.T) {
	d := sample()
	r := newRig(t)
	r.settings.suggestedFor = siteOf(d)
	r.NewOffer(Offer{Document: func() *model.Document { return d },
		Selected: func() doc.Nodes { return nodes(t, d, "/") },
		Filtered: func() (doc.Nodes, []int, bool) { return nil, nil, true }}).Take()
	require.NoError(t, os.MkdirAll(r.folder, 0o700))
	for _, label := range []string{"Selected", "Filtered"} {
		r.tap(label)
		assert.Empty(t, r.written(), label)
	}
}

func TestEscapeStopsAnExport(t *testing.T) {
	r := newRig(t)
	assert.False(t, r.StopExport())
	d := document("made.bin", asset{name: "a.txt", content: "a"}, asset{name: "b.txt", content: "b"})
	all := d.Payloads.(model.PayloadList)
	var once sync.Once // assets are read by several goroutines, and only one stops the export
	for _, p := range all {
		open := p.Open
		p.Open = func(ctx context.Context) (io.ReadCloser, error) {
			once.Do(func() {
				if r.run != nil {
					assert.True(t, r.StopExport())
				}
			})
			return open(ctx)
		}
	}
	r.AddAll(d)
	r.Export()
	assert.NotZero(t, r.Len(), "what was not written stays in the list")
}

func TestContactSheetOfTheSelectionOrOfAll(t *testing.T) {
	r := newRig(t)
	d := sample()
	size := func(paths ...string) image.Point {
		r.saved = nil
		r.SaveSheet(d, nodes(t, d, paths...), thumbnail.Options{})
		require.Contains(t, r.saved, "made contact sheet.png")
		img, err := png.Decode(bytes.NewReader(r.saved["made contact sheet.png"]))
		require.NoError(t, err)
		return img.Bounds().Size()
	}
	two, all := size("/items/0", "/items/1"), size("/items/0")
	assert.Less(t, two.Y, all.Y)
	assert.Equal(t, all, size("/items/0", "/items/1", "/items/2", "/items/3"))
	assert.Equal(t, "Created a contact sheet with 4 images.", r.lastHint())
	empty := document("empty.bin")
	r.SaveSheet(empty, nodes(t, empty), thumbnail.Options{})
	assert.Equal(t, []string{"No images for a contact sheet."}, r.notices)
}

func TestNamesAreCopied(t *testing.T) {
	r := newRig(t)
	d := sample()
	r.CopyNames(d, nodes(t, d, "/items/0", "/items/2"))
	assert.Equal(t, "dir/a.txt\nm.mesh", r.copied)
}

func TestAQuestionTakesTheKeyboard(t *testing.T) {
	r := newRig(t)
	r.Focus()
	before := r.window.Canvas().Focused()
	ctx, stop := context.WithCancel(t.Context())
	r.onShow = func() func() { stop(); return nil }
	r.put(ctx, takenQuestion(export.Item{Target: "a.txt"}, r.folder))
	first, ok := r.window.Canvas().Focused().(*control.Button)
	require.True(t, ok)
	assert.Equal(t, "Keep Both", first.Text)
	first.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Empty(t, r.question.Objects)
	assert.Equal(t, before, r.window.Canvas().Focused())
}
