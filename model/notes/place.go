package notes

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"assay/model"
)

// placer finds the locations of notes in a document.
type placer struct {
	ctx         context.Context
	d           *model.Document
	bySize      map[int64][]*Sheet
	byLocation  map[string][]*Sheet
	previous    map[string]PlacedNote // the results of an earlier placement, by ID
	placed      []PlacedNote
	assetNumber int // the asset that is searched, by its index plus one; 0: the document
}

// Place finds the notes of sheets that are on a document, on its assets, or on an earlier version of either. before is
// the previous result for the same document, or nil. The error is the context's, or that the document cannot be read.
func Place(ctx context.Context, d *model.Document, sheets []Sheet, before *Placement) (*Placement, error) {
	p := &placer{ctx: ctx, d: d, bySize: make(map[int64][]*Sheet), byLocation: make(map[string][]*Sheet),
		previous: make(map[string]PlacedNote)}
	for i := range sheets {
		s := &sheets[i]
		p.bySize[s.Size] = append(p.bySize[s.Size], s)
		for _, location := range s.Locations {
			p.byLocation[location] = append(p.byLocation[location], s)
		}
	}
	for _, n := range before.Present() {
		p.previous[n.ID] = n
	}
	err := p.placeOn(model.Span{Size: d.Source.Size()}, sourceLocation(d.Source), func() *model.Payload { return nil })
	if err == nil && len(sheets) > 0 {
		err = p.placeInAssets()
	}
	if err != nil {
		return nil, err
	}
	return newPlacement(p.placed), nil
}

// placeOn places the notes on a span, the whole document or an asset, and notes on the previous content of its
// location. find returns the asset; nil for the document.
func (p *placer) placeOn(span model.Span, location string, find func() *model.Payload) error {
	if len(p.placed) == MaxCount {
		return nil
	}
	var present, earlier []*Sheet
	if same := p.bySize[span.Size]; len(same) > 0 {
		content, err := contentOf(p.ctx, p.d.Source, span)
		if err != nil {
			return err
		}
		for _, s := range same {
			if s.Content == content {
				present = append(present, s)
			}
		}
	}
	for _, s := range p.byLocation[location] {
		if !slices.Contains(present, s) {
			earlier = append(earlier, s)
		}
	}
	if len(present)+len(earlier) == 0 {
		return p.ctx.Err()
	}
	asset := find()
	if asset != nil && asset.Node == nil {
		return p.ctx.Err()
	}
	return p.placeNotes(present, earlier, span, asset)
}

// placeNotes places the notes on the content in a span, and the notes on an earlier version of it, except those that
// were copied to it or from it.
func (p *placer) placeNotes(present, earlier []*Sheet, span model.Span, asset *model.Payload) error {
	isPresent, copied := make(map[string]bool), make(map[string]bool)
	for _, s := range append(present, earlier...) {
		for _, n := range s.Notes {
			copied[n.CopiedFrom] = true
			isPresent[n.ID] = slices.Contains(present, s)
		}
	}
	for _, s := range present {
		for _, n := range s.Notes {
			if err := p.placeNote(n, s, span, asset, copied[n.ID]); err != nil {
				return err
			}
		}
	}
	for _, s := range earlier {
		for _, n := range s.Notes {
			if !copied[n.ID] && !isPresent[n.CopiedFrom] {
				placed := PlacedNote{Note: n, Content: s.Content, Bytes: n.Span(), Earlier: true}
				placed.Bytes.Offset += span.Offset
				p.add(placed, p.nodeOf(n, asset), asset)
			}
		}
	}
	return p.ctx.Err()
}

