package decode

import (
	"encoding/binary"
	"math"

	"assay/model"
)

// Names are the names of an enum's numbers.
type Names = model.Names

// load reads the bits of a number of up to eight bytes.
func (c *Cursor) load(b []byte) uint64 {
	var word [8]byte
	if c.big {
		copy(word[8-len(b):], b)
		return binary.BigEndian.Uint64(word[:])
	}
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:])
}

// number reads a number that means that to the file, and returns its bits.
func (c *Cursor) number(name string, form model.Number, role model.Role) uint64 {
	size := form.Size()
	if c.rec != nil || size > int64(c.until-c.at) {
		return c.recordNumber(name, form, role)
	}
	b := c.window[c.at : c.at+spare]
	c.at += int(size)
	unused := (64 - 8*size) & 63
	if c.big {
		return binary.BigEndian.Uint64(b) >> unused
	}
	return binary.LittleEndian.Uint64(b) << unused >> unused
}

// recordNumber is number where a node is made, or the bytes are not in the window.
func (c *Cursor) recordNumber(name string, form model.Number, role model.Role) uint64 {
	b := c.need(name, form.Size())
	if b == nil {
		return 0
	}
	bits := c.load(b)
	if c.rec == nil {
		c.at += int(form.Size())
		return bits
	}
	c.field(name, c.types.Numbers[form], form.Size(), form.Value(bits)).Role = role
	return bits
}

// U8 reads an unsigned byte.
func (c *Cursor) U8(name string) uint8 { return uint8(c.number(name, model.U8, model.RoleNone)) }

// U16 reads an unsigned 16-bit number.
func (c *Cursor) U16(name string) uint16 { return uint16(c.number(name, model.U16, model.RoleNone)) }

// U32 reads an unsigned 32-bit number.
func (c *Cursor) U32(name string) uint32 { return uint32(c.number(name, model.U32, model.RoleNone)) }

// U64 reads an unsigned 64-bit number.
func (c *Cursor) U64(name string) uint64 { return c.number(name, model.U64, model.RoleNone) }

// Number reads a number of any form and returns its bits; model.Number.Value makes a Node value of them.
func (c *Cursor) Number(name string, form model.Number) uint64 {
	return c.number(name, form, model.RoleNone)
}

// Size reads the size of a part of this file, in bytes.
func (c *Cursor) Size(name string, form model.Number) uint64 {
	return c.number(name, form, model.RoleSize)
}

// Offset reads an offset in this file.
func (c *Cursor) Offset(name string, form model.Number) uint64 {
	return c.number(name, form, model.RoleOffset)
}

// Count reads a count of things that have at least least bytes each and compares it with the bytes that are left.
func (c *Cursor) Count(name string, form model.Number, least int64, what string) int64 {
	n := c.number(name, form, model.RoleCount)
	if c.err == nil && (n > 1<<62 || int64(n) > c.Left()/max(least, 1)) {
		c.Fail("%s: %d × %s do not fit in the remaining %d bytes", name, n, what, c.Left())
		return 0
	}
	return int64(n)
}

// Enum reads an unsigned number and names it. The type is the enum's; a number without a name is the caller's to judge.
func (c *Cursor) Enum(name, typ string, form model.Number, names Names) (v uint64, known bool) {
	v = c.number(name, form, model.RoleNone)
	if c.err != nil {
		return 0, false
	}
	if n := c.recorded(); n != nil {
		n.Type, n.Symbols = typ, names
	}
	_, known = names[v]
	return v, known
}

// Array records n numbers, which stay in the file.
func (c *Cursor) Array(name, typ string, form model.Number, n int64) model.Numbers {
	return c.array(name, typ, form, 0, n)
}

// Counted records numbers with their count before them. The leaf includes the count.
func (c *Cursor) Counted(name, typ string, count, form model.Number) model.Numbers {
	n, size := uint64(0), form.Size()
	if b := c.need(name, count.Size()); b != nil {
		n = c.load(b)
	}
	if left := c.Left() - count.Size(); c.err == nil && n > uint64(left/size) {
		c.Fail("%s: %d × %d bytes do not fit in the remaining %d bytes", name, n, size, left)
	}
	return c.array(name, typ, form, count.Size(), int64(n))
}

func (c *Cursor) array(name, typ string, form model.Number, skip, n int64) model.Numbers {
	a := model.Numbers{Source: c.src, Form: form, Order: c.order()}
	if c.err != nil {
		return a
	}
	if w := form.Size(); n < 0 || n > math.MaxInt64/w || n*w > c.Left()-skip {
		c.Fail("%s: %d numbers of %d bytes do not fit in the remaining %d bytes", name, n, w, c.Left()-skip)
		return a
	}
	a.Offset, a.Count = c.Pos()+skip, n
	size := skip + n*form.Size()
	if c.rec == nil {
		c.skip(size)
		return a
	}
	c.field(name, typ, size, a)
	return a
}
