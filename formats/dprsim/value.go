package dprsim

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

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

// lay finds the places of the values in n bytes at off. runs is room to use again.
func (t *template) lay(w *window, off, n int64, runs []run) state {
	s := state{runs: runs[:0], end: off}
	limit := off + n
	for i := range t.codes {
		c := &t.codes[i]
		left := limit - s.end
		r := run{code: c, first: s.values, offset: s.end}
		want := c.count
		switch c.kind {
		case number:
			size := c.form.Size()
			if want == toTheEnd {
				want = left / size
			}
			r.count = min(want, left/size)
			r.size = r.count * size
			if r.count < want {
				s.short = c
			}
		case text:
			if want == toTheEnd {
				want = left
				if c.letter == 'Z' {
					want = w.toNUL(s.end, limit)
				}
			}
			r.size = min(want, left)
			if r.size < want {
				s.short = c
			}
			if r.size > 0 || want == 0 {
				r.count = 1
			}
		case letter:
			s.letters(w, c, limit)
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
				s.short = c
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

// letters lays out characters of a variable width, a run each.
func (s *state) letters(w *window, c *code, limit int64) {
	for k := int64(0); c.count == toTheEnd || k < c.count; k++ {
		b := w.get(s.end, min(utf8.UTFMax, limit-s.end))
		if len(b) == 0 || k == lettersMax {
			if c.count != toTheEnd || len(b) > 0 {
				s.short = c
			}
			return
		}
		_, n := utf8.DecodeRune(b)
		s.runs = append(s.runs, run{code: c, first: s.values, count: 1, offset: s.end, size: int64(n)})
		s.values++
		s.end += int64(n)
	}
}

// value reads the k-th value of a run. raw is set where a string is not UTF-8.
func (r *run) value(w *window, k int64, bigEndian bool) (v any, raw []byte) {
	c := r.code
	switch c.kind {
	case number:
		b := w.get(r.offset+k*c.form.Size(), c.form.Size())
		if b == nil {
			return nil, nil
		}
		return c.form.Decode(b, c.order(bigEndian)), nil
	case letter:
		b := w.get(r.offset, r.size)
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
		return model.Blob{Source: w.src, Span: model.Span{Offset: r.offset, Size: r.size}}, nil
	}
	b := w.get(r.offset, r.size)
	if b == nil {
		return nil, nil
	}
	switch c.letter {
	case 'A':
		b = bytes.TrimRight(b, " \t\n\v\f\r\x00")
	case 'Z':
		if i := bytes.IndexByte(b, 0); i >= 0 {
			b = b[:i]
		}
	}
	s := string(b)
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