// placeNote places a note of the content in a span. copied reports whether another note was copied from it; then it is
// placed only on unchanged bytes.
func (p *placer) placeNote(n Note, s *Sheet, span model.Span, asset *model.Payload, copied bool) error {
	placed := PlacedNote{Note: n, Content: s.Content, Bytes: n.Span()}
	placed.Bytes.Offset += span.Offset
	if previous, ok := p.previous[n.ID]; ok && previous.Bytes == placed.Bytes && previous.Digest == n.Digest {
		previous.Note, previous.AssetNumber = n, p.assetNumber
		p.placed = append(p.placed, previous)
		return nil
	}
	sum, err := digest(p.ctx, p.d.Source, placed.Bytes)
	if err != nil {
		return err
	}
	node := p.nodeOf(n, asset)
	switch {
	case sum != n.Digest && copied:
		return nil
	case sum != n.Digest:
		placed.Earlier = true
	case n.IsRange || node == nil || node.Span != placed.Bytes && !n.isWhole(asset):
		// The node may be of another reading of the bytes.
		placed.OnBytes = true
		node = enclosingNode(p.d, placed.Bytes)
	}
	p.add(placed, node, asset)
	return nil
}

// isWhole reports whether a note is on all of an asset.
func (n *Note) isWhole(asset *model.Payload) bool { return asset != nil && n.Node == "/" && !n.IsRange }

// add adds a note that is on a node, or on bytes of it; node may be nil. One of an earlier version is on the present
// bytes of the node.
func (p *placer) add(placed PlacedNote, node *model.Node, asset *model.Payload) {
	if len(p.placed) == MaxCount {
		return
	}
	placed.AssetNumber = p.assetNumber
	if placed.isWhole(asset) {
		placed.Asset = asset.Key
		if data := enclosingNode(p.d, asset.Stored); data != nil && data.Span == asset.Stored {
			placed.DataNode = data.PathText()
		}
	}
	if placed.Earlier {
		placed.OnBytes = placed.IsRange
	}
	if node != nil {
		switch {
		case !placed.Earlier:
		case placed.isWhole(asset):
			placed.Bytes = asset.Stored
		case placed.IsRange:
			placed.Bytes.Offset = node.Offset + placed.NodeOffset
		default:
			placed.Bytes = node.Span
		}
		placed.Node, placed.Path, placed.Title = node.PathText(), node.Path(), node.TitlePath()
	}
	p.placed = append(p.placed, placed)
}

// nodeOf returns the node of a note on the document, or on an asset of it, or nil.
func (p *placer) nodeOf(n Note, asset *model.Payload) *model.Node {
	path := n.Node
	if path == "" {
		return nil
	}
	if asset != nil {
		path = strings.TrimSuffix(asset.Node.NamePath()+path, "/")
	}
	node, err := p.d.Find(path)
	if err != nil {
		return nil
	}
	return node
}

// enclosingNode returns the deepest node that has all bytes of a span.
func enclosingNode(d *model.Document, span model.Span) *model.Node {
	n := d.Owner(span.Offset)
	for n != nil && n.Parent != nil && (n.Offset > span.Offset || n.End() < span.End()) {
		n = n.Parent
	}
	return n
}

// minAsset is the minimum size of an asset with notes of its own: smaller ones are too often equal by chance.
const minAsset = 32

// placeInAssets places the notes on assets of a package. It reads only assets with the size of an annotated content.
func (p *placer) placeInAssets() error {
	d := p.d
	if !d.IsPackage || d.Payloads == nil {
		return nil
	}
	prefix := assetLocation(d.Source, "")
	hasAssets := false // some content was an asset of this file
	for location := range p.byLocation {
		hasAssets = hasAssets || prefix != "" && strings.HasPrefix(location, prefix)
	}
	type candidate struct {
		i        int
		stored   model.Span
		location string
	}
	var candidates []candidate
	err := model.DescribeEach(p.ctx, d.Payloads, 0, d.Payloads.Len(), func(i int, asset *model.Payload) bool {
		c := candidate{i: i, stored: asset.Stored}
		if hasAssets {
			c.location = prefix + asset.Name
		}
		if c.stored.Size >= minAsset && c.stored.Within(d.Source.Size()) &&
			len(p.bySize[c.stored.Size])+len(p.byLocation[c.location]) > 0 {
			candidates = append(candidates, c)
		}
		return p.ctx.Err() == nil
	})
	for _, c := range candidates {
		if err != nil {
			break
		}
		p.assetNumber = c.i + 1
		err = p.placeOn(c.stored, c.location, func() *model.Payload { return d.Payloads.At(c.i) })
	}
	return err
}

