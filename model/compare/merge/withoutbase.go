package merge

import (
	"context"
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
)

// baselessMerge lists what two versions of a file added that were made from nothing.
type baselessMerge struct {
	ctx     context.Context
	c       *compare.Comparison // of mine with theirs
	changes map[string]string
	keys    map[string]bool // of things
	all     []Change
	unowned []Change // in no thing
	whole   bool
}

// mergeWithoutBase lists what both versions have: alike, in one of them, or in conflict.
func mergeWithoutBase(ctx context.Context, mine, theirs *model.Document) (all []Change, whole bool, err error) {
	c, err := compare.Documents(ctx, mine, theirs, compare.Options{}, nil)
	if err != nil {
		return nil, false, err
	}
	o, err := changes.Collect(ctx, c)
	if err != nil {
		return nil, false, err
	}
	m := &baselessMerge{ctx: ctx, c: c, changes: make(map[string]string), keys: make(map[string]bool), whole: true}
	for _, t := range o.Things {
		m.changes[c.At(t.Path).Node().PathText()] = strings.Join(t.What.Texts(), "; ")
	}
	if c.BytesOnly || c.Root().Leaf() {
		m.add(c.Root(), "file")
	} else {
		m.addBelow(c.Root())
	}
	for _, r := range m.unowned {
		if r.Key == "" || !m.keys[r.Key] { // what has the key of a thing only points to it
			m.all = append(m.all, r)
		}
	}
	return m.all, m.whole, ctx.Err()
}

// openPair is a pair whose children are listed; thing says that it is one or is in one.
type openPair struct {
	p     *compare.Pair
	thing bool
}

// addBelow adds what changed below a pair.
func (m *baselessMerge) addBelow(root *compare.Pair) {
	todo := []openPair{{p: root}}
	for len(todo) > 0 && m.whole && m.ctx.Err() == nil {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var next []openPair
		at.p.Runs(func(r compare.Run) bool {
			for i := range r.N {
				if in, below := m.addPair(at.p.Child(r.First+i), at.thing); below {
					next = append(next, in)
				}
			}
			return m.whole && m.ctx.Err() == nil
		})
		slices.Reverse(next)
		todo = append(todo, next...)
	}
}

// addPair adds what changed in a pair that is not the same, in a thing or in none.
func (m *baselessMerge) addPair(p *compare.Pair, inThing bool) (in openPair, below bool) {
	t, is := m.c.ThingOf(p)
	plain := m.c.New.Thing == nil // there are no things: elements and values stand for them
	one := p.Leaf() || p.Old == nil || p.New == nil
	switch {
	case is:
		m.keys[p.Node().Key] = true
		if _, own := m.changes[p.Node().PathText()]; own || p.Status != compare.Changed {
			m.add(p, t.Kind)
		}
		return openPair{p, true}, p.Status == compare.Changed && !one
	case inThing:
	case one && (plain || p.Status != compare.Same), plain && p.Node().Element() && p.Status != compare.Changed:
		m.add(p, "")
		return in, false
	}
	return openPair{p, inThing}, !one
}

// add lists a pair; kind is of a thing, empty for what is not one.
func (m *baselessMerge) add(p *compare.Pair, kind string) {
	if len(m.all)+len(m.unowned) == Most {
		m.whole = false
		return
	}
	n := p.Node()
	r := Change{Path: n.PathText(), Type: n.Type, Key: n.Key, Nodes: [3]*model.Node{nil, p.Old, p.New}}
	to := &m.unowned
	if kind != "" {
		r.Type, r.Key, to = kind, changes.NameOf(n), &m.all
	}
	for v, n := range r.Nodes {
		if n != nil {
			r.Lines[v] = &changes.Line{Sign: compare.Added.Sign(), Change: addedText(n)}
		}
	}
	switch {
	case p.New == nil:
		r.State = OnlyMine
	case p.Old == nil:
		r.State = OnlyTheirs
	case p.Status == compare.Changed:
		r.State = Conflict
		if s := m.changes[n.PathText()]; s != "" {
			r.Lines[model.Theirs].Change += ", of mine: " + s
		}
	default:
		r.State = BothAlike
	}
	*to = append(*to, r)
}

// addedText is what was added: its value, or how large it is.
func addedText(n *model.Node) string {
	if v := n.ValueText(); n.Leaf() && v != "" {
		return model.OneLine(v, 200)
	}
	return model.Count(n.Size, "byte")
}
