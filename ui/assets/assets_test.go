package assets

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/archive"
	"assay/model/notes"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/work"
)

// pane is the host of the panel.
type pane struct {
	host.None
	noted.Host
	copied  doc.Nodes
	menus   int
	drawn   doc.Nodes
	folders []string
}

func (*pane) Open(string, string)                     {}
func (*pane) OpenAsset(*model.Source, *model.Payload) {}

func (*pane) BytesMenu(fyne.Position)                   {}
func (*pane) Stale()                                    {}
func (*pane) Replaced(*model.Document, *model.Document) {}
func (p *pane) Drag(_ *model.Document, all doc.Nodes, folders ...string) rows.Drag {
	p.drawn, p.folders = all, folders
	return nil
}

type shown struct {
	*Panel
	pane *pane
	at   []model.Path
	all  doc.Nodes
	did  string
}

// document returns a document with an asset of each name, each at its own node.
func document(names ...string) *model.Document {
	root := &model.Node{Type: "Root"}
	var nodes model.List
	var all model.PayloadList
	for i, name := range names {
		n := &model.Node{Name: model.IndexName(i), Type: "A", Span: model.Span{Offset: int64(i), Size: 1}}
		nodes = append(nodes, n)
		all = append(all, &model.Payload{Name: name, Type: "T", Key: name, Size: int64(100 * (i + 1)), Stored: n.Span,
			Node: n})
	}
	root.SetChildren(nodes)
	for i := range nodes {
		all[i].Node = root.Child(i)
	}
	d := model.NewDocument(model.NewSource("t.pac", bytes.NewReader(make([]byte, len(names))), int64(len(names))),
		"test", "1", root)
	d.Payloads = all
	return d
}

func TestAssetsHaveTheFlagsOfTheirNotes(t *testing.T) {
	s := show(t, document("a", "b"))
	assert.Nil(t, (*rowSource)(s.Panel).nameCell(1).Flag.Paint)
	s.Noted = func(i int) (flag rows.Mark, tip string) {
		if i == 1 {
			return noted.Flag(notes.Red), "it is old"
		}
		return flag, ""
	}
	assert.Nil(t, (*rowSource)(s.Panel).nameCell(0).Flag.Paint)
	cell := (*rowSource)(s.Panel).nameCell(1)
	assert.Equal(t, paint.Red, cell.Flag.Tone)
	assert.Equal(t, "it is old", cell.Tip)
}

func show(t *testing.T, d *model.Document) *shown {
	t.Helper()
	app := test.NewTempApp(t)
	s := &shown{pane: &pane{}}
	s.Panel = New(s.pane, paint.NewStyle(), work.Inline(context.Background()), d, Options{
		OnMenu:   func(fyne.Position) { s.pane.menus++ },
		OnSelect: func(at model.Path, all doc.Nodes) { s.at, s.all = append(s.at, at), all },
		OnCopy:   func(_ *model.Document, all doc.Nodes, _ ...string) { s.pane.copied = all },
		OnOpen:   func() { s.did += "open" }, OnPreview: func() { s.did += "preview" }})
	w := app.NewWindow("t")
	t.Cleanup(w.Close)
	w.SetContent(s.Content())
	w.Resize(fyne.NewSize(700, 400))
	return s
}

// listed returns the names of the rows.
func (s *shown) listed() (names []string) {
	for row := range s.listing.Len() {
		names = append(names, s.name(row))
	}
	return names
}

func (s *shown) taken(t *testing.T) (names []string) {
	t.Helper()
	nodes, _, err := s.all(context.Background())
	require.NoError(t, err)
	for _, n := range nodes {
		names = append(names, n.PathText())
	}
	return names
}

func (s *shown) press(key fyne.KeyName) { s.rows.TypedKey(&fyne.KeyEvent{Name: key}) }

func TestOnlyFolderIsOpened(t *testing.T) {
	s := show(t, document("res/art/t10.png", "res/art/t2.png"))
	assert.Equal(t, []string{"..", "t2.png", "t10.png"}, s.listed())
	s.press(fyne.KeyBackspace)
	s.press(fyne.KeyBackspace)
	assert.Equal(t, []string{"res"}, s.listed(), "the user left it")
}

