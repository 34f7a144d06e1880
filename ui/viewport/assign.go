package viewport

import (
	"slices"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
)

// Assigner gives materials to parts of the scene by hand. A viewport without one offers none of that.
type Assigner interface {
	// Ask asks for a material or a picture for parts of a scene.
	Ask(s *scene.Scene, to []model.Wearer)
	// Assign gives parts a material or a picture.
	Assign(s *scene.Scene, to []model.Wearer, m model.Material)
	// Remove takes back what was assigned to parts; Assigned reports whether something was.
	Remove(s *scene.Scene, to []model.Wearer)
	Assigned(s *scene.Scene, to []model.Wearer) bool
}

// wearersMost is how many nodes below a selected one are assigned to at once.
const wearersMost = 1000

// assigns reports whether materials can be given to parts of the scene.
func (v *Viewport) assigns() bool {
	return v.Assigner != nil && v.model != nil && v.model.Scene().Materials != nil
}

// wearers are the selected parts as an assignment names them.
func (v *Viewport) wearers() []model.Wearer {
	if !v.assigns() {
		return nil
	}
	return wearersOf(v.SelectedPiece())
}

func wearersOf(p render.Piece) (all []model.Wearer) {
	if p.Node == nil {
		return nil
	}
	if p.Part != nil {
		return []model.Wearer{wearer(p.Node, slices.Index(p.Node.Mesh.Parts, p.Part))}
	}
	(&scene.Scene{Roots: []*scene.Node{p.Node}}).Walk(func(n *scene.Node, _ scene.Matrix) {
		if w := wearer(n, model.AllParts); n.Mesh != nil && w.Node+w.Mesh != "" && len(all) < wearersMost {
			all = append(all, w)
		}
	})
	return all
}

// wearer names a part of a node's mesh. A mesh that is looked at by itself is on no node of the file: all nodes with it
// are meant.
func wearer(n *scene.Node, part int) model.Wearer {
	w := model.Wearer{Node: n.Name, Part: part}
	if n.Mesh != nil {
		w.Mesh, w.File = n.Mesh.Name, n.Mesh.File
	}
	if n.Offset == 0 && n.Name == w.Mesh {
		w.Node = ""
	}
	return w
}

func (v *Viewport) canAssign() bool { return len(v.wearers()) > 0 }

// Assign asks for a material or a picture for what is selected, and reports whether something is.
func (v *Viewport) Assign() bool {
	if !v.canAssign() {
		return false
	}
	v.Assigner.Ask(v.model.Scene(), v.wearers())
	return true
}

func (v *Viewport) canUnassign() bool {
	return v.canAssign() && v.Assigner.Assigned(v.model.Scene(), v.wearers())
}

// At returns the scene and the parts of it that are seen at a position of the window, as an assignment names them; no
// parts where there are none.
func (v *Viewport) At(at fyne.Position) (*scene.Scene, []model.Wearer) {
	from := fyne.CurrentApp().Driver().AbsolutePositionForObject(v.canvas)
	at = at.Subtract(from)
	inside := at.X >= 0 && at.Y >= 0 && at.X < v.canvas.size.Width && at.Y < v.canvas.size.Height
	if !v.assigns() || !inside || !v.canvas.Visible() {
		return nil, nil
	}
	return v.model.Scene(), wearersOf(pieceOf(v.under(v.canvas.pixel(at))))
}

// techniques are the materials that a file has drawn in several ways: those of what is selected, else of the scene.
func (v *Viewport) techniques() (all []*scene.Material) {
	if !v.assigns() {
		return nil
	}
	const most = 40
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
				len(all) < most && !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	})
	return all
}

// techniqueItems are the techniques of a material, or of several below their names.
func (v *Viewport) techniqueItems() (items []item) {
	all := v.techniques()
	if len(all) == 1 {
		return techniquesOf(all[0])
	}
	for _, m := range all {
		items = append(items, item{Label: model.OneLine(m.Name, nameMost),
			Action: action{Under: func(*Viewport) []item { return techniquesOf(m) }}})
	}
	return items
}

func techniquesOf(m *scene.Material) (items []item) {
	const most = 40
	for i, name := range m.Techniques[:min(len(m.Techniques), most)] {
		items = append(items, item{Label: model.OneLine(name, nameMost), Action: action{
			On: func(*Viewport) bool { return i == m.Technique },
			Do: func(v *Viewport) {
				has := model.Material{File: m.Origin.File, ID: m.Origin.ID}
				wears := has
				wears.Technique = name
				v.Assigner.Assign(v.model.Scene(), []model.Wearer{{Has: has}}, wears)
			}}})
	}
	return items
}

// Renew shows another reading of the scene that is shown. The camera stays, and so does what is played, selected and
// hidden, as far as it is there.
func (v *Viewport) Renew(m *render.Model) {
	before, keep, selected, hidden, camera := v.model, v.Keep, v.SelectedPiece(), v.hidden.first, v.camera.Camera
	look := v.camera
	if before == nil || len(before.Pose().Nodes) != len(m.Pose().Nodes) {
		v.SetModel(m)
		return
	}
	v.Keep = true
	v.SetModel(m)
	v.Keep = keep
	again := func(p render.Piece) render.Piece { return pieceIn(before, m, p) }
	v.camera.Camera, v.camera.Joint = again(render.Piece{Node: camera}).Node, again(render.Piece{Node: look.Joint}).Node
	v.outline(again(selected))
	v.hidden.first.only = again(hidden.only)
	for _, p := range hidden.pieces {
		v.hidden.first.pieces = append(v.hidden.first.pieces, again(p))
	}
	if v.hidden.first.some() {
		v.showHidden()
	}
	v.describe()
	v.change(func(m *render.Model) { m.SetFraming(before.Framing()) })
}

// pieceIn returns the piece of a model that another reading of its scene has in the place of one; without a node if
// there is none.
func pieceIn(before, m *render.Model, p render.Piece) render.Piece {
	i := before.Pose().Index(p.Node)
	if i < 0 || i >= len(m.Pose().Nodes) || m.Pose().Nodes[i].Name != p.Node.Name {
		return render.Piece{}
	}
	n := m.Pose().Nodes[i]
	if p.Part == nil {
		return render.Piece{Node: n}
	}
	part := slices.Index(p.Node.Mesh.Parts, p.Part)
	if n.Mesh == nil || part < 0 || part >= len(n.Mesh.Parts) {
		return render.Piece{}
	}
	return render.Piece{Node: n, Part: n.Mesh.Parts[part]}
}
