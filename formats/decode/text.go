package decode

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"assay/model"
)

const (
	stringMost = 16 << 20 // a longer string is shown as a block of bytes
)

// Magic reads the bytes that a file must begin with; others fail.
func (c *Cursor) Magic(name string, want []byte) {
	got := c.need(name, int64(len(want)))
	if got == nil {
		return
	}
	if !bytes.Equal(got, want) {
		c.Fail("%s is % x, not % x", name, got, want)
		return
	}
	c.text(name, c.types.Bytes, 0, int64(len(want)))
}

// Text reads a string of n bytes. It returns an empty one in place of a string over 16 MiB, which is recorded as bytes.
func (c *Cursor) Text(name string, n int64) string { return c.text(name, c.types.Text, 0, n) }

// Prefixed reads a string with its length before it. The leaf includes the length; one over 16 MiB is read as by Text.
func (c *Cursor) Prefixed(name string, prefix model.Number) string {
	b := c.need(name, prefix.Size())
	if b == nil {
		return ""
	}
	n := c.load(b)
	if left := c.Left() - prefix.Size(); n > uint64(left) {
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
		c.Fail("%s: unterminated string in the remaining %d bytes", name, c.Left())
		return ""
	}
	s := c.text(name, c.types.Text, 0, n)
	if c.err == nil {
		c.skip(1)
		if n := c.recorded(); n != nil {
			n.Size++
		}
	}
	return s
}

// findNUL returns the number of bytes before the next NUL.
func (c *Cursor) findNUL() (int64, bool) {
	if i := bytes.IndexByte(c.window[c.at:c.until], 0); i >= 0 {
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

// Find goes to the next place where want begins, or to the end, and reports whether there is one.
func (c *Cursor) Find(want []byte) bool {
	start := c.Pos()
	found := c.find(int64(len(want)), func(b []byte) int { return bytes.Index(b, want) })
	if c.Pos() != start {
		c.meets(Sound)
	}
	if !found && c.err == nil {
		c.seek(c.end)
	}
	return found
}

// find goes on to the place that index finds in what is left, looking at one window after the other, which overlap
// by less than size bytes.
func (c *Cursor) find(size int64, index func([]byte) int) bool {
	for c.err == nil && c.Left() >= size && !c.canceled() {
		b := c.bytes(min(max(size, windowFirst), c.Left()))
		if b == nil {
			return false
		}
		b = c.window[c.at:c.until]
		if i := index(b); i >= 0 {
			c.skip(int64(i))
			return true
		}
		c.skip(int64(len(b)) - size + 1)
	}
	return false
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
	if n > stringMost {
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

// ValidUTF8 returns a text of a file as UTF-8. As the Unicode standard recommends, U+FFFD replaces each sequence of
// bytes that begins a character and does not end it, and each byte that begins none.
func ValidUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	valid, _ := unicode.UTF8.NewDecoder().String(s) // which never fails
	return valid
}

// Bytes records a block of n bytes without reading it.
func (c *Cursor) Bytes(name, typ string, n int64) model.Blob { return c.block(name, typ, 0, n) }

// Rest records the bytes that are left as one block; nothing if none are. It returns their number.
func (c *Cursor) Rest(name, typ string) int64 {
	n := c.Left()
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
	if n < 0 || n > c.Left()-skip {
		c.Fail("%s: %d bytes do not fit in the remaining %d bytes", name, n, c.Left()-skip)
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
