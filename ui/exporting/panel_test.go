package exporting

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
	"assay/ui/control"
	"assay/ui/doc"
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
	assert.Equal(t, "4 files, 16 B, 1 renamed", r.footer.text.Text)
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

func TestExportKeepsTheLayout(t *testing.T) {
	r := newRig(t)
	r.AddAll(sample())
	list := r.content.MinSize()
	r.settings.folder.SetText(filepath.VolumeName(r.folder) + "/" + strings.Repeat("a long folder/", 20))
	assert.Equal(t, list, r.content.MinSize())
	r.settings.folder.SetText(r.folder)
	r.footer.showStart()
	assert.Equal(t, list, r.content.MinSize(), "with its progress")
	r.footer.showIdle()
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
		assert.InDelta(t, c.want, fractionOf(c.now), 0.01, "%+v", c.now)
	}
}

// An export does not change the files of tabs.
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

func TestConflictRuleDecidesAboutExistingFiles(t *testing.T) {
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
					assert.Regexp(t, `^[ab]\.txt already exists in this folder: 3 B, \d{4}-\d\d-\d\d \d\d:\d\d\. New file: 1 B\.$`,
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
			assert.Contains(t, r.footer.text.Text, "2 existing (")
		}
		r.Export()
		assert.Equal(t, c.written, r.written(), "%s %s", c.rule, c.answer)
		assert.Equal(t, c.asked, asked, "%s %s", c.rule, c.answer)
		assert.Empty(t, r.question.Objects)
	}
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
	assert.False(t, r.list.dropLine.Visible())
	drag.Dragged(place(2))
	assert.True(t, r.list.dropLine.Visible())
	drag.DragEnd()
	assert.False(t, r.list.dropLine.Visible())
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
	assert.True(t, r.footer.button.Disabled())
	assert.True(t, r.empty.Visible())
	r.AddAll(d)
	assert.Equal(t, 4, r.Len(), "what left can come again")
	r.Clear()
	assert.Zero(t, r.Len())
	r.Remove()
}

