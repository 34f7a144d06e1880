package find_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/archive"
	"assay/model/find"
)

// spans returns a function that appends the spans of hits.
func spans(into *[]model.Span) func(find.Hit) bool {
	return func(h find.Hit) bool {
		*into = append(*into, h.Span)
		return true
	}
}

// The expected hits are those of a search that compares at each offset.
func TestSpansAndStreamsFindTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	b := make([]byte, 700_000)
	for i := range b {
		b[i] = "\x00aAbB"[r.IntN(5)]
	}
	m := must(t)
	for name, p := range map[string]*find.Pattern{
		"hex":      m(find.Hex("61 62 61 00")),
		"zeros":    m(find.Hex("00 00 00 00")),
		"wild":     m(find.Hex("6? ?? 42")),
		"any case": m(find.Text("abba", find.UTF8, false)),
	} {
		var want []model.Span
		size := len(p.Longest())
		for i := 0; i+size <= len(b); i++ {
			if p.StandsAt(b, i) {
				want = append(want, span(int64(i), int64(size)))
				i += size - 1
			}
		}
		require.NotEmpty(t, want, name)
		all, more, err := p.All(t.Context(), source(b), len(b), nil)
		require.NoError(t, err)
		assert.False(t, more)
		assert.Equal(t, want, all, name)

		var stream []model.Span
		require.NoError(t, p.Stream(t.Context(), iotest.HalfReader(bytes.NewReader(b)), spans(&stream)))
		assert.Equal(t, want, stream, name)

		var parts []model.Span
		for from, end := int64(0), int64(0); from < int64(len(b)); from += 99_991 {
			require.NoError(t, p.EachIn(t.Context(), source(b), span(max(from, end), from+99_991-max(from, end)), nil,
				spans(&parts)))
			if n := len(parts); n > 0 {
				end = parts[n-1].End()
			}
		}
		assert.Equal(t, want, parts, name)
	}
}

func TestHitsHaveTheBytesAroundThem(t *testing.T) {
	b := append(bytes.Repeat([]byte("-"), 1<<20), "before DUCK after"...)
	p := must(t)(find.Text("DUCK", find.UTF8, true))
	for _, at := range []int64{0, 1 << 19, 1<<20 + 5} {
		n := 0
		require.NoError(t, p.EachIn(t.Context(), source(b), span(at, int64(len(b))-at), nil, func(h find.Hit) bool {
			n++
			assert.Equal(t, "DUCK", string(h.Bytes))
			assert.True(t, bytes.HasSuffix([]byte("-----before "), h.Before[max(0, len(h.Before)-2):]))
			assert.Equal(t, " after", string(h.After))
			assert.LessOrEqual(t, len(h.Before), find.MaxContext)
			return true
		}))
		assert.Equal(t, 1, n)
	}
}

func TestStreamReturnsReadErrors(t *testing.T) {
	broken := errors.New("broken")
	var found []model.Span
	err := must(t)(find.Hex("61 62")).Stream(t.Context(),
		io.MultiReader(bytes.NewReader([]byte("ab ab")), iotest.ErrReader(broken)), spans(&found))
	assert.ErrorIs(t, err, broken)
	assert.Equal(t, []model.Span{span(0, 2), span(3, 2)}, found, "the bytes before the error are searched")
}

// BenchmarkText searches random bytes for a word with several options.
func BenchmarkText(b *testing.B) {
	data := make([]byte, 64<<20)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(data)
	for name, p := range map[string]func() (*find.Pattern, error){
		"UTF-8":    func() (*find.Pattern, error) { return find.Text("Texture", find.UTF8, true) },
		"any case": func() (*find.Pattern, error) { return find.Text("Texture", find.UTF8, false) },
		"any text": func() (*find.Pattern, error) { return find.Text("Texture", find.AnyText, false) },
		"number":   func() (*find.Pattern, error) { return find.Number("123456", find.AnyInteger, find.AnyOrder) },
	} {
		b.Run(name, func(b *testing.B) {
			p, err := p()
			require.NoError(b, err)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				_, _, err := p.All(b.Context(), source(data), 10, nil)
				require.NoError(b, err)
			}
		})
	}
}

func source(b []byte) *model.Source {
	return model.NewSource("made.bin", bytes.NewReader(b), int64(len(b)))
}

func span(offset, size int64) model.Span { return model.Span{Offset: offset, Size: size} }

func must(t *testing.T) func(p *find.Pattern, err error) *find.Pattern {
	return func(p *find.Pattern, err error) *find.Pattern {
		t.Helper()
		require.NoError(t, err)
		return p
	}
}

