package window

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
	"assay/model/scene"
	"assay/model/userdata"
	"assay/ui"
	"assay/ui/command"
	"assay/ui/control"
	"assay/ui/work"
)

// materials returns the assignable materials of a project of two materials and a picture.
type materials struct{ root string }

func (m materials) Root() string { return m.root }

func (m materials) List(context.Context) ([]model.Material, error) {
	return []model.Material{{File: "a.material", ID: "wood"}, {File: "a.material", ID: "iron"}, {File: "face.png"}}, nil
}

func (m materials) Unused(context.Context, []string) ([]model.Material, error) {
	return []model.Material{{File: "b.material", ID: "n_2"}, {File: "b.material", ID: "hidden"}}, nil
}

func (m materials) ReadFile(_ context.Context, file string) ([]model.Material, error) {
	switch filepath.Base(file) {
	case "own.png":
		return []model.Material{{File: file}}, nil
	case "own.material":
		return []model.Material{{File: file, ID: "x"}, {File: file, ID: "y"}}, nil
	}
	return nil, errors.New("it is not a picture")
}

func (m materials) Extensions() []string { return []string{".material", ".png"} }

// modelled opens bytes as a document of a project with a mesh of two parts.
func modelled(ctx context.Context, src *model.Source) (*model.Document, error) {
	d, err := inProject(ctx, src)
	if err != nil {
		return nil, err
	}
	s := &scene.Scene{Materials: materials{d.Project}, Roots: []*scene.Node{{Name: "n", Offset: 1,
		Transform: scene.Identity, Mesh: &scene.Mesh{Name: "m", File: "a.bin", Count: 6,
			Elements: []scene.Element{{Usage: scene.Position, Size: 3}},
			Vertices: modeltest.Floats{-2, 0, 0, -1, 0, 0, -1, 1, 0, 1, 0, 0, 2, 0, 0, 1, 1, 0},
			Parts: []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2}},
				{Primitive: scene.Triangles, Indices: modeltest.Indices{3, 4, 5}}}}}}}
	d.View = func(context.Context, *model.Node) (model.View, error) { return s, nil }
	return d, nil
}

// assigningWindow returns a window with a model whose second part is selected, and the store of assignments.
func assigningWindow(t *testing.T) (w *Window, tab *docTab, kept func() []model.Assignment) {
	a := test.NewTempApp(t)
	store := userdata.AssignmentsIn(t.TempDir())
	w = newWindow(a, work.Inline(context.Background()), ui.Options{OpenSource: modelled, Assignments: store,
		Open: func(ctx context.Context, path string) (*model.Document, error) {
			return model.OpenDocument(ctx, path, "", modelled)
		}})
	t.Cleanup(w.group.Close)
	w.win.Resize(fyne.NewSize(900, 700))
	folder := t.TempDir()
	w.openFile(write(t, folder, "a.bin", "1234"))
	tab = w.tabs.current().(*docTab)
	look := tab.preview.Viewport()
	require.NotNil(t, look.Scene())
	n := look.Scene().Roots[0]
	piece := look.SelectedPiece()
	piece.Node, piece.Part = n, n.Mesh.Parts[1]
	look.SelectPiece(piece)
	return w, tab, func() []model.Assignment {
		all, _, err := store.ForProject(folder)
		require.NoError(t, err)
		return all
	}
}

// take chooses the listed item with a name.
func take(t *testing.T, w *Window, name string) {
	t.Helper()
	for _, i := range w.list.Items() {
		if i.Name == name {
			w.list.Close()
			i.On()
			return
		}
	}
	require.Fail(t, name+" is not offered")
}

var second = model.Target{File: "a.bin", Node: "n", Mesh: "m", Part: 1}

func TestAssigningIsUndone(t *testing.T) {
	w, tab, kept := assigningWindow(t)
	assert.False(t, w.commands.Actions["edit.undo"].Enabled(tab))
	assert.False(t, w.assigner.hasAssignments(tab))
	before, shown := tab.pane.Document(), tab.preview.Viewport().Scene()

	w.commands.Run("edit.assign", tab)
	take(t, w, "iron")
	assert.Equal(t, []model.Assignment{{To: second, Material: model.Material{File: "a.material", ID: "iron"}}}, kept())
	assert.NotSame(t, before, tab.pane.Document(), "it is read again with what it wears")
	look := tab.preview.Viewport()
	require.NotSame(t, shown, look.Scene())
	n := look.Scene().Roots[0]
	assert.Equal(t, n.Mesh.Parts[1], look.SelectedPiece().Part, "the part of the new reading is selected")
	assert.True(t, w.assigner.hasAssignments(tab))
	assert.Len(t, matching(w.goToLists(), "wireframe"), 1, "Go to lists the commands of the scene")

	w.commands.Run("edit.assign", tab)
	take(t, w, "face.png")
	assert.Equal(t, []model.Assignment{{To: second, Material: model.Material{File: "face.png"}}}, kept(), "in its place")
	assert.Equal(t, "Undo Assign face.png to part 2 of n", w.undo.name())
	w.commands.Press(command.KeyOfShortcut(&fyne.ShortcutUndo{}), Tab(tab))
	assert.Equal(t, "iron", kept()[0].Material.ID)

	w.commands.Run("edit.assign", tab)
	take(t, w, "Remove Assignment")
	assert.Empty(t, kept())
	w.commands.Run("edit.undo", tab)
	assert.Len(t, kept(), 1)
	w.commands.Run("edit.undo", tab)
	assert.Empty(t, kept())
	assert.False(t, w.commands.Actions["edit.undo"].Enabled(tab))
}

