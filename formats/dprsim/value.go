package dprsim

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"assay/formats/decode"
	"assay/model"
)

const (
	// maxString is the longest string that is kept as a value; longer ones are blocks of bytes.
	maxString = 16 << 20
	// maxCharacters is the maximum number of characters of variable width in one state.
	maxCharacters = 4096
	// maxSeparate is the number of bytes at the beginning of a catom in which each number is a node. After them the
	// numbers of a code are one array: a catom can have 2^32 bytes.
	maxSeparate = 64 << 10
)

// run is the values that one code of a template reads from one state, one after the other.
type run struct {
	code  *code
	first int64 // index of its first value among the state's
	count int64 // number of values: 1 for a string, 0 for skipped bytes
	size  int64 // bytes
}

// runs calls do for the run of each code of the template, with the cursor at its first byte, and continues after it.
// It returns the index of the first value that was not read, and its code: the data or maxCharacters ended before it.
// The code is nil if all values were read.
func (t *template) runs(c *decode.Cursor, do func(r run)) (next int64, unread *code) {
	pass := func(r run) {
		end := c.Pos() + r.size
		do(r)
		c.GoTo(end)
		next += r.count
	}
	for i := range t.codes {
		code := &t.codes[i]
		if code.kind == character {
			if !characters(c, run{code: code, first: next}, pass) {
				return next, code
			}
			continue
		}
		r, complete := code.nextRun(c, next)
		if r.count > 0 || r.size > 0 {
			pass(r)
		}
		if !complete {
			if code.kind == text { // display the bytes of an incomplete string
				next = r.first
			}
			return next, code
		}
	}
	return next, nil
}

// nextRun returns the run at the cursor of a code that is not a character, up to the last byte, and whether it is
// complete.
func (k *code) nextRun(c *decode.Cursor, first int64) (r run, complete bool) {
	r = run{code: k, first: first}
	left := c.Remaining()
	switch k.kind {
	case number:
		size := k.form.Size()
		r.count = left / size
		if k.count != repeatToEnd {
			r.count = min(k.count, r.count)
		}
		r.size = r.count * size
		return r, k.count == repeatToEnd || r.count == k.count
	case text:
		size := stringSize(c, k)
		if left > 0 || size == 0 {
			r.count = 1
		}
		r.size = min(size, left)
		return r, r.size == size
	}
	r.size = left // skipped
	if k.count != repeatToEnd {
		r.size = min(k.count, left)
	}
	return r, k.count == repeatToEnd || r.size == k.count
}

// stringSize returns the number of bytes that a string has, or should have.
func stringSize(c *decode.Cursor, k *code) int64 {
	switch {
	case k.count != repeatToEnd:
		return k.count
	case k.letter == 'Z': // up to and including the first NUL
		return untilNUL(c)
	}
	return c.Remaining()
}

// untilNUL returns the number of bytes up to and including the next NUL, or of all remaining bytes.
func untilNUL(c *decode.Cursor) int64 {
	const part = 64 << 10
	left := c.Remaining()
	if i := bytes.IndexByte(c.Peek(min(part, left)), 0); i >= 0 {
		return int64(i) + 1
	}
	if left <= part {
		return left
	}
	rest := c.Aside(model.Span{Offset: c.Pos(), Size: left})
	if rest.Find([]byte{0}) {
		return rest.Pos() + 1 - c.Pos()
	}
	return left
}

// characters calls pass with a run for each character of a variable width, at most maxCharacters, and reports whether
// all were read.
func characters(c *decode.Cursor, r run, pass func(r run)) bool {
	for i := int64(0); r.code.count == repeatToEnd || i < r.code.count; i++ {
		data := c.Peek(min(utf8.UTFMax, c.Remaining()))
		if len(data) == 0 || i == maxCharacters {
			return r.code.count == repeatToEnd && len(data) == 0
		}
		_, size := utf8.DecodeRune(data)
		pass(run{code: r.code, first: r.first + i, count: 1, size: int64(size)})
	}
	return true
}

// location returns the offset of the i-th value from the beginning of the run, and its size.
func (r *run) location(i int64) (offset, size int64) {
	if r.code.kind == number {
		size = r.code.form.Size()
		return i * size, size
	}
	return 0, r.size
}

