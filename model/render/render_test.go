package render_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/modeltest"
	"assay/model/render"
	"assay/model/scene"
)

var front = render.View{}

// flat returns a mesh of positions and colors: x y z r g b for each vertex.
func flat(p scene.Primitive, vertices ...float32) *scene.Mesh {
	return &scene.Mesh{Name: "m", Elements: []scene.Element{{Usage: scene.Position, Size: 3},
		{Usage: scene.Color, Size: 3}},
		Count: len(vertices) / 6, Vertices: modeltest.Floats(vertices), Parts: []*scene.Part{{Primitive: p}}}
}

// triangle returns a triangle in the plane z, of one color and size.
func triangle(size, z, r, g, b float32) *scene.Node {
	return &scene.Node{Transform: scene.Identity,
		Mesh: flat(scene.Triangles, -size, -size, z, r, g, b, size, -size, z, r, g, b, 0, size, z, r, g, b)}
}

func sceneOf(nodes ...*scene.Node) *scene.Scene { return &scene.Scene{Roots: nodes} }

func draw(t *testing.T, s *scene.Scene, v render.View, size int) *image.NRGBA {
	t.Helper()
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	r := render.Renderer{Samples: 2}
	require.NoError(t, r.Draw(t.Context(), img, m, v))
	return img
}

// mostly returns the name of the strongest channel of a pixel.
func mostly(c color.NRGBA) string {
	switch {
	case c.A < 128:
		return "nothing"
	case c.R > c.G && c.R > c.B:
		return "red"
	case c.G > c.R && c.G > c.B:
		return "green"
	case c.B > c.R && c.B > c.G:
		return "blue"
	}
	return "grey"
}

// covered returns the share of drawn pixels, and their bounds.
func covered(img *image.NRGBA) (share float64, r image.Rectangle) {
	n := 0
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if img.NRGBAAt(x, y).A > 0 {
				n++
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return float64(n) / float64(img.Rect.Dx()*img.Rect.Dy()), r
}

func TestTriangleCoversItsPixels(t *testing.T) {
	img := draw(t, sceneOf(triangle(1, 0, 1, 0, 0)), render.View{Tight: true}, 100)
	share, r := covered(img)
	assert.InDelta(t, .46, share, .04, "half of what is framed")
	assert.InDelta(t, 96, r.Dx(), 3)
	assert.InDelta(t, 96, r.Dy(), 3)
	assert.Equal(t, "red", mostly(img.NRGBAAt(50, 80)))
	assert.Equal(t, "red", mostly(img.NRGBAAt(50, 30)))
	assert.Equal(t, "nothing", mostly(img.NRGBAAt(10, 20)))
	assert.Equal(t, "nothing", mostly(img.NRGBAAt(90, 20)))
	assert.NotEqual(t, uint8(255), img.NRGBAAt(r.Min.X, r.Max.Y-1).A, "edges are smooth")
}

func TestNeighborsLeaveNoGap(t *testing.T) {
	quad := flat(scene.TriangleStrip, -1, -1, 0, 0, 1, 0, 1, -1, 0, 0, 1, 0, -1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0)
	img := draw(t, sceneOf(&scene.Node{Transform: scene.Identity, Mesh: quad}), render.View{Tight: true}, 64)
	_, r := covered(img)
	for y := r.Min.Y + 1; y < r.Max.Y-1; y++ {
		for x := r.Min.X + 1; x < r.Max.X-1; x++ {
			require.Equal(t, uint8(255), img.NRGBAAt(x, y).A, "%d %d", x, y)
		}
	}
}

func TestNearerTrianglesHideFartherOnes(t *testing.T) {
	near, far := triangle(1, 1, 1, 0, 0), triangle(3, -1, 0, 1, 0)
	for name, s := range map[string]*scene.Scene{"in order": sceneOf(near, far), "the other order": sceneOf(far, near)} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, "red", mostly(draw(t, s, front, 80).NRGBAAt(40, 40)))
			assert.Equal(t, "green", mostly(draw(t, s, render.View{Yaw: math.Pi}, 80).NRGBAAt(40, 40)), "from behind")
		})
	}
}