func TestPatternsMatchTheirEncodings(t *testing.T) {
	m := must(t)
	pi := math.Float32bits(3.14)
	for _, tt := range []struct {
		name    string
		pattern *find.Pattern
		bytes   string
		want    []model.Span
	}{
		{"hex", m(find.Hex("7f 45")), "\x00\x7f\x45\x7f\x45", []model.Span{span(1, 2), span(3, 2)}},
		{"hex with prefix", m(find.Hex("0x7f45")), "\x7f\x45", []model.Span{span(0, 2)}},
		{"any digit", m(find.Hex("7? ?? 46")), "\x71\x00\x46\x80\x00\x46\x7f\xff\x46",
			[]model.Span{span(0, 3), span(6, 3)}},
		{"any first byte", m(find.Hex("?? 46")), "\x46\x46", []model.Span{span(0, 2)}},
		{"text", m(find.Text("Duck", find.UTF8, true)), "duck Duck", []model.Span{span(5, 4)}},
		{"text in any case", m(find.Text("dUCK", find.UTF8, false)), "duck Duck d\x95ck",
			[]model.Span{span(0, 4), span(5, 4)}},
		{"digits have no case", m(find.Text("v1", find.UTF8, false)), "v\x11 V1", []model.Span{span(3, 2)}},
		{"UTF-16LE", m(find.Text("ab", find.UTF16LE, false)), "ab\x00A\x00B\x00", []model.Span{span(3, 4)}},
		{"UTF-16BE", m(find.Text("ab", find.UTF16BE, true)), "\x00a\x00b", []model.Span{span(0, 4)}},
		{"all encodings", m(find.Text("ab", find.AnyText, true)), "ab\x01\x00a\x00b",
			[]model.Span{span(0, 2), span(3, 4)}},
		{"umlauts in any case", m(find.Text("größe", find.UTF8, false)), "GRÖSSE Größe größe",
			[]model.Span{span(8, 7), span(16, 7)}},
		{"integers of all widths", m(find.Number("258", find.AnyInteger, find.AnyOrder)), "\x01\x02..\x02\x01..\x02\x01\x00\x00",
			[]model.Span{span(0, 2), span(4, 2), span(8, 4)}},
		{"hex integer", m(find.Number("0xfffe", find.Integer16, find.AnyOrder)), "\xfe\xff\xff\xfe",
			[]model.Span{span(0, 2), span(2, 2)}},
		{"negative", m(find.Number("-2", find.Integer16, find.AnyOrder)), "\xff\xfe", []model.Span{span(0, 2)}},
		{"byte", m(find.Number("7", find.Integer8, find.AnyOrder)), "\x07\x00\x07", []model.Span{span(0, 1), span(2, 1)}},
		{"float", m(find.Number("3.14", find.AnyFloat, find.AnyOrder)), "x" +
			string([]byte{byte(pi), byte(pi >> 8), byte(pi >> 16), byte(pi >> 24)}), []model.Span{span(1, 4)}},
		{"a fraction is a float", m(find.Number("0.5", find.AnyInteger, find.AnyOrder)), "\x3f\x00\x00\x00", []model.Span{span(0, 4)}},
		{"nothing", m(find.Hex("00")), "abc", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hits, more, err := tt.pattern.All(context.Background(), source([]byte(tt.bytes)), 10, nil)
			require.NoError(t, err)
			assert.False(t, more)
			assert.Equal(t, tt.want, hits)
			var back []model.Span
			for at := int64(len(tt.bytes)); ; {
				hit, ok, err := tt.pattern.Previous(context.Background(), source([]byte(tt.bytes)), at, nil)
				require.NoError(t, err)
				if !ok {
					break
				}
				back = append([]model.Span{hit}, back...)
				at = hit.Offset
			}
			assert.Subset(t, back, tt.want, "backwards finds the same")
		})
	}
}

func TestInvalidPatternsAreErrors(t *testing.T) {
	for name, make := range map[string]func() (*find.Pattern, error){
		"no bytes":     func() (*find.Pattern, error) { return find.Hex("  ") },
		"no hex":       func() (*find.Pattern, error) { return find.Hex("zz") },
		"half a byte":  func() (*find.Pattern, error) { return find.Hex("abc") },
		"all wild":     func() (*find.Pattern, error) { return find.Hex("?? ??") },
		"no text":      func() (*find.Pattern, error) { return find.Text("", find.AnyText, false) },
		"no number":    func() (*find.Pattern, error) { return find.Number("duck", find.AnyInteger, find.AnyOrder) },
		"too wide":     func() (*find.Pattern, error) { return find.Number("65536", find.Integer16, find.AnyOrder) },
		"too negative": func() (*find.Pattern, error) { return find.Number("-129", find.Integer8, find.AnyOrder) },
		"beyond 64 bits": func() (*find.Pattern,
			error) {
			return find.Number("18446744073709551616", find.AnyInteger, find.AnyOrder)
		},
		"no float": func() (*find.Pattern, error) { return find.Number("x", find.Float32, find.AnyOrder) },
		"too long a text": func() (*find.Pattern,
			error) {
			return find.Text(strings.Repeat("x", 1<<20), find.UTF8, true)
		},
	} {
		_, err := make()
		assert.Error(t, err, name)
	}
}

