package viewport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"slices"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
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
	origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(v.canvas)
	pos = pos.Subtract(origin)
	inside := pos.X >= 0 && pos.Y >= 0 && pos.X < v.canvas.size.Width && pos.Y < v.canvas.size.Height
	if !v.supportsAssigning() || !inside || !v.canvas.Visible() {
		return nil, nil
	}
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

// ReplaceModel replaces the model by a newly decoded one of the same scene. The camera, the animation, the selection
// and hidden pieces are kept as far as they still exist.
func (v *Viewport) ReplaceModel(m *render.Model) {
	previous, keepsCamera, selected, hidden := v.model, v.Keep, v.SelectedPiece(), v.hidden.first
	view := v.camera
	if previous == nil || len(previous.Pose().Nodes) != len(m.Pose().Nodes) {
		v.SetModel(m)
		return
	}
	v.Keep = true
	v.SetModel(m)
	v.Keep = keepsCamera
	counterpart := func(p render.Piece) render.Piece { return counterpartOf(previous, m, p) }
	v.camera.Camera, v.camera.Joint = counterpart(render.Piece{Node: view.Camera}).Node,
		counterpart(render.Piece{Node: view.Joint}).Node
	v.outline(counterpart(selected))
	v.hidden.first.isolated = counterpart(hidden.isolated)
	for _, p := range hidden.pieces {
		v.hidden.first.pieces = append(v.hidden.first.pieces, counterpart(p))
	}
	if v.hidden.first.hasHidden() {
		v.showHidden()
	}
	v.describe()
	v.change(func(m *render.Model) { m.SetFraming(previous.Framing()) })
}

// counterpartOf returns the counterpart of a piece in the model of another decode of the same scene, or a piece without
// a node.
func counterpartOf(previous, m *render.Model, p render.Piece) render.Piece {
	i := previous.Pose().Index(p.Node)
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

// maxPictureEdge is the longer edge of the largest saved picture, in pixels.
const maxPictureEdge = 8192

// pictureSizes returns the sizes for saving a picture: as displayed, multiples, and common sizes.
func (v *Viewport) pictureSizes() (all []image.Point) {
	displayedSize := v.canvas.pixels()
	for _, times := range []int{1, 2, 4} {
		size := displayedSize.Mul(times)
		if longest := max(size.X, size.Y); longest > maxPictureEdge {
			size = image.Pt(size.X*maxPictureEdge/longest, size.Y*maxPictureEdge/longest)
		}
		all = append(all, size)
	}
	return append(all, image.Pt(1920, 1080), image.Pt(1024, 1024))
}

// saveItems returns the sizes for saving a picture.
func (v *Viewport) saveItems() []item {
	items := func(transparent bool) (all []item) {
		for _, size := range v.pictureSizes() {
			all = append(all, item{Label: fmt.Sprintf("%d × %d…", size.X, size.Y),
				Action: action{Do: func(v *Viewport) { v.save(size, transparent) }}})
		}
		return all
	}
	return append(items(false), item{Label: "Transparent Background", Line: true,
		Action: action{Submenu: func(*Viewport) []item { return items(true) }}})
}

// save asks for a file and saves the picture.
func (v *Viewport) save(size image.Point, transparent bool) {
	if v.model == nil {
		return
	}
	v.play.stop()
	v.setTurning(false)
	view := v.camera
	view.Marks.Selected, view.Marks.Part, view.Marks.Point = nil, nil, nil
	if view.Background = v.background(); transparent {
		view.Background = color.NRGBA{}
	}
	m, ctx := v.model, v.group.Context()
	title := ""
	if v.Title != nil {
		title = v.Title()
	}
	v.host.Save(cmp.Or(title, m.Scene().Name, "scene")+".png", func(out io.Writer) error {
		img, err := v.drawStill(ctx, m, view, size)
		if err != nil {
			return err
		}
		return png.Encode(out, img)
	})
}

// drawStill draws a picture of the model. It must not be called on the UI thread: only the drawer's loop draws the
// model, and it runs this between two pictures.
func (v *Viewport) drawStill(ctx context.Context, m *render.Model, view render.View, size image.Point,
) (image.Image, error) {
	out := image.NewRGBA(image.Rectangle{Max: size})
	ended := make(chan error, 1)
	v.group.Do(ctx, func() {
		if v.model != m {
			ended <- errors.New("the scene changed; save the image again")
			return
		}
		v.change(func(m *render.Model) {
			img := image.NewNRGBA(out.Rect)
			r := render.Renderer{Samples: 3, Soft: true}
			if err := r.Draw(ctx, img, m, view); err != nil {
				ended <- err
				return
			}
			draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
			v.group.Do(ctx, func() {
				v.writeLabels(out, r.Labels)
				ended <- nil
			})
		})
	})
	select {
	case err := <-ended:
		return out, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
