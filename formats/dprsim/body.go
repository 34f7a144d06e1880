package dprsim

import (
	"context"
	"fmt"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// catomHead is the size of id and total length, which the total length does not count.
const catomHead = 8

// catomFields are what every catom begins with.
var catomFields = []decode.Field{
	{Name: "id", Form: model.U32},
	{Name: "total_length", Form: model.U32, Role: model.RoleSize},
}

var catomStart = decode.NewRecord(catomFields...)

// body is the catoms of one body chunk.
type body struct {
	c         *decode.Cursor // only its kind is used
	span      model.Span
	bigEndian bool
	modules   []*Module

	catoms  *decode.Marks
	regular bool // every byte of every catom has its place, judged by sizes

	content, list *model.Node
}

// count is the number of catoms.
func (b *body) count() int { return b.catoms.Len() }

// pass goes to where a catom ends, and returns the size of its states.
func pass(c *decode.Cursor) int64 {
	v := c.Record(catomStart)
	size := int64(v.Number(1))
	c.Pass(size)
	return size
}

// scan goes through the body once.
func (b *body) scan(ctx context.Context) error {
	c := b.c.Quiet(b.span)
	b.catoms = c.NewMarks(func(e *decode.Cursor, _ int) { pass(e) })
	b.regular = true
	if err := b.scanPlain(ctx); err != nil {
		return err
	}
	c.GoTo(b.catoms.Span().End())
	for c.Left() > 0 {
		if b.count()%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		size := int64(c.Record(catomStart).Number(1))
		end := c.Pos() + size
		if c.Err() != nil || end > c.End() {
			break
		}
		if b.regular = b.regular && b.whole(c, end); !b.regular {
			c.GoTo(end)
		}
		b.catoms.Add(end)
	}
	return nil
}

// plain is a catom of the usual kind: all states have the sizes of the modules' templates, but for the last one's where
// that is open. What is before the values of that one is read as one record.
type plain struct {
	record *decode.Record
	fixed  []*Module
	size   int64   // of the fixed states, and the length of the open one
	open   *Module // the last, if its template is open; else nil
}

// plainMost is the size of the largest record of a plain catom.
const plainMost = 200

// plain returns how plain catoms look; false if there are none.
func (b *body) plain() (p plain, ok bool) {
	fields := slices.Clone(catomFields)
	for i, m := range b.modules {
		fields = append(fields, decode.Field{Name: "length", Form: model.U32})
		p.size += 4
		if m.known && !m.template.fixed && i == len(b.modules)-1 {
			p.open = m
			break
		}
		n := m.template.least
		if p.size += n; !m.known || !m.template.fixed || p.size > plainMost {
			return p, false
		}
		p.fixed = append(p.fixed, m)
		fields = append(fields, decode.Field{Name: "values", Type: types.Bytes, Bytes: n})
	}
	p.record = decode.NewRecord(fields...)
	return p, true
}

// pass goes to the end of a catom, and reports whether it is plain.
func (p *plain) pass(c *decode.Cursor) bool {
	v := c.Record(p.record)
	at := len(catomFields)
	for _, m := range p.fixed {
		if int64(v.Number(at)) != m.template.least {
			return false
		}
		at += 2
	}
	rest := int64(v.Number(1)) - p.size
	if p.open == nil {
		return rest == 0 && c.Err() == nil
	}
	if rest != int64(v.Number(at)) || !p.open.fills(rest) {
		return false
	}
	c.Pass(rest)
	return c.Err() == nil
}

// scanPlain finds the catoms from the first to one that is not plain. In most worlds all are.
func (b *body) scanPlain(ctx context.Context) error {
	p, ok := b.plain()
	if !ok {
		return nil
	}
	for c := b.c.Quiet(b.span); c.Left() > 0 && p.pass(c); {
		if b.catoms.Add(c.Pos()); b.count()%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// whole reports whether the sizes in a catom, which ends at an offset, are those of the modules.
func (b *body) whole(c *decode.Cursor, end int64) bool {
	for _, m := range b.modules {
		left := end - c.Pos() - 4
		if left < 0 {
			return false
		}
		n := int64(c.Size("length", model.U32))
		if n > left || !m.fills(n) {
			return false
		}
		c.Pass(n)
	}
	return c.Pos() == end
}

// firstSizes appends the sizes that each module has in the first catoms.
func (b *body) firstSizes(sizes [][]int64) {
	const look = 16
	c := b.c.Quiet(b.span)
	for range look {
		size := int64(c.Record(catomStart).Number(1))
		c.Frame(size, func() {
			for m := range sizes {
				n := int64(c.Size("length", model.U32))
				if c.Bytes("values", types.Bytes, n); c.Err() != nil {
					return
				}
				sizes[m] = append(sizes[m], n)
			}
		})
		if c.Err() != nil {
			return
		}
	}
}

// each calls visit with a cursor on each catom from one to another.
func (b *body) each(ctx context.Context, from, to int, visit func(c *decode.Cursor, row int) error) error {
	span, c := b.catoms.Spans(), b.c.Quiet(model.Span{})
	for row := from; row < to; row++ {
		if row%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s := span(row)
		c.Reset(s)
		if err := visit(c, row); err != nil {
			return err
		}
		if c.Err() != nil || s.Size < catomHead {
			return fmt.Errorf("catom %d at %#x: %w", row, s.Offset, model.ErrChanged)
		}
	}
	return nil
}
