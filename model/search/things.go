package search

import (
	"context"
	"strings"

	"assay/model"
)

// things searches names, or the values of fields: of the assets of a document, and of its nodes.
func (s *Search) things(ctx context.Context, h *holder, take sink) error {
	f := &thingSearch{ctx: ctx, q: s.Query, h: h, take: take, values: s.Query.Kind == Values,
		keyed: make(map[string]int)}
	if h.d.Packs && h.d.Payloads != nil {
		if err := f.assets(); err != nil {
			return err
		}
	}
	if h.whole && (f.values || !h.d.Packs) {
		if err := f.nodes(); err != nil {
			return err
		}
	}
	return f.hand()
}

// thingSearch is a search through the things of a document.
type thingSearch struct {
	ctx    context.Context
	q      *Query
	h      *holder
	take   sink
	values bool

	// keyed has, of a node with a key, the place in ready; -1: it was handed on, as an asset is. So a thing and its
	// entry in an index are found once, as the larger one.
	keyed map[string]int
	ready []Hit
}

// readyMost is how many hits wait for larger nodes of the same keys.
const readyMost = 10_000

// node takes a hit.
func (f *thingSearch) node(key string, h Hit) error {
	i, there := f.keyed[key]
	switch {
	case !there:
		if key != "" {
			f.keyed[strings.Clone(key)] = len(f.ready)
		}
		f.ready = append(f.ready, h)
	case i >= 0 && h.Span.Size > f.ready[i].Span.Size:
		f.ready[i] = h
	}
	if len(f.ready) < readyMost {
		return nil
	}
	return f.hand()
}

// hand hands on what waits.
func (f *thingSearch) hand() error {
	for _, h := range f.ready {
		if err := f.take(finding{hit: h}); err != nil {
			return err
		}
	}
	clear(f.keyed)
	f.ready = f.ready[:0]
	return nil
}

// assets searches the assets. Where fields are asked for, each is described with its node.
func (f *thingSearch) assets() error {
	var failed error
	one := func(i int, p *model.Payload) bool {
		failed = f.asset(i, p)
		return failed == nil
	}
	all := f.h.d.Payloads
	if !f.hasFields() {
		if err := model.DescribeEach(f.ctx, all, 0, all.Len(), one); err != nil {
			return err
		}
		return failed
	}
	for i := 0; i < all.Len() && failed == nil; i++ {
		if f.ctx.Err() != nil {
			return context.Cause(f.ctx)
		}
		one(i, all.At(i))
	}
	return failed
}

// hasFields reports whether fields are asked for, which only things with parts have.
func (f *thingSearch) hasFields() bool {
	for _, c := range f.q.filter.Columns() {
		if c >= len(columns) {
			return true
		}
	}
	return false
}

func (f *thingSearch) asset(i int, p *model.Payload) error {
	if p == nil || f.values && !lies(p) {
		return nil // it is searched as the node that it is made of
	}
	t := assetThing(f.ctx, p)
	t.filter, t.values = f.q.filter, f.values
	if !f.h.whole && !f.q.wants(t) || !f.q.filter.Match(t) {
		return nil
	}
	if p.Key != "" && len(f.keyed) < readyMost {
		f.keyed[strings.Clone(p.Key)] = -1
	}
	a := f.h.asset(i, p)
	hit := Hit{Assets: f.h.inside(a), Expanded: f.h.expanded, Span: p.Stored, Name: a.Name, Type: strings.Clone(p.Type),
		Text: t.text()}
	if p.Node != nil {
		hit.Path = f.h.pathOf(p.Node)
	}
	return f.take(finding{hit: hit})
}

// nodes searches the nodes: all of them for values, those that people have a name for as names.
func (f *thingSearch) nodes() error {
	seen, fields := 0, f.hasFields()
	return model.Scan(f.h.d.Root(), func(n *model.Node) (bool, error) {
		if seen++; seen%256 == 0 && f.ctx.Err() != nil {
			return false, context.Cause(f.ctx)
		}
		if n.Parent == nil && !fields || fields && n.Leaf() {
			return true, nil
		}
		t := nodeThing(f.ctx, n)
		t.filter, t.values = f.q.filter, f.values
		if !f.values && t.Name == "" || !f.q.filter.Match(t) {
			return true, nil
		}
		return true, f.node(n.Key, Hit{Assets: f.h.in, Expanded: f.h.expanded, Path: f.h.pathOf(n), Span: n.Span,
			Name: model.OneLine(n.Title(), textMost), Type: n.Type, Text: t.text()})
	}, nil, nil)
}