func TestListedAssetsKeepTheirDocumentOpen(t *testing.T) {
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

func TestReloadMatchesTheAssets(t *testing.T) {
	r := newRig(t)
	old := sample()
	r.AddAll(old)
	r.Add(old, nodes(t, old, "/head"))
	r.assets.items[2].setForm("upper")
	now := document("made.bin", asset{name: "new/a.txt", kind: "Text", content: "a"},
		asset{name: "new/b.txt", kind: "Text", content: "b"}, asset{name: "n.mesh", kind: "Mesh", content: "m"})
	r.Replace(old, now)
	assert.Equal(t, []string{"new/a.txt", "new/b.txt", "n.up", "head.json"}, r.targets())
	assert.Equal(t, "Removed 1 asset that is no longer in made.bin from the export list.", r.notices[0])
}

func TestThePanelIsInOneSlotAtATime(t *testing.T) {
	r := newRig(t)
	first, second := r.slot, r.NewSlot()
	second.Take()
	second.Take()
	assert.Empty(t, first.box.Objects)
	assert.Len(t, second.box.Objects, 1)
	assert.Equal(t, "Export", second.Title())
}

func TestVisibleRowsOfLongListsArePlanned(t *testing.T) {
	r := newRig(t)
	assets := make([]asset, maxPlanned+10)
	for i := range assets {
		assets[i] = asset{name: "n" + model.IndexName(i) + ".txt", kind: "Text"}
	}
	d := document("made.bin", assets...)
	r.AddAll(d)
	assert.Nil(t, r.plan)
	assert.Contains(t, r.footer.text.Text, "50,010 assets")
	r.list.rows.ScrollTo(r.list.Len() - 1)
	r.window.Canvas().Capture()
	assert.Contains(t, r.list.cache, r.list.rows.Len()-1, "the last row is in view and described")
	assert.Less(t, len(r.list.cache), 100)
	assert.Equal(t, "n50009.txt", r.list.cache[r.list.rows.Len()-1].Target)
}

func TestRowsRevealTheirAssets(t *testing.T) {
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

// Each package of the export list has its own folder; the list names files that are written under another name.
func TestTheFilesOfAPackage(t *testing.T) {
	r := newRig(t)
	write, _ := r.FileWriter()
	assert.Nil(t, write, "the list is empty")
	r.AddAll(document("one.bin", asset{name: "a.txt", kind: "Text", content: "one"},
		asset{name: "same.txt", kind: "Text", content: "same"}))
	r.AddAll(document("two.bin", asset{name: "a.txt", kind: "Text", content: "two"},
		asset{name: "same.txt", kind: "Text", content: "same"}))
	write, done := r.FileWriter()
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
		r.settings.suggested = suggestionFor(d)
		r.settings.setForm("Mesh", "raw")
		r.NewDocumentSlot(Offer{Document: func() *model.Document { return d },
			Selected: func() doc.Nodes { return nodes(t, d, "/items/2") },
			Filtered: func() (doc.Nodes, []int, bool) { return nil, []int{1}, c.filter }}).Take()
		require.NoError(t, os.MkdirAll(r.folder, 0o700))
		if c.form == "" {
			r.tap(c.label)
		} else {
			for _, item := range r.exportButtons.formItems(r.exportButtons.exportSelected) {
				if item.Label == c.form {
					item.Action()
				}
			}
		}
		assert.Equal(t, c.written, r.written(), c.label)
		assert.Zero(t, r.Len())
	}
}

func TestExportOfAFolderKeepsSubfolders(t *testing.T) {
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
	listed := document("listed", asset{name: "x/one.bin", content: "1"}, asset{name: "y/one.bin", content: "2"},
		asset{name: "plain.txt", content: "3"})
	for form, want := range map[string][]string{
		"glb": {"x/one.bin/a.txt=x/one.bin", "y/one.bin/a.txt=y/one.bin"},
		"raw": {"plain.txt=3", "x/one.bin=1", "y/one.bin=2"},
	} {
		r := newRig(t)
		r.settings.suggested = suggestionForFolder(root)
		r.NewDocumentSlot(Offer{Folder: root, Document: func() *model.Document { return listed },
			Open: func(context.Context, *model.Document, []int) ([]*model.Document, error) {
				return []*model.Document{open("x/one.bin"), open("y/one.bin")}, nil
			}}).Take()
		require.NoError(t, os.MkdirAll(r.folder, 0o700))
		o := r.options()
		o.Prefer = form
		r.exportButtons.start(r.exportButtons.exportAll, o)
		assert.Equal(t, want, r.written(), form)
		if form == "glb" {
			require.NotEmpty(t, r.notices)
			assert.Contains(t, r.notices[len(r.notices)-1], "1 file without assets left out.")
		}
		r.Again()
		assert.Equal(t, want, r.written(), "again")
	}
}

func TestAFileOfTheFolderItselfIsNotRenamed(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "top.bin")
	require.NoError(t, os.WriteFile(path, []byte("top"), 0o600))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	d := document("top.bin", asset{name: "a.txt", content: "a"})
	d.Source = src
	r := newRig(t)
	r.AddFiles(root, []*model.Document{d})
	r.Export()
	assert.Equal(t, []string{"a.txt=a"}, r.written())
	assert.Equal(t, "1 file exported (1 B).", r.reportView.text.Text)
}

func TestTheRootIsNotExportedAsSelection(t *testing.T) {
	d := sample()
	r := newRig(t)
	r.settings.suggested = suggestionFor(d)
	r.NewDocumentSlot(Offer{Document: func() *model.Document { return d },
		Selected: func() doc.Nodes { return nodes(t, d, "/") },
		Filtered: func() (doc.Nodes, []int, bool) { return nil, nil, true }}).Take()
	require.NoError(t, os.MkdirAll(r.folder, 0o700))
	for _, label := range []string{"Selected", "Filtered"} {
		r.tap(label)
		assert.Empty(t, r.written(), label)
	}
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