// sourceLocation returns the location of a source on this machine, or "" for bytes that are in no file.
func sourceLocation(src *model.Source) string {
	if src.Home() == "" {
		return ""
	}
	if containers := src.Containers(); len(containers) > 0 {
		return strings.Join(append(append([]string{model.EncodePath(src.Home())}, containers[1:]...), src.Name()), "\t")
	}
	return model.EncodePath(src.Home())
}

// assetLocation returns the location of an asset of a source, by its name, or "".
func assetLocation(src *model.Source, name string) string {
	if key := sourceLocation(src); key != "" {
		return key + "\t" + name
	}
	return ""
}

// PlacedNote is a note with its location in a document.
type PlacedNote struct {
	Note
	Content Content    // that it was made on
	Bytes   model.Span // its bytes in the document; of an earlier version, where they were
	Node    string     // the path of its node in the document, as Node.PathText; may be empty
	Path    model.Path // the path of the node
	Title   string     // the display path of the node
	OnBytes bool       // it is on the bytes, not on the node
	// Asset is the key of the asset of a package that the note is on as a whole, and DataNode the path of the node with
	// exactly the bytes of the asset. Both may be empty.
	Asset, DataNode string
	// AssetNumber is the position among the payloads of the asset that has the bytes, plus one; 0: they are in no
	// asset.
	AssetNumber int
	Earlier     bool // its bytes have changed
}

// IsSame reports whether n and o are the same note on the same bytes.
func (n *PlacedNote) IsSame(o *PlacedNote) bool { return n.ID == o.ID && n.Bytes == o.Bytes }

// Placement is the notes of a document, in the order of their bytes; notes on an earlier version come last. The zero
// value, and nil, is empty.
type Placement struct {
	notes   []PlacedNote
	present int              // number of notes on the present version
	ends    []int64          // the largest end of the bytes of each note and those before it
	nodes   map[string][]int // by the path of the node
	assets  map[string][]int // by the key of the asset
	byAsset map[int][]int    // by the position of the asset that has its bytes
}

// All returns the notes.
func (p *Placement) All() []PlacedNote {
	if p == nil {
		return nil
	}
	return p.notes
}

// Present returns the notes on the present version.
func (p *Placement) Present() []PlacedNote {
	if p == nil {
		return nil
	}
	return p.notes[:p.present]
}

// Earlier returns the notes on an earlier version.
func (p *Placement) Earlier() []PlacedNote { return p.All()[len(p.Present()):] }

// Equal reports whether both have the same notes at the same offsets.
func (p *Placement) Equal(o *Placement) bool {
	return slices.EqualFunc(p.All(), o.All(), func(a, b PlacedNote) bool {
		return a.Note == b.Note && a.Bytes == b.Bytes && a.Node == b.Node && a.Earlier == b.Earlier
	})
}

// maxNotesInSpan is the number of notes that are displayed at one node or offset.
const maxNotesInSpan = 1000

// OnNode returns the notes on a node, on the asset with its key, or on bytes with n as the deepest node that contains
// them: the first thousand.
func (p *Placement) OnNode(n *model.Node) []PlacedNote {
	if p == nil || p.present == 0 || n == nil {
		return nil
	}
	indexes := p.nodes[n.PathText()]
	for _, i := range p.assets[n.Key] {
		if n.Key != "" && !slices.Contains(indexes, i) {
			indexes = append(indexes[:len(indexes):len(indexes)], i)
		}
	}
	return p.firstNotes(indexes)
}

