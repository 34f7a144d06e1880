package decode

import (
	"bytes"
	"math"
	"strings"
	"unicode/utf8"

	"assay/model"
)

// stringMax is the longest string that is kept as a value; longer ones are shown as blocks of bytes.
const stringMax = 16 << 20

// Names are the names of an enum's numbers.
type Names map[uint64]string

// scalar records a number and gives its bytes' value.
func (c *Cursor) scalar(name string, form model.Number) any {
	b := c.need(name, form.Size())
	if b == nil {
		return nil
	}
	v := form.Decode(b, c.order)
	c.record(name, c.types.Numbers[form], form.Size()).Value = v
	c.pos += form.Size()
	return v
}

func (c *Cursor) unsigned(name string, form model.Number) uint64 {
	v, _ := c.scalar(name, form).(uint64)
	return v
}

func (c *Cursor) signed(name string, form model.Number) int64 {
	v, _ := c.scalar(name, form).(int64)
	return v
}

// U8 reads an unsigned byte.
func (c *Cursor) U8(name string) uint8 { return uint8(c.unsigned(name, model.U8)) }

// U16 reads an unsigned 16-bit number.
func (c *Cursor) U16(name string) uint16 { return uint16(c.unsigned(name, model.U16)) }

// U32 reads an unsigned 32-bit number.
func (c *Cursor) U32(name string) uint32 { return uint32(c.unsigned(name, model.U32)) }

// U64 reads an unsigned 64-bit number.
func (c *Cursor) U64(name string) uint64 { return c.unsigned(name, model.U64) }

// S32 reads a signed 32-bit number.
func (c *Cursor) S32(name string) int32 { return int32(c.signed(name, model.S32)) }

// S64 reads a signed 64-bit number.
func (c *Cursor) S64(name string) int64 { return c.signed(name, model.S64) }

// F32 reads a 32-bit float.
func (c *Cursor) F32(name string) float32 {
	v, _ := c.scalar(name, model.F32).(float32)
	return v
}

// Number reads a number of any form and gives it as a Node value.
func (c *Cursor) Number(name string, form model.Number) any { return c.scalar(name, form) }

// Unsigned reads an unsigned number of any width.
func (c *Cursor) Unsigned(name string, form model.Number) uint64 { return c.unsigned(name, form) }

// U24 reads an unsigned number of three bytes, the highest first.
func (c *Cursor) U24(name, typ string) uint32 {
	b := c.need(name, 3)
	if b == nil {
		return 0
	}
	v := uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
	c.record(name, typ, 3).Value = uint64(v)
	c.pos += 3
	return v
}

// Enum reads an unsigned number and names it. The type is the enum's; a number without a name is the caller's to judge.
func (c *Cursor) Enum(name, typ string, form model.Number, names Names) (v uint64, known bool) {
	v = c.unsigned(name, form)
	if c.err != nil {
		return 0, false
	}
	c.last.Type = typ
	c.last.Symbol, known = names[v]
	return v, known
}

// As gives the node that was recorded last a type of its own.
func (c *Cursor) As(typ string) {
	if c.err == nil && c.last != nil {
		c.last.Type = typ
	}
}

// Magic reads the bytes that a file must begin with; others fail.
func (c *Cursor) Magic(name string, want []byte) bool {
	got := c.need(name, int64(len(want)))
	if got == nil {
		return false
	}
	if !bytes.Equal(got, want) {
		c.Fail("%s is % x, not % x", name, got, want)
		return false
	}
	c.text(name, c.types.Bytes, 0, int64(len(want)))
	return true
}

// Text reads a string of n bytes.
func (c *Cursor) Text(name string, n int64) string { return c.text(name, c.types.Text, 0, n) }

// Prefixed reads a string with its length before it. The leaf includes the length.
func (c *Cursor) Prefixed(name string, prefix model.Number) string {
	b := c.need(name, prefix.Size())
	if b == nil {
		return ""
	}
	n, _ := prefix.Decode(b, c.order).(uint64)
	if left := c.Left() - prefix.Size(); n > uint64(left) {
		c.Fail("%s: a string of %d bytes does not fit in the %d that are left", name, n, left)
		return ""
	}
	return c.text(name, c.types.Text, prefix.Size(), int64(n))
}

// Terminated reads a string up to its NUL. The leaf includes the NUL.
func (c *Cursor) Terminated(name string) string {
	if c.err != nil {
		return ""
	}
	n, ok := c.findNUL()
	if !ok {
		if c.err == nil {
			c.Fail("%s: a string without an end in the %d bytes that are left", name, c.Left())
		}
		return ""
	}
	s := c.text(name, c.types.Text, 0, n)
	if c.err == nil {
		c.last.Size++
		c.pos++
	}
	return s
}

