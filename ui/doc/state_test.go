package doc

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/notes"
	"assay/ui/command"
	"assay/ui/paint"
	"assay/ui/work"
)

// panel is a panel of another package.
type panel struct{ title string }

func (p panel) Title() string              { return p.title }
func (p panel) Content() fyne.CanvasObject { return container.NewStack() }

// told is a tab that records the latest notice.
type told struct {
	Host
	text string
}

func (h *told) ShowHint(text string)       { h.text = text }
func (*told) Keys() *command.Keys          { return command.Default() }
func (*told) SetOverlay(func())            {}
func (*told) Changed()                     {}
func (*told) Busy(string, float64, func()) {}

func (*told) PlaceNotes(context.Context, *model.Document, *notes.Placement) (*notes.Placement, error) {
	return nil, nil
}

func grouped(t *testing.T) (*Pane, *told) {
	t.Helper()
	test.NewTempApp(t)
	b := bytes.Repeat([]byte{0, 1, 2, 0xff}, 100)
	src := model.NewSource("made.bin", bytes.NewReader(b), int64(len(b)))
	d := model.NewDocument(src, "made", "1", &model.Node{Type: "File", Span: model.Span{Size: src.Size()}})
	d.Groups = []model.Grouping{{Name: "by number"}}
	h := new(told)
	p := New(h, d, paint.NewStyle(), work.Inline(context.Background()))
	p.Side.Add(panel{"Export"})
	p.Side.AddFirst(panel{"Preview"})
	t.Cleanup(p.Close)
	return p, h
}

func TestFieldsKeepTheirWidthInSmallWindows(t *testing.T) {
	p, _ := grouped(t)
	w := test.NewTempWindow(t, p.Content())
	w.SetPadded(false)
	for _, c := range []struct {
		size fyne.Size
		rows float32
	}{{fyne.NewSize(1280, 800), 1}, {fyne.NewSize(800, 500), 2}, {fyne.NewSize(1280, 800), 1}} {
		w.Resize(c.size)
		p.Find()
		for _, said := range []string{"", "No matches", strings.Repeat("what is wrong ", 40)} {
			p.search.annotated.setCaption(said)
			assert.GreaterOrEqual(t, p.search.field.Size().Width, float32(minFindWidth)*0.6, c.size)
			assert.LessOrEqual(t, p.Content().MinSize().Width, float32(800), "what is said widens nothing")
		}
		assert.GreaterOrEqual(t, p.filter.field.Size().Width, float32(minFilterWidth), c.size)
		assert.GreaterOrEqual(t, p.Side.row.Size().Width, float32(200), "all panels below the details have their tab")
		assert.InDelta(t, c.rows*p.search.interpretations.MinSize().Height, p.bytes.tools.Size().Height, 6, "rows of the bar")
		assert.InDelta(t, p.bytes.tools.Size().Height, p.bytes.hex.Position().Y, 1, "the bytes begin below the bar")
		assert.InDelta(t, p.head.Size().Height, p.tree.Position().Y, 1, "the tree begins below the filter")
	}
}

func TestInvalidPatternIsExplainedInTheHint(t *testing.T) {
	p, h := grouped(t)
	p.search.interpretations.SetSelected("Bytes")
	p.search.field.SetText("no bytes")
	p.FindNext()
	assert.NotEmpty(t, h.text)
	assert.Equal(t, p.search.annotated.caption.Text, h.text)
	h.text = ""
	p.FindAll()
	assert.Equal(t, p.search.annotated.caption.Text, h.text)
}

func TestIconsHaveHints(t *testing.T) {
	p, h := grouped(t)
	w := test.NewTempWindow(t, p.Content())
	w.Resize(fyne.NewSize(1280, 800))
	p.Find()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.search.matchCase).AddXY(8, 8)
	test.MoveMouse(w.Canvas(), at)
	assert.Equal(t, "Match case", h.text)
	test.MoveMouse(w.Canvas(), fyne.NewPos(2, 2))
	assert.Empty(t, h.text)
	test.MoveMouse(w.Canvas(), at.AddXY(p.search.matchCase.Size().Width+8, 0))
	assert.Contains(t, h.text, "Shift+Enter")
}

