package model

import (
	"context"
	"encoding/binary"
	"iter"
	"math"
	"slices"
	"sort"
	"sync"
)

// AssetIndex finds the assets of the nodes of a document. It expects the assets of one list in the order of that list,
// so that a million of them are indexed with few lookups. It is safe for concurrent use.
type AssetIndex struct {
	d        *Document
	payloads Payloads
	runs     []assetRun       // in the order of the structure
	lists    map[string][]int // of a list's path: its runs, in order

	mu    sync.Mutex
	byKey map[string]int // of assets by the keys of their nodes; nil until they are read
}

// assetRun is assets that follow one another as the nodes of a list do.
type assetRun struct {
	from, to int // positions of the assets
	list     Path
	first    int // the index of the first one's node in the list
}

// AssetIndex returns where the document's assets are in its structure, which is found once.
func (d *Document) AssetIndex(ctx context.Context) (*AssetIndex, error) {
	d.indexing.Lock()
	defer d.indexing.Unlock()
	var err error
	if d.index == nil {
		d.index, err = indexAssets(ctx, d)
	}
	return d.index, err
}

// OnlyAsset returns the index of the single asset that belongs to a node, as AssetIndex.First finds it, or -1 if there
// is no asset, or several.
func (d *Document) OnlyAsset(ctx context.Context, n *Node) (int, error) {
	index, err := d.AssetIndex(ctx)
	if err != nil {
		return -1, err
	}
	found, err := index.First(ctx, n, 2)
	if err != nil || len(found) != 1 {
		return -1, err
	}
	return found[0], nil
}

func indexAssets(ctx context.Context, d *Document) (*AssetIndex, error) {
	x := &AssetIndex{d: d, payloads: d.Payloads, lists: make(map[string][]int)}
	if x.payloads == nil {
		return x, nil
	}
	n := x.payloads.Len()
	var next Path // of the asset at from, if already found
	for from := 0; from < n; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		path := next
		if path == nil {
			path = x.pathOf(from)
		}
		next = nil
		if len(path) == 0 {
			from++
			continue
		}
		to := x.endOfRun(from, path, &next)
		x.runs = append(x.runs, assetRun{from: from, to: to, list: path[:len(path)-1], first: path[len(path)-1]})
		from = to
	}
	slices.SortFunc(x.runs, func(a, b assetRun) int { return slices.Compare(a.firstPath(), b.firstPath()) })
	for i, r := range x.runs {
		k := listKey(r.list)
		x.lists[k] = append(x.lists[k], i)
	}
	return x, nil
}

func (r *assetRun) firstPath() Path { return append(slices.Clone(r.list), r.first) }

func (x *AssetIndex) pathOf(i int) Path {
	if n := x.payloads.At(i).Node; n != nil {
		return n.Path()
	}
	return nil
}

// endOfRun returns the end of the run that begins at an asset: by ever longer steps, then by halving the last one.
// After a run of one, next is set to the path of the asset that follows it.
func (x *AssetIndex) endOfRun(from int, at Path, next *Path) int {
	n := x.payloads.Len()
	follows := func(i int) bool {
		path := x.pathOf(i)
		k := len(at) - 1
		ok := len(path) == len(at) && path[k]-at[k] == i-from && slices.Equal(path[:k], at[:k])
		if !ok && i == from+1 {
			*next = path
		}
		return ok
	}
	if from+1 == n || !follows(from+1) {
		return from + 1
	}
	good, bad := from+1, n
	for step := 2; good+step < n; step *= 2 {
		if !follows(good + step) {
			bad = good + step
			break
		}
		good += step
	}
	return sort.Search(bad-good-1, func(i int) bool { return !follows(good + 1 + i) }) + good + 1
}

func listKey(p Path) string {
	b := make([]byte, 0, 4*len(p))
	for _, i := range p {
		b = binary.BigEndian.AppendUint32(b, uint32(i))
	}
	return string(b)
}

