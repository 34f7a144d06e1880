package find

import (
	"context"
	"errors"

	"assay/model"
	"assay/model/archive"
)

// manyAssets is the minimum number of assets whose names are searched before all else.
const manyAssets = 5000

// hasManyAssets reports whether searching the names of a document's assets is much quicker than searching its nodes.
func hasManyAssets(d *model.Document) bool {
	describer, ok := d.Payloads.(model.Describer)
	return ok && describer.Len() >= manyAssets
}

// Assets finds the nodes of the assets that have the query's words in their names, at most limit of them. For queries
// with conditions, and in documents with less than manyAssets assets or without a Describer, it returns no nodes.
// assets has the names; while they are read, progress is called with their number so far.
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
func (f *FilteredChildren) withPath(path model.Path) *FilteredChildren {
	if f == nil {
		f = &FilteredChildren{}
	}
	index := int32(path[0])
	if n := len(f.Index); n == 0 || f.Index[n-1] != index {
		f.Index = append(f.Index, index)
	}
	if len(path) > 1 {
		if f.Below == nil {
			f.Below = make(map[int32]*FilteredChildren)
		}
		f.Below[index] = f.Below[index].withPath(path[1:])
	}
	return f
}

// MaxNodes is the number of nodes that Uses and Nodes find at the most.
const MaxNodes = 1000

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
		if len(matches) == MaxNodes {
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
