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
func (d *decoder) list(f field) expression.Value {
	n := int64(math.MaxInt64)
	if f.a.Repeat.Kind == repeatTimes {
		count, ok := d.evalSize(f, "repeat-expr", f.a.Repeat.Expr)
		if !ok {
			return expression.Value{}
		}
		n = max(count, 0) // as a loop that counts up to it
	}
	switch {
	case f.a.isOneLeaf() && f.a.isBits():
		return d.bitFields(f, n)
	case f.a.isOneLeaf():
		return d.numbers(f, n)
	}
	l := &elements{f: f, from: d.withCursor(nil)}
	if d.active.evaluates(f.o, f.a) { // elements may use the number of elements before them
		d.active.list = l
	} else if f.a.plan.isUsed && !f.a.isInstance() {
		f.o.set(f.a, expression.ListValue(l))
	}
	d.c.Struct(f.a.ID, f.a.elementType()+"[]", func() {
		if list := d.c.Node(); list != nil {
			list.SetReadAs(f.a)
		}
		d.elements(l, n)
	})
	l.complete = true
	return expression.ListValue(l)
}

// elementType returns the name of the type of an attribute, or of the elements of a list.
func (a *attribute) elementType() string {
	ref := &a.Type.Value
	switch {
	case a.Type.On != nil:
		return "switch"
	case ref.Kind == userKind:
		return ref.User.Name
	case ref.Name == "":
		return "bytes"
	}
	return ref.Name
}

// numbers reads a list of numbers as one leaf.
func (d *decoder) numbers(f field, n int64) expression.Value {
	ref := &f.a.Type.Value
	order, ok := d.order(f, ref)
	if !ok {
		return expression.Value{}
	}
	size, left := ref.form.Size(), d.c.Remaining()
	if !d.spendRecording(f, min(n, left/size)/scalarsPerStep) {
		return expression.Value{}
	}
	if n > 0 {
		d.align()
	}
	d.c.SetOrder(order)
	array := d.c.Array(f.a.ID, ref.orderedName(order)+"[]", ref.form, min(n, left/size))
	switch {
	case f.a.Repeat.Kind == repeatTimes && n > left/size:
		d.c.Fail("%s: %d numbers of %d bytes do not fit in the remaining %d bytes", f.a.ID, n, size, left)
	case f.a.Repeat.Kind == repeatToEnd && left%size > 0:
		d.c.Fail("%s: %d bytes remain, but a %s has %d", f.a.ID, left%size, ref.orderedName(order), size)
	}
	return expression.ListValue(scalars{array})
}

// scalars are the elements of a list of numbers or of bit fields, which are read from the file on demand.
type scalars struct{ model.Array }

func (s scalars) Len() int { return int(s.Array.Len()) }

// At reads the i-th element.
func (s scalars) At(i int) (expression.Value, error) {
	v, err := s.Slice(int64(i), 1)
	if err != nil {
		return expression.Value{}, err
	}
	return scalarValue(v[0], nil), nil
}

// elements is the value of a list in expressions. Its elements are read again on demand.
type elements struct {
	f        field
	from     *decoder     // creates the decoders of elements; without a cursor
	spans    elementSpans // nil before the first element
	bits     []bitsLeft   // remaining bits at the beginning of each element; elements after the end have none
	total    int          // the number of elements, when the list is read
	complete bool         // the list is read to its end
}

// elementSpans has the spans of read elements: of one size, or by Marks.
type elementSpans interface {
	At(i int) model.Span
	Len() int
}

// equalSpans has the spans of elements of one size.
type equalSpans struct {
	first model.Span
	n     int
}

func (s equalSpans) At(i int) model.Span {
	return model.Span{Offset: s.first.Offset + int64(i)*s.first.Size, Size: s.first.Size}
}

func (s equalSpans) Len() int { return s.n }

// elements reads the elements of a list into the open struct: as records if they have one size, else one by one.
func (d *decoder) elements(l *elements, times int64) {
	size := l.f.a.plan.elementBits / 8
	isEqual := size > 0 && l.f.a.plan.elementBits%8 == 0 && d.bits.remaining == 0
	switch kind := l.f.a.Repeat.Kind; {
	case isEqual && kind == repeatToEnd:
		d.equalElements(l, d.c.Remaining()/size, size)
		if rest := d.c.Remaining(); rest > 0 && d.c.Err() == nil {
			d.c.Fail("%s: %d bytes remain, but a %s has %d", l.f.a.ID, rest, l.f.a.elementType(), size)
		}
	case isEqual && kind == repeatTimes && times <= d.c.Remaining()/size:
		d.equalElements(l, times, size)
	default:
		d.unequalElements(l, times)
	}
}

