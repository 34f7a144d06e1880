package doc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/notes"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/hex"
	"assay/ui/host"
	"assay/ui/noted"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/tree"
	"assay/ui/work"
)

const itemSize = 16

// content returns a head of 16 bytes, n items of 16 bytes, and a tail of 4 bytes that is not decoded.
func content(n int) []byte {
	b := make([]byte, 16+n*itemSize+4)
	copy(b, "HEAD")
	for i := range n {
		copy(b[16+i*itemSize:], fmt.Sprintf("item %d", i))
	}
	copy(b[len(b)-4:], "tail")
	return b
}

// document returns a document of that content: the second item has a problem, and a link to the fourth.
func document(n int) *model.Document {
	b := content(n)
	src := model.NewSource("made.bin", bytes.NewReader(b), int64(len(b)))
	root := &model.Node{Type: "File", Span: model.Span{Size: int64(len(b))}}
	items := &model.Node{Name: "items", Type: "Item[]", Span: model.Span{Offset: 16, Size: int64(n * itemSize)}}
	items.SetChildren(&model.Elements{Count: n, Make: func(i int) *model.Node {
		at := int64(16 + i*itemSize)
		item := &model.Node{Type: "Item", Key: fmt.Sprint("key", i), Parent: items,
			Span: model.Span{Offset: at, Size: itemSize}}
		label := &model.Node{Name: "label", Type: "string", Value: fmt.Sprint("item ", i),
			Span: model.Span{Offset: at, Size: 8}}
		next := &model.Node{Name: "next", Type: "u64", Value: uint64(i + 2), Span: model.Span{Offset: at + 8, Size: 8}}
		if i == 1 {
			next.Warnf(model.Error, next.Span, "made: next is wrong")
			next.Link = &model.Link{Key: "key3"}
		}
		if i == 2 {
			next.Link = &model.Link{File: "other.bin", Key: "k"}
		}
		if i == 3 {
			next.Link = &model.Link{File: "../../etc/passwd"}
		}
		item.SetChildren(model.List{label, next})
		return item
	}, Lookup: func(off int64) (int, int) { i := int(off-16) / itemSize; return i, i + 1 }})
	root.SetChildren(model.List{{Name: "head", Type: "bytes",
		Value: model.Blob{Source: src, Span: model.Span{Size: 16}}, Span: model.Span{Size: 16}}, items})
	d := model.NewDocument(src, "made", "1", root)
	d.Why = "it is made"
	d.FindKey = func(key string) (model.Path, bool) {
		var i int
		if _, err := fmt.Sscanf(key, "key%d", &i); err != nil || i >= n {
			return nil, false
		}
		return model.Path{1, i}, true
	}
	d.Groups = []model.Grouping{{Name: "by number", Build: func(context.Context) (*model.Node, error) {
		even := &model.Node{Name: "even", Type: "Group"}
		var list model.List
		for i := 0; i < n; i += 2 {
			path := model.Path{1, i}
			list = append(list, &model.Node{Name: fmt.Sprint("item", i), Type: "Item",
				Link: &model.Link{Target: func() (model.Path, bool) { return path, true }}})
		}
		even.SetChildren(list)
		root := &model.Node{Type: "Groups"}
		root.SetChildren(model.List{even})
		return root, nil
	}}}
	return d
}

// tab is the tab of a pane. It records requests.
type tab struct {
	host.None
	noted.Host
	notices []host.Notice

	explained string
	copied    string
	opened    string
	inside    *model.Source
}

func (h *tab) Notify(n host.Notice) { h.notices = append(h.notices, n) }

func (h *tab) Explain(_, text string) { h.explained = text }
func (*tab) PlaceNotes(context.Context, *model.Document, *notes.Placement) (*notes.Placement, error) {
	return nil, nil
}
func (h *tab) Copy(text string)                                   { h.copied = text }
func (h *tab) Open(path, key string)                              { h.opened = path + " " + key }
func (h *tab) OpenAsset(src *model.Source, _ *model.Payload)      { h.inside = src }
func (*tab) NodeMenu(fyne.Position)                               {}
func (*tab) BytesMenu(fyne.Position)                              {}
func (*tab) Stale()                                               {}
func (*tab) Replaced(_, _ *model.Document)                        {}
func (*tab) Drag(*model.Document, doc.Nodes, ...string) rows.Drag { return nil }

type shown struct {
	*doc.Pane
	*tab
	t      *testing.T
	window fyne.Window
	tree   *tree.Tree
	hex    *hex.Hex
}

