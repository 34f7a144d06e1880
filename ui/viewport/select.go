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

// Selected returns the node that is outlined, or nil.
func (v *Viewport) Selected() *scene.Node { return v.camera.Marks.Selected }

// SelectedPiece returns the outlined piece: a node, or a part of its mesh.
func (v *Viewport) SelectedPiece() render.Piece {
	return render.Piece{Node: v.camera.Marks.Selected, Part: v.camera.Marks.Part}
}

// outline sets the piece to outline in the next picture, and removes the point.
func (v *Viewport) outline(p render.Piece) {
	m := &v.camera.Marks
	m.Selected, m.Part, m.Point = p.Node, p.Part, nil
}

// Select outlines a node of the scene; nil removes the outline. An outlined part of it stays.
func (v *Viewport) Select(n *scene.Node) {
	if v.camera.Marks.Selected != n || v.camera.Marks.Point != nil {
		v.SelectPiece(render.Piece{Node: n})
	}
}

// SelectPiece outlines a piece of the scene; one without a node removes the outline.
func (v *Viewport) SelectPiece(p render.Piece) {
	if v.model == nil || v.SelectedPiece() == p && v.camera.Marks.Point == nil {
		return
	}
	v.outline(p)
	n := p.Node
	v.unwrap.choose(p)
	if n != nil && v.model.IsJoint(n) {
		v.camera.Joint = n
		v.describe()
	}
	v.redraw(false)
}

// SelectPoint outlines one of the points of a node, at a position relative to the node.
func (v *Viewport) SelectPoint(n *scene.Node, point [3]float32) {
	if v.model == nil {
		return
	}
	v.Select(n)
	v.camera.Marks.Point = &render.Point{Node: n, Position: point}
	v.redraw(false)
}

// itemAt returns the item at a pixel: a joint before the surface around it.
func (v *Viewport) itemAt(pos image.Point) render.Hit {
	f := v.displayed
	if v.model == nil || f.request == nil || f.request.model != v.model {
		return render.Hit{Point: -1}
	}
	x, y := int(float64(pos.X)/f.scale), int(float64(pos.Y)/f.scale)
	if j := f.jointAt(float64(x), float64(y), jointReach*float64(v.canvas.scale())/f.scale); j != nil {
		return render.Hit{Node: j.Node, Point: -1}
	}
	h := f.hits.At(v.model, x, y)
	if s := v.second; s != nil && f.secondHits != nil && (s.mode == control.Swipe &&
		float64(pos.X) < s.share*float64(v.canvas.pixels().X) || s.mode == control.Difference && h.Node == nil) {
		return f.secondHits.At(s.model, x, y)
	}
	return h
}

func (v *Viewport) tap(pos image.Point) {
	h := v.itemAt(pos)
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

// pieceOf returns the piece that a click on an item selects: the part, if the mesh has several.
func pieceOf(h render.Hit) render.Piece {
	if h.Node == nil || h.Node.Mesh == nil || len(h.Node.Mesh.Parts) < 2 {
		return render.Piece{Node: h.Node}
	}
	return render.Piece{Node: h.Node, Part: h.Part}
}

// widerSelection returns the node of a selected part, or the parent of a selected node, or a piece without a node.
func (v *Viewport) widerSelection() (p render.Piece) {
	if v.model == nil {
		return p
	}
	selected, pose := v.SelectedPiece(), v.model.Pose()
	switch i := pose.Index(selected.Node); {
	case selected.Part != nil:
		p.Node = selected.Node
	case i >= 0 && pose.Parent[i] >= 0:
		p.Node = pose.Nodes[pose.Parent[i]]
	}
	return p
}

// partName returns the name of a part of a mesh, or "" for all of it.
func partName(p render.Piece) string {
	if p.Part == nil {
		return ""
	}
	return fmt.Sprintf("part %d of %d", slices.Index(p.Node.Mesh.Parts, p.Part)+1, len(p.Node.Mesh.Parts))
}

// hover displays the name of the item under the pointer: the node, the part and its material, or the index of the
// point.
func (v *Viewport) hover(pos fyne.Position) {
	h := v.itemAt(v.canvas.pixel(pos))
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
	v.canvas.name(model.OneLine(strings.Join(words, " · "), maxName), pos)
}