func TestViewRotatesAndShiftsTheScene(t *testing.T) {
	// Dots at the ends of the axes: x red, y green, z blue.
	balls := &scene.Points{Count: 3, Read: func(first int, into []scene.Dot) error {
		for i := range into {
			var d scene.Dot
			d.Position[first+i] = 1
			d.Color = [4]uint8{40, 40, 40, 255}
			d.Color[first+i] = 255
			into[i] = d
		}
		return nil
	}}
	s := sceneOf(&scene.Node{Transform: scene.Identity, Points: balls})
	where := func(v render.View, what string) (x, y int, found bool) {
		img := draw(t, s, v, 120)
		n := 0
		for py := range 120 {
			for px := range 120 {
				if mostly(img.NRGBAAt(px, py)) == what {
					x, y, n = x+px, y+py, n+1
				}
			}
		}
		if n == 0 {
			return 0, 0, false
		}
		return x / n, y / n, true
	}
	rightOf := func(v render.View, a, b string) bool {
		ax, _, okA := where(v, a)
		bx, _, okB := where(v, b)
		require.True(t, okA && okB)
		return ax > bx
	}
	assert.True(t, rightOf(front, "red", "green"), "x is to the right")
	assert.True(t, rightOf(render.View{Yaw: math.Pi}, "green", "red"), "from behind it is to the left")
	assert.True(t, rightOf(render.View{Yaw: math.Pi / 2}, "green", "blue"), "from the right, z is to the left")
	_, green, _ := where(front, "green")
	_, red, _ := where(front, "red")
	assert.Less(t, green, red, "y is up")
	_, blue, _ := where(render.View{Pitch: math.Pi / 2}, "blue")
	_, red, _ = where(render.View{Pitch: math.Pi / 2}, "red")
	assert.Greater(t, blue, red, "from above, z is down")
	_, _, found := where(render.View{Shift: [2]float64{5, 0}}, "red")
	assert.False(t, found, "moved out of the picture")
}

func TestDistanceScalesAndBackgroundFillsThePicture(t *testing.T) {
	s := sceneOf(triangle(1, 0, 1, 0, 0))
	all, _ := covered(draw(t, s, front, 80))
	less, _ := covered(draw(t, s, render.View{Distance: 2}, 80))
	assert.InDelta(t, all/4, less, .02)
	gray := color.NRGBA{90, 90, 90, 255}
	img := draw(t, s, render.View{Background: gray}, 80)
	assert.Equal(t, gray, img.NRGBAAt(0, 0))
	assert.Equal(t, uint8(255), img.NRGBAAt(40, 40).A)
	inside, _ := covered(draw(t, s, render.View{Distance: .02}, 80))
	assert.InDelta(t, 1, inside, .01, "a near triangle fills the picture")
}

func TestTrianglesAreClippedAtTheNearPlane(t *testing.T) {
	c := cubeMesh()
	img := draw(t, sceneOf(&scene.Node{Transform: scene.Identity, Mesh: c}), render.View{Distance: .001}, 64)
	share, _ := covered(img)
	assert.InDelta(t, 1, share, 1e-9, "every pixel shows a side")
	img = draw(t, sceneOf(&scene.Node{Transform: scene.Identity, Mesh: c}), render.View{Distance: .2, Yaw: 1}, 64)
	share, _ = covered(img)
	assert.InDelta(t, 1, share, 1e-9)
}

func cubeMesh() *scene.Mesh {
	var v []float32
	for i := range 8 {
		v = append(v, float32(i&1)*2-1, float32(i&2)-1, float32(i&4)/2-1)
	}
	return &scene.Mesh{Elements: []scene.Element{{Usage: scene.Position, Size: 3}}, Count: 8,
		Vertices: modeltest.Floats(v), Parts: []*scene.Part{{Primitive: scene.Triangles,
			Indices: modeltest.Indices{0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6,
				0,
				6, 2, 1, 3, 7, 1, 7, 5}}}}
}

