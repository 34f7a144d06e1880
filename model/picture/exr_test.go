package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/picture"
)

// deep returns the picture of floats of a file.
func deep(t *testing.T, p model.Picture) *picture.Deep {
	t.Helper()
	d, ok := p.Image.(*picture.Deep)
	require.True(t, ok)
	return d
}

// floats returns n different values, some of them above 1.
func floats(n int) (b []byte) {
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(i)*.75-1))
	}
	return b
}

func TestEXRIsReadAsItWasWritten(t *testing.T) {
	const width, height = 5, 20
	for _, f := range []picture.Format{picture.RHalf, picture.RGBHalf, picture.RGBAHalf, picture.RFloat,
		picture.RGBFloat,
		picture.RGBAFloat} {
		b := floats(int(f.Size(width, height)+3) / 4)
		img, err := picture.Decode(t.Context(), f, width, height, b)
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, img.(*picture.Deep).WriteEXR(t.Context(), &out))
		for name, file := range map[string][]byte{"none": out.Bytes(), "ZIP": compressedEXR(t, out.Bytes(), height, 3, 16),
			"ZIPS": compressedEXR(t, out.Bytes(), height, 2, 1), "RLE": compressedEXR(t, out.Bytes(), height, 1, 1)} {
			p := open(t, "a.exr", file)
			assert.Contains(t, p.Format, "EXR ")
			assert.Contains(t, p.Format, name)
			got := deep(t, p)
			for y := range height {
				for x := range width {
					assert.Equal(t, fmt.Sprint(img.(*picture.Deep).Values(x, y)), fmt.Sprint(got.Values(x, y)), "%s %s",
						f,
						name)
				}
			}
		}
	}
}

// compressedEXR compresses the rows of an uncompressed OpenEXR file.
func compressedEXR(t *testing.T, file []byte, height int, compression byte, rows int) []byte {
	t.Helper()
	le := binary.LittleEndian
	at := bytes.Index(file, []byte("compression\x00compression\x00")) + 28
	table := int(bytes.Index(file, []byte("screenWindowWidth\x00"))) + 18 + 6 + 4 + 4 + 1
	out := append([]byte(nil), file[:table]...)
	out[at] = compression
	first := table + 8*height
	row := int(le.Uint32(file[first+4:]))
	var body, offsets []byte
	blocks := (height + rows - 1) / rows
	for i := range blocks {
		var block []byte
		for y := i * rows; y < min(height, (i+1)*rows); y++ {
			from := int(le.Uint64(file[table+8*y:]))
			block = append(block, file[from+8:from+8+row]...)
		}
		split := make([]byte, len(block))
		for i, b := range block {
			split[i/2+i%2*((len(block)+1)/2)] = b
		}
		for i := len(split) - 1; i > 0; i-- {
			split[i] -= split[i-1] - 128
		}
		var small []byte
		if compression == 1 {
			for len(split) > 0 {
				if n := runOf(split); n > 2 {
					small = append(small, byte(n-1), split[0])
					split = split[n:]
				} else {
					small = append(small, 0xff, split[0]) // one literal byte
					split = split[1:]
				}
			}
		} else {
			var b bytes.Buffer
			w := zlib.NewWriter(&b)
			_, err := w.Write(split)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			small = b.Bytes()
		}
		if len(small) >= len(block) {
			small = block
		}
		offsets = le.AppendUint64(offsets, uint64(table+8*blocks+len(body)))
		body = le.AppendUint32(body, uint32(i*rows))
		body = le.AppendUint32(body, uint32(len(small)))
		body = append(body, small...)
	}
	return append(append(out, offsets...), body...)
}

func runOf(b []byte) int {
	n := 1
	for n < min(len(b), 128) && b[n] == b[0] {
		n++
	}
	return n
}

// The files are one picture of halves, floats and integers, with its data window off the origin, which the library
// OpenEXR 3.1.5 wrote with several compressions. The floats have 24 bits, which PXR24 keeps.
func TestEXRsWrittenByOpenEXRAreEqual(t *testing.T) {
	read := func(name string) model.Picture {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		return open(t, name, b)
	}
	want := read("zip.exr")
	require.Len(t, want.Parts, 3)
	for _, name := range []string{"piz.exr", "pxr24.exr", "piz-tiles.exr", "zip-mips.exr", "pxr24-mips.exr"} {
		got := read(name)
		require.Len(t, got.Parts, len(want.Parts), name)
		for i, part := range want.Parts {
			assert.Equal(t, part.Name, got.Parts[i].Name)
			a, err := part.Load(t.Context())
			require.NoError(t, err)
			b, err := got.Parts[i].Load(t.Context())
			require.NoError(t, err)
			assert.Equal(t, a, b, "%s %s", name, part.Name)
		}
	}
}

