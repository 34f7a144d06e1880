package assets_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats"
	"assay/formats/ppac/ppactest"
	"assay/model"
	"assay/model/archive"
	"assay/model/content"
	"assay/model/find"
	"assay/model/query"
)

var gameFile = flag.String("game", "", "write the package of a game to this file")

// gameAssets is the number of assets of the package of a game.
const gameAssets = 5000

// game is a package as a game has one: pictures with alpha, sounds, shaders, texts and scenes, in folders.
func game(t *testing.T) []byte {
	items := []string{"barrel", "boat", "bridge", "duck", "fence", "fish", "lamp", "lily", "oak", "reed", "rock", "tower"}
	var pictures, sounds [][]byte
	for i := range 144 {
		pictures = append(pictures, sticker(t, i))
	}
	for i := range 12 {
		sounds = append(sounds, tone(i))
	}
	samples := make(map[string][]byte)
	for _, s := range assets.Samples() {
		samples[s.Name] = s.Bytes
	}
	a := ppactest.Archive{Created: 16_000 * day, Modified: 16_500 * day,
		Metadata: ppactest.Pairs("title", "Pond, the game", "author", "Assay")}
	for i := range gameAssets {
		item, n := items[i%len(items)], i/len(items)
		var asset ppactest.Asset
		name := ""
		packed := func(codec string) string { // it takes a while, so only some are
			if n%10 != 0 {
				return ""
			}
			return codec
		}
		switch k := i % 25; {
		case k < 13:
			name = fmt.Sprintf("textures/%s/%s_%03d.png", item, item, n)
			asset = ppactest.Asset{TPU: ppactest.TPU{Type: 0x0200, Purpose: 1}, Content: pictures[i%len(pictures)]}
		case k < 17:
			name = fmt.Sprintf("sounds/%s_%03d.wav", item, n)
			asset = ppactest.Asset{TPU: ppactest.TPU{Type: 0x0303, Purpose: 2}, Content: sounds[i%len(sounds)]}
		case k < 20:
			name = fmt.Sprintf("shaders/%s_%03d.frag", item, n)
			asset = ppactest.Asset{TPU: ppactest.TPU{Type: 0x0108, Purpose: 4}, Codec: packed(ppactest.Zlib)}
			asset.Content = fmt.Appendf(nil, "// %s, variant %d\n#version 330\n\nuniform sampler2D u_color;\nin vec2 v_uv;\nout vec4 o_color;\n\n"+
				"void main() {\n    vec4 c = texture(u_color, v_uv);\n    if (c.a < 0.5) {\n        discard;\n    }\n"+
				"    o_color = vec4(c.rgb * %.2f, c.a);\n}\n", item, n, 0.5+float64(n%50)/100)
		case k < 23:
			name = fmt.Sprintf("levels/%s_%03d.json", item, n)
			asset = ppactest.Asset{TPU: ppactest.TPU{Type: 0x0102, Purpose: 3}, Codec: packed(ppactest.Gzip)}
			asset.Content = fmt.Appendf(nil, "{\n  \"name\": \"%s\",\n  \"number\": %d,\n  \"at\": [%d, 0, %d],\n  \"night\": %t\n}\n",
				item, n, i%90, i%70, n%2 == 0)
		default:
			name = fmt.Sprintf("models/%s_%03d.gpb", item, n)
			asset = ppactest.Asset{TPU: ppactest.TPU{Type: 0x8001, Purpose: 1}, Codec: packed(ppactest.Zlib),
				Content: samples["duck.gpb"]}
		}
		asset.Unique, asset.Created, asset.Modified = uint32(i+1), 16_000*day, 16_500*day
		asset.Metadata = ppactest.Pairs("filename", name)
		a.Assets = append(a.Assets, asset)
	}
	var b bytes.Buffer
	require.NoError(t, ppactest.Write(&b, a))
	return b.Bytes()
}

