package dprsim

import (
	"assay/formats/decode"
	"assay/model"
)

// layout is where the values of one catom are, for those who want values and no nodes. It is used again and again.
type layout struct {
	id     uint32
	states []state
	room   [][]run
	skip   []bool // of modules whose values are not wanted
}

// layout finds the values of the catom that the cursor is on. Modules without a state, or with one that does not fit,
// have none.
func (b *body) layout(c *decode.Cursor, l *layout) {
	if l.states == nil {
		l.states = make([]state, len(b.modules))
		l.room = make([][]run, len(b.modules))
	}
	l.id = uint32(c.Record(catomStart).Number(0))
	for i, m := range b.modules {
		l.states[i] = state{}
		if c.Left() < 4 {
			continue
		}
		n := int64(c.Size("length", model.U32))
		if n > c.Left() {
			c.GoTo(c.End())
			continue
		}
		at := c.Pos()
		if l.skip == nil || !l.skip[i] {
			l.states[i] = m.template.lay(c, at, n, l.room[i])
			l.room[i] = l.states[i].runs
		}
		c.GoTo(at + n)
	}
}

// value reads the i-th value of a module; nil if it is missing. raw is set where a string is not UTF-8.
func (l *layout) value(c *decode.Cursor, module int, i int64, bigEndian bool) (v any, raw []byte) {
	for k := range l.states[module].runs {
		r := &l.states[module].runs[k]
		if i >= r.first && i < r.first+r.count {
			return r.value(c, i-r.first, bigEndian)
		}
	}
	return nil, nil
}

// cells reads the same columns of one catom after the other.
type cells struct {
	b      *body
	from   []column
	direct []run // see body.direct; nil if every catom is laid out anew
	l      layout
	off    int64
}

func (b *body) cells(from []column) *cells {
	c := &cells{b: b, from: from, direct: b.direct(from)}
	c.l.skip = make([]bool, len(b.modules))
	for i := range c.l.skip {
		c.l.skip[i] = true
	}
	for _, f := range from {
		if f.module >= 0 {
			c.l.skip[f.module] = false
		}
	}
	return c
}

// catom goes to the catom that the cursor is on.
func (c *cells) catom(e *decode.Cursor) {
	c.off = e.Pos()
	if c.direct == nil {
		c.b.layout(e, &c.l)
	}
}

// value reads the cell of the i-th column; nil if it is missing. raw is set where a string is not UTF-8.
func (c *cells) value(e *decode.Cursor, i int) (v any, raw []byte) {
	switch {
	case c.direct != nil:
		r := c.direct[i]
		r.offset += c.off
		return r.value(e, 0, c.b.bigEndian)
	case c.from[i].module < 0:
		return uint64(c.l.id), nil
	}
	return c.l.value(e, c.from[i].module, c.from[i].value, c.b.bigEndian)
}

// direct returns where the columns' values are in every catom, as runs of one value with offsets from the catom's; nil
// if that is not the same for all.
func (b *body) direct(from []column) []run {
	if b.count() == 0 || !b.regular {
		return nil
	}
	for _, m := range b.modules {
		if !m.template.fixed {
			return nil
		}
	}
	first := b.catoms.At(0)
	var l layout
	b.layout(b.c.Quiet(first), &l)
	id := &code{kind: number, form: model.U32}
	out := make([]run, len(from))
	for i, c := range from {
		if c.module < 0 {
			out[i] = run{code: id, count: 1, size: id.form.Size()}
			continue
		}
		for _, r := range l.states[c.module].runs {
			if c.value < r.first || c.value >= r.first+r.count {
				continue
			}
			r.offset -= first.Offset
			if r.code.kind == number {
				r.offset += (c.value - r.first) * r.code.form.Size()
				r.size = r.code.form.Size()
			}
			r.first, r.count = c.value, 1
			out[i] = r
		}
		if out[i].code == nil {
			return nil
		}
	}
	return out
}
