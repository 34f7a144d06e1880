package properties

import (
	"bytes"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// filler reads a text that means nothing to the engine: a quiet reading makes no string of it.
func filler(c *decode.Cursor, name string, n int64) {
	if c.Recording() {
		c.Text(name, n)
	} else {
		c.Bytes(name, "", n)
	}
}

// separator reads blanks, line ends and signs between fields.
func separator(c *decode.Cursor, n int64) {
	if n > 0 {
		filler(c, "separator", n)
		c.As("separator")
		c.Role(model.RoleSpacing)
	}
}

// lineEnd reads the blanks at the end of a line, and its end.
func lineEnd(c *decode.Cursor) {
	n := span(c, 0, isLineBlank)
	rest := c.Peek(min(c.Left(), n+2))
	switch rest = rest[min(n, int64(len(rest))):]; {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		n += 2
	case len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r'):
		n++
	}
	if n > 0 {
		filler(c, "line_end", n)
		c.As("line_end")
		c.Role(model.RoleSpacing)
	}
}

// blanks returns how many blanks and line ends come next, up to the most that a line may have.
func blanks(c *decode.Cursor) int64 { return span(c, 0, isBlank) }

// span returns how many bytes after the next skip ones are of a kind, up to the most that a line may have.
func span(c *decode.Cursor, skip int64, is func(b byte) bool) int64 {
	var n int64
	for look := int64(64); ; look *= 4 {
		b := c.Peek(min(skip+min(look, maxLine), c.Left()))
		for skip+n < int64(len(b)) {
			if !is(b[skip+n]) {
				return n
			}
			n++
		}
		if n < look || n >= maxLine {
			return n
		}
	}
}

// line returns the rest of the line without the blanks at its end, up to the most that a line may have.
func line(c *decode.Cursor) []byte {
	for n := int64(256); ; n *= 4 {
		b := c.Peek(min(n, maxLine, c.Left()))
		if b == nil {
			return nil
		}
		k := bytes.IndexAny(b, "\r\n")
		if k < 0 && int64(len(b)) < min(maxLine, c.Left()) {
			continue
		}
		if k < 0 {
			k = len(b)
		}
		return trimRight(b[:k])
	}
}

// block is a comment that begins with /*.
type block struct {
	size  int64 // up to the end of its last line, or of the text
	open  int64 // offset of the first */ that does not end it; 0 if there is none
	ended bool
	rest  []byte // what follows the */ that ends it on its line
}

// measureBlock finds where a comment that begins with /* ends. As in the engine, that is the first line after its first
// one that begins or ends with */.
func measureBlock(c *decode.Cursor) (b block) {
	start, mark := c.Pos(), []byte("*/")
	e := c.Quiet(model.Span{Offset: start, Size: c.Left()})
	b.size = int64(len(mark))
	e.GoTo(start + b.size)
	for first := true; e.Left() > 0 && e.Err() == nil && !b.ended; first = false {
		text := line(e)
		inner := trimLeft(text)
		b.ended = !first && (bytes.HasPrefix(inner, mark) || bytes.HasSuffix(inner, mark))
		if k := bytes.Index(text, mark); k >= 0 && !b.ended && b.open == 0 {
			b.open = e.Pos() + int64(k)
		}
		if b.ended && !bytes.HasSuffix(inner, mark) {
			b.rest = slices.Clone(trimLeft(inner[len(mark):])) // text is good only until the next Peek
		}
		e.GoTo(e.Pos() + int64(len(text)))
		b.size = e.Pos() - start
		lineEnd(e)
	}
	if e.Err() != nil {
		c.Fail("the comment cannot be read: %v", e.Err())
	}
	return b
}

const lineBlanks = " \t\v\f\x00"

func trimRight(b []byte) []byte { return bytes.TrimRight(b, lineBlanks) }
func trimLeft(b []byte) []byte  { return bytes.TrimLeft(b, lineBlanks) }

func isLineBlank(b byte) bool    { return b == ' ' || b >= '\t' && b <= '\f' && b != '\n' || b == 0 }
func isBlank(b byte) bool        { return isLineBlank(b) || b == '\n' || b == '\r' }
func trimBlanks(b []byte) []byte { return bytes.TrimLeft(b, lineBlanks+"\r\n") }

// isWord reports whether names of namespaces may have a byte.
func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
