package align_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/compare/align"
	"assay/model/modeltest"
)

var noise = modeltest.Noise

// words returns text of a few repeated words.
func words(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 2))
	list := []string{"node ", "mesh ", "vertex ", "0 0 0 1 ", "\x00\x00\x00\x00", "camera "}
	var b bytes.Buffer
	for b.Len() < n {
		b.WriteString(list[r.IntN(len(list))])
	}
	return b.Bytes()[:n]
}

func edits(t testing.TB, a, b []byte) []align.Edit {
	t.Helper()
	e, err := align.Bytes(context.Background(), bytes.NewReader(a), int64(len(a)), bytes.NewReader(b), int64(len(b)),
		nil)
	require.NoError(t, err)
	return e
}

func apply(t testing.TB, a, b []byte, edits []align.Edit) []byte {
	t.Helper()
	var out []byte
	at := int64(0)
	for _, e := range edits {
		require.True(t, e.Old.Offset >= at && e.Old.Within(int64(len(a))) && e.New.Within(int64(len(b))), "%v", e)
		out = append(out, a[at:e.Old.Offset]...)
		require.EqualValues(t, len(out), e.New.Offset, "bytes between edits have the same length")
		out = append(out, b[e.New.Offset:e.New.End()]...)
		at = e.Old.End()
	}
	return append(out, a[at:]...)
}

func differing(edits []align.Edit) (n int64) {
	for _, e := range edits {
		n += max(e.Old.Size, e.New.Size)
	}
	return n
}

func checkEdits(t testing.TB, a, b []byte) []align.Edit {
	t.Helper()
	forth, back := edits(t, a, b), edits(t, b, a)
	require.True(t, bytes.Equal(b, apply(t, a, b, forth)), "applying the edits gives the new file")
	mirrored := slices.Clone(back)
	for i, e := range mirrored {
		mirrored[i] = align.Edit{Old: e.New, New: e.Old}
	}
	require.Equal(t, forth, mirrored, "symmetric")
	require.Equal(t, forth, edits(t, a, b), "deterministic")
	return forth
}

func TestBytesFindsKnownEdits(t *testing.T) {
	base := noise(300_000, 1)
	put := func(at int, with ...byte) []byte { return slices.Concat(base[:at], with, base[at:]) }
	cut := func(at, n int) []byte { return slices.Concat(base[:at], base[at+n:]) }
	over := func(b []byte, at ...int) []byte {
		b = slices.Clone(b)
		for _, i := range at {
			b[i] ^= 0xff
		}
		return b
	}
	tests := []struct {
		name   string
		a, b   []byte
		edits  int
		differ int64
	}{
		{"same", base, base, 0, 0},
		{"both empty", nil, nil, 0, 0},
		{"from nothing", nil, base[:100], 1, 100},
		{"one byte changed", base, over(base, 150_000), 1, 1},
		{"seven bytes changed", base, over(base, 0, 5, 6, 70_000, 70_002, 200_000, 299_999), 6, 7},
		{"one byte inserted", base, put(150_000, 7), 1, 1},
		{"at the start", base, put(0, 7, 8), 1, 2},
		{"at the end", base, append(slices.Clone(base), 1, 2, 3), 1, 3},
		{"cut", base, cut(100_000, 1000), 1, 1000},
		{"cut and changed elsewhere", base, over(cut(100_000, 1000), 10, 250_000), 3, 1002},
		{"inserted and as much deleted", base,
			slices.Concat(base[:50_000], []byte("hello"), base[50_000:200_000], base[200_005:]), 2, 10},
		{"two insertions", base, slices.Concat(base[:1000], []byte("abcd"), base[1000:290_000], []byte("efghij"),
			base[290_000:]), 2, 10},
		{"nothing in common", noise(5000, 2), noise(7000, 3), 1, 7000},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := checkEdits(t, test.a, test.b)
			assert.Len(t, e, test.edits)
			assert.Equal(t, test.differ, differing(e), "%v", e)
		})
	}
}

func TestBytesFindsRandomEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for round := range 60 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			n := 1 + r.IntN(1<<(4+round%15))
			a := noise(n, uint64(round))
			if round%3 == 0 {
				a = words(n, uint64(round))
			}
			b := slices.Clone(a)
			for range r.IntN(12) {
				at, k := r.IntN(len(b)+1), r.IntN(40)
				switch r.IntN(4) {
				case 0:
					b = slices.Concat(b[:at], noise(k, r.Uint64()), b[at:])
				case 1:
					b = slices.Concat(b[:at], b[min(len(b), at+k):])
				case 2:
					if at < len(b) {
						b[at]++
					}
				default:
					to := r.IntN(len(b) + 1)
					b = slices.Concat(b[:to], b[at:min(len(b), at+k)], b[to:])
				}
			}
			checkEdits(t, a, b)
		})
	}
}

func TestBytesAlignsRepeatedBytes(t *testing.T) {
	a := make([]byte, 200_000)
	b := make([]byte, 200_100)
	b[77_777] = 1
	checkEdits(t, a, b)
	w := words(500_000, 1)
	x := slices.Concat(w[:100_000], []byte("something new"), w[100_000:400_000], w[400_010:])
	e := checkEdits(t, w, x)
	assert.Less(t, differing(e), int64(5000))
}

func TestBytesStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a, b := noise(1000, 1), noise(1000, 2)
	_, err := align.Bytes(ctx, bytes.NewReader(a), 1000, bytes.NewReader(b), 1000, nil)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = align.Bytes(context.Background(), bytes.NewReader(a[:10]), 1000, bytes.NewReader(b), 1000, nil)
	assert.Error(t, err, "a file that ended early")
}

func TestBytesReportsProgress(t *testing.T) {
	a, b := noise(5<<20, 1), noise(5<<20+1, 1)
	copy(b[2<<20:], a[1<<20:])
	last := int64(-1)
	_, err := align.Bytes(context.Background(), bytes.NewReader(a), int64(len(a)), bytes.NewReader(b), int64(len(b)),
		func(done, total int64) {
			assert.LessOrEqual(t, done, total)
			last = done
		})
	require.NoError(t, err)
	assert.GreaterOrEqual(t, last, int64(0))
}

func FuzzBytes(f *testing.F) {
	f.Add([]byte("hello world"), []byte("hello, world"))
	f.Add(noise(2000, 1), noise(2100, 1))
	f.Add(words(3000, 1), words(2990, 2))
	f.Fuzz(func(t *testing.T, a, b []byte) { checkEdits(t, a, b) })
}
