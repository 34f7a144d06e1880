package dprsim

import (
	"fmt"
	"strconv"

	"assay/formats/decode"
	"assay/model"
)

// lazyValues is the number of values in one state above which they are made only when they are looked at.
const lazyValues = 512

// show records the catoms of the body, and what is left of one that is cut.
func (b *body) show() {
	c := b.c.Element("Catom[]", b.catoms.Span())
	if b.count() > 0 {
		c.Marked("Catom", b.catoms, func(e *decode.Cursor, _ int) { b.catom(e, true) })
		c.Summaries(&model.Summaries{Keyed: true, Fill: b.summaries})
	}
	b.list = c.Close()
	b.list.Name = "catoms"
	if e, ok := b.list.Children().(*model.Elements); ok {
		e.Solid = b.regular // scan has looked at every catom
	}
	children := model.List{b.list}
	if b.catoms.Span().End() < b.span.End() {
		if n := b.incomplete(); n != nil {
			children = append(children, n)
		}
	}
	b.content.SetChildren(children)
}

// incomplete records what comes after the last whole catom; nil if not even its id is there.
func (b *body) incomplete() *model.Node {
	stop := b.catoms.Span().End()
	rest := model.Span{Offset: stop, Size: b.span.End() - stop}
	if rest.Size < catomHead {
		b.content.Warn(model.Error, rest, "catom %d: %d bytes are left, an id and a total length need %d", b.count(),
			rest.Size, catomHead)
		if rest.Size < 4 {
			return nil
		}
	}
	c := b.c.Element("Catom", rest)
	total := b.catom(c, false)
	n := c.Close()
	n.Name, n.Size = "incomplete", c.Pos()-n.Offset
	if rest.Size >= catomHead {
		n.Warn(model.Error, model.Span{Offset: rest.Offset + 4, Size: 4},
			"catom %d: its total length of %d bytes does not fit in the %d that are left; the catoms end here",
			b.count(), total, rest.Size-catomHead)
	}
	return n
}

// catom: id, total_length, a state for each module. Of one that is not whole the parts that are certain are read.
func (b *body) catom(c *decode.Cursor, whole bool) (total uint64) {
	id := c.U32("id")
	if c.Keyed() {
		c.Key(strconv.FormatUint(uint64(id), 10))
		c.Label(func() string { return fmt.Sprintf("catom %d", id) })
	}
	if c.Left() < 4 {
		return 0
	}
	total = c.Size("total_length", model.U32)
	c.Struct("states", "ModuleState[]", func() { b.states(c, whole) })
	if whole && c.Left() > 0 {
		b.left(c)
	}
	return total
}

// states: a state for each module that is listed.
func (b *body) states(c *decode.Cursor, whole bool) {
	for i, m := range b.modules {
		size, ok := peekSize(c)
		if !ok {
			if whole && c.Left() == 0 {
				c.Remark(model.Warning, model.Span{Offset: c.Pos()}, "the catom ends before the state of module %s",
					m.title())
			}
			return
		}
		if !whole && (size > c.Left()-4 || !m.fills(size)) {
			return
		}
		name := ""
		if c.Recording() {
			name = model.IndexName(i)
		}
		c.Struct(name, "ModuleState", func() { b.state(c, m) })
	}
}

func peekSize(c *decode.Cursor) (int64, bool) {
	p := c.Peek(4)
	if p == nil {
		return 0, false
	}
	return int64(p[0])<<24 | int64(p[1])<<16 | int64(p[2])<<8 | int64(p[3]), true
}

// left: the bytes after the states of all listed modules.
func (b *body) left(c *decode.Cursor) {
	size := c.Left()
	more, whole := countStates(c)
	c.Rest("surplus", types.Bytes)
	switch {
	case whole && len(b.modules) > 0 && more == 1:
		c.Warn("the catom has one more module state than modules are listed")
	case whole && len(b.modules) > 0:
		c.Warn("the catom has %d more module states than modules are listed", more)
	case whole: // that no module is listed is said once
	default:
		c.Wrong("the catom's total length is %d bytes more than its module states; the next catom is looked for after them",
			size)
	}
}

// countStates returns how many states the bytes that are left are, and whether they are states to the end.
func countStates(c *decode.Cursor) (n int, whole bool) {
	q := c.Quiet(model.Span{Offset: c.Pos(), Size: c.Left()})
	for ; q.Left() > 0 && q.Err() == nil; n++ {
		q.Bytes("state", types.Bytes, int64(q.U32("length")))
	}
	return n, q.Err() == nil
}

// state: length, then the values of one module.
func (b *body) state(c *decode.Cursor, m *Module) {
	c.Key(m.node.Key)
	size := int64(c.Size("length", model.U32))
	if left := c.Left(); size > left {
		c.Wrong("module %s has %d bytes, the catom's total length leaves %d; the next catom is looked for after those",
			m.title(), size, left)
		c.Rest("surplus", types.Bytes)
		return
	}
	end := c.Pos() + size
	if !c.Recording() && m.fills(size) {
		c.Bytes("values", types.Bytes, size)
		return
	}
	look := c
	if !m.template.fixed {
		look = c.Aside(model.Span{Offset: c.Pos(), Size: size})
	}
	s := m.template.lay(look, c.Pos(), size, nil)
	c.Frame(size, func() { b.values(c, m, &s) })
	b.judge(c, m, &s, size, end)
}

// values: what the template of the module describes, and surplus bytes.
func (b *body) values(c *decode.Cursor, m *Module, s *state) {
	switch {
	case !c.Recording():
		c.Bytes("values", types.Bytes, s.end-c.Pos())
	case s.values > lazyValues:
		v := newValues(b, m, s, c.End())
		c.Children(c.Left(), v.after)
		return
	default:
		for i := range s.runs {
			r := &s.runs[i]
			if r.code.kind == skip {
				c.Bytes("skipped", types.Bytes, r.size)
			}
			for k := range r.count {
				b.value(c, m, r, k)
			}
		}
	}
	c.Rest("surplus", types.Bytes)
}

// value: the k-th value of a run.
func (b *body) value(c *decode.Cursor, m *Module, r *run, k int64) {
	name := m.name(r.first + k)
	if r.code.kind == number {
		c.SetOrder(r.code.order(b.bigEndian))
		c.Number(name, r.code.form)
		c.As(r.code.typ)
		c.SetOrder(bigEndian)
		return
	}
	c.Bytes(name, r.code.typ, r.size)
	if n := c.Last(); n != nil {
		var raw []byte
		n.Value, raw = r.value(c.Aside(r.span(k)), k, b.bigEndian)
		n.SetRaw(raw)
	}
}

// judge says what the state lacks or has too much.
func (b *body) judge(c *decode.Cursor, m *Module, s *state, size, end int64) {
	switch {
	case s.short != nil && s.short.kind == letter && s.end < end:
		c.Remark(model.Warning, c.Span(), "module %s: only %d characters are decoded", m.title(), lettersMax)
	case s.short != nil:
		first := s.values
		if k := len(s.runs); k > 0 && s.runs[k-1].code == s.short && s.short.kind == text {
			first--
		}
		c.Remark(model.Warning, model.Span{Offset: s.end},
			"module %s has %d bytes, its types %s need %d: value %s is not whole or missing, with all after it",
			m.title(), size, model.OneLine(m.Types, 60), m.template.least, m.name(first))
	case s.end < end && m.known:
		c.Remark(model.Warning, model.Span{Offset: s.end, Size: end - s.end},
			"module %s has %d bytes more than its types %s describe", m.title(), end-s.end, model.OneLine(m.Types, 60))
	}
}
