package compare

import (
	"image/color"
	"iter"
	"slices"
	"sort"
	"strings"

	"assay/model"
)

// Pair is a node of the old document and the matching one of the new; either may be nil. Pairs are made on access, so
// two accesses may return two Pair values for the same nodes.
type Pair struct {
	Old, New *model.Node
	Status   Status

	// Relocated means that a changed or moved pair has another parent, index or key.
	Relocated bool
	// Renamed means that the key of the pair changed.
	Renamed bool
	// Uncounted means that only one file has the node and that this is no difference: the format version of the other
	// file does not have the field, or the options ignore it.
	Uncounted bool
	// Counts are the rows of the report at and below the pair.
	Counts Counts

	c             *Comparison
	parent        *Pair
	index         int
	below         *pairList
	containsMoved bool // something below an added pair was elsewhere
}

// Node returns the new node, or the old one where there is no new one.
func (p *Pair) Node() *model.Node {
	if p.New != nil {
		return p.New
	}
	return p.Old
}

// Comparison returns the comparison that the pair is a part of.
func (p *Pair) Comparison() *Comparison { return p.c }

// Parent returns the pair that this one is a child of; nil for the root.
func (p *Pair) Parent() *Pair { return p.parent }

// IsRow reports whether the pair itself is a row of the report: a changed leaf, a keyed node with a change below it, or
// the topmost added, removed or moved node.
func (p *Pair) IsRow() bool {
	switch p.Status {
	case Same:
		return false
	case Changed:
		return p.Leaf() || p.isKeyed() || p.parent == nil && p.c.rootIsRow
	case Moved:
		return true
	}
	if p.Uncounted {
		return false
	}
	for up := p.parent; up != nil; up = up.parent {
		if up.Status == Added || up.Status == Removed || up.Uncounted {
			return false
		}
	}
	return true
}

// IsParent reports whether a row only contains other rows: the node itself did not change.
func (p *Pair) IsParent() bool {
	return p.Status == Changed && p.isKeyed() && !p.Leaf() && p.Counts.Parents > 0 && !p.HasOtherKey()
}

// CountIn adds the pair to c as one row.
func (p *Pair) CountIn(c *Counts) {
	c.Count(p.Status)
	c.countKeys(p.Status, p.Old, p.New)
	if p.IsParent() {
		c.Parents++
	}
}

// Leaf reports whether the pair has no nodes below it.
func (p *Pair) Leaf() bool {
	return (p.Old == nil || p.Old.Leaf()) && (p.New == nil || p.New.Leaf()) || p.isLeafMismatch()
}

// isLeafMismatch reports whether one side is a leaf and the other is not, so that they are compared as values.
func (p *Pair) isLeafMismatch() bool {
	return p.Status == Changed && p.Old != nil && p.New != nil && isMixed(p.Old, p.New)
}

// isMixed reports whether one of two nodes is a leaf and the other is not. A list without elements is not a leaf.
func isMixed(l, r *model.Node) bool {
	return l.Leaf() != r.Leaf() && !isEmptyList(l) && !isEmptyList(r)
}

func isEmptyList(n *model.Node) bool { return n.Leaf() && n.Size == 0 && n.Value == nil && IsList(n) }

func (p *Pair) isKeyed() bool {
	return p.Old != nil && p.Old.Key != "" || p.New != nil && p.New.Key != ""
}

// Len returns the number of pairs below this one. It may have to compare long lists.
func (p *Pair) Len() int {
	if p.Leaf() {
		return 0
	}
	return p.childPairs().total
}

// ChildNode returns a node of the i-th pair below this one, without a comparison.
func (p *Pair) ChildNode(i int) *model.Node {
	pairs := p.childPairs()
	n, index := pairs.find(i)
	r := pairs.runs[n]
	switch {
	case r.new >= 0:
		return p.New.Child(r.new + index)
	case r.pair != nil:
		return r.pair.Node()
	}
	return p.Old.Child(r.old + index)
}

