package casset

// typeBytes are the type bytes of a generation. An array without an element type is one whose element type follows in
// the schema (3.0), or before each element (2.0).
type typeBytes map[uint8]Type

func (b typeBytes) of(v uint8) Type {
	if t, ok := b[v]; ok {
		return t
	}
	return Type{kind: kBad}
}

// plainBytes are the type bytes that all generations have.
func plainBytes(more typeBytes) typeBytes {
	for k := kNull; k <= kString; k++ {
		if _, ok := more[uint8(k)]; !ok {
			more[uint8(k)] = Type{kind: k}
		}
	}
	return more
}

var (
	// publishedTypes are those of Bundle 3.0 in the published document.
	publishedTypes = plainBytes(typeBytes{
		0x0D: {kind: kVec2}, 0x0E: {kind: kVec3}, 0x0F: {kind: kVec4},
		0x10: arrayOf(kObject), 0x11: arrayOf(kStruct), 0x12: {kind: kArray},
		0x13: {kind: kBinary}, 0x14: {kind: kObject},
		0x15: {kind: kFunction}, 0x16: arrayOf(kFunction),
		0x17: {kind: kStruct},
	})
	// writtenTypes are those of Bundle 3.0 as the engine writes it.
	writtenTypes = plainBytes(typeBytes{
		0x0D: {kind: kVec2}, 0x0E: {kind: kVec3}, 0x0F: {kind: kVec4},
		0x10: {kind: kVec2i}, 0x11: {kind: kVec3i}, 0x12: {kind: kVec4i},
		0x13: arrayOf(kObject), 0x14: arrayOf(kStruct), 0x15: {kind: kArray},
		0x16: {kind: kBinary}, 0x17: {kind: kObject},
		0x18: {kind: kFunction}, 0x19: arrayOf(kFunction),
		0x1A: {kind: kStruct}, 0x1B: {kind: kUUID}, 0x1C: {kind: kStore, elem: &Type{kind: kStored}},
	})
)
