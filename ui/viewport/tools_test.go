package viewport

import (
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/scene"
	"assay/ui/command"
)

// labels returns the labels of menu items.
func labels(items []*fyne.MenuItem) (all []string) {
	for _, i := range items {
		if !i.IsSeparator {
			all = append(all, i.Label)
		}
	}
	return all
}

// named returns the menu item with a label.
func named(t *testing.T, items []*fyne.MenuItem, text string) *fyne.MenuItem {
	t.Helper()
	i := slices.IndexFunc(items, func(m *fyne.MenuItem) bool { return m.Label == text })
	require.GreaterOrEqual(t, i, 0, "%s in %v", text, labels(items))
	return items[i]
}

func TestSwitchesShowTheirState(t *testing.T) {
	v, _ := shown(t, moving())
	row := v.tools.row
	visible := func() (names []string) {
		for _, s := range row.switches {
			if s.Visible() {
				names = append(names, s.Text)
			}
		}
		return names
	}
	row.row.Resize(fyne.NewSize(1200, 30))
	assert.Equal(t, []string{"Grid", "Wireframe", "UV Layout", "Orthographic", "Turntable", "Z Up"}, visible(), "there is no skin")
	grid := row.switches[0]
	assert.Equal(t, widget.LowImportance, grid.Importance)
	test.Tap(grid)
	assert.True(t, v.view.Marks.Grid)
	assert.Equal(t, widget.HighImportance, grid.Importance)
	assert.Same(t, v.canvas, fyne.CurrentApp().Driver().CanvasForObject(v.canvas).Focused(), "the keys are the picture's")
	v.canvas.TypedRune('g')
	assert.Equal(t, widget.LowImportance, grid.Importance)
	row.row.Resize(fyne.NewSize(row.fullWidth()+1, 30))
	assert.Empty(t, visible(), "there is no room")
}

func TestCamerasOfTheScene(t *testing.T) {
	s := moving()
	for _, name := range []string{"front", "side"} {
		s.Roots = append(s.Roots, &scene.Node{Name: name, Transform: scene.Identity,
			Camera: &scene.Camera{FieldOfView: 1, Aspect: 1, Near: .1, Far: 10}})
	}
	v, said := shown(t, s)
	for _, name := range []string{"front", "side", "front"} {
		v.canvas.TypedRune('0')
		assert.Contains(t, *said, "camera: "+name)
	}
	list := named(t, v.itemsOf(command.ViewTools)(), "Scene Cameras").ChildMenu.Items
	assert.True(t, named(t, list, "front").Checked)
	v.canvas.TypedRune('4')
	assert.Nil(t, v.view.Camera, "the scene was turned")
	assert.NotContains(t, *said, "camera")
}

func TestMaterialSlotsOfTheSelection(t *testing.T) {
	s := moving()
	s.Roots[0].Materials = []*scene.Material{{Name: "skin"}}
	v, _ := shown(t, s)
	assert.NotContains(t, labels(v.NodeItems()), "Material Slots")
	v.Select(s.Roots[0])
	list := named(t, v.NodeItems(), "Material Slots").ChildMenu.Items
	assert.Equal(t, []string{"0  skin"}, labels(list))
	list[0].Action()
	assert.True(t, v.unwrap.enabled)
}

func TestProblemsAreListed(t *testing.T) {
	s := moving()
	s.Missing = []string{"guessed: skin of boy.material", "gone.png is not in the project"}
	s.Animations[0].Channels = append(s.Animations[0].Channels, &scene.Channel{TargetName: "nobody",
		Components: scene.Translate})
	s.Animations[0].Channels[0].Read = func() ([]float32, []float32, error) {
		return []float32{0, 1, 1, 2}, []float32{0, 1, 2, 3}, nil
	}
	v, said := shown(t, s)
	v.play.choose(0)
	assert.Equal(t, []string{"gone.png is not in the project",
		`channels of missing nodes are not played (1, in "nobody")`,
		"keys out of time order are skipped (1)"}, v.Problems())
	assert.Contains(t, *said, "gone.png is not in the project")
	assert.Contains(t, *said, " · guessed: skin of boy.material", "which is no problem")
	named(t, v.itemsOf(command.SceneTools)(), "3 Problems…").Action()
	assert.Equal(t, "Problems of the Scene: "+strings.Join(v.Problems(), "\n"), v.host.(*desk).explained)
}

func TestAPictureOfAnotherSizeKeepsItsProportions(t *testing.T) {
	s := newSurface(nil)
	p := image.NewNRGBA(image.Rect(0, 0, 10, 10))
	for i := range p.Pix {
		p.Pix[i] = 255
	}
	p.SetNRGBA(5, 5, color.NRGBA{R: 9, A: 255})
	s.setPicture(p)
	assert.Same(t, s.picture, s.rasterOf(500, 500))
	wide := s.rasterOf(1000, 500)
	assert.Equal(t, image.Pt(20, 10), wide.Bounds().Size())
	assert.Equal(t, color.RGBA{R: 9, A: 255}, wide.At(10, 5), "it is in the middle")
	assert.Equal(t, color.RGBA{255, 255, 255, 255}, wide.At(0, 0), "on its own ground")
	assert.Equal(t, image.Pt(5, 10), s.rasterOf(250, 500).Bounds().Size())
}

func TestTimeSliderPassesKeysToThePicture(t *testing.T) {
	v, _ := shown(t, moving())
	v.play.choose(0)
	v.play.slider.TypedRune('g')
	assert.True(t, v.view.Marks.Grid)
	before := v.play.time
	v.play.slider.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	assert.Greater(t, v.play.time, before)
	v.play.setSpeed(.5, false)
	assert.Contains(t, v.play.clock.Text, "0.5×")
}
