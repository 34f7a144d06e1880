package search

import (
	"cmp"
	"context"
	"strings"

	"assay/model"
	"assay/model/find"
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

// assets searches the assets.
func (f *thingSearch) assets() error {
	var failed error
	nodes := f.q.assets.AsksNodes() || !f.h.whole && f.q.only.AsksNodes()
	err := eachAsset(f.ctx, f.h.d.Payloads, nodes, func(i int, p *model.Payload) bool {
		failed = f.asset(i, p)
		return failed == nil
	})
	return cmp.Or(failed, err)
}

func (f *thingSearch) asset(i int, p *model.Payload) error {
	if p == nil || f.values && !lies(p) {
		return nil // it is searched as the node that it is made of
	}
	if !f.h.whole && !f.q.wants(f.ctx, p) || !f.q.assets.Match(f.ctx, p) {
		return nil
	}
	if p.Key != "" && len(f.keyed) < readyMost {
		f.keyed[strings.Clone(p.Key)] = -1
	}
	a := f.h.asset(i, p)
	hit := Hit{Assets: f.h.inside(a), Expanded: f.h.expanded, Span: p.Stored, Name: a.Name, Type: strings.Clone(p.Type),
		Text: fieldsText(p.Node, f.q.assets.Fields())}
	if p.Node != nil {
		hit.Path = f.h.pathOf(p.Node)
	}
	return f.take(finding{hit: hit})
}

// nodes searches the nodes: all of them for values, those that people have a name for as names. Only those with parts
// have fields, if these are asked for; the root is found by nothing else.
func (f *thingSearch) nodes() error {
	seen, names := 0, f.q.nodes.Fields()
	fields := len(names) > 0
	return model.Scan(f.h.d.Root(), func(n *model.Node) (bool, error) {
		if seen++; seen%256 == 0 && f.ctx.Err() != nil {
			return false, context.Cause(f.ctx)
		}
		if n.Parent == nil && !fields || fields && n.Leaf() {
			return true, nil
		}
		if !f.values && n.CallName() == "" || !f.q.nodes.Match(n) {
			return true, nil
		}
		text := fieldsText(n, names)
		if text == "" {
			text = model.OneLine(n.ValueText(), textMost)
		}
		return true, f.node(n.Key, Hit{Assets: f.h.in, Expanded: f.h.expanded, Path: f.h.pathOf(n), Span: n.Span,
			Name: model.OneLine(n.Title(), textMost), Type: n.Type, Text: text})
	}, nil, nil)
}

// fieldsText says of a node what was asked for: its fields of some names. The node may be nil.
func fieldsText(n *model.Node, names []string) string {
	var all []string
	for _, name := range names {
		if n == nil {
			break
		}
		if f := find.Field(n, name); f != nil && (f.Value != nil || f.Symbol() != "") {
			all = append(all, f.Name+" = "+model.OneLine(f.ValueText(), textMost))
		}
	}
	return strings.Join(all, ", ")
}

// textMost is how many characters of a value are shown.
const textMost = 200
