package tree

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
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

// page has the details of a pair, or a part of them.
type page struct {
	lines  []details.Line
	ground paint.Tone // behind differences
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

// both adds a name with a text that applies to both sides.
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

// more adds the number of omitted lines.
func (g *page) more(n int64) { g.both("…", host.Number(n)+" more", paint.Dim) }

// manyChildren is how many children of a pair may differ for each to be listed in an overview.
const manyChildren = 12

// overview collects the changes below a pair: each change, but a list with many changes as one line.
type overview struct {
	ctx    context.Context
	top    *compare.Pair
	prefix string
	choose func(path model.Path)
	page
	listed int
	full   bool
}

// changesBelow lists the changes below a pair.
func changesBelow(ctx context.Context, top *compare.Pair, choose func(path model.Path)) []details.Line {
	if top.Counts.Differences() == 0 || top.Status == compare.Added || top.Status == compare.Removed {
		return nil
	}
	o := overview{ctx: ctx, top: top, choose: choose, page: *pageOf(top)}
	if top.Parent() != nil {
		o.prefix = top.Node().NamePath()
	}
	o.below(top)
	if len(o.lines) == 0 {
		return nil
	}
	if o.full {
		o.both("…", "and more", paint.Dim)
	}
	return append([]details.Line{details.Title("Changes in this node")}, o.lines...)
}

func (o *overview) below(p *compare.Pair) {
	p.Runs(func(r compare.Run) bool {
		if r.OneVersion || r.Status == compare.Same || r.Known && r.Counts.Differences() == 0 {
			return true
		}
		for i := r.First; i < r.First+r.N; i++ {
			if o.listed >= changesListed {
				o.full = true
			}
			if o.full || o.ctx.Err() != nil {
				return false
			}
			o.change(p.Child(i))
		}
		return true
	})
}

// change lists a pair, or its changes.
func (o *overview) change(p *compare.Pair) {
	many := 0
	p.Runs(func(r compare.Run) bool {
		if r.Status != compare.Same && !r.OneVersion {
			many += r.N
		}
		return many <= manyChildren
	})
	if p.Status == compare.Changed && !p.Leaf() && many <= manyChildren {
		o.below(p)
		return
	}
	o.listed++
	from := len(o.lines)
	name := strings.TrimPrefix(strings.TrimPrefix(p.Node().NamePath(), o.prefix), "/")
	path := rows.Cell{Text: compared.Sign(p.Status) + "  " + model.OneLine(name, 400),
		Tone: compared.StatusTone(p.Status), Span: 2, Ends: true}
	o.lines = append(o.lines, details.Line{Cells: []rows.Cell{path}, Link: true})
	switch {
	case p.Status == compare.Moved || p.Relocated && !p.Leaf():
		o.both("", changes.WhereFrom(p), paint.Dim)
	case p.Status == compare.Changed && !p.Leaf():
		o.both("", compared.CountsInWords(p.Counts)+" inside", paint.Dim)
	case p.Status == compare.Changed:
		o.values(p)
	}
	visit := p.Path()
	for i := range o.lines[from:] {
		o.lines[from+i].On = func() { o.choose(visit) }
	}
}

// values lists the old and the new value of a leaf.
func (o *overview) values(p *compare.Pair) {
	if o.parts(p) {
		return
	}
	old, new := compared.Value(p.Old), compared.Value(p.New)
	a, b := compared.MarkDifferences(old, new, true)
	if old == new {
		a, b = nil, paint.Plain(compared.LongChange(o.ctx, p))
	}
	o.sides("", a, b)
	o.last().Most = 0
}

// transform shows a 4x4 matrix as people think of it: moved, turned, scaled.
func (g *page) transform(p *compare.Pair) {
	parts := changes.Transform(p)
	if parts == nil {
		return
	}
	g.title("Transform")
	for _, t := range parts {
		if !t.Differs() {
			g.both(t.Field, t.New, paint.Dim)
		}
	}
	g.parts(p)
}

// parts lists the changes in a transform, and returns false for any other pair.
func (g *page) parts(p *compare.Pair) bool {
	parts := changes.Transform(p)
	for _, t := range parts {
		if t.Differs() {
			x, y := compared.MarkDifferences(t.Old, t.New, false)
			g.sides(t.Field, x, y)
		}
	}
	return parts != nil
}
