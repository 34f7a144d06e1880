package kaitai

import (
	"encoding/binary"
	"fmt"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// bitsLeft is the bits of the last byte that no bit field has read yet.
type bitsLeft struct {
	value     byte
	remaining uint8
	le        bool // the field before began at the least significant bit
}

// align drops the bits that are left of the last byte.
func (d *decoder) align() { d.bits = bitsLeft{} }

// isLE reports whether bit fields of a type begin at the least significant bit.
func (ref *typeReference) isLE() bool { return ref.Order == binary.ByteOrder(binary.LittleEndian) }

// bitField reads a bit field. Its node has the bytes that contain it, and its bits in them.
func (d *decoder) bitField(f field, ref *typeReference) expression.Value {
	count := max(0, ref.Width-int(d.bits.remaining)+7) / 8
	b := d.c.Peek(int64(count))
	if len(b) < count {
		d.failBits(f, ref)
		return expression.Value{}
	}
	before := d.bits
	n := d.bits.next(ref.Width, ref.isLE(), &b)
	d.recordBits(f, ref, ref.Name, before, int64(count), int64(ref.Width))
	value := bitValue(n, ref, f.a.plan.enum)
	if leaf := d.c.Last(); leaf != nil {
		leaf.Value = value
		f.a.nameValue(leaf)
	}
	return scalarValue(value, f.a.plan.enum)
}

// bitFields reads a plain list of bit fields, which do not begin at bytes, as one leaf.
func (d *decoder) bitFields(f field, n int64) expression.Value {
	ref := &f.a.Type.Value
	row := bitRow{src: d.stream.src, ref: ref, before: d.bits, offset: d.c.Pos()}
	width, left := int64(ref.Width), int64(d.bits.remaining)+8*d.c.Remaining()
	if row.count = min(n, left/width); d.c.Err() != nil || !d.spendRecording(f, row.count/scalarsPerStep) {
		return expression.Value{}
	}
	bits, start, skip := row.position(row.count)
	d.c.GoTo(row.offset + start)
	if b := d.c.Peek(min(1, d.c.Remaining())); d.c.Err() == nil {
		bits.next(skip, ref.isLE(), &b)
		d.bits = bits
	}
	d.c.GoTo(row.offset)
	d.recordBits(f, ref, ref.Name+"[]", row.before, row.end(row.count), row.count*width)
	if leaf := d.c.Last(); leaf != nil {
		leaf.Value = row
	}
	if f.a.Repeat.Kind == repeatTimes && n > row.count || f.a.Repeat.Kind == repeatToEnd && left%width > 0 {
		d.failBits(f, ref)
	}
	return expression.ListValue(scalars{row})
}

// bitRow is an array of bit fields that are read from the file on demand.
type bitRow struct {
	src    *model.Source
	ref    *typeReference
	before bitsLeft // the remaining bits of the byte before the offset
	offset int64
	count  int64
}

func (row bitRow) Len() int64 { return row.count }

// end returns the number of bytes of the first n bit fields.
func (row bitRow) end(n int64) int64 {
	return max(0, n*int64(row.ref.Width)-int64(row.before.remaining)+7) / 8
}

// position returns the position of the i-th bit field: the remaining bits before it, or its first byte in the row and
// the bits to skip in that.
func (row bitRow) position(i int64) (before bitsLeft, start int64, skip int) {
	bits := i * int64(row.ref.Width)
	if past := bits - int64(row.before.remaining); past >= 0 {
		return bitsLeft{}, past / 8, int(past % 8)
	}
	return row.before, 0, int(bits)
}

// Slice reads up to n bit fields from the first on.
func (row bitRow) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), row.count)
	n = min(max(n, 0), row.count-first)
	bits, start, skip := row.position(first)
	b, err := row.src.Bytes(model.Span{Offset: row.offset + start, Size: row.end(first+n) - start})
	if err != nil {
		return nil, fmt.Errorf("array of %d bit fields: %w", row.count, err)
	}
	le := row.ref.isLE()
	bits.next(skip, le, &b)
	out := make([]any, n)
	for i := range out {
		out[i] = bitValue(bits.next(row.ref.Width, le, &b), row.ref, nil)
	}
	return out, nil
}

// bitValue returns the value of the node of a bit field: one bit is a boolean, unless an enumeration names its values.
func bitValue(n uint64, ref *typeReference, enum *enum) any {
	if ref.Width == 1 && enum == nil {
		return n == 1
	}
	return n
}

// recordBits records bit fields with a number of bits: the remaining bits of the last byte, and size more bytes. It
// warns if they begin within a byte of a bit field of the other order.
func (d *decoder) recordBits(f field, ref *typeReference, typ string, before bitsLeft, size, bits int64) {
	d.c.Bytes(f.a.ID, typ, size)
	start := int64(0)
	if before.remaining > 0 && bits > 0 {
		shareByte(d.c.Last())
		start, size = 8-int64(before.remaining), size+1
	}
	if leaf := d.c.Last(); leaf != nil && (start > 0 || 8*size > bits) {
		leaf.Bits = model.Bits{Before: uint8(start), After: uint8(8*size - start - bits), FromLow: ref.isLE()}
	}
	if before.remaining > 0 && before.le != ref.isLE() {
		d.c.Warnf("%s begins within a byte of a bit field of the other order, which Kaitai Struct does not allow", f.a.ID)
	}
}

// shareByte extends a node, if there is one, by the byte before it, whose first bits belong to another field.
func shareByte(n *model.Node) {
	if n != nil {
		n.Offset, n.Size = n.Offset-1, n.Size+1
	}
}

// failBits stops the cursor where there are not enough bits.
func (d *decoder) failBits(f field, ref *typeReference) {
	if d.c.Err() == nil {
		d.c.Fail("%s needs %d bits, but only %d remain", f.a.ID, ref.Width, int64(d.bits.remaining)+8*d.c.Remaining())
	}
}

// next returns the next bits as a number, from the remaining bits and then from b, which has the needed bytes. It
// updates both.
func (bits *bitsLeft) next(width int, le bool, b *[]byte) (n uint64) {
	for got := 0; got < width; {
		if bits.remaining == 0 {
			bits.value, bits.remaining, *b = (*b)[0], 8, (*b)[1:]
		}
		take := min(width-got, int(bits.remaining))
		bits.remaining -= uint8(take)
		if bits.le = le; le {
			n |= uint64(bits.value) & (1<<take - 1) << got
			bits.value >>= take
		} else {
			n = n<<take | uint64(bits.value>>bits.remaining)
			bits.value &= 1<<bits.remaining - 1
		}
		got += take
	}
	return n
}
