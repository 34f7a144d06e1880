package viewport

import (
	"slices"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/paint"
)

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
