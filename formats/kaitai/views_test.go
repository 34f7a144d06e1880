package kaitai

import (
	"bytes"
	"encoding/binary"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/scene"
	"assay/model/sound"
	"assay/model/text"
)

// fields are three attributes of a byte, and the remaining bytes.
const fields = `
seq:
  - {id: width, type: u1}
  - {id: height, type: u1}
  - {id: kind, type: u1, enum: kinds}
  - {id: rest, size-eos: true}
enums: {kinds: {1: rgb565, 2: strange}}
-assay-view:
  `

// openBytes returns a document of bytes.
func openBytes(t *testing.T, description, content string) *model.Document {
	t.Helper()
	described, err := (&Library{ImportsAnywhere: true}).Read("test.ksy", []byte(description))
	require.NoError(t, err)
	d, err := described.Open(t.Context(), model.NewSource("test", strings.NewReader(content), int64(len(content))))
	require.NoError(t, err)
	return d
}

// viewOfBytes returns the view of a file with a view of fields.
func viewOfBytes(t *testing.T, view, file string) (model.View, error) {
	t.Helper()
	d := openBytes(t, "meta: {id: x, endian: le}"+fields+view, file)
	return d.View(t.Context(), d.Root())
}

func TestPicturesHaveTheFormatsOfDescriptions(t *testing.T) {
	red, blue, none := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}, color.NRGBA{}
	for name, c := range map[string]struct {
		view, pixels string
		want         []color.NRGBA // of two rows of one pixel
	}{
		"named":     {"format: rgb565", "\x00\xf8\x1f\x00", []color.NRGBA{red, blue}},
		"by value":  {"format: kind", "\x00\xf8\x1f\x00", []color.NRGBA{red, blue}},
		"bottom-up": {"format: rgb565, rows: bottom-up", "\x00\xf8\x1f\x00", []color.NRGBA{blue, red}},
		"stride":    {"format: rgb565, stride: 3", "\x00\xf8?\x1f\x00", []color.NRGBA{red, blue}},
		"masks":     {"bits: 8, masks: [0xe0, 0x1c, 3]", "\xe0\x03", []color.NRGBA{red, blue}},
		"palette":   {"format: indexed8, palette: rest, palette-format: rgb8", "\x00\x01\xff\x00\x00\x00\x00", nil},
		"choices":   {"format: width, formats: {1: bgra8}", "\x00\x00\xff\xff\xff\x00\x00\xff", []color.NRGBA{red, blue}},
		"alpha":     {"format: RGBA8", "\xff\x00\x00\xff\x00\x00\x00\x00", []color.NRGBA{red, none}},
	} {
		shown, err := viewOfBytes(t, "picture: {width: width, height: height, data: rest, "+c.view+"}", "\x01\x02\x01"+c.pixels)
		require.NoError(t, err, name)
		p, ok := shown.(model.Picture)
		require.True(t, ok, name)
		assert.Equal(t, 2, p.Bounds().Dy(), name)
		for y, want := range c.want {
			assert.Equal(t, want, color.NRGBAModel.Convert(p.At(0, y)), "%s, row %d", name, y)
		}
	}
}

func TestDescribedPicturesHaveTheirParts(t *testing.T) {
	d := openBytes(t, "meta: {id: x, endian: le}"+fields+"picture: {width: 2, height: 2, data: rest, format: r8, mips: 2, faces: 6}",
		"\x01\x02\x01"+strings.Repeat("\xff\xff\xff\xff\x80", 6))
	shown, err := d.View(t.Context(), d.Root())
	require.NoError(t, err)
	assert.Len(t, shown.(model.Picture).Parts, 12)
	require.NotNil(t, d.Payloads)
	forms := map[string]model.Form{}
	for _, f := range d.Payloads.At(0).Forms {
		forms[f.Name] = f
	}
	assert.Contains(t, forms, "png-all")
	var dds bytes.Buffer
	require.NoError(t, forms["dds"].Write(t.Context(), &dds))
	assert.Equal(t, "DDS ", dds.String()[:4])
}

