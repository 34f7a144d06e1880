package compare

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"assay/model"
)

// Pair is a node of the old document and the matching one of the new; either may be nil. Pairs are made on access, so
// two accesses may return two Pair values for the same nodes.
type Pair struct {
	Old, New *model.Node
	Status   Status

	// Relocated means that a changed pair also has another parent, index or key.
	Relocated bool
	// Renamed means that the key of the pair changed.
	Renamed bool
	// OneVersion means that a field is missing only because the format version of the other file does not have it.
	OneVersion bool
	// Counts are the rows of the report at and below the pair.
	Counts Counts

	c             *Comparison
	parent        *Pair
	index         int
	below         *children
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

// Row reports whether the pair itself is a row of the report: a changed leaf, a keyed node with a change below it, or
// the topmost added, removed or moved node.
func (p *Pair) Row() bool {
	switch p.Status {
	case Same:
		return false
	case Changed:
		return p.Leaf() || p.isKeyed() || p.parent == nil && p.c.rootIsRow
	case Moved:
		return true
	}
	if p.OneVersion {
		return false
	}
	for up := p.parent; up != nil; up = up.parent {
		if up.Status == Added || up.Status == Removed || up.OneVersion {
			return false
		}
	}
	return true
}

// IsParent reports whether a row only contains other rows: the node itself did not change.
func (p *Pair) IsParent() bool {
	return p.Status == Changed && p.isKeyed() && !p.Leaf() && p.Counts.Parents > 0 && !p.HasOtherKey()
}

// CountIn adds the row that a pair is.
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
	k := p.childPairs()
	n, index := k.find(i)
	r := k.runs[n]
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
	k := p.childPairs()
	r, index := k.find(i)
	var child *Pair
	if stored := k.runs[r].pair; stored != nil {
		copied := *stored // stored pairs are shared, so they have no parent
		child = &copied
	} else {
		child = p.c.expand(p, k.runs[r], index)
	}
	child.parent, child.index = p, i
	return child
}

func (p *Pair) childPairs() *children {
	if p.below == nil {
		p.c.openChildren(p)
	}
	return p.below
}

// run is consecutive children of one status: n of them, starting at old and new (-1 if that side has no child).
type run struct {
	old, new   int
	n          int
	status     Status
	renamed    bool
	relocated  bool
	oneVersion bool
	pair       *Pair // the result for a single child, if it was stored
}

// children are the pairs below a pair, in the order of the new file, with removed children at their old index.
type children struct {
	runs   []run
	starts []int
	counts Counts
	total  int
	// changed means that there is a change, perhaps without a row: a child has another parent now.
	changed bool
}

func (k *children) add(r run) {
	if r.n == 0 {
		return
	}
	if n := len(k.runs); n > 0 && r.pair == nil {
		last := &k.runs[n-1]
		copied := *last
		copied.old, copied.new, copied.n = r.old, r.new, r.n
		if copied == r && continues(last.old, last.n, r.old) && continues(last.new, last.n, r.new) {
			last.n += r.n
			k.total += r.n
			return
		}
	}
	k.starts = append(k.starts, k.total)
	k.runs = append(k.runs, r)
	k.total += r.n
}

func continues(first, n, next int) bool {
	if first < 0 || next < 0 {
		return first == next
	}
	return first+n == next
}

// find returns the run of child i, and the index of the child in the run.
func (k *children) find(i int) (r, index int) {
	r = sort.Search(len(k.starts), func(r int) bool { return k.starts[r] > i }) - 1
	return r, i - k.starts[r]
}

// maxAliases is the maximum number of elements whose names are read.
const maxAliases = 1 << 16

// nameTable holds the keyed items of one document by title. A title that repeats has no key.
type nameTable struct {
	keys      map[identity]string
	order     []identity // of keys, as in the file
	names     map[string]bool
	remaining int
}

