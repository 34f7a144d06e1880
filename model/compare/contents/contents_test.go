package contents

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/content"
	"assay/model/scene"
	"assay/model/text"
)

type floats []float32

func (f floats) Read(first int, into []float32) error { copy(into, f[first:]); return nil }

type indices []uint32

func (x indices) Len() int                            { return len(x) }
func (x indices) Read(first int, into []uint32) error { copy(into, x[first:]); return nil }

// quad returns a mesh of positions, normals and texture coordinates.
func quad(parts ...[]uint32) *scene.Mesh {
	m := &scene.Mesh{Count: 4, Elements: []scene.Element{{Usage: scene.Position, Size: 3},
		{Usage: scene.Normal, Size: 3}, {Usage: scene.TexCoord, Size: 2}},
		Vertices: floats{
			0, 0, 0, 0, 0, 1, 0, 0,
			1, 0, 0, 0, 0, 1, 1, 0,
			1, 1, 0, 0, 0, 1, 1, 1,
			0, 1, 0, 0, 0, 1, 0, 1}}
	for _, p := range parts {
		m.Parts = append(m.Parts, &scene.Part{Primitive: scene.Triangles, Indices: indices(p)})
	}
	return m
}

func TestChangesOfTrianglesAndVerticesAreCounted(t *testing.T) {
	change := func(do func(m *scene.Mesh, v floats), parts ...[]uint32) []string {
		m := quad(parts...)
		do(m, m.Vertices.(floats))
		s, err := meshChanges(context.Background(), &scene.Node{Mesh: quad([]uint32{0, 1, 2, 0, 2, 3})},
			&scene.Node{Mesh: m}, Options{})
		require.NoError(t, err)
		return s.Texts()
	}
	none := func(*scene.Mesh, floats) {}
	two := []uint32{0, 1, 2, 0, 2, 3}

	assert.Empty(t, change(none, two))
	assert.Equal(t, []string{"corner order of 1 of 2 triangles changed"}, change(none, []uint32{1, 2, 0, 0, 2, 3}),
		"a triangle may begin at any of its vertices")
	assert.Equal(t, []string{"2 of 2 triangles at another index"}, change(none, []uint32{0, 2, 3, 0, 1, 2}))
	assert.Equal(t, []string{"1 triangle removed"}, change(none, []uint32{0, 1, 2}))
	assert.Equal(t, []string{"1 part added"}, change(none, two, []uint32{0, 1, 3}))
	assert.Equal(t, []string{"1 of 4 positions moved by (0, 0, 5)", "1 of 4 normals changed", "UVs unchanged"},
		change(func(_ *scene.Mesh, v floats) {
			v[2], v[4], v[5] = 5, 1, 0
		}, two))
	assert.Equal(t, []string{"1 of 4 normals changed", "2 of 4 UVs changed"}, change(func(_ *scene.Mesh, v floats) {
		v[3], v[6], v[14] = 1, 9, 9
	}, two))
	assert.Equal(t, []string{"4 of 4 vertices at another index, 1 vertex moved past the others",
		"2 of 2 triangles with other corners"}, change(func(_ *scene.Mesh, v floats) {
		first := append(floats(nil), v[:8]...)
		copy(v, v[8:])
		copy(v[24:], first)
	}, two))
	assert.Equal(t, []string{"4 → 3 vertices", "3 of the positions are in both", "2 → 1 triangles"},
		change(func(m *scene.Mesh, v floats) {
			m.Count, m.Vertices = 3, v[:24]
		}, []uint32{0, 1, 2}))
}

func TestDifferentPixelsAreCounted(t *testing.T) {
	type canvas interface {
		image.Image
		Set(x, y int, c color.Color)
	}
	for _, newCanvas := range []func() canvas{
		func() canvas { return image.NewNRGBA(image.Rect(0, 0, 8, 4)) },
		func() canvas { return image.NewRGBA64(image.Rect(0, 0, 8, 4)) },
	} {
		a, b := newCanvas(), newCanvas()
		assert.Empty(t, imageChanges(a, b).Texts())
		b.Set(2, 1, color.NRGBA{A: 255})
		b.Set(3, 2, color.NRGBA{R: 10, A: 255})
		assert.Equal(t, []string{"2 of 32 pixels changed, maximum difference 255 of 255", "within 2 × 2 at (2, 1)"},
			imageChanges(a, b).Texts())
	}
	assert.Equal(t, []string{"size 8 × 4 → 2 × 2 pixels"},
		imageChanges(image.NewGray(image.Rect(0, 0, 8, 4)), image.NewGray(image.Rect(0, 0, 2, 2))).Texts())
}