func TestNodesAreTransformedAndSkinnedMeshesAreNot(t *testing.T) {
	left, right := triangle(1, 0, 1, 0, 0), triangle(1, 0, 0, 0, 1)
	left.Transform[12], right.Transform[12] = -2, 2
	skinned := triangle(1, 0, 0, 1, 0)
	skinned.Transform[12] = 1e6 // a mesh with a skin is in its bind pose
	skinned.Skin = &scene.Skin{BindShape: scene.Identity}
	img := draw(t, sceneOf(left, right, skinned), front, 120)
	assert.Equal(t, "red", mostly(img.NRGBAAt(30, 65)))
	assert.Equal(t, "green", mostly(img.NRGBAAt(60, 65)))
	assert.Equal(t, "blue", mostly(img.NRGBAAt(90, 65)))
}

func TestLinesAreThinAndCubesHaveThreeTones(t *testing.T) {
	lines := flat(scene.Lines, -1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, -1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0)
	img := draw(t, sceneOf(&scene.Node{Transform: scene.Identity, Mesh: lines}), front, 100)
	share, _ := covered(img)
	assert.Greater(t, share, .01)
	assert.Less(t, share, .06)
	assert.Equal(t, "red", mostly(img.NRGBAAt(50, 50)))

	one := &scene.Points{Count: 1, Edge: 1, Read: func(_ int, into []scene.Dot) error {
		into[0] = scene.Dot{Color: [4]uint8{0, 255, 0, 255}}
		return nil
	}}
	img = draw(t, sceneOf(&scene.Node{Transform: scene.Identity, Points: one}), render.ThreeQuarter, 100)
	share, r := covered(img)
	assert.Greater(t, share, .5)
	assert.True(t, r.In(image.Rect(0, 0, 100, 100)) && r.Dx() < 100 && r.Dy() < 100, "the whole cube is visible: %v", r)
	tones := map[uint8]bool{}
	for y := range 100 {
		for x := range 100 {
			if c := img.NRGBAAt(x, y); c.A == 255 {
				tones[c.G/12] = true
			}
		}
	}
	assert.GreaterOrEqual(t, len(tones), 3, "the three visible sides have different light")
}

func TestSurfacesNearOthersAreDarkerInEveryProjection(t *testing.T) {
	cube := &scene.Node{Transform: scene.Identity, Mesh: cubeMesh()}
	floor := placed(&scene.Node{Transform: scene.Identity, Mesh: cubeMesh()}, [3]float32{4, .1, 4},
		[3]float32{0, -1.1, 0})
	m, err := render.Load(t.Context(), sceneOf(floor, cube))
	require.NoError(t, err)
	for _, parallel := range []bool{false, true} {
		v := render.ThreeQuarter
		v.Orthographic = parallel
		plain, soft := image.NewNRGBA(image.Rect(0, 0, 100, 100)), image.NewNRGBA(image.Rect(0, 0, 100, 100))
		require.NoError(t, (&render.Renderer{Samples: 2}).Draw(t.Context(), plain, m, v))
		require.NoError(t, (&render.Renderer{Samples: 2, Soft: true}).Draw(t.Context(), soft, m, v))
		darker := 0
		for i := range plain.Pix {
			if int(plain.Pix[i])-int(soft.Pix[i]) > 8 {
				darker++
			}
		}
		assert.Greater(t, darker, 300, "orthographic: %v", parallel)
	}
}

