package dprsim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

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

// bodyEnd returns the end of a body whose length was just read. It remarks on any length except toEnd and toEndShort,
// which both mean -1.
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
		if int64(framingOrder.Uint32(b[offset:])) != m.template.least {
			return 0
		}
		offset += 4 + m.template.least
	}
	last := int64(framingOrder.Uint32(b[offset:]))
	size := offset + 4 + last
	if catomHead+int64(framingOrder.Uint32(b[4:])) != size || size > int64(len(b)) || !t.last.fills(last) {
		return 0
	}
	return size
}

// catomHead is the size of id and total_length, which the total length does not include.
const catomHead = 8

// visitor is called for the state of a module, with the cursor at its data, which end at its limit.
type visitor func(c *decode.Cursor, module int)

type catom struct {
	body  *body
	c     *decode.Cursor
	start int64
	visit visitor // nil to read the values here
}

// catom reads id, total_length and the state of each module. A visitor reads the values itself (tables, exports).
// Without one they are fields (tree, check). The index calls it for catoms that typicalCatom.size does not measure.
// catom returns the id, and whether the catom is complete. Of an incomplete one it reads only the states that are
// certain, without the visitor.
func (b *body) catom(c *decode.Cursor, visit visitor) (id uint32, complete bool) {
	atom := catom{b, c, c.Pos(), visit}
	id = c.U32("id")
	if node := c.Node(); node != nil && c.Err() == nil {
		node.Key = strconv.FormatUint(uint64(id), 10)
		label := id // the closure keeps its own: few catoms are labelled
		node.SetLabel(func() string { return fmt.Sprintf("catom %d", label) })
	}
	if c.Remaining() < 4 {
		return id, false
	}
	total := int64(c.Size("total_length", model.U32))
	if left := c.Remaining(); total > left {
		c.Remark(model.Error, model.Span{Offset: atom.start + 4, Size: 4},
			"catom %d: its total length of %d bytes does not fit in the remaining %d bytes; the catoms end here",
			b.count(), total, left)
		atom.visit = nil // do not visit the states of an incomplete catom
		atom.moduleStates(false)
		return id, false
	}
	c.Frame(total, func() {
		atom.moduleStates(true)
		if c.Remaining() > 0 {
			atom.surplus()
		}
	})
	return id, c.Err() == nil
}

// moduleStates reads a state for each module that is listed.
func (atom *catom) moduleStates(complete bool) {
	c := atom.c
	c.Struct("states", "ModuleState[]", func() {
		for i, m := range atom.body.modules {
			switch left := c.Remaining(); {
			case left == 0 && complete:
				c.Remark(model.Warning, model.Span{Offset: c.Pos()}, "the catom ends before the state of module %s",
					m.title())
				return
			case left < 4 || !complete && !atom.isCertain(m):
				return
			}
			name := ""
			if c.Recording() {
				name = model.IndexName(i)
			}
			c.Struct(name, "ModuleState", func() { atom.moduleState(i) })
		}
	})
}

// isCertain reports whether the next bytes are sure to be a state of the module, judged by its length alone.
func (atom *catom) isCertain(m *module) bool {
	head := atom.c.Peek(4)
	if head == nil {
		return false
	}
	size := int64(framingOrder.Uint32(head))
	return size <= atom.c.Remaining()-4 && m.fills(size)
}

// moduleState reads the length of a module's state and its values.
func (atom *catom) moduleState(module int) {
	c, m := atom.c, atom.body.modules[module]
	c.Key(m.key)
	size := int64(c.Size("length", model.U32))
	if left := c.Remaining(); size > left {
		c.Errorf("module %s has %d bytes, but only %d remain in the catom; continuing with the next catom after them",
			m.title(), size, left)
		c.Rest("surplus", types.Bytes)
		return
	}
	if atom.visit == nil && !c.Recording() && m.fills(size) {
		c.Bytes("values", types.Bytes, size)
		return
	}
	c.Frame(size, func() {
		if atom.visit != nil {
			atom.visit(c, module)
		} else {
			atom.values(m)
		}
	})
}

