package kaitai

import (
	"encoding/binary"
	"fmt"

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
	count := max(0, ref.Width-int(r.bits.left)+7) / 8
	b := r.c.Peek(int64(count))
	if len(b) < count {
		r.failBits(f, ref)
		return expression.Value{}
	}
	n := r.bits.take(ref.Width, ref.isLE(), &b)
	r.recordBits(f.a.ID, ref.Name, int64(count), meets)
	shown := bitValue(n, ref, f.a.plan.enum)
	if leaf := r.c.Last(); leaf != nil {
		leaf.Value = shown
		f.a.nameValue(leaf)
	}
	return scalarValue(shown, f.a.plan.enum)
}

// bitFields reads a plain list of bit fields, which do not begin at bytes, as one leaf.
func (r *reading) bitFields(f field, n int64) expression.Value {
	ref, meets := &f.a.Type.Value, r.meetsOther(&f.a.Type.Value)
	row := bitRow{src: r.stream.src, ref: ref, before: r.bits, offset: r.c.Pos()}
	width, left := int64(ref.Width), int64(r.bits.left)+8*r.c.Left()
	if row.count = min(n, left/width); r.c.Err() != nil {
		return expression.Value{}
	}
	bits, begin, skip := row.place(row.count)
	r.c.GoTo(row.offset + begin)
	if b := r.c.Peek(min(1, r.c.Left())); r.c.Err() == nil {
		bits.take(skip, ref.isLE(), &b)
		r.bits = bits
	}
	r.c.GoTo(row.offset)
	r.recordBits(f.a.ID, ref.Name+"[]", row.end(row.count), meets)
	if leaf := r.c.Last(); leaf != nil {
		leaf.Value = row
	}
	if f.a.Repeat.Way == Times && n > row.count || f.a.Repeat.Way == ToTheEnd && left%width > 0 {
		r.failBits(f, ref)
	}
	return expression.ListValue(scalars{row})
}

// bitRow is an array of bit fields that stay in the file.
type bitRow struct {
	src    *model.Source
	ref    *Reference
	before bitsLeft // what the first one finds of the byte before the offset
	offset int64
	count  int64
}

// Len is the number of bit fields.
func (row bitRow) Len() int64 { return row.count }

// end returns how many bytes the first n bit fields take.
func (row bitRow) end(n int64) int64 {
	return max(0, n*int64(row.ref.Width)-int64(row.before.left)+7) / 8
}

// place returns where the i-th bit field begins: that many bits after those that are left before a byte of the row.
func (row bitRow) place(i int64) (before bitsLeft, begin int64, skip int) {
	bits := i * int64(row.ref.Width)
	if past := bits - int64(row.before.left); past >= 0 {
		return bitsLeft{}, past / 8, int(past % 8)
	}
	return row.before, 0, int(bits)
}

// Slice reads up to n bit fields from the first on.
func (row bitRow) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), row.count)
	n = min(max(n, 0), row.count-first)
	bits, begin, skip := row.place(first)
	b, err := row.src.Bytes(model.Span{Offset: row.offset + begin, Size: row.end(first+n) - begin})
	if err != nil {
		return nil, fmt.Errorf("array of %d bit fields: %w", row.count, err)
	}
	le := row.ref.isLE()
	bits.take(skip, le, &b)
	out := make([]any, n)
	for i := range out {
		out[i] = bitValue(bits.take(row.ref.Width, le, &b), row.ref, nil)
	}
	return out, nil
}

// bitValue returns the value of the node of a bit field: one bit is a boolean, unless an enumeration names its values.
func bitValue(n uint64, ref *Reference, enum *Enum) any {
	if ref.Width == 1 && enum == nil {
		return n == 1
	}
	return n
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
		r.c.Fail("%s needs %d bits, but only %d remain", f.a.ID, ref.Width, int64(r.bits.left)+8*r.c.Left())
	}
}

// take returns the next bits as a number, from the bits that are left and then from b, which has as many bytes. Both
// keep what follows.
func (bits *bitsLeft) take(width int, le bool, b *[]byte) (n uint64) {
	for got := 0; got < width; {
		if bits.left == 0 {
			bits.value, bits.left, *b = (*b)[0], 8, (*b)[1:]
		}
		take := min(width-got, int(bits.left))
		bits.left -= uint8(take)
		if bits.le = le; le {
			n |= uint64(bits.value) & (1<<take - 1) << got
			bits.value >>= take
		} else {
			n = n<<take | uint64(bits.value>>bits.left)
			bits.value &= 1<<bits.left - 1
		}
		got += take
	}
	return n
}
