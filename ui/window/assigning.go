package window

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/model"
	"assay/model/scene"
	"assay/model/userdata"
	"assay/ui/ask"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/preview"
	"assay/ui/rows"
	"assay/ui/viewport"
)

// assigner assigns materials to parts of models.
type assigner struct {
	w     *Window
	store *userdata.AssignmentStore // nil: assignments are not saved
}

var _ viewport.Assigner = (*assigner)(nil)

// viewportAssigner returns the Assigner of viewports, or nil if assignments are not saved.
func (w *Window) viewportAssigner() viewport.Assigner {
	if w.assigner.store == nil {
		return nil
	}
	return w.assigner
}

// assignmentsOf returns the assignments of a project. It notifies the user of an error.
func (a *assigner) assignmentsOf(project string) []model.Assignment {
	all, _, err := a.store.ForProject(project)
	if err != nil {
		a.notifyError(err)
	}
	return all
}

func (a *assigner) notifyError(err error) {
	a.w.Notify(host.Notice{ID: "assignments", Level: host.Error, Text: host.Sentence(err)})
}

// change replaces the assignments of a project as a step that can be undone; name is its name.
func (a *assigner) change(project, name string, assignments []model.Assignment) {
	old := a.assignmentsOf(project)
	if slices.Equal(old, assignments) || !a.save(project, assignments) {
		return
	}
	a.w.undo.add(step{name: name, revert: func() bool { return a.save(project, old) }})
}

// save saves the assignments of a project and updates the models. It returns false on failure.
func (a *assigner) save(project string, all []model.Assignment) bool {
	if err := a.store.Set(project, all); err != nil {
		a.notifyError(fmt.Errorf("cannot save the assignment: %w", err))
		return false
	}
	a.w.rereadProject(project)
	return true
}

// Assign implements viewport.Assigner.
func (a *assigner) Assign(s *scene.Scene, targets []model.Target, m model.Material) {
	project := s.Materials.Root()
	all := a.assignmentsOf(project)
	for _, target := range targets {
		all = userdata.Add(all, model.Assignment{To: target, Material: m})
	}
	a.change(project, "Assign "+materialName(m)+" to "+targetsName(targets), all)
}

// Remove implements viewport.Assigner.
func (a *assigner) Remove(s *scene.Scene, targets []model.Target) {
	project := s.Materials.Root()
	all := a.assignmentsOf(project)
	for _, target := range targets {
		all = userdata.Remove(all, target)
	}
	a.change(project, "Remove Assignment from "+targetsName(targets), all)
}

// Assigned implements viewport.Assigner.
func (a *assigner) Assigned(s *scene.Scene, targets []model.Target) bool {
	all, _, _ := a.store.ForProject(s.Materials.Root()) // the list of assignments has the error
	return slices.ContainsFunc(all, func(assignment model.Assignment) bool {
		return slices.ContainsFunc(targets, func(w model.Target) bool { return w.Covers(assignment.To) })
	})
}

func materialName(m model.Material) string {
	name := model.OneLine(m.Name(), 60)
	if m.Technique != "" {
		name += ", technique " + model.OneLine(m.Technique, 60)
	}
	return name
}

func targetsName(targets []model.Target) string {
	name := targetName(targets[0])
	if len(targets) > 1 {
		name += fmt.Sprintf(" and %d more", len(targets)-1)
	}
	return name
}

func targetName(target model.Target) string {
	if target.Has != (model.Material{}) {
		return "all parts that use " + model.OneLine(target.Has.Name(), 60)
	}
	name := model.OneLine(cmp.Or(target.Node, target.Mesh), 60)
	if target.Part != model.AllParts {
		return fmt.Sprintf("part %d of %s", target.Part+1, name)
	}
	return name
}

// Ask implements viewport.Assigner: it lists the materials and images of the project to choose from.
func (a *assigner) Ask(s *scene.Scene, targets []model.Target, narrower ...model.Target) {
	all := sync.OnceValue(func() []model.Material {
		found, _ := s.Materials.List(a.w.group.Context()) // the folder may be unreadable: then the list is empty
		return found
	})
	isAssigned := a.Assigned(s, targets)
	a.w.Choose("Material or picture for "+targetsName(targets), "", func(_ context.Context, query string,
		show func([]ask.Item)) {
		items := []ask.Item{{Name: "From a File…", Where: "a material file or an image",
			On: func() { a.askFile(s, targets) }}}
		if len(narrower) > 0 {
			items = append(items, ask.Item{Name: "Only " + targetsName(narrower) + "…",
				On: func() { a.Ask(s, narrower) }})
		}
		if isAssigned {
			items = append(items, ask.Item{Name: "Remove Assignment", On: func() { a.Remove(s, targets) }})
		}
		show(append(a.items(s, targets, all(), query), items...))
	})
}

