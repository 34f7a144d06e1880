package doc

import (
	"context"
	"image/color"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	syntax "assay/model/text"
	"assay/ui/host"
	"assay/ui/work"
)

// words returns the words that are painted over the entry, with their colors.
func (l *lineEditor) words() map[string]color.Color {
	all := make(map[string]color.Color)
	for _, o := range test.WidgetRenderer(l.colors).Objects() {
		t := o.(*canvas.Text)
		all[t.Text] = t.Color
	}
	return all
}

func newLinedForTests() *lineEditor {
	l := newLineEditor(host.None{}, work.Inline(context.Background()).Lane())
	l.entry.OnChanged = func(string) { l.textChanged() }
	return l
}

func TestEditedDescriptionIsColored(t *testing.T) {
	test.NewTempApp(t)
	l := newLinedForTests()
	w := test.NewTempWindow(t, l.content)
	w.Resize(fyne.NewSize(400, 300))
	l.entry.SetText("id: x # why\n")
	words := l.words()
	assert.NotEqual(t, words["id"], words[": x "])
	assert.NotEqual(t, words["# why"], words[": x "])
	test.Type(l.entry, "y")
	assert.Contains(t, l.words(), "yid")
	l.entry.SetText("")
	assert.Empty(t, l.words())
}

func TestChangedLinesAreColoredImmediately(t *testing.T) {
	a := colored([]string{"id: x", "# why", ""})
	assert.Len(t, a, 3)
	assert.Len(t, a[0], 2)
	many := make([]string, maxColoredAtOnce)
	many[1] = "id: x"
	a = colored(many)
	assert.Len(t, a, maxColoredAtOnce)
	assert.Equal(t, []syntax.Piece{{Text: "id: x"}}, a[1], "it has its colors a moment later")
}

// FuzzColoredLines checks that the pieces of a line join to its text after any edit.
func FuzzColoredLines(f *testing.F) {
	f.Add("a: 1\n", "a: 1\nb: |\n  c\n")
	f.Fuzz(func(t *testing.T, old, new string) {
		if !utf8.ValidString(old) || !utf8.ValidString(new) || strings.Contains(old+new, "\r") {
			return
		}
		test.NewTempApp(t)
		l := newLinedForTests()
		for _, text := range []string{old, new, old} {
			l.entry.SetText(text)
			for i, line := range strings.Split(l.entry.Text, "\n") {
				joined := ""
				for _, p := range l.colors.pieces[i] {
					joined += p.Text
				}
				assert.Equal(t, line, joined)
			}
		}
	})
}

func BenchmarkAKeyInAColoredDescription(b *testing.B) {
	test.NewTempApp(b)
	l := newLineEditor(host.None{}, work.Inline(context.Background()).Lane())
	l.entry.SetText(strings.Repeat("  - {id: a, type: u4}\n", 1400))
	for b.Loop() {
		l.colors.recolor()
	}
}
