package text

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/text"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
	"assay/ui/work"
)

var style = paint.NewStyle()

func shown(t *testing.T, content, name string) (*View, func() []string, *string) {
	t.Helper()
	test.NewTempApp(t)
	said := new(string)
	v := New(host.None{}, style, work.Inline(context.Background()), func(s string) { *said = s })
	w := test.NewTempWindow(t, v.Content())
	w.Resize(fyne.NewSize(300, 200))
	v.Show(Load(t.Context(), text.Decode([]byte(content), name)))
	return v, func() []string { return uitest.Lines(t, style, v.rows) }, said
}

func TestLinesAreNumberedAndWrapped(t *testing.T) {
	v, lines, said := shown(t, "one\n"+strings.Repeat("word ", 20)+"\nthree", "a.txt")
	assert.Greater(t, v.page.Len(), int64(3), "a long line takes several rows")
	assert.Contains(t, strings.Join(lines(), "\n"), "1")
	assert.Equal(t, "3 lines · ASCII · LF", *said)
	v.wrap.SetChecked(false)
	lines()
	assert.EqualValues(t, 3, v.page.Len())
	assert.Equal(t, "three", v.page.line(2))
}

func TestHighlightedLineIsInViewOnceTheTextHasASize(t *testing.T) {
	test.NewTempApp(t)
	v := New(host.None{}, style, work.Inline(context.Background()), func(string) {})
	v.Show(Load(t.Context(), text.Decode([]byte(strings.Repeat("some words\n", 100)), "a.txt")))
	v.HighlightLine(8, false)
	w := test.NewTempWindow(t, v.Content())
	inView := func(line int64) {
		t.Helper()
		w.Canvas().Capture()
		assert.LessOrEqual(t, v.rows.First(), line-1)
		assert.GreaterOrEqual(t, v.rows.First()+v.rows.Page(), line-1)
	}
	w.Resize(fyne.NewSize(300, 200))
	inView(8)
	v.HighlightLine(60, false)
	inView(60)
}

func TestWrappingKeepsWordsWhole(t *testing.T) {
	for line, want := range map[string][]int{
		"":                               {0},
		"one two":                        {0},
		"one two three":                  {0, 8},
		"one two  three":                 {0, 9},
		"a verylongword":                 {0, 2, 10},
		"verylongword":                   {0, 8},
		"eight888 next":                  {0, 9},
		"eight888":                       {0},
		"a            b":                 {0, 13},
		"\tfar":                          {0},
		"\u65e5\u672c\u8a9e\u65e5\u672c": {0, 8},
	} {
		assert.Equal(t, want, appendBreaks(nil, line, 8), "%q", line)
	}
	v, lines, _ := shown(t, strings.Repeat("word ", 40)+"\nend", "a.txt")
	lines()
	for row := range v.page.Len() {
		from := v.page.offsetAt(row, 0)
		assert.Equal(t, row, v.page.rowOf(from), "where a row begins")
		assert.Equal(t, row, v.page.rowOf(v.page.offsetAt(row, 1<<20)), "where it ends")
		if row < v.page.Len()-1 {
			assert.True(t, strings.HasPrefix(v.page.text[from:], "word"), "row %d", row)
		}
	}
}

func TestWordsAreFound(t *testing.T) {
	v, lines, _ := shown(t, strings.Repeat("a line\n", 100)+"the Duck\nand a duck", "a.txt")
	lines()
	v.find.SetText("duck")
	assert.Equal(t, "1 of 2", v.matchLabel.Text)
	v.Next(1)
	assert.Equal(t, "2 of 2", v.matchLabel.Text)
	v.Next(1)
	assert.Equal(t, "1 of 2", v.matchLabel.Text)
	v.Next(-1)
	assert.Equal(t, "2 of 2", v.matchLabel.Text)
	assert.Equal(t, 101, v.page.lineAt(v.hits[v.current].from))
	uitest.Legible(t, style, v.rows)
	v.find.SetText("goose")
	assert.Equal(t, "No matches", v.matchLabel.Text)
	v.find.SetText("")
	assert.Empty(t, v.matchLabel.Text)
}

func TestJSONIsIndented(t *testing.T) {
	v, lines, said := shown(t, `{"a":[1,2]}`, "a.json")
	assert.True(t, v.indent.Visible())
	v.indent.SetChecked(true)
	lines()
	assert.EqualValues(t, 6, v.page.Len())
	v.indent.SetChecked(false)
	assert.EqualValues(t, 1, v.page.Len())
	v.Show(Load(t.Context(), text.Decode([]byte(`{"a":`), "b.json")))
	v.indent.SetChecked(true)
	assert.Contains(t, *said, "not valid JSON")
	v.Clear()
	assert.EqualValues(t, 0, v.page.Len())
}

func TestLongLinesAndTabs(t *testing.T) {
	v, lines, _ := shown(t, "\ta\tb\n"+strings.Repeat("x", 3*maxLineBytes), "a.lua")
	assert.Contains(t, lines()[0], "1     a   b")
	assert.Equal(t, 4, v.page.count(), "a line that is too long goes on in the next")
	assert.Equal(t, []int32{1, 2, 0, 0}, v.page.numbers)
}