// maxMaterials is the maximum number of listed materials.
const maxMaterials = 500

// items returns the materials with names or files that match query, at most maxMaterials.
func (a *assigner) items(s *scene.Scene, targets []model.Target, all []model.Material,
	query string) (items []ask.Item) {
	for _, m := range all {
		if len(items) == maxMaterials {
			return append(items, ask.Item{Name: "Type part of a name for more", Dim: true})
		}
		if ask.ContainsWords(query, m.Name(), m.File) {
			kind := "material"
			if m.ID == "" {
				kind = "picture"
			}
			items = append(items, ask.Item{Name: model.OneLine(m.Name(), 200), Note: kind, Where: fileText(m.File),
				On: func() { a.Assign(s, targets, m) }})
		}
	}
	return items
}

func fileText(file string) string { return model.OneLine(file, 400) }

// askFile asks for a file with a material or an image.
func (a *assigner) askFile(s *scene.Scene, targets []model.Target) {
	a.w.ask.File("Material or picture for "+targetsName(targets), s.Materials.Root(), s.Materials.Extensions(),
		func(file string) { a.fromFile(s, targets, file) })
}

// fromFile assigns the image or the only material of a file, or asks for one of several.
func (a *assigner) fromFile(s *scene.Scene, targets []model.Target, file string) {
	a.w.group.Go(func(ctx context.Context) func() {
		all, err := s.Materials.ReadFile(ctx, file)
		return func() {
			switch {
			case err != nil:
				a.notifyError(err)
			case len(all) == 1:
				a.Assign(s, targets, all[0])
			case len(all) > 1:
				a.w.Choose("Material of "+model.FileName(file), "", func(_ context.Context, query string,
					show func([]ask.Item)) {
					show(a.items(s, targets, all, query))
				})
			}
		}
	})
}

// assignDropped assigns a file dropped on a part of a model. It returns false if the drop was elsewhere, or is not a
// single file of a material or an image.
func (a *assigner) assignDropped(pos fyne.Position, files []string) bool {
	p := partOf[*preview.Preview](a.w.tabs.current())
	if p == nil || len(files) != 1 {
		return false
	}
	s, targets := p.Viewport().TargetsAt(pos)
	if len(targets) == 0 || !slices.Contains(s.Materials.Extensions(), strings.ToLower(filepath.Ext(files[0]))) {
		return false
	}
	a.fromFile(s, targets, files[0])
	return true
}

// sceneIn returns the scene of a tab if materials can be assigned in it, or nil.
func sceneIn(t Tab) *scene.Scene {
	p := partOf[*preview.Preview](t)
	if p == nil || p.Viewport().Scene() == nil || p.Viewport().Scene().Materials == nil {
		return nil
	}
	return p.Viewport().Scene()
}

// canAssign reports whether materials can be assigned in a tab: it displays a model of a project, or will display one.
func (a *assigner) canAssign(t Tab) bool {
	d := partOf[*model.Document](t)
	return a.store != nil && (sceneIn(t) != nil || d != nil && d.Project != "" && d.Item != nil)
}

// hasTarget reports whether the selected node can have a material.
func (a *assigner) hasTarget(t Tab) bool {
	p := partOf[*doc.Pane](t)
	if p == nil {
		return false
	}
	if v := partOf[*preview.Preview](t); sceneIn(t) != nil && v.Viewport().Selected() != nil {
		return true
	}
	s := p.Selection()
	if s.Document != nil && s.Document.Item == nil {
		return sceneIn(t) != nil // the assignments of a text document are for models
	}
	for n := s.Node; n != nil; n = n.Parent {
		if item, ok := s.Document.Item(n); ok {
			return item.Kind == "mesh" || item.Kind == "node"
		}
	}
	return false
}

// askMaterial asks for a material for the selection of a tab.
func (a *assigner) askMaterial(t Tab) {
	if p := partOf[*preview.Preview](t); p == nil || !p.Viewport().Assign() {
		a.w.ShowHint("First select a model part in the preview, or a node or mesh in the tree.")
	}
}

// projectOf returns the root of the project of a tab, or "".
func projectOf(t Tab) string {
	if s := sceneIn(t); s != nil {
		return s.Materials.Root()
	}
	if d := partOf[*model.Document](t); d != nil {
		return d.Project
	}
	return ""
}

// hasAssignments reports whether the project of a tab has assignments.
func (a *assigner) hasAssignments(t Tab) bool {
	if a.store == nil || projectOf(t) == "" {
		return false
	}
	all, _, err := a.store.ForProject(projectOf(t))
	return err != nil || len(all) > 0
}

