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
	// mapTypes are those of 2.0.
	mapTypes = plainBytes(typeBytes{0x00: {kind: kNothing}, 0x0D: {kind: kBinary}, 0x0E: {kind: kObject},
		0x10: {kind: kMap},
		0x11: {kind: kArray}, 0x81: {kind: kVec2}, 0x82: {kind: kVec3}, 0x83: {kind: kVec4}, 0x84: {kind: kMatrix}})
	// publishedTypes are those of Bundle 3.0 in the published document.
	publishedTypes = plainBytes(typeBytes{0x0D: {kind: kVec2}, 0x0E: {kind: kVec3}, 0x0F: {kind: kVec4},
		0x10: arrayOf(kObject), 0x11: arrayOf(kStruct), 0x12: {kind: kArray}, 0x13: {kind: kBinary},
		0x14: {kind: kObject},
		0x15: {kind: kFunction}, 0x16: arrayOf(kFunction), 0x17: {kind: kStruct}})
	// writtenTypes are those of Bundle 3.0 as the engine writes it.
	writtenTypes = plainBytes(typeBytes{0x0D: {kind: kVec2}, 0x0E: {kind: kVec3}, 0x0F: {kind: kVec4},
		0x10: {kind: kVec2i}, 0x11: {kind: kVec3i}, 0x12: {kind: kVec4i}, 0x13: arrayOf(kObject),
		0x14: arrayOf(kStruct),
		0x15: {kind: kArray}, 0x16: {kind: kBinary}, 0x17: {kind: kObject}, 0x18: {kind: kFunction},
		0x19: arrayOf(kFunction),
		0x1A: {kind: kStruct}, 0x1B: {kind: kUUID}, 0x1C: {kind: kStore, elem: &Type{kind: kStored}}})
)

// declaredKinds are the types that fields of 1.x declare and whose data are known, by the part after the module's dot.
var declaredKinds = map[string]kind{
	"u8": kU8, "u16": kU16, "u32": kU32, "u64": kU64, "s8": kS8, "s16": kS16, "s32": kS32, "s64": kS64, "f32": kF32,
	"f64": kF64,
	"b8":  kBool, "bool": kBool, "CE::UUID": kUUID64, "CE::Uuid": kUUID64,
	"CE::String": kString, "CE::Name": kString, "CE::IO::Path": kString,
	"CE::SubClassType": kString, "CE::ClassType": kString, "CE::StructType": kString, "CE::EnumType": kString,
	"CE::Vec2": kVec2, "CE::Vec3": kVec3, "CE::Vec4": kVec4, "CE::Vec2i": kVec2i, "CE::Vec3i": kVec3i,
	"CE::Vec4i": kVec4i,
	"CE::Quat":  kVec4, "CE::Color": kVec4, "CE::Matrix4x4": kMatrix,
	"CE::BinaryBlob": kBinary, "CE::Array": kArray, "CE::ObjectMap": kObjectMap, "CE::Object": kObject,
}