// planAliases finds items with different keys in two versions of a format, such as a number and a UUID, by their paths
// and titles.
func (e *engine) planAliases() {
	var found [2]nameTable
	for side := range 2 {
		found[side] = nameTable{keys: make(map[identity]string), names: make(map[string]bool), remaining: maxAliases}
		found[side].collect(e.docs[side].Root(), 0)
	}
	e.aliases = make(map[string]string)
	for _, id := range found[0].order {
		l, r := found[0].keys[id], found[1].keys[id]
		if l == "" || r == "" || found[1].names[l] || found[0].names[r] || e.aliases[l] != "" {
			continue
		}
		e.aliases[l] = r
		if _, ok := e.renames[l]; !ok {
			e.renames[l] = r
		}
	}
}

const aliasDepth = 4 // lists are near the root

func (d *nameTable) collect(n *model.Node, depth int) {
	if depth > aliasDepth || n.Leaf() {
		return
	}
	for i := range n.Len() {
		if d.remaining--; d.remaining < 0 {
			return
		}
		c := n.Child(i)
		if c.Key == "" {
			d.collect(c, depth+1)
			continue
		}
		d.names[c.Key] = true
		label := ownName(c)
		if label == "" {
			continue
		}
		id := identity{c.Type, label}
		if _, twice := d.keys[id]; twice {
			d.keys[id] = ""
		} else {
			d.keys[id] = c.Key
			d.order = append(d.order, id)
		}
	}
}

// ownName returns the path and the name that a node gives itself, empty if it gives neither.
func ownName(n *model.Node) string {
	label := ""
	for i := range min(n.Len(), 16) {
		c := n.Child(i)
		if s, ok := c.Value.(string); ok && c.Role == model.RoleName {
			label += s + "\x00"
		}
	}
	return label
}

// leavesDiffer compares two matching leaves.
func (e *engine) leavesDiffer(l, r *model.Node) bool {
	if (l.Role.Layout() || r.Role.Layout()) && !e.strict || e.renamedValue(l, r) {
		return false
	}
	if e.opts.Texts.Any() && l.Role == model.RoleSpacing && r.Role == model.RoleSpacing {
		a, _ := l.Value.(string)
		b, _ := r.Value.(string)
		if a != b && e.opts.Texts.countedSpacing(a) == e.opts.Texts.countedSpacing(b) {
			e.ignored++
			return false
		}
	}
	// The bytes of a bit field have bits of other fields.
	if e.sameVariant && l.Type == r.Type && l.Size == r.Size && l.Bits == (model.Bits{}) && r.Bits == l.Bits {
		if e.sameBytes(l.Span, r.Span) {
			return !sameContext(l.Value, r.Value)
		}
		return !e.tolerates(l.Value, r.Value)
	}
	if !e.sameValues(l, r) {
		return !e.tolerates(l.Value, r.Value)
	}
	return e.sameVariant && l.Type != r.Type
}

// sameContext compares leaves of equal bytes: their values may depend on other data of the file.
func sameContext(l, r any) bool {
	same, known := sameScalars(l, r)
	return same || !known
}

// sameValues compares the values of two leaves, regardless of their width in the file.
func (e *engine) sameValues(l, r *model.Node) bool {
	if l.Value == nil && r.Value == nil {
		return e.sameBytes(l.Span, r.Span)
	}
	if l.Raw() != nil || r.Raw() != nil {
		return bytes.Equal(l.Raw(), r.Raw())
	}
	return e.equalValues(l.Value, r.Value)
}

func (e *engine) equalValues(l, r any) bool {
	if same, known := sameScalars(l, r); known {
		return same
	}
	switch l := l.(type) {
	case nil:
		return r == nil
	case model.None:
		return r == l
	case model.Blob:
		r, ok := r.(model.Blob)
		return ok && e.sameStreams(l.Source, l.Span, r.Source, r.Span)
	case model.Array:
		r, ok := r.(model.Array)
		return ok && (e.sameNumbers(l, r) || e.arraysDiffer(l, r) < 0 && l.Len() == r.Len())
	}
	return false
}

