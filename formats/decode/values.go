package decode

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

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

// number reads a number that has a role in the file, and returns its bits.
func (c *Cursor) number(name string, form model.NumberForm, role model.Role) uint64 {
	size := form.Size()
	if c.rec != nil || size > int64(c.limitIndex-c.index) {
		return c.numberSlowly(name, form, role)
	}
	b := c.window[c.index : c.index+spare]
	c.index += int(size)
	unused := (64 - 8*size) & 63
	if c.big {
		return binary.BigEndian.Uint64(b) >> unused
	}
	return binary.LittleEndian.Uint64(b) << unused >> unused
}

// numberSlowly is number where a node is made, or the bytes are not in the window.
func (c *Cursor) numberSlowly(name string, form model.NumberForm, role model.Role) uint64 {
	b := c.need(name, form.Size())
	if b == nil {
		return 0
	}
	bits := c.load(b)
	if c.rec == nil {
		c.index += int(form.Size())
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

// Number reads a number of any form and returns its bits; model.NumberForm.Value makes a Node value of them.
func (c *Cursor) Number(name string, form model.NumberForm) uint64 {
	return c.number(name, form, model.RoleNone)
}

// Size reads the size of a part of this file, in bytes.
func (c *Cursor) Size(name string, form model.NumberForm) uint64 {
	return c.number(name, form, model.RoleSize)
}

// Offset reads an offset in this file.
func (c *Cursor) Offset(name string, form model.NumberForm) uint64 {
	return c.number(name, form, model.RoleOffset)
}

// Count reads a count of elements of at least least bytes each and compares it with the remaining bytes.
func (c *Cursor) Count(name string, form model.NumberForm, least int64, unit string) int64 {
	n := c.number(name, form, model.RoleCount)
	if c.err == nil && (n > 1<<62 || int64(n) > c.Remaining()/max(least, 1)) {
		c.Fail("%s: %d × %s do not fit in the remaining %d bytes", name, n, unit, c.Remaining())
		return 0
	}
	return int64(n)
}

// Total reads a count that the caller compares with the elements that follow.
func (c *Cursor) Total(name string, form model.NumberForm) int64 {
	return int64(c.number(name, form, model.RoleCount))
}

// Enum reads an unsigned number and names it. The type is the enum's; a number without a name is the caller's to judge.
func (c *Cursor) Enum(name, typ string, form model.NumberForm, names Names) (v uint64, known bool) {
	v = c.number(name, form, model.RoleNone)
	if c.err != nil {
		return 0, false
	}
	if n := c.lastField(); n != nil {
		n.Type, n.Symbols = typ, names
	}
	_, known = names[v]
	return v, known
}

// Array records n numbers, which are read from the file on demand.
func (c *Cursor) Array(name, typ string, form model.NumberForm, n int64) model.Numbers {
	return c.array(name, typ, form, 0, n)
}

// Counted records numbers with their count before them. The leaf includes the count.
func (c *Cursor) Counted(name, typ string, count, form model.NumberForm) model.Numbers {
	n, size := uint64(0), form.Size()
	if b := c.need(name, count.Size()); b != nil {
		n = c.load(b)
	}
	if left := c.Remaining() - count.Size(); c.err == nil && n > uint64(left/size) {
		c.Fail("%s: %d × %d bytes do not fit in the remaining %d bytes", name, n, size, left)
	}
	return c.array(name, typ, form, count.Size(), int64(n))
}

func (c *Cursor) array(name, typ string, form model.NumberForm, skip, n int64) model.Numbers {
	a := model.Numbers{Source: c.src, Form: form, Order: c.order()}
	if c.err != nil {
		return a
	}
	if w := form.Size(); n < 0 || n > math.MaxInt64/w || n*w > c.Remaining()-skip {
		c.Fail("%s: %d numbers of %d bytes do not fit in the remaining %d bytes", name, n, w, c.Remaining()-skip)
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

// maxString is the maximum size of a string in bytes: a longer one is recorded as a block of bytes.
const maxString = 16 << 20

// Magic reads the bytes that a file must begin with; others fail.
func (c *Cursor) Magic(name string, magic []byte) {
	got := c.need(name, int64(len(magic)))
	if got == nil {
		return
	}
	if !bytes.Equal(got, magic) {
		c.Fail("%s is % x, not % x", name, got, magic)
		return
	}
	c.text(name, c.types.Bytes, 0, int64(len(magic)))
}

// Text reads a string of n bytes. A string over 16 MiB is recorded as bytes, and returned as "".
func (c *Cursor) Text(name string, n int64) string { return c.text(name, c.types.Text, 0, n) }

// Prefixed reads a string with its length before it. The leaf includes the length; one over 16 MiB is read as by Text.
func (c *Cursor) Prefixed(name string, prefix model.NumberForm) string {
	b := c.need(name, prefix.Size())
	if b == nil {
		return ""
	}
	n := c.load(b)
	if left := c.Remaining() - prefix.Size(); n > uint64(left) {
		c.Fail("%s: a string of %d bytes does not fit in the remaining %d bytes", name, n, left)
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
		c.Fail("%s: unterminated string in the remaining %d bytes", name, c.Remaining())
		return ""
	}
	s := c.text(name, c.types.Text, 0, n)
	if c.err == nil {
		c.skip(1)
		if n := c.lastField(); n != nil {
			n.Size++
		}
	}
	return s
}

// findNUL returns the number of bytes before the next NUL.
func (c *Cursor) findNUL() (int64, bool) {
	if i := bytes.IndexByte(c.window[c.index:c.limitIndex], 0); i >= 0 {
		return int64(i), true
	}
	start := c.Pos()
	found := c.find(1, func(b []byte) int { return bytes.IndexByte(b, 0) })
	n := c.Pos() - start
	if c.err == nil {
		c.seek(start)
	}
	return n, found
}

// Find moves to the next occurrence of magic, or to the end, and reports whether there is one.
func (c *Cursor) Find(magic []byte) bool {
	start := c.Pos()
	found := c.find(int64(len(magic)), func(b []byte) int { return bytes.Index(b, magic) })
	if c.Pos() != start {
		c.raise(Sound)
	}
	if !found && c.err == nil {
		c.seek(c.end)
	}
	return found
}

// find moves to the position that index finds in the remaining bytes, one window after the other. Windows overlap by
// less than size bytes.
func (c *Cursor) find(size int64, index func([]byte) int) bool {
	for c.err == nil && c.Remaining() >= size && !c.stopIfCanceled() {
		b := c.bytes(min(max(size, windowFirst), c.Remaining()))
		if b == nil {
			return false
		}
		b = c.window[c.index:c.limitIndex]
		if i := index(b); i >= 0 {
			c.skip(int64(i))
			return true
		}
		c.skip(int64(len(b)) - size + 1)
	}
	return false
}

// text records a string leaf of skip+n bytes. Its last n bytes are the text.
func (c *Cursor) text(name, typ string, skip, n int64) string {
	if c.err != nil {
		return ""
	}
	if n < 0 || n > c.Remaining()-skip {
		c.Fail("%s: a string of %d bytes does not fit in the remaining %d bytes", name, n, c.Remaining()-skip)
		return ""
	}
	if n > maxString {
		c.block(name, typ, skip, n)
		return ""
	}
	b := c.need(name, skip+n)
	if b == nil {
		return ""
	}
	s := string(b[skip:])
	if c.rec == nil {
		c.skip(skip + n)
		return s
	}
	if node := c.field(name, typ, skip+n, nil); utf8.ValidString(s) {
		node.Value = s
	} else {
		node.SetRaw([]byte(s))
		node.Value = ValidUTF8(s)
	}
	return s
}

// ValidUTF8 returns a string of a file as UTF-8. As the Unicode standard recommends, U+FFFD replaces each incomplete
// sequence that starts like a character, and each other invalid byte.
func ValidUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	valid, _ := unicode.UTF8.NewDecoder().String(s) // which never fails
	return valid
}

// Bytes records a block of n bytes without reading it.
func (c *Cursor) Bytes(name, typ string, n int64) model.Blob { return c.block(name, typ, 0, n) }

// Rest records the remaining bytes, if any, as one block. It returns their number.
func (c *Cursor) Rest(name, typ string) int64 {
	n := c.Remaining()
	if c.err != nil || n == 0 {
		return 0
	}
	c.Bytes(name, typ, n)
	return n
}

func (c *Cursor) block(name, typ string, skip, n int64) model.Blob {
	if c.err != nil {
		return model.Blob{Source: c.src}
	}
	if n < 0 || n > c.Remaining()-skip {
		c.Fail("%s: %d bytes do not fit in the remaining %d bytes", name, n, c.Remaining()-skip)
		return model.Blob{Source: c.src}
	}
	b := model.Blob{Source: c.src, Span: model.Span{Offset: c.Pos() + skip, Size: n}}
	if c.rec == nil {
		c.skip(skip + n)
		return b
	}
	c.field(name, typ, skip+n, b)
	return b
}
