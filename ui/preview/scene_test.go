package preview_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/scene"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/preview"
	"assay/ui/thumbnail"
	"assay/ui/work"
)

func TestTheUpAxisIsRememberedForAProject(t *testing.T) {
	test.NewTempApp(t)
	folder := t.TempDir()
	// look displays a file with a scene, in a project if project is not empty.
	look := func(name string) *preview.Preview {
		path := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, make([]byte, 8), 0o644))
		src, err := model.OpenFile(path)
		require.NoError(t, err)
		t.Cleanup(func() { src.Close() })
		d := model.NewDocument(src, "test", "1", document(nil).Root())
		if root, _, ok := strings.Cut(name, "/res/"); ok {
			d.Project = filepath.Join(folder, root)
		}
		d.View = func(context.Context, *model.Node) (model.View, error) { return triangle(), nil }
		p := preview.New(host.None{}, paint.NewStyle(), work.Inline(t.Context()), thumbnail.Options{})
		test.NewTempWindow(t, p.Content())
		p.Select(doc.Selection{Document: d, Node: d.Root()})
		return p
	}
	first := look("game/res/boy.scene")
	assert.NotContains(t, caption(first), "Z up")
	first.Viewport().OnUp(true)
	assert.Contains(t, caption(look("game/res/room.scene")), "Z up", "of the same folder")
	assert.Contains(t, caption(look("game/res/far/away.scene")), "Z up", "of the same project")
	assert.NotContains(t, caption(look("other/res/boy.scene")), "Z up")
	look("game/res/far/away.scene").Viewport().OnUp(false)
	assert.NotContains(t, caption(look("game/res/room.scene")), "Z up", "of the whole project")
	look("plain/world.scene").Viewport().OnUp(true)
	assert.Contains(t, caption(look("plain/below/world.scene")), "Z up", "the folder of what has no project")
}

func TestTableEntrySelectsTheNodeWithItsKey(t *testing.T) {
	s := triangle()
	s.Roots[0].Name = "duck"
	d := document(func(*model.Node) model.View { return s })
	entry, other := d.Root().Child(0), d.Root().Child(1)
	entry.Key, other.Key = "duck", "pond"
	p := shown(t, d)
	p.Select(doc.Selection{Document: d, Node: entry})
	assert.Same(t, s.Roots[0], p.Viewport().Selected())
	p.Select(doc.Selection{Document: d, Node: other})
	assert.Nil(t, p.Viewport().Selected())
	other.Key = "node duck"
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	p.Select(doc.Selection{Document: d, Node: other})
	assert.Same(t, s.Roots[0], p.Viewport().Selected(), "the keys of texts say what they are of")
}

func TestAPartOfAMeshIsSelectedWithItsNode(t *testing.T) {
	for file, selected := range map[string]bool{"": true, "res/t": true, "res/other": false} {
		s := triangle()
		mesh := s.Roots[0].Mesh
		mesh.File, mesh.Parts[0].Offset = file, 4
		d := document(func(*model.Node) model.View { return s })
		d.Root().Child(1).SetChildren(model.List{{Name: "c", Type: "C", Span: model.Span{Offset: 4, Size: 4}}})
		p := shown(t, d)
		p.Select(doc.Selection{Document: d, Node: d.Root().Child(1)})
		assert.Equal(t, selected, p.Viewport().SelectedPiece().Part == mesh.Parts[0],
			"%q: only what is in the file itself", file)
	}
}

func TestThePoseIsRememberedForAProject(t *testing.T) {
	test.NewTempApp(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "boy.scene")
	require.NoError(t, os.WriteFile(path, make([]byte, 8), 0o644))
	look := func() *preview.Preview {
		src, err := model.OpenFile(path)
		require.NoError(t, err)
		t.Cleanup(func() { src.Close() })
		d := model.NewDocument(src, "test", "1", document(nil).Root())
		s := triangle()
		s.Animations = []*scene.Animation{{Name: "walk", Channels: []*scene.Channel{{Target: s.Roots[0],
			Components: []scene.Component{scene.TranslateY}, Read: func() ([]float32, []float32, error) {
				return []float32{0, 1}, []float32{0, 1}, nil
			}}}}}
		d.View = func(context.Context, *model.Node) (model.View, error) { return s, nil }
		p := preview.New(host.None{}, paint.NewStyle(), work.Inline(t.Context()), thumbnail.Options{})
		test.NewTempWindow(t, p.Content())
		p.Select(doc.Selection{Document: d, Node: d.Root()})
		return p
	}
	first := look()
	assert.NotContains(t, caption(first), "walk")
	first.Viewport().OnClip("walk")
	assert.Contains(t, caption(look()), "walk")
	look().Viewport().OnClip("gone")
	assert.NotContains(t, caption(look()), "walk", "another file of the project has a clip of that name")
	look().Viewport().OnClip("")
	assert.NotContains(t, caption(look()), "walk")
}

