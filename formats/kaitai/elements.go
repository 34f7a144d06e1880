package kaitai

import (
	"fmt"
	"sync"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// elements are what expressions see of a list: they are read again when they are asked for.
type elements struct {
	*machine
	around
	s           *stream
	f           field
	count       int
	start, size int64   // of elements of one size
	starts      []int64 // of others
	carry       carried // what the element before left, of elements that begin within a byte
}

// Len is the number of elements.
func (l *elements) Len() int {
	if l.isWhole() {
		return l.count
	}
	return len(l.starts)
}

// isWhole reports whether the list was read to its end, or has elements of one size.
func (l *elements) isWhole() bool { return l.count > 0 }

// At returns the i-th element: one that was asked for a short time ago, or read again.
func (l *elements) At(i int) (expression.Value, error) {
	if v, ok := l.recent.get(l, i); ok {
		return v, nil
	}
	v, err := l.read(i)
	if err == nil {
		l.recent.put(l, i, v)
	}
	return v, err
}

func (l *elements) read(i int) (expression.Value, error) {
	span := model.Span{Offset: l.start + int64(i)*l.size, Size: l.size}
	if l.size == 0 {
		if i >= len(l.starts) {
			return expression.Value{}, fmt.Errorf("element %d is not read yet", i)
		}
		span = model.Span{Offset: l.starts[i], Size: l.s.span.End() - l.starts[i]}
	}
	in := &reading{machine: l.machine, around: l.around, c: l.s.kind.Quiet(span), s: l.s, bits: l.carry.at(i)}
	in.needsValue = true
	v := in.element(l.f.at(i))
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
	return e.value, e.list == l && e.i == i && e.whole == l.isWhole()
}

func (r *recent) put(l *elements, i int, v expression.Value) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.slots == nil {
		r.slots = make([]recentElement, maxRecent)
	}
	r.slots[i%maxRecent] = recentElement{l, i, l.isWhole(), v}
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
