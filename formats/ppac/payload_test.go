package ppac

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/formats/ppac/ppactest"
	"assay/model"
	"assay/model/text"
)

func contentOf(t testing.TB, p *model.Payload) []byte {
	t.Helper()
	r, err := p.Open(context.Background())
	require.NoError(t, err)
	defer r.Close()
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	return b
}

func archiveOf(a ppactest.Asset) ppactest.Archive {
	return ppactest.Archive{Assets: []ppactest.Asset{a}}
}

func TestCodecIsDetectedFromTheBytes(t *testing.T) {
	twoGzips := append(mustPack(t, "gzip", readme), mustPack(t, "gzip", icon)...)
	tests := []struct {
		name    string
		asset   ppactest.Asset
		codec   string
		content []byte
		problem bool
	}{
		{"stored", ppactest.Asset{Content: readme}, "", readme, false},
		{"zlib", ppactest.Asset{Content: readme, Codec: "zlib"}, "zlib", readme, false},
		{"gzip", ppactest.Asset{Content: readme, Codec: "gzip"}, "gzip", readme, false},
		{"raw", ppactest.Asset{Content: readme, Codec: "raw-deflate"}, "raw-deflate", readme, false},
		{"empty", ppactest.Asset{}, "", []byte{}, false},
		{"empty zlib", ppactest.Asset{Codec: "zlib"}, "zlib", []byte{}, false},
		{"several members", ppactest.Asset{Content: twoGzips, Compression: 1}, "gzip",
			append(append([]byte(nil), readme...), icon...), false},
		{"unknown id", ppactest.Asset{Content: readme, Compression: 42}, "unknown (42)", readme, true},
		{"deflate that is none", ppactest.Asset{Content: icon, Compression: 1}, "unknown (1)", icon, true},
		{"id 0 over zlib stays", ppactest.Asset{Content: mustPack(t, "zlib", readme)}, "", mustPack(t, "zlib", readme),
			false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := openBytes(t, encode(t, archiveOf(test.asset))).Payloads.At(0)
			assert.Equal(t, test.codec, p.Codec)
			assert.Equal(t, test.problem, p.Problem != "", p.Problem)
			assert.Equal(t, test.content, contentOf(t, p))
			v, _, err := p.Verify(context.Background())
			require.NoError(t, err)
			assert.Equal(t, test.codec != "unknown (1)", v == model.Valid,
				"the sum matches, but what says that it is compressed must expand")
			for _, f := range p.Forms {
				if f.Name == "stored" {
					var b bytes.Buffer
					require.NoError(t, f.Write(context.Background(), &b))
					assert.EqualValues(t, p.Stored.Size, b.Len())
				}
			}
		})
	}
}

// TestUnknownCompressionIsNotCheckedAsContent: bytes of an unknown compression are not an empty content, whose checksum
// anyone can forge.
func TestUnknownCompressionIsNotCheckedAsContent(t *testing.T) {
	for name, test := range map[string]struct {
		layout ppactest.Layout
		beside []ppactest.Asset // which the vote on the sums sees, too
		want   model.Verdict
	}{
		"published, alone":              {want: model.Unknown},
		"published, beside another":     {beside: []ppactest.Asset{{Content: icon, Compression: 7}}, want: model.Unknown},
		"published, beside stored ones": {beside: []ppactest.Asset{{}, {}}, want: model.Invalid},
		"later":                         {layout: ppactest.Layout{Later: true}, want: model.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			a := ppactest.Archive{Layout: test.layout, SumOfNothing: true,
				Assets: append([]ppactest.Asset{{Content: readme, Compression: 7}}, test.beside...)}
			doc := openBytes(t, encode(t, a))
			entry := nodeAt(t, doc, "/index/entries/0")
			assert.Equal(t, test.want.String(), entry.Child(entry.Len()-1).Symbol())
			assert.Equal(t, test.want == model.Invalid, check(t, doc).Bad())
			p := doc.Payloads.At(0)
			v, why, err := p.Verify(t.Context())
			require.NoError(t, err)
			assert.Equal(t, test.want, v, why)
			assert.NotEmpty(t, why)
			r, err := p.Open(t.Context())
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, r)
			require.NoError(t, err)
			v, _ = r.(model.Checked).Verdict()
			assert.Equal(t, test.want, v, "as it is read")
		})
	}
}