func TestProblemsOfASceneAreThoseOfTheCaption(t *testing.T) {
	s := triangle()
	s.Missing = []string{"wall.png was not found"}
	p := shown(t, document(func(*model.Node) model.View { return s }))
	assert.Contains(t, caption(p), "wall.png was not found")
	assert.Equal(t, []string{"wall.png was not found"}, p.Remarks())
	p.ShowPlaceholder("Nothing is selected.")
	assert.Empty(t, p.Remarks())
}

func TestMissingFilesOfferAnotherFolder(t *testing.T) {
	test.NewTempApp(t)
	s := triangle()
	d := document(func(*model.Node) model.View { return s })
	var report *model.Report
	row := func(ask bool) (visible bool, text string, tap func()) {
		p := preview.New(host.None{}, paint.NewStyle(), work.Inline(t.Context()), thumbnail.Options{})
		asked := 0
		if ask {
			p.OnResources = func(of *model.Document) { assert.Same(t, d, of); asked++ }
		}
		test.NewTempWindow(t, p.Content())
		p.Select(doc.Selection{Document: d, Node: d.Root(), Report: report})
		for _, o := range below(p, 0) {
			switch o := o.(type) {
			case *widget.Label:
				text = o.Text
			case *control.Button:
				tap = func() {
					test.Tap(o)
					assert.Equal(t, 1, asked)
				}
			}
		}
		bar := nodeContent(p).Objects[1].(*fyne.Container).Objects[0]
		return bar.Visible(), text, tap
	}
	visible, _, _ := row(true)
	assert.False(t, visible, "nothing is missing")
	s.Missing = []string{"of the 2 layers the first is shown"}
	visible, _, _ = row(true)
	assert.False(t, visible, "no file is missing")
	s.Missing, s.Incomplete = []string{"a/duck.png not found; using duck.png"}, true
	_, text, _ := row(true)
	assert.Equal(t, "Files of the same name in other folders are used", text)
	s.Missing = []string{"duck.png is not in the project"}
	s.Absent = s.Missing
	visible, text, tap := row(true)
	assert.True(t, visible)
	assert.Equal(t, "Missing files", text)
	tap()
	visible, _, _ = row(false)
	assert.False(t, visible, "nobody can be asked")
	report = &model.Report{Problems: []model.Problem{{Message: "a blank before a comma"},
		{Message: "res/box.gpb is not in the project", Absent: true}}}
	d = document(func(*model.Node) model.View { return nil })
	visible, text, tap = row(true)
	assert.True(t, visible, "nothing of the scene can be drawn")
	assert.Equal(t, "res/box.gpb is not in the project.", text)
	tap()
}

// guide is a host that records the revealed nodes.
type guide struct {
	host.None
	revealed []*model.Node
}

func (g *guide) Reveal(_ *model.Document, n *model.Node) { g.revealed = append(g.revealed, n) }

func TestPointsAreElementsOfAList(t *testing.T) {
	test.NewTempApp(t)
	list := &model.Node{Name: "catoms"}
	list.SetChildren(model.List{{Name: "count"}, {Name: "0"}, {Name: "1"}})
	root := &model.Node{Name: "root"}
	root.SetChildren(model.List{list})
	of := &scene.Node{Transform: scene.Identity, Points: &scene.Points{Count: 2, Edge: 1, List: list,
		Read: func(first int, into []scene.Dot) error {
			for i := range into {
				into[i].Position[0] = float32(first + i)
			}
			return nil
		}}}
	s := &scene.Scene{Roots: []*scene.Node{of}}
	d := model.NewDocument(nil, "test", "1", root)
	d.View = func(context.Context, *model.Node) (model.View, error) { return s, nil }
	g := new(guide)
	p := preview.New(g, paint.NewStyle(), work.Inline(t.Context()), thumbnail.Options{})
	test.NewTempWindow(t, p.Content())
	p.Select(doc.Selection{Document: d, Node: root})
	look := p.Viewport()
	assert.Nil(t, look.Selected())
	p.Select(doc.Selection{Document: d, Node: list.Child(2)})
	assert.Same(t, of, look.Selected())
	p.Select(doc.Selection{Document: d, Node: list.Child(0)})
	assert.Nil(t, look.Selected(), "the count is not a point")
	look.OnPoint(of, 1)
	assert.Equal(t, []*model.Node{list.Child(2)}, g.revealed)
}

// The picture of the scene has the name of the file; that of a part has the part's.
func TestAPictureOfASceneIsNamed(t *testing.T) {
	whole, part := triangle(), triangle()
	part.Name = "part"
	d := document(func(n *model.Node) model.View {
		if n.Name == "b" {
			return part
		}
		return whole
	})
	d.Source = model.NewSource("folder/duck.gpb", bytes.NewReader(make([]byte, 8)), 8)
	p := shown(t, d)
	assert.Equal(t, "duck", p.Viewport().Title())
	p.Select(doc.Selection{Document: d, Node: d.Root().Child(1)})
	assert.Same(t, part, p.Viewport().Scene())
	assert.Empty(t, p.Viewport().Title(), "it has its own")
}
