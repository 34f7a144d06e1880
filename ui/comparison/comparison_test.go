package comparison

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
	"assay/ui/paint"
	"assay/ui/paint/painttest"
	"assay/ui/work"
)

var (
	oldBoxes = []box{{"apple", 1, "a red apple on the table", "0123456789abcdef"},
		{"pear", 2, "a pear", "the bytes of a pear"}, {"plum", 3, "a plum", "the bytes of a plum, which are many"},
		{"gone", 9, "it will go", "bytes that go away"}}
	newBoxes = []box{{"apple", 5, "a green apple on the table", "0123X56789abcdef"},
		{"pear", 2, "a pear", "the bytes of a pear"}, {"plum", 3, "a plum", "the bytes of a plum, which are many"},
		{"come", 8, "it is new and has another shape", "other bytes that came"}}
)

func boxes(t testing.TB) (*Comparison, *said, fyne.Window) {
	return opened(t, shelf("old.shelf", "1", oldBoxes...), shelf("new.shelf", "1", newBoxes...))
}

// outlined is the rows of the tree in words.
func outlined(c *Comparison) []string {
	var out []string
	for row := range c.list.tree.Len() {
		at := c.list.tree.At(row)
		name := c.list.Describe(at).Cells[nameColumn]
		s := strings.Repeat(" ", at.Depth()) + c.list.pair(at).Status.Sign() + name.Text
		if name.Hint != "" {
			s += " " + name.Hint
		}
		out = append(out, s)
	}
	return out
}

func visit(t testing.TB, c *Comparison, path string) {
	t.Helper()
	for row := range c.list.tree.Len() {
		if c.list.pair(c.list.tree.At(row)).Node().PathText() == path {
			c.list.tree.GoTo(row)
			return
		}
	}
	require.Fail(t, "there is no row "+path)
}

func TestOnlyWhatDiffersIsShown(t *testing.T) {
	c, s, _ := boxes(t)
	assert.Equal(t, []string{"~old.shelf → new.shelf", " ~boxes", "  ~0 apple", "   ~number", "   ~label", "   ~block",
		"  -3 gone", "  +3 come"}, outlined(c))
	assert.Equal(t, "old.shelf : new.shelf", c.Title())
	painttest.Golden(t, "differences", s.style, c.list.tree.Rows)
	painttest.Golden(t, "chips", s.style, c.head.chips)
	painttest.Legible(t, s.style, c.head.chips)

	c.setStates(c.list.states() | 1<<compare.Same)
	assert.Contains(t, outlined(c), "  =1 pear")
	assert.Contains(t, outlined(c), "   =key")
	c.setStates(1 << compare.Added)
	assert.Equal(t, []string{"~old.shelf → new.shelf", " ~boxes", "  +3 come"}, outlined(c))
	test.Tap(c.head.chips)
	painttest.Golden(t, "added", s.style, c.list.tree.Rows)
}

func TestStepsGoFromChangeToChange(t *testing.T) {
	c, s, _ := boxes(t)
	assert.Equal(t, "/", c.pair.Node().PathText(), "several changes: the root lists them")
	var seen []string
	for range 6 {
		c.NextChange()
		seen = append(seen, c.pair.Node().PathText())
	}
	assert.Equal(t, []string{"/boxes/0/number", "/boxes/0/label", "/boxes/0/block", "/boxes/3", "/boxes/3",
		"/boxes/0/number"}, seen)
	assert.Contains(t, s.hints, "From the first change again.")
	c.PreviousChange()
	assert.Equal(t, "/boxes/3", c.pair.Node().PathText())
	assert.Equal(t, compare.Added, c.pair.Status)
	c.PreviousChange()
	assert.Equal(t, compare.Removed, c.pair.Status)
	c.NextChange()
	assert.Equal(t, compare.Added, c.pair.Status)

	c.setStates(1 << compare.Removed)
	c.NextChange()
	assert.Equal(t, compare.Removed, c.pair.Status, "what is not shown is passed over")
}

