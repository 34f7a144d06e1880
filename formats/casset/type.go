package casset

import "assay/model"

// kind is what a value is: how the bytes of a plain one are laid out, and for others what they are called.
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
	kStored // a reference in an object store
	kArray
	kObjectMap // an array of references (1.x)
	kStore     // another (3.0)
	kStruct
	kMap // named values (2.0)
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
	kObject: {name: "object"}, kFunction: {name: "function"}, kStored: {name: "object"},
	kArray: {name: "array"}, kObjectMap: {name: "object_map"}, kStore: {name: "object_store"},
	kStruct: {name: "struct"}, kMap: {name: "map"},
}

// String returns the name of the kind, as the tree shows it for a type.
func (k kind) String() string { return kinds[k].name }

// fixed returns the number of bytes of every value of the kind; false for kinds whose values differ in length.
func (k kind) fixed() (int64, bool) {
	switch t := &kinds[k]; {
	case t.n > 0:
		return t.n * t.form.Size(), true
	case k == kUUID:
		return 16, true
	}
	return 0, k == kNull
}

// plain reports whether values of the kind are Plain Old Data, as the documents call numbers, vectors, strings and
// UUIDs. Arrays of them are one leaf.
func (k kind) plain() bool {
	_, fixed := k.fixed()
	return fixed || k == kString
}
