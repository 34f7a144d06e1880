package casset

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/casset/cassettest"
	"assay/formats/decode"
	"assay/model"
)

func open(t testing.TB, b []byte) *model.Document {
	t.Helper()
	doc, err := openDocument(context.Background(), model.NewSource("sample.casset", bytes.NewReader(b), int64(len(b))),
		newBundleFiles())
	require.NoError(t, err)
	return doc
}

func check(t testing.TB, doc *model.Document) *model.Report {
	t.Helper()
	r, err := doc.Check(context.Background(), nil)
	require.NoError(t, err)
	return r
}

func node(t testing.TB, doc *model.Document, path string) *model.Node {
	t.Helper()
	n, err := doc.Find(path)
	require.NoError(t, err)
	return n
}

func values(t testing.TB, n *model.Node) []any {
	t.Helper()
	a, ok := n.Value.(model.Array)
	require.True(t, ok, "%s has no array", n.PathText())
	v, err := a.Slice(0, a.Len())
	require.NoError(t, err)
	for i := range v {
		one, err := a.Slice(int64(i), 1)
		require.NoError(t, err)
		assert.Equal(t, v[i:i+1], one)
	}
	return v
}

var variants = map[cassettest.Layout]string{
	cassettest.Package01: "Package 0.1", cassettest.Package10: "Package 1.0", cassettest.Package11: "Package 1.1",
	cassettest.Package12:        "Package 1.2, plain",
	cassettest.Package12Primary: "Package 1.2, with the primary object's name",
	cassettest.Package12Late:    "Package 1.2, with the cooked byte",
	cassettest.Package20:        "Package 2.0", cassettest.Bundle20: "Bundle 2.0",
	cassettest.Bundle30Published:     "Bundle 3.0 as published",
	cassettest.Bundle30PublishedGap:  "Bundle 3.0 as published, four bytes more in the header",
	cassettest.Bundle30PublishedBare: "Bundle 3.0 as published, function lists without sizes",
	cassettest.Bundle30First:         "Bundle 3.0 as the engine first wrote it (r1118)",
	cassettest.Bundle30R1118:         "Bundle 3.0 as the engine first wrote it (r1118)",
	cassettest.Bundle30:              "Bundle 3.0 as the engine writes it",
}

func TestEveryLayoutIsRead(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		t.Run(l.String(), func(t *testing.T) {
			b := cassettest.Write(l, cassettest.Sample())
			assert.Equal(t, decode.Yes, Sniff(b, int64(len(b))))
			doc := open(t, b)
			assert.Equal(t, variants[l], doc.Variant)
			assert.NotEmpty(t, doc.Why)
			r := check(t, doc)
			assert.False(t, r.Bad(), "%v", r.Problems)
			assert.Empty(t, r.Overlaps)
			assert.Equal(t, int64(len(b)), r.Accounted)

			sky := "/objects/1/"
			assert.Equal(t, "Sky", node(t, doc, sky+"path").Value)
			assert.Equal(t, uint64(4044493588), node(t, doc, sky+"fields/f_u32").Value)
			assert.Equal(t, int64(-300), node(t, doc, sky+"fields/f_s16").Value)
			assert.Equal(t, "Ünïcødé – 日本語", node(t, doc, sky+"fields/f_string").Value)
			assert.Equal(t, float32(1.25), node(t, doc, sky+"fields/f_f32").Value)
			assert.Equal(t, []any{uint64(0), uint64(50), uint64(255)}, values(t, node(t, doc, sky+"fields/f_numbers")))
			assert.Equal(t, []any{"one", "", "three"}, values(t, node(t, doc, sky+"fields/f_texts")))
			assert.Equal(t, "top", node(t, doc, sky+"fields/f_struct/label").Value)
			assert.Equal(t, "c", node(t, doc, sky+"fields/f_structs/2/label").Value)
			assert.Equal(t, uint64(2), node(t, doc, sky+"fields/f_structs/1/layers/1/depth").Value)
			assert.Equal(t, []any{int64(-1), int64(7)}, values(t, node(t, doc, sky+"fields/f_struct/layer/steps")))
			if l > cassettest.Package10 {
				blob, ok := node(t, doc, sky+"fields/f_blob").Value.(model.Blob)
				require.True(t, ok)
				assert.Equal(t, cassettest.Icon(), b[blob.Span.Offset:blob.Span.End()])
			}
		})
	}
}

