package comparison

import (
	"context"
	"strings"

	"assay/model"
	"assay/model/compare"
)

// manyChildren is how many children of a pair may differ for each to be listed in an overview.
const manyChildren = 12

// overview gathers what changed below a pair, for people: each change, but a list of which much changed as one line.
type overview struct {
	ctx    context.Context
	top    *compare.Pair
	prefix string
	choose func(path model.Path)
	rows   []detail
	listed int
	more   bool
}

// changesBelow lists what changed below a pair.
func changesBelow(ctx context.Context, top *compare.Pair, choose func(path model.Path)) []detail {
	if top.Counts.Differences() == 0 || top.Status == compare.Added || top.Status == compare.Removed {
		return nil
	}
	o := overview{ctx: ctx, top: top, choose: choose}
	if top.Parent() != nil {
		o.prefix = top.Node().PathText()
	}
	o.below(top)
	if len(o.rows) == 0 {
		return nil
	}
	out := append([]detail{{kind: heading, label: "What changed here"}}, o.rows...)
	if o.more {
		out = append(out, detail{kind: both, label: "…", old: plain("and more"), dim: true})
	}
	return out
}

func (o *overview) below(p *compare.Pair) {
	p.Runs(func(r compare.Run) bool {
		if r.OneVersion || r.Status == compare.Same || r.Known && r.Counts.Differences() == 0 {
			return true
		}
		for i := r.First; i < r.First+r.N; i++ {
			if o.listed >= changesListed {
				o.more = true
			}
			if o.more || o.ctx.Err() != nil {
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
	path := p.Path()
	visit := func() { o.choose(path) }
	name := strings.TrimPrefix(strings.TrimPrefix(p.Node().PathText(), o.prefix), "/")
	if k := keyedParent(p, o.top); k != "" {
		name += "   " + k
	}
	o.rows = append(o.rows, detail{kind: entry, old: plain(model.OneLine(name, 400)), status: p.Status, on: visit})
	switch {
	case p.Status == compare.Moved || p.Relocated && !p.Leaf():
		o.rows = append(o.rows, detail{kind: both, old: plain(movedFrom(p)), dim: true, on: visit})
	case p.Status == compare.Changed && !p.Leaf():
		o.rows = append(o.rows, detail{kind: both, old: plain(inWords(p.Counts, p.Row()) + " in it"), dim: true, on: visit})
	case p.Status == compare.Changed:
		o.values(p, visit)
	}
}

// values lists what became of a value.
func (o *overview) values(p *compare.Pair, visit func()) {
	if t := transforms(p); len(t) > 0 {
		for _, l := range t[1:] {
			if l.kind == fact {
				l.on = visit
				o.rows = append(o.rows, l)
			}
		}
		return
	}
	old, new := valueOf(p.Old), valueOf(p.New)
	a, b := differ(old, new, true)
	if old == new {
		a, b = nil, plain(changeOfLong(o.ctx, p))
	}
	o.rows = append(o.rows, detail{old: a, new: b, single: true, on: visit})
}

// keyedParent is the key of what a change is in, for people who know things by their names.
func keyedParent(p, top *compare.Pair) string {
	for up := p; up != nil && len(up.Path()) > len(top.Path()); up = up.Parent() {
		if n := up.Node(); n.Key != "" {
			if n.Key == n.Name {
				return ""
			}
			return model.OneLine(n.Key, 80)
		}
	}
	return ""
}
