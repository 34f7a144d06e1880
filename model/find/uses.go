package find

import (
	"context"
	"errors"

	"assay/model"
)

// UsesMost is the number of nodes that Uses and Nodes find at the most.
const UsesMost = 1000

// reportFirst is the number of nodes that are looked at before the first report; the next is after twice as many.
const reportFirst = 4096

// Uses finds the nodes of a document that lead to a node, or to what is in it. found is called with what has been found
// so far, now and then and at the end.
func Uses(ctx context.Context, d *model.Document, of *model.Node, found func([]Named)) error {
	to := of.Path()
	return gather(ctx, d.Root(), found, func(n *model.Node) bool {
		l := n.Link
		if l == nil || l.File != "" || n == of {
			return false
		}
		if l.Target == nil {
			return l.Key != "" && l.Key == of.Key
		}
		path, ok := l.Target()
		return ok && len(path) >= len(to) && path[:len(to)].Equal(to) && !n.Path().Equal(to)
	})
}

// Nodes finds the nodes of a document that match a query, as Uses does. An asset, its entry in an index and the fields
// that hold its name are found once: as the asset.
func Nodes(ctx context.Context, d *model.Document, q *Query, found func([]Named)) error {
	return gather(ctx, d.Root(), func(all []Named) { found(things(d, all)) }, q.Match)
}

// thing is what a node stands for to whoever looks for it.
type thing struct{ key, name string }

// things returns nodes without those that stand for the same as one before. The one that is left is the largest of
// them.
func things(d *model.Document, all []Named) []Named {
	var out []Named
	at := make(map[thing]int)
	for _, n := range all {
		t := thing{n.key, n.Name}
		if n.nameOf != (thing{}) {
			t = n.nameOf
		}
		i, there := at[t]
		switch {
		case t.key == "":
			out = append(out, n)
		case !there:
			at[t] = len(out)
			out = append(out, asset(d, n))
		case n.nameOf == (thing{}) && n.size > out[i].size:
			out[i] = n
		}
	}
	return out
}

// asset is what a node leads to if that has the same key and is larger, such as the asset of an entry in an index; else
// the node.
func asset(d *model.Document, entry Named) Named {
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

// nameMost is how far above the field with its name a thing is looked for.
const nameMost = 6

// nameOf is the thing around a node that has the node's value as its name.
func nameOf(n *model.Node) thing {
	text, ok := n.Value.(string)
	if !ok || text == "" {
		return thing{}
	}
	for range nameMost {
		if n = n.Parent; n == nil {
			break
		}
		if n.Key != "" && n.CallName() == text {
			return thing{n.Key, text}
		}
	}
	return thing{}
}

func gather(ctx context.Context, root *model.Node, found func([]Named), match func(n *model.Node) bool) error {
	var all []Named
	seen, next, reported := 0, reportFirst, 0
	err := model.Walk(root, func(n *model.Node) (bool, error) {
		if seen++; seen%256 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if n.Parent != nil && match(n) {
			hit := namedNode(n)
			hit.nameOf = nameOf(n)
			all = append(all, hit)
		}
		if seen == next {
			next *= 2
			if len(all) > reported {
				reported = len(all)
				found(all[:reported:reported])
			}
		}
		if len(all) == UsesMost {
			return false, errEnough
		}
		return true, nil
	}, nil)
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	found(all)
	return nil
}
