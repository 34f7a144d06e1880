package contents

import (
	"context"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/content"
	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/comparison/comparisontest"
	"assay/ui/control"
	"assay/ui/paint"
)

// staged returns a shelf whose boxes are triangles of a scene, each as high as its number.
func staged(name string, boxes ...comparisontest.Box) *model.Document {
	d := shelf(name, "1", boxes...)
	s := &scene.Scene{}
	list := d.Root().Child(1)
	for i, b := range boxes {
		at := scene.Identity
		at[12] = float32(2 * i)
		s.Roots = append(s.Roots, &scene.Node{Name: b.Key, Offset: list.Child(i).Offset, Transform: at,
			Mesh: &scene.Mesh{Count: 3, Elements: []scene.Element{{Usage: scene.Position, Size: 3}},
				Vertices: modeltest.Floats{0, 0, 0, 1, 0, 0, 0, float32(b.Number), 0},
				Parts:    []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2}}}}})
	}
	d.View = func(context.Context, *model.Node) (model.View, error) { return s, nil }
	return d
}

func TestScenesOfDifferentFormatsAreNotCompared(t *testing.T) {
	old, new := staged("a", box("one", 1, "one", "x")), staged("b", box("one", 2, "one", "x"))
	new.Format = "other"
	c := show(t, old, new)
	assert.Nil(t, c.scenes.found.Load())
	assert.Equal(t, []string{string(control.SideBySide)}, c.mode.Options)
	assert.False(t, c.scenes.tools.Visible())
}

func TestScenesAreColoredAndSelectedTogether(t *testing.T) {
	old := staged("a", box("stays", 1, "one", "x"), box("bends", 1, "two", "y"))
	new := staged("b", box("stays", 1, "one", "x"), box("bends", 3, "two", "y"), box("comes", 1, "three", "z"))
	c := show(t, old, new)
	s := c.scenes
	require.NotNil(t, s.found.Load())
	assert.Len(t, s.legend.content.Objects, 3, "changed, added, how far vertices moved")
	assert.Equal(t, control.ViewModeNames(), c.mode.Options)

	scenes := func() (out [2]*scene.Scene) {
		for i, p := range c.sides {
			out[i] = p.Viewport().Scene()
		}
		return out
	}
	found := s.found.Load()
	assert.Equal(t, [2]*scene.Scene{found.Old, found.New}, scenes())
	s.highlightChanges.SetChecked(false)
	assert.NotEqual(t, [2]*scene.Scene{found.Old, found.New}, scenes(), "the materials of the files")
	s.highlightChanges.SetChecked(true)

	comes := named(t, found.New, "comes")
	c.sides[1].Viewport().OnSelect(comes)
	assert.Equal(t, "comes", c.pair.New.Key, "a click selects the pair")
	assert.Equal(t, comes, c.sides[1].Viewport().Selected())

	c.mode.SetSelected(string(control.Overlay))
	assert.Equal(t, found.Both, s.combined.Scene())
	bends := named(t, found.Both, "bends")
	s.onSelect(bends)
	assert.Equal(t, "bends", c.pair.New.Key)
	assert.Equal(t, "bends", s.combined.Selected().Name)
	assert.Equal(t, "bends", c.sides[0].Viewport().Selected().Name, "it is outlined in both")
	assert.Equal(t, "bends", c.sides[1].Viewport().Selected().Name)
}

// The side without the item is empty: it does not show the list of assets around it.
func TestAddedItemHasAnEmptyOldSide(t *testing.T) {
	c := show(t, shelf("a", "1", box("stays", 1, "one", "x")), shelf("b", "1", box("stays", 1, "one", "x"),
		box("comes", 1, "two", "y")))
	sheets := [2]*content.Sheet{{Document: c.found.Old}, {Document: c.found.New}}
	viewOf := func(side int) model.View { return c.scenes.replacement(t.Context(), side, sheets[side]) }
	assert.NotNil(t, viewOf(0), "both files have assets")
	added := c.found.Root().Child(1).Child(1)
	require.Equal(t, "comes", added.Node().Key)
	c.SelectPair(added)
	assert.Nil(t, viewOf(0))
	assert.Nil(t, c.views[0], "not the fields of the list either")
	assert.NotNil(t, c.views[1])
	assert.Equal(t, "Not in the old file.", c.sides[0].Empty())
	assert.NotNil(t, viewOf(1))
}

// The legend has the colors of the current theme. At the first start, the theme is known only after the first
// comparison.
func TestTheLegendFollowsTheTheme(t *testing.T) {
	c := show(t, staged("a", box("bends", 1, "two", "y")), staged("b", box("bends", 3, "two", "y")))
	for _, mode := range []paint.Mode{paint.Light, paint.Dark} {
		fyne.CurrentApp().Settings().SetTheme(paint.NewTheme(mode, paint.DefaultTextSize))
		c.scenes.legend.content.Refresh()
		texts := 0
		for _, o := range test.LaidOutObjects(c.scenes.legend.content) {
			if text, is := o.(*canvas.Text); is {
				texts++
				assert.Equal(t, theme.Color(theme.ColorNameForeground), text.Color, mode)
			}
		}
		assert.Positive(t, texts)
	}
}