// The files have one changed byte each, or are cut.
func TestDamagedEXRDoesNotPanic(t *testing.T) {
	for _, name := range []string{"piz.exr", "pxr24.exr", "piz-tiles.exr"} {
		good, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		for at := 0; at < len(good); at += 1 + at/40 {
			bad := bytes.Clone(good)
			bad[at] ^= 0xff
			_, _ = picture.Open(t.Context(), source(name, bad))
			_, _ = picture.Open(t.Context(), source(name, good[:at]))
		}
	}
}

func TestUnsupportedEXRIsExplained(t *testing.T) {
	img, err := picture.Decode(t.Context(), picture.RGBHalf, 4, 4, make([]byte, 96))
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, img.(*picture.Deep).WriteEXR(t.Context(), &out))
	good := out.Bytes()
	change := func(at int, b ...byte) []byte {
		file := append([]byte(nil), good...)
		copy(file[at:], b)
		return file
	}
	compression := bytes.Index(good, []byte("compression\x00compression\x00")) + 28
	window := bytes.Index(good, []byte("dataWindow\x00box2i\x00")) + 21
	for want, file := range map[string][]byte{
		"the tiles have no size":           change(5, 2),
		"multi-part and deep":              change(5, 0x10),
		"compression B44 is not supported": change(compression, 6),
		"unknown compression 77":           change(compression, 77),
		"too large":                        change(window+8, 0xff, 0xff, 0xff, 0x3f, 0xff, 0xff, 0xff, 0x3f),
		"the image is empty":               change(window+8, 0xff, 0xff, 0xff, 0xff),
		"has no end":                       good[:80],
		"block 3 of 4":                     good[:len(good)-4],
		"are more than can be read":        change(window+12, 0xfe, 0xff, 0x3f, 0),
		"fewer values than pixels":         change(bytes.Index(good, []byte("B\x00\x01"))+10, 2),
		"no color or luminance channel":    change(bytes.Index(good, []byte("B\x00\x01")), 0),
		"has values of the unknown type 9": change(bytes.Index(good, []byte("B\x00\x01"))+2, 9),
	} {
		_, err := picture.Open(t.Context(), source("a.exr", file))
		assert.ErrorContains(t, err, want)
	}
}

// hdr returns a Radiance HDR file.
func hdr(size string, rows ...byte) []byte {
	return append([]byte("#?RADIANCE\n# made\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=1\n\n"+size+"\n"), rows...)
}

func TestHDRIsReadWithRunsOfBothKinds(t *testing.T) {
	p := open(t, "a.hdr", hdr("-Y 1 +X 2", 128, 64, 32, 129, 0, 0, 0, 0))
	assert.Equal(t, "HDR RGBE, 8 bits with an exponent", p.Format)
	assert.Equal(t, []float32{1, .5, .25}, deep(t, p).Values(0, 0))
	assert.Equal(t, []float32{0, 0, 0}, deep(t, p).Values(1, 0))

	runs := []byte{2, 2, 0, 8, 128 + 8, 128, 4, 1, 2, 3, 4, 128 + 4, 5, 128 + 8, 0, 128 + 8, 136}
	p = open(t, "a.hdr", hdr("-Y 1 +X 8", runs...))
	assert.Equal(t, []float32{128, 3, 0}, deep(t, p).Values(2, 0))
	assert.Equal(t, []float32{128, 5, 0}, deep(t, p).Values(7, 0))

	old := open(t, "a.hdr", hdr("-Y 1 +X 5", 128, 0, 0, 129, 1, 1, 1, 3, 64, 0, 0, 129))
	assert.Equal(t, []float32{1, 0, 0}, deep(t, old).Values(3, 0))
	assert.Equal(t, []float32{.5, 0, 0}, deep(t, old).Values(4, 0))

	for want, file := range map[string][]byte{
		"row 0 of 1":       hdr("-Y 1 +X 8", 2, 2, 0, 8, 128+9, 1),
		"row 1 of 2":       hdr("-Y 2 +X 1", 1, 2, 3, 4),
		"is not supported": hdr("+X 5 -Y 3"),
		"too large":        hdr("-Y 100000 +X 100000"),
		"there are":        hdr("-Y 1000000 +X 1"),
		"no end":           []byte("#?RADIANCE\nFORMAT"),
		"xyze":             []byte("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n"),
	} {
		_, err := picture.Open(t.Context(), source("a.hdr", file))
		assert.ErrorContains(t, err, want)
	}
}

func FuzzLight(f *testing.F) {
	img, err := picture.Decode(f.Context(), picture.RGBHalf, 4, 4, make([]byte, 96))
	require.NoError(f, err)
	var out bytes.Buffer
	require.NoError(f, img.(*picture.Deep).WriteEXR(f.Context(), &out))
	f.Add(out.Bytes())
	f.Add(hdr("-Y 1 +X 8", 2, 2, 0, 8, 128+8, 128, 4, 1, 2, 3, 4, 128+4, 5, 128+8, 0, 128+8, 136))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := picture.Open(t.Context(), source("a", b)); err == nil {
			assert.NotNil(t, p.Image)
		}
	})
}