func show(t *testing.T, d *model.Document) *shown {
	t.Helper()
	test.NewTempApp(t)
	s := &shown{t: t, tab: new(tab)}
	s.Pane = doc.New(s.tab, d, paint.NewStyle(), work.Inline(context.Background()))
	s.Center.ShowTitled("Hex")
	s.window = test.NewTempWindow(t, s.Content())
	s.window.Resize(fyne.NewSize(1300, 800))
	for _, o := range test.LaidOutObjects(s.Content()) {
		switch o := o.(type) {
		case *tree.Tree:
			s.tree = o
		case *hex.Hex:
			s.hex = o
		}
	}
	require.NotNil(t, s.tree)
	require.NotNil(t, s.hex)
	return s
}

func (s *shown) at() string {
	if n := s.Selection().Node; n != nil {
		return n.PathText()
	}
	return "nowhere"
}

func (s *shown) treeAt() string {
	if n := s.tree.Current(); n != nil {
		return n.PathText()
	}
	return "nowhere"
}

func (s *shown) facts() string {
	var texts []string
	for _, f := range s.Facts() {
		texts = append(texts, f.Text)
	}
	return strings.Join(texts, " | ")
}

func rowsOf(t *testing.T, o fyne.Widget) *rows.Rows {
	r, ok := test.WidgetRenderer(o).Objects()[0].(*rows.Rows)
	require.True(t, ok)
	return r
}

func (s *shown) fields() []*control.Field {
	var all []*control.Field
	for _, o := range test.LaidOutObjects(s.Content()) {
		if f, ok := o.(*control.Field); ok && f.Visible() {
			all = append(all, f)
		}
	}
	return all
}

// captions returns the visible captions.
func (s *shown) captions() (texts []string) {
	for _, o := range test.LaidOutObjects(s.Content()) {
		if l, ok := o.(*control.Caption); ok && l.Visible() {
			texts = append(texts, l.Text)
		}
	}
	return texts
}

func (s *shown) tables() []*rows.Table {
	var all []*rows.Table
	for _, o := range test.LaidOutObjects(s.Content()) {
		if f, ok := o.(*rows.Table); ok {
			all = append(all, f)
		}
	}
	return all
}

func key(k fyne.KeyName) *fyne.KeyEvent { return &fyne.KeyEvent{Name: k} }

func TestTreeSelectsBytes(t *testing.T) {
	s := show(t, document(1000))
	r := rowsOf(t, s.tree)
	r.TypedKey(key(fyne.KeyHome))
	for _, k := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyRight, fyne.KeyRight, fyne.KeyDown,
		fyne.KeyDown} {
		r.TypedKey(key(k))
	}
	assert.Equal(t, "/items/2", s.at())
	assert.EqualValues(t, 48, s.hex.Caret())
	assert.Contains(t, s.facts(), "0x30 +16")
	way := s.Breadcrumbs()
	assert.Equal(t, []string{"made.bin", "items", "2 key2"}, []string{way[0].Text, way[1].Text, way[2].Text})
	way[1].On()
	assert.Equal(t, "/items", s.at())
	assert.Equal(t, "/items", s.treeAt())
}

func TestByteSelectsItsOwner(t *testing.T) {
	s := show(t, document(1000))
	s.hex.OnSelect(16 + 700*itemSize + 9)
	assert.Equal(t, "/items/700/next", s.at())
	assert.Equal(t, "/items/700/next", s.treeAt())
	s.hex.OnSelect(3)
	assert.Equal(t, "/head", s.treeAt())
	s.hex.OnSelect(16 + 1000*itemSize + 2)
	assert.Equal(t, "/gap/0", s.treeAt(), "a byte that nothing explains is in its gap")
	s.hex.OnRange(5, 4)
	assert.Contains(t, s.facts(), "0x5 +4")
}

func TestKeysSelectARange(t *testing.T) {
	s := show(t, document(10))
	s.GoTo(20)
	r := rowsOf(t, s.hex)
	r.KeyDown(key(desktop.KeyShiftLeft))
	for range 3 {
		r.TypedKey(key(fyne.KeyRight))
	}
	r.KeyUp(key(desktop.KeyShiftLeft))
	assert.EqualValues(t, 4, s.Selection().Length)
	assert.Contains(t, s.facts(), "0x14 +4")
	_, bytes := s.NoteTarget()
	assert.Equal(t, &model.Span{Offset: 20, Size: 4}, bytes)
}