// listAssignments opens a dialog with the assignments of a tab's project, in which the user can remove them.
func (a *assigner) listAssignments(t Tab) {
	project := projectOf(t)
	list := rows.NewList(a.w, a.w.style, rows.Options{Header: true, MinSize: fyne.NewSize(420, 180)},
		assignmentColumns...)
	list.Set(a.assignmentsOf(project))
	set := func(all []model.Assignment, step string) {
		a.change(project, step, all)
		list.Set(a.assignmentsOf(project))
	}
	remove := control.NewButton(a.w.Key, "Remove", nil, func() {
		if assignment, ok := list.Item(list.Current()); ok {
			set(userdata.Remove(list.Items, assignment.To), "Remove Assignment from "+targetName(assignment.To))
		}
	})
	removeAll := control.NewButton(a.w.Key, "Remove All", nil, func() { set(nil, "Remove All Assignments") })
	buttons := container.NewHBox(remove, removeAll)
	a.w.ask.ShowContent("Assigned Materials", container.NewBorder(nil, buttons, nil, nil, list.Table),
		fyne.NewSize(760, 400))
	list.SetCurrent(0)
}

var assignmentColumns = []rows.ListColumn[model.Assignment]{
	{Title: "Parts", Share: .4, Cell: func(a model.Assignment) rows.Cell {
		name := targetName(a.To)
		if a.To.File != "" {
			name += " (" + model.OneLine(path.Base(a.To.File), 60) + ")"
		}
		return rows.Cell{Text: name, CutMiddle: true}
	}},
	{Title: "Material", Share: .25, Cell: func(a model.Assignment) rows.Cell {
		return rows.Cell{Text: materialName(a.Material), CutMiddle: true}
	}},
	{Title: "File", Share: .35, Cell: func(a model.Assignment) rows.Cell {
		return rows.Cell{Text: fileText(a.Material.File), CutMiddle: true}
	}},
}

// rereadProject reloads the open files of a project, and the previews of packages that contain its assets.
func (w *Window) rereadProject(project string) {
	for _, t := range w.tabs.all {
		switch t := t.(type) {
		case *docTab:
			d := t.pane.Document()
			switch {
			case d.Project == project:
				t.preview.ExpectReload()
				t.reload()
			case d.Source.Home() == project:
				t.preview.ExpectReload()
				t.preview.Reload()
				if t.assets != nil {
					t.assets.Redraw()
				}
			}
		case *folderTab:
			t.ProjectChanged(project)
		}
	}
}

// findUnassigned finds the materials of the tab's project that no part of its scene uses.
func (t *docTab) findUnassigned() {
	t.unassigned = scene.Unassigned{}
	s := sceneIn(t)
	if s == nil || t.w.assigner.store == nil {
		return
	}
	t.unassignedLane.Go(func(ctx context.Context) func() {
		free, _ := s.Materials.Unused(ctx, s.Files()) // an unreadable folder is a problem of the scene
		found := s.Unassigned(free)
		return func() {
			t.unassigned = found
			t.Changed()
		}
	})
}

// unassignedSentence returns a message about materials that no part uses, or "".
func (t *docTab) unassignedSentence() string {
	switch n := t.unassigned.Materials; {
	case n > 1:
		return fmt.Sprintf("%d materials of this project are used by no part", n)
	case n == 1:
		return "1 material of this project is used by no part"
	case len(t.unassigned.Pairs) > 0:
		return "parts without a texture have the names of images"
	}
	return ""
}

// offerPairs lists likely pairs of parts and materials, and assigns all of them if the user agrees.
func (a *assigner) offerPairs(t *docTab) {
	s := sceneIn(t)
	if s == nil {
		return
	}
	if len(t.unassigned.Pairs) == 0 {
		a.w.ShowHint("No part has the name of such a material. Select a part in the preview and press " +
			a.w.Keys().Text("scene.assign") + " to assign one.")
		return
	}
	list := rows.NewList(a.w, a.w.style, rows.Options{Header: true, MinSize: fyne.NewSize(420, 180)},
		assignmentColumns...)
	list.Set(t.unassigned.Pairs)
	leave := control.NewButton(a.w.Key, "Leave Out", nil, func() {
		if i := list.Current(); i >= 0 && i < len(list.Items) {
			list.Set(slices.Delete(slices.Clone(list.Items), i, i+1))
		}
	})
	a.w.ask.Form("Assign Materials by Name", container.NewBorder(nil, container.NewHBox(leave), nil, nil, list.Table),
		fyne.NewSize(760, 400), leave, ask.Button{Label: "Assign All", On: func() {
			project := s.Materials.Root()
			all := a.assignmentsOf(project)
			for _, assignment := range list.Items {
				all = userdata.Add(all, assignment)
			}
			a.change(project, "Assign "+host.Count(int64(len(list.Items)), "Material"), all)
		}})
	list.SetCurrent(0)
}
