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

// result is a hit, or a problem.
type result struct {
	hit     Hit
	problem string
}

// sink receives results, one after another.
type sink func(r result) error

func (o *output) addResult(r result) error {
	if r.problem != "" {
		return o.addProblem(r.problem)
	}
	return o.add(r.hit)
}

// searchFile searches a file, and its packed assets.
func (s *Search) searchFile(ctx context.Context, l *assetLocator, out *output) error {
	if s.Query.inBytes() {
		if err := s.searchStored(ctx, l, out); err != nil {
			return err
		}
	} else {
		if err := s.searchItems(ctx, l, out.addResult); err != nil {
			return err
		}
		s.progress(l.d.Source.Size())
	}
	return model.RunOrdered(ctx, s.contentTasks(l), func(results []result) error {
		for _, r := range results {
			if err := out.addResult(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// segmentSize is the number of bytes of a file that one task searches.
const segmentSize = 8 << 20

// byteHit is a hit in the bytes of a file, with its excerpt.
type byteHit struct {
	model.Span
	text string
}

// searchStored searches the bytes of a file as they are stored.
func (s *Search) searchStored(ctx context.Context, l *assetLocator, out *output) error {
	end := int64(0)
	return model.RunOrdered(ctx, s.segmentTasks(l), func(found []byteHit) error {
		for _, r := range found {
			if r.Offset < end {
				continue // it overlaps the last one of the segment before
			}
			end = r.End()
			hit, ok := l.locate(ctx, s, r.Span)
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
func (s *Search) segmentTasks(l *assetLocator) iter.Seq[model.Task[[]byteHit]] {
	return func(yield func(model.Task[[]byteHit]) bool) {
		for _, span := range l.spans() {
			for from := span.Offset; from < span.End(); from += segmentSize {
				part := model.Span{Offset: from, Size: min(segmentSize, span.End()-from)}
				if !yield(func(ctx context.Context, emit func([]byteHit) error) error {
					return s.searchSegment(ctx, l.d.Source, part, span.End(), emit)
				}) {
					return
				}
			}
		}
	}
}

// searchSegment searches a part of a file. It ignores a hit that extends past the end of the searched range.
func (s *Search) searchSegment(ctx context.Context, src *model.Source, part model.Span, end int64,
	emit func([]byteHit) error) error {
	var found []byteHit
	var emitErr error
	_ = s.Query.pattern.EachIn(ctx, src, part, nil, func(hit find.Hit) bool {
		if hit.End() > end {
			return true
		}
		if found = append(found, byteHit{hit.Span, s.excerpt(hit)}); len(found) == maxPart {
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
func (s *Search) contentTasks(l *assetLocator) iter.Seq[model.Task[[]result]] {
	return func(yield func(model.Task[[]result]) bool) {
		for from := 0; from < len(l.separate); {
			to, size := from, int64(0)
			for to < len(l.separate) && to-from < maxBatchAssets && size < maxBatchBytes {
				size += l.d.Payloads.At(int(l.separate[to])).Stored.Size
				to++
			}
			first := from
			if from = to; !yield(func(ctx context.Context, emit func([]result) error) error {
				return s.searchContents(ctx, l, first, to, emit)
			}) {
				return
			}
		}
	}
}

// searchContents searches assets one after the other.
func (s *Search) searchContents(ctx context.Context, l *assetLocator, from, to int, emit func([]result) error) error {
	var results []result
	for k := from; k < to; k++ {
		if err := s.searchContent(ctx, l, k, func(r result) error {
			if results = append(results, r); len(results) < maxPart {
				return nil
			}
			ready := results
			results = nil
			return emit(ready)
		}); err != nil {
			return err
		}
	}
	if len(results) == 0 {
		return nil
	}
	return emit(results)
}

// searchContent searches the content of an asset. The error is the context's or the sink's.
func (s *Search) searchContent(ctx context.Context, l *assetLocator, k int, add sink) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if len(l.enclosing) > 0 {
		switch n := l.openedCount.Add(1); {
		case n == s.nestedLimit()+1:
			return add(result{problem: fmt.Sprintf("it has more than %d nested assets; only the first were searched",
				s.nestedLimit())})
		case n > s.nestedLimit():
			return nil
		}
	}
	i := int(l.separate[k])
	a := l.d.Payloads.At(i)
	asset := l.asset(i, a)
	assets, packed := l.pathTo(asset), a.Codec != ""
	problem := func(err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return add(result{problem: assetPath(assets) + ": " + err.Error()})
	}
	if !s.Formats.opens(a.Name) {
		addErr, err := s.searchPacked(ctx, a, assets, add)
		if err != nil {
			return problem(err)
		}
		return addErr
	}
	d, err := l.d.OpenNested(ctx, a, s.limit(), s.Open)
	if err != nil {
		return problem(err)
	}
	defer d.Source.Close()
	inner := assetLocator{enclosing: assets, expanded: len(assets), wholeFile: l.isWhole[k], openedCount: l.openedCount}
	if s.Query.inBytes() && !packed {
		inner.expanded, inner.base = l.expanded, l.base+a.Stored.Offset
	}
	nested, err := s.locateAssets(ctx, d, inner)
	if err != nil {
		return problem(err)
	}
	defer nested.close()
	return s.searchNested(ctx, nested, packed || !l.isWhole[k], add)
}

// searchNested searches a file inside of another, and its assets. Its own bytes are searched only if withBytes is set.
func (s *Search) searchNested(ctx context.Context, l *assetLocator, withBytes bool, add sink) error {
	var err error
	switch {
	case !s.Query.inBytes():
		err = s.searchItems(ctx, l, add)
	case withBytes:
		err = s.searchNestedBytes(ctx, l, add)
	}
	for k := 0; err == nil && k < len(l.separate); k++ {
		err = s.searchContent(ctx, l, k, add)
	}
	return err
}

// searchNestedBytes searches the bytes of a file inside of another.
func (s *Search) searchNestedBytes(ctx context.Context, l *assetLocator, add sink) error {
	var addErr error
	for _, span := range l.spans() {
		err := s.Query.pattern.EachIn(ctx, l.d.Source, span, nil, func(hit find.Hit) bool {
			if hit.End() > span.End() {
				return true
			}
			if found, ok := l.locate(ctx, s, hit.Span); ok {
				found.Text = s.excerpt(hit)
				addErr = add(result{hit: found})
			}
			return addErr == nil
		})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if addErr == nil && err != nil {
			addErr = add(result{problem: assetPath(l.enclosing) + ": " + err.Error()})
		}
		if addErr != nil {
			return addErr
		}
	}
	return nil
}

// searchPacked searches the bytes of an asset while they are expanded, to as many as an extraction writes. addErr is
// the sink's error.
func (s *Search) searchPacked(ctx context.Context, a *model.Payload, assets []Asset, add sink) (addErr, err error) {
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
		addErr = add(result{hit: Hit{Assets: assets, Expanded: len(assets), Span: hit.Span,
			Name: assets[len(assets)-1].Name, Text: s.excerpt(hit)}})
		return addErr == nil
	})
	s.progress(limit - bounded.N)
	if err == nil && addErr == nil && bounded.N == 0 {
		if n, _ := r.Read(make([]byte, 1)); n > 0 {
			err = fmt.Errorf("it expands to more than %d bytes; only the first part was searched", limit)
		}
	}
	return addErr, err
}

// searchItems searches names, or the values of fields: of the assets of a document, and of its nodes.
func (s *Search) searchItems(ctx context.Context, l *assetLocator, add sink) error {
	f := &itemSearch{ctx: ctx, q: s.Query, l: l, add: add, values: s.Query.Kind == Values,
		keyed: make(map[string]int)}
	if l.d.IsPackage && l.d.Payloads != nil {
		if err := f.searchAssets(); err != nil {
			return err
		}
	}
	if l.wholeFile && (f.values || !l.d.IsPackage) {
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
	l      *assetLocator
	add    sink
	values bool

	// keyed is, for a node with a key, its index in ready, or -1 if it was emitted, as an asset is. So an item and its
	// entry in an index are found once, as the larger one.
	keyed map[string]int
	ready []Hit
}

// maxKeyed is the number of hits that wait for larger nodes with the same keys.
const maxKeyed = 10_000

func (s *itemSearch) addNode(key string, h Hit) error {
	i, ok := s.keyed[key]
	switch {
	case !ok:
		if key != "" {
			s.keyed[strings.Clone(key)] = len(s.ready)
		}
		s.ready = append(s.ready, h)
	case i >= 0 && h.Span.Size > s.ready[i].Span.Size:
		s.ready[i] = h
	}
	if len(s.ready) < maxKeyed {
		return nil
	}
	return s.flush()
}

// flush emits the hits in ready.
func (s *itemSearch) flush() error {
	for _, h := range s.ready {
		if err := s.add(result{hit: h}); err != nil {
			return err
		}
	}
	clear(s.keyed)
	s.ready = s.ready[:0]
	return nil
}

func (s *itemSearch) searchAssets() error {
	var addErr error
	nodes := s.q.assets.NeedsNodes() || !s.l.wholeFile && s.q.assetFilter.NeedsNodes()
	err := eachAsset(s.ctx, s.l.d.Payloads, nodes, func(i int, p *model.Payload) bool {
		addErr = s.searchAsset(i, p)
		return addErr == nil
	})
	return cmp.Or(addErr, err)
}

func (s *itemSearch) searchAsset(i int, p *model.Payload) error {
	if p == nil || s.values && !isStored(p) {
		return nil // it is searched as the node that it is made of
	}
	if !s.l.wholeFile && !s.q.selects(s.ctx, p) || !s.q.assets.Match(s.ctx, p) {
		return nil
	}
	if p.Key != "" && len(s.keyed) < maxKeyed {
		s.keyed[strings.Clone(p.Key)] = -1
	}
	a := s.l.asset(i, p)
	hit := Hit{Assets: s.l.pathTo(a), Expanded: s.l.expanded, Span: p.Stored, Name: a.Name, Type: strings.Clone(p.Type),
		Text: fieldsText(p.Node, s.q.assets.Fields())}
	if p.Node != nil {
		hit.Path = s.l.pathOf(p.Node)
	}
	return s.add(result{hit: hit})
}

// searchNodes searches the nodes: all for values, nodes with a display name for names. Only nodes with children have
// fields; the root is found only by its fields.
func (s *itemSearch) searchNodes() error {
	count, names := 0, s.q.nodes.Fields()
	fields := len(names) > 0
	defer s.l.d.ReadUntil(s.ctx)()
	err := model.Scan(s.l.d.Root(), func(n *model.Node) (bool, error) {
		if count++; count%256 == 0 && s.ctx.Err() != nil {
			return false, context.Cause(s.ctx)
		}
		if n.Parent == nil && !fields || fields && n.Leaf() {
			return true, nil
		}
		if !s.values && n.DisplayName() == "" || !s.q.nodes.Match(n) {
			return true, nil
		}
		text := fieldsText(n, names)
		if text == "" {
			text = model.OneLine(n.ValueText(), maxText)
		}
		return true, s.addNode(n.Key, Hit{Assets: s.l.enclosing, Expanded: s.l.expanded, Path: s.l.pathOf(n),
			Span: n.Span, Name: model.OneLine(n.Title(), maxText), Type: n.Type, Text: text})
	}, nil, nil)
	if err == nil && s.ctx.Err() != nil {
		err = context.Cause(s.ctx)
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