// block returns a cube of cubes, and counts the cubes read.
func block(side int, read *int) *scene.Scene {
	return sceneOf(&scene.Node{Transform: scene.Identity,
		Points: &scene.Points{Count: side * side * side, Edge: 1, Read: func(first int, into []scene.Dot) error {
			for i := range into {
				n := first + i
				into[i] = scene.Dot{Position: [3]float32{float32(n % side), float32(n / side % side),
					float32(n / side / side)}, Color: [4]uint8{255, 0, 0, 255}}
			}
			*read += len(into)
			return nil
		}}})
}

func TestManyPointsAreThinned(t *testing.T) {
	read := 0
	s := block(150, &read)
	m, err := render.Load(t.Context(), s)
	require.NoError(t, err)
	assert.True(t, m.Omitted)
	assert.Less(t, read, 500_000, "of three million")
	img := draw(t, s, render.ThreeQuarter, 64)
	few := 0
	want, all := covered(draw(t, block(20, &few), render.ThreeQuarter, 64))
	share, r := covered(img)
	assert.InDelta(t, want, share, .04, "the block has the same outline")
	assert.InDelta(t, all.Dx(), r.Dx(), 3)
	assert.Equal(t, img.Pix, draw(t, s, render.ThreeQuarter, 64).Pix, "the same sample each time")
}

func TestHiddenCubesDoNotChangeThePicture(t *testing.T) {
	read := 0
	s := block(12, &read)
	want := draw(t, s, render.ThreeQuarter, 90)
	p := s.Roots[0].Points
	solid := p.Read
	p.Count++ // a cube inside that is off the lattice: then no hidden sides are known
	p.Read = func(first int, into []scene.Dot) error {
		err := solid(first, into)
		if last := p.Count - 1 - first; last < len(into) {
			into[last].Position = [3]float32{5.5, 5.5, 5.5}
		}
		return err
	}
	assert.Equal(t, want.Pix, draw(t, s, render.ThreeQuarter, 90).Pix)
}

func TestFarItemsDoNotMakeTheRestSmall(t *testing.T) {
	var list []*scene.Node
	for i := range 30 {
		n := triangle(.2, 0, 1, 0, 0)
		n.Transform[12], n.Transform[13] = float32(i%6)*.3, float32(i/6)*.3
		list = append(list, n)
	}
	alone, _ := covered(draw(t, sceneOf(list...), render.View{Tight: true}, 80))
	far := triangle(.2, 0, 1, 0, 0)
	far.Transform[12] = 1e7
	with, _ := covered(draw(t, sceneOf(append(list, far)...), render.View{Tight: true}, 80))
	assert.InDelta(t, alone, with, .45)
	assert.Greater(t, with, .2)

	var long []float32
	for i := range 400 {
		long = append(long, float32(i), float32(i%2), 0, 1, 0, 0)
	}
	strip := &scene.Node{Transform: scene.Identity, Mesh: flat(scene.TriangleStrip, long...)}
	share, _ := covered(draw(t, sceneOf(strip),
		render.View{Tight: true}, 80))
	assert.Greater(t, share, .2, "a part of a very long strip")
}

type broken struct{}

func (broken) Read(int, []float32) error { return errors.New("the disk is gone") }

