package kaitai

import (
	"encoding/binary"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// bitsLeft is the bits of the last byte that no bit field has read yet.
type bitsLeft struct {
	value byte
	left  uint8
	le    bool // the field before began at the least significant bit
}

// align drops the bits that are left of the last byte.
func (r *reading) align() { r.bits = bitsLeft{} }

// isLE reports whether bit fields of a type begin at the least significant bit.
func (ref *Reference) isLE() bool { return ref.Order == binary.ByteOrder(binary.LittleEndian) }

// bitField reads a bit field. Its node owns the bytes that were not read before; one that lies in a byte of the
// field before it owns none.
func (r *reading) bitField(f field, ref *Reference) expression.Value {
	meets := r.meetsOther(ref)
	n, bytes, ok := r.readBits(ref)
	if !ok {
		r.failBits(f, ref)
		return expression.Value{}
	}
	r.recordBits(f.a.ID, ref.Name, bytes, meets)
	shown, value := bitValue(n, ref, f.a.plan.enum)
	if leaf := r.c.Last(); leaf != nil {
		leaf.Value = shown
		f.a.nameValue(leaf)
	}
	return value
}

// bitFields reads a plain list of bit fields, which do not begin at bytes, as one leaf.
func (r *reading) bitFields(f field, n int64) expression.Value {
	ref := &f.a.Type.Value
	start, meets := r.c.Pos(), r.meetsOther(ref)
	var row model.Scalars
	var list expression.Values
	isWhole := r.c.Err() == nil
	for i := int64(0); i < n && isWhole; i++ {
		if f.a.Repeat.Way == ToTheEnd && r.c.Left() == 0 && r.bits.left == 0 {
			break
		}
		var v uint64
		var bytes int64
		if v, bytes, isWhole = r.readBits(ref); isWhole {
			r.c.GoTo(r.c.Pos() + bytes)
			shown, value := bitValue(v, ref, nil)
			row, list = append(row, shown), append(list, value)
		}
	}
	end := r.c.Pos()
	r.c.GoTo(start)
	r.recordBits(f.a.ID, ref.Name+"[]", end-start, meets)
	if leaf := r.c.Last(); leaf != nil {
		leaf.Value = row
	}
	if !isWhole {
		r.failBits(f, ref)
	}
	return expression.ListValue(list)
}

// bitValue returns what a bit field is as the value of a node and in expressions: one bit is a boolean, unless an
// enumeration names its values.
func bitValue(n uint64, ref *Reference, enum *Enum) (any, expression.Value) {
	if ref.Width == 1 && enum == nil {
		return n == 1, expression.BoolValue(n == 1)
	}
	return n, numberValue(n, enum)
}

// meetsOther reports whether a bit field begins within a byte that one of the other order began.
func (r *reading) meetsOther(ref *Reference) bool { return r.bits.left > 0 && r.bits.le != ref.isLE() }

// recordBits records bit fields, and warns where they begin within a byte of one of the other order.
func (r *reading) recordBits(id, typ string, size int64, meetsOther bool) {
	r.c.Bytes(id, typ, size)
	if meetsOther {
		r.c.Warn("%s begins within a byte of a bit field of the other order, which Kaitai Struct does not allow", id)
	}
}

// failBits stops the cursor where there are not enough bits.
func (r *reading) failBits(f field, ref *Reference) {
	if r.c.Err() == nil {
		r.c.Fail("%s needs %d bits, %d are left", f.a.ID, ref.Width, int64(r.bits.left)+8*r.c.Left())
	}
}

// readBits returns the next bits as a number and how many further bytes they lie in; false if there are not as many.
// The cursor stays where it is.
func (r *reading) readBits(ref *Reference) (n uint64, count int64, ok bool) {
	bits := r.bits
	count = int64(max(0, (ref.Width-int(bits.left)+7)/8))
	b := r.c.Peek(count)
	if count > 0 && b == nil {
		return 0, 0, false
	}
	bits.le = ref.isLE()
	for got := 0; got < ref.Width; {
		if bits.left == 0 {
			bits.value, bits.left, b = b[0], 8, b[1:]
		}
		take := min(ref.Width-got, int(bits.left))
		bits.left -= uint8(take)
		if bits.le {
			n |= uint64(bits.value) & (1<<take - 1) << got
			bits.value >>= take
		} else {
			n = n<<take | uint64(bits.value>>bits.left)
			bits.value &= 1<<bits.left - 1
		}
		got += take
	}
	r.bits = bits
	return n, count, true
}