// TestDamagedContentHasNoChecksum: the bytes that a damaged stream expands to before its error, which may be none, are
// not the content of the checksum.
func TestDamagedContentHasNoChecksum(t *testing.T) {
	for _, l := range []ppactest.Layout{{}, {Later: true}} {
		a := ppactest.Archive{Layout: l, SumOfNothing: true,
			Assets: []ppactest.Asset{{Content: append(mustPack(t, "zlib", nil)[:2], 0xFF), Compression: Deflate}}}
		doc := openBytes(t, encode(t, a))
		entry := nodeAt(t, doc, "/index/entries/0")
		assert.Equal(t, "invalid", entry.Child(entry.Len()-1).Symbol())
		v, why, err := doc.Payloads.At(0).Verify(t.Context())
		require.NoError(t, err)
		assert.Equal(t, model.Invalid, v)
		assert.Contains(t, why, "zlib stream at 0x")
	}
}

func mustPack(t testing.TB, codec string, b []byte) []byte {
	t.Helper()
	out, err := ppactest.Pack(codec, b)
	require.NoError(t, err)
	return out
}

func TestDamagedStreamsEndWithAnError(t *testing.T) {
	z := mustPack(t, "zlib", readme)
	wrongSum := append([]byte(nil), z...)
	wrongSum[len(z)-1] ^= 1
	for name, stored := range map[string][]byte{
		"cut": z[:len(z)-3], "wrong sum": wrongSum, "bytes left over": append(append([]byte(nil), z...), "surplus"...),
	} {
		p := openBytes(t, encode(t, archiveOf(ppactest.Asset{Content: stored, Compression: 1}))).Payloads.At(0)
		r, err := p.Open(context.Background())
		require.NoError(t, err, name)
		_, err = io.Copy(io.Discard, r)
		assert.ErrorContains(t, err, "zlib stream at 0x", name)
	}
}

func TestUnmarkedCompressionIsFound(t *testing.T) {
	a := laterSample(0)
	a.NoIDs = true
	doc := openBytes(t, encode(t, a))
	p := doc.Payloads.At(2)
	assert.Equal(t, "zlib", p.Codec)
	assert.EqualValues(t, len(readme), p.Size)
	assert.Equal(t, readme, contentOf(t, p))
	assert.False(t, check(t, doc).Bad())

	a.NoSums = true // nothing proves it then
	p = openBytes(t, encode(t, a)).Payloads.At(2)
	assert.Empty(t, p.Codec)
	assert.Equal(t, mustPack(t, "zlib", readme), contentOf(t, p))
}

// TestUnmarkedCompressionIsProvenOnce: the proof of an unmarked compression also checks the content.
func TestUnmarkedCompressionIsProvenOnce(t *testing.T) {
	content := make([]byte, 2<<20)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(content)
	a := archiveOf(ppactest.Asset{Content: content, Codec: ppactest.Zlib})
	a.Layout.Later, a.NoIDs = true, true
	b := encode(t, a)
	src := &counted{Reader: bytes.NewReader(b)}
	doc, err := Open(t.Context(), model.NewSource("x.pac", src, int64(len(b))))
	require.NoError(t, err)
	p := doc.Payloads.At(0)
	before := src.bytes.Load()
	v, why, err := p.Verify(t.Context())
	require.NoError(t, err)
	assert.Equal(t, model.Valid, v, why)
	assert.Less(t, src.bytes.Load()-before, int64(len(b))*3/2)
}

