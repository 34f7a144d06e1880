package casset

// plan is what the schema tells of a struct's values before they are read.
type plan struct {
	state  uint8 // 0 unknown, 1 being made, 2 made
	cyclic bool  // it contains itself: no value of it can exist
	fixed  bool  // every value takes least bytes
	least  int64 // the fewest bytes of a value
	fields int64 // its fields and those of the structs in it
}

const (
	planMost   = 1 << 40 // more than any file: sizes of nested structs double with each level
	fieldsFree = 256     // so many fields may have no bytes; beyond, there are at most four to a byte
)

// plan makes the plan of one entry after those of the structs in it.
func (t *schema) plan(i uint32, depth int) *plan {
	if int64(i) >= int64(len(t.entries)) {
		return &plan{cyclic: true}
	}
	e := &t.entries[i]
	switch {
	case e.plan.state == 2:
		return &e.plan
	case e.plan.state == 1 || depth > nestMost:
		return &plan{cyclic: true}
	}
	e.plan.state = 1
	made := plan{state: 2, fixed: true}
	for _, f := range e.fields {
		if f.Type.kind == kStruct {
			in := t.plan(f.Type.index, depth+1)
			made.cyclic = made.cyclic || in.cyclic
			made.fields = min(made.fields+in.fields, planMost)
		}
		n, fixed := t.size(f.Type, depth+1)
		made.least = min(made.least+n, planMost)
		made.fixed = made.fixed && fixed
		made.fields++
	}
	e.plan = made
	return &e.plan
}

// size returns the fewest bytes of a value, and whether every value of the type has as many.
func (t *schema) size(ty Type, depth int) (n int64, fixed bool) {
	if n, fixed = ty.kind.fixed(); fixed {
		return n, true
	}
	switch ty.kind {
	case kString:
		return 1, false
	case kArray, kStore:
		return 4, false
	case kBinary, kObject, kFunction:
		return 16, false
	case kStored:
		return 32, true
	case kStruct:
		p := t.plan(ty.index, depth)
		return p.least, p.fixed && !p.cyclic
	}
	return 0, false
}