func TestEnteringAndLeavingFolders(t *testing.T) {
	s := show(t, document("b.png", "art/t10.png", "art/t2.png", "sound/a.wav"))
	assert.Equal(t, []string{"art", "sound", "b.png"}, s.listed())
	assert.Equal(t, "2 folders, 1 asset", s.count.Text)
	s.rows.SetCurrent(0)
	s.press(fyne.KeyReturn)
	assert.Equal(t, []string{"..", "t2.png", "t10.png"}, s.listed())
	s.press(fyne.KeyDown)
	s.press(fyne.KeyUp)
	assert.Equal(t, []model.Path{{2}}, s.at[len(s.at)-1:])
	s.press(fyne.KeyReturn)
	s.press(fyne.KeySpace)
	assert.Equal(t, "openpreview", s.did)
	s.press(fyne.KeyBackspace)
	assert.Equal(t, []string{"art", "sound", "b.png"}, s.listed())
	s.sort(bySize, rows.Descending)
	assert.Equal(t, []string{"art", "sound", "b.png"}, s.listed(), "500 bytes in art, 400 in sound")
}

func TestAFilterThatFindsNothingKeepsTheSelection(t *testing.T) {
	s := show(t, document("b.png", "art/t10.png", "art/t2.png"))
	for row, name := range s.listed() {
		s.rows.SetCurrent(int64(row))
		s.filterField.SetText("z")
		s.filterField.SetText("zz")
		assert.Empty(t, s.listed())
		s.press(fyne.KeyEscape)
		_, current := s.selection()
		assert.Equal(t, name, s.name(current))
	}
}

func TestAFolderIsEnteredWithSomethingSelected(t *testing.T) {
	s := show(t, document("b.png", "art/x/1.png", "art/t2.png"))
	at := func() string {
		selected, current := s.selection()
		assert.EqualValues(t, 1, selected.Count())
		return s.name(current)
	}
	s.rows.SetCurrent(0)
	s.press(fyne.KeyReturn)
	assert.Equal(t, []string{"..", "x", "t2.png"}, s.listed())
	assert.Equal(t, "x", at())
	s.press(fyne.KeyReturn)
	assert.Equal(t, "1.png", at())
	assert.Equal(t, model.Path{1}, s.at[len(s.at)-1], "it is shown, too")
	s.press(fyne.KeyBackspace)
	assert.Equal(t, "x", at(), "where one came from")
	s.press(fyne.KeyUp)
	s.press(fyne.KeyReturn)
	assert.Equal(t, "art", at())
}

func TestSelectionOfAllHasNoCurrentAsset(t *testing.T) {
	s := show(t, document("b.png", "art/t10.png", "art/t2.png"))
	s.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
	assert.Equal(t, []model.Path{{}}, s.at, "the file as a whole, which opens nothing in the tree")
	assert.Len(t, s.taken(t), 3)
	s.rows.SetCurrent(1)
	s.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
	assert.Equal(t, model.Path{0}, s.at[len(s.at)-1], "the current one stays")
	assert.Len(t, s.taken(t), 3)
}

const bySize = 2

func TestFolderCountsForItsAssets(t *testing.T) {
	s := show(t, document("b.png", "art/x/1.png", "art/2.png", "sound/a.wav"))
	s.rows.SetCurrent(0)
	s.selectionChanged()
	assert.ElementsMatch(t, []string{"/1", "/2"}, s.taken(t))
	s.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
	assert.Len(t, s.taken(t), 4)
	s.rows.TypedShortcut(&fyne.ShortcutCopy{})
	require.NotNil(t, s.pane.copied)
	s.all = s.pane.copied
	assert.Len(t, s.taken(t), 4)
	s.drag(0, fyne.Position{})
	require.NotNil(t, s.pane.drawn)
	assert.ElementsMatch(t, []string{"art", "sound"}, s.pane.folders)
	s.menu(0, fyne.Position{})
	assert.Equal(t, 1, s.pane.menus)
}

