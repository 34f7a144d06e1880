package notes

import (
	"cmp"
	"slices"
	"sort"

	"assay/model"
)

// Placed is a note where it is in a document.
type Placed struct {
	Note
	Content Content    // that it is kept for
	At      model.Span // its bytes in the document; of an earlier version, where they were
	Node    string     // the path of its node in the document, as Node.PathText; empty if there is none
	Path    model.Path // of that node
	Where   string     // that node for people
	OnBytes bool       // it is on the bytes, not on the node
	// Asset is the key of the asset of an archive that the note is on as a whole, and Data the path of the node that
	// has the bytes of the asset and no others: empty for none.
	Asset, Data string
	// In is the position among the payloads of the asset that has the bytes, plus one; 0: they are in no asset.
	In      int
	Earlier bool // its bytes are other ones by now
}

// Is reports whether both are one note at one place.
func (n *Placed) Is(o *Placed) bool { return n.ID == o.ID && n.At == o.At }

// Placement is the notes of a document, in the order of their bytes; those of an earlier version are the last ones. The
// zero value, and nil, has none.
type Placement struct {
	all     []Placed
	present int              // of all, how many are not of an earlier version
	ends    []int64          // the largest end of the bytes of each note and those before it
	nodes   map[string][]int // by the path of the node
	assets  map[string][]int // by the key of the asset
	inside  map[int][]int    // by the position of the asset that has its bytes
}

// All returns the notes.
func (p *Placement) All() []Placed {
	if p == nil {
		return nil
	}
	return p.all
}

// Present returns those that are not of an earlier version.
func (p *Placement) Present() []Placed {
	if p == nil {
		return nil
	}
	return p.all[:p.present]
}

// Earlier returns those of an earlier version.
func (p *Placement) Earlier() []Placed { return p.All()[len(p.Present()):] }

// Equal reports whether both have the same notes at the same places.
func (p *Placement) Equal(o *Placement) bool {
	return slices.EqualFunc(p.All(), o.All(), func(a, b Placed) bool {
		return a.Note == b.Note && a.At == b.At && a.Node == b.Node && a.Earlier == b.Earlier
	})
}

// togetherMost is how many notes are shown at one place.
const togetherMost = 1000

// On returns the notes on a node, on the asset that has its key, or on bytes of which it is the deepest node that has
// them all: the first thousand.
func (p *Placement) On(n *model.Node) []Placed {
	if p == nil || p.present == 0 || n == nil {
		return nil
	}
	at := p.nodes[n.PathText()]
	for _, i := range p.assets[n.Key] {
		if n.Key != "" && !slices.Contains(at, i) {
			at = append(at[:len(at):len(at)], i)
		}
	}
	return p.these(at)
}

// these returns the first of some notes, by their positions.
func (p *Placement) these(at []int) (some []Placed) {
	for _, i := range at[:min(len(at), togetherMost)] {
		some = append(some, p.all[i])
	}
	return some
}

// InAsset returns the notes on an asset and on bytes of it, by its position among the payloads.
func (p *Placement) InAsset(i int) []Placed {
	if p == nil {
		return nil
	}
	return p.these(p.inside[i])
}

// In returns the notes that have a byte of a span, the ones with the most bytes first: a thousand of them
// at most.
func (p *Placement) In(span model.Span) []Placed {
	if p == nil {
		return nil
	}
	var in []Placed
	from := sort.Search(p.present, func(i int) bool { return p.ends[i] > span.Offset })
	for _, n := range p.all[from:p.present] {
		if n.At.Offset >= span.End() || len(in) == togetherMost {
			break
		}
		if n.At.Overlaps(span) {
			in = append(in, n)
		}
	}
	slices.SortStableFunc(in, func(a, b Placed) int { return cmp.Compare(b.At.Size, a.At.Size) })
	return in
}

// Find returns the present note on a node, or on the bytes of a range; false if there is none.
func (p *Placement) Find(n *model.Node, bytes *model.Span) (Placed, bool) {
	on := p.On(n)
	if bytes != nil {
		on = p.In(*bytes)
	}
	for _, one := range on {
		if one.OnBytes == (bytes != nil) && (bytes == nil || one.At == *bytes) {
			return one, true
		}
	}
	return Placed{}, false
}

// Step returns the note before (-1) or after (1) another one; nil: before or after an offset. It goes round. false:
// there is none.
func (p *Placement) Step(from *Placed, offset int64, by int) (Placed, bool) {
	all := p.Present()
	if len(all) == 0 {
		return Placed{}, false
	}
	i := -1
	if from != nil {
		i = slices.IndexFunc(all, func(n Placed) bool { return n.Is(from) })
	}
	switch {
	case i >= 0:
		i += by
	case by > 0:
		i = sort.Search(len(all), func(i int) bool { return all[i].At.Offset >= offset })
	default:
		i = sort.Search(len(all), func(i int) bool { return all[i].At.Offset > offset }) - 1
	}
	return all[(i+len(all))%len(all)], true
}

// arrange makes the placement of notes.
func arrange(all []Placed) *Placement {
	slices.SortStableFunc(all, func(a, b Placed) int {
		switch {
		case a.Earlier != b.Earlier && b.Earlier:
			return -1
		case a.Earlier != b.Earlier:
			return 1
		}
		return cmp.Or(cmp.Compare(a.At.Offset, b.At.Offset), cmp.Compare(b.At.Size, a.At.Size))
	})
	p := &Placement{all: all, nodes: make(map[string][]int), assets: make(map[string][]int),
		inside: make(map[int][]int)}
	p.present = sort.Search(len(all), func(i int) bool { return all[i].Earlier })
	end := int64(0)
	for i, n := range p.Present() {
		end = max(end, n.At.End())
		p.ends = append(p.ends, end)
		if n.Node != "" {
			p.nodes[n.Node] = append(p.nodes[n.Node], i)
		}
		if n.Data != "" && n.Data != n.Node {
			p.nodes[n.Data] = append(p.nodes[n.Data], i)
		}
		if n.In > 0 {
			p.inside[n.In-1] = append(p.inside[n.In-1], i)
		}
		if n.Asset != "" {
			p.assets[n.Asset] = append(p.assets[n.Asset], i)
		}
	}
	return p
}