func TestAllFramesOfPicturesAreCompared(t *testing.T) {
	picture := func(values ...uint8) model.Picture {
		var p model.Picture
		for i, v := range values {
			img := image.NewGray(image.Rect(0, 0, 2, 2))
			img.Pix[3] = v
			p.Parts = append(p.Parts, model.Part{Name: fmt.Sprint("frame ", i+1),
				Load: func(context.Context) (image.Image, error) { return img, nil }})
			if i == 0 {
				p.Image = img
			}
		}
		return p
	}
	for _, c := range []struct {
		new  model.Picture
		want []string
	}{
		{picture(1, 2, 3), nil},
		{picture(1, 2, 4),
			[]string{"frame 3: 1 of 4 pixels changed, maximum difference 1 of 255, within 1 × 1 at (1, 1)"}},
		{picture(1, 2), []string{"2 pictures, was 3"}},
		{picture(9, 9, 9), []string{"1 of 4 pixels changed, maximum difference 8 of 255", "within 1 × 1 at (1, 1)",
			"2 more pictures in it changed"}},
	} {
		got, err := Compare(t.Context(), picture(1, 2, 3), c.new, Options{})
		require.NoError(t, err)
		assert.Equal(t, c.want, got.Texts())
	}
}

func TestFactsCountTheParts(t *testing.T) {
	assert.Equal(t, []string{"4 vertices", "2 triangles"},
		Facts(&scene.Node{Mesh: quad([]uint32{0, 1, 2, 0, 2, 3})}))
	assert.Equal(t, []string{"1 joint"}, Facts(&scene.Skin{Joints: []*scene.Node{{}}}))
	assert.Equal(t, []string{"8 × 4 pixels"}, Facts(model.Picture{Image: image.NewGray(image.Rect(0, 0, 8, 4))}))
	for of, want := range map[string]string{"one\ntwo": "2 lines", "one\ntwo\n": "2 lines", "new\n": "1 line", "\n": "1 line",
		"one\n\n": "2 lines", "": "0 lines"} {
		assert.Equal(t, []string{want}, Facts(&text.Text{Text: of}), "%q", of)
		assert.Len(t, text.Lines(of), text.LineCount(of), "counted as in comparisons")
	}
	assert.Empty(t, Facts(nil))
}

func TestAnimationsAreComparedByChannel(t *testing.T) {
	channel := func(target string, times ...float32) *scene.Channel {
		return &scene.Channel{TargetName: target, Components: scene.Rotate,
			Read: func() ([]float32, []float32, error) { return times, times, nil }}
	}
	old := &scene.Animation{Channels: []*scene.Channel{channel("arm", 0, 1), channel("leg", 0, 2)}}
	for _, c := range []struct {
		channels []*scene.Channel
		want     []string
	}{
		{[]*scene.Channel{channel("arm", 0, 1), channel("leg", 0, 2)}, nil},
		{[]*scene.Channel{channel("arm", 0, 1), channel("leg", 0, 1, 2.5)},
			[]string{"channel leg rotation changed", "1 key added", "length 2 s → 2.5 s"}},
		{[]*scene.Channel{channel("arm", 0, 1), channel("head", 0, 2)},
			[]string{"1 channel added", "1 channel removed"}},
		{[]*scene.Channel{channel("arm", 0, 0.5), channel("leg", 1, 2)},
			[]string{"2 of 2 channels changed", "number of keys unchanged"}},
		{[]*scene.Channel{channel("arm", 0, 0.25, 1), channel("leg", 0, 1, 2)},
			[]string{"2 of 2 channels changed", "2 keys added", "motion unchanged"}},
		{[]*scene.Channel{channel("arm", 0, 0.25, 1), channel("leg", 0, 3)},
			[]string{"2 of 2 channels changed", "1 key added", "motion unchanged in 1 of them",
				"length 2 s → 3 s"}},
	} {
		got, err := animationChanges(context.Background(), old, &scene.Animation{Channels: c.channels}, Options{})
		require.NoError(t, err)
		assert.Equal(t, c.want, got.Texts())
	}
	twice := func(last float32) *scene.Animation {
		return &scene.Animation{Channels: []*scene.Channel{channel("arm", 0, last), channel("arm", 0, 2)}}
	}
	got, err := animationChanges(context.Background(), twice(1), twice(1.5), Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"channel arm rotation changed", "number of keys unchanged"}, got.Texts(),
		"the first of two channels for the same components")
}

