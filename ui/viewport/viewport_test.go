package viewport

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"io"
	"math"
	"runtime"
	"testing"
	"time"
	"weak"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// moving returns a scene of one triangle that moves up by 1 per second for two seconds.
func moving() *scene.Scene {
	n := &scene.Node{Name: "n", Transform: scene.Identity, Mesh: &scene.Mesh{Count: 3,
		Elements: []scene.Element{{Usage: scene.Position, Size: 3}},
		Vertices: modeltest.Floats{0, 0, 0, 1, 0, 0, 0, 1, 0},
		Parts:    []*scene.Part{{Primitive: scene.Triangles, Indices: modeltest.Indices{0, 1, 2}}}}}
	up := &scene.Animation{Name: "up", Clips: []*scene.Clip{{Name: "half", Start: 1, End: 2}},
		Channels: []*scene.Channel{{Target: n,
			Components: []scene.Component{scene.TranslateY}, Read: func() ([]float32, []float32, error) {
				return []float32{0, 1, 2}, []float32{0, 1, 2}, nil
			}}}}
	return &scene.Scene{Roots: []*scene.Node{n}, Animations: []*scene.Animation{up}}
}

// desk is a host that saves files in memory.
type desk struct {
	host.None
	explained string
	name      string
	saved     bytes.Buffer
	err       error
	menu      *fyne.Menu
}

func (d *desk) Menu(m *fyne.Menu, _ fyne.Position) { d.menu = m }

func (d *desk) Explain(title, text string) { d.explained = title + ": " + text }

func (d *desk) Save(name string, write func(out io.Writer) error) {
	d.name = name
	d.saved.Reset()
	d.err = write(&d.saved)
}

// shown returns a viewport in a window, and its caption.
func shown(t *testing.T, s *scene.Scene) (v *Viewport, said *string) {
	t.Helper()
	app := test.NewTempApp(t)
	said = new(string)
	v = New(new(desk), paint.NewStyle(), work.Inline(context.Background()), func(text string) { *said = text })
	w := app.NewWindow("t")
	t.Cleanup(w.Close)
	w.SetContent(v.Content())
	w.Resize(fyne.NewSize(250, 200))
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	v.SetModel(m)
	return v, said
}

// pixels returns the displayed picture.
func pixels(v *Viewport) []byte { return v.canvas.picture.(*image.RGBA).Pix }

func TestTurnMoveAndZoom(t *testing.T) {
	v, said := shown(t, moving())
	assert.Contains(t, *said, "1 triangle · 3 vertices · box 1 × 1 × 0")
	first := bytes.Clone(pixels(v))
	assert.Greater(t, len(first), 100*100*4)
	seen := map[string]bool{string(first): true}
	for _, c := range []struct {
		what string
		do   func()
	}{
		{"drag", func() { v.canvas.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(40, 10)}) }},
		{"shift drag", func() {
			v.canvas.shift = true
			v.canvas.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(40,
				10)})
		}},
		{"wheel", func() { v.canvas.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 50)}) }},
		{"arrow", func() { v.canvas.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft}) }},
		{"orthographic", func() { v.canvas.TypedRune('5') }},
		{"grid", func() { v.canvas.TypedRune('g') }},
		{"top", func() { v.canvas.TypedRune('7') }},
	} {
		c.do()
		assert.False(t, seen[string(pixels(v))], c.what)
		seen[string(bytes.Clone(pixels(v)))] = true
	}
	v.canvas.shift = false
	v.canvas.TypedRune('g')
	v.canvas.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	assert.Equal(t, first, pixels(v), "as at first")
	v.SetModel(nil)
	assert.Len(t, pixels(v), 4, "nothing is shown")
}

// The theme may be known only after the first picture, if the desktop reports it late.
func TestThePictureFollowsTheTheme(t *testing.T) {
	v, _ := shown(t, moving())
	for _, mode := range []paint.Mode{paint.Dark, paint.Light, paint.Dark} {
		fyne.CurrentApp().Settings().SetTheme(paint.NewTheme(mode, paint.DefaultTextSize))
		v.Content().Refresh() // as the driver refreshes all objects of a window
		assert.Equal(t, v.background(), color.NRGBAModel.Convert(v.canvas.picture.At(0, 0)), mode)
	}
}

