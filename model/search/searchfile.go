package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"assay/model"
	"assay/model/find"
)

type finding struct {
	hit     Hit
	problem string
}

// sink takes findings, one after the other.
type sink func(f finding) error

func (o *output) addFinding(f finding) error {
	if f.problem != "" {
		return o.addProblem(f.problem)
	}
	return o.add(f.hit)
}

// searchFile searches a file, and its packed assets.
func (s *Search) searchFile(ctx context.Context, h *assetLocator, out *output) error {
	if s.Query.inBytes() {
		if err := s.searchStored(ctx, h, out); err != nil {
			return err
		}
	} else {
		if err := s.searchItems(ctx, h, out.addFinding); err != nil {
			return err
		}
		s.progress(h.d.Source.Size())
	}
	return model.RunOrdered(ctx, s.contentTasks(h), func(findings []finding) error {
		for _, f := range findings {
			if err := out.addFinding(f); err != nil {
				return err
			}
		}
		return nil
	})
}

// segmentSize is the number of bytes of a file that one task searches.
const segmentSize = 8 << 20

// rawHit is a hit in the bytes of a file, with its excerpt.
type rawHit struct {
	model.Span
	text string
}

// searchStored searches the bytes of a file as they are stored.
func (s *Search) searchStored(ctx context.Context, h *assetLocator, out *output) error {
	end := int64(0)
	return model.RunOrdered(ctx, s.segmentTasks(h), func(found []rawHit) error {
		for _, r := range found {
			if r.Offset < end {
				continue // it overlaps the last one of the segment before
			}
			end = r.End()
			hit, ok := h.locate(ctx, s, r.Span)
			if !ok {
				continue
			}
			hit.Text = r.text
			if err := out.add(hit); err != nil {
				return err
			}
		}
		return nil
	})
}

// segmentTasks search parts of a file. The source records failed reads.
func (s *Search) segmentTasks(h *assetLocator) iter.Seq[model.Task[[]rawHit]] {
	return func(yield func(model.Task[[]rawHit]) bool) {
		for _, span := range h.spans() {
			for from := span.Offset; from < span.End(); from += segmentSize {
				part := model.Span{Offset: from, Size: min(segmentSize, span.End()-from)}
				if !yield(func(ctx context.Context, emit func([]rawHit) error) error {
					return s.searchSegment(ctx, h.d.Source, part, span.End(), emit)
				}) {
					return
				}
			}
		}
	}
}

// searchSegment searches a part of a file. It ignores a hit that extends past the end of the searched range.
func (s *Search) searchSegment(ctx context.Context, src *model.Source, part model.Span, end int64,
	emit func([]rawHit) error) error {
	var found []rawHit
	var emitErr error
	_ = s.Query.pattern.EachIn(ctx, src, part, nil, func(hit find.Hit) bool {
		if hit.End() > end {
			return true
		}
		if found = append(found, rawHit{hit.Span, s.excerpt(hit)}); len(found) == maxPart {
			emitErr = emit(found)
			found = nil
		}
		return emitErr == nil
	})
	s.progress(part.Size)
	if emitErr != nil || len(found) == 0 {
		return errors.Join(emitErr, ctx.Err())
	}
	return emit(found)
}

// Limits of the assets that one task searches: their number, and their stored bytes.
const (
	maxBatchAssets = 64
	maxBatchBytes  = 4 << 20
)

// contentTasks search the assets of a document with content to search separately.
func (s *Search) contentTasks(h *assetLocator) iter.Seq[model.Task[[]finding]] {
	return func(yield func(model.Task[[]finding]) bool) {
		for from := 0; from < len(h.separate); {
			to, size := from, int64(0)
			for to < len(h.separate) && to-from < maxBatchAssets && size < maxBatchBytes {
				size += h.d.Payloads.At(int(h.separate[to])).Stored.Size
				to++
			}
			first := from
			if from = to; !yield(func(ctx context.Context, emit func([]finding) error) error {
				return s.searchContents(ctx, h, first, to, emit)
			}) {
				return
			}
		}
	}
}

// searchContents searches assets one after the other.
func (s *Search) searchContents(ctx context.Context, h *assetLocator, from, to int, emit func([]finding) error) error {
	var findings []finding
	for k := from; k < to; k++ {
		if err := s.searchContent(ctx, h, k, func(f finding) error {
			if findings = append(findings, f); len(findings) < maxPart {
				return nil
			}
			ready := findings
			findings = nil
			return emit(ready)
		}); err != nil {
			return err
		}
	}
	if len(findings) == 0 {
		return nil
	}
	return emit(findings)
}