func TestHintOfAStepHasTheShortcutOfUndo(t *testing.T) {
	w, _, _ := assigningWindow(t)
	for _, c := range []struct{ keys, hint string }{
		{"", "Assign wood. Undo with Ctrl+Z."},
		{"edit.undo = Ctrl+Shift+U", "Assign wood. Undo with Ctrl+Shift+U."},
		{"edit.undo =", "Assign wood."},
	} {
		keys, problems := command.ReadKeys(strings.NewReader(c.keys))
		require.Empty(t, problems)
		w.useKeys(keys)
		assert.Equal(t, c.hint, w.undo.hintOf(step{name: "Assign wood"}))
	}
}

// All unused materials with the names of parts are assigned at once, and that is undone.
func TestMaterialsThatNoPartUsesAreOffered(t *testing.T) {
	w, tab, kept := assigningWindow(t)
	const text = "2 materials of this project are used by no part"
	_, facts := tab.Status()
	offer := facts[len(facts)-1]
	assert.Equal(t, text, offer.Text)
	assert.Contains(t, tab.pane.ViewRemarks(), text)
	offer.On()
	test.Tap(inDialog(w.win.Canvas().Overlays().Top(), "Assign All"))
	first, material := second, model.Material{File: "b.material", ID: "n_2"}
	first.Part = 0
	assert.Equal(t, []model.Assignment{{To: first, Material: material}, {To: second, Material: material}}, kept())
	assert.Equal(t, "Undo Assign 2 Materials", w.undo.name())
	w.commands.Run("edit.undo", tab)
	assert.Empty(t, kept())
	tab.unassigned.Pairs = nil
	offer.On()
	assert.Nil(t, w.win.Canvas().Overlays().Top(), "no names match")
}

func TestAMaterialIsTakenFromAFile(t *testing.T) {
	w, tab, kept := assigningWindow(t)
	look := tab.preview.Viewport()
	w.assigner.fromFile(look.Scene(), []model.Target{second}, "/tmp/own.png")
	assert.Equal(t, "/tmp/own.png", kept()[0].Material.File)
	w.assigner.fromFile(look.Scene(), []model.Target{second}, "/tmp/own.material")
	take(t, w, "y")
	assert.Equal(t, model.Material{File: "/tmp/own.material", ID: "y"}, kept()[0].Material)
	w.assigner.fromFile(look.Scene(), []model.Target{second}, "/tmp/own.txt")
	assert.Len(t, kept(), 1, "what is no picture is told")
}

func TestAPictureIsDroppedOnAPart(t *testing.T) {
	w, tab, kept := assigningWindow(t)
	size := w.win.Canvas().Size()
	dropped := func(file string) (some bool) {
		for y := float32(0); y < size.Height && !some; y += 5 {
			for x := float32(0); x < size.Width && !some; x += 5 {
				some = w.assigner.assignDropped(fyne.NewPos(x, y), []string{file})
			}
		}
		return some
	}
	assert.False(t, dropped("/tmp/a.gpb"), "it is opened")
	assert.False(t, w.assigner.assignDropped(fyne.NewPos(1, 1), []string{"/tmp/own.png"}), "beside the picture")
	require.True(t, dropped("/tmp/own.png"))
	require.Len(t, kept(), 1)
	assert.Equal(t, "/tmp/own.png", kept()[0].Material.File)
	assert.GreaterOrEqual(t, kept()[0].To.Part, 0, "the part that it was dropped on")
	assert.NotNil(t, tab)
}

func TestAssignmentsAreListedAndRemoved(t *testing.T) {
	w, tab, kept := assigningWindow(t)
	s := tab.preview.Viewport().Scene()
	first := second
	first.Part = 0
	w.assigner.Assign(s, []model.Target{first}, model.Material{File: "face.png"})
	w.assigner.Assign(s, []model.Target{second}, model.Material{File: "/far/a.material", ID: "iron", Technique: "night"})
	w.assigner.Assign(s, []model.Target{{Has: model.Material{File: "a", ID: "x"}}}, model.Material{File: "a", ID: "y"})
	text := func(row int) (all []string) {
		for _, column := range assignmentColumns {
			all = append(all, column.Cell(kept()[row]).Text)
		}
		return all
	}
	assert.Equal(t, []string{"part 1 of n (a.bin)", "face.png", "face.png"}, text(0))
	assert.Equal(t, []string{"part 2 of n (a.bin)", "iron, technique night", "/far/a.material"}, text(1))
	assert.Equal(t, []string{"all parts that use x", "y", "a"}, text(2))
	w.commands.Run("edit.assignments", tab)
	top := w.win.Canvas().Overlays().Top()
	require.NotNil(t, top)
	test.Tap(inDialog(top, "Remove"))
	assert.Len(t, kept(), 2)
	test.Tap(inDialog(top, "Remove All"))
	assert.Empty(t, kept())
	w.ask.Dismiss()
	w.commands.Run("edit.undo", tab)
	assert.Len(t, kept(), 2)
}

func TestNoAssigningWithoutAStore(t *testing.T) {
	w, tab, _ := assigningWindow(t)
	w.assigner.store = nil
	assert.Nil(t, w.viewportAssigner())
	assert.False(t, w.commands.Actions["edit.assign"].Enabled(tab))
	assert.False(t, w.commands.Actions["edit.assignments"].Enabled(tab))
	assert.NotEmpty(t, command.ByID("scene.assign").Keys)
}

// inDialog returns the button with a label.
func inDialog(in fyne.CanvasObject, label string) (found *control.Button) {
	for _, o := range test.LaidOutObjects(in) {
		if b, ok := o.(*control.Button); ok && b.Text == label {
			found = b
		}
	}
	return found
}
