package casset

import "assay/model"

// Type is the type of a value. The schema of Bundle 3.0 has it, in 2.0 each value carries it, and in 1.x it is inferred
// from what the field declares and from its bytes.
type Type struct {
	kind  kind
	elem  *Type  // of the elements of an array; nil if each carries its own
	index uint32 // of a struct's entry in the schema
}

func (t Type) String() string { return kinds[t.kind].name }

// Field is a field or member with its name.
type Field struct {
	Name string
	Type Type
}

// kind is what values of any generation are.
type kind uint8

const (
	kNull kind = iota
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
	kUUID   // 16 bytes
	kUUID64 // a number
	kEnum   // s64
	kBinary
	kObject
	kStored // an object that is not null
	kFunction
	kArray
	kObjectMap
	kStore
	kStruct
	kMap
	kNothing // null of 2.0: there is no value
	kEmpty   // a field of 1.x without bytes
	kNullOrZero
	kNamed   // of 2.0: a name and the type come before the value
	kCarried // of 2.0: the type comes before the value
	kBad     // a type that no revision has, or (1.x) that is not known by its name
)

var kinds = [kBad + 1]struct {
	name string
	form model.Number
	n    int64 // how many of form; 0: not plain numbers
}{
	kNull: {name: "null"}, kU8: {"u8", model.U8, 1}, kU16: {"u16", model.U16, 1}, kU32: {"u32", model.U32, 1},
	kU64: {"u64", model.U64, 1}, kS8: {"s8", model.S8, 1}, kS16: {"s16", model.S16, 1}, kS32: {"s32", model.S32, 1},
	kS64: {"s64", model.S64, 1}, kF32: {"f32", model.F32, 1}, kF64: {"f64", model.F64, 1},
	kBool:   {"bool", model.Bool, 1},
	kString: {name: "string"}, kVec2: {"vec2", model.F32, 2}, kVec3: {"vec3", model.F32, 3},
	kVec4:  {"vec4", model.F32, 4},
	kVec2i: {"vec2i", model.S32, 2}, kVec3i: {"vec3i", model.S32, 3}, kVec4i: {"vec4i", model.S32, 4},
	kMatrix: {"matrix4x4", model.F32, 16}, kUUID: {name: "uuid"}, kUUID64: {"uuid", model.U64, 1},
	kEnum:   {"enum", model.S64, 1},
	kBinary: {name: "binary"}, kObject: {name: "object"}, kStored: {name: "object"}, kFunction: {name: "function"},
	kArray: {name: "array"}, kObjectMap: {name: "object_map"}, kStore: {name: "object_store"},
	kStruct: {name: "struct"}, kMap: {name: "map"}, kNothing: {name: "null"}, kEmpty: {name: "empty"},
	kNullOrZero: {name: "object_null_or_enum0"}, kNamed: {name: "unknown"}, kCarried: {name: "unknown"},
	kBad: {name: "unknown"},
}

// fixed is the number of bytes of every value of the kind; false for kinds whose values differ in length.
func (k kind) fixed() (int64, bool) {
	switch {
	case kinds[k].n > 0:
		return kinds[k].n * kinds[k].form.Size(), true
	case k == kUUID:
		return 16, true
	case k == kNull || k == kNothing || k == kEmpty:
		return 0, true
	}
	return 0, false
}

// plain reports whether the kind's values are plain: a number, a vector, a string, a UUID. Arrays of them are one leaf.
func (k kind) plain() bool {
	_, fixed := k.fixed()
	return fixed || k == kString
}

// plain reports whether a value of the type is one leaf.
func (t Type) plain() bool {
	return t.kind.plain() || t.kind == kArray && t.elem != nil && t.elem.kind.plain()
}

func arrayOf(k kind) Type { return Type{kind: kArray, elem: &Type{kind: k}} }
