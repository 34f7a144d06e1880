package search

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"assay/model"
	"assay/model/find"
)

// assetLocator is a document that is searched, with the locations of its assets. It finds the assets that contain a
// hit.
type assetLocator struct {
	d         *model.Document
	enclosing []Asset // around the document, from the file inwards
	expanded  int     // the first of enclosing that are opened to reach its bytes; the others are stored uncompressed
	base      int64   // the offset of its bytes in the last of those, or in the file
	wholeFile bool    // search the whole file, not only the assets that pass the filter

	openedCount *atomic.Int64 // contents of assets in assets of the file

	assets   []locatedAsset // sorted by offset
	separate []int32        // the assets with content to search separately
	isWhole  []bool         // of separate: the whole asset passes the filter

	inner      *assetLocator // the asset that was opened last to locate a hit
	innerIndex int32
	lastAsset  *Asset // that a hit was in
	paths      model.Paths
}

type locatedAsset struct {
	model.Span
	index    int32
	isWhole  bool
	canOpen  bool // it may be a file with assets
	isPacked bool
}

// storedContent is the location and the codec of a content. Assets that share one are searched once.
type storedContent struct {
	span  model.Span
	codec string
}

// maxNesting is the maximum depth of nested packages that are searched.
const maxNesting = 8

// maxOpened is the number of contents of nested assets of a file that are searched. A few kilobytes can hold millions
// of nested packages, and a hundred thousand real ones are searched in a minute.
const maxOpened = 100_000

// locateAssets reads the positions of the assets of a document.
func (s *Search) locateAssets(ctx context.Context, d *model.Document, l assetLocator) (*assetLocator, error) {
	l.d, l.innerIndex = d, -1
	if l.openedCount == nil {
		l.openedCount = new(atomic.Int64)
	}
	if !d.IsPackage || d.Payloads == nil || len(l.enclosing) >= maxNesting {
		return &l, nil // the assets of other files are made of their nodes
	}
	q := s.Query
	visited := make(map[storedContent]bool)
	needsNodes := q.assetFilter != nil && q.assetFilter.NeedsNodes()
	err := eachAsset(ctx, d.Payloads, needsNodes, func(i int, p *model.Payload) bool {
		if i%1024 == 0 && ctx.Err() != nil {
			return false
		}
		if p == nil {
			return true
		}
		passes := l.wholeFile || q.selects(ctx, p)
		if p.Stored.Size <= 0 || p.Problem != "" || p.Open == nil {
			return true
		}
		packed, enter := p.Codec != "", s.Formats.opens(p.Name)
		if q.inBytes() && isStored(p) {
			l.assets = append(l.assets,
				locatedAsset{p.Stored, int32(i), passes, enter && !packed, packed})
		}
		if q.inBytes() {
			enter = packed && passes || s.Formats.packs(p.Name)
		}
		if !enter {
			return true
		}
		if content := (storedContent{p.Stored, p.Codec}); !visited[content] {
			visited[content] = true
			l.separate, l.isWhole = append(l.separate, int32(i)), append(l.isWhole, passes)
		}
		return true
	})
	slices.SortStableFunc(l.assets, func(a, b locatedAsset) int { return cmp.Compare(a.Offset, b.Offset) })
	return &l, cmp.Or(err, ctx.Err())
}

// eachAsset describes the assets of a document one after the other, with their nodes if nodes is set, until each
// returns false.
func eachAsset(ctx context.Context, payloads model.Payloads, nodes bool,
	each func(i int, p *model.Payload) bool) error {
	if !nodes {
		return model.DescribeEach(ctx, payloads, 0, payloads.Len(), each)
	}
	for i := 0; i < payloads.Len() && ctx.Err() == nil && each(i, payloads.At(i)); i++ {
	}
	return context.Cause(ctx)
}

// isStored reports whether the bytes of an asset are in the file, as they are or packed: others are computed from
// stored bytes.
func isStored(p *model.Payload) bool { return p.Codec != "" || p.Size == p.Stored.Size }

