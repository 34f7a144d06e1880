package content_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/content"
	"assay/model/scene"
	"assay/model/text"
)

func source(name string, b []byte) *model.Source {
	return model.NewSource(name, bytes.NewReader(b), int64(len(b)))
}

func picture(t testing.TB, side int) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = uint8(r.Uint32())
	}
	img.SetNRGBA(0, 0, color.NRGBA{R: 1, A: 255})
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, img))
	return out.Bytes()
}

// container returns a document of adjacent assets, each an element of its only list.
func container(t testing.TB, media []string, contents ...[]byte) *model.Document {
	t.Helper()
	var all []byte
	root, list := &model.Node{Type: "Root"}, &model.Node{Name: "assets", Type: "Asset[]"}
	var nodes model.List
	var payloads model.PayloadList
	src := func() *model.Source { return source("c", all) }
	for i, b := range contents {
		span := model.Span{Offset: int64(len(all)), Size: int64(len(b))}
		n := &model.Node{Name: model.IndexName(i), Type: "Asset", Key: fmt.Sprint("key", i), Span: span}
		n.SetChildren(model.List{{Name: "data", Type: "data", Span: span}})
		nodes = append(nodes, n)
		payloads = append(payloads, &model.Payload{Key: n.Key, Name: n.Key, MediaType: media[i], Node: n,
			Size: span.Size, Stored: span,
			Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }})
		all = append(all, b...)
	}
	list.Span, root.Span = model.Span{Size: int64(len(all))}, model.Span{Size: int64(len(all))}
	list.SetChildren(nodes)
	root.SetChildren(model.List{list})
	d := model.NewDocument(src(), "test", "1", root)
	d.Payloads = payloads
	return d
}

func TestViewOfAnAssetIsThatOfItsContent(t *testing.T) {
	d := container(t, []string{"image/png", "text/plain", "application/octet-stream", "image/png"},
		picture(t, 4), []byte("void main() {}"), []byte{1, 2, 3, 255, 254, 0, 0, 7}, []byte("\x89PNG\r\n\x1a\nbroken"))
	var l content.ViewFinder
	look := func(n *model.Node) content.FoundView {
		seen, err := l.Find(t.Context(), d, n)
		require.NoError(t, err)
		return seen
	}
	list := d.Root().Child(0)
	p := look(list.Child(0))
	assert.Equal(t, model.PictureView, p.View.ViewKind())
	assert.Equal(t, 0, p.Asset)
	inside := look(list.Child(0).Child(0))
	assert.Equal(t, 0, inside.Asset, "a field of an asset shows the asset")
	s := look(list.Child(1)).View.(*text.Text)
	assert.Equal(t, text.Shader, s.Language)
	b := look(list.Child(2)).View.(*content.Bytes)
	assert.EqualValues(t, 8, b.Counted)
	assert.NoError(t, b.Broken)
	broken := look(list.Child(3)).View.(*content.Bytes)
	assert.ErrorContains(t, broken.Broken, "PNG")
	assert.Equal(t, -1, look(d.Root()).Asset, "the root of several assets is not one of them")
	p.Close()
}

func TestNestedFileWithoutAViewShowsItsFields(t *testing.T) {
	d := container(t, []string{""}, make([]byte, 30))
	inner := container(t, []string{"", ""}, make([]byte, 10), make([]byte, 20))
	l := content.ViewFinder{Open: func(context.Context, *model.Source) (*model.Document, error) { return inner, nil }}
	seen, err := l.Find(t.Context(), d, d.Root().Child(0).Child(0))
	require.NoError(t, err)
	assert.Equal(t, &content.Properties{Node: inner.Root().Child(0), Current: -1}, seen.View, "its only list")
	seen.Close()
	one := &model.Node{Type: "Root"}
	one.SetChildren(model.List{{Name: "x", Type: "byte"}})
	inner = model.NewDocument(inner.Source, "test", "1", one)
	seen, err = l.Find(t.Context(), d, d.Root().Child(0).Child(0))
	require.NoError(t, err)
	assert.Equal(t, &content.Properties{Node: one, Current: -1}, seen.View)
	seen.Close()
}