// A valid file may have a scene that is not drawn correctly: then the status has no "No problems".
func TestPreviewProblemsAreInTheStatus(t *testing.T) {
	s := show(t, document(10))
	*s.Report() = model.Report{Accounted: s.Document().Source.Size()}
	assert.Contains(t, s.facts(), "No problems")
	s.ViewRemarks = func() []string { return []string{"wall.png was not found", "the material is a guess"} }
	assert.NotContains(t, s.facts(), "No problems")
	assert.Contains(t, s.facts(), "2 problems in preview")
	last := s.Facts()[len(s.Facts())-1]
	assert.Equal(t, paint.Warning, last.Tone)
	assert.Equal(t, "wall.png was not found.", last.Hint)
	last.On()
	assert.Equal(t, "wall.png was not found.\n\nThe material is a guess.", s.explained, "all of it can be read")
	s.ViewRemarks = func() []string { return []string{"guessed: a", "wall.png was not found"} }
	assert.Contains(t, s.facts(), "1 problem, 1 guess in preview")
	s.ViewRemarks = func() []string { return []string{"guessed: a", "guessed: b"} }
	facts := s.Facts()
	assert.Equal(t, "No problems", facts[len(facts)-1].Text)
	assert.Equal(t, "2 guesses in preview", facts[len(facts)-2].Text)
	assert.Equal(t, paint.Dim, facts[len(facts)-2].Tone)
}

func TestReportIsShown(t *testing.T) {
	s := show(t, document(10))
	require.NotNil(t, s.Report())
	assert.Contains(t, s.facts(), "made 1 | 180 bytes | 97.8% decoded | 1 problem, 1 minor")
	facts := s.Facts()
	assert.Equal(t, paint.Error, facts[len(facts)-1].Tone)
	facts[len(facts)-1].On()
	problems := s.tables()[0]
	rowsOf(t, problems).TypedKey(key(fyne.KeyHome))
	assert.Equal(t, "/items/1/next", s.at())
	assert.EqualValues(t, 16+16+8, s.hex.Caret())
	facts[len(facts)-2].On()
	assert.Equal(t, "/gap", s.at(), "what is not decoded for leads to the gaps")
	facts[1].On()
	assert.Equal(t, "Format: made 1. It is made.", s.notices[0].Text)
	s.ToggleProblems()
	assert.NotContains(t, s.tables(), problems, "it is closed")
}

func TestGoToOffsetTakesOffsetsFromTheEnd(t *testing.T) {
	s := show(t, document(1000))
	s.GoToOffset()
	bar := s.window.Canvas().Focused().(*control.Field)
	bar.SetText("end-4")
	bar.TypedKey(key(fyne.KeyReturn))
	assert.Equal(t, "/gap/0", s.at())
	s.GoToOffset()
	bar.SetText("-16")
	bar.TypedKey(key(fyne.KeyReturn))
	assert.Equal(t, "/items/999/label", s.at())
	s.GoToOffset()
	bar.SetText("0xffffff")
	bar.TypedKey(key(fyne.KeyReturn))
	last := func() string { return s.notices[len(s.notices)-1].Text }
	assert.Contains(t, last(), "past the end")
	bar.TypedKey(key(fyne.KeyEscape))
	assert.Empty(t, last(), "the notice goes with the bar")
	assert.True(t, s.hex.Focused())
}

func TestFindWrapsAround(t *testing.T) {
	s := show(t, document(50))
	s.Find()
	bar := s.window.Canvas().Focused().(*control.Field)
	bar.SetText("ITEM 4")
	var found []int64
	for range 12 {
		bar.TypedKey(key(fyne.KeyReturn))
		found = append(found, (s.hex.Caret()-16)/itemSize)
	}
	assert.Equal(t, []int64{4, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 4}, found)
	assert.Equal(t, "/items/4/label", s.at())
	assert.Contains(t, s.captions(), "1 of 11 · Wrapped to the start")
	bar.TypedKey(key(fyne.KeyReturn))
	assert.Contains(t, s.captions(), "2 of 11")
	s.FindPrevious()
	s.FindPrevious()
	assert.EqualValues(t, 16+49*itemSize, s.hex.Caret(), "backwards from the first is the last")
	bar.SetText("nowhere to be found")
	s.FindNext()
	assert.EqualValues(t, 16+49*itemSize, s.hex.Caret())
	bar.SetText("item 4")
	s.FindAll()
	results := s.tables()[0]
	r := rowsOf(t, results)
	assert.EqualValues(t, 11, r.Len())
	s.window.Canvas().Capture()
	r.TypedKey(key(fyne.KeyEnd))
	assert.Equal(t, "/items/49/label", s.at())
}