func TestSortingKeepsTheSelection(t *testing.T) {
	s := show(t, document("x.png", "k.png", "deep/1.png", "a.png"))
	s.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
	assert.Equal(t, []rows.Interval{{From: 0, To: 4}}, intervals(s))
	s.rows.Select(2, rows.SingleRow(2))
	assert.Equal(t, []string{"deep", "a.png", "k.png", "x.png"}, s.listed())
	selected := rows.SingleRow(1)
	selected.Add(3, 4)
	s.rows.Select(1, selected)
	s.sort(0, rows.Descending)
	assert.Equal(t, []string{"deep", "x.png", "k.png", "a.png"}, s.listed())
	assert.Equal(t, []rows.Interval{{From: 1, To: 2}, {From: 3, To: 4}}, intervals(s))
	assert.EqualValues(t, 3, s.rows.Current())
	s.filterField.SetText("x")
	assert.Equal(t, []rows.Interval{{From: 0, To: 1}}, intervals(s))
}

func TestSelectAllOmitsTheParentRow(t *testing.T) {
	s := show(t, document("b.png", "art/x.png", "art/k.png"))
	s.enter(1)
	s.rows.TypedShortcut(&fyne.ShortcutSelectAll{})
	assert.Equal(t, []rows.Interval{{From: 1, To: 3}}, intervals(s))
	assert.Equal(t, "2 selected, 500 B · type T · in art/", s.count.Text)
}

func intervals(s *shown) []rows.Interval {
	selected, _ := s.selection()
	return selected.All()
}

func TestFilterSearchesSubfoldersAndReportsErrors(t *testing.T) {
	s := show(t, document("b.png", "art/bb.png", "art/t2.png", "sound/a.wav"))
	assert.Equal(t, "Part of a name, *.png, size > 1 MB, type = T", s.filterField.PlaceHolder)
	s.filterField.SetText("B")
	assert.ElementsMatch(t, []string{"b.png", "bb.png"}, s.listed())
	assert.Equal(t, "2 of 4 assets", s.count.Text)
	cell := (*rowSource)(s.Panel).Cell(1, 0)
	assert.Equal(t, paint.Piece{Text: "bb", Highlighted: true}, cell.Pieces[0])
	assert.Equal(t, "art/", cell.Hint+(*rowSource)(s.Panel).Cell(0, 0).Hint)
	s.filterField.SetText("size >= 300 and a")
	assert.Equal(t, []string{"a.wav", "t2.png"}, s.listed(), "names count before folders")
	s.filterField.SetText("weight > 1")
	assert.Contains(t, s.filter.Problem(), `Unknown column "weight"`)
	assert.Equal(t, []string{"a.wav", "t2.png"}, s.listed(), "what is there stays")
	s.filterField.SetText("zzz")
	assert.Empty(t, s.filter.Problem())
	assert.Equal(t, "No matches", s.count.Text)
	s.filterField.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	assert.Equal(t, []string{"art", "sound", "b.png"}, s.listed())
}

func TestSelectedFolderIsReported(t *testing.T) {
	s := show(t, document("b.png", "art/t10.png", "art/t2.png"))
	told := ""
	s.OnGroup = func(_ *model.Document, name string, all []int, f archive.Facts) {
		told = fmt.Sprint(name, all, f.Size)
	}
	s.press(fyne.KeyDown)
	assert.Equal(t, "art[1 2] 500", told)
	assert.Empty(t, s.at[len(s.at)-1], "the tree opens nothing")
	told = ""
	s.press(fyne.KeyDown)
	assert.Empty(t, told, "an asset is none")
	s.press(fyne.KeyUp)
	s.press(fyne.KeyReturn)
	told = ""
	s.press(fyne.KeyDown)
	assert.Empty(t, told, "nor is the way up")
}

