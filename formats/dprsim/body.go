package dprsim

import (
	"context"

	"assay/formats/decode"
	"assay/model"
)

// bodiesMax is how many bodies are read; the document knows of one.
const bodiesMax = 64

// body reads a body chunk, and reports whether others may follow. Its catoms are found in the second reading, when all
// modules are known.
func (r *reader) body(ctx context.Context, length int64) (more bool) {
	c := r.c
	if len(r.bodies) == bodiesMax {
		c.Fail("more than %d bodies; the rest is ignored", bodiesMax)
		return false
	}
	b := newBody(c, bodyEnd(c, length), r.modules, r.o)
	r.bodies = append(r.bodies, b)
	b.content = c.Struct("content", "BODY", func() {
		c.Frame(b.span.Size, func() {
			if c.Recording() {
				b.record(ctx)
			} else {
				c.Bytes("catoms", types.Bytes, b.span.Size)
			}
		})
	})
	return true
}

// bodyEnd returns where a body with that length ends, which was just read, and remarks unless it is -1.
func bodyEnd(c *decode.Cursor, length int64) int64 {
	switch left := c.Left(); {
	case length == toEnd || length == toEndShort:
		c.Symbol("to the end of the file")
	case length <= left:
		c.Note("the body has %s; the document says that its length is -1 and the body the last chunk",
			model.PlainCount(length, "byte"))
		return c.Pos() + length
	case length-chunkHead == left:
		c.Note("the body length is %d including its header; the specification requires -1", length)
	default:
		c.Wrong("the body has %d bytes, %d are left; it is read to the end of the file", length, left)
	}
	return c.End()
}

// body is the catoms of one body chunk.
type body struct {
	c         *decode.Cursor // of the file; readers of catoms are made of it
	span      model.Span
	modules   []*module // of the whole file, in the order in which they are listed
	bigEndian bool      // native pack codes were written by a big-endian machine

	starts *decode.Marks // of the catoms
	clean  bool          // every byte of every catom is a field's, and nothing is wrong, as catom or typicalCatom say

	content, list *model.Node
}

// newBody returns a body that begins at the cursor and ends at an offset. Its catoms are not found yet.
func newBody(c *decode.Cursor, end int64, modules []*module, o options) *body {
	b := &body{c: c, span: model.Span{Offset: c.Pos(), Size: end - c.Pos()}, modules: modules, bigEndian: o.bigEndian}
	b.starts = decode.NewMarks(c, func(e *decode.Cursor, _ int) { b.catom(e, nil) })
	return b
}

// firstSizes appends the sizes that the states of each module have in the first catoms, which a body of the first
// reading is for: there the modules are not known before.
func (b *body) firstSizes(modules []*module, sizes [][]int64) {
	const first = 16
	b.modules = modules
	c := b.c.Quiet(b.span)
	for whole, i := true, 0; whole && i < first && c.Left() >= catomHead; i++ {
		_, whole = b.catom(c, func(c *decode.Cursor, module int) { sizes[module] = append(sizes[module], c.Left()) })
	}
}

// count returns the number of whole catoms.
func (b *body) count() int { return b.starts.Len() }

// record reads the content of a body chunk: the catoms, and what is left of one that is cut off.
func (b *body) record(ctx context.Context) {
	if b.index(ctx); ctx.Err() != nil {
		return
	}
	c := b.c
	b.list = c.Struct("catoms", "Catom[]", func() {
		if b.count() > 0 {
			b.starts.Record(c, "Catom")
			c.Summaries(&model.Summaries{Keyed: true, Fill: b.summaries})
		}
	})
	if e, ok := b.list.Children().(*model.Elements); ok {
		e.Solid = b.clean
	}
	switch rest := c.Left(); {
	case rest == 0:
	case rest < catomHead:
		c.Remark(model.Error, model.Span{Offset: c.Pos(), Size: rest},
			"catom %d: %d bytes are left, an id and a total length need %d", b.count(), rest, catomHead)
		if rest < 4 {
			return
		}
		fallthrough
	default:
		c.Struct("incomplete", "Catom", func() { b.catom(c, nil) })
	}
}