// Child returns the i-th pair below this one.
func (p *Pair) Child(i int) *Pair {
	pairs := p.childPairs()
	r, index := pairs.find(i)
	var child *Pair
	if stored := pairs.runs[r].pair; stored != nil {
		copied := *stored // stored pairs are shared, so they have no parent
		child = &copied
	} else {
		child = p.c.expand(p, pairs.runs[r], index)
	}
	child.parent, child.index = p, i
	return child
}

func (p *Pair) childPairs() *pairList {
	if p.below == nil {
		p.c.openChildren(p)
	}
	return p.below
}

// run is consecutive children of one status: n of them, starting at old and new (-1 if that side has no child).
type run struct {
	old, new  int
	n         int
	status    Status
	renamed   bool
	relocated bool
	uncounted bool
	pair      *Pair // the result for a single child, if it was stored
}

// pairList has the pairs below a pair, in the order of the new file. A removed child follows the
// sibling that it followed in the old file.
type pairList struct {
	runs   []run
	starts []int
	counts Counts
	total  int
	// changed means that there is a change, perhaps without a row: a child has another parent now.
	changed bool
}

func (p *pairList) add(r run) {
	if r.n == 0 {
		return
	}
	if n := len(p.runs); n > 0 && r.pair == nil {
		last := &p.runs[n-1]
		copied := *last
		copied.old, copied.new, copied.n = r.old, r.new, r.n
		if copied == r && continues(last.old, last.n, r.old) && continues(last.new, last.n, r.new) {
			last.n += r.n
			p.total += r.n
			return
		}
	}
	p.starts = append(p.starts, p.total)
	p.runs = append(p.runs, r)
	p.total += r.n
}

// clip frees the unused capacity.
func (p *pairList) clip() { p.runs, p.starts = slices.Clone(p.runs), slices.Clone(p.starts) }

func continues(first, n, next int) bool {
	if first < 0 || next < 0 {
		return first == next
	}
	return first+n == next
}

// find returns the run of child i, and the index of the child in the run.
func (p *pairList) find(i int) (r, index int) {
	r = sort.Search(len(p.starts), func(r int) bool { return p.starts[r] > i }) - 1
	return r, i - p.starts[r]
}

// Run is consecutive pairs of one status below a pair.
type Run struct {
	First, N  int
	Old, New  int // the first children of the run in both nodes; -1 if that side has no child
	Status    Status
	Uncounted bool
	// Counts are the numbers of rows at and below the pairs of the run, as far as they are stored: of changed elements
	// of long lists only the first few thousand are.
	Counts Counts
	Known  bool // Counts are complete
}

// Runs calls do with the pairs below p in runs, until it returns false: a million equal pairs are one step. It may have
// to compare long lists, as Len does.
func (p *Pair) Runs(do func(r Run) bool) {
	if p.Leaf() {
		return
	}
	pairs := p.childPairs()
	for i, r := range pairs.runs {
		out := Run{First: pairs.starts[i], N: r.n, Old: r.old, New: r.new, Status: r.status, Uncounted: r.uncounted,
			Known: true}
		switch {
		case r.pair != nil:
			out.Counts = r.pair.Counts
		case r.status == Changed:
			out.Known = false
		case !r.uncounted:
			*out.Counts.At(r.status) = int64(r.n)
		}
		if !do(out) {
			return
		}
	}
}

// Ready reports whether Len, Child and Runs return without comparing.
func (p *Pair) Ready() bool { return p.below != nil || p.Leaf() }

// IsList reports whether a node is a list of any number of members, rather than a struct with fields.
func IsList(n *model.Node) bool { return strings.HasSuffix(n.Type, "[]") }

// Status is the kind of change of a node.
type Status uint8

// The statuses of a pair of nodes. Moved: the same content at another position or under another key.
const (
	Same Status = iota
	Changed
	Moved
	Added
	Removed
)

var statusNames = [...]string{"same", "changed", "moved", "added", "removed"}

// String returns the status as one word, as in reports.
func (s Status) String() string { return statusNames[s] }

// Sign returns the character for the status that begins a line of the text report.
func (s Status) Sign() string { return string("=~>+-"[s]) }

