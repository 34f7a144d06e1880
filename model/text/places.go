package text

import (
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// form is how the bytes of a text are written.
type form struct {
	encoding encoding.Encoding // nil: UTF-8
	mark     int               // bytes of the mark at the beginning
	unit     int               // bytes of the smallest character: 2 in UTF-16
	big      bool              // the first byte of a unit is the high one
}

// places maps the bytes of a file to those of its text by the lines of both.
type places struct {
	form
	bytes []byte
	valid bool    // the bytes are UTF-8
	from  []int   // where each line begins in the bytes
	lines []int32 // and in the text
}

// placesOf finds the lines of a text; nil if its bytes are those of the file.
func placesOf(f form, b []byte, text string) *places {
	valid := f.encoding == nil && utf8.Valid(whole(b))
	if valid && f.mark == 0 && len(whole(b)) == len(text) {
		return nil
	}
	p := &places{form: f, bytes: b, valid: valid, from: []int{f.mark}, lines: []int32{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			p.lines = append(p.lines, int32(i+1))
		}
	}
	for i := f.mark; i+f.unit <= len(b) && len(p.from) < len(p.lines); i += f.unit {
		switch p.at(i) {
		case '\r':
			if next := i + f.unit; next+f.unit <= len(b) && p.at(next) == '\n' {
				i = next
			}
			fallthrough
		case '\n':
			p.from = append(p.from, i+f.unit)
		}
	}
	p.lines = p.lines[:len(p.from)]
	return p
}

// at returns the unit at a place in the bytes.
func (p *places) at(i int) rune {
	switch {
	case p.unit == 1:
		return rune(p.bytes[i])
	case p.big:
		return rune(p.bytes[i])<<8 | rune(p.bytes[i+1])
	}
	return rune(p.bytes[i+1])<<8 | rune(p.bytes[i])
}

// step returns the number of bytes of the character at a place.
func (p *places) step(i int) int {
	switch {
	case p.encoding == nil:
		_, n := utf8.DecodeRune(p.bytes[i:])
		return n
	case p.unit == 2:
		if i+4 <= len(p.bytes) && utf16.IsSurrogate(p.at(i)) && utf16.IsSurrogate(p.at(i+2)) {
			return 4
		}
		return 2
	}
	var out [8]byte
	for n := 1; n < utf8.UTFMax && i+n < len(p.bytes); n++ {
		if got, _, _ := p.encoding.NewDecoder().Transform(out[:], p.bytes[i:i+n], false); got > 0 {
			return n
		}
	}
	return 1
}

// walk goes through the characters of a line until done says that the next one, which begins at a place of the bytes
// and one of the text, is too far.
func (p *places) walk(line int, text string, done func(next, at int) bool) (i, at int) {
	i, at = p.from[line], int(p.lines[line])
	for i < len(p.bytes) && at < len(text) && text[at] != '\n' {
		_, wide := utf8.DecodeRuneInString(text[at:])
		next := i + p.step(i)
		if done(next, at+wide) {
			break
		}
		i, at = next, at+wide
	}
	return i, at
}

// At returns the place in Text of the character that a byte of the file is a part of.
func (t *Text) At(offset int64) int {
	p := t.places
	if p == nil {
		return int(max(0, min(offset, int64(len(t.Text)))))
	}
	line := max(0, sort.Search(len(p.from), func(i int) bool { return int64(p.from[i]) > offset })-1)
	if p.valid {
		end := len(t.Text)
		if line+1 < len(p.lines) {
			end = int(p.lines[line+1]) - 1
		}
		return max(0, min(int(p.lines[line])+int(offset)-p.from[line], end))
	}
	_, at := p.walk(line, t.Text, func(next, _ int) bool { return int64(next) > offset })
	return at
}

// Offset returns the place in the file of the character at a place in Text.
func (t *Text) Offset(at int) int64 {
	p := t.places
	if p == nil {
		return int64(at)
	}
	line := max(0, sort.Search(len(p.lines), func(i int) bool { return int(p.lines[i]) > at })-1)
	if p.valid {
		return int64(p.from[line] + at - int(p.lines[line]))
	}
	i, _ := p.walk(line, t.Text, func(_, next int) bool { return next > at })
	return int64(i)
}
