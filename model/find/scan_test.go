package find_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/find"
)

// spans collects where hits are.
func spans(into *[]model.Span) func(find.Hit) bool {
	return func(h find.Hit) bool {
		*into = append(*into, h.Span)
		return true
	}
}

// TestSpansAndStreamsFindTheSame searches bytes as a whole, in parts and as a stream, and compares with a search that
// looks at each place.
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
			require.NoError(t, p.Within(t.Context(), source(b), span(max(from, end), from+99_991-max(from, end)), nil,
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
		require.NoError(t, p.Within(t.Context(), source(b), span(at, int64(len(b))-at), nil, func(h find.Hit) bool {
			n++
			assert.Equal(t, "DUCK", string(h.Bytes))
			assert.True(t, bytes.HasSuffix([]byte("-----before "), h.Before[max(0, len(h.Before)-2):]))
			assert.Equal(t, " after", string(h.After))
			assert.LessOrEqual(t, len(h.Before), find.Around)
			return true
		}))
		assert.Equal(t, 1, n)
	}
}

func TestAStreamThatBreaksSaysSo(t *testing.T) {
	broken := errors.New("broken")
	var found []model.Span
	err := must(t)(find.Hex("61 62")).Stream(t.Context(),
		io.MultiReader(bytes.NewReader([]byte("ab ab")), iotest.ErrReader(broken)), spans(&found))
	assert.ErrorIs(t, err, broken)
	assert.Equal(t, []model.Span{span(0, 2), span(3, 2)}, found, "what was read before is searched")
}

// BenchmarkText searches random bytes for a word, in the ways that people type it.
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
