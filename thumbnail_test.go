package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats/casset"
	"assay/formats/dprsim"
	"assay/formats/gpb"
	"assay/formats/ppac"
)

// thumbnail gives the picture of a file, which must have one.
func thumbnail(t *testing.T, name string, content []byte, options ...string) *image.NRGBA {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.png")
	status, printed, talk := do(t, append(append([]string{"thumbnail"}, options...), file(t, name, string(content)), out)...)
	require.Zero(t, status, talk)
	assert.Empty(t, printed)
	assert.Empty(t, talk)
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(b))
	require.NoError(t, err)
	same := image.NewNRGBA(img.Bounds())
	draw.Draw(same, same.Rect, img, image.Point{}, draw.Src)
	return same
}

// shown gives the part of the picture that is not transparent, and how many tones it has.
func shown(img *image.NRGBA) (share float64, tones int) {
	n, seen := 0, map[color.NRGBA]bool{}
	for i := 0; i < len(img.Pix); i += 4 {
		if p := img.Pix[i : i+4]; p[3] > 128 {
			n++
			seen[color.NRGBA{p[0] >> 3, p[1] >> 3, p[2] >> 3, 255}] = true
		}
	}
	return float64(n) / float64(img.Rect.Dx()*img.Rect.Dy()), len(seen)
}

func tetrahedron() *gpb.File {
	m := &gpb.Mesh{ID: "m", Format: []gpb.VertexElement{{Usage: 1, Size: 3}}, Vertices: gpb.Bytes(little(0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, 1)), Stride: 12,
		Parts: []*gpb.MeshPart{gpb.Part(gpb.Triangles, gpb.Index16, 0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3)}}
	return &gpb.File{Meshes: []*gpb.Mesh{m}}
}

func little(v ...float32) []byte {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, v)
	return b.Bytes()
}

func bundle(t *testing.T, f *gpb.File, v gpb.Version) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, gpb.Write(&b, f, v, gpb.ByID))
	return b.Bytes()
}

func cube(t *testing.T, side int) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, dprsim.Cube(&b, side))
	return b.Bytes()
}

// picture is a PNG of one colour.
func picture(t *testing.T, w, h int, c color.Color) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

func archive(t *testing.T, contents ...[]byte) []byte {
	t.Helper()
	var a ppac.Archive
	for i, c := range contents {
		a.Assets = append(a.Assets, ppac.Asset{TPU: ppac.TPU{Unique: uint32(i + 1)}, Content: c, Codec: []string{"", "zlib"}[i%2]})
	}
	var b bytes.Buffer
	require.NoError(t, ppac.Write(&b, a))
	return b.Bytes()
}

var red, blue = color.NRGBA{200, 30, 30, 255}, color.NRGBA{30, 30, 200, 255}

func TestThumbnailsOfEveryFormat(t *testing.T) {
	files := map[string][]byte{"cube.world": cube(t, 6), "pictures.ppac": archive(t, []byte("words"), picture(t, 30, 20, red), picture(t, 5, 9, blue))}
	for _, v := range gpb.Versions() {
		files[v.Name+".gpb"] = bundle(t, tetrahedron(), v)
	}
	for _, l := range casset.Layouts() {
		if name := l.String(); name != "package-0.1" && name != "package-1.0" { // which have no blobs
			files[name+".casset"] = casset.Write(l, casset.Sample())
		}
	}
	for _, s := range assets.Samples() {
		if filepath.Ext(s.Name) != ".experiment" {
			files["sample "+s.Name] = s.Bytes
		}
	}
	for name, b := range files {
		t.Run(name, func(t *testing.T) {
			img := thumbnail(t, name, b, "-s", "96")
			assert.Equal(t, image.Rect(0, 0, 96, 96), img.Rect)
			share, tones := shown(img)
			assert.Greater(t, share, .1)
			assert.Greater(t, tones, 1)
		})
	}
}

func TestThumbnailSizes(t *testing.T) {
	world := cube(t, 3)
	assert.Equal(t, 256, thumbnail(t, "a.world", world).Rect.Dx())
	for _, size := range []string{"16", "1024"} {
		share, _ := shown(thumbnail(t, "a.world", world, "-s", size))
		assert.Greater(t, share, .5, size)
	}
	out := filepath.Join(t.TempDir(), "out.png")
	for _, size := range []string{"15", "1025", "-1", "x"} {
		status, _, talk := do(t, "thumbnail", "-s", size, file(t, "a.world", string(world)), out)
		assert.Equal(t, 2, status)
		assert.NotEmpty(t, talk)
		assert.NoFileExists(t, out)
	}
}