func TestSearchLooksAtBothSides(t *testing.T) {
	c, _, _ := boxes(t)
	for _, tt := range []struct{ query, want, matches string }{
		{"red", "   ~label", "1 match"},
		{"green", "   ~label", "1 match"},
		{"gone", "  -3 gone", "2 matches"},
		{"come", "  +3 come", "2 matches"},
		{"pear", "", "none among the differences"},
	} {
		c.search.field.SetText(tt.query)
		assert.Equal(t, tt.matches, c.search.matches.Text, tt.query)
		if tt.want != "" {
			assert.Contains(t, outlined(c), tt.want, tt.query)
		} else {
			assert.Len(t, outlined(c), 1)
		}
	}
	c.setStates(allStates)
	assert.Contains(t, outlined(c), "  =1 pear")
	c.search.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, "/boxes/1", c.pair.Node().PathText())
	c.NextChange()
	assert.Equal(t, compare.Removed, c.pair.Status)
	assert.Empty(t, c.search.field.Text, "a change that the search hides ends it")
}

func TestSelectionIsTold(t *testing.T) {
	c, s, _ := boxes(t)
	before := s.status
	visit(t, c, "/boxes/0/label")
	assert.Greater(t, s.status, before)
	painttest.Golden(t, "label", s.style, c.details)
	way, facts := c.Status()
	assert.Equal(t, "label", way[len(way)-1].Text)
	assert.Equal(t, "4 changed, 1 added, 1 removed", facts[len(facts)-1].Text)
	assert.Equal(t, model.Span{Offset: 16, Size: 25}, c.bytes.present.old)

	visit(t, c, "/boxes/0/block")
	painttest.Golden(t, "block", s.style, c.details)
	painttest.Golden(t, "block.old", s.style, c.bytes.views[0])
	painttest.Golden(t, "block.new", s.style, c.bytes.views[1])
	assert.Equal(t, "16 bytes at 0x29, 16 bytes at 0x2b: 1 byte differs in 1 place", c.bytes.info.Text)
}

func TestTheRootListsWhatChanged(t *testing.T) {
	c, s, _ := boxes(t)
	painttest.Golden(t, "root", s.style, c.details)
	for _, l := range c.details.own {
		if l.Link && strings.HasPrefix(l.Cells[0].Text, "+") {
			l.On()
		}
	}
	assert.Equal(t, compare.Added, c.pair.Status)
}

func TestSwap(t *testing.T) {
	c, _, _ := boxes(t)
	visit(t, c, "/boxes/0/number")
	c.Swap()
	assert.Equal(t, "new.shelf : old.shelf", c.Title())
	assert.Equal(t, "/boxes/0/number", c.pair.Node().PathText())
	assert.Equal(t, uint64(1), c.pair.New.Value)
	assert.Contains(t, outlined(c), "  +3 gone")
}

func TestTwoTreesMoveTogether(t *testing.T) {
	c, s, _ := opened(t, longList("a", 5000, nil), longList("b", 5000, map[int]byte{7: 1, 4000: 2}))
	c.setStates(allStates)
	c.ToggleLayout()
	painttest.Golden(t, "two-trees", s.style, c.list.tree.Rows)
	tree := c.list.tree.Rows
	tree.SetFirst(700)
	tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	current := tree.Current()
	c.ToggleLayout()
	assert.Equal(t, current, tree.Current(), "the place stays")
	c.ToggleLayout()
	tree.SetWidths([]float32{30, 100, 50, 60, 100, 50, 60})
	c.list.resized(nameColumn, 200)
	c.list.resized(nameColumn+2*sideColumns-1, 90)
	assert.Equal(t, []float32{30, 100, 50, 90, 200, 50, 60}, tree.Widths(), "both trees have the same columns")
}

func TestLongListsOpenAsOneStretch(t *testing.T) {
	const n = 100_000
	c, _, _ := opened(t, longList("a", n, nil), longList("b", n, map[int]byte{7: 1, 90_000: 2}))
	assert.Equal(t, []string{"~a → b", " ~items", "  ~7 k7", "   ~value", "  ~90000 k90000", "   ~value"}, outlined(c))
	c.setStates(allStates)
	assert.EqualValues(t, n+4, c.list.tree.Len())
	items, _ := c.list.tree.Find(model.Path{0})
	assert.Len(t, items.Open.Level.segments, 1)
	c.goTo(model.Path{0, 90_000, 0})
	assert.EqualValues(t, 90_000+1+2+1, c.list.tree.Rows.Current())
}