func TestWrongPicturesOfDescriptionsAreErrors(t *testing.T) {
	for view, want := range map[string]string{
		"width: width, height: 9, data: rest, format: r8":            "1 × 9 pixels need 9 bytes, but there are 2",
		"width: width, height: 1, data: rest, format: kind":          "pixels in the format strange are not supported",
		"width: nothing, height: 1, data: rest, format: r8":          "there is no nothing",
		"width: rest, height: 1, data: rest, format: r8":             "rest is not a whole number",
		"width: 99999999, height: 1, data: rest, format: r8":         "99999999 is 99999999, which is not possible",
		"width: 70000, height: 70000, data: rest, format: r8":        "the image is too large to display (70000 × 70000 pixels)",
		"width: 0, height: 1, data: rest, format: r8":                "the image is empty (0 × 1 pixels)",
		"width: 2, height: 1, data: rest, format: r8, stride: 1":     "a stride of 1 bytes is less than a row of 2 bytes",
		"width: 1, height: 1, data: rest, bits: 9, masks: [1]":       "the masks [0x1 0x0 0x0 0x0] do not fit in pixels of 9 bits",
		"width: 1, height: 1, data: rest, format: rgb8, layers: 9":   "layers of pixels in the format RGB8 have no DDS form",
		"width: 1, height: 1, data: _parent.rest, format: r8":        "there is no _parent.rest",
		"width: 1, height: 1, data: width.a.b, format: r8, faces: 1": "there is no width.a.b",
	} {
		_, err := viewOfBytes(t, "picture: {"+view+"}", "\x01\x02\x02ab")
		assert.EqualError(t, err, want, view)
	}
}

func TestDescribedSoundsHaveTheirSamples(t *testing.T) {
	for format, samples := range map[string]string{"s16": "\x00\x40\x00\x00", "s16be": "\x40\x00\x00\x00",
		"u8": "\xc0\x80", "f32": "\x00\x00\x00\x3f\x00\x00\x00\x00"} {
		shown, err := viewOfBytes(t, "sound: {data: rest, rate: 8000, channels: width, format: "+format+"}", "\x01\x00\x00"+samples)
		require.NoError(t, err, format)
		s := shown.(*sound.Sound)
		assert.Equal(t, 8000, s.Rate, format)
		assert.EqualValues(t, 2, s.Frames, format)
		var got []float32
		require.NoError(t, s.Samples(t.Context(), 0, func(p []float32) bool { got = append(got, p...); return true }))
		assert.InDelta(t, 0.5, got[0], 0.01, format)
	}
	_, err := viewOfBytes(t, "sound: {data: rest, rate: width}", "\x00\x00\x00ab")
	assert.EqualError(t, err, "1 channels at 0 Hz are not possible")
}

func TestDescribedTextsAreDecoded(t *testing.T) {
	shown, err := viewOfBytes(t, "text: {data: rest, encoding: shift_jis}", "\x01\x01\x01\x93\xfa\x96\x7b")
	require.NoError(t, err)
	assert.Equal(t, "日本", shown.(*text.Text).Text)
}

// triangle is three vertices of a position, and of a coordinate of a texture.
func triangle() string {
	var b []byte
	for _, v := range []float32{0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 1} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return string(b)
}

const vertices = `meta: {id: x, endian: le}
seq:
  - {id: vertices, type: vertex, repeat: expr, repeat-expr: 3}
  - {id: indices, type: u2, repeat: eos}
types:
  vertex:
    seq:
      - {id: position, type: f4, repeat: expr, repeat-expr: 3}
      - {id: u, type: f4}
-assay-view:
  mesh: `

func TestDescribedMeshesAreShown(t *testing.T) {
	for _, view := range []string{"{vertices: vertices, position: position, uv: u, indices: indices}",
		"{vertices: vertices, position: position, uv: u, indices: indices, primitive: triangles, up: z}"} {
		d := openBytes(t, vertices+view, triangle()+"\x00\x00\x02\x00\x01\x00")
		shown, err := d.View(t.Context(), d.Root())
		require.NoError(t, err)
		s := shown.(*scene.Scene)
		require.Len(t, s.Roots, 1)
		m := s.Roots[0].Mesh
		assert.Equal(t, 3, m.Count)
		assert.Equal(t, []scene.Element{{Usage: scene.Position, Size: 3}, {Usage: scene.TexCoord, Size: 1}}, m.Elements)
		assert.Equal(t, scene.IndexSlice{0, 2, 1}, m.Parts[0].Indices)
		assert.Equal(t, strings.Contains(view, "up: z"), s.Up == scene.UpZ)
		var out bytes.Buffer
		a := d.Payloads.At(0)
		assert.Equal(t, ".glb", a.Name[len(a.Name)-4:])
		require.NoError(t, a.Forms[0].Write(t.Context(), &out))
		assert.Equal(t, "glTF", out.String()[:4])
	}
	colored := openBytes(t, `meta: {id: x, endian: le}
seq: [{id: at, type: u1, repeat: expr, repeat-expr: 6}, {id: color, type: u1, repeat: eos}]
-assay-view: {mesh: {position: at, color: color, primitive: points}}`, "\x00\x00\x00\x01\x01\x01\xff\x00\x00\x00\xff\x00")
	shown, err := colored.View(t.Context(), colored.Root())
	require.NoError(t, err)
	m := shown.(*scene.Scene).Roots[0].Mesh
	assert.Equal(t, scene.Element{Usage: scene.Color, Size: 3}, m.Elements[1])
	assert.Equal(t, scene.FloatSlice{0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0}, m.Vertices)
	d := openBytes(t, vertices+"{vertices: vertices, position: position, indices: indices}", triangle()+"\x00\x00\x02\x00\x03\x00")
	_, err = d.View(t.Context(), d.Root())
	assert.EqualError(t, err, "the index 3 is past the 3 vertices")
	signed := strings.Replace(vertices, "indices, type: u2", "indices, type: s2", 1)
	d = openBytes(t, signed+"{vertices: vertices, position: position, indices: indices}", triangle()+"\x00\x00\xff\xff\x01\x00")
	_, err = d.View(t.Context(), d.Root())
	assert.EqualError(t, err, "the index -1 is past the 3 vertices")
	d = openBytes(t, vertices+"{position: vertices, uv: indices}", triangle()+"\x00\x00")
	_, err = d.View(t.Context(), d.Root())
	assert.EqualError(t, err, "indices has 1 numbers, which are no whole vertices")
}