// equalElements reads n elements of one size.
func (d *decoder) equalElements(l *elements, n, size int64) {
	l.total = int(min(n, math.MaxInt32))
	l.spans = equalSpans{model.Span{Offset: d.c.Pos(), Size: size}, l.total}
	d.c.Records(l.f.a.elementType(), n, size, func(e *decode.Cursor, i int) {
		d.forElement(l, e).element(l.f.element(i))
	})
}

// forElement returns a decoder for one element of a list with a cursor.
func (d *decoder) forElement(l *elements, c *decode.Cursor) *decoder {
	dec := d.withCursor(c)
	dec.path = d.path.element(l.total)
	return dec
}

// listPass reads a list of elements of differing sizes once, and finds their spans.
type listPass struct {
	*elements
	r     *decoder // of the list
	times int64    // number of elements, if the attribute defines it
	dec   *decoder // of the elements, one after the other
	marks *decode.Marks
	last  expression.Value
}

// unequalElements reads elements of differing sizes, one after the other.
func (d *decoder) unequalElements(l *elements, times int64) {
	p := &listPass{elements: l, r: d, times: times}
	l.total = d.c.IndexedUntil(l.f.a.elementType(), p.hasNext, p.element)
	if p.dec == nil {
		return
	}
	if len(p.bits) > 0 && p.bits[0].remaining > 0 && l.f.a.beginsWithBits() {
		shareByte(d.c.Node())
	}
	if d.bits = p.dec.bits; p.dec.c.Err() != nil {
		d.c.Fail("%v", p.dec.c.Err())
	}
}

// begin creates the decoder of the elements, and the marks if expressions need the elements.
func (p *listPass) begin(c *decode.Cursor) {
	p.dec = p.r.withCursor(c)
	p.dec.bits = p.r.bits
	if p.r.isNeeded(p.f) {
		p.marks = decode.NewMarks(c, nil)
		p.spans = p.marks
	}
}

// hasNext begins the pass at element 0, and reports whether the i-th element follows.
func (p *listPass) hasNext(c *decode.Cursor, i int) bool {
	if i == 0 {
		p.begin(c)
	}
	switch p.f.a.Repeat.Kind {
	case repeatToEnd:
		return c.Remaining() > 0 || p.dec.bits.remaining > 0
	case repeatUntil:
		return i == 0 || !p.dec.isLast(p.f.element(i-1), p.last)
	}
	return int64(i) < p.times
}

// isLast reports whether the list ends with an element that has this value. After an error it does.
func (d *decoder) isLast(f field, v expression.Value) bool {
	if d.c.Err() != nil {
		return true
	}
	s := d.scope(f)
	s.this = &v
	last := false
	end, err := f.a.Repeat.Expr.Eval(s)
	if err == nil {
		last, err = end.Truth()
	}
	if err != nil {
		d.fail(f.a, "repeat-until", err)
	}
	return last || err != nil
}

// element reads the i-th element: with the cursor of the pass, or later with another one, which must not change the
// pass.
func (p *listPass) element(c *decode.Cursor, i int) {
	if c != p.dec.c {
		dec := p.r.forElement(p.elements, c)
		if dec.bits = p.bitsOf(i); dec.bits.remaining > 0 && !c.Recording() {
			c.Notef("only a recorded node has the byte in which it begins")
		}
		dec.element(p.f.element(i))
		return
	}
	if p.dec.bits.remaining > 0 {
		p.bits = append(append(p.bits, make([]bitsLeft, i-len(p.bits))...), p.dec.bits)
	}
	p.last = p.dec.element(p.f.element(i))
	if p.marks != nil && c.Err() == nil {
		p.marks.Add(c.Pos())
	}
}