func TestNamesComeFromMetadataOrTPUAndContent(t *testing.T) {
	named := func(name string) []ppactest.MetadataEntry { return ppactest.Pairs("filename", name) }
	tests := []struct {
		asset       ppactest.Asset
		name, media string
	}{
		{ppactest.Asset{Content: icon, Metadata: named("images/icon.png")}, "images/icon.png", "image/png"},
		{ppactest.Asset{Content: icon, Metadata: named(`images\icon.png`)}, "images/icon.png", "image/png"},
		{ppactest.Asset{Content: icon, Metadata: named("")}, "0000-0000-00000000.png", "image/png"},
		{ppactest.Asset{Content: icon}, "0000-0000-00000000.png", "image/png"},
		{ppactest.Asset{TPU: ppactest.TPU{Type: 0x0100}, Content: icon}, "0100-0000-00000000.png", "image/png"},
		{ppactest.Asset{TPU: ppactest.TPU{Type: 0x0107}, Content: []byte("void main() {}\n")},
			"0107-0000-00000000.vert",
			"text/plain; charset=utf-8"},
		{ppactest.Asset{Content: []byte("void main() {}\n"), Codec: "gzip"}, "0000-0000-00000000.txt",
			"text/plain; charset=utf-8"},
		{ppactest.Asset{TPU: ppactest.TPU{Type: 0x0206}, Content: []byte("DDS |\x00\x00\x00")}, "0206-0000-00000000.dds",
			"image/vnd.ms-dds"},
		{ppactest.Asset{TPU: ppactest.TPU{Type: 0x0206}, Content: []byte{0, 1, 2, 3}}, "0206-0000-00000000.bin",
			"application/octet-stream"},
		{ppactest.Asset{TPU: ppactest.TPU{Type: 0x0100}, Content: []byte{0xb1, 0xf3, 0x44, 0x9d, 0xe7}},
			"0100-0000-00000000.bin", "application/octet-stream"},
		{ppactest.Asset{TPU: ppactest.TPU{Type: 0x0200}, Content: []byte("a note\n")}, "0200-0000-00000000.txt",
			"text/plain; charset=utf-8"},
		{ppactest.Asset{TPU: ppactest.TPU{Type: 0x0200}}, "0200-0000-00000000.png", ""},
		{ppactest.Asset{TPU: ppactest.TPU{Type: 0x8001}, Content: []byte{0, 1, 2, 3}}, "8001-0000-00000000.bin",
			"application/octet-stream"},
		{ppactest.Asset{Content: []byte("PPAC\x00\x04\x00\x00")}, "0000-0000-00000000.pac", "application/x-ppac"},
	}
	for _, test := range tests {
		for _, l := range []ppactest.Layout{{}, {Later: true}} {
			a := archiveOf(test.asset)
			a.Layout = l
			p := openBytes(t, encode(t, a)).Payloads.At(0)
			assert.Equal(t, test.name, p.Name)
			assert.Equal(t, test.media, p.MediaType)
		}
	}
}

func TestTypesAreRecordedThatContradictNames(t *testing.T) {
	for name, recorded := range map[string]string{"a.txt": "", "a.TXT": "", "a.txt.bak": "", "a.png": "txt",
		"a": "txt", "txt": "txt"} {
		p := openBytes(t, encode(t, archiveOf(ppactest.Asset{TPU: ppactest.NewTPU(0x100, 0, 1), Content: readme,
			Metadata: ppactest.Pairs("filename", name)}))).Payloads.At(0)
		assert.Equal(t, recorded, p.Recorded, name)
	}
	for id, recorded := range map[uint16]string{0x202: "", 0x009: "png", 0x8001: "", 1: "", 0: ""} {
		p := openBytes(t, encode(t, archiveOf(ppactest.Asset{TPU: ppactest.NewTPU(id, 0, 1), Content: readme,
			Metadata: ppactest.Pairs("filename", "a.jpeg")}))).Payloads.At(0)
		assert.Equal(t, recorded, p.Recorded, "%04X", id)
	}
}