// sameNumbers compares two rows of numbers of one binary form by their bytes.
func (e *engine) sameNumbers(l, r model.Array) bool {
	a, ok := l.(model.Numbers)
	b, also := r.(model.Numbers)
	if !ok || !also || a.Form != b.Form || a.Order != b.Order || a.Count != b.Count {
		return false
	}
	x, y := numberSpan(a), numberSpan(b)
	if a.Source == e.docs[0].Source && b.Source == e.docs[1].Source {
		return e.sameBytes(x, y)
	}
	return e.sameStreams(a.Source, x, b.Source, y)
}

func numberSpan(n model.Numbers) model.Span {
	return model.Span{Offset: n.Offset, Size: n.Count * n.Form.Size()}
}

const arrayChunk = 4096

// arraysDiffer returns the index of the first different number within the common length, or -1.
func (e *engine) arraysDiffer(l, r model.Array) int64 {
	for index, n := int64(0), min(l.Len(), r.Len()); index < n && !e.fail(e.ctx.Err()); index += arrayChunk {
		a, errA := l.Slice(index, arrayChunk)
		b, errB := r.Slice(index, arrayChunk)
		if e.fail(errA) || e.fail(errB) {
			return 0
		}
		for i := range min(len(a), len(b)) {
			if !e.equalValues(a[i], b[i]) && !e.tolerates(a[i], b[i]) {
				return index + int64(i)
			}
		}
	}
	return -1
}

// sameScalars compares two scalars; known is false if they are not both scalars of one kind.
func sameScalars(l, r any) (same, known bool) {
	switch l := l.(type) {
	case bool:
		r, ok := r.(bool)
		return l == r, ok
	case string:
		r, ok := r.(string)
		return l == r, ok
	case uint64:
		switch r := r.(type) {
		case uint64:
			return l == r, true
		case int64:
			return r >= 0 && l == uint64(r), true
		}
	case int64:
		switch r := r.(type) {
		case int64:
			return l == r, true
		case uint64:
			return l >= 0 && uint64(l) == r, true
		}
	case float32:
		switch r := r.(type) {
		case float32:
			return math.Float32bits(l) == math.Float32bits(r), true
		case float64:
			return sameFloats(float64(l), float64(float32(r))), true
		}
	case float64:
		switch r := r.(type) {
		case float64:
			return math.Float64bits(l) == math.Float64bits(r), true
		case float32:
			return sameFloats(float64(float32(l)), float64(r)), true
		}
	}
	if (IsFloat(l) && IsInt(r)) || (IsInt(l) && IsFloat(r)) {
		return AsFloat(l) == AsFloat(r), true
	}
	return false, false
}