func TestRules(t *testing.T) {
	c, _, w := boxes(t)
	assert.False(t, ruled(c.in.options))
	r := newRules(c, compare.Options{Tolerance: 0.5, Names: []string{"number", "label"}})
	r.tolerance.SetText("none")
	_, err := r.options(c.in.options)
	assert.NotEmpty(t, err)
	r.tolerance.SetText("0,25")
	r.times.SetChecked(true)
	o, err := r.options(c.in.options)
	require.Empty(t, err)
	assert.Equal(t, compare.Options{Tolerance: .25, Times: true, Names: []string{"number", "label"}}, o)
	c.in.change(func(rules *compare.Options) { *rules = o })
	assert.True(t, ruled(c.in.options))
	assert.NotContains(t, outlined(c), "   ~number")
	assert.Contains(t, outlined(c), "   ~block")
	c.ShowRules()
	require.NotNil(t, w.Canvas().Overlays().Top())
}

func TestPairByHand(t *testing.T) {
	c, _, _ := boxes(t)
	rows := c.list.tree.Rows
	_, _, ok := c.loose()
	assert.False(t, ok)
	s := rows.Selection()
	s.Add(6, 8)
	rows.SetSelection(s)
	s.Remove(0, 6)
	rows.SetSelection(s)
	old, new, ok := c.loose()
	require.True(t, ok)
	c.picked.pair(old, new)
	assert.Contains(t, outlined(c), "  ~3 come")
	assert.EqualValues(t, 1, c.c.Counts().Added, "under its new key")
	assert.Contains(t, c.head.remarks(), "1 pair made by hand")
}

func TestCopyAndReport(t *testing.T) {
	c, s, _ := boxes(t)
	visit(t, c, "/boxes/0/number")
	c.copyOld()
	c.copyNew()
	c.copyPath()
	c.copyLines()
	assert.Equal(t, []string{"1", "5", "/boxes/0/number", "~ /boxes/0/number 1 -> 5 (+4)"}, s.copied)
	for i, want := range []string{"~ /boxes/0/number", "| changed |", `"changes":[`, "<!doctype html>"} {
		c.SaveReport(i)
		assert.Contains(t, s.saved.String(), want)
		c.CopyReport(i)
		assert.Equal(t, s.saved.String(), s.copied[len(s.copied)-1])
	}
}

func TestWhatChangedCanBeExported(t *testing.T) {
	c, s, _ := boxes(t)
	var keys []string
	s.export = func(d *model.Document, nodes []*model.Node) {
		assert.Same(t, c.in.docs[1], d)
		for _, n := range nodes {
			keys = append(keys, n.Key)
		}
	}
	c.ExportChanged()
	assert.Equal(t, []string{"apple", "come"}, keys)
	visit(t, c, "/boxes/0")
	c.exportSelected()
	assert.Equal(t, []string{"apple", "come", "apple"}, keys)
	c.list.tree.GoTo(6)
	require.Equal(t, compare.Removed, c.pair.Status)
	c.exportSelected()
	assert.Len(t, keys, 3)
	assert.Contains(t, s.hints[len(s.hints)-1], "Nothing here")
}

func TestIdenticalFiles(t *testing.T) {
	c, _, _ := opened(t, shelf("a", "1", oldBoxes...), shelf("a", "1", oldBoxes...))
	assert.True(t, c.c.Identical)
	assert.Equal(t, []string{"=a", " =head", " =boxes"}, outlined(c))
	c.NextChange()
	assert.Equal(t, "/", c.pair.Node().PathText())
}

