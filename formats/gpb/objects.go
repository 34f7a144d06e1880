package gpb

import (
	"assay/model"
)

// nodeKey is where the node of an object begins, and its type.
type nodeKey struct {
	offset int64
	typ    string
}

// objectIndex is objects by their nodes.
type objectIndex map[nodeKey]Object

// ObjectAt returns the object that a node is, a *Scene, *Mesh, *Skin, *Font, *FontSize, *Animation or *Channel; nil if
// it is none of these. It is safe for use by several goroutines.
func (b *Bundle) ObjectAt(n *model.Node) Object { return b.objects()[nodeKey{n.Offset, n.Type}] }

// indexObjects returns the objects that have nodes of their own.
func (b *Bundle) indexObjects() objectIndex {
	x := make(objectIndex)
	for _, o := range b.AllObjects() {
		switch o := o.(type) {
		case *Mesh:
			x.put(o.Span, TypeMesh.String(), o)
		case *Font:
			x.put(o.Span, TypeFont.String(), o)
			for _, s := range o.Sizes {
				if s.Span != o.Span {
					x.put(s.Span, FontSizeType, s)
				}
			}
		case *Scene:
			x.put(o.Span, TypeScene.String(), o)
		}
	}
	for n := range b.AllNodes() {
		if n.Model != nil && n.Model.Skin != nil {
			x.put(n.Model.Skin.Span, TypeMeshSkin.String(), n.Model.Skin)
		}
	}
	for _, a := range b.AllAnimations() {
		x.put(a.Span, TypeAnimation.String(), a)
		for _, c := range a.Channels {
			x.put(c.Span, TypeAnimationChannel.String(), c)
		}
	}
	return x
}

func (x objectIndex) put(bytes model.Span, typ string, o Object) { x[nodeKey{bytes.Offset, typ}] = o }
