package checksum_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/checksum"
)

func TestComputeReturnsThePublishedCheckValues(t *testing.T) {
	src := model.NewSource("t", strings.NewReader("__123456789__"), 13)
	done := int64(0)
	sums, err := checksum.Compute(context.Background(), src, model.Span{Offset: 2, Size: 9},
		func(n, _ int64) { done = n })
	require.NoError(t, err)
	assert.Equal(t, int64(9), done)
	assert.Equal(t, []checksum.Sum{{Name: "CRC-32", Hex: "cbf43926"}, {Name: "CRC-32C", Hex: "e3069283"},
		{Name: "Adler-32", Hex: "091e01de"},
		{Name: "MD5", Hex: "25f9e794323b453885f5181f1b624d0b"},
		{Name: "SHA-1", Hex: "f7c3bc1d808e04732adf679965ccc34ca7ae3441"},
		{Name: "SHA-256", Hex: "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"}}, sums)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = checksum.Compute(ctx, src, model.Span{Size: 13}, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestWriteSummedWritesAndHashesAllBytes(t *testing.T) {
	for _, size := range []int{0, 5, 1 << 20} {
		b, h := bytes.Repeat([]byte{7}, size), sha256.New()
		var out bytes.Buffer
		require.NoError(t, checksum.WriteSummed(&out, b, h))
		require.NoError(t, checksum.WriteSummed(&out, b, nil))
		assert.Equal(t, 2*size, out.Len())
		want := sha256.Sum256(b)
		assert.Equal(t, want[:], h.Sum(nil))
	}
}
