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
	"assay/ui/paint"
)

// Selected returns the node that is outlined, or nil.
func (v *Viewport) Selected() *scene.Node { return v.view.Marks.Selected }

// SelectedPiece returns the outlined piece: a node, or a part of its mesh.
func (v *Viewport) SelectedPiece() render.Piece {
	return render.Piece{Node: v.view.Marks.Selected, Part: v.view.Marks.Part}
}

// outline sets the piece to outline in the next picture, and removes the point.
func (v *Viewport) outline(p render.Piece) {
	m := &v.view.Marks
	m.Selected, m.Part, m.Point = p.Node, p.Part, nil
}

// Select outlines a node of the scene; nil removes the outline. An outlined part of it stays.
func (v *Viewport) Select(n *scene.Node) {
	if v.view.Marks.Selected != n || v.view.Marks.Point != nil {
		v.SelectPiece(render.Piece{Node: n})
	}
}

// SelectPiece outlines a piece of the scene; one without a node removes the outline.
func (v *Viewport) SelectPiece(p render.Piece) {
	if v.model == nil || v.SelectedPiece() == p && v.view.Marks.Point == nil {
		return
	}
	v.outline(p)
	n := p.Node
	v.unwrap.choose(p)
	if n != nil && v.model.IsJoint(n) {
		v.view.Joint = n
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
	v.view.Marks.Point = &render.Point{Node: n, Position: point}
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

// Assigner assigns materials to parts of the scene. A viewport without one has no commands for it.
type Assigner interface {
	// Ask asks for a material or a picture for parts of a scene, and offers narrower, which are fewer parts, as the
	// alternative.
	Ask(s *scene.Scene, targets []model.Target, narrower ...model.Target)
	// Assign assigns a material or a picture to parts.
	Assign(s *scene.Scene, targets []model.Target, m model.Material)
	// Remove removes the assignments of parts; Assigned reports whether there are any.
	Remove(s *scene.Scene, targets []model.Target)
	Assigned(s *scene.Scene, targets []model.Target) bool
}

// maxTargets is the maximum number of descendants of a selected node in one assignment.
const maxTargets = 1000

// supportsAssigning reports whether materials can be assigned to parts of the scene.
func (v *Viewport) supportsAssigning() bool {
	return v.Assigner != nil && v.model != nil && v.model.Scene().Materials != nil
}

// targets returns the selected parts in the form that an assignment needs.
func (v *Viewport) targets() []model.Target {
	if !v.supportsAssigning() {
		return nil
	}
	return targetsOf(v.SelectedPiece())
}

func targetsOf(p render.Piece) (all []model.Target) {
	if p.Node == nil {
		return nil
	}
	if p.Part != nil {
		return []model.Target{p.Node.Target(slices.Index(p.Node.Mesh.Parts, p.Part))}
	}
	(&scene.Scene{Roots: []*scene.Node{p.Node}}).Walk(func(n *scene.Node, _ scene.Matrix) {
		if w := n.Target(model.AllParts); n.Mesh != nil && w.Node+w.Mesh != "" && len(all) < maxTargets {
			all = append(all, w)
		}
	})
	return all
}

func (v *Viewport) canAssign() bool { return len(v.targets()) > 0 }

// Assign asks for a material or a picture for the selection, and reports whether there is a selection. All parts of a
// character usually have one material.
func (v *Viewport) Assign() bool {
	if !v.canAssign() {
		return false
	}
	targets := v.targets()
	if p := v.SelectedPiece(); p.Part != nil && p.Node.Skin != nil {
		v.Assigner.Ask(v.model.Scene(), targetsOf(render.Piece{Node: p.Node}), targets...)
	} else {
		v.Assigner.Ask(v.model.Scene(), targets)
	}
	return true
}

func (v *Viewport) canUnassign() bool {
	return v.canAssign() && v.Assigner.Assigned(v.model.Scene(), v.targets())
}

// TargetsAt returns the scene and its visible parts at a position of the window, in the form that an assignment needs;
// the parts may be empty.
func (v *Viewport) TargetsAt(pos fyne.Position) (*scene.Scene, []model.Target) {
	if !v.supportsAssigning() || !paint.Contains(v.canvas, pos) || !v.canvas.Visible() {
		return nil, nil
	}
	pos = pos.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(v.canvas))
	return v.model.Scene(), targetsOf(pieceOf(v.itemAt(v.canvas.pixel(pos))))
}

// techniques returns the materials with several techniques in the selection, else in the scene.
func (v *Viewport) techniques() (all []*scene.Material) {
	if !v.supportsAssigning() {
		return nil
	}
	const maxMaterials = 40
	p := v.SelectedPiece()
	roots := v.model.Scene().Roots
	if p.Node != nil {
		roots = []*scene.Node{p.Node}
	}
	(&scene.Scene{Roots: roots}).Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil {
			return
		}
		for i, part := range n.Mesh.Parts {
			m := n.Material(i)
			if m != nil && len(m.Techniques) > 1 && m.Origin.File != "" && (p.Part == nil || p.Part == part) &&
				len(all) < maxMaterials && !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	})
	return all
}

// techniqueItems returns the techniques of a material, or of several below their names.
func (v *Viewport) techniqueItems() (items []item) {
	all := v.techniques()
	if len(all) == 1 {
		return techniquesOf(all[0])
	}
	for _, m := range all {
		items = append(items, item{Label: model.OneLine(m.Name, maxName),
			Action: action{Submenu: func(*Viewport) []item { return techniquesOf(m) }}})
	}
	return items
}

func techniquesOf(m *scene.Material) (items []item) {
	const maxItems = 40
	for i, name := range m.Techniques[:min(len(m.Techniques), maxItems)] {
		items = append(items, item{Label: model.OneLine(name, maxName), Action: action{
			IsChecked: func(*Viewport) bool { return i == m.Technique },
			Do: func(v *Viewport) {
				material := model.Material{File: m.Origin.File, ID: m.Origin.ID}
				withTechnique := material
				withTechnique.Technique = name
				v.Assigner.Assign(v.model.Scene(), []model.Target{{Has: material}}, withTechnique)
			}}})
	}
	return items
}
