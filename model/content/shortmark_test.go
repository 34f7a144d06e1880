package content_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/content"
)

// Of random bytes, none are of a type because of the two that they begin with. The type of a text is that of a few
// random bytes, but they are no UTF-16 by its mark.
func TestTwoBytesDoNotIdentifyAType(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found := map[string][]byte{}
	for i := range 1 << 14 {
		b := []byte{0xfe | byte(i%2), 0xff - byte(i%2), byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32())}
		if media := content.TypeOf(b).Media; media != "application/octet-stream" {
			found[media] = b
		}
	}
	for _, size := range []int{3, 62, 2000} {
		b := make([]byte, 2+size)
		for i := range 1 << 16 {
			if i%64 == 0 { // a tail for some: filling takes longer than looking
				for k := range b {
					b[k] = uint8(r.Uint32())
				}
			}
			b[0], b[1] = byte(i>>8), byte(i)
			if media := content.TypeOf(b).Media; media != "application/octet-stream" && !strings.HasPrefix(media, "text/plain") {
				found[media] = append([]byte{}, b[:min(len(b), 12)]...)
			}
		}
	}
	assert.Empty(t, found)
}

func TestShortMagicNeedsItsStructure(t *testing.T) {
	var small, zipped, jpg bytes.Buffer
	z := zlib.NewWriter(&small)
	_, err := z.Write([]byte("duck"))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	g := gzip.NewWriter(&zipped)
	require.NoError(t, g.Close())
	require.NoError(t, jpeg.Encode(&jpg, image.NewGray(image.Rect(0, 0, 8, 8)), nil))
	frame := append([]byte{0xff, 0xfb, 0x50, 0xc4}, make([]byte, 205)...) // 64 kbit/s at 44,100 Hz with a byte more
	frame[2] |= 2
	for media, head := range map[string][]byte{"application/zlib": small.Bytes(), "application/gzip": zipped.Bytes(),
		"image/jpeg": jpg.Bytes(), "audio/mpeg": append(append([]byte{}, frame...), frame...),
		"application/cbor": []byte("\xd9\xd9\xf7\xa1\x61a\x01"), "application/x-ndjson": []byte("{\"a\": 1}\n{\"a\": 2}\n"),
		"text/plain; charset=utf-16le": []byte("\xff\xfea\x00\r\x00\n\x00=\xd8\x00\xde=\xd8"), // 😀, and half of one
		"application/x-bzip2":          []byte("BZh91AY&SYabcd"), "image/jxl": []byte("\x00\x00\x00\x0cJXL \x0d\x0a\x87\x0a")} {
		assert.Equal(t, media, content.TypeOf(head).Media)
	}
}