func TestPayloadsHaveTimeSizeAndNode(t *testing.T) {
	doc := openBytes(t, encode(t, sample()))
	p := doc.Payloads.At(0)
	assert.Equal(t, time.UnixMilli(1411513200000).UTC(), p.ModTime)
	assert.EqualValues(t, len(readme), p.Size)
	assert.Equal(t, nodeAt(t, doc, "/assets/0/data").Span, p.Stored)
	assert.Equal(t, "/index/entries/0", p.Node.PathText())
	assert.EqualValues(t, -1, doc.Payloads.At(2).Size, "nothing says how long the content is")
	assert.EqualValues(t, len(readme), openBytes(t, encode(t, laterSample(0))).Payloads.At(2).Size)

	stop, cancel := context.WithCancel(context.Background())
	r, err := p.Open(stop)
	require.NoError(t, err)
	cancel()
	_, err = io.ReadAll(r)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestStreamsAreChecked(t *testing.T) {
	for _, a := range []ppactest.Archive{sample(), laterSample(1),
		changed(sample(), func(a *ppactest.Archive) { a.AdlerOverEntry = true })} {
		b := encode(t, a)
		doc := openBytes(t, b)
		for i := range doc.Payloads.Len() {
			r, err := doc.Payloads.At(i).Open(context.Background())
			require.NoError(t, err)
			c := r.(model.Checked)
			v, _ := c.Verdict()
			assert.Equal(t, model.Unknown, v, "not read yet")
			_, err = io.Copy(io.Discard, c)
			require.NoError(t, err)
			v, why := c.Verdict()
			assert.Equal(t, model.Valid, v)
			assert.NotEmpty(t, why)
		}
		b[bytes.Index(b, []byte("IHDR"))] ^= 1
		r, err := openBytes(t, b).Payloads.At(1).Open(context.Background())
		require.NoError(t, err)
		_, _ = io.Copy(io.Discard, r)
		v, why := r.(model.Checked).Verdict()
		assert.Equal(t, model.Invalid, v)
		assert.NotEmpty(t, why)
	}
	r, err := openBytes(t,
		encode(t, changed(laterSample(1),
			func(a *ppactest.Archive) { a.NoSums = true }))).Payloads.At(0).Open(context.Background())
	require.NoError(t, err)
	_, checked := r.(model.Checked)
	assert.False(t, checked, "nothing is recorded")
}

func TestVerifyFindsDamagedContent(t *testing.T) {
	flip := func(b, want []byte, by int) []byte {
		b = append([]byte(nil), b...)
		b[bytes.Index(b, want)+by] ^= 0x40
		return b
	}
	for name, a := range map[string]ppactest.Archive{"published": sample(), "later": laterSample(1)} {
		b := flip(encode(t, a), []byte("IHDR"), 5)
		doc := openBytes(t, b)
		v, why, err := doc.Payloads.At(1).Verify(context.Background())
		require.NoError(t, err)
		assert.Equal(t, model.Invalid, v, name)
		assert.NotEmpty(t, why)
		r := check(t, doc)
		require.Len(t, r.Problems, 1)
		assert.Equal(t, model.Error, r.Problems[0].Severity)
		assert.Contains(t, r.Problems[0].Message, "0200-0001-00001001 does not match")
		assert.EqualValues(t, len(b), r.Accounted)
	}
	whole := changed(sample(), func(a *ppactest.Archive) { a.AdlerOverEntry = true })
	doc := openBytes(t, encode(t, whole))
	assert.False(t, check(t, doc).Bad(), "the vote finds what the sums are over")
	_, why, err := doc.Payloads.At(0).Verify(context.Background())
	require.NoError(t, err)
	assert.Contains(t, why, "whole data entry")
}

// TestLargeAssetsAreCheckedOnRequest: an asset that is too large to be checked when displayed shows its verdict after
// it was verified.
func TestLargeAssetsAreCheckedOnRequest(t *testing.T) {
	doc := openBytes(t, encode(t, archiveOf(ppactest.Asset{Content: bytes.Repeat(readme, 100)})))
	assert.Equal(t, "not checked", nodeAt(t, doc, "/index/entries/0/adler32").Symbol())
	_, _, err := doc.Payloads.At(0).Verify(context.Background())
	require.NoError(t, err)
	assert.Equal(t, "valid", nodeAt(t, doc, "/index/entries/0/adler32").Symbol())
}

func TestVerifyExpandsCompressedAssets(t *testing.T) {
	content := bytes.Repeat([]byte("all work and no play "), 1000)
	for name, c := range map[string]struct {
		damage func(stored []byte) []byte
		want   model.Verdict
	}{
		"sound":                 {func(b []byte) []byte { return b }, model.Valid},
		"cut":                   {func(b []byte) []byte { return b[:len(b)/2] }, model.Invalid},
		"its inner sum differs": {func(b []byte) []byte { b[len(b)-1]++; return b }, model.Invalid},
		"bytes are left over":   {func(b []byte) []byte { return append(b, 7) }, model.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			b := c.damage(mustPack(t, ppactest.Zlib, content))
			a := ppactest.Archive{Layout: ppactest.Layout{SizeWidth: 4, PositionWidth: 4}}
			for k := range uint32(3) { // as if they were stored: the Adler-32 is over these bytes
				a.Assets = append(a.Assets,
					ppactest.Asset{TPU: ppactest.NewTPU(1, 1, k), Content: b, Compression: Deflate})
			}
			doc := openBytes(t, encode(t, a))
			v, why, err := doc.Payloads.At(1).Verify(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.want, v, why)
			n := 0
			require.NoError(t,
				doc.Payloads.(model.Verifier).VerifyEach(t.Context(), 0, 3,
					func(i int, v model.Verdict, _ string, err error) {
						assert.Equal(t, n, i)
						assert.NoError(t, err)
						assert.Equal(t, c.want, v)
						n++
					}))
			assert.Equal(t, 3, n)
			assert.Equal(t, c.want == model.Invalid, check(t, doc).Bad())
		})
	}
}

