package viewport_test

import (
	"context"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/render"
	"assay/model/scene"
	"assay/model/scene/scenetest"
	"assay/ui/viewport"
	"assay/ui/work"
)

// triangle is a scene of one triangle.
func triangle() *scene.Scene {
	return &scene.Scene{Roots: []*scene.Node{{Name: "n", Transform: scene.Identity, Mesh: &scene.Mesh{Count: 3,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}}, Vertices: scenetest.Floats{0, 0, 0, 1, 0, 0, 0, 1, 0},
		Parts: []*scene.Part{{Primitive: scene.Triangles, Indices: scenetest.Indices{0, 1, 2}}}}}}}
}

func TestAModelIsDrawnAndTurned(t *testing.T) {
	app := test.NewTempApp(t)
	v := viewport.New(work.Inline(context.Background()))
	w := app.NewWindow("t")
	t.Cleanup(w.Close)
	w.SetContent(v.Content())
	w.Resize(fyne.NewSize(200, 200))
	m, err := render.Load(t.Context(), triangle())
	require.NoError(t, err)
	v.SetModel(m)
	picture := test.WidgetRenderer(v.Content().(fyne.Widget)).Objects()[0].(*canvas.Image)
	before := picture.Image
	require.NotNil(t, before)
	area := v.Content()
	area.(fyne.Draggable).Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(40, 10)})
	assert.NotEqual(t, before, picture.Image, "it was turned")
	area.(fyne.Scrollable).Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 50)})
	area.(fyne.DoubleTappable).DoubleTapped(nil)
	assert.Equal(t, before, picture.Image, "a double click shows it as at first")
	v.SetModel(nil)
	assert.Equal(t, 1, picture.Image.Bounds().Dx(), "nothing is shown")
}