// The hits are on both sides of the boundaries between blocks, and across them.
func TestHitsAcrossChunksAreFound(t *testing.T) {
	b := make([]byte, 3<<20)
	var want []model.Span
	for _, at := range []int{0, 1<<20 - 4, 1<<20 + 1, 2<<20 - 2, 2<<20 + 2, 3<<20 - 4} {
		copy(b[at:], "DUCK")
		want = append(want, model.Span{Offset: int64(at), Size: 4})
	}
	for _, matchCase := range []bool{true, false} {
		p := must(t)(find.Text("DUCK", find.AnyText, matchCase))
		hits, _, err := p.All(context.Background(), source(b), 100, nil)
		require.NoError(t, err)
		assert.Equal(t, want, hits)
		at := int64(len(b))
		for i := len(want) - 1; i >= 0; i-- {
			hit, ok, err := p.Previous(context.Background(), source(b), at, nil)
			require.NoError(t, err)
			require.True(t, ok)
			assert.Equal(t, want[i], hit)
			at = hit.Offset
		}
		at = 0
		for i := range want {
			hit, ok, err := p.Next(context.Background(), source(b), at, nil)
			require.NoError(t, err)
			require.True(t, ok)
			assert.Equal(t, want[i], hit)
			at = hit.Offset + 1
		}
		_, ok, err := p.Next(context.Background(), source(b), at, nil)
		require.NoError(t, err)
		assert.False(t, ok)
	}
	hits, more, err := must(t)(find.Text("DUCK", find.UTF8, true)).All(context.Background(), source(b), 2, nil)
	require.NoError(t, err)
	assert.True(t, more)
	assert.Equal(t, want[:2], hits)
}

func TestSearchStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := must(t)(find.Hex("01"))
	_, _, err := p.Next(ctx, source(make([]byte, 100)), 0, nil)
	assert.ErrorIs(t, err, context.Canceled)
	_, _, err = p.Previous(ctx, source(make([]byte, 100)), 100, nil)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = find.Filter(ctx, tree(5000), mustQuery("x").Match, 10, find.FilterProgress{})
	assert.ErrorIs(t, err, context.Canceled)
}

type bad struct{ *model.Source }

func (bad) ReadAt(p []byte, off int64) (int, error) { return 0, errors.New("the disk is gone") }

func TestUnreadableBytesAreReported(t *testing.T) {
	p := must(t)(find.Hex("01"))
	_, _, err := p.Next(context.Background(), bad{source(make([]byte, 10))}, 0, nil)
	assert.EqualError(t, err, "the disk is gone")
}

func TestParseOffsetReadsAbsoluteAndRelativeOffsets(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int64
		err  string
	}{
		{"0x1a4", 420, ""}, {"420", 420, ""}, {"1a4", 420, ""}, {"1a4h", 420, ""}, {" 1_000 ", 1000, ""},
		{"+16", 116, ""}, {"-0x10", 84, ""}, {"+ 4", 104, ""}, {"end", 1999, ""}, {"end-16", 1984, ""},
		{"end - 0x10", 1984, ""}, {"END-2000", 0, ""},
		{"50%", 1000, ""}, {"100%", 1999, ""},
		{"", 0, "enter an offset"}, {"2000", 0, "past the end"}, {"-101", 0, "outside"}, {"end-2001", 0, "outside"},
		{"end+1", 0, "past the end"},
		{"zebra", 0, "is not an offset"}, {"0x", 0, "is not an offset"}, {"+", 0, "is not an offset"},
		{"--5", 0, "is not an offset"}, {"101%", 0, "percentage"}, {"nan%", 0, "percentage"},
		{"+9223372036854775807", 0, "outside"}, {"end-", 0, "is not an offset"},
	} {
		got, err := find.ParseOffset(tt.text, 100, 2000)
		if tt.err != "" {
			assert.ErrorContains(t, err, tt.err, tt.text)
			continue
		}
		assert.NoError(t, err, tt.text)
		assert.Equal(t, tt.want, got, tt.text)
	}
	_, err := find.ParseOffset("0", 0, 0)
	assert.Error(t, err)
}

func BenchmarkFindText(b *testing.B) {
	data := source(bytes.Repeat([]byte("all work and no play makes jack "), 2<<20/32))
	p, err := find.Text("duck", find.AnyText, false)
	require.NoError(b, err)
	b.SetBytes(data.Size())
	for b.Loop() {
		p.Next(context.Background(), data, 0, nil)
	}
}

