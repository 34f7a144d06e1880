package tree

import (
	"fyne.io/fyne/v2"

	"assay/model/compare"
	"assay/ui/comparison/compared"
	"assay/ui/details"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// Panel shows the old and the new values of the selected pair.
type Panel struct {
	*details.Panel
	pairLines []details.Line
	ranges    []details.Line // ranges of bytes that differ, below all other lines
}

// NewPanel returns an empty panel.
func NewPanel(h host.Host, style *paint.Style) *Panel {
	options := rows.Options{Header: true, MinSize: fyne.NewSize(160, 60), ColumnWidths: shareDetails}
	columns := []rows.Column{{Min: 50}, {Title: "Old"}, {Title: "New"}}
	return &Panel{Panel: details.NewPanel(h, style, options, columns...)}
}

// shareDetails returns the widths of the columns: the old and the new values have the same.
func shareDetails(width float32) []float32 {
	name := min(92, width/4)
	half := max(60, (width-name)/2)
	return []float32{name, half, half}
}

// ShowPair displays the first details of another pair.
func (d *Panel) ShowPair(lines []details.Line) {
	d.pairLines, d.ranges = lines, nil
	d.Set(lines, nil)
}

// SetRanges displays the ranges of bytes that differ.
func (d *Panel) SetRanges(r []details.Line) {
	d.ranges = r
	d.update()
}

// Add adds details of the pair.
func (d *Panel) Add(lines []details.Line) {
	d.pairLines = append(d.pairLines[:len(d.pairLines):len(d.pairLines)], lines...)
	d.update()
}

func (d *Panel) update() {
	d.Update(append(d.pairLines[:len(d.pairLines):len(d.pairLines)], d.ranges...))
}

// page collects the details of a pair, or a part of them.
type page struct {
	lines     []details.Line
	highlight paint.Tone // background of differences
}

func pageOf(p *compare.Pair) *page { return &page{highlight: compared.StatusTone(p.Status)} }

func (g *page) last() *details.Line { return &g.lines[len(g.lines)-1] }

func (g *page) addTitle(text string) { g.lines = append(g.lines, details.Title(text)) }

// addState adds a title with the sign of a status.
func (g *page) addState(s compare.Status, text string) {
	if s != compare.Same {
		text = compared.Sign(s) + "  " + text
	}
	g.addTitle(text)
	g.last().Cells[0].Tone = compared.StatusTone(s)
}

// addBoth adds a name with a text that applies to both sides.
func (g *page) addBoth(name, text string, tone paint.Tone) {
	g.lines = append(g.lines, details.Fact(name, rows.Cell{Text: text, Tone: tone}))
}

// addSides adds a name with the old and the new value.
func (g *page) addSides(name string, old, new []paint.Piece) {
	l := details.Fact(name, rows.Cell{Pieces: old, HighlightTone: g.highlight})
	l.Cells[1].Span = 0
	l.Cells = append(l.Cells, rows.Cell{Pieces: new, HighlightTone: g.highlight})
	g.lines = append(g.lines, l)
}

// addOmitted adds the number of omitted lines.
func (g *page) addOmitted(n int64) { g.addBoth("…", host.Number(n)+" more", paint.Dim) }