// findNUL gives the number of bytes before the next NUL.
func (c *Cursor) findNUL() (int64, bool) {
	start := c.pos
	defer func() { c.pos = start }()
	for size := int64(256); c.Left() > 0; size = windowSize {
		b := c.bytes(min(size, c.Left()))
		if b == nil {
			return 0, false
		}
		if i := bytes.IndexByte(b, 0); i >= 0 {
			return c.pos - start + int64(i), true
		}
		c.pos += int64(len(b))
	}
	return 0, false
}

// text records a string leaf of skip+n bytes whose text is the last n of them.
func (c *Cursor) text(name, typ string, skip, n int64) string {
	if c.err != nil {
		return ""
	}
	if n < 0 || n > c.Left()-skip {
		c.Fail("%s: a string of %d bytes does not fit in the %d that are left", name, n, c.Left()-skip)
		return ""
	}
	node := c.record(name, typ, skip+n)
	if n > stringMax {
		node.Value = model.Blob{Source: c.src, Span: model.Span{Offset: c.pos + skip, Size: n}}
		c.pos += skip + n
		return ""
	}
	b := c.bytes(skip + n)
	if b == nil {
		return ""
	}
	s := string(b[skip:])
	c.pos += skip + n
	if utf8.ValidString(s) {
		node.Value = s
	} else {
		node.Raw = []byte(s)
		node.Value = strings.ToValidUTF8(s, "\uFFFD")
	}
	return s
}

// Bytes records a block of n bytes without reading it.
func (c *Cursor) Bytes(name, typ string, n int64) model.Blob {
	return c.block(name, typ, 0, n)
}

// PrefixedBytes records a block of bytes with its size before it. The leaf includes the size, the value does not.
func (c *Cursor) PrefixedBytes(name, typ string, prefix model.Number) model.Blob {
	n := c.peekCount(name, prefix, 1)
	return c.block(name, typ, prefix.Size(), n)
}

func (c *Cursor) block(name, typ string, skip, n int64) model.Blob {
	if c.err != nil {
		return model.Blob{Source: c.src}
	}
	if n < 0 || n > c.Left()-skip {
		c.Fail("%s: %d bytes do not fit in the %d that are left", name, n, c.Left()-skip)
		return model.Blob{Source: c.src}
	}
	b := model.Blob{Source: c.src, Span: model.Span{Offset: c.pos + skip, Size: n}}
	c.record(name, typ, skip+n).Value = b
	c.pos += skip + n
	return b
}

// Array records n numbers, which stay in the file.
func (c *Cursor) Array(name, typ string, form model.Number, n int64) model.Numbers {
	return c.array(name, typ, form, 0, n)
}

// Counted records numbers with their count before them. The leaf includes the count.
func (c *Cursor) Counted(name, typ string, count, form model.Number) model.Numbers {
	n := c.peekCount(name, count, form.Size())
	return c.array(name, typ, form, count.Size(), n)
}

// peekCount reads a count that belongs to the next leaf, and compares it with the bytes behind it.
func (c *Cursor) peekCount(name string, form model.Number, each int64) int64 {
	b := c.need(name, form.Size())
	if b == nil {
		return 0
	}
	n, _ := form.Decode(b, c.order).(uint64)
	if left := c.Left() - form.Size(); n > uint64(left/each) {
		c.Fail("%s: %d × %d bytes do not fit in the %d that are left", name, n, each, left)
		return 0
	}
	return int64(n)
}

func (c *Cursor) array(name, typ string, form model.Number, skip, n int64) model.Numbers {
	a := model.Numbers{Source: c.src, Form: form, Order: c.order}
	if c.err != nil {
		return a
	}
	if w := form.Size(); n < 0 || n > math.MaxInt64/w || n*w > c.Left()-skip {
		c.Fail("%s: %d numbers of %d bytes do not fit in the %d that are left", name, n, w, c.Left()-skip)
		return a
	}
	a.Offset, a.Count = c.pos+skip, n
	size := skip + n*form.Size()
	c.record(name, typ, size).Value = a
	c.pos += size
	return a
}

// Absent records an optional part whose absence takes size bytes: a leaf whose value says none.
func (c *Cursor) Absent(name, typ string, size int64) {
	if c.need(name, size) == nil && size > 0 {
		return
	}
	if c.err != nil {
		return
	}
	c.record(name, typ, size).Value = model.None{}
	c.pos += size
}
