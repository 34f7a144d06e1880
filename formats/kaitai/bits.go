package kaitai

import (
	"encoding/binary"
	"math"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// bitField is the state of a stream between bit fields: the bits of the last byte that are not read yet.
type bitField struct {
	value uint64
	left  int
	le    bool // the field before this one begins at the least significant bit
}

// carried is the bits that elements of a list leave for the next one: their number in the lowest three bits, what they
// are in the eight above those, and the order that they were read in.
type carried []uint16

// carriedLE is set where the bits were read from the least significant one on.
const carriedLE = 1 << 15

// set notes what is left when the i-th element begins. The elements must come in their order.
func (c *carried) set(i int, bits bitField) {
	if bits.left == 0 && len(*c) == 0 {
		return
	}
	for len(*c) < i {
		*c = append(*c, 0)
	}
	left := uint16(bits.value<<3) | uint16(bits.left)
	if bits.le {
		left |= carriedLE
	}
	*c = append(*c, left)
}

// at returns the bits that are left when the i-th element begins.
func (c carried) at(i int) bitField {
	if i >= len(c) {
		return bitField{}
	}
	return bitField{value: uint64(c[i] &^ carriedLE >> 3), left: int(c[i] & 7), le: c[i]&carriedLE != 0}
}

// isBits reports whether the attribute is a bit field or a list of them.
func (a *Attribute) isBits() bool { return a.Type.On == nil && a.Type.Value.Kind == Bits }

// align drops the bits that are left of the last byte.
func (r *reading) align() { r.bits = bitField{} }

// bitField reads a bit field. Its node owns the bytes that were not read before; one that lies in a byte of the
// field before it owns none.
func (r *reading) bitField(f field, ref *Reference) expression.Value {
	meets := r.meetsOther(f, ref)
	n, bytes, ok := r.readBits(f, ref)
	if !ok {
		return expression.Value{}
	}
	r.recordBits(f.a.ID, ref.Name, bytes, meets)
	shown, value := bitValue(n, ref, f.a.Enum)
	if leaf := r.c.Last(); leaf != nil {
		leaf.Value = shown
		r.symbol(f.a)
	}
	return value
}

// bitValue returns what a bit field is as the value of a node and in expressions: one bit is a boolean, unless an
// enumeration names its values.
func bitValue(n uint64, ref *Reference, enum *Enum) (any, expression.Value) {
	if ref.Width == 1 && enum == nil {
		return n == 1, expression.BoolValue(n == 1)
	}
	return n, numberValue(n, enum)
}

// isLE reports whether bit fields of a type begin at the least significant bit.
func (ref *Reference) isLE() bool { return ref.Order == binary.ByteOrder(binary.LittleEndian) }

// meetsOther reports whether a bit field begins within a byte that one of the other order began.
func (r *reading) meetsOther(f field, ref *Reference) bool {
	return r.bits.left > 0 && r.bits.le != ref.isLE()
}

// recordBits records bit fields, and warns where they begin within a byte of one of the other order.
func (r *reading) recordBits(id, typ string, size int64, meetsOther bool) {
	r.c.Bytes(id, typ, size)
	if meetsOther {
		r.c.Warn("%s begins within a byte of a bit field of the other order, which Kaitai Struct does not allow", id)
	}
}

// readBits returns the next bits as a number and how many further bytes they lie in. The cursor stays where it is.
func (r *reading) readBits(f field, ref *Reference) (n uint64, count int64, ok bool) {
	width := ref.Width
	count = int64(max(0, (width-r.bits.left+7)/8))
	b := r.c.Peek(count)
	if count > 0 && b == nil {
		r.c.Fail("%s needs %d bits, %d are left", f.a.ID, width, int64(r.bits.left)+8*r.c.Left())
		return 0, 0, false
	}
	if ref.isLE() {
		n = r.lowBits(b, width)
	} else {
		n = r.highBits(b, width)
	}
	r.bits.le = ref.isLE()
	return n, count, true
}

// highBits takes bits from the most significant one on.
func (r *reading) highBits(b []byte, width int) uint64 {
	take := min(width, r.bits.left)
	n := r.bits.value >> (r.bits.left - take) & mask(take)
	r.bits.left -= take
	width -= take
	for _, c := range b {
		take = min(width, 8)
		n = n<<take | uint64(c)>>(8-take)
		width -= take
		r.bits = bitField{value: uint64(c) & mask(8-take), left: 8 - take}
	}
	return n
}

// lowBits takes bits from the least significant one on.
func (r *reading) lowBits(b []byte, width int) uint64 {
	take := min(width, r.bits.left)
	n, at := r.bits.value&mask(take), take
	r.bits.value >>= take
	r.bits.left -= take
	width -= take
	for _, c := range b {
		take = min(width, 8)
		n |= uint64(c) & mask(take) << at
		at += take
		width -= take
		r.bits = bitField{value: uint64(c) >> take, left: 8 - take}
	}
	return n
}

func mask(bits int) uint64 {
	if bits >= 64 {
		return math.MaxUint64
	}
	return 1<<bits - 1
}

// bitFields reads a plain list of bit fields, which do not begin at bytes, as one leaf.
func (r *reading) bitFields(f field, n int64) expression.Value {
	start, meets := r.c.Pos(), r.meetsOther(f, &f.a.Type.Value)
	var row model.Scalars
	var list expression.Values
	for i := int64(0); i < n && r.c.Err() == nil; i++ {
		if f.a.Repeat.Way == ToTheEnd && r.c.Left() == 0 && r.bits.left == 0 {
			break
		}
		v, bytes, ok := r.readBits(f, &f.a.Type.Value)
		if !ok {
			break
		}
		r.c.GoTo(r.c.Pos() + bytes)
		shown, value := bitValue(v, &f.a.Type.Value, nil)
		row, list = append(row, shown), append(list, value)
	}
	end := r.c.Pos()
	if r.c.Err() == nil {
		r.c.GoTo(start)
		r.recordBits(f.a.ID, f.a.Type.Value.Name+"[]", end-start, meets)
		if leaf := r.c.Last(); leaf != nil {
			leaf.Value = row
		}
	}
	return expression.ListValue(list)
}