// Counts are numbers of rows of a report. A subtree that is the same, added or removed is one row; but in a list of
// keyed items that only one file has, each item is one.
type Counts struct {
	Same, Changed, Moved, Added, Removed int64
	// Parents is the number of changed rows that only contain other rows.
	Parents int64
	// OtherKey is the number of changed and of moved rows of items with another key than before.
	OtherKey struct{ Changed, Moved int64 }
}

// ByKey returns the counts if each item with a new key counts as one removed and one added item.
func (c Counts) ByKey() Counts {
	c.Changed -= c.OtherKey.Changed
	c.Moved -= c.OtherKey.Moved
	c.Removed += c.OtherKey.Changed + c.OtherKey.Moved
	c.Added += c.OtherKey.Changed + c.OtherKey.Moved
	return c
}

// Differences returns the number of rows that are not the same.
func (c Counts) Differences() int64 { return c.Changed + c.Moved + c.Added + c.Removed }

// Rows returns the number of rows with status s.
func (c Counts) Rows(s Status) int64 { return *c.At(s) }

// OwnRows returns the number of rows with status s, except parents of other rows.
func (c Counts) OwnRows(s Status) int64 {
	if s == Changed {
		return c.Changed - c.Parents
	}
	return c.Rows(s)
}

// Count adds one to the number of rows with a status.
func (c *Counts) Count(s Status) { *c.At(s)++ }

// String returns the numbers of rows that differ: "2 changed, 1 added".
func (c Counts) String() string {
	var s []string
	for st, n := range c.Each() {
		s = append(s, model.FormatCount(n)+" "+st.String())
	}
	return strings.Join(s, ", ")
}

// Each returns the statuses other than Same that rows have, with their numbers. Parents of changed values are not
// counted.
func (c Counts) Each() iter.Seq2[Status, int64] {
	return func(yield func(s Status, n int64) bool) {
		for s := Changed; s <= Removed; s++ {
			if n := c.OwnRows(s); n > 0 && !yield(s, n) {
				return
			}
		}
	}
}

// At returns a pointer to the number of rows with a status.
func (c *Counts) At(s Status) *int64 {
	return [...]*int64{&c.Same, &c.Changed, &c.Moved, &c.Added, &c.Removed}[s]
}

// Add adds the numbers of others.
func (c *Counts) Add(o Counts) {
	c.Same += o.Same
	c.Changed += o.Changed
	c.Moved += o.Moved
	c.Added += o.Added
	c.Removed += o.Removed
	c.Parents += o.Parents
	c.OtherKey.Changed += o.OtherKey.Changed
	c.OtherKey.Moved += o.OtherKey.Moved
}

// Background is the background of the color of a status.
type Background uint8

// The backgrounds: drawn scenes, and the dark and the light theme of the window.
const (
	OnScene Background = iota
	OnDark
	OnLight
)

// statusColors are the colors of statuses by background. They are based on the palette of Okabe and Ito, which
// color-blind people can distinguish.
var statusColors = [...][Removed + 1]color.NRGBA{
	OnScene: {Same: {0x9a, 0x9f, 0xa8, 0xff}, Changed: {0xe3, 0xa0, 0x1e, 0xff}, Moved: {0x3d, 0x94, 0xd6, 0xff},
		Added: {0x1f, 0xb5, 0x88, 0xff}, Removed: {0xd9, 0x6a, 0x9e, 0xff}},
	OnDark: {Same: {0x9a, 0x9f, 0xa8, 0xff}, Changed: {0xf0, 0xb4, 0x29, 0xff}, Moved: {0x6f, 0xbc, 0xf0, 0xff},
		Added: {0x2f, 0xc7, 0x9a, 0xff}, Removed: {0xe5, 0x8a, 0xb5, 0xff}},
	OnLight: {Same: {0x9a, 0x9f, 0xa8, 0xff}, Changed: {0xa8, 0x64, 0x00, 0xff}, Moved: {0x00, 0x67, 0xa8, 0xff},
		Added: {0x00, 0x7a, 0x59, 0xff}, Removed: {0xb0, 0x38, 0x7a, 0xff}},
}

// Color returns the color of a status on a background.
func (s Status) Color(on Background) color.NRGBA { return statusColors[on][s] }