// point returns the position of a column of a row.
func (v *View) point(row int64, column int) fyne.Position {
	c := style.NewCanvas(nil, 1, paint.Colors{})
	low := v.rows.RowPosition(row)
	return fyne.NewPos(float32(v.page.gutter(c)+column*c.CellWidth()+1), low.Y-5)
}

func (v *View) drag(from, to fyne.Position) {
	event := func(at fyne.Position) *desktop.MouseEvent {
		return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary}
	}
	v.rows.MouseDown(event(from))
	if from != to {
		v.rows.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: to}})
	}
	v.rows.MouseUp(event(to))
	v.rows.DragEnd()
}

func TestSelectionIsReportedAsBytes(t *testing.T) {
	v, lines, _ := shown(t, "\xef\xbb\xbfone\ttwo\r\n\u65e5\u672c end\r\n", "a.txt")
	lines()
	var at, size int64
	v.OnSelect = func(offset, length int64) { at, size = offset, length }
	v.drag(v.point(0, 4), v.point(0, 7))
	assert.Equal(t, []int64{7, 3}, []int64{at, size}, "after the mark and a tab")
	v.drag(v.point(1, 5), v.point(1, 5))
	assert.Equal(t, []int64{3 + 9 + 7, 0}, []int64{at, size}, "after two wide letters")
	v.rows.DoubleTapped(nil)
	v.key(&fyne.KeyEvent{Name: fyne.KeyRight}, true)
	assert.EqualValues(t, 1, size)
	v.key(&fyne.KeyEvent{Name: fyne.KeyEnd}, false)
	v.key(&fyne.KeyEvent{Name: fyne.KeyUp}, false)
	assert.Equal(t, []int64{3 + 7, 0}, []int64{at, size}, "the column is kept: there is the end of the line")
	v.shortcut(&fyne.ShortcutSelectAll{})
	assert.Equal(t, []int64{3, 9 + 12}, []int64{at, size})
	v.drag(v.point(1, 6), v.point(1, 6))
	v.selectWord()
	assert.Equal(t, "end", v.page.text[v.selected().from:v.selected().to])
}

func TestSelectedBytesAreHighlighted(t *testing.T) {
	v, lines, _ := shown(t, strings.Repeat("a line\r\n", 300), "a.txt")
	lines()
	v.HighlightBytes(model.Span{Offset: 8 * 200, Size: 6})
	v.SetCaret(8*200, 0)
	assert.Equal(t, span{7 * 200, 7*200 + 6}, v.selectedNode)
	assert.Contains(t, strings.Join(lines(), "\n"), "201 a line")
	v.SetProblems([]model.Problem{{Severity: model.Warning, Span: model.Span{Offset: 8*203 + 2}, Message: "odd"},
		{Severity: model.Error, Span: model.Span{Offset: 8 * 203}, Message: "wrong"}})
	marks := func() map[int]string {
		all := make(map[int]string)
		for line, m := range v.page.marks {
			all[line] = fmt.Sprint(m.problem.Paint != nil, " ", m.note.Paint != nil, " ", m.message)
		}
		return all
	}
	assert.Equal(t, map[int]string{203: "true false wrong"}, marks())
	sign := rows.Mark{Paint: (*paint.Canvas).Dot, Tone: paint.Yellow}
	v.SetNotes([]Note{{model.Span{Offset: 8*203 + 2, Size: 4}, sign, "look"},
		{model.Span{Offset: 8 * 205, Size: 1}, sign, "here"}})
	assert.Equal(t, map[int]string{203: "true true wrong · look", 205: "false true here"}, marks())
	assert.Equal(t, underline{span{7*203 + 2, 7*203 + 6}, paint.Yellow}, v.page.underlined[0])
	uitest.Legible(t, style, v.rows)
	v.HighlightBytes(model.Span{})
	assert.Equal(t, span{}, v.selectedNode)
}

func TestLongTextsAreColoredInView(t *testing.T) {
	content := strings.Repeat("material duck // a comment\n", text.MaxColored/20)
	v, lines, _ := shown(t, content, "a.material")
	lines()
	require.Len(t, v.page.colored, v.page.count())
	assert.NotNil(t, v.page.colored[0])
	assert.Nil(t, v.page.colored[20_000])
	v.rows.SetFirst(20_000)
	lines()
	assert.NotNil(t, v.page.colored[20_001])
}

func TestCaretStaysInViewWhenTheViewShrinks(t *testing.T) {
	v, lines, _ := shown(t, strings.Repeat("a line\n", 200), "a.txt")
	v.rows.Resize(fyne.NewSize(300, 600))
	lines()
	v.SetCaret(7*20, 6)
	assert.Zero(t, v.rows.First(), "it is in view already")
	for _, height := range []float32{1, 120} { // as a preview does while it opens
		v.rows.Resize(fyne.NewSize(300, height))
		lines()
	}
	assert.LessOrEqual(t, v.rows.First(), int64(20))
	assert.Greater(t, v.rows.First()+v.rows.Page(), int64(20))
	v.SetCaret(0, 0)
	for _, height := range []float32{600, 1, 120} {
		v.rows.Resize(fyne.NewSize(300, height))
		lines()
	}
	assert.Zero(t, v.rows.First())
}