func TestImpossibleMemorySizesAreReported(t *testing.T) {
	for _, l := range []ppactest.Layout{{Later: true, SizeWidth: 4, PositionWidth: 4},
		{SizeWidth: 4, PositionWidth: 4, MemorySize: true}} {
		for codec, want := range map[string]string{"": "has 2100 bytes of content, but the index records 4294967295",
			ppactest.Zlib: "it expands to 2100 bytes, but the index records 4294967295"} {
			a := ppactest.Archive{Layout: l}
			for k := range uint32(3) {
				a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(1, 1, k), Codec: codec,
					Content: bytes.Repeat([]byte("all work and no play "), 100)})
			}
			b := encode(t, a)
			copy(b[nodeAt(t, openBytes(t, b), "/index/entries/1/memory_size").Offset:], "\xff\xff\xff\xff")
			doc := openBytes(t, b)
			report := check(t, doc)
			require.Len(t, report.Problems, 1, "%v", report.Problems)
			assert.Contains(t, report.Problems[0].Message, want)
			assert.LessOrEqual(t, doc.Payloads.At(1).Size, int64(2100)) // nothing is planned for 4 GB
		}
	}
}

// TestContentOfTheWrongSizeIsInvalid: a content that matches its checksum, but not its recorded size, is invalid
// everywhere, and no message blames the checksum.
func TestContentOfTheWrongSizeIsInvalid(t *testing.T) {
	for _, l := range []ppactest.Layout{{Later: true, SizeWidth: 4, PositionWidth: 4},
		{SizeWidth: 4, PositionWidth: 4, MemorySize: true}} {
		a := archiveOf(ppactest.Asset{TPU: ppactest.NewTPU(1, 1, 1), Content: readme, Codec: ppactest.Zlib})
		a.Layout = l
		b := encode(t, a)
		order.PutUint32(b[nodeAt(t, openBytes(t, b), "/index/entries/0/memory_size").Offset:], uint32(len(readme)+1))
		doc := openBytes(t, b)
		says := fmt.Sprintf("it expands to %d bytes, but the index records %d", len(readme), len(readme)+1)
		v, why, err := doc.Payloads.At(0).Verify(t.Context())
		require.NoError(t, err)
		assert.Equal(t, model.Invalid, v)
		assert.Equal(t, says, why)
		r, err := doc.Payloads.At(0).Open(t.Context())
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, r)
		require.NoError(t, err)
		v, why = r.(model.Checked).Verdict()
		assert.Equal(t, model.Invalid, v)
		assert.Equal(t, says, why)
		report := check(t, doc)
		require.Len(t, report.Problems, 1)
		assert.Contains(t, report.Problems[0].Message, says)
		assert.NotContains(t, report.Problems[0].Message, "does not match")
	}
}

// TestStreamsAgreeWithVerify has content that is not the stream that the index marks, with a checksum that matches,
// differs, or is absent.
func TestStreamsAgreeWithVerify(t *testing.T) {
	for name, change := range map[string]func(*ppactest.Archive){
		"published": func(*ppactest.Archive) {},
		"later":     func(a *ppactest.Archive) { a.Layout.Later = true },
		"no sum":    func(a *ppactest.Archive) { a.Layout.Later, a.NoSums = true, true },
	} {
		p := openBytes(t, encode(t, changed(archiveOf(ppactest.Asset{TPU: ppactest.NewTPU(1, 1, 1), Content: readme,
			Compression: Deflate}), change))).Payloads.At(0)
		want, wantWhy, err := p.Verify(t.Context())
		require.NoError(t, err)
		assert.Equal(t, model.Invalid, want, name)
		r, err := p.Open(t.Context())
		require.NoError(t, err)
		require.Implements(t, new(model.Checked), r, name)
		_, err = io.Copy(io.Discard, r)
		require.NoError(t, err)
		v, why := r.(model.Checked).Verdict()
		assert.Equal(t, want, v, name)
		assert.Equal(t, wantWhy, why, name)
	}
}