func TestBackAndForwardFollowTheVisitedNodes(t *testing.T) {
	s := show(t, document(100))
	for _, p := range []model.Path{{0}, {1, 5}, {1, 50, 1}} {
		s.Select(p)
	}
	s.Back()
	assert.Equal(t, "/items/5", s.at())
	s.Back()
	assert.Equal(t, "/head", s.at())
	s.Forward()
	assert.Equal(t, "/items/5", s.treeAt())
	s.Select(model.Path{1, 7})
	s.Forward()
	assert.Equal(t, "/items/7", s.at(), "after a new selection there is nothing to go forward to")
	s.Back()
	s.Back()
	s.Back()
	s.Back()
	assert.Equal(t, "/", s.at())
	s.Select(model.Path{1, 7, 0})
	s.Up()
	assert.Equal(t, "/items/7", s.at())
}

func TestFieldsOfTheFileAreCompleted(t *testing.T) {
	s := show(t, document(100))
	f := s.fields()[0]
	s.FocusFilter()
	test.Type(f, "lab")
	f.TypedKey(key(fyne.KeyTab))
	test.Type(f, `"item 99"`)
	assert.Equal(t, `label = "item 99"`, f.Text)
	assert.EqualValues(t, 3, s.tree.RowCount(), "the file, the list, and the item that has the field")
}

func TestFilterShowsMatchesAndEscapeClearsIt(t *testing.T) {
	s := show(t, document(1000))
	f := s.fields()[0]
	s.FocusFilter()
	f.SetText("nobody has this name")
	assert.True(t, s.tree.NoMatches)
	f.SetText("label 99")
	assert.False(t, s.tree.NoMatches)
	assert.EqualValues(t, 2+2*19, s.tree.RowCount())
	f.TypedKey(key(fyne.KeyDown))
	assert.True(t, s.tree.IsFocused())
	assert.Equal(t, "/items/99/label", s.at(), "the first match, not one of its ancestors")
	rowsOf(t, s.tree).TypedKey(key(fyne.KeyEnd))
	assert.Equal(t, "/items/999/label", s.at())
	rowsOf(t, s.tree).TypedKey(key(fyne.KeyEscape))
	assert.Empty(t, f.Text)
	assert.Equal(t, "/items/999/label", s.treeAt())
	f.SetText("label 99")
	s.hex.OnSelect(20)
	assert.Equal(t, "/items/0/label", s.at(), "what the filter hides can be selected elsewhere")
	assert.Equal(t, "nowhere", s.treeAt())
	s.FocusFilter()
	f.TypedKey(key(fyne.KeyEscape))
	assert.Empty(t, f.Text)
	assert.Positive(t, s.tree.RowCount())
}

func TestLinksAndKeysSelectTheirTargets(t *testing.T) {
	s := show(t, document(100))
	s.Select(model.Path{1, 1, 1})
	rowsOf(t, s.tree).TypedKey(key(fyne.KeyReturn))
	assert.Equal(t, "/items/3", s.at())
	s.Select(model.Path{1, 2, 1})
	s.Follow()
	assert.Contains(t, s.notices[0].Text, "not a file on disk", "there is no folder to look in")
	s.SelectKey("key77")
	assert.Equal(t, "/items/77", s.at())
	s.SelectKey("nobody")
	assert.Contains(t, s.notices[1].Text, "There is no nobody")
	s.OpenInside()
	assert.Contains(t, s.notices[2].Text, "no asset")
}

func TestLeavesOfGroupsSelectTheirNodes(t *testing.T) {
	s := show(t, document(10))
	assert.Equal(t, []string{"File order", "by number"}, s.Groupings())
	s.SetGrouping(1)
	r := rowsOf(t, s.tree)
	for _, k := range []fyne.KeyName{fyne.KeyHome, fyne.KeyDown, fyne.KeyRight, fyne.KeyRight, fyne.KeyDown} {
		r.TypedKey(key(k))
	}
	assert.Equal(t, "/items/2", s.at(), "a group's leaf stands for its node")
	r.TypedKey(key(fyne.KeyReturn))
	r.TypedKey(key(fyne.KeyDown))
	assert.Equal(t, "/items/2/label", s.at())
	s.SetGrouping(0)
	assert.Equal(t, "/items/2/label", s.treeAt())
}

