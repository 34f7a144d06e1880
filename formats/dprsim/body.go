package dprsim

import (
	"context"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// maxBodies is the maximum number of bodies; the document knows of one.
const maxBodies = 64

// body reads a body chunk, and reports whether other chunks may follow. Its catoms are indexed in the second pass, when
// all modules are known.
func (r *chunkReader) body(ctx context.Context, length int64) (ok bool) {
	c := r.c
	if len(r.bodies) == maxBodies {
		c.Fail("more than %d bodies; the rest is ignored", maxBodies)
		return false
	}
	b := newBody(c, bodyEnd(c, length), r.modules, r.options)
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

// bodyEnd returns the end of a body whose length was just read, and remarks unless it is -1.
func bodyEnd(c *decode.Cursor, length int64) int64 {
	switch left := c.Remaining(); {
	case length == toEnd || length == toEndShort:
		c.Symbol("to the end of the file")
	case length <= left:
		c.Notef("the body has %s; the specification requires the length -1 and the body as the last chunk",
			model.PlainCount(length, "byte"))
		return c.Pos() + length
	case length-chunkHead == left:
		c.Notef("the body length is %d including its header; the specification requires -1", length)
	default:
		c.Errorf("the body has %d bytes, but only %d remain; reading it to the end of the file", length, left)
	}
	return c.End()
}

type body struct {
	c         *decode.Cursor // of the file; creates the readers of catoms
	span      model.Span
	modules   []*module // of the whole file, in the order in which they are listed
	bigEndian bool      // native pack codes were written by a big-endian machine

	starts  *decode.Marks // of the catoms
	isClean bool          // every byte of every catom belongs to a field, without problems, by catom or typicalCatom

	content, list *model.Node
	geometry      *geometry // nil if the catoms have no positions
}

// newBody returns a body that begins at the cursor and ends at an offset. Its catoms are not found yet.
func newBody(c *decode.Cursor, end int64, modules []*module, o options) *body {
	b := &body{c: c, span: model.Span{Offset: c.Pos(), Size: end - c.Pos()}, modules: modules, bigEndian: o.bigEndian}
	b.geometry = b.findGeometry()
	b.starts = decode.NewMarks(c, func(e *decode.Cursor, _ int) { b.catom(e, nil) })
	return b
}

// firstSizes sets the modules of a body of the first pass, and appends the sizes of their states in its first catoms.
func (b *body) firstSizes(modules []*module, sizes [][]int64) {
	const first = 16
	b.modules = modules
	c := b.c.Quiet(b.span)
	for complete, i := true, 0; complete && i < first && c.Remaining() >= catomHead; i++ {
		_, complete = b.catom(c, func(c *decode.Cursor, module int) {
			sizes[module] = append(sizes[module], c.Remaining())
		})
	}
}

// count returns the number of whole catoms.
func (b *body) count() int { return b.starts.Len() }

// record reads the content of a body chunk: the catoms, and the remainder of a truncated one.
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
		e.Solid = b.isClean
	}
	switch rest := c.Remaining(); {
	case rest == 0:
	case rest < catomHead:
		c.Remark(model.Error, model.Span{Offset: c.Pos(), Size: rest},
			"catom %d: %d bytes remain, but an ID and a total length need %d", b.count(), rest, catomHead)
		if rest < 4 {
			return
		}
		fallthrough
	default:
		c.Struct("incomplete", "Catom", func() { b.catom(c, nil) })
	}
}

// index finds where the catoms begin, up to one that does not fit in the body.
func (b *body) index(ctx context.Context) {
	c, typical := b.c.Quiet(b.span), b.typical()
	b.isClean = true
	for {
		typical.skip(ctx, c, b.starts)
		if ctx.Err() != nil || c.Remaining() < catomHead {
			return
		}
		if _, complete := b.catom(c, nil); !complete {
			return
		}
		b.isClean = c.Outcome() == decode.Clean
		b.starts.Add(c.Pos())
	}
}

// uniform reports whether each value has the same offset in every catom.
func (b *body) uniform() bool {
	return b.isClean && !slices.ContainsFunc(b.modules, func(m *module) bool { return !m.template.isFixed })
}

// typicalCatom is a catom whose modules except the last have states of the size of their fixed templates. Nearly all
// catoms are typical, and the index passes over them by their sizes: read by body.catom, a million catoms take two to
// three times as long to open (whole processes, seconds of CPU).
type typicalCatom struct {
	fixed []*module
	last  *module // nil if the template of another module is not fixed: then no catom is typical
	head  int64   // bytes up to and including the length of the last state
}

func (b *body) typical() *typicalCatom {
	t := &typicalCatom{head: catomHead}
	for i, m := range b.modules {
		t.head += 4
		if i == len(b.modules)-1 {
			t.fixed, t.last = b.modules[:i], m
			break
		}
		if !m.template.isFixed {
			break
		}
		t.head += m.template.least
	}
	return t
}

// skip moves the cursor over the next typical catoms, and adds their offsets.
func (t *typicalCatom) skip(ctx context.Context, c *decode.Cursor, starts *decode.Marks) {
	const block = 64 << 10
	for t.last != nil && ctx.Err() == nil {
		b, start, skipped := c.Peek(min(block, c.Remaining())), c.Pos(), int64(0)
		for {
			size := t.size(b[skipped:])
			if size == 0 {
				break
			}
			skipped += size
			starts.Add(start + skipped)
		}
		if skipped == 0 {
			return
		}
		c.Bytes("catoms", types.Bytes, skipped)
	}
}

// size returns the size of the catom at the beginning of b, or 0 if it is not typical or incomplete. It reads the
// lengths as body.catom does, without a cursor; catom finds no problem in a catom that it measures
// (TestTypicalCatomsAreReadAsMeasured).
func (t *typicalCatom) size(b []byte) int64 {
	if int64(len(b)) < t.head {
		return 0
	}
	offset := int64(catomHead)
	for _, m := range t.fixed {
		if int64(framing.Uint32(b[offset:])) != m.template.least {
			return 0
		}
		offset += 4 + m.template.least
	}
	last := int64(framing.Uint32(b[offset:]))
	size := offset + 4 + last
	if catomHead+int64(framing.Uint32(b[4:])) != size || size > int64(len(b)) || !t.last.fills(last) {
		return 0
	}
	return size
}