func TestScenesAreBlendedInOneView(t *testing.T) {
	old := staged("a", box("stays", 1, "one", "x"), box("bends", 1, "two", "y"))
	new := staged("b", box("stays", 1, "one", "x"), box("bends", 3, "two", "y"))
	c := show(t, old, new)
	s := c.scenes
	found := s.found.Load()
	c.mode.SetSelected(string(control.Swipe))
	assert.Equal(t, s.combined.Content(), c.stage.Objects[0])
	assert.Equal(t, [2]*scene.Scene{found.Old, found.New}, [2]*scene.Scene{s.joined.old, s.joined.new})
	assert.True(t, c.mixer.sliderBox.Visible())
	s.combined.OnShare(.25)
	assert.InDelta(t, .25, c.mixer.slider.Value, .001, "the line was dragged")
	s.onSelect(named(t, found.Old, "bends"))
	assert.Equal(t, "bends", c.pair.New.Key)
	assert.Equal(t, named(t, found.New, "bends"), s.combined.Selected())
	s.highlightChanges.SetChecked(false)
	assert.NotEqual(t, found.New, s.joined.new, "the materials of the files")

	c.mode.SetSelected(string(control.Difference))
	assert.Equal(t, found.Apart, [2]*scene.Scene{s.joined.old, s.joined.new}, "unchanged parts are gray")
	assert.True(t, c.mixer.gains.Visible())
	assert.False(t, s.highlightChanges.Visible())
	c.mode.SetSelected(string(control.SideBySide))
	assert.NotEqual(t, s.combined.Content(), c.stage.Objects[0])
	assert.True(t, s.highlightChanges.Visible())
}

// A small change is framed at first, and again by the command.
func TestChangesOfScenesAreFramed(t *testing.T) {
	var old, new []comparisontest.Box
	for i := range 12 {
		height := uint32(1)
		if i == 7 {
			height = 2
		}
		name := string(rune('a' + i))
		old, new = append(old, box(name, 1, name, "x")), append(new, box(name, height, name, "x"))
	}
	c := show(t, staged("a", old...), staged("b", new...))
	for _, p := range c.sides {
		p.Viewport().Content().Resize(fyne.NewSize(300, 300))
	}
	framing := func() (out [2]render.Framing) {
		for i, p := range c.sides {
			p.Viewport().Wait()
			out[i] = p.Viewport().Model().Framing()
		}
		return out
	}
	near := framing()
	assert.Equal(t, near[0], near[1], "both have one framing")
	c.sides[0].Viewport().FrameAll()
	c.sides[1].Viewport().FrameAll()
	whole := framing()
	assert.NotEqual(t, near, whole)
	c.sides[1].Viewport().FrameChanges()
	assert.Equal(t, near, framing(), "in both")
}

// Each step selects a changed part in its scene, and frames it on both sides.
func TestStepsGoFromChangedPartToChangedPart(t *testing.T) {
	var old, new []comparisontest.Box
	for i := range 12 {
		name, height := string(rune('a'+i)), uint32(1)
		if i == 3 || i == 7 {
			height = 2
		}
		old, new = append(old, box(name, 1, name, "x")), append(new, box(name, height, name, "x"))
	}
	new = append(new, box("z", 5, "z", "x"))
	for _, swapped := range []bool{false, true} {
		first, second, alone := staged("a", old...), staged("b", new...), [2]string{"", "z"}
		if swapped {
			first, second, alone = second, first, [2]string{"z", ""}
		}
		c := show(t, first, second)
		for _, p := range c.sides {
			p.Viewport().Content().Resize(fyne.NewSize(300, 300))
		}
		noun, step := c.Steps()
		require.Equal(t, "changed part", noun)
		framings := map[render.Framing]bool{}
		seen := func() (names [2]string) {
			var at [2]render.Framing
			for i, p := range c.sides {
				p.Viewport().Wait()
				at[i] = p.Viewport().Model().Framing()
				if n := p.Viewport().Selected(); n != nil {
					names[i] = n.Name
				}
			}
			assert.Equal(t, at[0], at[1], "both have one framing")
			framings[at[0]] = true
			return names
		}
		for _, plain := range []bool{false, true} {
			c.scenes.highlightChanges.SetChecked(!plain)
			for i, want := range [][2]string{{"d", "d"}, {"h", "h"}, alone} {
				require.True(t, step(1, i == 0))
				assert.Equal(t, want, seen())
			}
		}
		assert.Len(t, framings, 3)
		assert.False(t, step(1, false), "the last one")
		assert.True(t, step(-1, false))
		assert.Equal(t, [2]string{"h", "h"}, seen())
		assert.True(t, step(-1, false))
		assert.False(t, step(-1, false), "the first one")
		assert.True(t, step(-1, true))
		assert.Equal(t, alone, seen())
	}
}

func named(t *testing.T, s *scene.Scene, name string) (found *scene.Node) {
	t.Helper()
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Name == name && found == nil {
			found = n
		}
	})
	require.NotNil(t, found, name)
	return found
}