func TestReferencesAreLinked(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		t.Run(l.String(), func(t *testing.T) {
			doc := open(t, cassettest.Write(l, cassettest.Sample()))
			local := node(t, doc, "/objects/1/fields/f_local")
			require.NotNil(t, local.Link)
			place, ok := local.Link.Target()
			require.True(t, ok)
			assert.Equal(t, "/objects/3", doc.At(place).PathText())
			assert.Equal(t, doc.At(place).DisplayName(), local.Link.Title(), "what the object is called, not its UUID")

			far := node(t, doc, "/objects/1/fields/f_far")
			require.NotNil(t, far.Link)
			assert.Nil(t, far.Link.Target)
			assert.NotEmpty(t, far.Link.Key)
			assert.Nil(t, node(t, doc, "/objects/1/fields/f_none").Link)

			id := cassettest.ID("Sky.Irradiance")
			key := hex.EncodeToString(id[:])
			if l < cassettest.Bundle30Published {
				key = strconv.FormatUint(id.Short(), 10)
			}
			for _, k := range []string{key, "Sky.Irradiance"} {
				place, ok := doc.FindKey(k)
				require.True(t, ok, k)
				assert.Equal(t, key, doc.At(place).Key)
			}
			_, ok = doc.FindKey("nothing")
			assert.False(t, ok)
		})
	}
}

func TestClassesAndStructsLinkToTheSchema(t *testing.T) {
	doc := open(t, cassettest.Write(cassettest.Bundle30, cassettest.Sample()))
	class := node(t, doc, "/objects/1/schema_index")
	assert.Equal(t, "/Code/Game.Game::Sky", class.Symbol())
	place, ok := class.Link.Target()
	require.True(t, ok)
	entry := doc.At(place)
	assert.Equal(t, "/Code/Game.Game::Sky", entry.Key)
	fields := entry.ChildNamed("fields")
	for i := range fields.Len() {
		f := fields.Child(i)
		if f.ChildNamed("name").Value == "f_struct" {
			place, ok := f.ChildNamed("schema_index").Link.Target()
			require.True(t, ok)
			assert.Equal(t, "/Code/Game.Game::Band", doc.At(place).Key)
			return
		}
	}
	assert.Fail(t, "no field f_struct in the schema")
}

func TestGroupingsLinkToObjects(t *testing.T) {
	for _, l := range []cassettest.Layout{cassettest.Package12Late, cassettest.Bundle20, cassettest.Bundle30} {
		doc := open(t, cassettest.Write(l, cassettest.Sample()))
		require.Len(t, doc.Groups, 3)
		paths, err := doc.Groups[0].Build(context.Background())
		require.NoError(t, err)
		diffuse := paths.ChildNamed("Sky").ChildNamed("Irradiance").ChildNamed("Diffuse")
		require.NotNil(t, diffuse)
		place, ok := diffuse.Link.Target()
		require.True(t, ok)
		assert.Equal(t, "/objects/3", doc.At(place).PathText())
		assert.NotNil(t, paths.ChildNamed("/Game/Sky"))

		classes, err := doc.Groups[1].Build(context.Background())
		require.NoError(t, err)
		nodes := classes.ChildNamed("/Code/Game.Game::Node")
		require.NotNil(t, nodes)
		require.Equal(t, 2, nodes.Len())
		assert.Equal(t, "Sky.Irradiance.Diffuse", nodes.Child(1).Name)

		dependencies, err := doc.Groups[2].Build(context.Background())
		require.NoError(t, err)
		require.Equal(t, 2, dependencies.Len())
		assert.Equal(t, "missing", dependencies.Child(0).Value)

		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err = doc.Groups[0].Build(ctx)
		assert.ErrorIs(t, err, context.Canceled)
	}
}

