package casset

import "assay/model"

// kind is a type of value, of any generation.
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
	kFunction
	kArray // of one simple type, or (2.0) of values with types of their own
	kObjects
	kStructs
	kFunctions
	kStruct
	kStore
	kMap
	kObjectMap
	kEmpty // a field of 1.x without bytes
	kNullOrZero
	kBad // a type byte that no revision has
)

var kinds = [kBad + 1]struct {
	name string
	form model.Number
	n    int64 // how many of form; 0: no plain numbers
}{
	kNull: {name: "null"}, kU8: {"u8", model.U8, 1}, kU16: {"u16", model.U16, 1}, kU32: {"u32", model.U32, 1}, kU64: {"u64", model.U64, 1},
	kS8: {"s8", model.S8, 1}, kS16: {"s16", model.S16, 1}, kS32: {"s32", model.S32, 1}, kS64: {"s64", model.S64, 1},
	kF32: {"f32", model.F32, 1}, kF64: {"f64", model.F64, 1}, kBool: {"bool", model.Bool, 1}, kString: {name: "string"},
	kVec2: {"vec2", model.F32, 2}, kVec3: {"vec3", model.F32, 3}, kVec4: {"vec4", model.F32, 4},
	kVec2i: {"vec2i", model.S32, 2}, kVec3i: {"vec3i", model.S32, 3}, kVec4i: {"vec4i", model.S32, 4},
	kMatrix: {"matrix4x4", model.F32, 16}, kUUID: {name: "uuid"}, kUUID64: {"uuid", model.U64, 1}, kEnum: {"enum", model.S64, 1},
	kBinary: {name: "binary"}, kObject: {name: "object"}, kFunction: {name: "function"}, kArray: {name: "array"},
	kObjects: {name: "array"}, kStructs: {name: "array"}, kFunctions: {name: "array"}, kStruct: {name: "struct"},
	kStore: {name: "object_store"}, kMap: {name: "map"}, kObjectMap: {name: "object_map"}, kEmpty: {name: "empty"},
	kNullOrZero: {name: "object_null_or_enum0"}, kBad: {name: "unknown"},
}

func (k kind) String() string { return kinds[k].name }

// fixed is the number of bytes of every value of the kind; false for kinds whose values differ in length.
func (k kind) fixed() (int64, bool) {
	switch {
	case kinds[k].n > 0:
		return kinds[k].n * kinds[k].form.Size(), true
	case k == kUUID:
		return 16, true
	case k == kNull || k == kEmpty:
		return 0, true
	}
	return 0, false
}

// scalar says that the kind's values are plain: a number, a vector, a string, a UUID. Arrays of them are one leaf.
func (k kind) scalar() bool {
	_, fixed := k.fixed()
	return fixed || k == kString
}

// codeKinds are the type bytes of Bundle 3.0 as the engine writes it, draftKinds those of the published document.
var (
	codeKinds = []kind{kNull, kU8, kU16, kU32, kU64, kS8, kS16, kS32, kS64, kF32, kF64, kBool, kString,
		kVec2, kVec3, kVec4, kVec2i, kVec3i, kVec4i, kObjects, kStructs, kArray, kBinary, kObject, kFunction, kFunctions,
		kStruct, kUUID, kStore}
	draftKinds = []kind{kNull, kU8, kU16, kU32, kU64, kS8, kS16, kS32, kS64, kF32, kF64, kBool, kString,
		kVec2, kVec3, kVec4, kObjects, kStructs, kArray, kBinary, kObject, kFunction, kFunctions, kStruct}
	mapKinds = map[uint8]kind{0: kNull, 1: kU8, 2: kU16, 3: kU32, 4: kU64, 5: kS8, 6: kS16, 7: kS32, 8: kS64, 9: kF32, 0x0A: kF64,
		0x0B: kBool, 0x0C: kString, 0x0D: kBinary, 0x0E: kObject, 0x10: kMap, 0x11: kArray, 0x81: kVec2, 0x82: kVec3, 0x83: kVec4, 0x84: kMatrix}
)

func kindOf(table []kind, b uint8) kind {
	if int(b) < len(table) {
		return table[b]
	}
	return kBad
}

func mapKind(b uint8) kind {
	if k, ok := mapKinds[b]; ok {
		return k
	}
	return kBad
}
