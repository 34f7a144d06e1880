package find

import (
	"context"
	"errors"
	"slices"

	"assay/model"
	"assay/model/archive"
	"assay/model/query"
)

// AssetQuery is a filter of assets. A word matches their name, type or key; a word that begins with a slash is a path
// in the structure, and matches assets at it or below it. It may be used by several goroutines at once.
type AssetQuery struct{ parsedFilter }

// NewAssetQuery reads a filter; an empty one matches everything.
func NewAssetQuery(text string) (*AssetQuery, error) {
	a, err := parseFilter(text, assetList)
	if err != nil {
		return nil, err
	}
	return &AssetQuery{a}, nil
}

// NeedsNodes reports whether assets must be given with their nodes: the filter has conditions on fields, or paths.
func (q *AssetQuery) NeedsNodes() bool {
	return len(q.fields) > 0 || len(q.paths) > 0 || slices.Contains(q.filter.Columns(), archive.Checksum)
}

// Match reports whether the filter holds for an asset. A condition on its checksum reads it.
func (q *AssetQuery) Match(ctx context.Context, p *model.Payload) bool {
	return q.filter.Match(&assetItem{q, ctx, p, archive.AssetOf(p)})
}

// assetItem is an asset that a filter tests.
type assetItem struct {
	q   *AssetQuery
	ctx context.Context
	*model.Payload
	asset archive.Asset
}

// Has reports whether a word is in the texts of the asset, or whether its node is at that path.
func (i *assetItem) Has(w *query.Word) bool {
	if holds, isPath := i.q.matchesPath(w, i.Node); isPath {
		return holds
	}
	return w.In(i.asset.Name) || !i.q.NamesOnly && (w.In(i.asset.Type) || w.In(i.Key))
}

// MatchColumn tests the property of the asset for a column, else the field of its node with the name of the column. For
// a checksum, it tests the verdict, and its value.
func (i *assetItem) MatchColumn(column int, t *query.Test) (matches, exists bool) {
	if v := i.value(column); v != nil {
		return t.Matches(v), true
	}
	isChecksum := column == archive.Checksum
	if i.Node != nil {
		matches, exists = i.q.matchField(i.Node, column, t)
		f := Field(i.Node, i.q.columnName(column))
		isChecksum = isChecksum || f != nil && f.Role == model.RoleSum
	}
	if isChecksum && !matches {
		return i.matchVerdict(t), true
	}
	return matches, exists
}

// value returns the property of the asset for a column, without reading its content, or nil.
func (i *assetItem) value(column int) any {
	switch {
	case column < keyColumn:
		return i.asset.Cell(column)
	case column == keyColumn && i.Key != "":
		return i.Key
	case column == offsetColumn && i.Stored.Size >= 0:
		return i.Stored.Offset
	}
	return nil
}

// matchVerdict tests the verdict on the recorded checksum. The asset is read only if a verdict can pass the test.
func (i *assetItem) matchVerdict(t *query.Test) bool {
	possible := false
	for v := model.Unrecorded; v <= model.Unknown; v++ {
		possible = possible || t.Matches(v.String())
	}
	if !possible {
		return false
	}
	v, _, err := i.Check(i.ctx)
	if err != nil {
		v = model.Unknown
	}
	return t.Matches(v.String())
}

// manyAssets is the minimum number of assets whose names are searched before all else.
const manyAssets = 5000

// hasManyAssets reports whether searching the names of a document's assets is much quicker than searching its nodes.
func hasManyAssets(d *model.Document) bool {
	describer, ok := d.Payloads.(model.Describer)
	return ok && describer.Len() >= manyAssets
}

// Assets finds the nodes of the assets that have the query's words in their names, at most limit of them. For queries
// with conditions, and in documents with a quick Filter, it returns no nodes. assets has the names; while they are
// read, progress is called with their number so far.
func Assets(ctx context.Context, d *model.Document, assets *archive.Shared, q *Query, limit int,
	progress func(n, total int)) (Filtered, error) {
	if !hasManyAssets(d) || !q.filter.IsPlain() {
		return Filtered{}, nil
	}
	a, err := assets.Read(ctx, func(a *archive.Archive) { progress(a.Len(), a.Total) })
	if err != nil {
		return Filtered{}, err
	}
	index, err := d.AssetIndex(ctx)
	if err != nil {
		return Filtered{}, err
	}
	var found []int
	truncated := false
	err = a.EachNamed(ctx, q.Words(), func(i int) bool {
		if truncated = len(found) == limit; !truncated {
			found = append(found, i)
		}
		return !truncated
	})
	f := Filtered{Matches: len(found), Truncated: truncated}
	for path := range index.Paths(found) {
		f.Tree = f.Tree.withPath(path)
	}
	return f, err
}