// TestReleaseLeavesThePicture releases a model before the next one is loaded.
func TestReleaseLeavesThePicture(t *testing.T) {
	v, _ := shown(t, moving())
	before := bytes.Clone(pixels(v))
	v.Release()
	assert.Nil(t, v.Scene())
	assert.Equal(t, before, pixels(v))
	for _, key := range "17fawgbnlhiHut,.<>" {
		v.canvas.TypedRune(key)
	}
	v.canvas.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	v.play.stop()
	v.SetModel(nil)
	assert.Len(t, pixels(v), 4, "nothing is shown")
}

// TestCameraStaysWhilePlaying plays an animation that leaves the picture; a tight camera would follow it.
func TestCameraStaysWhilePlaying(t *testing.T) {
	v, _ := shown(t, moving())
	v.play.chooseAsUser(0)
	stands := v.Pose()
	assert.False(t, stands.tight)
	first := bytes.Clone(pixels(v))
	v.play.seek(v.play.start + .1)
	assert.Equal(t, stands, v.Pose())
	assert.NotEqual(t, first, pixels(v))
	v.play.seek(v.play.start)
	assert.Equal(t, first, pixels(v))
}

// TestResizedPictureShowsEverything makes the window narrow while something plays, and after the camera was moved.
func TestResizedPictureShowsEverything(t *testing.T) {
	v, _ := shown(t, moving())
	v.play.seek(v.play.start)
	wide := v.Pose()
	require.False(t, wide.tight)
	resize := func(width, height float32) { v.canvas.Resize(fyne.NewSize(width, height)) }
	resize(90, 350)
	assert.NotEqual(t, wide, v.Pose(), "from farther away")
	tight := v.view
	tight.Tight, tight.Distance, tight.Shift = true, 1, [2]float64{}
	assert.Equal(t, poseOf(v.model.UnlockCamera(tight, 90, 350)), v.Pose())
	v.zoom(12)
	own := v.Pose()
	resize(300, 300)
	assert.Equal(t, own, v.Pose(), "somebody chose it")
}

func TestUnplayedPartOfTheSliderIsVisible(t *testing.T) {
	v, _ := shown(t, moving())
	track := test.TempWidgetRenderer(t, v.play.slider).Objects()[0].(*canvas.Rectangle)
	assert.Equal(t, theme.Color(theme.ColorNamePlaceHolder), track.FillColor)
}

func TestClockShowsSpeedAndLoop(t *testing.T) {
	v, _ := shown(t, moving())
	p := v.play
	assert.Equal(t, "stored pose", p.clock.Text)
	p.choose(0)
	named(t, p.items(), "Loop").Action()
	p.setSpeed(2, p.stopsAtEnd)
	assert.Equal(t, "0.00 / 1.00 s · 2× · no loop", p.clock.Text)
}

// TestHiddenPiecesAreNotFramed hides one of two triangles, which are far from each other.
func TestHiddenPiecesAreNotFramed(t *testing.T) {
	s := moving()
	far := *s.Roots[0]
	far.Name, far.Transform[12] = "far", 30
	mesh := *far.Mesh
	mesh.Name, far.Mesh, s.Roots[0].Mesh.Name = "m", &mesh, "n"
	s.Roots, s.Animations = append(s.Roots, &far), nil
	v, _ := shown(t, s)
	both := v.model.Framing()
	v.Select(&far)
	v.hide()
	assert.Equal(t, both, v.model.Framing(), "the camera is where it was")
	assert.False(t, v.Pose().tight)
	assert.Equal(t, []render.LegendEntry{{Text: "placeholder colors"}, {Color: v.legend.signs[1].Color, Text: "n"}},
		v.legend.signs)
	v.FrameAll()
	one, _ := shown(t, moving())
	assert.Equal(t, one.model.Framing(), v.model.Framing())
	v.showAll()
	v.FrameAll()
	assert.NotEqual(t, both, v.model.Framing(), "however far it is")
	v.reset()
	assert.Equal(t, both, v.model.Framing(), "as at first")
}

// A replaced model uses no memory: neither the picture nor the renderer keeps it.
func TestReplacedModelsAreReleased(t *testing.T) {
	for name, next := range map[string]func(v *Viewport){
		"none is shown":  func(v *Viewport) { v.SetModel(nil) },
		"it is released": func(v *Viewport) { v.Release() },
		"another is shown": func(v *Viewport) {
			m, err := render.Load(t.Context(), moving())
			require.NoError(t, err)
			v.SetModel(m)
		},
	} {
		t.Run(name, func(t *testing.T) {
			v, _ := shown(t, moving())
			model := weak.Make(v.model)
			next(v)
			runtime.GC()
			runtime.GC()
			assert.Nil(t, model.Value())
			runtime.KeepAlive(v)
		})
	}
}