// searchContent searches the content of an asset. The error is the context's or the sink's.
func (s *Search) searchContent(ctx context.Context, h *assetLocator, k int, add sink) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if len(h.enclosing) > 0 {
		switch n := h.openedCount.Add(1); {
		case n == s.nestedLimit()+1:
			return add(finding{problem: fmt.Sprintf("it has more than %d nested assets; only the first were searched",
				s.nestedLimit())})
		case n > s.nestedLimit():
			return nil
		}
	}
	i := int(h.separate[k])
	a := h.d.Payloads.At(i)
	asset := h.asset(i, a)
	assets, packed := h.pathTo(asset), a.Codec != ""
	problem := func(err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return add(finding{problem: assetPath(assets) + ": " + err.Error()})
	}
	if !s.Formats.opens(a.Name) {
		failed, err := s.searchPacked(ctx, a, assets, add)
		if err != nil {
			return problem(err)
		}
		return failed
	}
	d, err := h.d.OpenNested(ctx, a, s.limit(), s.Open)
	if err != nil {
		return problem(err)
	}
	defer d.Source.Close()
	inner := assetLocator{enclosing: assets, expanded: len(assets), wholeFile: h.isWhole[k], openedCount: h.openedCount}
	if s.Query.inBytes() && !packed {
		inner.expanded, inner.base = h.expanded, h.base+a.Stored.Offset
	}
	nested, err := s.locateAssets(ctx, d, inner)
	if err != nil {
		return problem(err)
	}
	defer nested.close()
	return s.searchNested(ctx, nested, packed || !h.isWhole[k], add)
}

// searchNested searches a file inside of another, and its assets; its own bytes only if withBytes is
// set.
func (s *Search) searchNested(ctx context.Context, h *assetLocator, withBytes bool, add sink) error {
	var err error
	switch {
	case !s.Query.inBytes():
		err = s.searchItems(ctx, h, add)
	case withBytes:
		err = s.searchNestedBytes(ctx, h, add)
	}
	for k := 0; err == nil && k < len(h.separate); k++ {
		err = s.searchContent(ctx, h, k, add)
	}
	return err
}