func TestThumbnailKeepsAspect(t *testing.T) {
	img := thumbnail(t, "a.ppac", archive(t, picture(t, 400, 100, red)), "-s", "64")
	share, _ := shown(img)
	assert.InDelta(t, .25, share, .01)
	assert.Equal(t, red, img.NRGBAAt(0, 32))
	assert.Equal(t, red, img.NRGBAAt(63, 32))
	assert.Zero(t, img.NRGBAAt(32, 10).A)
	img = thumbnail(t, "a.ppac", archive(t, picture(t, 1, 3, blue)), "-s", "60")
	assert.Equal(t, blue, img.NRGBAAt(30, 0), "small pictures grow")
	assert.Zero(t, img.NRGBAAt(5, 30).A)
}

func TestThumbnailOfAContainer(t *testing.T) {
	scene := bundle(t, tetrahedron(), gpb.V15)
	img := thumbnail(t, "a.ppac", archive(t, []byte("words"), picture(t, 8, 8, red), scene, picture(t, 9, 9, blue), picture(t, 10, 10, red), picture(t, 10, 10, blue)), "-s", "128")
	assert.Equal(t, red, img.NRGBAAt(20, 20))
	assert.Equal(t, blue, img.NRGBAAt(20, 100))
	assert.Equal(t, red, img.NRGBAAt(100, 100), "four, in the order of the file")
	assert.Equal(t, uint8(0), img.NRGBAAt(64, 64).A, "with a gap between them")
	part, _ := shown(img.SubImage(image.Rect(66, 0, 128, 62)).(*image.NRGBA))
	assert.Greater(t, part, .0, "the second is the scene in the bundle")
}

func TestThumbnailOfWhatIsDamaged(t *testing.T) {
	whole := cube(t, 6)
	share, _ := shown(thumbnail(t, "a.world", whole[:len(whole)*2/3]))
	assert.Greater(t, share, .2, "the catoms that are there")
	b := bundle(t, tetrahedron(), gpb.V12)
	copy(b[len(b)-9:], "\xFF\xFF\xFF\xFF")
	share, _ = shown(thumbnail(t, "a.gpb", b))
	assert.Greater(t, share, .1)
}

// claims is the head of a PNG that says it is very large, and no pixels.
func claims(w, h uint32) []byte {
	b := []byte("\x89PNG\r\n\x1A\n\x00\x00\x00\x0DIHDR")
	b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, w), h)
	b = append(b, 8, 6, 0, 0, 0)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[12:]))
}

func TestThumbnailOfNothing(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		talk    string
	}{
		"empty.gpb":   {[]byte(emptyBundle), "nothing in it that can be drawn"},
		"words.ppac":  {archive(t, []byte("words")), "nothing in it that can be drawn"},
		"bytes.bin":   {[]byte("some bytes"), "nothing in it that can be drawn"},
		"nothing.gpb": {nil, "nothing in it that can be drawn"},
		"huge.ppac":   {archive(t, claims(60_000, 60_000), claims(1<<31-1, 1<<31-1), claims(8192, 16384)), "nothing in it that can be drawn"},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.png")
			status, printed, talk := do(t, "thumbnail", file(t, name, string(c.content)), out)
			assert.Equal(t, 2, status)
			assert.Empty(t, printed)
			assert.Contains(t, talk, name+": ")
			assert.Contains(t, talk, c.talk)
			assert.NoFileExists(t, out)
		})
	}
	status, _, talk := do(t, "thumbnail", filepath.Join(t.TempDir(), "gone.gpb"), "out.png")
	assert.Equal(t, 2, status)
	assert.Contains(t, talk, "gone.gpb cannot be opened")
	status, _, talk = do(t, "thumbnail", file(t, "a.world", string(cube(t, 2))), filepath.Join(t.TempDir(), "no", "folder.png"))
	assert.Equal(t, 2, status)
	assert.Contains(t, talk, "folder.png cannot be written")
}