// firstNotes returns the first of some notes, by their positions.
func (p *Placement) firstNotes(indexes []int) (placed []PlacedNote) {
	for _, i := range indexes[:min(len(indexes), maxNotesInSpan)] {
		placed = append(placed, p.notes[i])
	}
	return placed
}

// InAsset returns the notes on an asset and on bytes of it, by its position among the payloads.
func (p *Placement) InAsset(i int) []PlacedNote {
	if p == nil {
		return nil
	}
	return p.firstNotes(p.byAsset[i])
}

// InSpan returns the notes that have a byte of a span, the ones with the most bytes first: a thousand of them
// at most.
func (p *Placement) InSpan(span model.Span) []PlacedNote {
	if p == nil {
		return nil
	}
	var placed []PlacedNote
	from := sort.Search(p.present, func(i int) bool { return p.ends[i] > span.Offset })
	for _, n := range p.notes[from:p.present] {
		if n.Bytes.Offset >= span.End() || len(placed) == maxNotesInSpan {
			break
		}
		if n.Bytes.Overlaps(span) {
			placed = append(placed, n)
		}
	}
	slices.SortStableFunc(placed, func(a, b PlacedNote) int { return cmp.Compare(b.Bytes.Size, a.Bytes.Size) })
	return placed
}

// Find returns the present note on a node, or on the bytes of a range; false without one.
func (p *Placement) Find(n *model.Node, bytes *model.Span) (PlacedNote, bool) {
	on := p.OnNode(n)
	if bytes != nil {
		on = p.InSpan(*bytes)
	}
	for _, placed := range on {
		if placed.OnBytes == (bytes != nil) && (bytes == nil || placed.Bytes == *bytes) {
			return placed, true
		}
	}
	return PlacedNote{}, false
}

// Step returns the note before (-1) or after (1) another one; if from is nil, before or after an offset. It wraps
// around, and returns false without notes.
func (p *Placement) Step(from *PlacedNote, offset int64, by int) (PlacedNote, bool) {
	placed := p.Present()
	if len(placed) == 0 {
		return PlacedNote{}, false
	}
	i := -1
	if from != nil {
		i = slices.IndexFunc(placed, func(n PlacedNote) bool { return n.IsSame(from) })
	}
	switch {
	case i >= 0:
		i += by
	case by > 0:
		i = sort.Search(len(placed), func(i int) bool { return placed[i].Bytes.Offset >= offset })
	default:
		i = sort.Search(len(placed), func(i int) bool { return placed[i].Bytes.Offset > offset }) - 1
	}
	return placed[(i+len(placed))%len(placed)], true
}

func newPlacement(placed []PlacedNote) *Placement {
	slices.SortStableFunc(placed, func(a, b PlacedNote) int {
		switch {
		case a.Earlier != b.Earlier && b.Earlier:
			return -1
		case a.Earlier != b.Earlier:
			return 1
		}
		return cmp.Or(cmp.Compare(a.Bytes.Offset, b.Bytes.Offset), cmp.Compare(b.Bytes.Size, a.Bytes.Size))
	})
	p := &Placement{notes: placed, nodes: make(map[string][]int), assets: make(map[string][]int),
		byAsset: make(map[int][]int)}
	p.present = sort.Search(len(placed), func(i int) bool { return placed[i].Earlier })
	end := int64(0)
	for i, n := range p.Present() {
		end = max(end, n.Bytes.End())
		p.ends = append(p.ends, end)
		if n.Node != "" {
			p.nodes[n.Node] = append(p.nodes[n.Node], i)
		}
		if n.DataNode != "" && n.DataNode != n.Node {
			p.nodes[n.DataNode] = append(p.nodes[n.DataNode], i)
		}
		if n.AssetNumber > 0 {
			p.byAsset[n.AssetNumber-1] = append(p.byAsset[n.AssetNumber-1], i)
		}
		if n.Asset != "" {
			p.assets[n.Asset] = append(p.assets[n.Asset], i)
		}
	}
	return p
}