func TestAssetsOpenAsFilesOfTheirOwn(t *testing.T) {
	d := document(10)
	var list model.PayloadList
	for i := range 10 {
		span := model.Span{Offset: int64(16 + i*itemSize), Size: 8}
		list = append(list, &model.Payload{Key: fmt.Sprint("key", i), Name: fmt.Sprint(i, ".bin"),
			Node: d.At(model.Path{1, i}), Size: 8, Stored: span})
	}
	d.Payloads = list
	s := show(t, d)
	s.Select(model.Path{1, 6, 1})
	s.OpenInside()
	require.NotNil(t, s.inside)
	assert.Equal(t, "6.bin", s.inside.Name())
	b, err := s.inside.Bytes(model.Span{Size: 6})
	require.NoError(t, err)
	assert.Equal(t, "item 6", string(b))
	s.Select(model.Path{0})
	s.OpenInside()
	assert.Contains(t, s.notices[0].Text, "not an asset")

	list[3].Forms = []model.Form{{Name: "glb", Write: func(context.Context, io.Writer) error { return nil }}}
	s.inside = nil
	s.Select(model.Path{1, 3, 1})
	s.OpenInside()
	assert.Nil(t, s.inside, "it is no file")
	assert.Equal(t, "/items/3", s.at(), "but a part of this one")
}

func TestCopyTakesTheSelectedNodeOrBytes(t *testing.T) {
	s := show(t, document(10))
	s.Select(model.Path{1, 3, 0})
	s.CopyPath()
	assert.Equal(t, "/items/key3/label", s.copied)
	s.CopyValue()
	assert.Equal(t, "item 3", s.copied)
	s.CopyOffset()
	assert.Equal(t, "0x40", s.copied)
	s.CopyBytes(hex.AsText)
	assert.Equal(t, "item 3\ufffd\ufffd", s.copied)
	s.hex.SetRange(0, 4)
	s.CopyBytes(hex.AsHex)
	assert.Equal(t, "48 45 41 44", s.copied)
	s.tree.Focus()
	rowsOf(t, s.tree).TypedShortcut(&fyne.ShortcutCopy{})
	assert.Equal(t, "item 3", s.copied)
	rowsOf(t, s.tree).TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyJ, Modifier: fyne.KeyModifierControl})
}

func TestReopenKeepsTheSelection(t *testing.T) {
	s := show(t, document(100))
	s.Select(model.Path{1, 60, 1})
	s.Select(model.Path{1, 50})
	before := s.State()
	s.ReplaceDocument(document(120))
	assert.Equal(t, "/items/50", s.at())
	assert.Equal(t, "/items/50", s.treeAt())
	assert.Equal(t, before.Tree.First, s.State().Tree.First)
	assert.Equal(t, before.Tree.Open, s.State().Tree.Open)
	s.ReplaceDocument(document(5))
	assert.Equal(t, "/", s.at(), "what is not there any more is not selected")
}

func TestReopenKeepsTheCaret(t *testing.T) {
	s := show(t, document(100))
	s.SelectByte(0x44)
	s.ReplaceDocument(document(100))
	assert.EqualValues(t, 0x44, s.hex.Caret())
	assert.Contains(t, s.facts(), "0x44", "the status line and the inspector are of the caret")
	assert.EqualValues(t, 0x44, s.Selection().Offset)
}

func TestDocumentOfBytesAlone(t *testing.T) {
	b := []byte("just bytes")
	d := model.NewDocument(model.NewSource("x", bytes.NewReader(b), 10), "bytes", "",
		&model.Node{Span: model.Span{Size: 10}})
	s := show(t, d)
	assert.EqualValues(t, 2, s.tree.RowCount(), "the root and the list of gaps")
	s.hex.OnSelect(4)
	assert.Contains(t, s.facts(), "0.0% decoded")
	assert.NotPanics(t, func() { s.window.Canvas().Capture() })
	empty := model.NewDocument(model.NewSource("x", bytes.NewReader(nil), 0), "bytes", "", &model.Node{})
	s = show(t, empty)
	assert.NotPanics(t, func() {
		s.GoTo(0)
		s.FindNext()
		s.window.Canvas().Capture()
	}, "an empty file")
}

