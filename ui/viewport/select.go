package viewport

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

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

// hidden holds the hidden pieces of both models of a viewport.
type hidden struct{ first, second hiddenPieces }

// hiddenPieces describes the hidden pieces of a model: those in pieces and, if isolated has a node, everything outside
// of isolated.
type hiddenPieces struct {
	isolated render.Piece
	pieces   []render.Piece
}

func (h *hiddenPieces) hasHidden() bool { return h.isolated.Node != nil || len(h.pieces) > 0 }

// hide hides the selection, here and in all joined viewports.
func (v *Viewport) hide() { v.forJoined((*Viewport).hideOwn) }

// isolate hides everything but the selection, in all of them.
func (v *Viewport) isolate() { v.forJoined((*Viewport).isolateOwn) }

// showAll makes all pieces visible, in all of them.
func (v *Viewport) showAll() {
	v.forJoined(func(o *Viewport) {
		o.hidden = hidden{}
		o.showHidden()
	})
}

// forJoined calls do for the viewport and the joined ones.
func (v *Viewport) forJoined(do func(v *Viewport)) {
	do(v)
	for _, o := range v.joins {
		do(o)
	}
}

// selections returns the selection in both models, without a node where it does not exist.
func (v *Viewport) selections() (first, second render.Piece) {
	if v.HasSelection == nil || v.HasSelection() {
		first = v.SelectedPiece()
	}
	if v.second != nil {
		second.Node = v.second.selected
	}
	return first, second
}

// drawsSelection reports whether the selection is drawn.
func (v *Viewport) drawsSelection() bool {
	first, second := v.selections()
	return v.model != nil && v.model.Draws(first) || v.otherModel() != nil && v.otherModel().Draws(second)
}

// canHide reports whether the selection is drawn in one of the viewports.
func (v *Viewport) canHide() (possible bool) {
	v.forJoined(func(o *Viewport) { possible = possible || o.drawsSelection() })
	return possible
}

// hasHiddenPieces reports whether there are hidden pieces in one of the viewports.
func (v *Viewport) hasHiddenPieces() (hidden bool) {
	v.forJoined(func(o *Viewport) { hidden = hidden || o.hidden.first.hasHidden() || o.hidden.second.hasHidden() })
	return hidden
}

func (v *Viewport) hideOwn() {
	first, second := v.selections()
	if first.Node != nil {
		v.hidden.first.pieces = append(v.hidden.first.pieces, first)
		v.outline(render.Piece{})
	}
	if second.Node != nil {
		v.hidden.second.pieces = append(v.hidden.second.pieces, second)
		v.second.selected = nil
	}
	v.showHidden()
}

// isolateOwn shows and frames only the selection, and nothing of a model without it.
func (v *Viewport) isolateOwn() {
	first, second := v.selections()
	v.hidden.first.isolate(v.model, first)
	v.hidden.second.isolate(v.otherModel(), second)
	if v.showHidden(); first.Node != nil {
		v.FrameSelection()
	}
}

func (h *hiddenPieces) isolate(m *render.Model, p render.Piece) {
	if h.isolated = p; p.Node == nil && m != nil {
		h.pieces = nil
		for _, n := range m.Scene().Roots {
			h.pieces = append(h.pieces, render.Piece{Node: n})
		}
	}
}

// showHidden shows both models without their hidden pieces.
func (v *Viewport) showHidden() {
	v.freezeCamera()
	first, second := v.hidden.first, v.hidden.second
	first.pieces, second.pieces = slices.Clone(first.pieces), slices.Clone(second.pieces)
	secondModel, undrawn := v.otherModel(), v.showsUndrawn
	v.change(func(m *render.Model) {
		m.ShowsUndrawn = undrawn
		m.Show(first.isolated, first.pieces)
		if secondModel != nil {
			secondModel.Show(second.isolated, second.pieces)
		}
	})
	v.describe()
}

// otherModel returns the second model, or nil.
func (v *Viewport) otherModel() *render.Model {
	if v.second == nil {
		return nil
	}
	return v.second.model
}

// tag is a short text over the picture, with an optional background for contrast.
type tag struct {
	text       *canvas.Text
	background *canvas.Rectangle
}

func newTag() *tag {
	t := &tag{text: canvas.NewText("", nil), background: canvas.NewRectangle(nil)}
	t.background.CornerRadius = 3
	t.hide()
	return t
}

// set displays a text at a position in a color or, if that is nil, with a background and beside the position.
func (t *tag) set(text string, pos fyne.Position, ink color.Color) {
	hasBackground := ink == nil
	if t.text.Color = ink; hasBackground {
		t.text.Color = theme.Color(theme.ColorNameForeground)
	}
	t.text.Text, t.text.TextSize = text, theme.CaptionTextSize()
	size := t.text.MinSize()
	t.text.Resize(size)
	if t.background.Hidden = !hasBackground; hasBackground {
		t.background.FillColor = plateColor()
		t.background.Resize(size.AddWidthHeight(2*labelEdge, 2))
		t.background.Move(pos)
		t.background.Refresh()
		pos = pos.AddXY(labelEdge, 1)
	}
	t.text.Move(pos)
	t.text.Hidden = false
	t.text.Refresh()
}

// showBeside displays a text beside a position of an area; an empty one hides the tag.
func (t *tag) showBeside(text string, pos fyne.Position, area fyne.Size) {
	const gap = 14 // distance from the pointer
	if text == "" {
		t.hide()
		return
	}
	size := fyne.MeasureText(text, theme.CaptionTextSize(), fyne.TextStyle{}).AddWidthHeight(2*labelEdge, 2)
	x, y := max(min(pos.X+gap, area.Width-size.Width), 0), pos.Y+gap
	if y+size.Height > area.Height {
		y = pos.Y - size.Height - labelEdge
	}
	t.set(text, fyne.NewPos(x, y), nil)
}

func (t *tag) hide() {
	t.text.Hide()
	t.background.Hide()
}

// visibleText returns the displayed text, or "".
func (t *tag) visibleText() string {
	if t.text.Hidden {
		return ""
	}
	return t.text.Text
}