func sameFloats(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// IsFloat reports whether a value is a float32 or a float64.
func IsFloat(v any) bool {
	switch v.(type) {
	case float32, float64:
		return true
	}
	return false
}

// IsInt reports whether a value is an int64 or a uint64.
func IsInt(v any) bool {
	switch v.(type) {
	case int64, uint64:
		return true
	}
	return false
}

// AsFloat returns a number as a float64, or 0 for any other value.
func AsFloat(number any) float64 {
	f, _ := model.Float(number)
	return f
}

// tolerates reports whether two values are floats as near to one another as the options allow. An ignored
// difference is counted, so that the files do not count as identical.
func (e *engine) tolerates(l, r any) bool {
	t := e.opts.Tolerance
	if t <= 0 || e.err != nil {
		return false
	}
	if areNear(l, r, t) {
		e.ignored++
		return true
	}
	a, ok := l.(model.Array)
	b, also := r.(model.Array)
	if !ok || !also || a.Len() != b.Len() {
		return false
	}
	index := e.arraysDiffer(a, b)
	return e.takeError() == nil && index < 0
}

func areNear(l, r any, t float64) bool {
	if !IsFloat(l) || !IsFloat(r) {
		return false
	}
	a, b := AsFloat(l), AsFloat(r)
	return sameFloats(a, b) || math.Abs(a-b) <= t*max(1, math.Abs(a), math.Abs(b))
}

// renamedValue reports whether the leaf has the name of a node before and after it was renamed.
func (e *engine) renamedValue(l, r *model.Node) bool {
	if _, content := l.Value.(model.Blob); content || len(e.renames) == 0 {
		return false
	}
	if l.Link != nil && r.Link != nil && l.Link.Key != "" {
		return e.renames[l.Link.Key] == r.Link.Key && l.Link.File == r.Link.File
	}
	switch l.Value.(type) {
	case string, uint64, int64:
		to, ok := e.renames[keyText(l)]
		return ok && to == keyText(r)
	}
	return false
}

// keyText returns a leaf's value as it would be written in a key.
func keyText(n *model.Node) string {
	switch v := n.Value.(type) {
	case string:
		return v
	case uint64, int64:
		return model.FormatValue(v)
	}
	return ""
}

// EachNumber calls do for the values of two arrays that differ by the rules, in order, until it returns false; nil for
// a value that one of them does not have. The error is the context's, or one of reading a file.
func (p *Pair) EachNumber(ctx context.Context, do func(index int64, old, new any) bool) error {
	l, r, ok := p.Arrays()
	if !ok {
		return nil
	}
	for index := int64(0); index < max(l.Len(), r.Len()); index += arrayChunk {
		if sameBytesAt(l, r, index) {
			continue
		}
		a, errA := l.Slice(index, arrayChunk)
		b, errB := r.Slice(index, arrayChunk)
		if err := cmp.Or(ctx.Err(), errA, errB); err != nil {
			return err
		}
		for i := range max(len(a), len(b)) {
			x, y := valueAt(a, i), valueAt(b, i)
			if !p.c.Options.sameNumber(x, y) && !do(index+int64(i), x, y) {
				return nil
			}
		}
	}
	return nil
}

// Arrays returns the values of a pair of arrays.
func (p *Pair) Arrays() (old, new model.Array, ok bool) {
	if p.Old == nil || p.New == nil {
		return nil, nil, false
	}
	old, isOld := p.Old.Value.(model.Array)
	new, isNew := p.New.Value.(model.Array)
	return old, new, isOld && isNew
}

// sameBytesAt reports whether the next numbers of two arrays have the same bytes, without decoding them.
func sameBytesAt(l, r model.Array, index int64) bool {
	a, isOld := l.(model.Numbers)
	b, isNew := r.(model.Numbers)
	if !isOld || !isNew || a.Form != b.Form || a.Order != b.Order || min(a.Count, b.Count) < index+arrayChunk {
		return false
	}
	w := a.Form.Size()
	x, errA := a.Source.Bytes(model.Span{Offset: a.Offset + index*w, Size: arrayChunk * w})
	y, errB := b.Source.Bytes(model.Span{Offset: b.Offset + index*w, Size: arrayChunk * w})
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

func valueAt(v []any, i int) any {
	if i < len(v) {
		return v[i]
	}
	return nil
}

// sameNumber reports whether two values of arrays count as the same.
func (o *Options) sameNumber(l, r any) bool {
	if same, known := sameScalars(l, r); known {
		return same || o.Tolerance > 0 && areNear(l, r, o.Tolerance)
	}
	switch l := l.(type) {
	case nil:
		return r == nil
	case model.None:
		return r == any(l)
	}
	a, isOld := l.(model.Array)
	b, isNew := r.(model.Array)
	if !isOld || !isNew || a.Len() != b.Len() {
		return false
	}
	x, errA := a.Slice(0, a.Len())
	y, errB := b.Slice(0, b.Len())
	return errA == nil && errB == nil && slices.EqualFunc(x, y, o.sameNumber)
}

// FirstNumber returns the index of the first value that differs of two arrays.
func (p *Pair) FirstNumber() (first int64) {
	_ = p.EachNumber(context.Background(), func(index int64, _, _ any) bool { first = index; return false })
	return first
}
