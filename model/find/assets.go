package find

import (
	"context"

	"assay/model"
)

// manyAssets is the number of assets from which on their names are searched before all else.
const manyAssets = 5000

// describer returns the assets of a document that can be searched by their names much quicker than its nodes can; nil
// if there are none.
func describer(d *model.Document) model.Describer {
	if all, ok := d.Payloads.(model.Describer); ok && all.Len() >= manyAssets {
		return all
	}
	return nil
}

// pathOf returns the path of the i-th asset's node.
func pathOf(d *model.Document, i int) (model.Path, *model.Node, bool) {
	a := d.Payloads.At(i)
	if a == nil || a.Node == nil {
		return nil, nil, false
	}
	return a.Node.Path(), a.Node, true
}

// AssetsFirst finds the nodes of the assets whose names, keys and types the query's words are in, at most limit of
// them. It is quick, and finds nothing in documents of which Filter is quick too.
func AssetsFirst(ctx context.Context, d *model.Document, q Query, limit int) (Filtered, error) {
	all := describer(d)
	if all == nil || q.Empty() {
		return Filtered{}, nil
	}
	var positions []int
	more := false
	err := all.DescribeEach(ctx, 0, all.Len(), func(i int, p *model.Payload) bool {
		if q.in(p.Name, p.Key, p.Type) {
			if more = len(positions) == limit; more {
				return false
			}
			positions = append(positions, i)
		}
		return true
	})
	if err != nil {
		return Filtered{}, err
	}
	f := Filtered{Matches: len(positions), More: more}
	for _, i := range positions {
		if err := ctx.Err(); err != nil {
			return Filtered{}, err
		}
		if path, _, ok := pathOf(d, i); ok {
			f.Kept = f.Kept.with(path)
		}
	}
	return f, nil
}

// in reports whether each of the query's words is in one of some texts.
func (q Query) in(texts ...string) bool {
	for _, w := range q.words {
		found := false
		for _, t := range texts {
			found = found || contains(t, w)
		}
		if !found {
			return false
		}
	}
	return true
}

// with keeps a path besides; paths come in order.
func (k *Kept) with(path model.Path) *Kept {
	if k == nil {
		k = &Kept{}
	}
	at := int32(path[0])
	if n := len(k.Index); n == 0 || k.Index[n-1] != at {
		k.Index = append(k.Index, at)
	}
	if len(path) > 1 {
		if k.Below == nil {
			k.Below = make(map[int32]*Kept)
		}
		k.Below[at] = k.Below[at].with(path[1:])
	}
	return k
}
