package casset

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"assay/model"
)

var little = binary.LittleEndian

// scanner runs over bytes without recording nodes: to index objects, to find where an element of an array begins, to
// try a layout. The first thing that goes wrong stops it.
type scanner struct {
	src      *model.Source
	pos, end int64
	buf      []byte
	at       int64 // offset of buf in src
	next     int   // how many bytes the next read takes
	err      error
}

const (
	scanFirst = 512
	scanMost  = 64 << 10
)

func newScanner(src *model.Source, pos, end int64) *scanner {
	return &scanner{src: src, pos: pos, end: min(end, src.Size()), next: scanFirst}
}

func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

func (s *scanner) left() int64 { return s.end - s.pos }

// take gives the next n bytes, n being small, and goes behind them; nil at the end.
func (s *scanner) take(n int64) []byte {
	b := s.peek(n)
	if b != nil {
		s.pos += n
	}
	return b
}

func (s *scanner) peek(n int64) []byte {
	if s.err != nil {
		return nil
	}
	if n > s.left() {
		s.fail("%d bytes are needed, %d are left", n, max(s.left(), 0))
		return nil
	}
	if at := s.pos - s.at; at >= 0 && at+n <= int64(len(s.buf)) {
		return s.buf[at : at+n]
	}
	size := min(max(n, int64(s.next)), s.src.Size()-s.pos) // beyond the end too: whoever looks ahead goes on there
	s.next = min(4*s.next, scanMost)
	if int64(cap(s.buf)) < size {
		s.buf = make([]byte, size)
	}
	s.buf, s.at = s.buf[:size], s.pos
	got, err := s.src.ReadAt(s.buf, s.pos)
	s.buf = s.buf[:got]
	if int64(got) < n {
		s.fail("cannot be read: %v", err)
		return nil
	}
	return s.buf[:n]
}

// peek1 gives the next byte without going on; 0xFF at the end.
func (s *scanner) peek1() uint8 {
	if b := s.peek(1); b != nil {
		return b[0]
	}
	return 0xFF
}

// skip goes n bytes on.
func (s *scanner) skip(n int64) {
	if s.err != nil {
		return
	}
	if n < 0 || n > s.left() {
		s.fail("%d bytes are needed, %d are left", n, max(s.left(), 0))
		return
	}
	s.pos += n
}

func (s *scanner) u8() uint8 {
	if b := s.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (s *scanner) u32() uint32 {
	if b := s.take(4); b != nil {
		return little.Uint32(b)
	}
	return 0
}

func (s *scanner) u64() uint64 {
	if b := s.take(8); b != nil {
		return little.Uint64(b)
	}
	return 0
}

// number reads an unsigned number of 4 or 8 bytes.
func (s *scanner) number(width int64) uint64 {
	if width == 4 {
		return uint64(s.u32())
	}
	return s.u64()
}

// text goes behind a string with its NUL and gives its first bytes, at most 4,096 of them, without the NUL.
func (s *scanner) text() string { return s.string(4096) }

func (s *scanner) string(most int) string {
	var head []byte
	for s.err == nil {
		if s.left() <= 0 {
			s.fail("a string has no end")
			break
		}
		b := s.peek(1)
		if b == nil {
			break
		}
		at := s.pos - s.at
		rest := s.buf[at:]
		if int64(len(rest)) > s.left() {
			rest = rest[:s.left()]
		}
		i := bytes.IndexByte(rest, 0)
		if i >= 0 {
			s.pos += int64(i) + 1
			if head == nil {
				return string(rest[:min(i, most)])
			}
			return string(append(head, rest[:min(i, most-len(head))]...))
		}
		head = append(head, rest[:min(len(rest), most-len(head))]...)
		s.pos += int64(len(rest))
	}
	return ""
}

// find goes to the next place where want begins and reports whether there is one.
func (s *scanner) find(want []byte) bool {
	for s.err == nil && s.left() >= int64(len(want)) {
		if s.peek(int64(len(want))) == nil {
			return false
		}
		rest := s.buf[s.pos-s.at:]
		if int64(len(rest)) > s.left() {
			rest = rest[:s.left()]
		}
		if i := bytes.Index(rest, want); i >= 0 {
			s.pos += int64(i)
			return true
		}
		s.pos += int64(len(rest) - len(want) + 1)
	}
	return false
}

// at8 reads the u64 at an offset; false if it is outside of the file.
func at8(src *model.Source, off int64) (uint64, bool) {
	if off < 0 || off > src.Size()-8 {
		return 0, false
	}
	s := newScanner(src, off, off+8)
	v := s.u64()
	return v, s.err == nil
}

// fit gives v as an offset or size if it is within limit.
func fit(v uint64, limit int64) (int64, bool) {
	if limit < 0 || v > uint64(limit) {
		return 0, false
	}
	return int64(v), true
}
