package dprsim

import (
	"context"
	"strings"

	"assay/model"
)

type lineKind uint8

const (
	entryLine lineKind = iota
	commentLine
	otherLine
	blankLine // the first of consecutive lines without text
	lineKinds
)

// part is a piece of the text.
type part struct{ from, to int }

// line is one line of the text, laid out: for an entry blanks, key, blanks and "=", value, blanks, line end.
type line struct {
	kind       lineKind
	from       int
	key, value part
	end, next  int // before and after the line end
}

// lines is a text of lines, which are decoded on demand.
type lines struct {
	text    string
	base    int64               // offset of the text in the file: after a byte order mark
	starts  [lineKinds][]uint32 // where the lines of each kind begin
	repeats []uint32            // for each entry its number among the entries with its key, from 1
}

// line lays out the line that begins at from.
func (x *lines) line(from int) line {
	l := line{kind: blankLine, from: from}
	rest := x.text[from:]
	n := strings.IndexAny(rest, "\r\n")
	switch {
	case n < 0:
		l.end, l.next = len(x.text), len(x.text)
	case strings.HasPrefix(rest[n:], "\r\n"):
		l.end, l.next = from+n, from+n+2
	default:
		l.end, l.next = from+n, from+n+1
	}
	s, content := x.text[from:l.end], x.trim(part{from, l.end})
	equals := strings.IndexByte(s, '=')
	switch {
	case strings.HasPrefix(s, "#"):
		l.kind = commentLine
	case equals >= 0:
		l.kind = entryLine
		l.key = x.trim(part{from, from + equals})
		l.value = x.trim(part{from + equals + 1, l.end})
	case content.from < content.to:
		l.kind = otherLine
	}
	return l
}

// trim removes blanks from both ends of a part. An empty part is at its end.
func (x *lines) trim(p part) part {
	for p.from < p.to && isBlank(x.text[p.from]) {
		p.from++
	}
	for p.from < p.to && isBlank(x.text[p.to-1]) {
		p.to--
	}
	return p
}

// index finds where the lines begin.
func (x *lines) index(ctx context.Context) error {
	occurrences := make(map[string]uint32)
	last := otherLine
	for offset, n := 0, 0; offset < len(x.text); n++ {
		if n%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		l := x.line(offset)
		if l.kind != blankLine || last != blankLine {
			x.starts[l.kind] = append(x.starts[l.kind], uint32(offset))
		}
		if l.kind == entryLine {
			key := x.text[l.key.from:l.key.to]
			occurrences[key]++
			x.repeats = append(x.repeats, occurrences[key])
		}
		last, offset = l.kind, l.next
	}
	return nil
}

// lineAt lays out the i-th line of a kind.
func (x *lines) lineAt(kind lineKind, i int) line { return x.line(int(x.starts[kind][i])) }

// entry returns the key and the value of the i-th entry.
func (x *lines) entry(i int) (key, value string) {
	l := x.lineAt(entryLine, i)
	return x.text[l.key.from:l.key.to], x.text[l.value.from:l.value.to]
}

// endOf returns the end of the line that begins at from, or of the last of consecutive blank lines.
func (x *lines) endOf(from int) int {
	l := x.line(from)
	for l.kind == blankLine && l.next < len(x.text) {
		n := x.line(l.next)
		if n.kind != blankLine {
			break
		}
		l = n
	}
	return l.next
}

func (x *lines) span(p part) model.Span {
	return model.Span{Offset: x.base + int64(p.from), Size: int64(p.to - p.from)}
}