// AssetsOf lists the assets that belong to nodes, by their indexes in Payloads, sorted and without duplicates: the
// assets at a node or below it; else the asset that contains the node; else the assets with the keys of the node, its
// children or its ancestors. rest are the nodes without an asset.
func (x *AssetIndex) AssetsOf(ctx context.Context, nodes []*Node) (found []int, rest []*Node, err error) {
	for k, n := range nodes {
		if k%256 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		before := len(found)
		if found, err = x.appendAssets(ctx, n, math.MaxInt, found); err != nil {
			return nil, nil, err
		}
		if len(found) == before {
			rest = append(rest, n)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), rest, nil
}

// First lists up to limit of the assets that AssetsOf lists for n, in a time that does not depend on their number. Only
// if a key leads to them that the document cannot find, the first call reads the nodes of all assets. If n has more
// than limit children, their keys are ignored.
func (x *AssetIndex) First(ctx context.Context, n *Node, limit int) ([]int, error) {
	found, err := x.appendAssets(ctx, n, limit, nil)
	slices.Sort(found)
	return slices.Compact(found), err
}

// appendAssets appends the assets of a node, up to limit of them.
func (x *AssetIndex) appendAssets(ctx context.Context, n *Node, limit int, found []int) ([]int, error) {
	before := len(found)
	add := func(from, to int) {
		for i := from; i < to && len(found)-before < limit; i++ {
			found = append(found, i)
		}
	}
	if path := n.Path(); x.addAt(path, add) {
		return found, nil
	}
	above, below, err := keysOf(ctx, n, limit)
	if err != nil {
		return found, err
	}
	if x.payloads == nil || len(above)+len(below) == 0 {
		return found, nil
	}
	for _, key := range above { // the nearest: a part of an asset may have a key of its own
		if x.addByKey(key, add) {
			return found, nil
		}
	}
	if len(below) > 0 && len(below) <= maxKeysSearched {
		complete := true
		for _, key := range below {
			complete = x.addByKey(key, add) && complete
		}
		if complete {
			return found, nil
		}
	}
	keyed, err := x.keys(ctx)
	for _, key := range above {
		if i, ok := keyed[key]; ok {
			return append(found, i), err
		}
	}
	for _, key := range below {
		if i, ok := keyed[key]; ok {
			add(i, i+1)
		}
	}
	return found, err
}

// maxKeysSearched is the maximum number of keys that are searched one by one. For more, the keys of all assets are
// collected.
const maxKeysSearched = 256

// addAt adds the assets at a path and below it, else the one whose node is on the path.
func (x *AssetIndex) addAt(path Path, add func(from, to int)) bool {
	return x.addBelow(path, add) || x.addEnclosing(path, add)
}

// addByKey adds the assets of the node with a key by the document's own search, which reads no nodes. It returns false
// if there is no such node or asset.
func (x *AssetIndex) addByKey(key string, add func(from, to int)) bool {
	if x.d.FindKey == nil {
		return false
	}
	path, ok := x.d.FindKey(key)
	return ok && x.addAt(path, add)
}

// addBelow adds the assets at a path and below it, and reports whether there are any.
func (x *AssetIndex) addBelow(path Path, add func(from, to int)) bool {
	found := false
	if k := len(path) - 1; k >= 0 {
		found = x.addElement(path[:k], path[k], add)
	}
	from := sort.Search(len(x.runs), func(i int) bool { return slices.Compare(x.runs[i].firstPath(), path) >= 0 })
	for _, r := range x.runs[from:] {
		if first := r.firstPath(); len(first) < len(path) || !slices.Equal(first[:len(path)], path) {
			break
		}
		if len(r.list) >= len(path) {
			add(r.from, r.to)
			found = true
		}
	}
	return found
}

// addEnclosing adds the asset of the nearest ancestor on a path.
func (x *AssetIndex) addEnclosing(path Path, add func(from, to int)) bool {
	for k := len(path) - 2; k >= 0; k-- {
		if x.addElement(path[:k], path[k], add) {
			return true
		}
	}
	return false
}

// addElement adds the assets of one element of a list, nearly always one, and reports whether it has any.
func (x *AssetIndex) addElement(list Path, index int, add func(from, to int)) bool {
	found := false
	for _, k := range x.lists[listKey(list)] {
		if r := &x.runs[k]; index >= r.first && index-r.first < r.to-r.from {
			add(r.from+index-r.first, r.from+index-r.first+1)
			found = true
		}
	}
	return found
}

// Paths returns the paths of assets, which are listed by their positions in ascending order, in the order of the
// structure. Those without a node are left out.
func (x *AssetIndex) Paths(assets []int) iter.Seq[Path] {
	return func(yield func(Path) bool) {
		for _, r := range x.runs {
			first, _ := slices.BinarySearch(assets, r.from)
			for _, i := range assets[first:] {
				if i >= r.to {
					break
				}
				if !yield(append(slices.Clone(r.list), r.first+i-r.from)) {
					return
				}
			}
		}
	}
}

// Each visits the assets that have a node, in the order of the structure, until visit returns false. It does not load
// the payloads.
func (x *AssetIndex) Each(ctx context.Context, visit func(i int, n *Node) bool) error {
	for _, r := range x.runs {
		list := x.d.At(r.list)
		if list == nil {
			continue
		}
		for i := range r.to - r.from {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if !visit(r.from+i, list.Child(r.first+i)) {
				return nil
			}
		}
	}
	return nil
}

// keys returns the assets by the keys of their nodes; of two with one key, the last. They are read once.
func (x *AssetIndex) keys(ctx context.Context) (map[string]int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.byKey != nil {
		return x.byKey, nil
	}
	keyed := make(map[string]int)
	err := x.Each(ctx, func(i int, n *Node) bool {
		if n.Key != "" {
			keyed[n.Key] = i
		}
		return true
	})
	if err == nil {
		x.byKey = keyed
	}
	return keyed, err
}

// keysOf returns the keys of a node and its ancestors, the nearest first. If there are none, below has the keys of the
// children, unless there are more than limit.
func keysOf(ctx context.Context, n *Node, limit int) (above, below []string, err error) {
	for m := n; m != nil && m.Parent != nil; m = m.Parent {
		if m.Key != "" {
			above = append(above, m.Key)
		}
	}
	if len(above) > 0 || n.Leaf() || n.Len() > limit || n.Child(n.Len()/2).Key == "" {
		return above, nil, nil
	}
	below = make([]string, 0, n.Len())
	for i := range n.Len() {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if key := n.Child(i).Key; key != "" {
			below = append(below, key)
		}
	}
	return nil, below, nil
}