func TestViewsOfObjectsElsewhereAreAssets(t *testing.T) {
	d := openBytes(t, `meta: {id: x, endian: le}
seq: [{id: records, type: record, repeat: expr, repeat-expr: 2}]
types:
  record:
    seq: [{id: name, type: str, size: 5, encoding: ASCII}, {id: offset, type: u1}]
    instances: {body: {pos: offset, type: picture}}
    -webide-representation: "{name}"
  picture:
    seq: [{id: pixels, size: 1}]
    -assay-view: {picture: {width: 1, height: 1, format: r8, data: pixels}}
`, "a.tex\x0cb.tex\x0d\xff\x00")
	require.Equal(t, 2, d.Payloads.Len())
	assert.Equal(t, "a.png", d.Payloads.At(0).Name, "the extension is that of what is written")
	r, err := d.Payloads.At(0).Open(t.Context())
	require.NoError(t, err)
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(b))
	require.NoError(t, err)
	assert.Equal(t, color.NRGBA{255, 255, 255, 255}, color.NRGBAModel.Convert(img.At(0, 0)))
}

func TestChecksumsOfDescriptionsAreVerified(t *testing.T) {
	const description = "meta: {id: x, endian: be}\nseq: [{id: sum, type: u4}, {id: rest, size-eos: true}]\n-assay-view: "
	for view, name := range map[string]string{"{checksum: {algorithm: crc32, value: sum, data: rest}}": ".bin",
		"{text: {data: rest}, checksum: {algorithm: crc32, value: sum, data: rest}}": ".txt"} {
		for sum, want := range map[string]model.Verdict{"\xcb\xf4\x39\x26": model.Valid, "\x00\x00\x00\x01": model.Invalid} {
			d := openBytes(t, description+view, sum+"123456789")
			a := d.Payloads.At(0)
			assert.True(t, strings.HasSuffix(a.Name, name), a.Name)
			require.NotNil(t, a.Verify)
			verdict, why, err := a.Verify(t.Context())
			require.NoError(t, err)
			assert.Equal(t, want, verdict, why)
		}
	}
}

func TestCheckFindsErrorsOfViews(t *testing.T) {
	assert.Equal(t, `x.ksy:4:21: a picture needs either a format, or masks and bits
x.ksy:4:58: unknown name "w"
x.ksy:5:47: unknown pixel format "rgb9"
x.ksy:6:29: unknown key; expected: data, rate, channels, format, formats
x.ksy:7:7: one of picture, sound, text, mesh, scene, checksum, link or key is expected`, check(t, map[string]string{"x.ksy": `meta: {id: x, endian: le}
seq: [{id: w, type: u4}]
types:
  a: {-assay-view: {picture: {width: 1, height: 1, data: w}}}
  b: {seq: [{id: w, type: u4}], -assay-view: {picture: {width: w, height: w, data: w, format: w, formats: {1: rgb9}}}}
  c: {-assay-view: {sound: {speed: 2}}}
  d: {-assay-view: {}}
`}))
	assert.Equal(t, `x.ksy:3:47: unknown name "hight"
x.ksy:3:76: unknown name "rgb9"`, check(t, map[string]string{"x.ksy": `meta: {id: x, endian: le}
seq: [{id: width, type: u4}, {id: data, size: width}]
-assay-view: {picture: {width: width, height: hight.x, data: data, format: rgb9}}
`}))
}
