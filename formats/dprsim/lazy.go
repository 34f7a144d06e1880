package dprsim

import (
	"slices"
	"sort"

	"assay/model"
)

// values is the Children of a state with many values: its length, then a node a value or piece of skipped bytes, made
// when it is looked at.
type values struct {
	b      *body
	mod    *Module
	length *model.Node
	runs   []run
	places []int // of each run's first node among the children
	last   model.List
	count  int
}

func (m *maker) lazy(n *model.Node, mod *Module, length *model.Node, s state, end int64) {
	v := &values{b: m.b, mod: mod, length: length, runs: slices.Clone(s.runs), count: 1}
	for _, r := range v.runs {
		v.places = append(v.places, v.count)
		v.count += int(max(r.count, 1))
	}
	if s.end < end {
		v.last = model.List{m.block("surplus", s.end, end-s.end)}
	}
	n.SetChildren(v)
}

// Len is the number of nodes.
func (v *values) Len() int { return v.count + len(v.last) }

// At makes the i-th node.
func (v *values) At(i int) *model.Node {
	switch {
	case i == 0:
		return v.length
	case i >= v.count:
		return v.last[i-v.count]
	}
	k := sort.SearchInts(v.places, i+1) - 1
	r := &v.runs[k]
	w := look(v.b.src, r.offset, 0)
	defer w.drop()
	m := &maker{b: v.b, w: w, slab: make([]model.Node, 1)}
	if r.code.kind == skip {
		return m.block("skipped", r.offset, r.size)
	}
	return m.value(v.mod, r, int64(i-v.places[k]))
}

// Find gives the node that holds the byte at off.
func (v *values) Find(off int64) (int, int) {
	if v.length.Contains(off) {
		return 0, 1
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

// Named gives the position of the first node with that name.
func (v *values) Named(name string) int {
	if name == v.length.Name {
		return 0
	}
	for k := range v.runs {
		r := &v.runs[k]
		if r.code.kind == skip && name == "skipped" {
			return v.places[k]
		}
		for i := range r.count {
			if v.mod.name(r.first+i) == name {
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