func TestUndefinedFlagBitsAreAWarning(t *testing.T) {
	a := ppactest.Archive{Layout: ppactest.Layout{SizeWidth: 4, PositionWidth: 4}, Flags: 0x50}
	doc := openBytes(t, encode(t, a))
	r, err := doc.Check(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, r.Problems, 1)
	assert.Equal(t, model.Warning, r.Problems[0].Severity)
	assert.Equal(t, "no revision of the format defines the flag bits 0x50", r.Problems[0].Message)
}

// TestFlagsOfOtherWidthsAreReported: in the later revision bit 0 is for offsets.
func TestFlagsOfOtherWidthsAreReported(t *testing.T) {
	for _, test := range []struct {
		l     ppactest.Layout
		flags uint32
		says  string
	}{
		{ppactest.Layout{SizeWidth: 4, PositionWidth: 8}, 1, "sizes have 4 bytes, positions 8"},
		{ppactest.Layout{Later: true, SizeWidth: 4, PositionWidth: 4}, 1, "sizes have 4 bytes, positions 4"},
		{ppactest.Layout{Later: true, SizeWidth: 4, PositionWidth: 8}, 2, "sizes have 4 bytes, positions 8"},
	} {
		a := archiveOf(ppactest.Asset{Content: readme})
		a.Layout, a.Flags = test.l, test.flags
		r := check(t, openBytes(t, encode(t, a)))
		assert.False(t, r.Bad())
		require.Len(t, r.Problems, 1)
		assert.Contains(t, r.Problems[0].Message, test.says)
	}
}

// overlongStream returns a container of one asset that expands to 100 MB of zeros; the index records 1,000 bytes.
func overlongStream(t testing.TB, l ppactest.Layout, id uint32) []byte {
	t.Helper()
	b := encode(t, ppactest.Archive{Layout: l, Assets: []ppactest.Asset{{TPU: ppactest.NewTPU(0x200, 1, 1),
		Content: make([]byte, 100<<20), Codec: ppactest.Zlib}}})
	entry := nodeAt(t, openBytes(t, b), "/index/entries/0")
	for i, field := range []string{"memory_size", "compression", "compression_id"} {
		if n := entry.ChildNamed(field); n != nil {
			value := []uint64{1000, uint64(id), uint64(id)}[i]
			for k := range n.Size {
				b[n.End()-1-k] = byte(value >> (8 * k))
			}
		}
	}
	return b
}

// TestContentIsExpandedToItsRecordedSize: no reader expands all of a content that is far longer than recorded.
func TestContentIsExpandedToItsRecordedSize(t *testing.T) {
	for name, l := range map[string]ppactest.Layout{"later": {Later: true, SizeWidth: 4, PositionWidth: 4},
		"memory size": {SizeWidth: 4, PositionWidth: 4, MemorySize: true}} {
		for _, id := range []uint32{Deflate, Stored} {
			if id == Stored && !l.Later {
				continue // only libraries of the later revision left out the id
			}
			t.Run(fmt.Sprint(name, " ", id), func(t *testing.T) {
				b := overlongStream(t, l, id)
				doc := openBytes(t, b)
				p := doc.Payloads.At(0)
				r, err := p.Open(t.Context())
				require.NoError(t, err)
				n, err := io.Copy(io.Discard, r)
				if id == Deflate {
					assert.EqualValues(t, 1000, n)
					assert.ErrorContains(t, err, "more than the expected 1000 bytes")
				} else {
					assert.EqualValues(t, p.Stored.Size, n, "nothing proves a compression")
				}
				v, why, err := p.Verify(t.Context())
				require.NoError(t, err)
				assert.Equal(t, model.Invalid, v, why)
				assert.NotEmpty(t, why)
				k := newContainer(decode.New(t.Context(), doc.Source, "Ppac", order, &types)).withLayout(Layout(l))
				a := Asset{container: k, Entry: Entry{MemorySize: 1000}}
				a.Data = p.Stored
				_, fault, err := a.computeSums(t.Context(), zlibStream, unbounded, compressedPasses[0])
				require.NoError(t, err)
				assert.ErrorContains(t, fault, "more than the expected 1000 bytes")
			})
		}
	}
}

