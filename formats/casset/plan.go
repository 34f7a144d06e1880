package casset

// plan is what the schema tells of a struct's bytes beforehand, where values have no sizes of their own.
type plan struct {
	state  uint8 // 0 unknown, 1 being made, 2 made
	cyclic bool  // it contains itself: no value of it can exist
	fixed  bool  // every value takes least bytes
	least  int64 // the fewest bytes of a value
	steps  []step
}

// step is a run of fixed bytes, or (field >= 0) a field whose length differs.
type step struct {
	bytes int64
	field int
}

const planMost = 1 << 40 // more than any file: sizes of nested structs double with each level

// compile makes the plans of all entries.
func (t *schema) compile() {
	for i := range t.entries {
		t.plan(uint32(i), 0)
	}
}

// plan makes the plan of one entry after those of the structs in it.
func (t *schema) plan(i uint32, depth int) *plan {
	if int64(i) >= int64(len(t.entries)) {
		return &plan{cyclic: true}
	}
	e := &t.entries[i]
	p := &e.plan
	if p.state == 1 || p.state == 0 && depth > nestMost {
		return &plan{cyclic: true}
	}
	if p.state == 2 {
		return p
	}
	p.state = 1
	made := plan{state: 2, fixed: true}
	run := int64(0)
	for k := range e.fields {
		f := &e.fields[k]
		n, fixed := f.kind.fixed()
		if f.kind == kStruct {
			inner := t.plan(f.index, depth+1)
			made.cyclic = made.cyclic || inner.cyclic
			n, fixed = inner.least, inner.fixed
		} else if !fixed {
			n = least(f.kind)
		}
		made.least = min(made.least+n, planMost)
		if fixed {
			run = min(run+n, planMost)
			continue
		}
		if run > 0 {
			made.steps = append(made.steps, step{run, -1})
			run = 0
		}
		made.steps = append(made.steps, step{0, k})
		made.fixed = false
	}
	if run > 0 {
		made.steps = append(made.steps, step{run, -1})
	}
	*p = made
	return p
}

// least is the fewest bytes of a value whose length differs.
func least(k kind) int64 {
	switch k {
	case kString:
		return 1
	case kArray, kObjects, kStructs, kFunctions, kStore:
		return 4
	case kBinary, kObject, kFunction:
		return 16
	}
	return 0
}
