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
	own    []details.Line
	ranges []details.Line // of bytes that differ, below all others
}

// NewDetail makes an empty panel.
func NewDetail(h host.Host, style *paint.Style) *Panel {
	options := rows.Options{Header: true, MinSize: fyne.NewSize(160, 60), Share: shareDetails}
	columns := []rows.Column{{Min: 50}, {Title: "Old"}, {Title: "New"}}
	return &Panel{Panel: details.NewPanel(h, style, options, columns...)}
}

// shareDetails shares the width between old and new.
func shareDetails(width float32) []float32 {
	name := min(92, width/4)
	half := max(60, (width-name)/2)
	return []float32{name, half, half}
}

// ShowPair shows another pair.
func (d *Panel) ShowPair(own []details.Line) {
	d.own, d.ranges = own, nil
	d.Set(own, nil)
}

// SetRanges shows which bytes differ.
func (d *Panel) SetRanges(r []details.Line) {
	d.ranges = r
	d.update()
}

// Add shows more lines of the pair.
func (d *Panel) Add(more []details.Line) {
	d.own = append(d.own[:len(d.own):len(d.own)], more...)
	d.update()
}

func (d *Panel) update() { d.Update(append(d.own[:len(d.own):len(d.own)], d.ranges...)) }

// page is what there is to say of a pair, or a part of it.
type page struct {
	lines  []details.Line
	ground paint.Tone // under what differs
}

func pageOf(p *compare.Pair) *page { return &page{ground: compared.StatusTone(p.Status)} }

// last is the line that was added last.
func (g *page) last() *details.Line { return &g.lines[len(g.lines)-1] }

func (g *page) title(text string) { g.lines = append(g.lines, details.Title(text)) }

// state is a title with the sign of a state.
func (g *page) state(s compare.Status, text string) {
	if s != compare.Same {
		text = compared.Sign(s) + "  " + text
	}
	g.title(text)
	g.last().Cells[0].Tone = compared.StatusTone(s)
}

// both is a name with what holds on both sides.
func (g *page) both(name, text string, tone paint.Tone) {
	g.lines = append(g.lines, details.Fact(name, rows.Cell{Text: text, Tone: tone}))
}

// sides is a name with the old and the new value.
func (g *page) sides(name string, old, new []paint.Piece) {
	l := details.Fact(name, rows.Cell{Pieces: old, Ground: g.ground})
	l.Cells[1].Span = 0
	l.Cells = append(l.Cells, rows.Cell{Pieces: new, Ground: g.ground})
	g.lines = append(g.lines, l)
}

// more says that a list goes on.
func (g *page) more(n int64) { g.both("…", host.Number(n)+" more", paint.Dim) }