// searchNestedBytes searches the bytes of a file inside of another.
func (s *Search) searchNestedBytes(ctx context.Context, h *assetLocator, add sink) error {
	var failed error
	for _, span := range h.spans() {
		err := s.Query.pattern.EachIn(ctx, h.d.Source, span, nil, func(hit find.Hit) bool {
			if hit.End() > span.End() {
				return true
			}
			if found, ok := h.locate(ctx, s, hit.Span); ok {
				found.Text = s.excerpt(hit)
				failed = add(finding{hit: found})
			}
			return failed == nil
		})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if failed == nil && err != nil {
			failed = add(finding{problem: assetPath(h.enclosing) + ": " + err.Error()})
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// searchPacked searches the bytes of an asset while they are expanded, to as many as an extraction writes. failed is
// the sink's error.
func (s *Search) searchPacked(ctx context.Context, a *model.Payload, assets []Asset, add sink) (failed, err error) {
	r, err := a.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	limit := s.limit()
	if a.Size < 0 {
		limit = min(limit, model.MaxExpanded(a.Stored.Size))
	}
	bounded := &io.LimitedReader{R: r, N: limit}
	err = s.Query.pattern.Stream(ctx, bounded, func(hit find.Hit) bool {
		failed = add(finding{hit: Hit{Assets: assets, Expanded: len(assets), Span: hit.Span,
			Name: assets[len(assets)-1].Name, Text: s.excerpt(hit)}})
		return failed == nil
	})
	s.progress(limit - bounded.N)
	if err == nil && failed == nil && bounded.N == 0 {
		if n, _ := r.Read(make([]byte, 1)); n > 0 {
			err = fmt.Errorf("it expands to more than %d bytes; only the first part was searched", limit)
		}
	}
	return failed, err
}

// searchItems searches names, or the values of fields: of the assets of a document, and of its nodes.
func (s *Search) searchItems(ctx context.Context, h *assetLocator, add sink) error {
	f := &itemSearch{ctx: ctx, q: s.Query, h: h, add: add, values: s.Query.Kind == Values,
		keyed: make(map[string]int)}
	if h.d.IsPackage && h.d.Payloads != nil {
		if err := f.searchAssets(); err != nil {
			return err
		}
	}
	if h.wholeFile && (f.values || !h.d.IsPackage) {
		if err := f.searchNodes(); err != nil {
			return err
		}
	}
	return f.flush()
}

// itemSearch is a search of the assets and nodes of a document.
type itemSearch struct {
	ctx    context.Context
	q      *Query
	h      *assetLocator
	add    sink
	values bool

	// keyed is, for a node with a key, its index in ready, or -1 if it was emitted, as an asset is. So an item and its
	// entry in an index are found once, as the larger one.
	keyed map[string]int
	ready []Hit
}

// maxKeyed is the number of hits that wait for larger nodes with the same keys.
const maxKeyed = 10_000

func (f *itemSearch) addNode(key string, h Hit) error {
	i, ok := f.keyed[key]
	switch {
	case !ok:
		if key != "" {
			f.keyed[strings.Clone(key)] = len(f.ready)
		}
		f.ready = append(f.ready, h)
	case i >= 0 && h.Span.Size > f.ready[i].Span.Size:
		f.ready[i] = h
	}
	if len(f.ready) < maxKeyed {
		return nil
	}
	return f.flush()
}

// flush emits the hits in ready.
func (f *itemSearch) flush() error {
	for _, h := range f.ready {
		if err := f.add(finding{hit: h}); err != nil {
			return err
		}
	}
	clear(f.keyed)
	f.ready = f.ready[:0]
	return nil
}

func (f *itemSearch) searchAssets() error {
	var failed error
	nodes := f.q.assets.NeedsNodes() || !f.h.wholeFile && f.q.assetFilter.NeedsNodes()
	err := eachAsset(f.ctx, f.h.d.Payloads, nodes, func(i int, p *model.Payload) bool {
		failed = f.searchAsset(i, p)
		return failed == nil
	})
	return cmp.Or(failed, err)
}

func (f *itemSearch) searchAsset(i int, p *model.Payload) error {
	if p == nil || f.values && !isStored(p) {
		return nil // it is searched as the node that it is made of
	}
	if !f.h.wholeFile && !f.q.selects(f.ctx, p) || !f.q.assets.Match(f.ctx, p) {
		return nil
	}
	if p.Key != "" && len(f.keyed) < maxKeyed {
		f.keyed[strings.Clone(p.Key)] = -1
	}
	a := f.h.asset(i, p)
	hit := Hit{Assets: f.h.pathTo(a), Expanded: f.h.expanded, Span: p.Stored, Name: a.Name, Type: strings.Clone(p.Type),
		Text: fieldsText(p.Node, f.q.assets.Fields())}
	if p.Node != nil {
		hit.Path = f.h.pathOf(p.Node)
	}
	return f.add(finding{hit: hit})
}

// searchNodes searches the nodes: all for values, nodes with a display name for names. Only nodes with children have
// fields; the root is found only by its fields.
func (f *itemSearch) searchNodes() error {
	count, names := 0, f.q.nodes.Fields()
	fields := len(names) > 0
	defer f.h.d.ReadUntil(f.ctx)()
	err := model.Scan(f.h.d.Root(), func(n *model.Node) (bool, error) {
		if count++; count%256 == 0 && f.ctx.Err() != nil {
			return false, context.Cause(f.ctx)
		}
		if n.Parent == nil && !fields || fields && n.Leaf() {
			return true, nil
		}
		if !f.values && n.DisplayName() == "" || !f.q.nodes.Match(n) {
			return true, nil
		}
		text := fieldsText(n, names)
		if text == "" {
			text = model.OneLine(n.ValueText(), maxText)
		}
		return true, f.addNode(n.Key, Hit{Assets: f.h.enclosing, Expanded: f.h.expanded, Path: f.h.pathOf(n),
			Span: n.Span, Name: model.OneLine(n.Title(), maxText), Type: n.Type, Text: text})
	}, nil, nil)
	if err == nil && f.ctx.Err() != nil {
		err = context.Cause(f.ctx)
	}
	return err
}

// fieldsText returns the fields with some names of a node, as text. The node may be nil.
func fieldsText(n *model.Node, names []string) string {
	var texts []string
	for _, name := range names {
		if n == nil {
			break
		}
		if f := find.Field(n, name); f != nil && (f.Value != nil || f.Symbol() != "") {
			texts = append(texts, f.Name+" = "+model.OneLine(f.ValueText(), maxText))
		}
	}
	return strings.Join(texts, ", ")
}

// maxText is the maximum number of characters of a value in a result.
const maxText = 200