// close closes the assets that were opened to locate hits.
func (l *assetLocator) close() {
	if l.inner != nil {
		l.inner.close()
		l.inner.d.Source.Close()
		l.inner = nil
	}
}

// spans returns the bytes of the document to search: all, or the assets that pass the filter.
func (l *assetLocator) spans() []model.Span {
	if l.wholeFile {
		return []model.Span{{Size: l.d.Source.Size()}}
	}
	var spans []model.Span
	for _, p := range l.assets {
		n := len(spans)
		switch {
		case !p.isWhole:
		case n > 0 && p.Offset <= spans[n-1].End():
			spans[n-1].Size = max(spans[n-1].Size, p.End()-spans[n-1].Offset)
		default:
			spans = append(spans, p.Span)
		}
	}
	return spans
}

// asset describes an asset of the document.
func (l *assetLocator) asset(i int, p *model.Payload) Asset {
	return Asset{Name: strings.Clone(cmp.Or(p.Name, p.Key)), Key: strings.Clone(p.Key), Index: i}
}

// pathTo returns the enclosing assets of an asset of the document, and the asset.
func (l *assetLocator) pathTo(a Asset) []Asset { return append(slices.Clip(l.enclosing), a) }

// locate locates bytes of the document: it returns the asset, or outside of assets the node. It returns false for a
// match in packed bytes, which is by chance.
func (l *assetLocator) locate(ctx context.Context, s *Search, span model.Span) (Hit, bool) {
	hit := Hit{Assets: l.enclosing, Expanded: l.expanded,
		Span: model.Span{Offset: l.base + span.Offset, Size: span.Size}}
	p := l.assetAt(span.Offset)
	if p == nil {
		if n := l.d.Owner(span.Offset); n != nil && n.Parent != nil {
			hit.Path, hit.Name, hit.Type = l.pathOf(n), model.OneLine(n.Title(), maxText), n.Type
		}
		return hit, true
	}
	if p.isPacked && s.Query.Kind == Text {
		return hit, false
	}
	if p.canOpen {
		if inner := l.open(ctx, s, p); inner != nil {
			return inner.locate(ctx, s, model.Span{Offset: span.Offset - p.Offset, Size: span.Size})
		}
	}
	if l.lastAsset == nil || l.lastAsset.Index != int(p.index) {
		a := l.asset(int(p.index), l.d.Payloads.At(int(p.index)))
		l.lastAsset = &a
	}
	hit.Assets, hit.Name = l.pathTo(*l.lastAsset), l.lastAsset.Name
	return hit, true
}

// assetAt returns the last asset that contains a byte, or nil.
func (l *assetLocator) assetAt(off int64) *locatedAsset {
	i := sort.Search(len(l.assets), func(i int) bool { return l.assets[i].Offset > off })
	for k := i - 1; k >= max(0, i-maxOverlap); k-- {
		if l.assets[k].Contains(off) {
			return &l.assets[k]
		}
	}
	return nil
}

// maxOverlap is the number of assets before a byte that are checked: assets that share bytes are rare.
const maxOverlap = 16

// open opens an uncompressed asset of the document, or returns nil if that fails. The asset stays open until another
// one is opened or the locator is closed.
func (l *assetLocator) open(ctx context.Context, s *Search, p *locatedAsset) *assetLocator {
	if l.innerIndex == p.index {
		return l.inner
	}
	l.close()
	l.innerIndex = p.index
	a := l.d.Payloads.At(int(p.index))
	d, err := l.d.OpenNested(ctx, a, s.limit(), s.Open)
	if err != nil {
		return nil
	}
	inner, err := s.locateAssets(ctx, d, assetLocator{enclosing: l.pathTo(l.asset(int(p.index), a)),
		expanded: l.expanded, base: l.base + p.Offset, wholeFile: true})
	if err != nil {
		d.Source.Close()
		return nil
	}
	l.inner = inner
	return inner
}

// limit returns the limit for expanding an asset.
func (s *Search) limit() int64 { return cmp.Or(s.MaxExpanded, model.ExpandLimit) }

