package dprsim

import (
	"context"
	"slices"

	"assay/formats/decode"
)

// index finds where the catoms begin, up to one that does not fit in the body.
func (b *body) index(ctx context.Context) {
	c, typical := b.c.Quiet(b.span), b.typical()
	b.clean = true
	for {
		typical.pass(ctx, c, b.starts)
		if ctx.Err() != nil || c.Left() < catomHead {
			return
		}
		if _, whole := b.catom(c, nil); !whole {
			return
		}
		b.clean = c.Outcome() == decode.Clean
		b.starts.Add(c.Pos())
	}
}

// uniform reports whether each value has the same offset in every catom.
func (b *body) uniform() bool {
	return b.clean && !slices.ContainsFunc(b.modules, func(m *module) bool { return !m.template.fixed })
}

// typicalCatom is a catom in which the state of each module but the last has the size of its fixed template. Nearly all
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
		if !m.template.fixed {
			break
		}
		t.head += m.template.least
	}
	return t
}

// pass moves the cursor over the typical catoms that come next, and adds where they begin.
func (t *typicalCatom) pass(ctx context.Context, c *decode.Cursor, starts *decode.Marks) {
	const block = 64 << 10
	for t.last != nil && ctx.Err() == nil {
		b, start, at := c.Peek(min(block, c.Left())), c.Pos(), int64(0)
		for {
			size := t.size(b[at:])
			if size == 0 {
				break
			}
			at += size
			starts.Add(start + at)
		}
		if at == 0 {
			return
		}
		c.Bytes("catoms", types.Bytes, at)
	}
}

// size returns the size of the catom that bytes begin with; 0 if it is not typical, or not whole. It reads the
// lengths as body.catom does, without a cursor; catom finds nothing wrong with a catom that it measures
// (TestTypicalCatomsAreReadAsMeasured).
func (t *typicalCatom) size(b []byte) int64 {
	if int64(len(b)) < t.head {
		return 0
	}
	at := int64(catomHead)
	for _, m := range t.fixed {
		if int64(framing.Uint32(b[at:])) != m.template.least {
			return 0
		}
		at += 4 + m.template.least
	}
	last := int64(framing.Uint32(b[at:]))
	size := at + 4 + last
	if catomHead+int64(framing.Uint32(b[4:])) != size || size > int64(len(b)) || !t.last.fills(last) {
		return 0
	}
	return size
}
