package viewport

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/control"
)

// Selected returns the node that is outlined; nil: none is.
func (v *Viewport) Selected() *scene.Node { return v.camera.Marks.Selected }

// SelectedPiece returns what is outlined: a node, or a part of its mesh.
func (v *Viewport) SelectedPiece() render.Piece {
	return render.Piece{Node: v.camera.Marks.Selected, Part: v.camera.Marks.Part}
}

// outline has a piece outlined in the next picture, and no point.
func (v *Viewport) outline(p render.Piece) {
	m := &v.camera.Marks
	m.Selected, m.Part, m.Point = p.Node, p.Part, nil
}

// Select outlines a node of the scene; nil outlines none. If a part of it is outlined, that stays.
func (v *Viewport) Select(n *scene.Node) {
	if v.camera.Marks.Selected != n || v.camera.Marks.Point != nil {
		v.SelectPiece(render.Piece{Node: n})
	}
}

// SelectPiece outlines a piece of the scene; one without a node outlines none.
func (v *Viewport) SelectPiece(p render.Piece) {
	if v.model == nil || v.SelectedPiece() == p && v.camera.Marks.Point == nil {
		return
	}
	v.outline(p)
	n := p.Node
	v.unwrap.choose(n)
	if n != nil && v.model.IsJoint(n) {
		v.camera.Joint = n
		v.describe()
	}
	v.redraw(false)
}

// SelectPoint outlines one of the points of a node, which is at a place of the node.
func (v *Viewport) SelectPoint(n *scene.Node, at [3]float32) {
	if v.model == nil {
		return
	}
	v.Select(n)
	v.camera.Marks.Point = &render.Point{Node: n, Position: at}
	v.redraw(false)
}

// under returns what is seen at a pixel: a joint before the surface that it is in.
func (v *Viewport) under(at image.Point) render.Hit {
	f := v.shown
	if v.model == nil || f.request == nil || f.request.model != v.model {
		return render.Hit{Point: -1}
	}
	x, y := int(float64(at.X)/f.scale), int(float64(at.Y)/f.scale)
	if j := f.jointAt(float64(x), float64(y), jointReach*float64(v.canvas.scale())/f.scale); j != nil {
		return render.Hit{Node: j.Node, Point: -1}
	}
	h := f.hits.At(v.model, x, y)
	if s := v.second; s != nil && f.behind != nil && (s.way == control.Swipe &&
		float64(at.X) < s.share*float64(v.canvas.pixels().X) || s.way == control.Difference && h.Node == nil) {
		return f.behind.At(s.model, x, y)
	}
	return h
}

func (v *Viewport) tap(at image.Point) {
	h := v.under(at)
	if v.second == nil {
		v.SelectPiece(pieceOf(h))
	}
	switch {
	case h.Point >= 0 && h.Node.Points != nil && h.Node.Points.List != nil && v.OnPoint != nil:
		v.OnPoint(h.Node, h.Point)
	case v.OnSelect != nil:
		v.OnSelect(h.Node)
	default:
		return
	}
	v.canvas.focus() // the keys stay here, though the tree shows the node
}

// pieceOf returns what a click on something picks: the part, if the mesh has several.
func pieceOf(h render.Hit) render.Piece {
	if h.Node == nil || h.Node.Mesh == nil || len(h.Node.Mesh.Parts) < 2 {
		return render.Piece{Node: h.Node}
	}
	return render.Piece{Node: h.Node, Part: h.Part}
}

// partName says which part of its mesh a piece is; empty if it is all of it.
func partName(p render.Piece) string {
	if p.Part == nil {
		return ""
	}
	return fmt.Sprintf("part %d of %d", slices.Index(p.Node.Mesh.Parts, p.Part)+1, len(p.Node.Mesh.Parts))
}

// hover names what is under the pointer: the node, the part and its material, or which of its points it is.
func (v *Viewport) hover(at fyne.Position) {
	h := v.under(v.canvas.pixel(at))
	var words []string
	if h.Node != nil && h.Node.Name != "" {
		words = append(words, h.Node.Name)
	}
	if part := partName(pieceOf(h)); part != "" {
		words = append(words, part)
	}
	if h.Material != "" {
		words = append(words, h.Material)
	}
	if h.Point >= 0 && h.Node.Points != nil && h.Node.Points.List != nil {
		words = append(words, fmt.Sprintf("%s[%d]", h.Node.Points.List.Name, h.Point))
	}
	v.canvas.name(model.OneLine(strings.Join(words, " · "), nameMost), at)
}
