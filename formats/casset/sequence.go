package casset

import (
	"context"
	"sort"
	"sync/atomic"

	"assay/formats/decode"
	"assay/model"
)

// sequence is n elements of differing lengths, one after the other. One pass finds where they begin; after it, a mark
// every few elements is all that is kept.
type sequence struct {
	src        *model.Source
	start, end int64
	n          int
	skip       func(*scanner) // goes behind one element
	marks      []mark
	last       atomic.Pointer[mark] // where the element after the one looked at last begins
}

type mark struct {
	i   int
	off int64
}

const (
	markEvery = 32   // elements
	markBytes = 1024 // or so many bytes
	emptyMost = 4096 // elements without bytes that are shown
)

// newSequence looks for n elements between pos and end. With an error, it holds those before it.
func newSequence(ctx context.Context, src *model.Source, pos, end, n int64, skip func(*scanner)) (*sequence, error) {
	q := &sequence{src: src, start: pos, end: pos, skip: skip}
	s := newScanner(src, pos, end)
	for i := int64(0); i < n; i++ {
		if k := len(q.marks); k == 0 || q.n-q.marks[k-1].i >= markEvery || s.pos-q.marks[k-1].off >= markBytes {
			q.marks = append(q.marks, mark{q.n, s.pos})
		}
		if i&0xFFFF == 0xFFFF {
			if err := ctx.Err(); err != nil {
				return q, err
			}
		}
		skip(s)
		if s.err != nil {
			return q, s.err
		}
		q.n++
		q.end = s.pos
	}
	return q, nil
}

// span gives the bytes of the i-th element.
func (q *sequence) span(i int) model.Span {
	m := q.marks[sort.Search(len(q.marks), func(k int) bool { return q.marks[k].i > i })-1]
	if l := q.last.Load(); l != nil && l.i <= i && l.i > m.i {
		m = *l
	}
	s := newScanner(q.src, m.off, q.end)
	for ; m.i < i && s.err == nil; m.i++ {
		q.skip(s)
	}
	start := s.pos
	q.skip(s)
	q.last.Store(&mark{i + 1, s.pos})
	return model.Span{Offset: start, Size: s.pos - start}
}

// lookup gives the elements that may hold the byte at off: those between two marks.
func (q *sequence) lookup(off int64) (int, int) {
	if off < q.start || off >= q.end {
		return 0, 0
	}
	k := sort.Search(len(q.marks), func(k int) bool { return q.marks[k].off > off })
	to := q.n
	if k < len(q.marks) {
		to = q.marks[k].i
	}
	return q.marks[max(k-1, 0)].i, to
}

// under makes the elements the children of a list, behind the nodes it has.
func (q *sequence) under(list *model.Node, proto *decode.Cursor, typ string, each func(*decode.Cursor) finish) {
	first := make(model.List, list.Len())
	for i := range first {
		first[i] = list.Child(i)
	}
	list.SetChildren(&model.Elements{First: first, Count: q.n, Lookup: q.lookup, Make: func(i int) *model.Node {
		e := proto.Element(typ, q.span(i))
		last := each(e)
		n := e.Close()
		last.do(n)
		n.Parent = list
		return n
	}})
}

// scalars is the elements as an Array: value reads one.
func (q *sequence) scalars(value func(*scanner) any) model.Array { return &scalars{q, value} }

type scalars struct {
	*sequence
	value func(*scanner) any
}

// Len is the number of scalars.
func (a *scalars) Len() int64 { return int64(a.n) }

// Slice reads up to n scalars from the first on.
func (a *scalars) Slice(first, n int64) ([]any, error) {
	first = min(max(first, 0), int64(a.n))
	n = min(max(n, 0), int64(a.n)-first)
	if n == 0 {
		return nil, nil
	}
	s := newScanner(a.src, a.span(int(first)).Offset, a.end)
	out := make([]any, 0, n)
	for range n {
		v := a.value(s)
		if s.err != nil {
			return out, s.err
		}
		out = append(out, v)
	}
	a.last.Store(&mark{int(first + n), s.pos})
	return out, nil
}