func TestEveryPayloadOpens(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		t.Run(l.String(), func(t *testing.T) {
			b := cassettest.Write(l, cassettest.Sample())
			doc := open(t, b)
			found := make(map[string]*model.Payload)
			for i := range doc.Payloads.Len() {
				p := doc.Payloads.At(i)
				found[p.Name] = p
				r, err := p.Open(context.Background())
				require.NoError(t, err)
				data, err := io.ReadAll(r)
				require.NoError(t, err)
				require.NoError(t, r.Close())
				if p.Size >= 0 {
					assert.Len(t, data, int(p.Size))
				}
			}
			require.Contains(t, found, "Sky.Irradiance.json")
			if l == cassettest.Package01 || l == cassettest.Package10 {
				return
			}
			require.Contains(t, found, "Sky.f_blob.png")
			assert.Equal(t, "image/png", found["Sky.f_blob.png"].MediaType)
			assert.Equal(t, found["Sky.f_blob.png"].Node.Value.(model.Blob).Span, found["Sky.f_blob.png"].Stored)
			if l >= cassettest.Bundle20 {
				require.Contains(t, found, "Sky.Texture.source.bin")
				assert.Len(t, found["Sky.Texture.source.bin"].Forms, 2)
			}
		})
	}
}

// Searching for blobs can be canceled; the next caller begins again.
func TestSearchForPayloadsCanBeCanceled(t *testing.T) {
	doc := open(t, cassettest.Write(cassettest.Package12Late, cassettest.Sample()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, doc.FindPayloads(ctx), context.Canceled)
	require.NoError(t, doc.FindPayloads(t.Context()))
	assert.Equal(t, "Sky.f_blob.png", doc.Payloads.At(0).Name)
}

func TestChecksumsAreNotRecorded(t *testing.T) {
	for _, l := range cassettest.Layouts() {
		doc := open(t, cassettest.Write(l, cassettest.Sample()))
		assert.Equal(t, "not recorded", node(t, doc, "/header/checksum").Symbol())
		if l < cassettest.Bundle30Published {
			assert.Equal(t, "not recorded", node(t, doc, "/objects/0/crc").Symbol())
		}
	}
}

func TestPackagesAndBundlesAreRecognized(t *testing.T) {
	for name, c := range map[string]struct {
		head []byte
		want decode.Confidence
	}{
		"package":   {cassettest.Write(cassettest.Package11, cassettest.Sample()), decode.Yes},
		"bundle":    {cassettest.Write(cassettest.Bundle30, cassettest.Sample()), decode.Yes},
		"cut off":   {packMagic[:7], decode.Maybe},
		"one byte":  {[]byte{0}, decode.No},
		"empty":     {nil, decode.No},
		"prototype": {[]byte("\x00CPAK\x00\x00\n\x00\x00\x01\x00"), decode.No},
		"text":      {[]byte("_TypeId: CE::Package\r\n"), decode.No},
	} {
		assert.Equal(t, c.want, Sniff(c.head, int64(len(c.head))), name)
	}
}

// TestUUIDsArePrintedInGroups has UUIDs of files, and the text that the engine prints for them.
func TestUUIDsArePrintedInGroups(t *testing.T) {
	for value, want := range map[any]string{
		"0500c1d591c72d42ed800f36e6fa31a1": "422dc791-d5c1-0005-a131-fae6360f80ed",
		uint64(0x60ef5b406fc652b5):         "60ef-5b40-6fc6-52b5",
		"no digits":                        "",
		nil:                                "",
	} {
		assert.Equal(t, want, writtenUUID(&model.Node{Type: "uuid", Value: value}), value)
	}
	assert.Empty(t, writtenUUID(&model.Node{Type: "u64", Value: uint64(1)}))
}

func TestTypeBytesAreChoices(t *testing.T) {
	assert.Contains(t, writtenTypes.All(), model.NamedNumber{Number: 0x1B, Name: "uuid"})
	assert.Contains(t, writtenTypes.All(), model.NamedNumber{Number: 0x13, Name: "object array"})
	assert.NotContains(t, publishedTypes.All(), model.NamedNumber{Number: 0x1B, Name: "uuid"})
	assert.True(t, writtenTypes.Has(uint64(3), 3))
	assert.False(t, writtenTypes.Has(uint64(3), 4))
	assert.Empty(t, writtenTypes.NameOf(uint64(0x1D)))
	assert.Empty(t, writtenTypes.NameOf("text"))
	assert.Empty(t, writtenTypes.NameOf(uint64(256)))
}