// described is a list of assets that are described in bulk.
type described struct {
	model.PayloadList
}

// DescribeEach implements model.Describer.
func (d described) DescribeEach(_ context.Context, from, to int, each func(i int, p *model.Payload) bool) error {
	for i := from; i < to && each(i, d.PayloadList[i]); i++ {
	}
	return nil
}

func packageOf(n int) *model.Document {
	root := &model.Node{Type: "Root"}
	var entries, all = &model.Node{Name: "index", Type: "Entry[]"}, model.PayloadList{}
	entries.SetChildren(&model.Elements{Count: n, Make: func(i int) *model.Node {
		return &model.Node{Type: "Entry", Key: fmt.Sprint("key", i)}
	}})
	root.SetChildren(model.List{entries})
	for i := range n {
		all = append(all, &model.Payload{Name: fmt.Sprintf("images/icon_%d.png", i), Key: fmt.Sprint("key", i),
			Type: "png", Node: root.Child(0).Child(i)})
	}
	d := model.NewDocument(source(nil), "test", "1", root)
	d.Payloads = described{all}
	return d
}

func TestNamesOfManyAssetsAreFoundFirst(t *testing.T) {
	d := packageOf(20_000)
	first := func(d *model.Document, text string) (find.Filtered, error) {
		all := archive.NewShared(d, func(job func(ctx context.Context)) { job(context.Background()) })
		return find.Assets(context.Background(), d, all, mustQuery(text), 100, func(_, _ int) {})
	}
	f, err := first(d, "ICON 1999")
	require.NoError(t, err)
	assert.Equal(t, 12, f.Matches)
	assert.Equal(t, []int32{0}, f.Tree.Index)
	assert.Equal(t, []int32{1999, 11999, 19990}, f.Tree.Below[0].Index[:3])
	f, err = first(d, "png")
	require.NoError(t, err)
	assert.True(t, f.Truncated)
	f, err = first(packageOf(10), "png")
	require.NoError(t, err)
	assert.Zero(t, f.Matches, "a few assets are found by their nodes")

	var best []find.Named
	require.NoError(t, fuzzy(context.Background(), d, "icon_19990", func(n []find.Named) { best = n }))
	require.NotEmpty(t, best)
	assert.Equal(t, model.Path{0, 19990}, best[0].Path)
	require.NoError(t, fuzzy(context.Background(), d, "19990 icon", func(n []find.Named) { best = n }))
	require.NotEmpty(t, best)
	assert.Equal(t, model.Path{0, 19990}, best[0].Path, "words in any order")
}

// A match is cut at the maximum size.
func TestRegexpsMatchAcrossBlocksAndAtLineEnds(t *testing.T) {
	ctx := context.Background()
	text := strings.Repeat("some words\n", find.Chunk/11) + "tex_12 and TEX_345\nend " + strings.Repeat("x", 2*find.MaxRegexpMatch+5)
	src := model.NewSource("t", strings.NewReader(text), int64(len(text)))
	for _, test := range []struct {
		expression string
		matchCase  bool
		want       []string
	}{
		{`tex_\d+`, true, []string{"tex_12"}},
		{`tex_\d+`, false, []string{"tex_12", "TEX_345"}},
		{`^tex_\d+|\d$|^and`, false, []string{"tex_12", "5"}},
		{`x{1000}x*$`, true, []string{strings.Repeat("x", find.MaxRegexpMatch), strings.Repeat("x", find.MaxRegexpMatch)}},
		{`q*`, true, nil},
	} {
		p, err := find.Regexp(test.expression, test.matchCase)
		require.NoError(t, err)
		hits, _, err := p.All(ctx, src, 100, nil)
		require.NoError(t, err)
		var found []string
		for _, h := range hits {
			found = append(found, text[h.Offset:h.End()])
		}
		assert.Equal(t, test.want, found, test.expression)
		last, ok, err := p.Previous(ctx, src, int64(len(text)), nil)
		require.NoError(t, err)
		if assert.Equal(t, len(hits) > 0, ok) && ok {
			assert.Equal(t, hits[len(hits)-1], last)
		}
	}
	_, err := find.Regexp("(", true)
	assert.EqualError(t, err, "invalid regular expression: missing closing ): `(`")
	p, err := find.Regexp(`ab+c`, true)
	require.NoError(t, err)
	for at := find.Chunk - 10; at < find.Chunk+3; at++ {
		b := append(append(make([]byte, at), "abbbbbc"...), make([]byte, 300)...)
		hit, ok, err := p.Next(ctx, model.NewSource("b", bytes.NewReader(b), int64(len(b))), 0, nil)
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Equal(t, model.Span{Offset: int64(at), Size: 7}, hit)
	}
}