func TestOnGrayColorsDifferences(t *testing.T) {
	old, new := image.NewNRGBA(image.Rect(0, 0, 3, 1)), image.NewNRGBA(image.Rect(0, 0, 3, 1))
	copy(old.Pix, []byte{255, 0, 0, 255, 10, 10, 10, 255, 0, 0, 0, 255})
	copy(new.Pix, []byte{255, 0, 0, 255, 11, 10, 10, 255, 255, 255, 255, 255})
	out := OnGray(old, new, 1, color.NRGBA{0, 0, 200, 255})
	assert.Equal(t, []byte{76, 76, 76, 255}, out.Pix[:4], "equal pixels are gray")
	assert.Greater(t, out.Pix[6], out.Pix[4], "a difference of one step is visible")
	assert.Equal(t, []byte{0, 0, 200, 255}, out.Pix[8:])
}

func TestDifferencesAreAmplified(t *testing.T) {
	a, b := image.NewNRGBA(image.Rect(0, 0, 2, 2)), image.NewNRGBA(image.Rect(0, 0, 3, 2))
	for _, img := range []*image.NRGBA{a, b} {
		for i := range img.Pix {
			img.Pix[i] = 255
		}
	}
	b.SetNRGBA(1, 1, color.NRGBA{R: 245, G: 255, B: 55, A: 255})
	d, _ := Difference(a, b, 4)
	assert.Equal(t, image.Rect(0, 0, 3, 2), d.Rect)
	assert.Equal(t, color.NRGBA{A: 255}, d.NRGBAAt(0, 0))
	assert.Equal(t, color.NRGBA{R: 40, B: 255, A: 255}, d.NRGBAAt(1, 1))
	assert.Equal(t, color.NRGBA{R: 255, G: 255, B: 255, A: 255}, d.NRGBAAt(2, 0), "a pixel of one picture only")
}

func TestRoundingDoesNotDependOnTheOrderOfVertices(t *testing.T) {
	mesh := func(by float32, order ...int) *scene.Node {
		m := quad([]uint32{0, 1, 2})
		all := m.Vertices.(floats)
		all[14] = 1000 // the largest of the texture coordinates
		all[6] = .25 + by
		var v floats
		for _, i := range order {
			v = append(v, all[8*i:8*i+8]...)
		}
		m.Vertices = v
		return &scene.Node{Mesh: m}
	}
	for _, c := range []struct {
		order []int
		moved string
	}{
		{[]int{1, 2, 3, 0}, "4 of 4 vertices at another index, 1 vertex moved past the others"},
		{[]int{3, 0, 1, 2}, "4 of 4 vertices at another index, 1 vertex moved past the others"},
		{[]int{0, 3, 2, 1}, "2 of 4 vertices at another index"},
		{[]int{2, 3, 0, 1}, "4 of 4 vertices at another index, 2 vertices moved past the others"},
	} {
		want := []string{c.moved, "1 of 4 UVs differ only by rounding",
			"1 of 1 triangle with other corners"}
		got, err := Compare(t.Context(), mesh(0, 0, 1, 2, 3), mesh(.001, c.order...), Options{})
		require.NoError(t, err)
		assert.Equal(t, want, got.Texts(), c.order)
		got, err = Compare(t.Context(), mesh(0, 0, 1, 2, 3), mesh(.01, c.order...), Options{})
		require.NoError(t, err)
		want[1] = "1 of 4 UVs changed"
		assert.Equal(t, want, got.Texts(), c.order)
	}
}

// wav returns a sound of 16-bit samples.
func wav(t *testing.T, samples ...int16) any {
	t.Helper()
	var b bytes.Buffer
	size := uint32(2 * len(samples))
	b.WriteString("RIFF")
	for _, v := range []any{36 + size, []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(1000), uint32(2000),
		uint16(2), uint16(16), []byte("data"), size, samples} {
		require.NoError(t, binary.Write(&b, binary.LittleEndian, v))
	}
	v, err := content.View(t.Context(), model.NewSource("a.wav", bytes.NewReader(b.Bytes()), int64(b.Len())))
	require.NoError(t, err)
	return v
}

func TestSoundsAreComparedBySamples(t *testing.T) {
	got, err := Compare(t.Context(), wav(t, 0, 100, 200), wav(t, 0, 100, 200), Options{})
	require.NoError(t, err)
	assert.Empty(t, got)
	got, err = Compare(t.Context(), wav(t, 0, 100, 200), wav(t, 0, 16484, 200, 300), Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"length 0.003 s → 0.004 s", "1 of 4 samples changed, maximum difference 0.5 of full scale"}, got.Texts())
}