// TestContentWithoutARecordedSizeMayBeLong: the limit of a check is not a limit of the format.
func TestContentWithoutARecordedSizeMayBeLong(t *testing.T) {
	var piece bytes.Buffer
	w, err := flate.NewWriter(&piece, flate.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(make([]byte, 1<<20))
	require.NoError(t, err)
	require.NoError(t, w.Flush())
	stream := append(bytes.Repeat(piece.Bytes(), model.MinExcess>>20+1), 3, 0) // and an empty last block
	doc := openBytes(t, encode(t, archiveOf(ppactest.Asset{Content: stream, Compression: Deflate})))
	p := doc.Payloads.At(0)
	assert.Equal(t, "raw-deflate", p.Codec)
	v, why, err := p.Verify(t.Context())
	require.NoError(t, err)
	assert.Equal(t, model.Valid, v, why)
	assert.Contains(t, why, "over the stored bytes")
}

// TestEntriesOfOneStreamExpandItFewTimes: with any recorded checksum and size.
func TestEntriesOfOneStreamExpandItFewTimes(t *testing.T) {
	content := make([]byte, 1<<20)
	packed := mustPack(t, "zlib", content)
	read := &countedReads{b: packed}
	src := model.NewSource("x.ppac", read, int64(len(packed)))
	k := newContainer(decode.New(t.Context(), src, "Ppac", order, &types)).withLayout(Layout{Later: true})
	const entries = 500
	for i := range entries {
		a := Asset{container: k, Entry: Entry{Compression: Deflate, MemorySize: uint64(len(content) - entries/2 + i)}}
		a.Entry.SHA256[0] = byte(i)
		a.Data = model.Span{Size: int64(len(packed))}
		s, fault, err := a.computeSums(t.Context(), zlibStream, unbounded, compressedPasses[0])
		require.NoError(t, err)
		assert.Equal(t, i >= entries/2, s.known[overContent])
		assert.NotEqual(t, a.recordedSum(), s.byCoverage[overContent])
		switch {
		case i < entries/2:
			assert.ErrorContains(t, fault, "it expands to more than the")
		case i == entries/2:
			assert.NoError(t, fault)
		default:
			assert.ErrorContains(t, fault, "it expands to 1048576 bytes")
		}
	}
	assert.LessOrEqual(t, read.n, 4*len(packed), "entries share what the stream expands to")

	k = newContainer(decode.New(t.Context(), model.NewSource("x.ppac", bytes.NewReader(packed), 1<<20), "Ppac", order,
		&types)).withLayout(Layout{Later: true})
	a := Asset{container: k}
	a.Data = model.Span{Offset: 1 << 19, Size: 100} // past the end of what can be read
	_, err := a.computeSumsUpTo(t.Context(), zlibStream, 10, 10, nil)
	assert.ErrorIs(t, err, model.ErrChanged, "a read that fails is no fault of the content")
}

// countedReads counts the bytes that are read.
type countedReads struct {
	b []byte
	n int
}

func (r *countedReads) ReadAt(p []byte, off int64) (int, error) {
	n, err := bytes.NewReader(r.b).ReadAt(p, off)
	r.n += n
	return n, err
}

// TestSummedContentsAreNotReadAgain: reading back a written container reads only its structure.
func TestSummedContentsAreNotReadAgain(t *testing.T) {
	for _, a := range []ppactest.Archive{sample(), laterSample(0)} {
		b := encode(t, a)
		b[bytes.Index(b, readme)] ^= 1
		for _, summed := range []bool{false, true} {
			src := source(b)
			if summed {
				src.SetSummed()
			}
			doc, err := Open(t.Context(), src)
			require.NoError(t, err)
			assert.Equal(t, !summed, check(t, doc).Bad())
			v, _, err := doc.Payloads.At(0).Verify(t.Context())
			require.NoError(t, err)
			assert.Equal(t, model.Invalid, v, "a caller gets the verdict")
		}
	}
}

// TestAssetsOfOneTPUHaveTheirOwnContent: programs see only the last of them.
func TestAssetsOfOneTPUHaveTheirOwnContent(t *testing.T) {
	texts := []string{"one\n", "the second\n"}
	var a ppactest.Archive
	for _, content := range texts {
		a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(0x100, 1, 1), Content: []byte(content)})
	}
	doc := openBytes(t, encode(t, a))
	for i, want := range texts {
		item, ok := doc.Item(nodeAt(t, doc, "/assets").Child(i))
		require.True(t, ok)
		view, err := item.Content(t.Context())
		require.NoError(t, err)
		shown, ok := view.(*text.Text)
		require.True(t, ok, "%T", view)
		assert.Equal(t, want, shown.Text)
	}
}
