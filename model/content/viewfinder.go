package content

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"assay/model"
	"assay/model/scene"
	"assay/model/text"
)

// ViewFinder finds the views of nodes of documents: the format's own, the content of an asset, else bytes.
type ViewFinder struct {
	// Open opens a file inside a file; nil leaves such files out.
	Open model.Opener
}

// FoundView is the view of a node.
type FoundView struct {
	View model.View
	// Asset is the index of the displayed asset among the payloads of the document, or -1.
	Asset int

	file *model.Source // a file of its own that the view reads
}

// Close ends the use of the view.
func (v *FoundView) Close() {
	if v.file != nil {
		v.file.Close()
		v.file = nil
	}
}

// nestedLimit is the limit for expanding an asset to display it.
const nestedLimit = 256 << 20

// Find returns the view of a node.
func (f *ViewFinder) Find(ctx context.Context, d *model.Document, n *model.Node) (FoundView, error) {
	assets, err := f.assets(ctx, d, n)
	if err != nil {
		return FoundView{Asset: -1}, err
	}
	only := -1
	if len(assets) == 1 {
		only = assets[0]
	}
	if only >= 0 && n.Parent != nil {
		if p := d.Payloads.At(only); HasView(p.MediaType) && isStored(p) {
			return f.content(ctx, d, only, p)
		}
	}
	if d.View != nil {
		if v, err := d.View(ctx, drawnNode(d, n, only)); v != nil || err != nil {
			return FoundView{View: v, Asset: -1}, err
		}
	}
	switch {
	case only >= 0 && isStored(d.Payloads.At(only)):
		return f.content(ctx, d, only, d.Payloads.At(only))
	case len(assets) > 0:
		if view, err := f.onlyView(ctx, d, assets); view.View != nil || err != nil {
			return view, err
		}
	}
	return f.fallbackView(ctx, d, n)
}

// drawnNode returns the node that is drawn instead of n: the node of its asset, else n.
func drawnNode(d *model.Document, n *model.Node, asset int) *model.Node {
	if asset < 0 {
		return n
	}
	to := d.Payloads.At(asset).Node
	if to == nil {
		return n
	}
	from, assetPath := n.Path(), to.Path()
	k := min(len(from), len(assetPath))
	if slices.Equal(from[:k], assetPath[:k]) { // it is the asset, a part of it, or an ancestor
		return n
	}
	return to
}

// isStored reports whether an asset is bytes of the file, not something that is made of them.
func isStored(p *model.Payload) bool {
	return p.Open != nil && p.Problem == "" && !p.IsDerived()
}

// assets lists the first assets of a node, up to a limit.
func (f *ViewFinder) assets(ctx context.Context, d *model.Document, n *model.Node) ([]int, error) {
	if d.Payloads == nil {
		return nil, nil
	}
	index, err := d.AssetIndex(ctx)
	if err != nil {
		return nil, err
	}
	return index.First(ctx, n, maxAssetsTried+1)
}

// content returns the view of the content of an asset: as a document, or by its kind.
func (f *ViewFinder) content(ctx context.Context, d *model.Document, i int, p *model.Payload) (
	view FoundView, err error) {
	view.Asset = i
	src, err := d.Nested(ctx, p, nestedLimit)
	if err != nil {
		return view, err
	}
	view.file = src
	defer func() {
		if view.View == nil {
			view.Close()
		}
	}()
	if f.Open == nil || KindOf(src).IsKnown() {
		view.View, err = View(ctx, src)
		return view, err
	}
	doc, err := f.Open(ctx, src)
	if err != nil {
		return view, err
	}
	if doc.View != nil {
		view.View, err = doc.View(ctx, doc.Root())
	}
	if view.View == nil && err == nil && doc.Payloads != nil {
		indexes := make([]int, min(doc.Payloads.Len(), maxAssetsTried))
		for k := range indexes {
			indexes[k] = k
		}
		var inner FoundView
		inner, err = (&ViewFinder{}).onlyView(ctx, doc, indexes)
		view.View = inner.View
	}
	if view.View != nil || err != nil {
		return view, err
	}
	if fields := PropertiesOf(MainNode(doc.Root())); fields != nil {
		view.View = fields
	} else {
		view.View, err = ReadBytes(ctx, src, model.Span{Size: src.Size()})
	}
	return view, err
}

// MainNode returns the only list of a file, such as its objects, or the file.
func MainNode(root *model.Node) *model.Node {
	var list *model.Node
	for i := range min(root.Len(), maxFieldsTried) {
		n := root.Child(i)
		if n.Leaf() || !strings.HasSuffix(n.Type, "[]") || n.Len() == 0 {
			continue
		}
		if list != nil {
			return root
		}
		list = n
	}
	return cmp.Or(list, root)
}

