package casset

import "assay/model"

// Type is the type of a value, and all that the reader of values needs to know of it. The schema of 3.0 has the types,
// in 2.0 a byte before each value says its type, and in 1.x it is inferred from what the field declares and from its
// bytes. The zero Type is one that is not known yet.
type Type struct {
	kind   kind
	short  bool   // before August 2023: a blob without flags, a reference without the package's UUID (1.x)
	whole  bool   // a reference with both UUIDs even if they are 0 (2.0, and in object stores)
	index  uint32 // of the struct's entry in the schema (3.0)
	fields uint32 // how many fields a struct has; 0 if they fill its bytes (1.x)
	elem   *Type  // of an array's elements; nil until the file says it
}

// String returns the name of the type as the tree shows it.
func (t Type) String() string { return kinds[t.kind].name }

// Field is a field of a class or a member of a struct.
type Field struct {
	Name string
	Type Type
}

// kind is what a value is and how it is laid out. Where the generations lay out the same thing in different ways, each
// way is a kind: the tables of types below are all that the reader of values is told about the generation.
type kind uint8

const (
	kUnknown kind = iota // or no type that any revision has
	kNull
	kU8
	kU16
	kU32
	kU64
	kS8
	kS16
	kS32
	kS64
	kF32
	kF64
	kBool
	kString
	kVec2
	kVec3
	kVec4
	kVec2i
	kVec3i
	kVec4i
	kMatrix
	kUUID
	kUUID64 // a number, before 3.0
	kEnum   // s64
	kBinary
	kObject // a reference
	kFunction
	kArray         // its elements have the type that the schema says (3.0)
	kTypedArray    // each of its elements has its type before it (2.0)
	kDeclaredArray // it has the name of its elements' type before them (1.x)
	kObjectMap     // a kDeclaredArray of references
	kStore
	kStruct    // fields as an entry of the schema has them (3.0)
	kMap       // named values (2.0)
	kFieldList // fields that say their names and types (1.x)
	kNone      // null of 2.0: there is no value
	kindsEnd
)

var kinds = [kindsEnd]struct {
	name string
	form model.Number
	n    int64 // how many numbers of the form; 0 if the value is not made of numbers only
}{
	kUnknown: {name: "unknown"}, kNull: {name: "null"},
	kU8: {"u8", model.U8, 1}, kU16: {"u16", model.U16, 1}, kU32: {"u32", model.U32, 1}, kU64: {"u64", model.U64, 1},
	kS8: {"s8", model.S8, 1}, kS16: {"s16", model.S16, 1}, kS32: {"s32", model.S32, 1}, kS64: {"s64", model.S64, 1},
	kF32: {"f32", model.F32, 1}, kF64: {"f64", model.F64, 1}, kBool: {"bool", model.Bool, 1},
	kString: {name: "string"},
	kVec2:   {"vec2", model.F32, 2}, kVec3: {"vec3", model.F32, 3}, kVec4: {"vec4", model.F32, 4},
	kVec2i: {"vec2i", model.S32, 2}, kVec3i: {"vec3i", model.S32, 3}, kVec4i: {"vec4i", model.S32, 4},
	kMatrix: {"matrix4x4", model.F32, 16},
	kUUID:   {name: "uuid"}, kUUID64: {"uuid", model.U64, 1}, kEnum: {"enum", model.S64, 1},
	kBinary: {name: "binary"},
	kObject: {name: "object"}, kFunction: {name: "function"},
	kArray: {name: "array"}, kTypedArray: {name: "array"}, kDeclaredArray: {name: "array"},
	kObjectMap: {name: "object_map"}, kStore: {name: "object_store"},
	kStruct: {name: "struct"}, kMap: {name: "map"}, kFieldList: {name: "struct"},
	kNone: {name: "null"},
}

// widths are the numbers of bytes of every value of a kind; -1 of kinds whose values differ in length.
var widths = func() (w [kindsEnd]int64) {
	for k := range w {
		if w[k] = kinds[k].n * kinds[k].form.Size(); kinds[k].n == 0 {
			w[k] = -1
		}
	}
	w[kUUID], w[kNull], w[kNone] = 16, 0, 0
	return w
}()

// fixed returns the number of bytes of every value of the kind; false for kinds whose values differ in length.
func (k kind) fixed() (int64, bool) { return max(widths[k], 0), widths[k] >= 0 }

// least returns the fewest bytes of a value that the schema has, if it is not a struct.
func (t Type) least() int64 {
	n, fixed := t.kind.fixed()
	switch {
	case fixed:
		return n
	case t.kind == kString:
		return 1
	case t.kind == kArray || t.kind == kStore:
		return 4
	case t.whole:
		return 32
	case t.kind == kBinary || t.kind == kObject || t.kind == kFunction:
		return 16
	}
	return 0
}

// plain reports whether values of the kind are Plain Old Data, as the documents call numbers, vectors, strings and
// UUIDs. Arrays of them are one leaf.
func (k kind) plain() bool { return widths[k] >= 0 || k == kString }

// leaf reports whether a value of the type is one leaf where nothing comes before it.
func (t Type) leaf() bool {
	return t.kind.plain() || t.kind == kArray && t.elem != nil && t.elem.kind.plain()
}

// typeBytes are the types of a generation by their bytes. An array without an element type is one whose element type
// follows in the schema.
type typeBytes [256]Type

// The tables "Field Type" of the documents: of 2.0, of 3.0 as published, and of 3.0 as the engine writes it.
var (
	mapTypes = withPlain(typeBytes{
		0x00: {kind: kNone}, 0x0D: {kind: kBinary}, 0x0E: {kind: kObject, whole: true}, 0x10: {kind: kMap},
		0x11: {kind: kTypedArray},
		0x81: {kind: kVec2}, 0x82: {kind: kVec3}, 0x83: {kind: kVec4}, 0x84: {kind: kMatrix},
	})
	publishedTypes = withPlain(typeBytes{
		0x00: {kind: kNull}, 0x0D: {kind: kVec2}, 0x0E: {kind: kVec3}, 0x0F: {kind: kVec4},
		0x10: arrayOf(kObject), 0x11: arrayOf(kStruct), 0x12: {kind: kArray},
		0x13: {kind: kBinary}, 0x14: {kind: kObject}, 0x15: {kind: kFunction}, 0x16: arrayOf(kFunction),
		0x17: {kind: kStruct},
	})
	writtenTypes = withPlain(typeBytes{
		0x00: {kind: kNull}, 0x0D: {kind: kVec2}, 0x0E: {kind: kVec3}, 0x0F: {kind: kVec4},
		0x10: {kind: kVec2i}, 0x11: {kind: kVec3i}, 0x12: {kind: kVec4i},
		0x13: arrayOf(kObject), 0x14: arrayOf(kStruct), 0x15: {kind: kArray},
		0x16: {kind: kBinary}, 0x17: {kind: kObject}, 0x18: {kind: kFunction}, 0x19: arrayOf(kFunction),
		0x1A: {kind: kStruct}, 0x1B: {kind: kUUID}, 0x1C: {kind: kStore, elem: &Type{kind: kObject, whole: true}},
	})
)

// withPlain adds the types that all generations have: u8 is 1, and string is 0x0C.
func withPlain(types typeBytes) *typeBytes {
	for k := kU8; k <= kString; k++ {
		types[k-kU8+1] = Type{kind: k}
	}
	return &types
}

func arrayOf(k kind) Type { return Type{kind: kArray, elem: &Type{kind: k}} }