// TestJointNamesStayInThePicture places names of joints at the edges of a picture of 100 by 50 pixels.
func TestJointNamesStayInThePicture(t *testing.T) {
	within := image.Rect(0, 0, 100, 50)
	node := &scene.Node{}
	for what, c := range map[string]struct {
		at   [2]float64
		wide int
		want []image.Rectangle
	}{
		"right of it":     {[2]float64{10, 20}, 40, []image.Rectangle{image.Rect(17, 15, 65, 25)}},
		"left of it":      {[2]float64{80, 20}, 40, []image.Rectangle{image.Rect(25, 15, 73, 25)}},
		"below it":        {[2]float64{50, 20}, 60, []image.Rectangle{image.Rect(32, 27, 100, 37)}},
		"at the top":      {[2]float64{10, 2}, 40, []image.Rectangle{image.Rect(17, 0, 65, 10)}},
		"at the bottom":   {[2]float64{10, 49}, 40, []image.Rectangle{image.Rect(17, 40, 65, 50)}},
		"not in it":       {[2]float64{-3, 20}, 40, nil},
		"as wide as that": {[2]float64{50, 20}, 92, []image.Rectangle{image.Rect(0, 27, 100, 37)}},
	} {
		var got []image.Rectangle
		for _, l := range layOutLabels([]render.Label{{Text: "name", Node: node, X: c.at[0], Y: c.at[1]}}, within.Max, 1, 1,
			func(string) image.Point { return image.Pt(c.wide, 10) }) {
			got = append(got, l.area)
			assert.True(t, l.area.In(within), what)
		}
		assert.Equal(t, c.want, got, what)
	}
}

// TestRotationFollowsTheRoll drags to the right in the view of a camera that is rolled to the left by a quarter turn:
// right on the screen is up in the scene.
func TestRotationFollowsTheRoll(t *testing.T) {
	leaning := &scene.Node{Name: "eye", Camera: &scene.Camera{FieldOfView: 1, Aspect: 1}, Transform: scene.Matrix{
		0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9, 1}}
	s := moving()
	s.Roots = append(s.Roots, leaning)
	v, _ := shown(t, s)
	v.canvas.TypedRune('0')
	require.Same(t, leaning, v.view.Camera)
	v.canvas.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(20, 0)})
	assert.Nil(t, v.view.Camera)
	assert.InDelta(t, math.Pi/2, v.view.Roll, 1e-6)
	assert.InDelta(t, 0, v.view.Yaw, 1e-6)
	assert.InDelta(t, -20*turn, v.view.Pitch, 1e-6)
	v.canvas.TypedRune('1')
	assert.Zero(t, v.view.Roll, "views along an axis are upright")
}

func TestTheFirstTurnDoesNotJump(t *testing.T) {
	v, _ := shown(t, moving())
	first := bytes.Clone(pixels(v))
	v.canvas.Dragged(&fyne.DragEvent{})
	off := 0
	for i, b := range pixels(v) {
		if d := int(b) - int(first[i]); d > 40 || d < -40 {
			off++
		}
	}
	assert.Less(t, off, len(first)/200)
}