// maxPathDepth is the maximum depth of a node whose path is recorded: computing the paths of many deeper ones takes
// long.
const maxPathDepth = 256

// pathOf returns the path of a node by names; empty if it is too deep.
func (l *assetLocator) pathOf(n *model.Node) string {
	depth := 0
	for p := n; p.Parent != nil; p = p.Parent {
		if depth++; depth > maxPathDepth {
			return ""
		}
	}
	l.paths.Named = true
	return l.paths.Text(n)
}

// Length of an excerpt around a hit: bytes of text, and bytes in hex.
const (
	textBefore = 24 // few, so that the hit itself is in view
	textAfter  = 72
	hexBefore  = 4
	hexAfter   = 8
	maxHex     = 32
	maxHitText = 100 // bytes of a long text that was found
)

// excerpt returns the text of a hit: its line, or the bytes in hex with the hit in brackets.
func (s *Search) excerpt(h find.Hit) string {
	switch {
	case s.OmitText:
		return ""
	case s.Query.interpretation.Text:
		return textAt(h)
	}
	suffix := ""
	if len(h.Bytes) > maxHex {
		suffix = " …"
	}
	return strings.TrimSpace(fmt.Sprintf("% x [% x%s] % x", h.Before[max(0, len(h.Before)-hexBefore):],
		h.Bytes[:min(len(h.Bytes), maxHex)], suffix, h.After[:min(len(h.After), hexAfter)]))
}

// textAt returns the line around a hit.
func textAt(h find.Hit) string {
	before, after := h.Before[max(0, len(h.Before)-2*textBefore):], h.After
	if wide := bytes.IndexByte(h.Bytes, 0) >= 0; wide {
		high := bytes.IndexByte(h.Bytes, 0) % 2 // of the high bytes
		before, after = before[len(before)%2:], after[:len(after)&^1]
		return line(narrow(before, high), narrow(h.Bytes, high), narrow(after, high))
	}
	return line(before, h.Bytes, after)
}

// narrow returns the low bytes of text in units of two bytes; high is the index of the high byte. Units other than
// ASCII become dots.
func narrow(b []byte, high int) []byte {
	out := make([]byte, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		if low := b[i+1-high]; b[i+high] == 0 && low < utf8.RuneSelf {
			out = append(out, low)
		} else {
			out = append(out, 0)
		}
	}
	return out
}

// line returns a hit with its surroundings in its line, limited on each side, as appendText writes them.
func line(before, hit, after []byte) string {
	before, after = before[max(0, len(before)-textBefore):], after[:min(len(after), textAfter)]
	for i, c := range slices.Backward(before) {
		if isLineEnd(c) {
			before = before[i+1:]
			break
		}
	}
	if i := slices.IndexFunc(after, isLineEnd); i >= 0 {
		after = after[:i]
	}
	out := make([]byte, 0, len(before)+len(hit)+len(after)+32)
	out = appendText(out, bytes.TrimLeft(before, " \t"))
	out = appendText(out, hit[:min(len(hit), maxHitText)])
	if len(hit) > maxHitText {
		out = append(out, "…"...)
	}
	out = appendText(out, bytes.TrimRight(after, " \t"))
	return model.OneLine(string(out), len(out))
}

func isLineEnd(c byte) bool { return c == '\r' || c == '\n' }

// appendText appends bytes as text: control characters and bytes that are not UTF-8 become dots, tabs become spaces.
func appendText(out, b []byte) []byte {
	for len(b) > 0 {
		c := b[0]
		if c >= ' ' && c < 0x7f {
			out, b = append(out, c), b[1:]
			continue
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b)
		}
		switch {
		case c == '\t':
			out = append(out, ' ')
		case r < ' ' || r == 0x7f || r == utf8.RuneError:
			out = append(out, "·"...)
		default:
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// assetPath names the assets that something is in.
func assetPath(assets []Asset) string {
	var names []string
	for _, a := range assets {
		names = append(names, model.OneLine(a.Name, maxText))
	}
	return strings.Join(names, " / ")
}