// value reads the i-th value of a run at the cursor, which does not move. It returns nil if the bytes cannot be read.
// raw is set if a string is not UTF-8.
func (r *run) value(c *decode.Cursor, i int64, bigEndian bool) (v any, raw []byte) {
	offset, size := r.location(i)
	span := model.Span{Offset: c.Pos() + offset, Size: size}
	if size > maxString {
		return model.Blob{Source: c.Source(), Span: span}, nil
	}
	data := c.Peek(offset + size)
	if data != nil {
		return r.code.decode(data[offset:], bigEndian)
	}
	data, err := c.Source().Bytes(span)
	if err != nil {
		return nil, nil
	}
	return r.code.decode(data, bigEndian)
}

// decode returns the value that the code makes of bytes. raw is set if it is a string that is not UTF-8.
func (c *code) decode(b []byte, bigEndian bool) (v any, raw []byte) {
	switch c.kind {
	case number:
		return c.form.Decode(b, c.order(bigEndian)), nil
	case character:
		ch, n := utf8.DecodeRune(b)
		if ch == utf8.RuneError && n <= 1 {
			return uint64(b[0]), nil
		}
		return uint64(ch), nil
	}
	return c.strip(string(b))
}

// strip returns the value of a string without the characters that its code strips. raw is set if it is not UTF-8.
func (c *code) strip(s string) (v any, raw []byte) {
	switch c.letter {
	case 'A':
		s = strings.TrimRight(s, " \t\n\v\f\r\x00")
	case 'Z':
		s, _, _ = strings.Cut(s, "\x00")
	}
	if utf8.ValidString(s) {
		return s, nil
	}
	return decode.ValidUTF8(s), []byte(s)
}

// values reads the data of a state: the values of the module's template, and surplus bytes.
func (atom *catom) values(m *module) {
	c := atom.c
	size := c.Remaining()
	next, unread := m.template.runs(c, func(r run) { atom.run(m, r) })
	end := c.Pos()
	surplus := c.Rest("surplus", types.Bytes)
	switch {
	case unread != nil && unread.kind == character && surplus > 0:
		c.Remark(model.Warning, c.Node(), "module %s: only %d characters are decoded", m.title(), maxCharacters)
	case unread != nil:
		c.Remark(model.Warning, model.Span{Offset: end},
			"module %s has %d bytes, its types %s need %d: value %s is not whole or missing, with all after it",
			m.title(), size, model.OneLine(m.types, 60), m.template.least, m.valueName(next))
	case surplus > 0 && m.isKnown():
		c.Remark(model.Warning, model.Span{Offset: end, Size: surplus},
			"module %s has %d bytes more than its types %s describe", m.title(), surplus, model.OneLine(m.types, 60))
	}
}

// run reads the values of a run, a field each.
func (atom *catom) run(m *module, r run) {
	c := atom.c
	switch {
	case r.code.kind == skip || !c.Recording():
		c.Bytes("skipped", types.Bytes, r.size)
	case r.code.kind == number:
		c.SetOrder(r.code.order(atom.body.bigEndian))
		atom.numbers(m, r)
		c.SetOrder(framingOrder)
	default:
		v, raw := r.value(c, 0, atom.body.bigEndian)
		c.Bytes(m.valueName(r.first), r.code.typ, r.size)
		if n := c.Last(); n != nil {
			n.Value = v
			n.SetRaw(raw)
		}
	}
}

// numbers reads the numbers of a run. After the beginning of a large catom they are one array.
func (atom *catom) numbers(m *module, r run) {
	c, size := atom.c, r.code.form.Size()
	separate := min(r.count, (max(0, atom.start+maxSeparate-c.Pos())+size-1)/size)
	for i := range separate {
		c.Number(m.valueName(r.first+i), r.code.form)
		c.As(r.code.typ)
		if m.isCoordinate(r.first + i) {
			c.Role(model.RolePlace)
		}
	}
	if rest := r.count - separate; rest > 0 {
		c.Array(m.valueName(r.first+separate), r.code.typ, r.code.form, rest)
	}
}
