package dprsim

import (
	"slices"
	"sort"

	"assay/formats/decode"
	"assay/model"
)

// values is the Children of a state with many values: its length, then a node a value or piece of skipped bytes, made
// when it is looked at, then surplus bytes.
type values struct {
	b           *body
	m           *Module
	first, last model.List
	runs        []run
	places      []int // of each run's first node among the children
	count       int   // nodes of first and of the runs
}

func newValues(b *body, m *Module, s *state, end int64) *values {
	v := &values{b: b, m: m, runs: slices.Clone(s.runs)}
	if s.end < end {
		v.last = model.List{v.node(model.Span{Offset: s.end, Size: end - s.end},
			func(c *decode.Cursor) { c.Rest("surplus", types.Bytes) })}
	}
	return v
}

// after puts the values after the nodes that come first.
func (v *values) after(first model.List) model.Children {
	v.first, v.count = first, len(first)
	for _, r := range v.runs {
		v.places = append(v.places, v.count)
		v.count += int(max(r.count, 1))
	}
	return v
}

// node records one leaf.
func (v *values) node(span model.Span, field func(c *decode.Cursor)) *model.Node {
	c := v.b.c.Element("ModuleState", span)
	field(c)
	n := c.Close().Child(0)
	n.Parent = nil
	return n
}

// Len is the number of nodes.
func (v *values) Len() int { return v.count + len(v.last) }

// At makes the i-th node.
func (v *values) At(i int) *model.Node {
	switch {
	case i < len(v.first):
		return v.first[i]
	case i >= v.count:
		return v.last[i-v.count]
	}
	k := sort.SearchInts(v.places, i+1) - 1
	r := &v.runs[k]
	if r.code.kind == skip {
		return v.node(r.span(0), func(c *decode.Cursor) { c.Bytes("skipped", types.Bytes, r.size) })
	}
	at := int64(i - v.places[k])
	return v.node(r.span(at), func(c *decode.Cursor) { v.b.value(c, v.m, r, at) })
}

// Find returns the node that holds the byte at off.
func (v *values) Find(off int64) (int, int) {
	for i, n := range v.first {
		if n.Contains(off) {
			return i, i + 1
		}
	}
	k := sort.Search(len(v.runs), func(k int) bool { return v.runs[k].offset > off }) - 1
	if k >= 0 && off < v.runs[k].offset+v.runs[k].size {
		i := v.places[k]
		if r := &v.runs[k]; r.code.kind == number {
			i += int((off - r.offset) / r.code.form.Size())
		}
		return i, i + 1
	}
	return v.count, v.Len()
}

// Named returns the position of the first node with that name.
func (v *values) Named(name string) int {
	for i, n := range v.first {
		if n.Name == name {
			return i
		}
	}
	for k := range v.runs {
		r := &v.runs[k]
		if r.code.kind == skip && name == "skipped" {
			return v.places[k]
		}
		for i := range r.count {
			if v.m.name(r.first+i) == name {
				return v.places[k] + int(i)
			}
		}
	}
	for i, n := range v.last {
		if n.Name == name {
			return v.count + i
		}
	}
	return -1
}
