package dprsim

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"assay/formats/decode"
	"assay/model"
)

const (
	// stringMax is the longest string that is kept as a value; longer ones are blocks of bytes.
	stringMax = 16 << 20
	// lettersMax bounds how many characters of a variable width are found in one state.
	lettersMax = 4096
)

// run is what one code of a template has in one state.
type run struct {
	code   *code
	first  int64 // index of its first value among the state's
	count  int64 // values: of a string one, of skipped bytes none
	offset int64
	size   int64
}

// span returns the bytes of the k-th value.
func (r *run) span(k int64) model.Span {
	if r.code.kind == number {
		size := r.code.form.Size()
		return model.Span{Offset: r.offset + k*size, Size: size}
	}
	return model.Span{Offset: r.offset, Size: r.size}
}

// state is one module's state of one catom, laid out by the module's template.
type state struct {
	runs   []run
	values int64
	end    int64 // after the last byte that the template takes
	short  *code // the first code that did not find all of its bytes; nil if none
}

// lay finds the places of the values in n bytes at off. c may go anywhere in them; it stays where it is if the template
// is fixed. runs is room to use again.
func (t *template) lay(c *decode.Cursor, off, n int64, runs []run) state {
	if runs == nil {
		runs = make([]run, 0, len(t.codes))
	}
	s := state{runs: runs[:0], end: off}
	limit := off + n
	for i := range t.codes {
		code := &t.codes[i]
		left := limit - s.end
		r := run{code: code, first: s.values, offset: s.end}
		want := code.count
		switch code.kind {
		case number:
			size := code.form.Size()
			if want == toTheEnd {
				want = left / size
			}
			r.count = min(want, left/size)
			r.size = r.count * size
			if r.count < want {
				s.short = code
			}
		case text:
			if want == toTheEnd {
				want = left
				if code.letter == 'Z' {
					want = toNUL(c, s.end, limit)
				}
			}
			r.size = min(want, left)
			if r.size < want {
				s.short = code
			}
			if r.size > 0 || want == 0 {
				r.count = 1
			}
		case letter:
			s.letters(c, code, limit)
			if s.short != nil {
				return s
			}
			continue
		case skip:
			if want == toTheEnd {
				want = left
			}
			r.size = min(want, left)
			if r.size < want {
				s.short = code
			}
		}
		if r.count > 0 || r.size > 0 {
			s.runs = append(s.runs, r)
		}
		s.values += r.count
		s.end += r.size
		if s.short != nil {
			return s
		}
	}
	return s
}

// toNUL is the number of bytes from an offset up to and including the first NUL, all before limit if there is none.
func toNUL(c *decode.Cursor, off, limit int64) int64 {
	c.GoTo(off)
	if c.Find([]byte{0}) && c.Pos() < limit {
		return c.Pos() + 1 - off
	}
	return limit - off
}

// letters lays out characters of a variable width, a run each.
func (s *state) letters(c *decode.Cursor, of *code, limit int64) {
	for k := int64(0); of.count == toTheEnd || k < of.count; k++ {
		b := peekAt(c, s.end, min(utf8.UTFMax, limit-s.end))
		if len(b) == 0 || k == lettersMax {
			if of.count != toTheEnd || len(b) > 0 {
				s.short = of
			}
			return
		}
		_, n := utf8.DecodeRune(b)
		s.runs = append(s.runs, run{code: of, first: s.values, count: 1, offset: s.end, size: int64(n)})
		s.values++
		s.end += int64(n)
	}
}

// peekAt returns n bytes at an offset; nil if they cannot be had.
func peekAt(c *decode.Cursor, off, n int64) []byte {
	if b := c.Held(model.Span{Offset: off, Size: n}); b != nil {
		return b
	}
	c.GoTo(off)
	return c.Peek(n)
}

// value reads the k-th value of a run. raw is set where a string is not UTF-8.
func (r *run) value(c *decode.Cursor, k int64, bigEndian bool) (v any, raw []byte) {
	switch r.code.kind {
	case number:
		size := r.code.form.Size()
		b := peekAt(c, r.offset+k*size, size)
		if b == nil {
			return nil, nil
		}
		return r.code.form.Decode(b, r.code.order(bigEndian)), nil
	case letter:
		b := peekAt(c, r.offset, r.size)
		if b == nil {
			return nil, nil
		}
		ch, n := utf8.DecodeRune(b)
		if ch == utf8.RuneError && n <= 1 {
			return uint64(b[0]), nil
		}
		return uint64(ch), nil
	}
	if r.size > stringMax {
		return model.Blob{Source: c.Source(), Span: model.Span{Offset: r.offset, Size: r.size}}, nil
	}
	c.GoTo(r.offset)
	s := c.Text("value", r.size)
	if c.Err() != nil {
		return nil, nil
	}
	switch r.code.letter {
	case 'A':
		s = strings.TrimRight(s, " \t\n\v\f\r\x00")
	case 'Z':
		s, _, _ = strings.Cut(s, "\x00")
	}
	if utf8.ValidString(s) {
		return s, nil
	}
	return strings.ToValidUTF8(s, "\uFFFD"), []byte(s)
}

func (c *code) order(bigEndian bool) binary.ByteOrder {
	if c.native && bigEndian || !c.native && !c.little {
		return binary.BigEndian
	}
	return binary.LittleEndian
}
