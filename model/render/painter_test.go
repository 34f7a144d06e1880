package render_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/goregular"

	"assay/model"
	"assay/model/content"
	"assay/model/render"
	"assay/model/sound"
)

// asset returns a document of one asset.
func asset(mediaType string, b []byte) (*model.Document, *model.Payload) {
	src := model.NewSource("one", bytes.NewReader(b), int64(len(b)))
	whole := model.Span{Size: int64(len(b))}
	root := &model.Node{Type: "Root", Span: whole}
	n := &model.Node{Name: "data", Span: whole}
	root.SetChildren(model.List{n})
	a := &model.Payload{Name: "one", MediaType: mediaType, Node: n, Size: whole.Size, Stored: whole,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}
	d := model.NewDocument(src, "test", "1", root)
	d.Payloads = model.PayloadList{a}
	return d, a
}

// loud returns a sound of 8 bits whose first half is silent.
func loud(t *testing.T) []byte {
	t.Helper()
	samples := bytes.Repeat([]byte{128}, 1000)
	for i := 500; i < 1000; i++ {
		samples[i] = uint8(i % 2 * 255)
	}
	var b bytes.Buffer
	size := uint32(len(samples))
	b.WriteString("RIFF")
	for _, v := range []any{36 + size, []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(1000), uint32(1000),
		uint16(1), uint16(8), []byte("data"), size, samples} {
		require.NoError(t, binary.Write(&b, binary.LittleEndian, v))
	}
	return b.Bytes()
}

// inked counts the pixels of a column that are not transparent.
func inked(img image.Image, x int) (n int) {
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		if _, _, _, a := img.At(x, y).RGBA(); a > 0x8000 {
			n++
		}
	}
	return n
}

func TestSoundIsDrawnAsAWaveform(t *testing.T) {
	d, a := asset("audio/wav", loud(t))
	img := (&render.Painter{Size: 64}).Asset(t.Context(), d, a)
	require.NotNil(t, img)
	assert.Equal(t, 1, inked(img, 10), "silence is a line")
	assert.Greater(t, inked(img, 50), 50, "loud samples are high")
}

func TestThumbnailOfASoundIsItsWaveform(t *testing.T) {
	d, _ := asset("audio/wav", loud(t))
	d.Payloads = nil
	d.View = func(ctx context.Context, _ *model.Node) (model.View, error) { return sound.Open(ctx, d.Source) }
	img, err := (&render.Painter{Size: 64}).Thumbnail(t.Context(), d)
	require.NoError(t, err)
	assert.Greater(t, inked(img, 48), inked(img, 16))
}

func TestFontIsDrawnAsLetters(t *testing.T) {
	d, a := asset("font/ttf", goregular.TTF)
	img := (&render.Painter{Size: 64}).Asset(t.Context(), d, a)
	require.NotNil(t, img)
	assert.Equal(t, image.Rect(0, 0, 64, 64), img.Bounds())
	ink := 0
	for x := range 64 {
		ink += inked(img, x)
	}
	assert.Greater(t, ink, 300)
}

func TestInvalidSamplesAreNotDrawn(t *testing.T) {
	for mediaType, b := range map[string][]byte{"audio/wav": loud(t)[:20], "font/ttf": goregular.TTF[:100],
		"audio/mpeg": nil, "text/plain": []byte("some words")} {
		d, a := asset(mediaType, b)
		assert.Nil(t, (&render.Painter{Size: 64}).Asset(t.Context(), d, a), mediaType)
	}
	d, a := asset("audio/wav", loud(t))
	ended, end := context.WithCancel(t.Context())
	end()
	assert.Nil(t, (&render.Painter{Size: 64}).Asset(ended, d, a))
}

func TestInvisiblePicturesGetACheckerboard(t *testing.T) {
	half := func(c color.NRGBA) image.Image { // the other half is transparent
		img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
		for i := range 64 * 32 {
			img.SetNRGBA(i%32, i/32, c)
		}
		return img
	}
	for name, c := range map[string]struct {
		color color.NRGBA
		board bool
	}{
		"black": {color.NRGBA{0, 0, 0, 255}, true}, "white": {color.NRGBA{255, 255, 255, 255}, true},
		"clear": {color.NRGBA{}, true}, "red": {color.NRGBA{200, 30, 30, 255}, false},
	} {
		d := model.NewDocument(nil, "t", "", &model.Node{})
		d.View = func(context.Context, *model.Node) (model.View, error) {
			return model.Picture{Image: half(c.color)}, nil
		}
		img, err := (&render.Painter{Size: 64}).Thumbnail(t.Context(), d)
		require.NoError(t, err, name)
		want := uint8(0)
		if c.board {
			want = 255
		}
		assert.Equal(t, want, img.NRGBAAt(60, 30).A, "%s: the transparent half", name)
		if c.board {
			assert.NotEqual(t, img.NRGBAAt(60, 4), img.NRGBAAt(60, 12), "%s: adjacent squares", name)
		}
	}
}

func TestThumbnailOfATooLargePictureIsAnError(t *testing.T) {
	b := []byte("GIF89a\xff\xff\xff\xff\x80\x00\x00\x00\x00\x00\xff\xff\xff,")
	src := model.NewSource("a.gif", bytes.NewReader(b), int64(len(b)))
	d := model.NewDocument(src, "bytes", "", &model.Node{Type: "Bytes", Span: model.Span{Size: src.Size()}})
	d.View = func(ctx context.Context, _ *model.Node) (model.View, error) { return content.View(ctx, src) }
	_, err := (&render.Painter{Size: 64}).Thumbnail(t.Context(), d)
	require.ErrorIs(t, err, render.ErrNothing)
	assert.ErrorContains(t, err, "the image is too large to display (65535 × 65535 pixels)")

	d.View = func(context.Context, *model.Node) (model.View, error) { return nil, errors.New("width is -1") }
	_, err = (&render.Painter{Size: 8}).Thumbnail(t.Context(), d)
	assert.EqualError(t, err, "nothing to draw: width is -1")
}