func TestInvalidGeometryIsSkipped(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	good := triangle(1, 0, 1, 0, 0)
	bad := flat(scene.Triangles, -1, -1, 0, 1, 0, 0, nan, 0, 0, inf, -inf, nan, 0, inf, 0, 1, 1, 1, 1, 1, 1e38, 1, 1, 1)
	bad.Parts = []*scene.Part{{Primitive: scene.Triangles,
		Indices: modeltest.Indices{0, 1, 2, 0, 3, 0, 7, 8, 9, 4294967295, 0, 1}}, nil,
		{Primitive: scene.Lines, Indices: modeltest.Indices{0, 1, 2, 99}}, {Primitive: scene.PointList},
		{Primitive: 77}}
	nowhere := scene.Identity
	nowhere[0], nowhere[13] = nan, inf
	loop := &scene.Node{Transform: scene.Identity}
	loop.Children = []*scene.Node{loop, nil}
	unread := flat(scene.Triangles)
	unread.Count, unread.Vertices = 1000, broken{}
	many := flat(scene.Triangles)
	many.Count, many.Vertices = math.MaxInt32, broken{}
	s := sceneOf(good, nil, loop,
		&scene.Node{Transform: scene.Identity, Mesh: bad},
		&scene.Node{Transform: nowhere, Mesh: bad},
		&scene.Node{Transform: scene.Matrix{}, Mesh: bad},
		&scene.Node{Transform: scene.Identity, Mesh: unread},
		&scene.Node{Transform: scene.Identity, Mesh: many},
		&scene.Node{Transform: scene.Identity, Mesh: &scene.Mesh{}},
		&scene.Node{Transform: scene.Identity, Mesh: good.Mesh, Skin: &scene.Skin{}},
		&scene.Node{Transform: nowhere, Points: &scene.Points{Count: 5, Edge: nan,
			Read: func(int, []scene.Dot) error { return nil }}},
		&scene.Node{Transform: scene.Identity,
			Points: &scene.Points{Count: 1 << 40, Edge: inf, Read: func(_ int, into []scene.Dot) error {
				into[0].Position = [3]float32{nan, nan, nan}
				return nil
			}}})
	img := draw(t, s, render.View{Tight: true}, 60)
	assert.Equal(t, "red", mostly(img.NRGBAAt(30, 40)), "the valid triangle is drawn")
	for _, v := range []render.View{{Yaw: math.Inf(1)}, {Pitch: math.NaN()}, {Distance: math.NaN()}, {Distance: -1},
		{Shift: [2]float64{math.NaN(), 1e300}}} {
		draw(t, s, v, 20)
	}
}

func TestDrawingAnEmptyScene(t *testing.T) {
	m, err := render.Load(t.Context(), &scene.Scene{})
	require.NoError(t, err)
	assert.True(t, m.Empty())
	share, _ := covered(draw(t, &scene.Scene{}, render.ThreeQuarter, 16))
	assert.Zero(t, share)
	var r render.Renderer
	assert.NoError(t, r.Draw(t.Context(), image.NewNRGBA(image.Rectangle{}), m, front))
}

func TestCanceledDrawingReturnsTheContextsError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m, err := render.Load(ctx, sceneOf(triangle(1, 0, 1, 0, 0)))
	require.NoError(t, err)
	cancel()
	var r render.Renderer
	assert.ErrorIs(t, r.Draw(ctx, image.NewNRGBA(image.Rect(0, 0, 50, 50)), m, front), context.Canceled)
	_, err = render.Load(ctx, sceneOf(triangle(1, 0, 1, 0, 0)))
	assert.ErrorIs(t, err, context.Canceled)
}

func TestDrawsIntoAPartOfAPicture(t *testing.T) {
	whole := image.NewNRGBA(image.Rect(0, 0, 100, 100))
	m, err := render.Load(t.Context(), sceneOf(triangle(1, 0, 1, 0, 0)))
	require.NoError(t, err)
	var r render.Renderer
	require.NoError(t, r.Draw(t.Context(), whole.SubImage(image.Rect(40, 40, 60, 60)).(*image.NRGBA), m,
		render.View{Tight: true}))
	_, at := covered(whole)
	assert.True(t, at.In(image.Rect(40, 40, 60, 60)))
	assert.False(t, at.Empty())
}

// An earlier version allocated 100,000 bytes for each instance.
func TestInstancesNeedLittleMemory(t *testing.T) {
	const instances = 2000
	one := triangle(1, 0, 1, 0, 0)
	var all []*scene.Node
	for range instances {
		all = append(all, &scene.Node{Transform: scene.Identity, Mesh: one.Mesh})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := render.Load(t.Context(), sceneOf(all...))
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	assert.Equal(t, instances, m.Triangles())
	assert.Less(t, (after.TotalAlloc-before.TotalAlloc)/instances, uint64(4000))
}
