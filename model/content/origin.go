package content

import (
	"context"
	"path"

	"assay/model"
	"assay/model/scene"
)

// Origin is the part of a document that leaves it when what is seen is taken out as a file.
type Origin struct {
	Node *model.Node // nil: what is seen is not of an asset
	Name string      // of the asset; empty: there are several
}

// originMost is how many assets of a node are compared with the scene that is seen.
const originMost = 32

// Origin returns the asset that is seen of a node. A node that is drawn with what is around it stands for the assets
// there; of several, for the one with as much in it as is seen.
func (l *ViewFinder) Origin(ctx context.Context, d *model.Document, n *model.Node, seen FoundView) Origin {
	if seen.Asset >= 0 {
		return asset(d, seen.Asset, n)
	}
	for at := n; at != nil; at = at.Parent {
		assets, err := l.assets(ctx, d, at)
		switch {
		case err != nil || len(assets) == 0 && !drawn(seen.View):
			return Origin{}
		case len(assets) == 0:
			continue
		case len(assets) == 1:
			return asset(d, assets[0], at)
		}
		if i, ok := widest(ctx, d, assets, seen.View); ok {
			return asset(d, i, at)
		}
		return Origin{Node: at}
	}
	return Origin{}
}

func asset(d *model.Document, i int, n *model.Node) Origin {
	p := d.Payloads.At(i)
	if p.Node != nil {
		n = p.Node
	}
	return Origin{n, path.Base(p.Name)}
}

// drawn reports whether a view is more than the bytes, the text or the fields of its node.
func drawn(v model.View) bool {
	if v == nil {
		return false
	}
	switch v.ViewKind() {
	case model.BytesView, model.TextView, model.PropertiesView:
		return false
	}
	return true
}

// widest returns the asset that has as many parts as a scene has.
func widest(ctx context.Context, d *model.Document, assets []int, v model.View) (int, bool) {
	whole, ok := v.(*scene.Scene)
	if !ok || len(assets) > originMost {
		return 0, false
	}
	for _, i := range assets {
		p := d.Payloads.At(i)
		if p.Node == nil || p.Node.Parent == nil {
			continue
		}
		if own, err := d.View(ctx, p.Node); err == nil {
			if s, ok := own.(*scene.Scene); ok && parts(s) == parts(whole) {
				return i, true
			}
		}
	}
	return 0, false
}

func parts(s *scene.Scene) (n int) {
	s.Walk(func(*scene.Node, scene.Matrix) { n++ })
	return n
}
