package text

import (
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// form is how the bytes of a text are written.
type form struct {
	encoding    encoding.Encoding // nil: UTF-8
	markSize    int               // bytes of the mark at the beginning
	unitSize    int               // bytes of the smallest character: 2 in UTF-16
	isBigEndian bool              // the first byte of a unit is the high one
}

// offsetMap maps offsets in a file to indexes of its text by the lines of both.
type offsetMap struct {
	form
	bytes       []byte
	isUTF8      bool    // the bytes are UTF-8
	lineOffsets []int   // where each line begins in the bytes
	lineIndexes []int32 // and in the text
}

// mapOffsets finds the lines of a text; nil if its bytes are the file's.
func mapOffsets(f form, b []byte, text string) *offsetMap {
	valid := f.encoding == nil && utf8.Valid(trimPartialRune(b))
	if valid && f.markSize == 0 && len(trimPartialRune(b)) == len(text) {
		return nil
	}
	p := &offsetMap{form: f, bytes: b, isUTF8: valid, lineOffsets: []int{f.markSize}, lineIndexes: []int32{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			p.lineIndexes = append(p.lineIndexes, int32(i+1))
		}
	}
	for i := f.markSize; i+f.unitSize <= len(b) && len(p.lineOffsets) < len(p.lineIndexes); i += f.unitSize {
		switch p.unitAt(i) {
		case '\r':
			if next := i + f.unitSize; next+f.unitSize <= len(b) && p.unitAt(next) == '\n' {
				i = next
			}
			fallthrough
		case '\n':
			p.lineOffsets = append(p.lineOffsets, i+f.unitSize)
		}
	}
	p.lineIndexes = p.lineIndexes[:len(p.lineOffsets)]
	return p
}

// unitAt returns the unit at an index of the bytes.
func (p *offsetMap) unitAt(i int) rune {
	switch {
	case p.unitSize == 1:
		return rune(p.bytes[i])
	case p.isBigEndian:
		return rune(p.bytes[i])<<8 | rune(p.bytes[i+1])
	}
	return rune(p.bytes[i+1])<<8 | rune(p.bytes[i])
}

// step returns the number of bytes of the character at an index.
func (p *offsetMap) step(i int) int {
	switch {
	case p.encoding == nil:
		_, n := utf8.DecodeRune(p.bytes[i:])
		return n
	case p.unitSize == 2:
		if i+4 <= len(p.bytes) && utf16.IsSurrogate(p.unitAt(i)) && utf16.IsSurrogate(p.unitAt(i+2)) {
			return 4
		}
		return 2
	}
	var out [8]byte
	for n := 1; n < utf8.UTFMax && i+n < len(p.bytes); n++ {
		if decoded, _, _ := p.encoding.NewDecoder().Transform(out[:], p.bytes[i:i+n], false); decoded > 0 {
			return n
		}
	}
	return 1
}

// walkLine advances by characters of a line until done returns true for the next one, by its indexes in the bytes and
// in the text.
func (p *offsetMap) walkLine(line int, text string, done func(next, at int) bool) (i, at int) {
	i, at = p.lineOffsets[line], int(p.lineIndexes[line])
	for i < len(p.bytes) && at < len(text) && text[at] != '\n' {
		_, size := utf8.DecodeRuneInString(text[at:])
		next := i + p.step(i)
		if done(next, at+size) {
			break
		}
		i, at = next, at+size
	}
	return i, at
}

// IndexAt returns the index in Text of the character that contains a byte of the file.
func (t *Text) IndexAt(offset int64) int {
	p := t.offsets
	if p == nil {
		return int(max(0, min(offset, int64(len(t.Text)))))
	}
	line := max(0, sort.Search(len(p.lineOffsets), func(i int) bool { return int64(p.lineOffsets[i]) > offset })-1)
	if p.isUTF8 {
		end := len(t.Text)
		if line+1 < len(p.lineIndexes) {
			end = int(p.lineIndexes[line+1]) - 1
		}
		return max(0, min(int(p.lineIndexes[line])+int(offset)-p.lineOffsets[line], end))
	}
	_, at := p.walkLine(line, t.Text, func(next, _ int) bool { return int64(next) > offset })
	return at
}

// Offset returns the offset in the file of the character at an index of Text.
func (t *Text) Offset(at int) int64 {
	p := t.offsets
	if p == nil {
		return int64(at)
	}
	line := max(0, sort.Search(len(p.lineIndexes), func(i int) bool { return int(p.lineIndexes[i]) > at })-1)
	if p.isUTF8 {
		return int64(p.lineOffsets[line] + at - int(p.lineIndexes[line]))
	}
	i, _ := p.walkLine(line, t.Text, func(_, next int) bool { return next > at })
	return int64(i)
}
