package casset

import (
	"strconv"
	"strings"

	"assay/formats/decode"
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

// kind returns the kind of the declared type; kBad if its name does not tell: a struct, a class or an enum.
func declaredKind(typ string) kind {
	if k, ok := declaredKinds[typ[strings.LastIndexByte(typ, '.')+1:]]; ok {
		return k
	}
	return kBad
}

// binary: length, bytes; flags came in the summer of 1.2, and only the field's size tells. An empty one takes no bytes.
func (g *fields1) binary(v *reader, c *decode.Cursor) {
	size := uint64(c.Left())
	if size == 0 {
		c.Bytes("data", "bytes", 0)
		c.Lift()
		return
	}
	b := c.Peek(8)
	if b == nil {
		c.Fail("a blob of %d bytes has no length", size)
		return
	}
	n := little.Uint64(b)
	if n != size-8 && n+8 != size-8 {
		c.U64("length")
		c.Fail("a blob of %d bytes does not fit its field of %d", n, size)
		return
	}
	v.block(c, n != size-8)
}

// members: the fields of a struct.
func (g *fields1) members(v *reader, c *decode.Cursor, _ Type) { g.entries(v, c) }

// reference: one that fills the field.
func (g *fields1) reference(v *reader, c *decode.Cursor, _ Type) {
	uuid, ok := g.references(c, c.Pos(), c.End(), 1)
	if !ok {
		c.Fail("the %d bytes are not a reference to an object", c.Left())
		return
	}
	g.object(c, uuid)
}

// object: UUID, class, (UUID of the package), package, path; a UUID of 0 is all of a null. It returns the package.
func (g *fields1) object(c *decode.Cursor, withUUID bool) (name string) {
	object := uuid64(c, "object")
	if object == 0 {
		c.StructSymbol("null")
		return ""
	}
	c.Terminated("class")
	bundle := uint64(0)
	if withUUID {
		bundle = uuid64(c, "bundle")
	}
	name = c.Terminated("package")
	c.Terminated("path")
	if c.Recording() {
		in := decimal(bundle)
		if name == "" || !withUUID {
			in = ""
		}
		g.lead(c, decimal(object), in, name)
	}
	return name
}

// decimal is how a UUID before 3.0 is shown.
func decimal(v uint64) string { return strconv.FormatUint(v, 10) }