func TestViewOfADocumentWithOnePicture(t *testing.T) {
	d := container(t, []string{"", ""}, make([]byte, 10), make([]byte, 20))
	drawn := model.Picture{Image: image.NewGray(image.Rect(0, 0, 1, 1))}
	draws := map[string]bool{"key1": true}
	d.View = func(_ context.Context, n *model.Node) (model.View, error) {
		if draws[n.Key] {
			return drawn, nil
		}
		return nil, nil
	}
	var l content.ViewFinder
	seen, err := l.Find(t.Context(), d, d.Root())
	require.NoError(t, err)
	assert.Equal(t, model.PictureView, seen.View.ViewKind())
	draws["key0"] = true
	seen, err = l.Find(t.Context(), d, d.Root())
	require.NoError(t, err)
	assert.Equal(t, model.BytesView, seen.View.ViewKind(), "one of two would be a guess")
}

func TestTableEntryShowsItsAsset(t *testing.T) {
	d := container(t, []string{"", ""}, make([]byte, 10), make([]byte, 20))
	list := d.Root().Child(0)
	entry := &model.Node{Name: "0", Type: "Entry", Key: "key1", Span: model.Span{Size: 1}}
	root := &model.Node{Type: "Root", Span: d.Root().Span}
	root.SetChildren(model.List{list, entry})
	e := model.NewDocument(d.Source, "test", "1", root)
	e.Payloads = d.Payloads
	var drawn []string
	e.View = func(_ context.Context, n *model.Node) (model.View, error) {
		drawn = append(drawn, n.PathText())
		return model.Picture{Image: image.NewGray(image.Rect(0, 0, 1, 1))}, nil
	}
	var l content.ViewFinder
	for _, n := range []*model.Node{entry, list.Child(1), list.Child(1).Child(0), root} {
		_, err := l.Find(t.Context(), e, n)
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"/assets/1", "/assets/1", "/assets/1/data", "/"}, drawn)
}

func TestViewNamesItsAsset(t *testing.T) {
	d := container(t, []string{"image/png", "text/plain"}, picture(t, 4), []byte("void main() {}"))
	var l content.ViewFinder
	origin := func(n *model.Node) content.Origin {
		seen, err := l.Find(t.Context(), d, n)
		require.NoError(t, err)
		defer seen.Close()
		return l.Origin(t.Context(), d, n, seen)
	}
	list := d.Root().Child(0)
	first := content.Origin{Node: list.Child(0), Name: d.Payloads.At(0).Name}
	assert.Equal(t, first, origin(list.Child(0)))
	assert.Equal(t, first, origin(list.Child(0).Child(0)), "a field of the asset")
	assert.Equal(t, content.Origin{Node: d.Root()}, origin(d.Root()), "all assets")
	d.Payloads = nil
	bytes := content.FoundView{View: new(content.Bytes), Asset: -1}
	assert.Empty(t, (&content.ViewFinder{}).Origin(t.Context(), d, list, bytes))
}

func TestSceneComesFromTheAssetWithAllOfIt(t *testing.T) {
	d := container(t, []string{"", ""}, make([]byte, 10), make([]byte, 20))
	parts := func(n int) *scene.Scene {
		s := new(scene.Scene)
		for range n {
			s.Roots = append(s.Roots, new(scene.Node))
		}
		return s
	}
	views := map[string]*scene.Scene{"key0": parts(1), "key1": parts(3)}
	whole := parts(3)
	d.View = func(_ context.Context, n *model.Node) (model.View, error) {
		if v := views[n.Key]; v != nil {
			return v, nil
		}
		return whole, nil
	}
	var l content.ViewFinder
	list := d.Root().Child(0)
	seen := content.FoundView{View: whole, Asset: -1}
	assert.Equal(t, list.Child(1), l.Origin(t.Context(), d, d.Root(), seen).Node)
	whole = parts(4)
	seen.View = whole
	assert.Equal(t, content.Origin{Node: d.Root()}, l.Origin(t.Context(), d, d.Root(), seen), "no asset has all of the scene")
}

func TestKindOfRecognizesContentByItsFirstBytes(t *testing.T) {
	for name, want := range map[string]string{"\x89PNG\r\n\x1a\n": "PNG picture", "{\"a\": 1}": "JSON text",
		"words of it":  "plain text",
		"fLaC\x00\x00": "FLAC sound", "OTTO\x00\x01": "OpenType font", "\x00\x01\x02\xfe": "", "": "", "a": "plain text",
		"\x01": ""} {
		k := content.KindOf(source("x", []byte(name)))
		assert.Equal(t, want, k.Name)
		assert.Equal(t, want != "", k.IsKnown())
	}
}