// surplus reads the bytes after the states of all listed modules.
func (atom *catom) surplus() {
	c := atom.c
	size := c.Remaining()
	count, areComplete := countStates(c)
	c.Rest("surplus", types.Bytes)
	switch {
	case areComplete && len(atom.body.modules) > 0 && count == 1:
		c.Warnf("the catom has one more module state than modules are listed")
	case areComplete && len(atom.body.modules) > 0:
		c.Warnf("the catom has %d more module states than modules are listed", count)
	case areComplete: // missing modules are reported once
	default:
		c.Errorf("the catom's total length is %d bytes more than its module states; looking for the next catom after them",
			size)
	}
}

// countStates returns the number of states in the remaining bytes, and whether they end with the last state.
func countStates(c *decode.Cursor) (count int, complete bool) {
	rest := c.Aside(model.Span{Offset: c.Pos(), Size: c.Remaining()})
	for ; rest.Remaining() > 0 && rest.Err() == nil; count++ {
		rest.Bytes("state", types.Bytes, int64(rest.U32("length")))
	}
	return count, rest.Err() == nil
}

// visitCatoms calls visit with a quiet cursor on each catom from one to another.
func (b *body) visitCatoms(ctx context.Context, from, to int, visit func(c *decode.Cursor, i int) error) error {
	c := b.c.Quiet(model.Span{})
	for i := from; i < to; i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		span := b.starts.At(i)
		c.Reset(span)
		if err := visit(c, i); err != nil {
			return err
		}
		if c.Err() != nil || span.Size < catomHead {
			return fmt.Errorf("catom %d at %#x: %w", i, span.Offset, model.ErrChanged)
		}
	}
	return nil
}

// visitFirst calls visit for each module state of the first n catoms.
func (b *body) visitFirst(ctx context.Context, n int, visit visitor) {
	_ = b.visitCatoms(ctx, 0, min(n, b.count()), func(c *decode.Cursor, _ int) error {
		b.catom(c, visit)
		return nil
	})
}

// digestPart is the number of bytes of a catom in memory at a time.
const digestPart = 64 << 10

// summaries summarizes the catoms from first on for a comparison: by ID, and by a digest of the bytes of their states
// and of the settings that decode these bytes.
func (b *body) summaries(ctx context.Context, first int, out []model.Summary) error {
	hash := xxh3.New()
	for _, m := range b.modules {
		fmt.Fprintf(hash, "%q %d %q %q %v;", m.name, m.version, m.types, m.names, b.bigEndian && m.template.isNative())
	}
	hash = xxh3.NewSeed(hash.Sum64())
	return b.visitCatoms(ctx, first, first+len(out), func(c *decode.Cursor, i int) error {
		span := model.Span{Offset: c.Pos(), Size: c.Remaining()}
		id, _ := b.catom(c, nil)
		c.GoTo(span.Offset + catomHead)
		hash.Reset()
		for c.Remaining() > 0 && c.Err() == nil {
			size := min(digestPart, c.Remaining())
			_, _ = hash.Write(c.Peek(size))
			c.Bytes("states", types.Bytes, size)
		}
		out[i-first] = model.Summary{Span: span, Key: uint64(id), Digest: hash.Sum64()}
		return nil
	})
}

var errFound = errors.New("found")

// findCatom returns the path of the first catom with an ID. It is a model.Document's FindKey, which has no context.
func (r *chunkReader) findCatom(key string) (model.Path, bool) {
	catomID, err := strconv.ParseUint(key, 10, 32)
	if err != nil {
		return nil, false
	}
	var path model.Path
	for _, b := range r.bodies {
		_ = b.visitCatoms(context.Background(), 0, b.count(), func(c *decode.Cursor, i int) error {
			if id, _ := b.catom(c, nil); uint64(id) != catomID {
				return nil
			}
			path = append(b.list.Path(), i)
			return errFound
		})
		if path != nil {
			return path, true
		}
	}
	return nil, false
}
