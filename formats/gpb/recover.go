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
	faults    []fault // the fault of each reference; nil if there are no faults
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

// Objects inside others have fields up to a total size of nestedFactor the size of the file; the largest objects are
// collapsed.
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
		o := recoveredObject{typ: ref.Type, ref: i, isNested: off < end || listed.contain(off)}
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

// contain reports whether one of the spans has the byte at off.
func (s spanList) contain(off int64) bool {
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
			"the fields are not decoded: objects are nested too deep")
		return
	}
	r.typedObject(c, o.typ)
	if n := c.Node(); n != nil {
		n.Size = o.span.Size // of a damaged object, the bytes that were read
	}
}

// The bounds of the search for the end of a reference.
const (
	maxID      = 5000 // bytes of an id: the engine reads no more
	maxRepairs = 64   // references whose ends are searched
)

// hasMore reports whether a reference follows: by the count or, if the count does not fit in the file, by the next
// bytes.
func (t *table) hasMore(c *decode.Cursor) bool {
	if t.countTooLarge {
		return looksLikeReference(c)
	}
	return int64(len(t.refs)) < t.count
}

// nextReference reads a reference, even if the length of its id is damaged. It returns false, and leaves the cursor
// before it, if the reference would extend past the end of the file or into the objects; first is the offset of the
// first object.
func (h *header) nextReference(c *decode.Cursor, first int64) (ref Reference, ok bool) {
	start := c.Pos()
	read := func() { ref = h.reference(c, len(h.refs)) }
	complete := c.Try(read)
	if (!complete || ref.Type.String() == "") && h.repairID(c, start, first) {
		c.GoTo(start)
		complete = c.Try(read)
	}
	if complete && (c.Pos() <= first || overrulesEarlier(ref, start, c.Pos(), first, h.src.Size())) {
		return ref, true
	}
	c.GoTo(start)
	if h.overlapsObject = complete; !complete {
		c.Fail("the reference extends past the end of the file")
	}
	return ref, false
}

// endTable records how the table ends after its references were read, and reads the exporter's uncounted references.
func (h *header) endTable(c *decode.Cursor, scene int64) {
	t := &h.table
	t.listed = int64(len(t.refs))
	if c.Err() == nil && !t.overlapsObject && c.Pos() < scene {
		h.scanSurplus(c, scene)
	}
	t.endsAtScene = c.Pos() == scene
	if t.endsAtScene || t.overlapsObject {
		t.countTooLarge = false
	} else if !t.countTooLarge {
		t.listed = t.count
	}
}

// overrulesEarlier reports whether a reference from start to end is believed although, by an earlier one, an object
// begins at first, before the end. Objects begin right after the table, or after one or two counts.
func overrulesEarlier(ref Reference, start, end, first, size int64) bool {
	return !startsAfter(first, start) && ref.hasKnownType(end, size)
}

// scanSurplus reads bytes that look like references up to the Scene. If they do not end there, they are not references.
func (h *header) scanSurplus(c *decode.Cursor, scene int64) {
	start, listedCount := c.Pos(), len(h.refs)
	for c.Pos() < scene && looksLikeReference(c) {
		if ref := h.reference(c, len(h.refs)); c.Err() == nil {
			h.refs = append(h.refs, ref)
		}
	}
	if c.Pos() != scene {
		h.refs = h.refs[:listedCount]
		c.GoTo(start)
	}
}

// looksLikeReference reports whether the next bytes look like a reference, with an id.
func looksLikeReference(c *decode.Cursor) bool {
	n := idLength(c.Peek(4))
	ref, ok := referenceIn(c.Peek(n+minReferenceSize), n)
	return ok && n > 0 && ref.Type.String() != "" && int64(ref.Offset) < c.Source().Size()
}

// repairID finds the length of the id of the next reference, which begins at start, if its length is damaged, and
// reports whether it did. first is the offset of an object.
func (h *header) repairID(c *decode.Cursor, start, first int64) bool {
	if h.repairs++; h.repairs > maxRepairs {
		return false
	}
	defer c.GoTo(c.Pos())
	c.GoTo(start)
	b := c.Peek(min(first-start, 3*(maxID+minReferenceSize)))
	if h.tableContinues(b, idLength(b), start, first, Reference.mayBeOfAFork) {
		return false // only types are unknown
	}
	for n := range min(int64(maxID), int64(len(b))) {
		if h.tableContinues(b, n, start, first, Reference.hasKnownType) {
			if h.idLengths == nil {
				h.idLengths = make(map[int]int64)
			}
			h.idLengths[len(h.refs)] = n
			return true
		}
	}
	return false
}

// tableContinues reports whether the table continues after the reference at the start of b, which is at offset, if its
// id has n bytes: either this reference and the next, or the next two, are valid in a file of this size, or the table
// ends right before the objects.
func (h *header) tableContinues(b []byte, n, offset, first int64,
	isValid func(ref Reference, end, size int64) bool) bool {
	validCount, objects := 0, first
	for i := int64(len(h.refs)); i < h.count && validCount < 2; i++ {
		isFirst := i == int64(len(h.refs))
		if !isFirst {
			n = idLength(b)
		}
		ref, ok := referenceIn(b, n)
		if !ok || n == 0 {
			return false
		}
		b, offset = b[n+minReferenceSize:], offset+n+minReferenceSize
		switch {
		case isValid(ref, offset, h.src.Size()):
			validCount++
			if ref.Offset != 0 {
				objects = min(objects, int64(ref.Offset))
			}
		case !isFirst:
			return false
		}
	}
	return validCount == 2 || validCount == 1 && startsAfter(objects, offset)
}

// startsAfter reports whether the objects, which begin at first, follow a table directly, or after one or two counts.
func startsAfter(first, table int64) bool { return table <= first && first <= table+8 }

// hasKnownType reports whether a reference that ends at an offset has a known type and a valid offset.
func (r Reference) hasKnownType(end, size int64) bool {
	off := int64(r.Offset)
	return off == 0 && r.Type == TypeLight || end <= off && off < size && r.Type.String() != ""
}

// mayBeOfAFork reports whether a reference that ends at an offset has a valid offset, and a type that forks of the
// engine may have.
func (r Reference) mayBeOfAFork(end, size int64) bool {
	const maxType = 255
	off := int64(r.Offset)
	return r.Type <= maxType && (off == 0 || end <= off && off < size)
}
