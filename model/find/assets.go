package find

import (
	"context"

	"assay/model"
	"assay/model/archive"
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

// Assets finds the nodes of the assets that have the query's words in their names, at most limit of them. For other
// queries than words, and in documents of which Filter is quick, it finds nothing. all has the names; while they are
// read, reading is called with their number so far.
func Assets(ctx context.Context, d *model.Document, all *archive.Shared, q *Query, limit int,
	reading func(n, of int)) (Filtered, error) {
	if describer(d) == nil || !q.filter.Plain() {
		return Filtered{}, nil
	}
	a, err := all.Read(ctx, func(a *archive.Archive) { reading(a.Len(), a.Total) })
	if err != nil {
		return Filtered{}, err
	}
	places, err := d.AssetIndex(ctx)
	if err != nil {
		return Filtered{}, err
	}
	var found []int
	more := false
	err = a.Named(ctx, q.Words(), func(i int) bool {
		if more = len(found) == limit; !more {
			found = append(found, i)
		}
		return !more
	})
	f := Filtered{Matches: len(found), More: more}
	for path := range places.Paths(found) {
		f.Kept = f.Kept.with(path)
	}
	return f, err
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
