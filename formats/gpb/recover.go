package gpb

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"assay/formats/decode"
	"assay/model"
)

// recovery is what the reference table leads to and the lists do not have.
type recovery struct {
	recovered []recoveredObject
	faults    []fault // what is wrong with each reference; nil if nothing is
	attempt   attempt
}

// recoveredObject is an object that is read only because a reference leads to it.
type recoveredObject struct {
	typ       TypeID
	ref       int32
	span      model.Span // as far as it was read
	object    Object     // nil if it was not read to its end
	inside    bool       // it begins inside of another object
	collapsed bool       // its fields are not shown
}

// fault is what is wrong with the offset of a reference.
type fault uint8

const (
	faultless   fault = iota
	outside           // the file is not as long
	insideTable       // it leads into the reference table
	notThere          // no object of the type begins there
	notRead           // hostile files only: it would take too long
)

// attempt is the reading of the lists, or of what one reference leads to. It is bounded: references of a hostile file
// can make each other's bytes be read again and again.
type attempt struct {
	left     int64            // how many objects, and elements of lists, may still be read
	doubts   int              // how many there were before it
	replaced []replacedTarget // by it
}

// replacedTarget is what a reference led to, as far as was known before.
type replacedTarget struct {
	ref    int32
	before target
}

// Objects that are inside of others are shown with their fields while they have in all so many times the bytes of the
// file; the largest of them without.
const (
	insideTimes = 3
	insideLeast = 1 << 20
)

// recoverObjects reads what the table leads to and the lists do not have, and finds the faults of the references.
func (r *reader) recoverObjects() {
	if !r.hasVersion {
		return
	}
	r.faults = make([]fault, len(r.refs))
	var missing []int32
	for _, i := range r.byOffset {
		switch off := int64(r.refs[i].Offset); {
		case r.found.targets[i].progress != unread || r.refs[i].Type.String() == "":
		case off >= r.src.Size():
			r.faults[i] = outside
		case off < r.objectsStart:
			r.faults[i] = insideTable
		default:
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return
	}
	missing = r.readMissing(missing, budget{each: math.MaxInt64, left: r.src.Size()/32 + 1<<16})
	// What is left in a hostile file has small objects, too.
	const small = 64
	left := small * min(int64(len(missing)), r.src.Size()/32/small+1<<10)
	for _, i := range r.readMissing(missing, budget{each: small, left: left}) {
		r.faults[i] = notRead
	}
	r.collapseLargest()
	slices.SortStableFunc(r.recovered,
		func(a, b recoveredObject) int { return cmp.Compare(a.span.Offset, b.span.Offset) })
	for _, o := range r.recovered {
		if o.object != nil && !o.collapsed {
			r.found.file.Recovered = append(r.found.file.Recovered, o.object)
		}
	}
}

// budget is how many objects, and elements of lists, may be read for one reference, and for all.
type budget struct{ each, left int64 }

// readMissing reads the objects of references, which are in the order of their offsets. It returns the references for
// which the budget was too small.
func (r *reader) readMissing(missing []int32, b budget) (rest []int32) {
	listed := r.listedSpans()
	end := r.objectsStart // of what was read to its end
	for _, i := range missing {
		if r.found.targets[i].progress != unread { // met inside of one before it
			continue
		}
		ref, off, allowed := r.refs[i], int64(r.refs[i].Offset), min(b.each, b.left)
		r.attempt = attempt{left: allowed, doubts: r.found.doubts}
		o := recoveredObject{typ: ref.Type, ref: i, inside: off < end || listed.contain(off)}
		whole := r.probe.Try(func() {
			r.probe.GoTo(off)
			o.object = r.object(r.probe, ref.Type)
		})
		b.left -= allowed - max(r.attempt.left, 0)
		o.span = model.Span{Offset: off, Size: r.probe.Pos() - off}
		switch {
		case r.attempt.left < 0:
			r.undoAttempt()
			rest = append(rest, i)
		case o.inside && (!whole || r.found.doubts > r.attempt.doubts):
			r.undoAttempt()
			r.faults[i] = notThere
		default:
			if whole {
				end = max(end, o.span.End())
			} else {
				o.object = nil
			}
			r.recovered = append(r.recovered, o)
		}
	}
	return rest
}

// undoAttempt takes back what the attempt found out.
func (r *reader) undoAttempt() {
	for _, t := range slices.Backward(r.attempt.replaced) {
		r.found.targets[t.ref] = t.before
	}
	r.found.doubts = r.attempt.doubts
}

// collapseLargest collapses the largest of the objects that are inside of others, if these have too many bytes in all.
func (r *reader) collapseLargest() {
	bySize := make([]*recoveredObject, 0, len(r.recovered))
	for k := range r.recovered {
		if r.recovered[k].inside {
			bySize = append(bySize, &r.recovered[k])
		}
	}
	slices.SortStableFunc(bySize, func(a, b *recoveredObject) int { return cmp.Compare(a.span.Size, b.span.Size) })
	left := insideTimes*r.src.Size() + insideLeast
	for _, o := range bySize {
		left -= o.span.Size
		o.collapsed = left < 0
	}
}

// spanList is spans in the order of their offsets that do not overlap.
type spanList []model.Span

// contain reports whether one of the spans has the byte at off.
func (s spanList) contain(off int64) bool {
	i, _ := slices.BinarySearchFunc(s, off, func(v model.Span, off int64) int { return cmp.Compare(v.End(), off+1) })
	return i < len(s) && s[i].Contains(off)
}

// listedSpans returns the spans of the objects in the lists of the file.
func (r *reader) listedSpans() spanList {
	var all spanList
	for _, m := range r.found.file.Meshes {
		all = append(all, m.Span)
	}
	return append(all, r.found.spans...)
}

// recordRecovered records the list of the recovered objects.
func (r *reader) recordRecovered(c *decode.Cursor) {
	all := r.recovered
	if len(all) == 0 {
		return
	}
	ends := make([]int64, len(all)) // the last end of an object up to each
	for i, o := range all {
		ends[i] = o.span.End()
		if i > 0 {
			ends[i] = max(ends[i], ends[i-1])
		}
	}
	r.shown.lists.recovered = c.Struct("recovered", "Object[]", func() {
		c.Elements("Object", len(all), func(off int64) (int, int) {
			from := sort.Search(len(all), func(i int) bool { return ends[i] > off })
			to := sort.Search(len(all), func(i int) bool { return all[i].span.Offset > off })
			return from, max(from, to)
		}, decode.Located(func(i int) model.Span {
			if all[i].object == nil { // what is wrong with it depends on what comes after it
				return model.Span{Offset: all[i].span.Offset, Size: r.src.Size() - all[i].span.Offset}
			}
			return all[i].span
		}, func(e *decode.Cursor, i int) { r.recordRecoveredObject(e, all[i]) }))
	})
	list := r.shown.lists.recovered
	list.Span = model.Span{}
	for _, o := range all {
		list.Span = list.Span.Join(o.span)
	}
	c.Remark(model.Warning, list, "%s referenced but in no list of the file", model.PlainCount(len(all), "object"))
}

// recordRecoveredObject records a recovered object; of a collapsed one only its place.
func (r *reader) recordRecoveredObject(c *decode.Cursor, o recoveredObject) {
	if o.collapsed {
		c.Type(o.typ.String())
		c.Key(r.refs[o.ref].ID)
		c.Remark(model.Note, o.span,
			"contents not shown: objects are nested too deep")
		return
	}
	r.typedObject(c, o.typ)
	if n := c.Node(); n != nil {
		n.Size = o.span.Size // of one that is broken, as far as it was read
	}
}
