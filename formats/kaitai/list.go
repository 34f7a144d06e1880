package kaitai

import (
	"fmt"
	"math"
	"sync"

	"assay/formats/decode"
	"assay/formats/kaitai/expression"
	"assay/model"
)

// list reads a repeated attribute.
func (r *reading) list(f field) expression.Value {
	n, ok := int64(math.MaxInt64), true
	if f.a.Repeat.Way == Times {
		if n, ok = r.whole(f, "repeat-expr", f.a.Repeat.By); !ok {
			return expression.Value{}
		}
		n = max(n, 0) // as a loop that counts up to it
	}
	switch {
	case !f.a.isPlain():
	case f.a.isBits():
		return r.bitFields(f, n)
	case f.a.Type.Value.Kind == Number:
		return r.numbers(f, n)
	}
	l := &elements{environment: r.environment, f: f}
	if r.active.evaluates(f.o, f.a) { // elements may ask how many there are before them
		r.active.list = l
	} else if f.a.used && !f.a.isInstance() {
		f.o.set(f.a, expression.ListValue(l))
	}
	r.c.Struct(f.a.ID, f.a.elementType()+"[]", func() { r.elements(l, n) })
	l.whole = true
	return expression.ListValue(l)
}

// elementType names the type of the elements of a list.
func (a *Attribute) elementType() string {
	ref := &a.Type.Value
	switch {
	case a.Type.On != nil:
		return "switch"
	case ref.Kind == User:
		return ref.User.Name
	case ref.Name == "":
		return "bytes"
	}
	return ref.Name
}

// isPlain reports whether nothing is said of single elements: a list of numbers or of bit fields is one leaf then.
func (a *Attribute) isPlain() bool {
	return a.Repeat.Way != Until && a.Type.On == nil && a.Enum == nil && a.Valid == nil
}

// numbers reads a list of numbers as one leaf.
func (r *reading) numbers(f field, n int64) expression.Value {
	r.align()
	ref := &f.a.Type.Value
	order, ok := r.order(f, ref)
	if !ok {
		return expression.Value{}
	}
	size, rest := ref.form.Size(), int64(0)
	if f.a.Repeat.Way == ToTheEnd {
		n, rest = r.c.Left()/size, r.c.Left()%size
	}
	r.c.SetOrder(order)
	array := r.c.Array(f.a.ID, ref.ordered(order)+"[]", ref.form, n)
	if rest > 0 {
		r.c.Fail("%s: %d bytes are left, a %s has %d", f.a.ID, rest, ref.ordered(order), size)
	}
	return expression.ListValue(numbers{array})
}

// numbers are the elements of a list of numbers, which stay in the file.
type numbers struct{ model.Numbers }

// Len is the number of elements.
func (n numbers) Len() int { return int(n.Count) }

// At reads the i-th element.
func (n numbers) At(i int) (expression.Value, error) {
	v, err := n.Slice(int64(i), 1)
	if err != nil {
		return expression.Value{}, err
	}
	return numberValue(v[0], nil), nil
}

// elements are what expressions see of a list: they are read again when they are asked for.
type elements struct {
	environment
	f     field
	span  func(i int) model.Span
	count func() int
	total int        // how many elements there are, when the list is read
	carry []bitsLeft // what each element finds of the byte in which it begins; shorter if the last find nothing
	whole bool       // the list is read to its end
}

// elements reads the elements of a list into the open struct: those of one size as records, others one after the other.
func (r *reading) elements(l *elements, n int64) {
	f := l.f
	if size := f.a.each / 8; size > 0 && f.a.each%8 == 0 && r.bits.left == 0 && f.a.Repeat.Way != Until {
		if f.a.Repeat.Way == ToTheEnd || n <= r.c.Left()/size {
			r.records(l, n, size)
			return
		}
	}
	p := &pass{elements: l, r: r, n: n}
	l.total = r.c.IndexedUntil(f.a.elementType(), p.more, p.element)
	if p.in == nil {
		return
	}
	if r.bits = p.in.bits; p.in.c.Err() != nil {
		r.c.Fail("%v", p.in.c.Err())
	}
}

// records reads n elements of one size, or as many as there are up to the end.
func (r *reading) records(l *elements, n, size int64) {
	if l.f.a.Repeat.Way == ToTheEnd {
		n = r.c.Left() / size
	}
	start, count := r.c.Pos(), int(min(n, math.MaxInt32))
	l.span = func(i int) model.Span { return model.Span{Offset: start + int64(i)*size, Size: size} }
	l.count, l.total = func() int { return count }, count
	elem := l.f.a.elementType()
	r.c.Records(elem, n, size, func(e *decode.Cursor, i int) { r.part(l, e).element(l.f.at(i)) })
	if l.f.a.Repeat.Way == ToTheEnd && r.c.Left() > 0 && r.c.Err() == nil {
		r.c.Fail("%s: %d bytes are left, a %s has %d", l.f.a.ID, r.c.Left(), elem, size)
	}
}