func TestSelectedFolderIsReportedAfterTheListChanged(t *testing.T) {
	s := show(t, document("b.png", "art/t10.png", "art/t2.png"))
	told := ""
	s.OnSelect = func(model.Path, doc.Nodes) { s.rows.SetCurrent(-1) }
	s.OnGroup = func(_ *model.Document, name string, all []int, f archive.Facts) {
		told = fmt.Sprint(name, all, f.Size)
	}
	s.press(fyne.KeyDown)
	assert.Equal(t, "art[1 2] 500", told)
	_, ok := s.listing.group(-1)
	assert.False(t, ok, "no row is no folder")
}

func TestWordsMatchNamesFirst(t *testing.T) {
	d := document("note.png", "b.png", "art/c.png")
	for i, kind := range []string{"T", "Notepad", "Map"} {
		d.Payloads.At(i).Type = kind
	}
	s := show(t, d)
	s.filterField.SetText("note")
	assert.Equal(t, []string{"note.png"}, s.listed(), "not what is of a type that has the word")
	assert.Equal(t, "1 of 3 assets", s.count.Text)
	s.filterField.SetText("notepad")
	assert.Equal(t, []string{"b.png"}, s.listed())
	assert.Equal(t, "1 of 3 assets, by type", s.count.Text)
	s.filterField.SetText("type = Map")
	assert.Equal(t, "1 of 3 assets", s.count.Text)
}

func TestFilterSearchesAllIfItsFolderHasNoMatches(t *testing.T) {
	s := show(t, document("b.png", "art/t10.png", "art/t2.png"))
	s.rows.SetCurrent(0)
	s.press(fyne.KeyReturn)
	s.filterField.SetText("t2")
	assert.Equal(t, "1 of 2 assets", s.count.Text)
	s.filterField.SetText("b.png")
	assert.Equal(t, []string{"b.png"}, s.listed())
	assert.Equal(t, "1 of 3 assets, none in art", s.count.Text)
	s.filterField.SetText("zzz")
	assert.Empty(t, s.filter.Problem())
	assert.Equal(t, "No matches", s.count.Text)
}

func TestSelectionElsewhereIsRevealed(t *testing.T) {
	d := document("b.png", "art/t10.png", "art/t2.png", "sound/a.wav")
	s := show(t, d)
	s.Select(doc.Selection{Document: d, Node: d.Root().Child(1)})
	assert.Equal(t, []string{"..", "t2.png", "t10.png"}, s.listed())
	assert.Equal(t, int64(2), s.rows.Current())
	assert.Empty(t, s.at, "it does not tell who told it")
	other := document("x", "y")
	s.Select(doc.Selection{Document: other, Node: other.Root()})
	assert.Equal(t, []string{"x", "y"}, s.listed(), "another reading of the file")
}

func TestSelectionBeforeReadingIsRevealed(t *testing.T) {
	app := test.NewTempApp(t)
	d := document("b.png", "art/t10.png", "art/t2.png")
	s := &shown{pane: &pane{}}
	s.Panel = New(s.pane, paint.NewStyle(), work.Inline(context.Background()), d, Options{})
	s.Select(doc.Selection{Document: d, Node: d.Root().Child(2)})
	w := app.NewWindow("t")
	t.Cleanup(w.Close)
	w.SetContent(s.Content())
	assert.Equal(t, []string{"..", "t2.png", "t10.png"}, s.listed())
	assert.Equal(t, 2, s.Current())
}

func TestCommandAssetsAreTheOpenFolders(t *testing.T) {
	s := show(t, document("x/a.png", "x/b.png", "y/c.png"))
	assert.Len(t, s.CommandAssets(), 3)
	s.enter(1)
	assert.Equal(t, []int{0, 1}, s.CommandAssets())
	s.filterField.SetText("c.png")
	assert.Equal(t, []int{2}, s.CommandAssets(), "the matches")
	assert.Equal(t, "y/", (*tileSource)(s.Panel).Tile(0).Where)
	s.filterField.SetText("")
	assert.Empty(t, (*tileSource)(s.Panel).Tile(1).Where, "the path is above the list")
}