func TestPlaybackStepsScrubsLoopsAndStops(t *testing.T) {
	v, _ := shown(t, moving())
	p := v.play
	assert.True(t, p.bar.Visible())
	var names []string
	for _, c := range p.clips {
		names = append(names, c.Name)
	}
	assert.Equal(t, []string{"half", "up"}, names)
	assert.Nil(t, p.player, "it stands as the file has it")
	still := bytes.Clone(pixels(v))
	p.choose(1)
	assert.Equal(t, [2]float32{0, 2}, [2]float32{p.start, p.end})
	assert.Equal(t, still, pixels(v), "the first frame is the same")
	v.canvas.TypedRune('.')
	assert.InDelta(t, 1./30, p.time, 1e-6, "the next frame")
	v.canvas.TypedRune(',')
	v.canvas.TypedRune(',')
	assert.Zero(t, p.time, "there is none before the first")
	p.goTo(.97)
	v.canvas.TypedRune('.')
	assert.Equal(t, float32(1), p.time, "a key that is near is a frame")
	v.canvas.TypedRune('<')
	assert.Zero(t, p.time, "the key before")
	v.canvas.TypedRune('>')
	assert.Equal(t, float32(1), p.time, "the next key")
	assert.Equal(t, "1.00 / 2.00 s", p.clock.Text)
	assert.NotEqual(t, still, pixels(v))
	p.stepKey(-1)
	assert.Equal(t, float32(0), p.time)
	p.slider.SetValue(1.5)
	assert.InDelta(t, 1.5, p.time, .001, "scrubbed")
	p.advance(time.Second)
	assert.InDelta(t, .5, p.time, .001, "from the beginning")
	p.stopsAtEnd = true
	p.speed = 4
	p.advance(time.Second)
	assert.Equal(t, float32(2), p.time, "to the end")
	p.choose(0)
	assert.Equal(t, [2]float32{1, 2}, [2]float32{p.start, p.end})
	p.choose(-1)
	assert.Equal(t, still, pixels(v))
	v.SetModel(nil)
	p.toggle()
	assert.False(t, p.playing)
}

// TestAClipPlaysBackwards plays a clip of the second half.
func TestAClipPlaysBackwards(t *testing.T) {
	s := moving()
	s.Animations[0].Clips[0].Speed = -2
	v, _ := shown(t, s)
	p := v.play
	p.choose(0)
	assert.Equal(t, float32(2), p.time, "it begins at its end")
	p.advance(time.Second / 4)
	assert.InDelta(t, 1.5, p.time, .001)
	p.advance(time.Second / 2)
	assert.InDelta(t, 1.5, p.time, .001, "again from its end")
	p.stopsAtEnd = true
	p.advance(time.Second)
	assert.Equal(t, float32(1), p.time, "to its beginning")
	p.toggle()
	assert.InDelta(t, 2, p.time, .1, "again")
	p.stop()
}

func TestClickSelects(t *testing.T) {
	s := moving()
	s.Roots[0].Materials = []*scene.Material{{Name: "red"}}
	v, _ := shown(t, s)
	var clicked []*scene.Node
	v.OnSelect = func(n *scene.Node) { clicked = append(clicked, n) }
	n := v.model.Scene().Roots[0]
	var at fyne.Position
	for y := float32(0); y < v.canvas.size.Height; y += 10 {
		for x := float32(0); x < v.canvas.size.Width; x += 10 {
			if found := v.displayed.hits.At(v.model, int(x), int(y)); found.Node == n {
				at = fyne.NewPos(x, y)
			}
		}
	}
	require.NotZero(t, at)
	v.canvas.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	assert.Equal(t, "n · red", v.canvas.tag.visibleText())
	v.canvas.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(1, 1)}})
	assert.Empty(t, v.canvas.tag.visibleText(), "there is nothing")
	v.canvas.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	v.canvas.MouseOut()
	assert.Empty(t, v.canvas.tag.visibleText(), "the pointer is elsewhere")
	before := bytes.Clone(pixels(v))
	v.canvas.Tapped(&fyne.PointEvent{Position: at})
	v.canvas.Tapped(&fyne.PointEvent{Position: fyne.NewPos(1, 1)})
	assert.Equal(t, []*scene.Node{n, nil}, clicked)
	v.Select(n)
	assert.NotEqual(t, before, pixels(v), "it has an outline")
	v.canvas.TypedRune('h')
	hits := v.displayed.hits
	found := hits.At(v.model, int(at.X), int(at.Y)).Node
	assert.Nil(t, found, "it is hidden")
	v.canvas.TypedRune('H')
	assert.Equal(t, before, pixels(v))
}

func TestMenusThatDoNotFitAreInTheLast(t *testing.T) {
	v, _ := shown(t, moving())
	row := v.tools.row
	visible := func() (names []string) {
		for _, m := range row.menus {
			if m.Visible() {
				names = append(names, m.Text)
			}
		}
		return names
	}
	row.row.Resize(fyne.NewSize(900, 30))
	assert.Equal(t, []string{"View", "Show", "Scene", "Animation"}, visible())
	assert.False(t, row.overflow.Visible())
	row.row.Resize(fyne.NewSize(row.fullWidth()-1, 30))
	assert.Equal(t, []string{"View", "Show", "Scene"}, visible())
	assert.True(t, row.overflow.Visible())
	rest := row.hiddenMenus()
	assert.Len(t, rest, 1)
	assert.Equal(t, "Animation", rest[0].Label)
	assert.NotEmpty(t, rest[0].ChildMenu.Items)
	row.row.Resize(row.row.MinSize())
	assert.Empty(t, visible())
	assert.Len(t, row.hiddenMenus(), 4)
	row.setHasItems(v.tools.animation, false)
	assert.Len(t, row.hiddenMenus(), 3)
}

