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
	if err := b.scanPlain(ctx, c); err != nil {
		return err
	}
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

// plainMost is the size of the largest catoms that are read as one record.
const plainMost = 200

// scanPlain finds the catoms from the first on whose states are as long as the modules' templates say, up to one that
// has others. Of most worlds these are all.
func (b *body) scanPlain(ctx context.Context, c *decode.Cursor) error {
	fields, total := slices.Clone(catomFields), int64(0)
	for _, m := range b.modules {
		size := m.template.least
		if total += 4 + size; !m.known || !m.template.fixed || total > plainMost {
			return nil
		}
		fields = append(fields, decode.Field{Name: "length", Form: model.U32},
			decode.Field{Name: "values", Type: types.Bytes, Bytes: size})
	}
	plain := decode.NewRecord(fields...)
	for c.Left() >= catomHead+total && b.isPlain(c.Record(plain), total) {
		if b.catoms.Add(c.Pos()); b.count()%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	c.GoTo(b.catoms.Span().End())
	return nil
}

// isPlain reports whether the sizes in a catom are total and those of the modules' templates.
func (b *body) isPlain(v decode.Values, total int64) bool {
	if int64(v.Number(1)) != total {
		return false
	}
	for i, m := range b.modules {
		if int64(v.Number(len(catomFields)+2*i)) != m.template.least {
			return false
		}
	}
	return true
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
