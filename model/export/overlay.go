package export

import (
	"context"
	"slices"
	"strings"

	"assay/model"
)

// Overlay tells of files that are loaded one over the other which of them has which asset. The order of the files may
// be changed without another look at them.
type Overlay struct {
	layers []*model.Document
	order  []int // layers as they are loaded: the last wins
	place  []int // of each layer: its place in that order
	keys   []OverlayKey
}

// OverlayKey is one key and the assets that have it.
type OverlayKey struct {
	Key string
	In  []Provider // in the order in which the layers were given
}

// Provider is an asset of a layer.
type Provider struct{ Layer, Index int }

// NewOverlay looks up the keys of all assets of documents, which are loaded in this order.
func NewOverlay(ctx context.Context, layers []*model.Document) (*Overlay, error) {
	o := &Overlay{layers: layers}
	at := make(map[string]int)
	for l, d := range layers {
		o.order, o.place = append(o.order, l), append(o.place, l)
		if d.Payloads == nil {
			continue
		}
		err := keysOf(ctx, d, func(i int, key string) {
			k, ok := at[key]
			if !ok {
				k = len(o.keys)
				at[key] = k
				o.keys = append(o.keys, OverlayKey{Key: key})
			}
			o.keys[k].In = append(o.keys[k].In, Provider{l, i})
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(o.keys, func(a, b OverlayKey) int { return strings.Compare(a.Key, b.Key) })
	return o, nil
}

// keysOf returns the key of each asset. Where the nodes of the assets have their keys, nothing else is looked at.
func keysOf(ctx context.Context, d *model.Document, each func(i int, key string)) error {
	places, err := d.AssetIndex(ctx)
	if err != nil {
		return err
	}
	n := d.Payloads.Len()
	done := 0
	err = places.Each(ctx, func(i int, node *model.Node) bool {
		if i != done {
			return false
		}
		if i == 0 && d.Payloads.At(0).Key != node.Key {
			return false // they have other keys than their nodes
		}
		each(i, node.Key)
		done++
		return true
	})
	if err != nil {
		return err
	}
	for i := done; i < n; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		each(i, d.Payloads.At(i).Key)
	}
	return nil
}

// Len is the number of keys.
func (o *Overlay) Len() int { return len(o.keys) }

// At returns the i-th key, in their order.
func (o *Overlay) At(i int) OverlayKey { return o.keys[i] }

// Layers are the documents in the order in which they are loaded.
func (o *Overlay) Layers() []*model.Document {
	var all []*model.Document
	for _, l := range o.order {
		all = append(all, o.layers[l])
	}
	return all
}

// Layer returns the document that a provider is in.
func (o *Overlay) Layer(p Provider) *model.Document { return o.layers[p.Layer] }

// Move loads the layer at one place of the order at another one.
func (o *Overlay) Move(from, to int) {
	if from < 0 || from >= len(o.order) || to < 0 || to >= len(o.order) {
		return
	}
	l := o.order[from]
	o.order = slices.Insert(slices.Delete(o.order, from, from+1), to, l)
	for i, l := range o.order {
		o.place[l] = i
	}
}

// Providers lists the assets with the i-th key as they are loaded, and how many at the end of the list win: one,
// unless the last file has several of that key.
func (o *Overlay) Providers(i int) (in []Provider, win int) {
	in = slices.Clone(o.keys[i].In)
	slices.SortStableFunc(in, func(a, b Provider) int { return o.place[a.Layer] - o.place[b.Layer] })
	for k := len(in) - 1; k >= 0 && in[k].Layer == in[len(in)-1].Layer; k-- {
		win++
	}
	return in, win
}

// Overridden reports whether some asset with the i-th key loses.
func (o *Overlay) Overridden(i int) bool {
	in := o.keys[i].In
	return in[0].Layer != in[len(in)-1].Layer
}

// Effective lists the positions of the assets that win, for each layer in the order in which they are loaded, and
// counts those that lose.
func (o *Overlay) Effective() (win [][]int, lose []int) {
	win, lose = make([][]int, len(o.order)), make([]int, len(o.order))
	for i := range o.keys {
		last := 0
		for _, p := range o.keys[i].In {
			last = max(last, o.place[p.Layer])
		}
		for _, p := range o.keys[i].In {
			if at := o.place[p.Layer]; at == last {
				win[at] = append(win[at], p.Index)
			} else {
				lose[at]++
			}
		}
	}
	for _, w := range win {
		slices.Sort(w)
	}
	return win, lose
}