func TestModesShareTheSelection(t *testing.T) {
	s := show(t, document("a.png", "b.png", "c.txt"))
	s.rows.SetCurrent(1)
	for m := range modeNames {
		s.modeChoice.SetSelectedIndex(m)
		assert.Equal(t, 1, s.Current(), modeNames[m])
	}
	tile := (*tileSource)(s.Panel).Tile(2)
	assert.Equal(t, "c.txt 300 B TXT", fmt.Sprintf("%s %s %s", tile.Name, tile.Note, tile.Word))
	s.typeAhead("c")
	assert.Equal(t, 2, s.Current())
	s.groupingChoice.SetSelected("By type")
	assert.Equal(t, []string{"T"}, s.listed())
}

func TestAnotherModeShowsTheSelection(t *testing.T) {
	var all []string
	for i := range 1000 {
		all = append(all, fmt.Sprintf("tex_%04d.png", i))
	}
	s := show(t, document(all...))
	s.Content().Resize(fyne.NewSize(900, 600))
	for _, at := range []int64{30, 700} {
		s.rows.Select(at, rows.SingleRow(at))
		for _, m := range []mode{tileMode, detailsMode, listMode, tileMode, detailsMode} {
			s.modeChoice.SetSelectedIndex(int(m))
			var first, page int64
			if g, ok := s.view().(*rows.Grid); ok {
				g.OnVisible = func(from, to int64, _ float32) { first, page = from, to-from }
				g.Refresh()
			} else {
				first, page = s.rows.First(), s.rows.Page()
			}
			assert.LessOrEqual(t, first, at, modeNames[m])
			assert.GreaterOrEqual(t, first+page, at, modeNames[m])
			assert.Less(t, page, int64(150))
		}
	}
}

func TestAGroupingStaysWithOtherAssets(t *testing.T) {
	s := show(t, document("art/a.png", "b.png"))
	s.groupingChoice.SetSelected("Flat list")
	assert.Equal(t, []string{"a.png", "b.png"}, s.listed())
	assert.Equal(t, "art/", (*rowSource)(s.Panel).Cell(0, 0).Hint, "it tells the folder that is not shown")
	other := document("x/y.png", "z.png")
	s.Select(doc.Selection{Document: other, Node: other.Root()})
	assert.Equal(t, []string{"y.png", "z.png"}, s.listed())
	s.groupingName = "By nothing that these assets have"
	s.regroup(nil)
	assert.Equal(t, []string{"x", "z.png"}, s.listed())
}

func TestListingStaysUntilItIsRegrouped(t *testing.T) {
	s := show(t, document("art/a.png", "b.png"))
	s.filterField.SetText("weight > 1") // reports the error and keeps the list
	s.groupingChoice.SetSelected("Flat list")
	assert.Equal(t, []string{"art", "b.png"}, s.listed())
	assert.Equal(t, "art", (*rowSource)(s.Panel).Cell(0, 0).Text)
	s.press(fyne.KeyDown)
	s.EnterParent()
	s.filterField.SetText("")
	assert.Equal(t, []string{"a.png", "b.png"}, s.listed())
}

func TestListSettingsAreStored(t *testing.T) {
	s := show(t, document("b.png", "a.txt", "c.wav"))
	s.sort(1, rows.Descending)
	s.rows.OnResize(0, 10)
	s.modeChoice.SetSelected("Thumbnails")
	assert.True(t, s.sizeBox.Visible())
	s.tiles.OnZoom(1)
	assert.InDelta(t, 120, s.settings.Side, 1)
	again := New(s.pane, s.style, work.Inline(context.Background()), s.document, Options{OnSelect: s.OnSelect})
	assert.Equal(t, s.settings, again.settings)
	assert.Equal(t, tileMode, again.mode)
	again.Content()
	assert.Equal(t, archive.Type, again.sortColumn)
	assert.Equal(t, rows.Descending, again.sortOrder)
	assert.Equal(t, s.rows.Widths(), again.rows.Widths())
	again.setSide(10_000)
	assert.EqualValues(t, maxSide, again.settings.Side)
}