func TestOtherFormatsAreComparedByBytes(t *testing.T) {
	c, _, _ := opened(t, shelf("a", "1", oldBoxes...), longList("b", 100, nil))
	assert.True(t, c.c.BytesOnly)
	assert.True(t, c.bytes.inWhole)
	assert.Contains(t, c.head.remarks()[0], "different formats")
	require.NotNil(t, c.bytes.whole)
	assert.NotEmpty(t, c.strip.bins[0])
	side, offset, _, ok := c.strip.hit(fyne.NewPos(300, 8))
	assert.True(t, ok)
	assert.Zero(t, side)
	c.strip.Tapped(&fyne.PointEvent{Position: fyne.NewPos(300, 8)})
	assert.Equal(t, c.bytes.whole.place(0, offset), c.bytes.views[0].Caret())
}

func TestTheStripOfAnEmptyFileHasNoOffset(t *testing.T) {
	c, s, _ := opened(t, longList("a", 0, nil), longList("b", 100, nil))
	require.Zero(t, c.c.Old.Source.Size())
	s.hints = nil
	for _, y := range []float32{8, 28} {
		at := fyne.PointEvent{Position: fyne.NewPos(300, y)}
		c.strip.MouseMoved(&desktop.MouseEvent{PointEvent: at})
		c.strip.Tapped(&at)
	}
	require.Len(t, s.hints, 2)
	assert.Empty(t, s.hints[0])
	assert.Contains(t, s.hints[1], "added: /items")
}

func TestStripLeadsToChanges(t *testing.T) {
	c, _, _ := boxes(t)
	lanes := c.strip.lanes(int(c.strip.Size().Width * c.strip.Scale()))
	for side, status := range []compare.Status{compare.Removed, compare.Added} {
		at := fyne.NewPos(float32(lanes[side].Max.X-4)/c.strip.Scale(),
			float32(lanes[side].Min.Y+2)/c.strip.Scale())
		c.strip.Tapped(&fyne.PointEvent{Position: at})
		assert.Equal(t, status, c.pair.Status)
	}
}

func TestVersionsOfAFormat(t *testing.T) {
	c, s, _ := opened(t, shelf("a", "1", oldBoxes...), shelf("a", "2", newBoxes...))
	painttest.Golden(t, "versions", s.style, c.list.tree.Rows)
}

func TestTransformsInWords(t *testing.T) {
	c, s, _ := opened(t, matrices([16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1}),
		matrices([16]float32{2, 0, 0, 0, 0, 0, 2, 0, 0, -2, 0, 0, 0, 1, 5, 1}))
	assert.Equal(t, "/transform", c.pair.Node().PathText())
	painttest.Golden(t, "transform", s.style, c.list.tree.Rows)
	painttest.Golden(t, "transform.details", s.style, c.details)
}

func TestChangedFilesAreComparedAgain(t *testing.T) {
	test.NewTempApp(t)
	folder := t.TempDir()
	var sides [2]Side
	opened := 0
	for i, name := range []string{"a", "b"} {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", 10+i)), 0o600))
		sides[i] = FileSide(path, name, func(_ context.Context, path string) (*model.Document, error) {
			opened++
			src, err := model.OpenFile(path)
			if err != nil {
				return nil, err
			}
			return model.NewDocument(src, "bytes", "", &model.Node{Span: model.Span{Size: src.Size()}}), nil
		})
	}
	c := New(Deps{Host: new(said), Style: paint.NewStyle(), Group: work.Inline(context.Background())}, sides[0],
		sides[1])
	defer c.Close()
	test.NewTempWindow(t, c.Content())
	require.NotNil(t, c.c)
	c.LookForChanges()
	assert.Empty(t, c.notices.Texts())
	require.NoError(t, os.WriteFile(sides[0].Path, []byte("another text"), 0o600))
	require.NoError(t, os.Chtimes(sides[0].Path, time.Time{}, time.Unix(1e9, 0)))
	c.LookForChanges()
	require.Len(t, c.notices.Texts(), 1)
	assert.Contains(t, c.notices.Texts()[0], "changed on disk")
	c.Again()
	assert.Empty(t, c.notices.Texts())
	assert.EqualValues(t, 12, c.in.docs[0].Source.Size())
	assert.Equal(t, 4, opened)
	require.NoError(t, os.Remove(sides[0].Path))
	c.Again()
	require.Len(t, c.notices.Texts(), 1)
	assert.EqualValues(t, 12, c.in.docs[0].Source.Size(), "what was read stays")
}

