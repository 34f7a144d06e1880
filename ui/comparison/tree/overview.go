package tree

import (
	"context"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/ui/comparison/compared"
	"assay/ui/details"
	"assay/ui/paint"
	"assay/ui/rows"
)

// manyChildren is how many children of a pair may differ for each to be listed in an overview.
const manyChildren = 12

// overview gathers what changed below a pair, for people: each change, but a list of which much changed as one line.
type overview struct {
	ctx    context.Context
	top    *compare.Pair
	prefix string
	choose func(path model.Path)
	page
	listed int
	full   bool
}

// changesBelow lists what changed below a pair.
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

// change lists a pair, or what changed in it.
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
