package dprsim

import (
	"strconv"

	"assay/model"
)

// lazyValues is the number of values in one state above which they are made only when they are looked at.
const lazyValues = 512

// catom makes the node of one catom.
func (b *body) catom(row int64) *model.Node {
	off := b.at(row)
	w := look(b.src, off, b.stride)
	defer w.drop()
	size := b.size(w, off)
	if size < catomHead {
		n := &model.Node{Type: "Catom", Span: model.Span{Offset: off}}
		n.Warn(model.Error, n.Span, "catom %d cannot be read: %v", row, model.ErrChanged)
		return n
	}
	m := &maker{b: b, w: w, size: size}
	return m.catom(off, size, true)
}

// incomplete makes the node of what stands behind the last whole catom; nil if not even its id is there.
func (b *body) incomplete() *model.Node {
	off, left := b.stop, b.end-b.stop
	w := look(b.src, off, 0)
	defer w.drop()
	if left < catomHead {
		b.content.Warn(model.Error, model.Span{Offset: off, Size: left},
			"catom %d: %d bytes are left, an id and a total length need %d", b.count, left, catomHead)
		if left < 4 {
			return nil
		}
	}
	m := &maker{b: b, w: w, size: left}
	n := m.catom(off, left, false)
	n.Name = "incomplete"
	if left >= catomHead {
		total, _ := w.u32(off + 4)
		n.Warn(model.Error, model.Span{Offset: off + 4, Size: 4}, "catom %d: its total length of %d bytes does not fit in the %d that are left; the catoms end here",
			b.count, total, left-catomHead)
	}
	return n
}

// maker makes the nodes of one catom. They share one block of memory.
type maker struct {
	b    *body
	w    *window
	size int64 // of the catom, or of what is made of it
	slab []model.Node
	refs []*model.Node
	runs []run
}

// room is how many nodes the catom has if nothing is wrong with it: more only if some have no bytes.
func (m *maker) room() int {
	n := int64(4)
	for _, mod := range m.b.modules {
		n += 2 + min(mod.template.values, lazyValues) + int64(mod.template.skips)
	}
	return int(min(n, 4+m.size))
}

func (m *maker) node(name, typ string, off, size int64) *model.Node {
	if len(m.slab) == 0 {
		m.slab = make([]model.Node, m.room())
	}
	n := &m.slab[0]
	m.slab = m.slab[1:]
	n.Name, n.Type, n.Span = name, typ, model.Span{Offset: off, Size: size}
	return n
}

// list is room for children, which are appended to it.
func (m *maker) list(n int) model.List {
	if len(m.refs) < n {
		m.refs = make([]*model.Node, max(n, m.room()+1))
	}
	l := m.refs[:0:n]
	m.refs = m.refs[n:]
	return l
}

func (m *maker) u32(name string, off int64) *model.Node {
	v, ok := m.w.u32(off)
	n := m.node(name, "u32", off, 4)
	if ok {
		n.Value = uint64(v)
	}
	return n
}

// catom makes the nodes of the size bytes at off. One that is not whole has the parts that are certain.
func (m *maker) catom(off, size int64, whole bool) *model.Node {
	n := m.node("", "Catom", off, size)
	kids := m.list(4)
	id := m.u32("id", off)
	if v, ok := id.Value.(uint64); ok {
		n.Key = strconv.FormatUint(v, 10)
	}
	kids = append(kids, id)
	end, at := off+size, off+4
	if end-at >= 4 {
		total := m.u32("total_length", at)
		total.Role = model.RoleSize
		kids = append(kids, total)
		at += 4
		states := m.node("states", "ModuleState[]", at, 0)
		kids = append(kids, states)
		at = m.states(states, at, end, whole)
		if whole && at < end {
			kids = append(kids, m.left(at, end))
			at = end
		}
	}
	if !whole {
		n.Size = at - off
	}
	n.SetChildren(kids)
	return n
}

// states makes the nodes of the modules' states and gives where they end.
func (m *maker) states(list *model.Node, at, end int64, whole bool) int64 {
	kids := m.list(int(min(int64(len(m.b.modules)), (end-at)/4))) // a state begins with its length
	for i, mod := range m.b.modules {
		if end-at < 4 {
			if whole && end == at {
				list.Warn(model.Warning, model.Span{Offset: at}, "the catom ends before the state of module %s", mod.title())
			}
			break
		}
		size, ok := m.w.u32(at)
		if !ok || !whole && (int64(size) > end-at-4 || !mod.fills(int64(size))) {
			break
		}
		s := m.state(mod, at, int64(size), end)
		s.Name = model.IndexName(i)
		kids = append(kids, s)
		at = s.End()
	}
	list.Size = at - list.Offset
	list.SetChildren(kids)
	return at
}

