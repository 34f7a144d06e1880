package gpb

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"assay/formats/decode"
	"assay/model"
)

// recovery holds the objects that are in the reference table but not in the lists.
type recovery struct {
	recovered []recoveredObject
	faults    []fault // of the references, mostly noFault; nil before recoverObjects and without a version
	attempt   attempt
}

// recoveredObject is an object that is read only because of its reference.
type recoveredObject struct {
	typ       TypeID
	ref       int32
	span      model.Span // as far as it was read
	object    Object     // nil if it was not read to its end
	isNested  bool       // it begins inside another object
	collapsed bool       // its fields are not recorded
}

// fault is an error in the offset of a reference.
type fault uint8

const (
	noFault     fault = iota
	outside           // past the end of the file
	insideTable       // the offset is inside the reference table
	noObject          // no object of the type begins there
	notRead           // hostile files only: it would take too long
)

// attempt is the state of reading the lists, or the object of one reference. It is bounded, because the references of a
// hostile file can cause the same bytes to be read repeatedly.
type attempt struct {
	remaining       int64            // number of objects, and elements of lists, that may still be read
	doubtCount      int              // number of doubts before the attempt
	replacedTargets []replacedTarget // during the attempt
}

// replacedTarget is the previous target of a reference.
type replacedTarget struct {
	ref      int32
	previous target
}

// The objects inside others have recorded fields up to a total of nestedFactor times the size of the file plus
// minNested bytes; the largest ones are collapsed.
const (
	nestedFactor = 3
	minNested    = 1 << 20
)

// recoverObjects reads the objects in the table that are not in the lists, and finds the faults of the references.
func (r *reader) recoverObjects() {
	if !r.hasVersion {
		return
	}
	r.faults = make([]fault, len(r.refs))
	var missing []int32
	for _, i := range r.byOffset {
		switch off := int64(r.refs[i].Offset); {
		case r.findings.targets[i].progress != notReached || r.refs[i].Type.String() == "":
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
	// Bounds the rest: a hostile file has small objects, too.
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
			r.findings.file.Recovered = append(r.findings.file.Recovered, o.object)
		}
	}
}

// budget is the number of objects, and elements of lists, that may be read for one reference, and for all.
type budget struct{ each, left int64 }

// readMissing reads the objects of references, which are in the order of their offsets. It returns the references that
// exceeded the budget.
func (r *reader) readMissing(missing []int32, b budget) (overBudget []int32) {
	var listed spanList
	for _, m := range r.findings.file.Meshes {
		listed = append(listed, m.Span)
	}
	listed = append(listed, r.findings.spans...)
	end := r.objectsStart // of the last object that was read completely
	for _, i := range missing {
		if r.findings.targets[i].progress != notReached { // read as part of an earlier one
			continue
		}
		ref, off, budgeted := r.refs[i], int64(r.refs[i].Offset), min(b.each, b.left)
		r.attempt = attempt{remaining: budgeted, doubtCount: r.findings.doubts}
		o := recoveredObject{typ: ref.Type, ref: i, isNested: off < end || listed.contains(off)}
		complete := r.probe.Try(func() {
			r.probe.GoTo(off)
			o.object = r.object(r.probe, ref.Type)
		})
		b.left -= budgeted - max(r.attempt.remaining, 0)
		o.span = model.Span{Offset: off, Size: r.probe.Pos() - off}
		switch {
		case r.attempt.remaining < 0:
			r.undoAttempt()
			overBudget = append(overBudget, i)
		case o.isNested && (!complete || r.findings.doubts > r.attempt.doubtCount):
			r.undoAttempt()
			r.faults[i] = noObject
		default:
			if complete {
				end = max(end, o.span.End())
			} else {
				o.object = nil
			}
			r.recovered = append(r.recovered, o)
		}
	}
	return overBudget
}

// undoAttempt reverts the findings of the attempt.
func (r *reader) undoAttempt() {
	for _, t := range slices.Backward(r.attempt.replacedTargets) {
		r.findings.targets[t.ref] = t.previous
	}
	r.findings.doubts = r.attempt.doubtCount
}

// collapseLargest collapses the largest of the objects inside others, if these have too many bytes together.
func (r *reader) collapseLargest() {
	bySize := make([]*recoveredObject, 0, len(r.recovered))
	for k := range r.recovered {
		if r.recovered[k].isNested {
			bySize = append(bySize, &r.recovered[k])
		}
	}
	slices.SortStableFunc(bySize, func(a, b *recoveredObject) int { return cmp.Compare(a.span.Size, b.span.Size) })
	left := nestedFactor*r.src.Size() + minNested
	for _, o := range bySize {
		left -= o.span.Size
		o.collapsed = left < 0
	}
}

// spanList is spans in the order of their offsets that do not overlap.
type spanList []model.Span

// contains reports whether one of the spans has the byte at off.
func (s spanList) contains(off int64) bool {
	i, _ := slices.BinarySearchFunc(s, off, func(v model.Span, off int64) int { return cmp.Compare(v.End(), off+1) })
	return i < len(s) && s[i].Contains(off)
}

// recordRecovered records the list of the recovered objects.
func (r *reader) recordRecovered(c *decode.Cursor) {
	objects := r.recovered
	if len(objects) == 0 {
		return
	}
	ends := make([]int64, len(objects)) // the last end of an object up to each
	for i, o := range objects {
		ends[i] = o.span.End()
		if i > 0 {
			ends[i] = max(ends[i], ends[i-1])
		}
	}
	r.tree.lists.recovered = c.Struct("recovered", "Object[]", func() {
		c.Elements("Object", len(objects), func(off int64) (int, int) {
			from := sort.Search(len(objects), func(i int) bool { return ends[i] > off })
			to := sort.Search(len(objects), func(i int) bool { return objects[i].span.Offset > off })
			return from, max(from, to)
		}, decode.LocatedReading(func(i int) model.Span {
			if objects[i].object == nil { // later objects decide about its fault
				return model.Span{Offset: objects[i].span.Offset, Size: r.src.Size() - objects[i].span.Offset}
			}
			return objects[i].span
		}, func(e *decode.Cursor, i int) { r.recordRecoveredObject(e, objects[i]) }))
	})
	list := r.tree.lists.recovered
	list.Span = model.Span{}
	for _, o := range objects {
		list.Span = list.Span.Join(o.span)
	}
	c.Remark(model.Warning, list, "%s referenced but in no list of the file", model.PlainCount(len(objects), "object"))
}

// recordRecoveredObject records a recovered object; for a collapsed one only its span.
func (r *reader) recordRecoveredObject(c *decode.Cursor, o recoveredObject) {
	if o.collapsed {
		c.Type(o.typ.String())
		c.Key(r.refs[o.ref].ID)
		c.Remark(model.Note, o.span,
			"the fields are not decoded: the objects inside others have too many bytes together")
		return
	}
	r.typedObject(c, o.typ)
	if n := c.Node(); n != nil {
		n.Size = o.span.Size // of a damaged object, the bytes that were read
	}
}