func TestMatchCountLeavesSpaceForTheFilter(t *testing.T) {
	p, _ := grouped(t)
	w := test.NewTempWindow(t, p.Content())
	w.Resize(fyne.NewSize(800, 500))
	full := p.filter.field.Size().Width
	p.filter.annotated.setCaption("1,234")
	assert.Less(t, p.filter.field.Size().Width, full)
	assert.Greater(t, p.filter.field.Size().Width, full/2)
	p.filter.annotated.setCaption("")
	assert.InDelta(t, full, p.filter.field.Size().Width, 0.5)
}

func TestLineOfOneFieldStaysOneRow(t *testing.T) {
	test.NewTempApp(t)
	field, end := widget.NewEntry(), widget.NewButton("x", nil)
	c := newFieldRow(&fieldRow{main: field, end: end, minWidth: 500})
	c.Resize(fyne.NewSize(100, 40))
	assert.InDelta(t, field.MinSize().Height, c.MinSize().Height, 1)
	assert.Greater(t, end.Position().X, field.Position().X+field.Size().Width)
}

func TestAbsentFilesOfferTheResourceFolder(t *testing.T) {
	p, _ := grouped(t)
	noted := &model.Report{Problems: []model.Problem{{Severity: model.Note}}}
	noted.Count[model.Note] = 1
	p.showReport(noted)
	assert.False(t, p.problems.chooseFolder.Visible(), "nothing asks for it")
	var asked *model.Document
	p.OnResources = func(d *model.Document) { asked = d }
	p.doc.Source.SetVersion(&model.FileVersion{Path: "/project/a.scene"})
	p.doc.Project = "/project"
	p.showReport(noted)
	assert.False(t, p.problems.chooseFolder.Visible(), "no folder helps")
	noted.Problems[0].Absent = true
	p.showReport(noted)
	assert.True(t, p.problems.chooseFolder.Visible())
	assert.Equal(t, "minor", p.problems.rows.Cell(0, 0).Text, "notes are the user's")
	p.problems.chooseFolder.OnTapped()
	assert.Same(t, p.doc, asked)
	p.showReport(&model.Report{})
	assert.False(t, p.problems.chooseFolder.Visible(), "no file is missing")
}

func TestProblemLocationUsesTitles(t *testing.T) {
	p, _ := grouped(t)
	root := p.doc.Root()
	list := &model.Node{Name: "members", Type: "Member[]"}
	member := &model.Node{Name: "0", Key: "duck"}
	member.SetChildren(model.List{{Name: "value"}})
	list.SetChildren(model.List{member})
	root.SetChildren(model.List{list})
	p.problems.set(p.doc, &model.Report{
		Problems: []model.Problem{{Path: "/members/0/value"}, {Path: "/"}, {Path: "/gone"}}})
	for row, want := range []string{"members / 0 duck / value", "the whole file", "/gone"} {
		p.problems.rows.Cell(row, 3)
		assert.Equal(t, want, p.problems.rows.Cell(row, 3).Text)
	}
}

func TestLargePanelIsATabInALowPane(t *testing.T) {
	p, _ := grouped(t)
	w := test.NewTempWindow(t, p.Content())
	w.SetPadded(false)
	preview := panel{"Preview"}
	p.Enlarge(preview, true)
	style := p.arrangement.style
	for _, c := range []struct {
		size   fyne.Size
		letter float32
		low    bool
	}{{fyne.NewSize(1280, 800), 13, false}, {fyne.NewSize(800, 500), 13, false}, {fyne.NewSize(800, 500), 17, true},
		{fyne.NewSize(1280, 800), 17, false}, {fyne.NewSize(800, 400), 13, true}} {
		style.TextSize = c.letter
		w.Resize(c.size)
		w.Content().Refresh()
		p.fitted.Layout.Layout(p.fitted.Objects, c.size)
		assert.Equal(t, c.low, p.Center.Has(preview), c)
		assert.Equal(t, !c.low, p.Large.Has(preview), c)
		assert.True(t, p.Has(preview))
		if c.low {
			assert.Equal(t, Panel(preview), p.Center.Panel(), "it is in view")
		}
	}
	p.Enlarge(preview, false)
	assert.Equal(t, Panel(preview), p.Side.Panel())
	assert.False(t, p.Center.Has(preview))
	p.Enlarge(preview, true)
	assert.Equal(t, Panel(preview), p.Center.Panel(), "the pane is low")
}