// element reads an element of a list into the open struct.
func (d *decoder) element(f field) (v expression.Value) {
	if !d.spend(f, stepsOfField) {
		return v
	}
	outer, drops := d.active, d.dropsElement
	if f.a.plan.isUsed {
		d.active = outer.activate(f)
	}
	// Nodes that are recorded with the object around the list stay; others are read again on demand.
	if d.dropsElement = !d.c.Recording() || d.deferred == nil; !d.dropsElement && !d.reserve(f, heldOfNode) {
		return v
	}
	ref := d.reference(f)
	switch {
	case ref == nil:
	case ref.Kind == userKind:
		if d.bits.remaining > 0 && !f.a.hasEnd() && ref.User.beginsWithBits() {
			shareByte(d.c.Node())
		}
		if f.a.Type.On != nil {
			d.c.Type(ref.User.Name)
		}
		d.withDeferred(func() { v = d.checkedElement(f, d.nestedObject(f, ref), d.c.Node()) })
	default:
		v = d.checkedElement(f, d.linkedValue(f, ref), d.c.Last())
		if n := d.c.Last(); n != nil {
			if d.c.Type(n.Type); n.Bits.Before > 0 {
				shareByte(d.c.Node())
			}
		}
		d.c.CollapseStruct()
	}
	d.active, d.dropsElement = outer, drops
	return v
}

// checkedElement is checkValue for an element of a list, which `valid` finds in the list already.
func (d *decoder) checkedElement(f field, v expression.Value, n *model.Node) expression.Value {
	if f.a.Valid != nil && f.a.plan.isUsed {
		element := v // v itself would be on the heap for each element
		d.active = d.active.outer.activate(f)
		d.active.read = &element
	}
	return d.checkValue(f, v, n)
}

// bitsOf returns the remaining bits at the beginning of the i-th element.
func (e *elements) bitsOf(i int) bitsLeft {
	if i >= len(e.bits) {
		return bitsLeft{}
	}
	return e.bits[i]
}

// Len returns the number of elements that are read.
func (e *elements) Len() int {
	if e.spans == nil {
		return 0
	}
	return e.spans.Len()
}

// At returns the i-th element, from the cache or read again.
func (e *elements) At(i int) (expression.Value, error) {
	if v, ok := e.f.o.stream.doc.recent.get(e, i); ok {
		return v, nil
	}
	if i >= e.Len() {
		return expression.Value{}, fmt.Errorf("element %d was not read", i)
	}
	if err := e.from.trySpend(e.f, stepsOfReread); err != nil {
		return expression.Value{}, err
	}
	dec := e.from.withCursor(e.from.stream.cursor.Quiet(e.spans.At(i)))
	dec.bits, dec.target = e.bitsOf(i), e.f.element(i)
	v := dec.element(e.f.element(i))
	if dec.c.Err() == nil {
		e.f.o.stream.doc.recent.put(e, i, v, e.heldBy(v))
	}
	return v, dec.c.Err()
}

// recentElements caches the list elements that expressions used last. An element may need the one before it, which
// needs the one before that: a reader of the list finds the first of them in the cache.
type recentElements struct {
	mu    sync.Mutex
	slots []recentElement
	size  int64 // approximate bytes
}

type recentElement struct {
	list     *elements
	i        int
	complete bool // the list was read to its end: until then instances may mean less of it
	value    expression.Value
}

// maxRecent is the number of cached elements. The index in a list selects the slot.
const maxRecent = 1 << 14

// maxRecentHeld is the maximum number of bytes that cached elements hold.
const maxRecentHeld = 16 << 20

// heldBy returns the number of bytes that an element holds.
func (e *elements) heldBy(v expression.Value) int64 {
	if o, ok := v.Pointer().(*object); ok {
		return o.holder.heldBytes.Load() - e.f.o.holder.heldBytes.Load()
	}
	return int64(len(v.Text()) + len(v.Bytes()))
}

func (r *recentElements) get(l *elements, i int) (expression.Value, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.slots == nil {
		return expression.Value{}, false
	}
	e := &r.slots[i%maxRecent]
	return e.value, e.list == l && e.i == i && e.complete == l.complete
}

// put caches an element that holds held bytes. If the cache holds too many, earlier elements are dropped.
func (r *recentElements) put(l *elements, i int, v expression.Value, held int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.slots == nil {
		r.slots = make([]recentElement, maxRecent)
	}
	if r.size += max(held, 0); r.size > maxRecentHeld {
		clear(r.slots)
		r.size = max(held, 0)
	}
	r.slots[i%maxRecent] = recentElement{l, i, l.complete, v}
}