// left makes the node of the bytes behind the states of all listed modules.
func (m *maker) left(at, end int64) *model.Node {
	n := m.block("surplus", at, end-at)
	surplus, whole := 0, true
	for p := at; p < end && whole; surplus++ {
		size, ok := m.w.u32(p)
		whole = ok && end-p >= 4 && int64(size) <= end-p-4
		p += 4 + int64(size)
	}
	switch {
	case whole && len(m.b.modules) > 0 && surplus == 1:
		n.Warn(model.Warning, n.Span, "the catom has a module state more than modules are listed")
	case whole && len(m.b.modules) > 0:
		n.Warn(model.Warning, n.Span, "the catom has %d module states more than modules are listed", surplus)
	case whole: // that no module is listed is said once
	default:
		n.Warn(model.Error, n.Span, "the catom's total length is %d bytes more than its module states; the next catom is looked for behind them", end-at)
	}
	return n
}

func (m *maker) block(name string, off, size int64) *model.Node {
	n := m.node(name, "bytes", off, size)
	n.Value = model.Blob{Source: m.b.src, Span: n.Span}
	return n
}

// state makes the nodes of one module's state.
func (m *maker) state(mod *Module, off, size, end int64) *model.Node {
	n := m.node("", "ModuleState", off, 4+size)
	n.Key = mod.node.Key
	length := m.u32("length", off)
	length.Role = model.RoleSize
	off += 4
	if size > end-off {
		n.Size = end - n.Offset
		length.Warn(model.Error, length.Span, "module %s has %d bytes, the catom's total length leaves %d; the next catom is looked for behind those",
			mod.title(), size, end-off)
		kids := append(m.list(2), length)
		if off < end {
			kids = append(kids, m.block("surplus", off, end-off))
		}
		n.SetChildren(kids)
		return n
	}
	s := mod.template.lay(m.w, off, size, m.runs)
	m.runs = s.runs
	end = off + size
	count := 1
	if s.end < end {
		count++
	}
	for i := range s.runs {
		count += max(int(min(s.runs[i].count, lazyValues)), 1)
	}
	if s.values > lazyValues {
		m.lazy(n, mod, length, s, end)
	} else {
		kids := append(m.list(count), length)
		for i := range s.runs {
			r := &s.runs[i]
			if r.code.kind == skip {
				kids = append(kids, m.block("skipped", r.offset, r.size))
			}
			for k := range r.count {
				kids = append(kids, m.value(mod, r, k))
			}
		}
		if s.end < end {
			kids = append(kids, m.block("surplus", s.end, end-s.end))
		}
		n.SetChildren(kids)
	}
	m.judge(n, mod, s, size, end)
	return n
}

// judge says what the state lacks or has too much.
func (m *maker) judge(n *model.Node, mod *Module, s state, size, end int64) {
	switch {
	case s.short != nil && s.short.kind == letter && s.end < end:
		n.Warn(model.Warning, n.Span, "module %s: only %d characters are decoded", mod.title(), lettersMax)
	case s.short != nil:
		first := s.values
		if k := len(s.runs); k > 0 && s.runs[k-1].code == s.short && s.short.kind == text {
			first--
		}
		n.Warn(model.Warning, model.Span{Offset: s.end}, "module %s has %d bytes, its types %s need %d: value %s is not whole or missing, with all behind it",
			mod.title(), size, model.OneLine(mod.Types, 60), mod.template.least, mod.name(first))
	case s.end < end && mod.known:
		n.Warn(model.Warning, model.Span{Offset: s.end, Size: end - s.end}, "module %s has %d bytes more than its types %s describe",
			mod.title(), end-s.end, model.OneLine(mod.Types, 60))
	}
}

// value makes the node of the k-th value of a run.
func (m *maker) value(mod *Module, r *run, k int64) *model.Node {
	off, size := r.offset, r.size
	if r.code.kind == number {
		size = r.code.form.Size()
		off += k * size
	}
	n := m.node(mod.name(r.first+k), r.code.typ, off, size)
	n.Value, n.Raw = r.value(m.w, k, m.b.bigEndian)
	return n
}
