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

// Nodes finds the nodes below a root that match a query, as Uses does.
func Nodes(ctx context.Context, root *model.Node, q Query, found func([]Named)) error {
	return gather(ctx, root, found, q.Match)
}

func gather(ctx context.Context, root *model.Node, found func([]Named), match func(n *model.Node) bool) error {
	var all []Named
	seen, next, told := 0, reportFirst, 0
	err := model.Walk(root, func(n *model.Node) (bool, error) {
		if seen++; seen%256 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if n.Parent != nil && match(n) {
			all = append(all, namedNode(n))
		}
		if seen == next {
			next *= 2
			if len(all) > told {
				told = len(all)
				found(all[:told:told])
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