// maxFieldsTried is the number of fields of a file that MainNode looks at.
const maxFieldsTried = 32

// maxAssetsTried is the number of assets that are tried to find the only one with a view.
const maxAssetsTried = 200

// onlyView returns the view of the only one of some assets that the format draws, or no view if it draws several.
func (f *ViewFinder) onlyView(ctx context.Context, d *model.Document, assets []int) (view FoundView, err error) {
	view.Asset = -1
	if d.View == nil {
		return view, nil
	}
	var span model.Span
	for _, i := range assets[:min(len(assets), maxAssetsTried)] {
		p := d.Payloads.At(i)
		if p.Node == nil || p.Node.Parent == nil || view.View != nil && p.Stored.Overlaps(span) {
			continue
		}
		v, err := d.View(ctx, p.Node)
		switch {
		case ctx.Err() != nil:
			return FoundView{Asset: -1}, ctx.Err()
		case v == nil || err != nil:
			continue
		case view.View != nil:
			return FoundView{Asset: -1}, nil
		}
		view, span = FoundView{View: v, Asset: i}, p.Stored
	}
	return view, nil
}

// fallbackView returns the view of a node that is not an asset and is not drawn: a string as text, unless it is empty
// or not UTF-8; else its bytes, or no view without any.
func (f *ViewFinder) fallbackView(ctx context.Context, d *model.Document, n *model.Node) (FoundView, error) {
	if s, ok := n.Value.(string); ok && n.Leaf() && len(s) > 0 && n.Raw() == nil {
		return FoundView{View: text.Decode([]byte(s[:min(len(s), text.MaxBytes)]), n.Name), Asset: -1}, nil
	}
	if n.Size <= 0 || !n.Within(d.Source.Size()) {
		return FoundView{Asset: -1}, nil
	}
	b, err := ReadBytes(ctx, d.Source, n.Span)
	if err != nil {
		return FoundView{Asset: -1}, err
	}
	return FoundView{View: b, Asset: -1}, nil
}

// Origin is the part of a document that is exported when the user saves the view as a file.
type Origin struct {
	Node *model.Node // nil if the view is not of an asset
	Name string      // of the asset; empty: there are several
}

// maxAssetsCompared is the number of assets of a node that are compared with the displayed scene.
const maxAssetsCompared = 32

// Origin returns the asset of a node's view. If a node is drawn with its surroundings, the assets belong to its nearest
// ancestor with assets; of several, Origin returns the asset with as many parts as the scene.
func (f *ViewFinder) Origin(ctx context.Context, d *model.Document, n *model.Node, view FoundView) Origin {
	if view.Asset >= 0 {
		return originOf(d, view.Asset, n)
	}
	for ancestor := n; ancestor != nil; ancestor = ancestor.Parent {
		assets, err := f.assets(ctx, d, ancestor)
		switch {
		case err != nil || len(assets) == 0 && !isDrawn(view.View):
			return Origin{}
		case len(assets) == 0:
			continue
		case len(assets) == 1:
			return originOf(d, assets[0], ancestor)
		}
		if i, ok := sameSizeAsset(ctx, d, assets, view.View); ok {
			return originOf(d, i, ancestor)
		}
		return Origin{Node: ancestor}
	}
	return Origin{}
}

func originOf(d *model.Document, i int, n *model.Node) Origin {
	p := d.Payloads.At(i)
	if p.Node != nil {
		n = p.Node
	}
	return Origin{n, path.Base(p.Name)}
}

// isDrawn reports whether a view is more than the bytes, the text or the fields of its node.
func isDrawn(v model.View) bool {
	if v == nil {
		return false
	}
	switch v.ViewKind() {
	case model.BytesView, model.TextView, model.PropertiesView:
		return false
	}
	return true
}

// sameSizeAsset returns the asset that has as many parts as a scene has.
func sameSizeAsset(ctx context.Context, d *model.Document, assets []int, v model.View) (int, bool) {
	whole, ok := v.(*scene.Scene)
	if !ok || len(assets) > maxAssetsCompared {
		return 0, false
	}
	for _, i := range assets {
		p := d.Payloads.At(i)
		if p.Node == nil || p.Node.Parent == nil {
			continue
		}
		if view, err := d.View(ctx, p.Node); err == nil {
			if s, ok := view.(*scene.Scene); ok && countNodes(s) == countNodes(whole) {
				return i, true
			}
		}
	}
	return 0, false
}

func countNodes(s *scene.Scene) (n int) {
	s.Walk(func(*scene.Node, scene.Matrix) { n++ })
	return n
}