func TestCommonFactsOfSelectedAssets(t *testing.T) {
	d := document("art/b.png", "art/x/c.png", "a.txt")
	s := show(t, d)
	s.SetGrouping("Flat list")
	var all rows.Intervals
	all.Add(1, 3)
	s.rows.SetCurrent(1)
	s.rows.SetSelection(all)
	s.selectionChanged()
	assert.Regexp(t, "^2 selected, [0-9.]+ [KM]?B · type T · in art/$", s.count.Text)
	d = document("art/b.png", "art/x/c.png", "a.txt")
	d.Payloads.(model.PayloadList)[1].Size = -1
	s = show(t, d)
	s.SetGrouping("Flat list")
	s.rows.SetCurrent(1)
	s.rows.SetSelection(all)
	s.selectionChanged()
	assert.Regexp(t, "^2 selected, at least [0-9.]+ [KM]?B · type T · in art/$", s.count.Text)
	s.rows.SetCurrent(1)
	s.selectionChanged()
	assert.Equal(t, "3 assets", s.count.Text)
}

func TestIconsFollowTheExtension(t *testing.T) {
	s := show(t, document("b.png", "a.txt", "c.unknown"))
	s.setMode(listMode)
	assert.Equal(t, []rows.Icon{rows.Text, rows.Image, rows.File}, []rows.Icon{(*tileSource)(s.Panel).Tile(0).Icon,
		(*tileSource)(s.Panel).Tile(1).Icon, (*tileSource)(s.Panel).Tile(2).Icon})
}

func TestAFolderHasTheSumOfCounts(t *testing.T) {
	d := document("b.png", "art/a.png", "art/c.png", "none/d.png")
	counts := []any{uint64(5), uint64(2), uint64(40), nil}
	d.Tables = []model.TableSource{{Name: "T", Assets: true, Open: func(context.Context) (*model.Table, error) {
		return &model.Table{Rows: 4, Columns: []model.Column{{Name: "problems", Numeric: true, Sum: true}},
			Cell: func(row int64, _ int) any { return counts[row] }}, nil
	}}}
	s := show(t, d)
	column := len(s.columns) - 1
	assert.Equal(t, "42", (*rowSource)(s.Panel).Cell(0, column).Text)
	assert.Empty(t, (*rowSource)(s.Panel).Cell(1, column).Text)
	counts[1] = uint64(3)
	s.Refresh()
	assert.Equal(t, "43", (*rowSource)(s.Panel).Cell(0, column).Text)
}

func TestChecksumsOfSmallFilesAreVerifiedAtOnce(t *testing.T) {
	d := document("a.png", "packed.png", "huge.png", "last.png")
	checks := ""
	for i, p := range d.Payloads.(model.PayloadList) {
		p.Verify = func(context.Context) (model.Verdict, string, error) {
			checks += p.Name + " "
			return model.Valid, "", nil
		}
		switch i {
		case 1:
			p.Size, p.Codec = -1, "deflate"
		case 2:
			p.Size = maxVerified
		}
	}
	s := show(t, d)
	assert.Equal(t, "a.png ", checks, "not what may expand to any size, and as much as the limit")
	checks = ""
	s.Verify()
	assert.Len(t, strings.Fields(checks), 4, "the command verifies all")
}

func TestBackAndForwardThroughFolders(t *testing.T) {
	s := show(t, document("a/b/one.png", "a/two.png", "c/three.png"))
	at := func() string { return strings.Join(s.listed(), " ") }
	root := at()
	assert.False(t, s.Back(), "nothing was visited before")
	s.enter(s.tree.Find([]string{"a"}))
	inA := at()
	s.enter(s.tree.Find([]string{"a", "b"}))
	assert.Contains(t, at(), "one.png")
	assert.True(t, s.Back())
	assert.Equal(t, inA, at())
	assert.True(t, s.Back())
	assert.Equal(t, root, at())
	assert.False(t, s.Back())
	assert.True(t, s.Forward())
	assert.Equal(t, inA, at())
	s.EnterParent()
	s.enter(s.tree.Find([]string{"c"}))
	assert.False(t, s.Forward(), "another way was taken")
	assert.True(t, s.Back())
	assert.Equal(t, root, at())
	s.groupingChoice.SetSelected("By type")
	assert.False(t, s.Back(), "these groups are others")
}