// sticker is a picture of a disc or a star with soft edges on nothing.
func sticker(t *testing.T, i int) []byte {
	const side = 128
	p := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		dy := float64(y-side/2) / (side / 2)
		wave := func(k float64) uint8 { return uint8(128 + 100*math.Sin(k*float64(i)+3*dy)) }
		c := color.NRGBA{wave(1), wave(2), wave(3), 0}
		for x := range side {
			dx := float64(x-side/2) / (side / 2)
			edge := 0.85
			if i%2 == 0 {
				edge = 0.65 + 0.2*math.Cos(float64(3+i%5)*math.Atan2(dy, dx))
			}
			alpha := min(max(8*(edge-math.Hypot(dx, dy)), 0), 1)
			c.A = uint8(255 * alpha)
			p.SetNRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, p))
	return b.Bytes()
}

// tone is a sound of half a second that fades out, as a WAV.
func tone(i int) []byte {
	const rate, samples = 22050, 11025
	le := binary.LittleEndian
	b := append([]byte("RIFF"), le.AppendUint32(nil, 36+2*samples)...)
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	b = le.AppendUint32(le.AppendUint32(b, rate), 2*rate)
	b = append(b, "\x02\x00\x10\x00data"...)
	b = le.AppendUint32(b, 2*samples)
	for k := range samples {
		fade := 1 - float64(k)/samples
		v := 12000 * fade * math.Sin(2*math.Pi*float64(220+20*i)*float64(k)/rate)
		b = le.AppendUint16(b, uint16(int16(v)))
	}
	return b
}

// TestGame does with the package of a game what a person does: finds a picture by a part of its name, looks at it and
// its alpha, and looks at one of each other kind. With -game it writes the package, to be opened in the window.
func TestGame(t *testing.T) {
	b := game(t)
	if *gameFile != "" {
		require.NoError(t, os.WriteFile(*gameFile, b, 0o644))
	}
	d, err := formats.Opener{}.Open(t.Context(), model.NewSource("game.ppac", bytes.NewReader(b), int64(len(b))))
	require.NoError(t, err)
	report, err := d.Check(t.Context(), nil)
	require.NoError(t, err)
	assert.Empty(t, report.Problems)

	all, err := archive.Read(t.Context(), d, func(*archive.Archive) {})
	require.NoError(t, err)
	require.Equal(t, gameAssets, all.Len())
	tree, err := all.Folders(t.Context())
	require.NoError(t, err)
	assert.Len(t, tree.Groups[0].Groups, 5)
	search := func(text string) []uint32 {
		filter, err := query.Parse(text, query.TableColumns(all.Table()))
		require.NoError(t, err)
		found, err := query.FilterTable(t.Context(), all.Table(), tree.AssetsBelow(0), filter, nil)
		require.NoError(t, err)
		return found
	}
	found := search("duck_12")
	require.NotEmpty(t, found)
	for _, i := range found {
		assert.Contains(t, all.Path(int(i)), "duck_12")
	}

	looker := &content.ViewFinder{Open: formats.Opener{}.Open}
	look := func(text string) model.View {
		n := d.Payloads.At(int(search(text)[0])).Node
		seen, err := looker.Find(t.Context(), d, n)
		require.NoError(t, err)
		t.Cleanup(seen.Close)
		return seen.View
	}
	p := look("*.png").(model.Picture)
	assert.Equal(t, "PNG RGBA, 8 bits", p.Format)
	assert.Equal(t, image.Pt(128, 128), p.Image.Bounds().Size())
	_, _, _, alpha := p.Image.At(0, 0).RGBA()
	assert.Zero(t, alpha)
	for text, kind := range map[string]model.ViewKind{"*.wav": model.SoundView, "*.frag": model.TextView,
		"*.json": model.TextView, "*.gpb": model.SceneView} {
		assert.Equal(t, kind, look(text).ViewKind(), text)
	}
	var last []find.Named
	assets := archive.NewShared(d, func(read func(ctx context.Context)) { read(t.Context()) })
	require.NoError(t, find.Fuzzy(t.Context(), d, assets, "lily_031", func(found []find.Named) { last = found },
		func(int, int) {}))
	require.NotEmpty(t, last)
	assert.Contains(t, last[0].Name, "lily_031")
}
