package export

import (
	"context"
	"slices"
	"strings"

	"assay/model"
)

// Layer is one file of a stack: files that are loaded one after the other.
type Layer struct {
	File     string
	Payloads model.Payloads
}

// Effective lists the assets that a program sees after loading the layers in this order: for each key, the assets of
// the last file that has it. overridden counts the others.
func Effective(ctx context.Context, layers []Layer, choose *Chooser, form string) (picks []Pick, overridden int,
	err error) {
	last := make(map[string]int)
	for i, l := range layers {
		for k := range l.Payloads.Len() {
			if k%4096 == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			last[l.Payloads.At(k).Key] = i
		}
	}
	for i, l := range layers {
		for k := range l.Payloads.Len() {
			if k%4096 == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			switch p := l.Payloads.At(k); {
			case last[p.Key] != i:
				overridden++
			case choose.Selects(ctx, p):
				picks = AddPick(picks, Pick{From: l.Payloads, Index: k, Form: form, File: l.File})
			}
		}
	}
	return picks, overridden, nil
}

// Overlay finds, for files that are loaded in order, which of them provides each asset. The order of the files may be
// changed without reading them again.
type Overlay struct {
	layers    []*model.Document
	order     []int // layers in loading order: the last wins
	positions []int // of each layer: its index in order
	keys      []OverlayKey
}

// OverlayKey is one key and the assets that have it.
type OverlayKey struct {
	Key       string
	Providers []Provider // in the order of the given layers
}

// Provider is an asset of a layer.
type Provider struct{ Layer, Index int }

// NewOverlay looks up the keys of all assets of documents, which are loaded in this order.
func NewOverlay(ctx context.Context, layers []*model.Document) (*Overlay, error) {
	o := &Overlay{layers: layers}
	indexes := make(map[string]int)
	for l, d := range layers {
		o.order, o.positions = append(o.order, l), append(o.positions, l)
		if d.Payloads == nil {
			continue
		}
		err := eachKey(ctx, d, func(i int, key string) {
			k, ok := indexes[key]
			if !ok {
				k = len(o.keys)
				indexes[key] = k
				o.keys = append(o.keys, OverlayKey{Key: key})
			}
			o.keys[k].Providers = append(o.keys[k].Providers, Provider{l, i})
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(o.keys, func(a, b OverlayKey) int { return strings.Compare(a.Key, b.Key) })
	return o, nil
}

// eachKey calls each with the key of each asset, in order. If the node of the first asset has its key, it reads the
// keys from the nodes as far as these are in the order of the assets, and only the rest from the assets.
func eachKey(ctx context.Context, d *model.Document, each func(i int, key string)) error {
	index, err := d.AssetIndex(ctx)
	if err != nil {
		return err
	}
	n := d.Payloads.Len()
	keyCount := 0
	err = index.Each(ctx, func(i int, node *model.Node) bool {
		if i != keyCount {
			return false
		}
		if i == 0 && d.Payloads.At(0).Key != node.Key {
			return false // they have other keys than their nodes
		}
		each(i, node.Key)
		keyCount++
		return true
	})
	if err != nil {
		return err
	}
	for i := keyCount; i < n; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		each(i, d.Payloads.At(i).Key)
	}
	return nil
}

// Len returns the number of keys.
func (o *Overlay) Len() int { return len(o.keys) }

// At returns the i-th key, in their order.
func (o *Overlay) At(i int) OverlayKey { return o.keys[i] }

// Layers returns the documents in load order.
func (o *Overlay) Layers() []*model.Document {
	var documents []*model.Document
	for _, l := range o.order {
		documents = append(documents, o.layers[l])
	}
	return documents
}

// Layer returns the document that a provider is in.
func (o *Overlay) Layer(p Provider) *model.Document { return o.layers[p.Layer] }

// Move moves a layer from one index of the order to another.
func (o *Overlay) Move(from, to int) {
	if from < 0 || from >= len(o.order) || to < 0 || to >= len(o.order) {
		return
	}
	l := o.order[from]
	o.order = slices.Insert(slices.Delete(o.order, from, from+1), to, l)
	for i, l := range o.order {
		o.positions[l] = i
	}
}

// Providers lists the assets with the i-th key in load order, and returns how many of them win: one, at the end of the
// list, unless the last file has several of that key.
func (o *Overlay) Providers(i int) (providers []Provider, win int) {
	providers = slices.Clone(o.keys[i].Providers)
	slices.SortStableFunc(providers, func(a, b Provider) int { return o.positions[a.Layer] - o.positions[b.Layer] })
	for k := len(providers) - 1; k >= 0 && providers[k].Layer == providers[len(providers)-1].Layer; k-- {
		win++
	}
	return providers, win
}

// Overridden reports whether some asset with the i-th key loses.
func (o *Overlay) Overridden(i int) bool {
	providers := o.keys[i].Providers
	return providers[0].Layer != providers[len(providers)-1].Layer
}

// Effective returns, for each layer in load order, the indexes of the assets that win and the number of losing assets.
func (o *Overlay) Effective() (win [][]int, lose []int) {
	win, lose = make([][]int, len(o.order)), make([]int, len(o.order))
	for i := range o.keys {
		last := 0
		for _, p := range o.keys[i].Providers {
			last = max(last, o.positions[p.Layer])
		}
		for _, p := range o.keys[i].Providers {
			if position := o.positions[p.Layer]; position == last {
				win[position] = append(win[position], p.Index)
			} else {
				lose[position]++
			}
		}
	}
	for _, w := range win {
		slices.Sort(w)
	}
	return win, lose
}