// part returns what reads an element of a list with a cursor.
func (r *reading) part(l *elements, c *decode.Cursor) *reading {
	in := r.with(c)
	in.shown = r.shown.element(l.total)
	return in
}

// pass goes once through a list of elements of differing sizes, and finds them. An element that is read again later
// must not change it.
type pass struct {
	*elements
	r     *reading // of the list
	n     int64    // of elements, if the attribute says it
	in    *reading // of the elements; its cursor is that of the pass
	marks *decode.Marks
	last  expression.Value
}

// more reports whether the i-th element follows.
func (p *pass) more(c *decode.Cursor, i int) bool {
	if i == 0 {
		p.in = p.r.with(c)
		p.in.bits = p.r.bits
		if p.r.isNeeded(p.f.a) {
			p.marks = decode.NewMarks(c, nil)
			p.span, p.count = p.marks.At, p.marks.Len
		}
	}
	switch p.f.a.Repeat.Way {
	case ToTheEnd:
		return c.Left() > 0 || p.in.bits.left > 0
	case Until:
		return i == 0 || p.in.more(p.f.at(i-1), p.last)
	}
	return int64(i) < p.n
}

// more reports whether another element follows one that has this value.
func (r *reading) more(f field, v expression.Value) bool {
	if r.c.Err() != nil {
		return false
	}
	s := r.scope(f)
	s.this = &v
	is := false
	end, err := f.a.Repeat.By.Eval(s)
	if err == nil {
		is, err = end.Truth()
	}
	if err != nil {
		r.fail(f.a, "repeat-until", err)
	}
	return err == nil && !is
}

// element reads the i-th element.
func (p *pass) element(c *decode.Cursor, i int) {
	if c != p.in.c {
		again := p.r.part(p.elements, c)
		again.bits = p.left(i)
		again.element(p.f.at(i))
		return
	}
	p.in.needsValue = p.f.a.Repeat.Way == Until
	if p.in.bits.left > 0 {
		p.carry = append(append(p.carry, make([]bitsLeft, i-len(p.carry))...), p.in.bits)
	}
	p.last = p.in.element(p.f.at(i))
	p.in.active = p.r.active
	if p.marks != nil && c.Err() == nil {
		p.marks.Add(c.Pos())
	}
}

// element reads an element of a list into the open struct.
func (r *reading) element(f field) (v expression.Value) {
	if f.a.used {
		r.active = r.active.with(f)
	}
	ref := r.reference(f)
	switch {
	case ref == nil:
	case ref.Kind == User:
		if f.a.Type.On != nil {
			r.c.Type(ref.User.Name)
		}
		r.outermost(func() { v = r.checked(f, r.user(f, ref), r.c.Node()) })
	default:
		v = r.checked(f, r.leaf(f, ref), r.c.Last())
		if n := r.c.Last(); n != nil {
			r.c.Type(n.Type)
		}
		r.c.CollapseStruct()
	}
	return v
}

// left returns what the i-th element finds of the byte in which it begins.
func (l *elements) left(i int) bitsLeft {
	if i >= len(l.carry) {
		return bitsLeft{}
	}
	return l.carry[i]
}

// Len is the number of elements that are read.
func (l *elements) Len() int {
	if l.count == nil {
		return 0
	}
	return l.count()
}

// At returns the i-th element: one that was asked for a short time ago, or read again.
func (l *elements) At(i int) (expression.Value, error) {
	if v, ok := l.recent.get(l, i); ok {
		return v, nil
	}
	if i >= l.Len() {
		return expression.Value{}, fmt.Errorf("element %d is not read yet", i)
	}
	in := &reading{environment: l.environment, c: l.s.kind.Quiet(l.span(i)), bits: l.left(i), needsValue: true}
	v := in.element(l.f.at(i))
	if in.c.Err() == nil {
		l.recent.put(l, i, v)
	}
	return v, in.c.Err()
}

// recent keeps the elements that expressions asked for last. An element may need the one before it, which needs the one
// before that: who goes through a list finds what the first of them need here.
type recent struct {
	mu    sync.Mutex
	slots []recentElement
}

type recentElement struct {
	list  *elements
	i     int
	whole bool // the list was read to its end: until then instances may mean less of it
	value expression.Value
}

// maxRecent is how many elements are kept; each has the place of its position in a list.
const maxRecent = 1 << 14

func (r *recent) get(l *elements, i int) (expression.Value, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.slots == nil {
		return expression.Value{}, false
	}
	e := &r.slots[i%maxRecent]
	return e.value, e.list == l && e.i == i && e.whole == l.whole
}

func (r *recent) put(l *elements, i int, v expression.Value) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.slots == nil {
		r.slots = make([]recentElement, maxRecent)
	}
	r.slots[i%maxRecent] = recentElement{l, i, l.whole, v}
}
