package assets_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats/kaitai/gallery"
	"assay/model"
	"assay/model/sound"
)

// readAs opens a file with the description of assets/formats that recognizes it, which must account for all of it.
func readAs(t *testing.T, id string, file []byte) *model.Node {
	t.Helper()
	src := model.NewSource("file", bytes.NewReader(file), int64(len(file)))
	described := (&gallery.Gallery{Bundled: assets.Formats()}).Recognize(file, "", "file")
	require.NotNil(t, described)
	require.Equal(t, id, described.ID)
	d, err := described.Open(context.Background(), src)
	require.NoError(t, err)
	report, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	assert.Empty(t, report.Problems)
	assert.Empty(t, report.Gaps)
	return d.Root()
}

// value returns the value at a path below a node.
func value(t *testing.T, n *model.Node, path ...string) any {
	t.Helper()
	for _, name := range path {
		n = n.ChildNamed(name)
		require.NotNil(t, n, path)
	}
	return n.Value
}

// TestASoundIsReadAsByTheSoundReader holds that the description of RIFF says of a WAV what model/sound does.
func TestASoundIsReadAsByTheSoundReader(t *testing.T) {
	const frames = 3
	for _, format := range []struct{ channels, rate, bits int }{{1, 8000, 8}, {2, 44100, 16}, {6, 48000, 24}} {
		data := make([]byte, frames*format.channels*format.bits/8)
		info := "INFOINAM\x05\x00\x00\x00Ducks\x00"
		b := []byte("WAVEfmt \x10\x00\x00\x00\x01\x00")
		b = binary.LittleEndian.AppendUint16(b, uint16(format.channels))
		b = binary.LittleEndian.AppendUint32(b, uint32(format.rate))
		b = binary.LittleEndian.AppendUint32(b, uint32(format.rate*format.channels*format.bits/8))
		b = binary.LittleEndian.AppendUint16(b, uint16(format.channels*format.bits/8))
		b = binary.LittleEndian.AppendUint16(b, uint16(format.bits))
		b = binary.LittleEndian.AppendUint32(append(b, "LIST"...), uint32(len(info)))
		b = binary.LittleEndian.AppendUint32(append(append(b, info...), "data"...), uint32(len(data)))
		b = append(b, data...)
		if len(data)%2 == 1 {
			b = append(b, 0)
		}
		file := append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(b))), b...)

		heard, err := sound.Open(t.Context(), model.NewSource("file", bytes.NewReader(file), int64(len(file))))
		require.NoError(t, err)
		chunks := readAs(t, "riff", file).ChildNamed("chunks")
		assert.EqualValues(t, heard.Rate, value(t, chunks, "0", "data", "samples_per_second"))
		assert.EqualValues(t, heard.Channels, value(t, chunks, "0", "data", "channels"))
		align := value(t, chunks, "0", "data", "block_align").(uint64)
		assert.EqualValues(t, heard.Frames, value(t, chunks, "2", "size").(uint64)/align)
		assert.Equal(t, "2 data", chunks.Child(2).Title())
		title := value(t, chunks, "1", "data", "chunks", "0", "data").(model.Blob)
		text, err := title.Source.Bytes(title.Span)
		require.NoError(t, err)
		assert.Equal(t, []sound.Tag{{Name: "Title", Value: string(text)}}, heard.Tags)
	}
}

// TestAPictureIsReadAsByImagePNG holds the same of pictures and image/png.
func TestAPictureIsReadAsByImagePNG(t *testing.T) {
	palette := color.Palette{color.Gray{1}, color.Gray{2}, color.Gray{3}}
	for kind, picture := range map[string]image.Image{
		"gray (0)":      image.NewGray(image.Rect(0, 0, 5, 4)),
		"rgb_alpha (6)": image.NewNRGBA(image.Rect(0, 0, 3, 2)),
		"palette (3)":   image.NewPaletted(image.Rect(0, 0, 7, 1), palette),
	} {
		var file bytes.Buffer
		require.NoError(t, png.Encode(&file, picture))
		config, err := png.DecodeConfig(bytes.NewReader(file.Bytes()))
		require.NoError(t, err)
		chunks := readAs(t, "png", file.Bytes()).ChildNamed("chunks")
		header := chunks.Child(0).ChildNamed("data")
		assert.EqualValues(t, config.Width, value(t, header, "width"))
		assert.EqualValues(t, config.Height, value(t, header, "height"))
		assert.Equal(t, kind, header.ChildNamed("color_type").ValueText())
		if colors, ok := config.ColorModel.(color.Palette); ok {
			listed := chunks.Child(1).ChildNamed("data").ChildNamed("colors")
			require.Equal(t, len(colors), listed.Len())
			for i, c := range colors {
				red, _, _, _ := c.RGBA()
				assert.EqualValues(t, red>>8, value(t, listed.Child(i), "red"))
			}
		}
		assert.Equal(t, "IEND", chunks.Child(chunks.Len()-1).Label())
	}
}