func TestF11MaximizesAndEscapeRestores(t *testing.T) {
	v, _ := shown(t, moving())
	v.canvas.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF11})
	assert.True(t, v.cover.IsMaximized())
	v.canvas.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	assert.False(t, v.cover.IsMaximized())
}

// TestLastPictureIsFine draws on goroutines, as the window does.
func TestLastPictureIsFine(t *testing.T) {
	m, err := render.Load(t.Context(), moving())
	require.NoError(t, err)
	group := work.New(t.Context())
	fine := make(chan drawnFrame, 100)
	d := newDrawWorker(group, func(f drawnFrame) {
		if f.fine {
			fine <- f
		}
	})
	test.NewTempApp(t)
	for i := range 20 {
		d.draw(&drawRequest{model: m, view: render.View{Yaw: float64(i)}, size: image.Pt(60, 40), moving: true})
	}
	select {
	case f := <-fine:
		assert.Equal(t, image.Rect(0, 0, 60, 40), f.picture.Rect)
		assert.Equal(t, 19., f.request.view.Yaw, "of the last request")
	case <-time.After(time.Minute):
		t.Fatal("no fine picture came")
	}
	group.Close()
	group.Wait()
}

func TestNamesDoNotOverlap(t *testing.T) {
	v, _ := shown(t, moving())
	v.canvas.setLabels([]render.Label{{Text: "one", X: 50, Y: 50}, {Text: "two", X: 52, Y: 51},
		{Text: "three", X: 200, Y: 50}, {X: 300, Y: 50}}, 1, color.Black)
	var seen []string
	for _, l := range v.canvas.labels {
		if l.visibleText() != "" {
			seen = append(seen, l.visibleText())
		}
	}
	assert.Equal(t, []string{"one", "three"}, seen)
}

// TestTheNameOfTheSelectionStays selects the second of two joints at one position.
func TestTheNameOfTheSelectionStays(t *testing.T) {
	s := moving()
	n := s.Roots[0]
	first := &scene.Node{Name: "first", Transform: scene.Identity}
	second := &scene.Node{Name: "second", Transform: scene.Identity}
	n.Skin = &scene.Skin{Joints: []*scene.Node{first, second}}
	s.Roots = append(s.Roots, first, second)
	v, _ := shown(t, s)
	v.rune('n')
	require.NotEmpty(t, v.displayed.labels)
	assert.Equal(t, "first", v.displayed.labels[0].Text)
	v.Select(second)
	assert.Equal(t, "second", v.displayed.labels[0].Text)
}

func TestFrameRateIsOfTheCurrentMovement(t *testing.T) {
	r := rate{}
	now := time.Unix(100, 0)
	f := drawnFrame{took: 12 * time.Millisecond, request: &drawRequest{moving: true}}
	assert.Empty(t, r.text(f, now))
	r.enabled = true
	assert.Equal(t, "12 ms per frame", r.text(f, now), "one tells no rate")
	text := ""
	for range 50 {
		now = now.Add(25 * time.Millisecond)
		text = r.text(f, now)
	}
	assert.Equal(t, "40 fps · 12 ms per frame", text)
	now = now.Add(time.Hour)
	assert.Equal(t, "12 ms per frame", r.text(f, now), "a new movement")

	v, _ := shown(t, moving())
	assert.Empty(t, v.canvas.rate.visibleText())
	v.commands.Run("scene.frame-rate", v)
	assert.Contains(t, v.canvas.rate.visibleText(), "ms per frame")
	v.commands.Run("scene.frame-rate", v)
	assert.Empty(t, v.canvas.rate.visibleText())
}

func TestEnterOpensAMenuOfTheTools(t *testing.T) {
	v, _ := shown(t, moving())
	d := new(desk)
	v.host = d
	for _, m := range v.tools.row.menus {
		d.menu = nil
		m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		assert.NotNil(t, d.menu, m.Text)
	}
}
