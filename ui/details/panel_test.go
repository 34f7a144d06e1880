package details_test

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"

	"assay/ui/details"
	"assay/ui/paint"
	"assay/ui/rows"
	"assay/ui/uitest"
)

// numbers is a list of a million lines.
type numbers struct{}

func (numbers) Len() int64 { return 1_000_000 }
func (numbers) Line(i int64) details.Line {
	return details.Fact(fmt.Sprint(i), rows.Cell{Text: fmt.Sprint(i * i), Mono: true})
}

type factsPanel struct {
	*details.Panel
	log    uitest.Log
	style  *paint.Style
	rows   *rows.Rows
	window fyne.Window
}

func showFacts(t *testing.T) *factsPanel {
	test.NewTempApp(t)
	p := &factsPanel{style: paint.NewStyle()}
	share := func(width float32) []float32 { return []float32{80, width - 80} }
	p.Panel = details.NewPanel(&p.log, p.style, rows.Options{ColumnWidths: share}, rows.Column{}, rows.Column{})
	p.window = test.NewTempWindow(t, p.Panel)
	p.window.SetPadded(false)
	p.window.Resize(fyne.NewSize(300, 200))
	p.rows = test.WidgetRenderer(p.Panel).Objects()[0].(*rows.Rows)
	return p
}

func TestLongValuesTakeSeveralLines(t *testing.T) {
	p := showFacts(t)
	long := strings.TrimSpace(strings.Repeat("a long value ", 5))
	p.Set([]details.Line{details.Title("A title"), details.Fact("Name", rows.Cell{Text: long}),
		details.Text(rows.Cell{Text: "one\ntwo"}),
		{Fill: func(width int) []details.Line {
			return []details.Line{{Cells: []rows.Cell{{Text: fmt.Sprint(width, " characters"), Span: 1}}}}
		}}}, nil)
	assert.Equal(t, []string{
		"A title",
		"Name      a long value a long value a long",
		"          value a long value a long value",
		"one",
		"two",
		"34 characters",
	}, uitest.Lines(t, p.style, p.Panel))
	p.rows.SetCurrent(2)
	p.rows.TypedShortcut(&fyne.ShortcutCopy{})
	p.rows.SetCurrent(0)
	p.rows.TypedShortcut(&fyne.ShortcutCopy{})
	assert.Equal(t, []string{"copy " + long, "copy A title"}, p.log.Take())

	p.rows.SetWidths([]float32{20, 280})
	assert.Equal(t, "…   a long value a long value a long value a", uitest.Lines(t, p.style, p.Panel)[1],
		"wrapped to the columns")
}

func TestVeryLongValuesAreCut(t *testing.T) {
	p := showFacts(t)
	l := details.Fact("Name", rows.Cell{Text: strings.Repeat("word ", 100)})
	l.MaxRows = 2
	p.Set([]details.Line{l}, nil)
	lines := uitest.Lines(t, p.style, p.Panel)
	assert.Len(t, lines, 2)
	assert.Contains(t, lines[1], "…")
}

func TestTailIsMadeInView(t *testing.T) {
	p := showFacts(t)
	title := details.Title("Squares")
	p.Set([]details.Line{title}, numbers{})
	assert.EqualValues(t, 1_000_001, p.rows.Len())
	p.rows.ScrollTo(1_000_000)
	lines := uitest.Lines(t, p.style, p.Panel)
	assert.Equal(t, "999999    999998000001", lines[len(lines)-1])
	p.Update([]details.Line{title, details.Fact("more", rows.Cell{Text: "of it"})})
	assert.EqualValues(t, 999_991, p.rows.First(), "the place stays")
	p.rows.SetFirst(0)
	assert.Equal(t, "more      of it", uitest.Lines(t, p.style, p.Panel)[1])
}

func TestLinksAreFollowedByOneClick(t *testing.T) {
	p := showFacts(t)
	var went []string
	way := func(name string, link bool) details.Line {
		return details.Line{Cells: []rows.Cell{{Text: name}}, Link: link, On: func() { went = append(went, name) }}
	}
	p.Set([]details.Line{way("link", true), way("way", false)}, nil)
	uitest.Lines(t, p.style, p.Panel)
	for _, y := range []float32{10, 30} {
		at := fyne.PointEvent{Position: fyne.NewPos(10, y)}
		p.rows.MouseDown(&desktop.MouseEvent{PointEvent: at, Button: desktop.MouseButtonPrimary})
		p.rows.MouseUp(&desktop.MouseEvent{PointEvent: at, Button: desktop.MouseButtonPrimary})
	}
	p.rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Equal(t, []string{"link", "way"}, went)
}