func TestTextTreeAndBytesShareTheSelection(t *testing.T) {
	b := []byte("first = 1\r\nsecond = 22\r\n")
	src := model.NewSource("made.txt", bytes.NewReader(b), int64(len(b)))
	root := &model.Node{Type: "File", Span: model.Span{Size: int64(len(b))}}
	root.SetChildren(model.List{{Name: "first", Type: "string", Value: "1", Span: model.Span{Size: 11}},
		{Name: "second", Type: "string", Value: "22", Span: model.Span{Offset: 11, Size: 13}}})
	s := show(t, model.NewDocument(src, "made", "1", root))
	require.True(t, s.IsText())
	s.FocusText()
	var text *rows.Rows
	for _, o := range test.LaidOutObjects(s.Content()) {
		if r, ok := o.(*rows.Rows); ok && r.Focused() {
			text = r
		}
	}
	require.NotNil(t, text)
	text.TypedKey(key(fyne.KeyDown))
	assert.Equal(t, "/second", s.at())
	assert.Equal(t, "/second", s.treeAt())
	assert.EqualValues(t, 11, s.hex.Caret())
	text.TypedShortcut(&fyne.ShortcutSelectAll{})
	offset, length := s.hex.Range()
	assert.Equal(t, []int64{0, int64(len(b))}, []int64{offset, length})
	assert.Equal(t, int64(len(b)), s.Selection().Length)
	s.Select(model.Path{0})
	text.TypedKey(key(fyne.KeyRight))
	assert.EqualValues(t, 1, s.hex.Caret(), "the caret follows the tree")
	s.SelectByte(15)
	text.TypedKey(key(fyne.KeyRight))
	assert.EqualValues(t, 16, s.hex.Caret(), "and the bytes")
}

// disk is data that cannot be read while broken is true.
type disk struct {
	io.ReaderAt
	broken atomic.Bool
}

func (d *disk) ReadAt(p []byte, off int64) (int, error) {
	if d.broken.Load() {
		return 0, errors.New("input/output error")
	}
	return d.ReaderAt.ReadAt(p, off)
}

func TestFailedReadIsReported(t *testing.T) {
	d := &disk{ReaderAt: bytes.NewReader(make([]byte, 64))}
	root := &model.Node{Type: "Root", Span: model.Span{Size: 64}}
	root.SetChildren(model.List{{Name: "a", Type: "A", Span: model.Span{Size: 64}}})
	document := model.NewDocument(model.NewSource("game.bin", d, 64), "test", "1", root)
	s := show(t, document)
	s.ToggleProblems()
	assert.Contains(t, labels(s), "No problems found: 64 of 64 bytes decoded.")
	assert.Zero(t, s.Report().Count[model.Error])
	d.broken.Store(true)
	_, err := document.Source.ReadAt(make([]byte, 8), 16)
	assert.Error(t, err)
	_, err = document.Source.ReadAt(make([]byte, 8), 24)
	assert.Error(t, err)
	r := s.Report()
	assert.Equal(t, 1, r.Count[model.Error], "once")
	assert.Equal(t, model.Error, r.Worst)
	assert.Equal(t, model.Span{Offset: 16, Size: 8}, r.Problems[0].Span)
	assert.Contains(t, r.Problems[0].Message, "cannot read 8 bytes at 0x10: input/output error")
	assert.Len(t, s.notices, 1)
	assert.Contains(t, s.notices[0].Text,
		"game.bin: cannot read 8 bytes at 0x10: input/output error. The displayed data may be wrong.")
	assert.NotContains(t, labels(s), "No problems found: 64 of 64 bytes decoded.")
}

// labels returns the visible texts.
func labels(s *shown) (all []string) {
	for _, o := range test.LaidOutObjects(s.Content()) {
		if l, ok := o.(*widget.Label); ok && l.Visible() {
			all = append(all, l.Text)
		}
	}
	return all
}

func TestOneLineJSONIsIndented(t *testing.T) {
	b := []byte(`{"ducks": [1, 2]}`)
	src := model.NewSource("made.json", bytes.NewReader(b), int64(len(b)))
	root := &model.Node{Type: "File", Span: model.Span{Size: int64(len(b))}}
	s := show(t, model.NewDocument(src, "made", "1", root))
	s.FocusText()
	all := func() string {
		test.LaidOutObjects(s.Content())
		s.window.Canvas().Focused().(*rows.Rows).TypedShortcut(&fyne.ShortcutSelectAll{})
		s.window.Canvas().Focused().(*rows.Rows).TypedShortcut(&fyne.ShortcutCopy{})
		return s.copied
	}
	assert.Equal(t, "{\n  \"ducks\": [\n    1,\n    2\n  ]\n}", strings.TrimSpace(all()))
	s.ShowHit(model.Span{Offset: 2, Size: 5})
	assert.Equal(t, string(b), all(), "bytes are selected in the text of the file")
}
