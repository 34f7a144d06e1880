package dprsim

import (
	"fmt"

	"assay/formats/decode"
	"assay/model"
)

// list records the lines of one kind, which are decoded when they are looked at. Lines of other kinds lie between them.
func (x *experiment) list(name, typ string, kind lineKind, each func(c *decode.Cursor, i int)) *model.Node {
	c, starts := x.c, x.starts[kind]
	span := func(i int) model.Span { return x.span(part{int(starts[i]), x.after(int(starts[i]))}) }
	c.GoTo(x.base)
	if len(starts) > 0 {
		c.GoTo(span(0).Offset)
	}
	return c.Struct(name, typ+"[]", func() {
		if len(starts) == 0 {
			return
		}
		c.Elements(typ, len(starts), nil, decode.Located(span, each))
		c.GoTo(span(len(starts) - 1).End())
	})
}

// between reads what stands before a position in the text, if anything does.
func (x *experiment) between(c *decode.Cursor, typ string, to int) {
	if n := x.base + int64(to) - c.Pos(); n > 0 {
		c.Text(typ, n)
		c.As(typ)
	}
}

// recordEntry reads KEY=value.
func (x *experiment) recordEntry(c *decode.Cursor, i int) {
	l := x.at(entryLine, i)
	key, value := x.entry(i)
	title := model.OneLine(decode.ValidUTF8(key), 60)
	if c.Node() != nil {
		c.Key(x.key(i, key))
	}
	switch {
	case key == "":
		c.Remark(model.Warning, x.span(part{l.from, l.next}), "a line has no key before its \"=\"")
	case !knownKeys[key]:
		c.Remark(model.Note, x.span(part{l.from, l.next}), "unknown key %s", title)
	}
	if x.repeats[i] > 1 && key != objectKey {
		c.Remark(model.Note, x.span(part{l.from, l.next}), "occurrence %d of %s; the last one wins", x.repeats[i],
			title)
	}
	x.between(c, "separator", l.key.from)
	c.Text("key", int64(len(key)))
	x.between(c, "separator", l.value.from)
	switch {
	case key == objectKey:
		c.Struct("value", "Object", func() { x.object(c, l.value) })
	case key == worldKey && value != "":
		c.Text("value", int64(len(value)))
		if leaf := c.Last(); leaf != nil {
			leaf.Link = worldLink(decode.ValidUTF8(value))
		}
	default:
		c.Text("value", int64(len(value)))
	}
	x.between(c, "separator", l.end)
	x.between(c, "line_end", l.next)
}

// key is what identifies the i-th entry: its key, with a number from the second of the same on.
func (x *experiment) key(i int, key string) string {
	key = decode.ValidUTF8(key)
	if x.repeats[i] > 1 {
		return fmt.Sprintf("%s#%d", key, x.repeats[i])
	}
	return key
}

// recordComment reads a line that begins with "#".
func (x *experiment) recordComment(c *decode.Cursor, i int) { x.recordText(c, x.at(commentLine, i)) }

// recordOther reads a line that is neither a comment nor KEY=value.
func (x *experiment) recordOther(c *decode.Cursor, i int) {
	l := x.at(otherLine, i)
	c.Remark(model.Warning, x.span(part{l.from, l.next}), "the line is neither KEY=value nor a comment")
	x.recordText(c, l)
}

// recordText reads a line whose text has no parts. The line has the text as its value too.
func (x *experiment) recordText(c *decode.Cursor, l line) {
	c.Text("text", int64(l.end-l.from))
	c.CopyValueUp()
	x.between(c, "line_end", l.next)
}

// recordBlank reads lines without text, one after the other.
func (x *experiment) recordBlank(c *decode.Cursor, _ int) {
	c.Text("line_end", c.Left())
	c.CollapseStruct()
}

// findKey finds an entry by its node's key.
func (x *experiment) findKey(entries *model.Node) func(key string) (model.Path, bool) {
	return func(key string) (model.Path, bool) {
		for i := range x.starts[entryLine] {
			if k, _ := x.entry(i); x.key(i, k) == key {
				return append(entries.Path(), i), true
			}
		}
		return nil, false
	}
}