// withPath adds a path. Paths must be added in order.
func (k *FilteredChildren) withPath(path model.Path) *FilteredChildren {
	if k == nil {
		k = &FilteredChildren{}
	}
	index := int32(path[0])
	if n := len(k.Index); n == 0 || k.Index[n-1] != index {
		k.Index = append(k.Index, index)
	}
	if len(path) > 1 {
		if k.Below == nil {
			k.Below = make(map[int32]*FilteredChildren)
		}
		k.Below[index] = k.Below[index].withPath(path[1:])
	}
	return k
}

// MaxUses is the number of nodes that Uses and Nodes find at the most.
const MaxUses = 1000

// firstReport is the number of nodes that are read before the first report; the next is after twice as many.
const firstReport = 4096

// Uses finds the nodes of a document with a link to a node, or to one below it. found is called with the nodes so far,
// from time to time and at the end.
func Uses(ctx context.Context, d *model.Document, target *model.Node, found func([]Named)) error {
	to := target.Path()
	return collectNodes(ctx, d, found, func(n *model.Node) bool {
		l := n.Link
		if l == nil || l.File != "" || n == target {
			return false
		}
		if l.Target == nil {
			return l.Key != "" && l.Key == target.Key
		}
		path, ok := l.Target()
		return ok && len(path) >= len(to) && path[:len(to)].Equal(to) && !n.Path().Equal(to)
	})
}

// Nodes finds the nodes of a document that match a query, as Uses does. An asset, its entry in an index and the fields
// that hold its name are found once: as the asset.
func Nodes(ctx context.Context, d *model.Document, q *Query, found func([]Named)) error {
	return collectNodes(ctx, d, func(matches []Named) { found(mergeItems(d, matches)) }, q.Match)
}

// item is the item that a node represents to the user.
type item struct{ key, name string }

// mergeItems removes nodes that represent the same item as another one. The largest of them remains.
func mergeItems(d *model.Document, matches []Named) []Named {
	var out []Named
	indexes := make(map[item]int)
	for _, n := range matches {
		t := item{n.key, n.Name}
		if n.namedItem != (item{}) {
			t = n.namedItem
		}
		i, ok := indexes[t]
		switch {
		case t.key == "":
			out = append(out, n)
		case !ok:
			indexes[t] = len(out)
			out = append(out, largerTarget(d, n))
		case n.namedItem == (item{}) && n.size > out[i].size:
			out[i] = n
		}
	}
	return out
}

// largerTarget returns the target of a node if that has the same key and is larger, such as the asset of an entry in an
// index; else the node.
func largerTarget(d *model.Document, entry Named) Named {
	n := d.At(entry.Path)
	if n == nil || n.Key == "" || n.Link == nil || n.Link.Target == nil || n.Link.File != "" {
		return entry
	}
	path, ok := n.Link.Target()
	if !ok {
		return entry
	}
	if to := d.At(path); to != nil && to.Key == n.Key && to.Size > n.Size {
		return namedNode(to)
	}
	return entry
}

// maxNameDepth is the number of ancestors of a name field that are checked for its item.
const maxNameDepth = 6

// itemNamedBy returns the item around a node that has the node's value as its name.
func itemNamedBy(n *model.Node) item {
	text, ok := n.Value.(string)
	if !ok || text == "" {
		return item{}
	}
	for range maxNameDepth {
		if n = n.Parent; n == nil {
			break
		}
		if n.Key != "" && n.DisplayName() == text {
			return item{n.Key, text}
		}
	}
	return item{}
}

func collectNodes(ctx context.Context, d *model.Document, found func([]Named), match func(n *model.Node) bool) error {
	var matches []Named
	count, next, reported := 0, firstReport, 0
	defer d.ReadUntil(ctx)()
	err := model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if count++; count%256 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if n.Parent != nil && match(n) {
			hit := namedNode(n)
			hit.namedItem = itemNamedBy(n)
			matches = append(matches, hit)
		}
		if count == next {
			next *= 2
			if len(matches) > reported {
				reported = len(matches)
				found(matches[:reported:reported])
			}
		}
		if len(matches) == MaxUses {
			return false, errEnough
		}
		return true, nil
	}, nil)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	found(matches)
	return nil
}
