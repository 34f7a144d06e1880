package gpb

import (
	"cmp"
	"slices"
	"sort"

	"assay/formats/decode"
	"assay/model"
)

// located is an object that is decoded because references lead to it.
type located struct {
	typ    TypeID
	span   model.Span // as far as it was read
	object Object     // nil if that was not to its end
	inside bool       // it begins inside of another object
	closed bool       // what is in it is not shown
	ref    int32
}

// effort bounds what is read for references: those of a hostile file can make each other's bytes be read again and
// again.
type effort struct {
	left  int64   // how many objects, and elements of lists, may still be read
	marks []int32 // the references whose state changed since it was set
}

// spend counts what a probe reads, and stops it when that is too much.
func (r *reader) spend(c *decode.Cursor, n int64) {
	if c != r.c {
		return
	}
	if r.effort.left -= n; r.effort.left < 0 {
		c.Fail("too many references lead into each other's objects")
	}
}

// Objects that are inside of others are shown with all that is in them while these have so many times the bytes of the
// file; what is in the largest of them is not.
const (
	insideTimes = 3
	insideLeast = 1 << 20
)

// recover decodes what the reading did not come to but the table leads to, and says what is wrong with the table.
func (r *reader) recover() {
	if !r.versioned {
		return
	}
	r.faults = make([]fault, len(r.refs))
	var missing []int32
	for _, i := range r.byOffset {
		switch off := int64(r.refs[i].Offset); {
		case r.found[i].state != unseen || r.refs[i].Type.String() == "":
		case off >= r.src.Size():
			r.faults[i] = outside
		case off < r.first:
			r.faults[i] = insideTable
		default:
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return
	}
	work := r.src.Size()/32 + 1<<16
	missing = r.locate(missing, func() int64 { return work }, &work)
	// What is left in a hostile file has small objects, too.
	const each = 64
	work = each * min(int64(len(missing)), r.src.Size()/32/each+1<<10)
	for _, i := range r.locate(missing, func() int64 { return min(work, each) }, &work) {
		r.faults[i] = notRead
	}
	r.bound()
	slices.SortStableFunc(r.recovered, func(a, b located) int { return cmp.Compare(a.span.Offset, b.span.Offset) })
	for _, l := range r.recovered {
		if l.object != nil && !l.closed {
			r.file.Recovered = append(r.file.Recovered, l.object)
		}
	}
}

// locate reads the objects of references, which are in the order of their offsets. most is how much may be read for
// one, left for all. It returns the references for which that was too little.
func (r *reader) locate(missing []int32, most func() int64, left *int64) (rest []int32) {
	done := r.wholeObjects()
	end := r.first // of what was read whole
	for _, i := range missing {
		if r.found[i].state != unseen { // met inside of one before it
			continue
		}
		ref, off, doubts := r.refs[i], int64(r.refs[i].Offset), r.doubts
		r.effort = effort{left: most()}
		allowed := r.effort.left
		l := located{typ: ref.Type, ref: i, inside: off < end || done.contain(off)}
		whole := r.c.Try(func() {
			r.c.GoTo(off)
			l.object = r.readObject(r.c, ref.Type)
		})
		*left -= allowed - max(r.effort.left, 0)
		l.span = model.Span{Offset: off, Size: r.c.Pos() - off}
		switch {
		case r.effort.left < 0:
			rest = append(rest, i)
		case l.inside && (!whole || r.doubts > doubts):
			r.faults[i] = notThere
		case whole:
			end = max(end, l.span.End())
			fallthrough
		default:
			if !whole {
				l.object = nil
			}
			r.recovered = append(r.recovered, l)
			continue
		}
		r.forget(doubts)
	}
	return rest
}

// forget takes back what the last attempt to read an object noted.
func (r *reader) forget(doubts int) {
	for _, i := range r.effort.marks {
		r.found[i] = found{}
	}
	r.doubts = doubts
}

// bound closes the largest of the objects that are inside of others, if these have too many bytes in all.
func (r *reader) bound() {
	bySize := make([]*located, 0, len(r.recovered))
	for k := range r.recovered {
		if r.recovered[k].inside {
			bySize = append(bySize, &r.recovered[k])
		}
	}
	slices.SortStableFunc(bySize, func(a, b *located) int { return cmp.Compare(a.span.Size, b.span.Size) })
	left := insideTimes*r.src.Size() + insideLeast
	for _, l := range bySize {
		left -= l.span.Size
		l.closed = left < 0
	}
}

// ranges is spans in the order of their offsets that do not overlap.
type ranges []model.Span

func (s ranges) contain(off int64) bool {
	i, _ := slices.BinarySearchFunc(s, off, func(v model.Span, off int64) int { return cmp.Compare(v.End(), off+1) })
	return i < len(s) && s[i].Contains(off)
}

// wholeObjects returns the bytes of the objects in the lists of the file.
func (r *reader) wholeObjects() ranges {
	var all ranges
	for _, m := range r.file.Meshes {
		all = append(all, m.Span)
	}
	return append(all, r.spans...)
}

// recordRecovered records a list of what references lead to.
func (r *reader) recordRecovered(c *decode.Cursor) {
	all := r.recovered
	if len(all) == 0 {
		return
	}
	ends := make([]int64, len(all)) // the last end of an object up to each
	for i, l := range all {
		ends[i] = l.span.End()
		if i > 0 {
			ends[i] = max(ends[i], ends[i-1])
		}
	}
	r.lists.recovered = c.Struct("recovered", "Object[]", func() {
		c.Elements("Object", len(all), func(_ *decode.Cursor, i int) model.Span {
			if all[i].object == nil { // what is wrong with it depends on what comes after it
				return model.Span{Offset: all[i].span.Offset, Size: r.src.Size() - all[i].span.Offset}
			}
			return all[i].span
		}, func(off int64) (int, int) {
			from := sort.Search(len(all), func(i int) bool { return ends[i] > off })
			to := sort.Search(len(all), func(i int) bool { return all[i].span.Offset > off })
			return from, max(from, to)
		}, func(e *decode.Cursor, i int) {
			r.readLocated(e, all[i])
		})
	})
	list := r.lists.recovered
	list.Span = model.Span{}
	for _, l := range all {
		list.Span = list.Span.Join(l.span)
	}
	c.RemarkOn(list, model.Warning, "%d objects are in no list of the file, but references lead to them", len(all))
}

func (r *reader) readLocated(c *decode.Cursor, l located) {
	if l.closed {
		c.Type(l.typ.String())
		c.Key(r.refs[l.ref].ID)
		c.Remark(model.Note, l.span,
			"what is in it is not shown: too many objects of the file are inside of each other")
		return
	}
	r.typedObject(c, l.typ)
	if n := c.Node(); n != nil {
		n.Size = l.span.Size // of one that is broken, as far as it was read
	}
}
