package text

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/model/text"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/paint/painttest"
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
	v.Show(Load(t.Context(), text.Of([]byte(content), name)))
	return v, func() []string { return painttest.Lines(t, style, v.rows) }, said
}

func TestLinesAreNumberedAndWrapped(t *testing.T) {
	v, lines, said := shown(t, "one\n"+strings.Repeat("word ", 20)+"\nthree", "a.txt")
	assert.Greater(t, v.page.Len(), int64(3), "a long line takes several rows")
	assert.Contains(t, strings.Join(lines(), "\n"), "1")
	assert.Equal(t, "3 lines · ASCII · LF", *said)
	v.wrap.SetChecked(false)
	lines()
	assert.EqualValues(t, 3, v.page.Len())
	assert.Equal(t, "three", v.page.Copied(2))
}

func TestWordsAreFound(t *testing.T) {
	v, lines, _ := shown(t, strings.Repeat("a line\n", 100)+"the Duck\nand a duck", "a.txt")
	lines()
	v.find.SetText("duck")
	assert.Equal(t, "1 of 2", v.found.Text)
	v.next(1)
	assert.Equal(t, "2 of 2", v.found.Text)
	v.next(1)
	assert.Equal(t, "1 of 2", v.found.Text)
	v.next(-1)
	assert.Equal(t, "2 of 2", v.found.Text)
	assert.Equal(t, int64(101), v.rows.Current())
	painttest.Legible(t, style, v.rows)
	v.find.SetText("goose")
	assert.Equal(t, "Not found", v.found.Text)
	v.find.SetText("")
	assert.Empty(t, v.found.Text)
}

func TestJSONIsIndented(t *testing.T) {
	v, lines, said := shown(t, `{"a":[1,2]}`, "a.json")
	assert.True(t, v.indent.Visible())
	v.indent.SetChecked(true)
	lines()
	assert.EqualValues(t, 6, v.page.Len())
	v.indent.SetChecked(false)
	assert.EqualValues(t, 1, v.page.Len())
	v.Show(Load(t.Context(), text.Of([]byte(`{"a":`), "b.json")))
	v.indent.SetChecked(true)
	assert.Contains(t, *said, "not valid JSON")
	v.Clear()
	assert.EqualValues(t, 0, v.page.Len())
}

func TestLongLinesAndTabs(t *testing.T) {
	v, lines, _ := shown(t, "\ta\tb\n"+strings.Repeat("x", 3*lineMost), "a.lua")
	assert.Equal(t, "    a   b", v.page.lines[0])
	assert.Len(t, v.page.lines, 4, "a line that is too long goes on in the next")
	lines()
}
