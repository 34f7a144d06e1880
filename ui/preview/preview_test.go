package preview_test

import (
	"bytes"
	"context"
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/scene"
	"assay/model/scene/scenetest"
	"assay/ui/doc"
	"assay/ui/preview"
	"assay/ui/work"
)

// document has what view gives to look at.
func document(view func(n *model.Node) model.View) *model.Document {
	root := &model.Node{Type: "Root", Span: model.Span{Size: 8}}
	root.SetChildren(model.List{{Name: "a", Type: "A", Span: model.Span{Size: 4}}, {Name: "b", Type: "B", Span: model.Span{Offset: 4, Size: 4}}})
	d := model.NewDocument(model.NewSource("t", bytes.NewReader(make([]byte, 8)), 8), "test", "1", root)
	d.View = func(_ context.Context, n *model.Node) (model.View, error) { return view(n), nil }
	return d
}

// triangle is a scene of one triangle.
func triangle() *scene.Scene {
	return &scene.Scene{Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Mesh: &scene.Mesh{Count: 3,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}}, Vertices: scenetest.Floats{0, 0, 0, 1, 0, 0, 0, 1, 0},
		Parts: []*scene.Part{{Primitive: scene.Triangles, Indices: scenetest.Indices{0, 1, 2}}}}}}}
}

// shown gives the panel in a window, the picture in it and its caption.
func shown(t *testing.T, d *model.Document) (p *preview.Preview, picture *canvas.Image, caption *widget.Label, area fyne.CanvasObject) {
	t.Helper()
	app := test.NewTempApp(t)
	p = preview.New(work.Inline(context.Background()), nil)
	w := app.NewWindow("t")
	t.Cleanup(w.Close)
	w.SetContent(p.Content())
	w.Resize(fyne.NewSize(200, 200))
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	content := p.Content().(*fyne.Container)
	for _, o := range content.Objects {
		if l, ok := o.(*widget.Label); ok {
			caption = l
		} else {
			area = o
			picture = test.WidgetRenderer(o.(fyne.Widget)).Objects()[0].(*canvas.Image)
		}
	}
	return p, picture, caption, area
}

func TestASceneIsDrawnAndTurned(t *testing.T) {
	_, picture, caption, area := shown(t, document(func(*model.Node) model.View { return triangle() }))
	require.NotNil(t, picture.Image)
	assert.Contains(t, caption.Text, "1 triangle ·")
	before := picture.Image
	area.(fyne.Draggable).Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(40, 10)})
	assert.NotEqual(t, before, picture.Image, "it was turned")
	area.(fyne.Scrollable).Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 50)})
	area.(fyne.DoubleTappable).DoubleTapped(nil)
	assert.Equal(t, before, picture.Image, "a double click shows it as at first")
}

func TestWhatIsSelectedIsLookedAt(t *testing.T) {
	small := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	d := document(func(n *model.Node) model.View {
		switch n.Name {
		case "a":
			return model.Picture{Image: small}
		case "b":
			return nil
		}
		return triangle()
	})
	p, picture, caption, _ := shown(t, d)
	p.Select(doc.Selection{Document: d, Node: d.Root().Child(0)})
	assert.Equal(t, image.Image(small), picture.Image)
	assert.Equal(t, "3 × 2 pixels", caption.Text)
	p.Select(doc.Selection{Document: d, Node: d.Root().Child(1)})
	assert.Equal(t, image.Rect(0, 0, 1, 1), picture.Image.Bounds(), "nothing is shown")
	assert.Contains(t, caption.Text, "nothing to look at")
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	assert.NotNil(t, picture.Image)
}

func TestADocumentWithNothingToLookAtSaysSoOnce(t *testing.T) {
	d, other := document(func(*model.Node) model.View { return nil }), document(func(*model.Node) model.View { return nil })
	p, _, _, _ := shown(t, document(func(*model.Node) model.View { return triangle() }))
	times := 0
	p.OnNothing = func() { times++ }
	p.Select(doc.Selection{Document: d, Node: d.Root()})
	p.Select(doc.Selection{Document: other, Node: other.Root()})
	assert.Equal(t, 1, times)
}
