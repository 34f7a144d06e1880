package casset

// structSizes is what the schema says about the values of an entry before they are read.
type structSizes struct {
	cyclic bool  // it, or a struct in it, contains itself: no value of it can exist
	blobs  bool  // there can be a blob in a value
	least  int64 // the fewest bytes of a value
	fields int64 // its fields and those of the structs in it
}

const (
	sizeMost   = 1 << 40 // more than any file: sizes of nested structs double with each level
	fieldsFree = 256     // so many fields may have no bytes; beyond, there are at most four to a byte
)

// holder is an entry that has a struct as a field, or in an array.
type holder struct {
	entry   uint32
	inArray bool
}

// computeSizes computes the sizes of the entries, each after the structs in it. Those that are never reached are
// cyclic.
func (t *schema) computeSizes() {
	holders := make([][]holder, len(t.entries)) // of each entry
	missing := make([]int, len(t.entries))      // structs in each whose sizes are not known yet
	for i := range t.entries {
		for _, f := range t.entries[i].fields {
			of, inArray := f.Type, f.Type.elem != nil
			if inArray {
				of = *of.elem
			}
			if of.kind == kBinary {
				t.entries[i].sizes.blobs = true
			}
			if of.kind != kStruct || int64(of.index) >= int64(len(t.entries)) {
				continue
			}
			holders[of.index] = append(holders[of.index], holder{uint32(i), inArray})
			if !inArray {
				missing[i]++
			}
		}
	}
	t.addAll(holders, missing)
	t.spreadBlobs(holders)
}

// addAll adds the sizes of the fields of all entries that are not cyclic.
func (t *schema) addAll(holders [][]holder, missing []int) {
	var known []uint32
	for i, n := range missing {
		if t.entries[i].sizes.cyclic = n > 0; n == 0 {
			known = append(known, uint32(i))
		}
	}
	for len(known) > 0 {
		i := known[len(known)-1]
		known = known[:len(known)-1]
		t.entries[i].addSizes(t)
		for _, h := range holders[i] {
			if h.inArray {
				continue
			}
			if missing[h.entry]--; missing[h.entry] == 0 {
				t.entries[h.entry].sizes.cyclic = false
				known = append(known, h.entry)
			}
		}
	}
}

// spreadBlobs marks the entries that hold one with blobs.
func (t *schema) spreadBlobs(holders [][]holder) {
	var found []uint32
	for i := range t.entries {
		if t.entries[i].sizes.blobs {
			found = append(found, uint32(i))
		}
	}
	for len(found) > 0 {
		i := found[len(found)-1]
		found = found[:len(found)-1]
		for _, h := range holders[i] {
			if e := &t.entries[h.entry]; !e.sizes.blobs {
				e.sizes.blobs = true
				found = append(found, h.entry)
			}
		}
	}
}

// addSizes adds those of the fields, of which the sizes of structs are known.
func (e *schemaEntry) addSizes(t *schema) {
	for _, f := range e.fields {
		e.sizes.least = min(e.sizes.least+t.least(f.Type), sizeMost)
		e.sizes.fields = min(e.sizes.fields+1, sizeMost)
		if f.Type.kind == kStruct && int64(f.Type.index) < int64(len(t.entries)) {
			e.sizes.fields = min(e.sizes.fields+t.entries[f.Type.index].sizes.fields, sizeMost)
		}
	}
}

// least returns the fewest bytes of a value; of one that cannot be read, at most 1.
func (t *schema) least(of Type) int64 {
	n, fixed := of.kind.fixed()
	switch {
	case fixed:
		return n
	case of.kind == kStruct && int64(of.index) >= int64(len(t.entries)):
		return 0
	case of.kind == kStruct && !t.entries[of.index].sizes.cyclic:
		return t.entries[of.index].sizes.least
	case of.kind == kArray || of.kind == kStore:
		return 4
	case of.kind == kBinary || of.kind == kObject || of.kind == kFunction:
		return 16
	case of.kind == kStored:
		return 32
	}
	return 1 // a string; of what else there is the first value says why it cannot be read
}
