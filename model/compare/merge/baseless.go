package merge

import (
	"context"
	"slices"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
)

// baselessMerge lists the nodes of two versions of a file without a base.
type baselessMerge struct {
	ctx         context.Context
	c           *compare.Comparison // of mine with theirs
	changes     map[string]string
	keys        map[string]bool // of items
	itemChanges []Change
	unowned     []Change // outside of items
	complete    bool
}

// mergeWithoutBase lists the nodes of both versions: the same in both, in one of them, or in conflict.
func mergeWithoutBase(ctx context.Context, mine, theirs *model.Document) (all []Change, complete bool, err error) {
	c, err := compare.Documents(ctx, mine, theirs, compare.Options{}, nil)
	if err != nil {
		return nil, false, err
	}
	o, err := changes.Collect(ctx, c)
	if err != nil {
		return nil, false, err
	}
	m := &baselessMerge{ctx: ctx, c: c, changes: make(map[string]string), keys: make(map[string]bool), complete: true}
	for _, t := range o.Items {
		m.changes[c.At(t.Path).Node().PathText()] = strings.Join(t.Changes.Texts(), "; ")
	}
	if c.BytesOnly || c.Root().Leaf() {
		m.add(c.Root(), "file")
	} else {
		m.addBelow(c.Root())
	}
	for _, r := range m.unowned {
		if r.Key == "" || !m.keys[r.Key] { // a node with the key of an item only refers to it
			m.itemChanges = append(m.itemChanges, r)
		}
	}
	return m.itemChanges, m.complete, ctx.Err()
}

// openPair is a pair with children to list; item means that it belongs to an item.
type openPair struct {
	p    *compare.Pair
	item bool
}

func (m *baselessMerge) addBelow(root *compare.Pair) {
	todo := []openPair{{p: root}}
	for len(todo) > 0 && m.complete && m.ctx.Err() == nil {
		current := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var next []openPair
		current.p.Runs(func(r compare.Run) bool {
			for i := range r.N {
				if pair, below := m.addPair(current.p.Child(r.First+i), current.item); below {
					next = append(next, pair)
				}
			}
			return m.complete && m.ctx.Err() == nil
		})
		slices.Reverse(next)
		todo = append(todo, next...)
	}
}

// addPair adds the changes of a pair, in an item or outside.
func (m *baselessMerge) addPair(p *compare.Pair, inItem bool) (pair openPair, below bool) {
	t, ok := m.c.ItemOf(p)
	listsAll := m.c.New.Item == nil // without items: elements and values are listed
	isSingle := p.Leaf() || p.Old == nil || p.New == nil
	switch {
	case ok:
		m.keys[p.Node().Key] = true
		if _, own := m.changes[p.Node().PathText()]; own || p.Status != compare.Changed {
			m.add(p, t.Kind)
		}
		return openPair{p, true}, p.Status == compare.Changed && !isSingle
	case inItem:
	case isSingle && (listsAll || p.Status != compare.Same),
		listsAll && p.Node().IsElement() && p.Status != compare.Changed:
		m.add(p, "")
		return pair, false
	}
	return openPair{p, inItem}, !isSingle
}

// add lists a pair; kind is the kind of its item, or "".
func (m *baselessMerge) add(p *compare.Pair, kind string) {
	if len(m.itemChanges)+len(m.unowned) == MaxChanges {
		m.complete = false
		return
	}
	n := p.Node()
	r := Change{Path: n.PathText(), Type: n.Type, Key: n.Key, Nodes: [3]*model.Node{nil, p.Old, p.New}}
	to := &m.unowned
	if kind != "" {
		r.Type, r.Key, to = kind, changes.NameOf(n), &m.itemChanges
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
		r.State = BothSame
	}
	*to = append(*to, r)
}

// addedText returns the value of an added node, or its size.
func addedText(n *model.Node) string {
	if v := n.ValueText(); n.Leaf() && v != "" {
		return model.OneLine(v, 200)
	}
	return model.Count(n.Size, "byte")
}