func TestTypeOfRecognizesContentByItsFirstBytes(t *testing.T) {
	content.AddTypes([]model.FileType{{MIME: "application/x-thing", Globs: []string{"*.thing"},
		Magic: []model.Magic{{Bytes: []byte("THING")}}}})
	targa := append([]byte{0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 70, 0, 46, 0, 24, 0}, make([]byte, 70*46*3)...)
	for head, want := range map[string]content.Type{
		"\x89PNG\r\n\x1a\n":                {Media: "image/png", Extension: ".png"},
		"THING of assets":                  {Media: "application/x-thing", Extension: ".thing"},
		string(targa):                      {Media: "image/x-tga", Extension: ".tga"},
		"\x00\x00\x02\x00\x01\x00\x20\x20": {Media: "image/x-icon", Extension: ".ico"},
		"DDS \x7c\x00":                     {Media: "image/vnd.ms-dds", Extension: ".dds"},
		"words":                            {Media: "text/plain; charset=utf-8", Extension: ".txt"},
		"Gr\xf6\xdfe und Gewicht":          {Media: "text/plain; charset=iso-8859-1", Extension: ".txt"},
		"\xb1\xf3D\x9d\xe7":                {Media: "application/octet-stream"},
		"a\xf3\xd1B\x9d\xe7zz":             {Media: "application/octet-stream"},

		strings.Repeat("\xde\xad\xbe\xef", 20): {Media: "application/octet-stream"},
	} {
		assert.Equal(t, want, content.TypeOf([]byte(head)), "%.20q", head)
	}
	assert.Empty(t, content.KindOf(source("note.txt", []byte("\xb1\xf3D\x9d\xe7"))).Name, "five random bytes are not a text")
	assert.Equal(t, "TGA picture", content.KindOf(source("a.ico", targa)).Name)
}

func TestReadBytesCountsBytesAndFindsStrings(t *testing.T) {
	b := append(bytes.Repeat([]byte{0}, 1000), "a string\x00tiny\x01"...)
	for i := range 256 {
		b = append(b, byte(i))
	}
	v, err := content.ReadBytes(t.Context(), source("x", b), model.Span{Offset: 10, Size: int64(len(b)) - 10})
	require.NoError(t, err)
	assert.EqualValues(t, len(b)-10, v.Counted)
	assert.EqualValues(t, 992, v.Counts[0])
	assert.Zero(t, v.Entropy[0])
	assert.Greater(t, v.Entropy[len(v.Entropy)-1], float32(5))
	require.NotEmpty(t, v.Strings)
	assert.Equal(t, content.FoundString{Offset: 1000, Text: "a string"}, v.Strings[0])
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = content.ReadBytes(ended, source("x", b), model.Span{Size: int64(len(b))})
	assert.ErrorIs(t, err, context.Canceled)
}

// BenchmarkReadBytes finds the view of an asset of 1 MB, as the preview of a selected node does.
func BenchmarkReadBytes(b *testing.B) {
	random := make([]byte, 1<<20)
	for i := range random {
		random[i] = uint8(rand.Uint32())
	}
	for name, c := range map[string]struct {
		media string
		bytes []byte
	}{
		"picture": {"image/png", picture(b, 512)},
		"text":    {"text/plain", bytes.Repeat([]byte("uniform vec4 u_color; // words\n"), 1<<20/31)},
		"bytes":   {"application/octet-stream", random},
	} {
		d := container(b, []string{c.media}, c.bytes)
		b.Run(name, func(b *testing.B) {
			var l content.ViewFinder
			for b.Loop() {
				seen, err := l.Find(b.Context(), d, d.Root().Child(0).Child(0))
				if err != nil || seen.View == nil {
					b.Fatal(err)
				}
				seen.Close()
			}
		})
	}
}

// No two first bytes give random content a type. A few random bytes may be a text, but a byte order mark does not make
// them UTF-16.
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
			if i%64 == 0 { // a new tail only now and then: filling takes longer than TypeOf
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
		"text/plain; charset=utf-16le": []byte("\xff\xfea\x00\r\x00\n\x00=\xd8\x00\xde=\xd8"), // 😀, and half of another
		"application/x-bzip2":          []byte("BZh91AY&SYabcd"), "image/jxl": []byte("\x00\x00\x00\x0cJXL \x0d\x0a\x87\x0a")} {
		assert.Equal(t, media, content.TypeOf(head).Media)
	}
}