func TestWhatCannotBeOpenedIsASentence(t *testing.T) {
	test.NewTempApp(t)
	bad := Side{Title: "bad", Open: func(context.Context) (*model.Document, error) {
		return nil,
			errors.New("bad.bin is empty")
	}}
	c := New(Deps{Host: new(said), Style: paint.NewStyle(), Group: work.Inline(context.Background())},
		sideOf(shelf("a", "1")), bad)
	defer c.Close()
	assert.Equal(t, []string{"bad.bin is empty."}, c.notices.Texts())
	c.NextChange()
	c.Find()
	c.setStates(allStates)
	c.CopyReport(0)
	c.ToggleLayout()
	c.Status()
}

func TestClosingEndsTheWork(t *testing.T) {
	test.NewTempApp(t)
	began, ended := make(chan bool), make(chan bool)
	endless := Side{Title: "endless", Open: func(ctx context.Context) (*model.Document, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}}
	c := New(Deps{Host: new(said), Style: paint.NewStyle(), Group: work.New(context.Background())}, endless, endless)
	<-began
	c.Close()
	<-ended
	c.Group.Wait()
}

func TestAlignmentShowsBothFiles(t *testing.T) {
	old, new := "the quick brown fox jumps over the lazy dog, and then some more of it",
		"the brown fox leaps over the very lazy dog, and then some more of it!"
	src := func(s string) *model.Document {
		return model.NewDocument(model.NewSource("s", strings.NewReader(s), int64(len(s))), "bytes", "", &model.Node{})
	}
	found := &compare.Comparison{Old: src(old), New: src(new)}
	a, err := alignSpans(context.Background(), found, model.Span{Size: int64(len(old))},
		model.Span{Size: int64(len(new))},
		nil)
	require.NoError(t, err)
	for side, want := range []string{old, new} {
		h := half{a: a, src: []*model.Document{found.Old, found.New}[side].Source, side: side}
		all := make([]byte, a.size)
		_, err := h.ReadAt(all, 0)
		require.NoError(t, err)
		var got bytes.Buffer
		for at := int64(0); at < a.size; {
			offset, n, there := h.Place(at)
			require.Positive(t, n)
			if there {
				assert.EqualValues(t, got.Len(), offset)
				assert.Equal(t, at, a.place(side, offset))
				got.Write(all[at : at+n])
			}
			at += n
		}
		assert.Equal(t, want, got.String())
		_, err = h.ReadAt(make([]byte, 10), a.size-5)
		assert.ErrorIs(t, err, io.EOF)
		marked := int64(0)
		for _, m := range h.marks(0, a.size) {
			marked += m.Length
		}
		assert.Positive(t, marked)
		assert.LessOrEqual(t, marked, a.differ)
	}
}

func TestDiffer(t *testing.T) {
	mark := func(p []paint.Piece) string {
		var b strings.Builder
		for _, q := range p {
			if q.Lit {
				b.WriteString("<" + q.Text + ">")
			} else {
				b.WriteString(q.Text)
			}
		}
		return b.String()
	}
	for _, tt := range []struct{ old, new, a, b string }{
		{"same", "same", "same", "same"},
		{"[1, 0, 5]", "[1, -2.5, 5]", "[1, <0>, 5]", "[1, <-2.5>, 5]"},
		{"a red fox", "a big red fox", "a red fox", "a< big> red fox"},
		{"", "x", "", "<x>"},
		{"a\xffb", "a\xffc", "a\xff<b>", "a\xff<c>"},
		{"日本", "日韓", "<日本>", "<日韓>"},
	} {
		a, b := differ(tt.old, tt.new, false)
		assert.Equal(t, tt.a, mark(a))
		assert.Equal(t, tt.b, mark(b))
		assert.Equal(t, tt.old, paint.Joined(a))
		assert.Equal(t, tt.new, paint.Joined(b))
	}
	a, b := differ("one two three four five six seven eight nine ten",
		"one two three four five six seven eight nine eleven", true)
	assert.Equal(t, "… ight nine <ten>", mark(a))
	assert.Equal(t, "… ight nine <eleven>", mark(b))
}
